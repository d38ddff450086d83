//! How the volume that two meshes share changes with every vertex of one of them. Partner: `shaders/volume/gradients.comp`, which says
//! what is summed and why its terms are integers.

use super::grid::{Grid, summary_of};
use super::rays::{Crossings, ENTERS, Rays, Slots};
use super::winding_walk::WindingWalk;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::GradientsPush;
use crate::gpu::shader::kernels::Gradients;
use crate::host::runs::each_run;
use glam::{UVec2, Vec2, Vec3, Vec3Swizzles};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Rays that are worth a thread.
const RUN: usize = 1024;
/// Of a pixel's area.
const UNITS: f32 = 1_048_576.0;

impl Native for Gradients<'_> {
    fn run(&self, push: &GradientsPush, _groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        if summary.nodes > push.capacity || summary.frame.width == 0 {
            return;
        }
        let grid = Grid::of(&summary.frame);
        let surface = Surface {
            placed: self.placed.values(),
            indices: self.indices.values(),
            cell: 1.0 / grid.scale,
            sums: &self.sums.words()[6 * push.first as usize..],
        };
        let (rays, slots) = (Rays::of(&self.rays), Slots::of(&self.slots));
        let walk = |mesh: usize, pixel: usize| {
            let crossings = Crossings::of(rays, &slots, mesh * grid.pixels() + pixel);
            WindingWalk::start(crossings, summary.frame.from_above[mesh] == 1)
        };
        let mesh = push.mesh as usize;
        each_run(grid.pixels(), RUN, |run| {
            for ray in run {
                let pixel = grid.pixel(ray);
                if !grid.is_border(pixel) {
                    surface.add_ray(walk(mesh, ray), walk(1 - mesh, ray), pixel);
                }
            }
        });
    }
}

/// The surface of the mesh, and the sums of its vertices: three each, in two words.
struct Surface<'a> {
    placed: &'a [[f32; 4]],
    indices: &'a [[u32; 3]],
    cell: Vec3,
    sums: &'a [AtomicU32],
}

impl Surface<'_> {
    /// Adds a term for every end of a shared stretch that is a face of this mesh.
    fn add_ray(&self, mut own: WindingWalk, mut other: WindingWalk, pixel: UVec2) {
        while let Some(next) = own.peek() {
            let (next_own, next_other) = (next.depth(), other.next_depth());
            let was_shared = own.is_inside() && other.is_inside();
            // One of them moves on in every turn, whatever the depths are: the walk ends.
            let other_turned = next_other <= next_own && other.pass();
            let own_turned = next_own <= next_other && own.pass();
            if own_turned && was_shared != (own.is_inside() && other.is_inside()) {
                let share = if other_turned { 0.5 } else { 1.0 };
                self.add_face(next.tag() & !ENTERS, pixel.as_vec2(), was_shared, share);
            }
        }
    }

    /// The face at the end of a shared stretch (`leaves`), or at its start; coincident faces are shared by both meshes.
    fn add_face(&self, triangle: u32, at: Vec2, leaves: bool, share: f32) {
        let vertices = self.indices[triangle as usize];
        let [a, b, c] = vertices.map(|v| Vec3::from_slice(&self.placed[v as usize]));
        let (p, q) = (b - a, c - a);
        let normal = (p * self.cell).cross(q * self.cell);
        let (size, determinant) = (normal.length(), p.xy().perp_dot(q.xy()));
        if size <= 0.0 || determinant == 0.0 {
            return;
        }
        let normal = normal / size;
        let r = at - a.xy();
        let weight = |area: f32| (area / determinant).clamp(0.0, 1.0);
        let (y, z) = (weight(r.perp_dot(q.xy())), weight(p.xy().perp_dot(r)));
        let weights = Vec3::new((1.0 - y - z).max(0.0), y, z);
        let weights = weights / weights.element_sum();
        // Outwards is along the ray where the stretch ends.
        let outwards = if (normal.z > 0.0) == leaves {
            normal
        } else {
            -normal
        };
        let term = share * normal.z.abs() * outwards * UNITS;
        for (corner, vertex) in vertices.into_iter().enumerate() {
            for i in 0..3 {
                let value = (weights[corner] * term[i]).round_ties_even() as i32;
                self.add(3 * vertex as usize + i, value);
            }
        }
    }

    /// Adds to a sum, in any order to the same bits.
    fn add(&self, at: usize, value: i32) {
        let [low, high] = [2 * at, 2 * at + 1].map(|word| &self.sums[word]);
        let before = low.fetch_add(value as u32, Relaxed);
        let carry = before.checked_add(value as u32).is_none();
        let above = i32::from(carry) - i32::from(value < 0);
        if above != 0 {
            high.fetch_add(above as u32, Relaxed);
        }
    }
}
