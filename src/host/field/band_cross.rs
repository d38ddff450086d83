//! Signed crossings of the surface with the grid's columns (lines along y through the nodes): each adds to the first node behind it, so
//! that a sum along a column is the winding number. Partner: `shaders/field/band_cross.comp`, which says why no column is an exception.

use super::band::BandGrid;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::BandPush;
use crate::gpu::shader::kernels::BandCross;
use crate::host::runs::each_run_to_the_end;
use glam::{Vec2, Vec3, Vec3Swizzles};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Triangles that are worth a thread.
const RUN: usize = 512;

impl Native for BandCross<'_> {
    fn run(&self, push: &BandPush, [_, slices, _]: [u32; 3]) {
        let grid = BandGrid::new(push, self.positions);
        let indices: &[[u32; 3]] = self.indices.values();
        let crossings = self.crossings.words();
        // Where there are few triangles, several runs share each: then they are likely to be large.
        let slices = slices as usize;
        each_run_to_the_end(push.count as usize * slices, RUN, |run| {
            for item in run {
                let [a, b, c] = indices[item / slices].map(|vertex| grid.corner(vertex));
                cross_triangle(&grid, [a, b, c], item % slices, slices, crossings);
            }
        });
    }
}

/// Where an edge whose ends lie on both sides of the plane z = k meets it.
fn meet(a: Vec3, b: Vec3, k: f32) -> Vec2 {
    let (low, high) = if a.z < b.z { (a, b) } else { (b, a) };
    let t = (k - low.z) / (high.z - low.z);
    let p = low.xy() + (high.xy() - low.xy()) * t;
    p.max(low.xy().min(high.xy())).min(low.xy().max(high.xy()))
}

/// Crosses the columns x = i of the plane z = k between the ends of a triangle's cut, which runs from `up` to `down`.
fn cross_columns(grid: &BandGrid, up: Vec2, down: Vec2, k: i32, crossings: &[AtomicU32]) {
    // Seen from +y, the surface faces +y where the side that rises in z lies left: there a column leaves the solid.
    let (left, right, change) = if up.x < down.x {
        (up, down, -1i32)
    } else {
        (down, up, 1)
    };
    let (low, high) = (left.y.min(right.y), left.y.max(right.y));
    let mut i = grid.nodes_from(Vec3::splat(left.x)).x;
    while i < grid.nodes.x && (i as f32) < right.x {
        let y = left.y + (right.y - left.y) * ((i as f32 - left.x) / (right.x - left.x));
        let j = grid.nodes_from(Vec3::splat(y.max(low).min(high))).y;
        if j < grid.nodes.y {
            crossings[grid.node_at(i, j, k)].fetch_add(change as u32, Relaxed);
        }
        i += 1;
    }
}

/// Crosses the columns of every `slices`-th plane, from `slice` on, with a triangle.
fn cross_triangle(
    grid: &BandGrid,
    [a, b, c]: [Vec3; 3],
    slice: usize,
    slices: usize,
    crossings: &[AtomicU32],
) {
    let from = grid.nodes_from(a.min(b.min(c))).z;
    let to = grid.nodes_to(a.max(b.max(c))).z;
    for k in (from + slice as i32..=to).step_by(slices) {
        let plane = k as f32;
        let below = [a, b, c].map(|p| p.z <= plane);
        if below == [true; 3] || below == [false; 3] {
            continue;
        }
        // The corner that the plane parts from the other two, the next and the one before.
        let (apex, next, last) = if below[1] == below[2] {
            (a, b, c)
        } else if below[0] == below[2] {
            (b, c, a)
        } else {
            (c, a, b)
        };
        let (leaving, arriving) = (meet(apex, next, plane), meet(apex, last, plane));
        match apex.z <= plane {
            true => cross_columns(grid, leaving, arriving, k, crossings),
            false => cross_columns(grid, arriving, leaving, k, crossings),
        }
    }
}
