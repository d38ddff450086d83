//! How much surface is where: for every subtree the share of the cells of a grid over its box that hold much of it (Teschner et al., section
//! 3.1, Klein and Zachmann 2003).

use super::budget::Budget;
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::hierarchy::dual::{Branch, FittedSurface};
use crate::geometry::simd::WIDTH;
use crate::geometry::surface::Surface;
use crate::memory::Gather;
use glam::Vec3;
use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Cells along each side of the grid over a subtree's box.
pub(super) const CELLS: usize = 4;

/// Of every subtree the share of cells that hold much surface: at least as much as a plane through the cell would have. Each
/// is found when a walk first asks for it, so that what it takes is inside the walk's budget.
#[derive(Debug)]
pub struct Filling {
    /// Where the triangles below each node are.
    ranges: Vec<Range<usize>>,
    /// For each node its own share, then those of the leaves in its slots: the bits of floats.
    shares: Vec<[AtomicU32; 1 + WIDTH]>,
}

/// Bits of no share: what nobody has asked for.
const UNKNOWN: u32 = u32::MAX;

/// The most triangles that are looked at for a share. Of larger subtrees every n-th triangle stands for n; they are in the order of
/// the tree, so these are from everywhere.
const SAMPLES: usize = 512;

/// Triangles that are spread over cells in about the time that a step takes.
const SPREAD: u64 = 8;

impl Filling {
    /// For a body, with nothing known yet.
    pub fn new(bvh: &Bvh) -> Self {
        Self {
            ranges: bvh.ranges(),
            shares: (bvh.nodes().iter())
                .map(|_| std::array::from_fn(|_| AtomicU32::new(UNKNOWN)))
                .gather(),
        }
    }

    /// The box of a subtree and the share of its cells. `body` is the one it is of.
    pub(super) fn of(
        &self,
        body: FittedSurface,
        branch: Branch,
        budget: &mut Budget,
    ) -> (Aabb, f64) {
        let (node, slot) = branch.place();
        let (bounds, range) = match slot.map(|slot| (slot, body.bvh.nodes()[node].child(slot))) {
            Some((slot, Child::Leaf(start, count))) => (
                body.bvh.nodes()[node].child_box(slot),
                start as usize..(start + count) as usize,
            ),
            _ => (body.bvh.nodes()[node].bounds(), self.ranges[node].clone()),
        };
        let kept = &self.shares[node][slot.map_or(0, |slot| 1 + slot)];
        let known = kept.load(Relaxed);
        let share = if known == UNKNOWN {
            let items = body.bvh.order().get(range).unwrap_or(&[]);
            budget.pass(1 + items.len().min(SAMPLES) as u64 / SPREAD);
            // Whoever else finds it finds the same.
            let found = filled_share(&body.surface, items, bounds);
            kept.store(found.to_bits(), Relaxed);
            found
        } else {
            f32::from_bits(known)
        };
        (bounds, f64::from(share))
    }
}

/// The share of a box's cells that hold at least the area of a plane through the cell.
fn filled_share(surface: &Surface, triangles: &[u32], bounds: Aabb) -> f32 {
    if triangles.is_empty() || bounds.is_empty() {
        return 0.0;
    }
    // A flat box has flat cells; they count as if they had some thickness.
    let size = bounds
        .size()
        .max(Vec3::splat(1e-6 * bounds.size().max_element()));
    let cell = size / CELLS as f32;
    let enough = (cell.x * cell.y * cell.z).powf(2.0 / 3.0);
    let mut areas = [0.0f32; CELLS * CELLS * CELLS];
    let each = triangles.len().div_ceil(SAMPLES);
    for &t in triangles.iter().step_by(each) {
        spread(surface.rounded_corners(t), bounds.min, cell, &mut areas);
    }
    // What was left out counts as what stands for it.
    let enough = enough / (triangles.len() as f32 / triangles.len().div_ceil(each) as f32);
    let filled = areas.iter().filter(|&&area| area >= enough).count();
    filled as f32 / areas.len() as f32
}

/// Gives the area of a triangle to the cells, in pieces smaller than a cell.
fn spread([a, b, c]: [Vec3; 3], origin: Vec3, cell: Vec3, areas: &mut [f32]) {
    let longest = [b - a, c - b, a - c]
        .map(|edge| (edge.abs() / cell).max_element())
        .into_iter()
        .fold(0.0, f32::max);
    // At most as many pieces along a side as would fill the grid twice over.
    let pieces = (2.0 * longest).ceil().clamp(1.0, 4.0 * CELLS as f32) as u32;
    let area = 0.5 * (b - a).cross(c - a).length() / (pieces * pieces) as f32;
    let mut put = |u: f32, v: f32| {
        let p = a + (b - a) * u + (c - a) * v;
        let at = ((p - origin) / cell).clamp(Vec3::ZERO, Vec3::splat(CELLS as f32 - 0.5));
        let [x, y, z] = [at.x as usize, at.y as usize, at.z as usize];
        areas[(z * CELLS + y) * CELLS + x] += area;
    };
    let step = 1.0 / pieces as f32;
    for i in 0..pieces {
        for j in 0..pieces - i {
            let (u, v) = (i as f32 * step, j as f32 * step);
            put(u + step / 3.0, v + step / 3.0);
            if i + j + 1 < pieces {
                put(u + 2.0 * step / 3.0, v + 2.0 * step / 3.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane across the middle of a box fills one layer of its cells, and half of it half of the layer.
    #[test]
    fn a_plane_fills_one_layer() {
        let bounds = Aabb {
            min: Vec3::splat(-1.0),
            max: Vec3::splat(1.0),
        };
        let corner = |x: f32, y: f32| Vec3::new(x, y, 0.1);
        let positions = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        let surface = Surface {
            positions: (&positions[..]).into(),
            triangles: &[[0, 1, 2], [0, 2, 3]],
        };
        // Cells on the rim hold exactly a plane's worth, so let rounding fall to the full side.
        let (all, none) = (
            filled_share(&surface, &[0, 1], bounds),
            filled_share(&surface, &[], bounds),
        );
        assert!((0.2..=0.25).contains(&all), "{all}");
        assert_eq!(none, 0.0);
        let half = filled_share(&surface, &[0], bounds);
        assert!(half < all && half > 0.05, "{half} of {all}");
    }
}
