//! Distance fields: the domain, the surface, and slices.

use super::super::Context;
use super::{Color, DebugDrawing, corners_of};
use crate::error::{Result, invalid};
use crate::field::Field;
use crate::field::contour::{triangles_of_plane, zero_segment, zero_set};
use crate::field::grid::{Grid, places};
use crate::interrupt;
use crate::memory;
use crate::query::sample::SampleQuery;
use crate::scene::pose::Pose;
use glam::{DVec3, UVec3, Vec3};
use std::sync::Arc;

/// The most cells along a field's longest side that it is drawn with.
pub const MOST_CELLS: u32 = 128;

const DOMAIN: Color = 0x5b6770ff;
const SURFACE: Color = 0x9fb3c8c0;
const OUTLINE: Color = 0x000000ff;

/// A plane across an axis of a field's frame.
#[derive(Clone, Copy, Debug)]
pub struct FieldSlice {
    /// 0, 1 or 2.
    pub axis: u32,
    /// Where it cuts that axis.
    pub at: f32,
}

impl Context {
    /// Draws the domain of a field, what is known of it, and the surface where its distance is zero.
    pub fn draw_field(&self, (id, pose): (u64, Pose), into: &mut DebugDrawing) -> Result<()> {
        let field = self.field(id)?;
        pose.validate()?;
        let [min, max] = ends(&field.data.grid);
        let corners = corners_of(min, max).map(|corner| pose.apply(corner));
        into.box_edges(corners, DOMAIN)?;
        let [x, y, z] = field.data.grid.nodes.to_array();
        let told = || {
            format!(
                "{x} x {y} x {z} nodes, off by at most {:.3e}",
                field.data.error()
            )
        };
        into.text(corners[7], told, DOMAIN)?;
        if !into.options.kinds.triangles {
            return Ok(());
        }
        let lattice = lattice_over(&field.data.grid, into.options.cells)?;
        let places = places(lattice.nodes).map(|node| lattice.position(node));
        let samples = self.distances_at(&field, lattice.len(), places)?;
        let each = |triangle: [DVec3; 3]| into.triangle(triangle.map(|p| pose.apply(p)), SURFACE);
        zero_set(&lattice, &samples, interrupt::verify, each)
    }

    /// Draws distances in a plane across a field: blue inside, orange outside, paler near the surface, and a line where they are zero.
    pub fn draw_field_slice(
        &self,
        (id, pose): (u64, Pose),
        slice: FieldSlice,
        into: &mut DebugDrawing,
    ) -> Result<()> {
        let field = self.field(id)?;
        pose.validate()?;
        let [min, max] = ends(&field.data.grid);
        let axis = slice.axis as usize;
        if axis > 2 {
            return Err(invalid(format!("axis is {axis}; it must be 0, 1 or 2")));
        }
        let at = f64::from(slice.at);
        if !(min[axis]..=max[axis]).contains(&at) {
            return Err(invalid(format!(
                "the slice is at {at}; the field's domain goes from {} to {} along axis {axis}",
                min[axis], max[axis]
            )));
        }
        let (across, down) = ((axis + 1) % 3, (axis + 2) % 3);
        let lattice = lattice_over(&field.data.grid, into.options.cells)?;
        let count = [lattice.nodes[across], lattice.nodes[down]];
        let local = |i: usize| {
            let mut node = UVec3::ZERO;
            node[across] = i as u32 % count[0];
            node[down] = i as u32 / count[0];
            let mut place = lattice.position(node);
            place[axis] = at;
            place
        };
        let points = count[0] as usize * count[1] as usize;
        let samples = self.distances_at(&field, points, (0..points).map(local))?;
        let reach = ((max - min).max_element() / 4.0) as f32;
        triangles_of_plane(count, |corners| {
            interrupt::verify()?;
            let mean = corners.iter().map(|&i| samples[i]).sum::<f32>() / 3.0;
            let places = corners.map(|i| pose.apply(local(i)));
            into.triangle(places, color_of_distance(mean / reach))?;
            let at = |k: usize| (places[k], samples[corners[k]]);
            match zero_segment([at(0), at(1), at(2)]) {
                Some([p, q]) => into.line(p, q, OUTLINE),
                None => Ok(()),
            }
        })
    }

    /// The field at points of its own frame.
    fn distances_at(
        &self,
        field: &Arc<Field>,
        count: usize,
        places: impl Iterator<Item = DVec3>,
    ) -> Result<Vec<f32>> {
        let mut points: Vec<Vec3> = memory::with_room(count, "points of a field")?;
        points.extend(places.map(|place| place.as_vec3()));
        let query = SampleQuery::plan(self.resources(), (field.clone(), Pose::default()), &points)?;
        let samples = self.ask(query)?;
        memory::collect(samples.iter().map(|sample| sample.distance), "distances")
    }
}

/// The first and the last node.
fn ends(grid: &Grid) -> [DVec3; 2] {
    [grid.position(UVec3::ZERO), grid.position(grid.nodes - 1)]
}

/// A lattice that covers a grid, with as many cells along the longest side, or as the grid has where those are fewer.
fn lattice_over(grid: &Grid, cells: u32) -> Result<Grid> {
    if !(1..=MOST_CELLS).contains(&cells) {
        return Err(invalid(format!(
            "resolution is {cells}; it must be from 1 to {MOST_CELLS}"
        )));
    }
    let longest = (grid.nodes - 1).max_element();
    let cells = cells.min(longest);
    let of_axis = |nodes: u32| ((nodes - 1) * cells).div_ceil(longest).max(1) + 1;
    Ok(Grid {
        origin: grid.origin,
        spacing: grid.spacing * (longest as f32 / cells as f32),
        nodes: UVec3::from(grid.nodes.to_array().map(of_axis)),
    })
}

/// Blue below zero, orange above, pale at zero, full from one on.
fn color_of_distance(distance: f32) -> Color {
    let full: [f32; 3] = match distance < 0.0 {
        true => [33.0, 102.0, 172.0],
        false => [214.0, 96.0, 20.0],
    };
    let share = distance.abs().min(1.0);
    let channel = |to: f32| (247.0 + (to - 247.0) * share) as u32;
    let [r, g, b] = full.map(channel);
    r << 24 | g << 16 | b << 8 | 0xff
}
