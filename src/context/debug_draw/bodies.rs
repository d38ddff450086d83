//! Meshes, their clusters and their hierarchies.

use super::super::Context;
use super::{Color, DebugDrawing, color_of, corners_of};
use crate::error::{Result, invalid};
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::simd::WIDTH;
use crate::geometry::topology::edges::Edges;
use crate::interrupt;
use crate::memory;
use crate::query::clusters::ClustersQuery;
use crate::scene::pose::Pose;

/// Edges of two triangles.
const INNER: Color = 0x5b6770ff;
/// Edges of one.
const BORDER: Color = 0xd55e00ff;
/// Edges of three and more.
const NON_MANIFOLD: Color = 0xcc79a7ff;
const FACES: Color = 0x9fb3c8c0;

impl Context {
    /// Draws the triangles and edges of a mesh, and its name in the middle of its box.
    pub fn draw_mesh(&self, (id, pose): (u64, Pose), into: &mut DebugDrawing) -> Result<()> {
        let mesh = self.mesh(id)?;
        pose.validate()?;
        let positions = self.current_positions(&mesh)?;
        let world = |vertex: u32| pose.apply(positions[vertex as usize].as_dvec3());
        for (at, triangle) in mesh.triangles.iter().enumerate() {
            verify_sometimes(at)?;
            into.triangle(triangle.map(world), FACES)?;
        }
        if into.options.kinds.lines {
            let (ends, counts) = self.workers.run(|| {
                let edges = Edges::new(&mesh.triangles, mesh.vertices as usize);
                let mut counts = memory::filled(0u32, edges.ends.len());
                for &edge in &edges.of_half_edges {
                    // A side from a vertex to itself is no edge.
                    if let Some(count) = counts.get_mut(edge as usize) {
                        *count += 1;
                    }
                }
                (edges.ends, counts)
            })?;
            for (at, (&[u, v], count)) in ends.iter().zip(counts).enumerate() {
                verify_sometimes(at)?;
                let color = match count {
                    1 => BORDER,
                    2 => INNER,
                    _ => NON_MANIFOLD,
                };
                into.line(world(u), world(v), color)?;
            }
        }
        let corners = mesh.triangles.iter().flatten();
        let bounds = Aabb::of(corners.map(|&vertex| positions[vertex as usize]));
        let middle = pose.apply(bounds.centre().as_dvec3());
        into.text(middle, || mesh.name(), INNER)
    }

    /// Draws the boxes of a mesh's clusters as the device has them.
    pub fn draw_clusters(&self, (id, pose): (u64, Pose), into: &mut DebugDrawing) -> Result<()> {
        let mesh = self.mesh(id)?;
        pose.validate()?;
        for (at, cluster) in self.ask(ClustersQuery::plan(mesh))?.iter().enumerate() {
            interrupt::verify()?;
            let (min, max) = (cluster.min.into(), cluster.max.into());
            draw_box(Aabb { min, max }, &pose, color_of(at), into)?;
        }
        Ok(())
    }

    /// Draws the boxes of one level of the hierarchy that the exact queries have over a mesh: 0 for the box around all. Leaves that end
    /// above stand for themselves.
    pub fn draw_hierarchy(
        &self,
        (id, pose): (u64, Pose),
        level: u32,
        into: &mut DebugDrawing,
    ) -> Result<()> {
        let mesh = self.mesh(id)?;
        pose.validate()?;
        let fitted = self.fitted(&mesh)?;
        if level == 0 {
            return draw_box(fitted.bvh().bounds(), &pose, color_of(0), into);
        }
        let mut number = 0;
        for (depth, nodes) in fitted.bvh().levels().enumerate().take(level as usize) {
            let is_last = depth + 1 == level as usize;
            for node in nodes {
                interrupt::verify()?;
                number += draw_children(fitted.bvh(), node, is_last, |bounds, slot| {
                    draw_box(bounds, &pose, color_of(number + slot), into)
                })?;
            }
        }
        Ok(())
    }
}

/// Hands over the boxes of a node's slots: of all where it is at the level that is drawn, else of its leaves. Returns how many there were.
fn draw_children(
    bvh: &Bvh,
    node: u32,
    is_last: bool,
    mut draw: impl FnMut(Aabb, usize) -> Result<()>,
) -> Result<usize> {
    let node = (bvh.nodes().get(node as usize))
        .ok_or_else(|| invalid("the hierarchy has no such node"))?;
    let mut drawn = 0;
    for slot in 0..WIDTH {
        let is_shown = match node.child(slot) {
            Child::Unused => false,
            Child::Leaf(..) => true,
            Child::Node(_) => is_last,
        };
        if is_shown {
            draw(node.child_box(slot), drawn)?;
            drawn += 1;
        }
    }
    Ok(drawn)
}

fn draw_box(bounds: Aabb, pose: &Pose, color: Color, into: &mut DebugDrawing) -> Result<()> {
    let corners = corners_of(bounds.min.as_dvec3(), bounds.max.as_dvec3());
    into.box_edges(corners.map(|corner| pose.apply(corner)), color)
}

/// [`interrupt::verify`] once in some microseconds.
fn verify_sometimes(turn: usize) -> Result<()> {
    match turn % 256 {
        0 => interrupt::verify(),
        _ => Ok(()),
    }
}
