//! Which points are inside a mesh, by the ray nearest to each. Partner: `shaders/volume/contains.comp`.

use super::frame::turned;
use super::grid::{Grid, summary_of};
use super::marks::{bins_of, block_of};
use super::rays::Rays;
use super::spans::is_long;
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::ContainsPush;
use crate::gpu::shader::kernels::Contains;
use crate::host::runs::each_run;
use glam::{UVec2, Vec3};
use std::sync::atomic::Ordering::Relaxed;

/// Points that are worth a thread.
const RUN: usize = 4096;

/// The lowest bit says inside; the next that the surface passes through the point's bin of the pixel's column, so that the ray beside the
/// point need not tell for the point.
const INSIDE: u32 = 1;
const NEAR: u32 = 2;

impl Native for Contains<'_> {
    fn run(&self, push: &ContainsPush, _groups: [u32; 3]) {
        let summary = summary_of(&self.summaries);
        let grid = Grid::of(&summary.frame);
        let complete = grid.sides.x > 0 && summary.nodes <= push.capacity;
        let answers = &self.answers.words()[push.at as usize..][..push.count as usize];
        let points = &self.points.values::<[f32; 3]>()[..answers.len()];
        let image = Image {
            grid,
            rays: Rays::of(&self.rays),
            spans: self.spans.values(),
            marks: self.marks.values(),
        };
        each_run(answers.len(), RUN, |run| {
            for (point, answer) in points[run.clone()].iter().zip(&answers[run]) {
                let found = match complete {
                    true => image.look_up(Vec3::from(*point)),
                    false => 0,
                };
                answer.store(found, Relaxed);
            }
        });
    }
}

/// The layered depth image of a mesh.
struct Image<'a> {
    grid: Grid,
    rays: Rays<'a>,
    spans: &'a [[f32; 4]],
    marks: &'a [[u32; 4]],
}

impl Image<'_> {
    /// What is known of a point; nothing beyond the frame, which holds the mesh.
    #[inline]
    fn look_up(&self, world: Vec3) -> u32 {
        let grid = &self.grid;
        let place = (turned(world, grid.axis) - grid.origin) * grid.scale;
        let sides = grid.sides - 1;
        let size = Vec3::new(sides.x as f32, sides.y as f32, grid.bins as f32);
        if !(place.cmpge(Vec3::ZERO).all() && place.cmplt(size).all()) {
            return 0;
        }
        let pixel = UVec2::new((place.x + 0.5) as u32, (place.y + 0.5) as u32);
        let (ray, depth) = ((pixel.y * grid.sides.x + pixel.x) as usize, place.z);
        let bin = (depth as u32).min(grid.bins - 1);
        let at = block_of(pixel, grid.sides) * (grid.bins / 32) + bin / 32;
        let near = bins_of(&self.marks[at as usize], pixel) >> (bin % 32) & 1;
        self.inside(ray, depth) | (near * NEAR)
    }

    #[inline]
    fn inside(&self, ray: usize, depth: f32) -> u32 {
        let spans = &self.spans[ray];
        if !is_long(spans) {
            let [a, b, c, d] = *spans;
            return u32::from((a <= depth && depth < b) || (c <= depth && depth < d)) * INSIDE;
        }
        let head = self.rays.heads[ray].load(Relaxed);
        let passed = (self.rays.list(head >> 1))
            .take_while(|node| self.rays.depth(*node) <= depth)
            .count();
        (head ^ passed as u32) & INSIDE
    }
}
