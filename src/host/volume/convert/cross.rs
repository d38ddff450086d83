//! The rays that cross a triangle.

use super::{RAMP, Slice, Triangle, add, lanes_of};
use crate::geometry::simd::{Lanes, WIDTH};
use crate::host::volume::crossing::cut_row;
use crate::host::volume::grid::{Grid, first_at, last_at};
use crate::host::volume::rays::{ENTERS, Rays, SLOTS, Slots, is_depth};
use glam::{UVec2, Vec3A};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Where the crossings of a mesh go.
pub(super) struct Crosser<'a> {
    pub(super) grid: Grid,
    /// The mesh's first ray.
    pub(super) first: usize,
    pub(super) rays: Rays<'a>,
    pub(super) slots: Slots<'a>,
    pub(super) nodes: &'a AtomicU32,
    pub(super) capacity: u32,
}

impl Crosser<'_> {
    /// Adds the crossings of a triangle between `low` and `high`, of the rows of a slice.
    #[inline(always)]
    pub(super) fn cross<V: Lanes, const SHARED: bool>(
        &self,
        triangle: &Triangle,
        low: Vec3A,
        high: Vec3A,
        slice: Slice,
    ) {
        let [width, height] = self.grid.sides.to_array();
        let (begin, end) = (first_at(low.x, width), last_at(high.x, width));
        if begin > end {
            return;
        }
        let (from, to) = (first_at(low.y, height), last_at(high.y, height));
        let Triangle { number, a, b, c } = *triangle;
        for k in (from + slice.number as i32..=to).step_by(slice.of) {
            let Some(cut) = cut_row(a, b, c, k as f32) else {
                continue;
            };
            let tag = number | if cut.enters { ENTERS } else { 0 };
            let lanes = cut.lanes::<V>();
            for u in (first_at(cut.left.x, width)..=end).step_by(WIDTH) {
                let column = V::splat(u as f32) + V::load(&RAMP);
                let crossed = column.lt(lanes.right[0]).bits();
                if crossed == 0 {
                    break;
                }
                let depths = lanes.depth_at(column).store();
                let within = u8::MAX >> (WIDTH as i32 - 1).saturating_sub(end - u).max(0);
                for lane in lanes_of(crossed & within) {
                    let pixel = UVec2::new(u as u32 + lane as u32, k as u32);
                    self.add_crossing::<SHARED>(pixel, depths[lane], tag);
                }
            }
        }
    }

    /// Adds a crossing to a ray: to its slots, or when they are full to the head of its list.
    #[inline(always)]
    pub(super) fn add_crossing<const SHARED: bool>(&self, pixel: UVec2, depth: f32, tag: u32) {
        if !is_depth(depth) {
            return;
        }
        let ray = self.first + (pixel.y * self.grid.sides.x + pixel.x) as usize;
        let slot = add::<SHARED>(&self.slots.counts[ray], 1) as usize;
        if slot < SLOTS {
            self.slots.depths.set(SLOTS * ray + slot, depth);
            self.slots.tags.set(SLOTS * ray + slot, tag);
            return;
        }
        let node = add::<SHARED>(self.nodes, 1);
        if node < self.capacity {
            let next = self.rays.heads[ray].swap(node << 1, Relaxed) >> 1;
            self.rays.set(node, depth, tag, next);
        }
    }
}
