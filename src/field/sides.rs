//! Which side of the surface each node of a grid is on.
//!
//! Nearby nodes share a side where no surface can lie between them: the open balls of radius `|D|` around two nodes hold no
//! point of the surface, and when `|D(a)| + |D(b)|` exceeds the distance from `a` to `b` they cover the segment between.

use crate::field::grid::{Grid, place};
use crate::field::membrane::Membrane;
use crate::geometry::nearest::Nearest;
use crate::geometry::sign::winding::Winding;
use crate::geometry::surface::Surface;
use crate::geometry::topology::Connectivity;
use crate::geometry::topology::rim::Rim;
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::UVec3;
use rayon::prelude::*;

/// A texel: the unit vector towards the closest point, and the distance.
pub type FieldTexel = [f32; 4];

/// Winding numbers over a grid: computed once for each connected piece of free space in a brick.
#[derive(Debug)]
pub struct WindingSides {
    winding: Winding,
    rim: Rim,
}

const BRICK: u32 = 8;

impl WindingSides {
    /// Prepares for a surface of this connectivity.
    pub fn of(surface: Surface, connectivity: &Connectivity) -> Self {
        Self {
            winding: Winding::build(surface),
            rim: Rim::of(surface, connectivity),
        }
    }

    /// The winding numbers.
    pub fn winding(&self) -> &Winding {
        &self.winding
    }

    /// Where the signs jump off the surface, as far as it matters to a grid of this spacing; nothing if it has no border.
    pub fn membrane<'a>(&'a self, nearest: &'a Nearest, spacing: f32) -> Option<Membrane<'a>> {
        Membrane::of(&self.winding, nearest, &self.rim, spacing)
    }

    /// Gives unsigned distances their sign: negative where the surface winds around the node.
    pub fn sign(&self, grid: &Grid, texels: &mut [FieldTexel]) {
        let layer = grid.nodes.x as usize * grid.nodes.y as usize;
        texels
            .par_chunks_mut(layer * BRICK as usize)
            .enumerate()
            .for_each(|(slab, texels)| {
                let base = UVec3::new(0, 0, slab as u32 * BRICK);
                let depth = (texels.len() / layer) as u32;
                for y in (0..grid.nodes.y).step_by(BRICK as usize) {
                    for x in (0..grid.nodes.x).step_by(BRICK as usize) {
                        interrupt::check();
                        let start = UVec3::new(x, y, 0);
                        let size = (grid.nodes.with_z(depth) - start).min(UVec3::splat(BRICK));
                        self.sign_brick(grid, base, start, size, texels);
                    }
                }
            });
    }

    /// Floods the brick of `size` nodes at `start`, relative to the texels' first node `base`.
    fn sign_brick(
        &self,
        grid: &Grid,
        base: UVec3,
        start: UVec3,
        size: UVec3,
        texels: &mut [FieldTexel],
    ) {
        let spacing = f64::from(grid.spacing);
        let count = size.element_product() as usize;
        let node = |i: usize| place(i, size);
        let strides = [1, size.x as usize, (size.x * size.y) as usize];
        let distances: Vec<f64> = (0..count)
            .map(|i| f64::from(texels[grid.index(start + node(i))][3].abs()))
            .gather();
        // The winding number at each node once it is known, and by how much it may be off.
        let mut known: Vec<Option<(f64, f64)>> = memory::filled(None, count);
        let mut frontier = Vec::new();
        for seed in 0..count {
            if known[seed].is_none() {
                known[seed] = Some(
                    self.winding
                        .decide(grid.position(base + start + node(seed))),
                );
                memory::add(&mut frontier, seed);
            }
            while let Some(i) = frontier.pop() {
                let Some((number, error)) = known[i] else {
                    continue;
                };
                let at = node(i);
                for axis in 0..3 {
                    let up = (at[axis] + 1 < size[axis]).then(|| i + strides[axis]);
                    let down = (at[axis] > 0).then(|| i - strides[axis]);
                    for j in [up, down].into_iter().flatten() {
                        if known[j].is_some() {
                            continue;
                        }
                        if distances[i] + distances[j] <= spacing * (1.0 + 1e-6) {
                            continue;
                        }
                        let p = grid.position(base + start + at);
                        let rim = f64::from(self.rim.bounds.distance_squared(p.as_vec3())).sqrt()
                            * (1.0 - 1e-6);
                        let error = error + self.rim.change(spacing, rim.max(distances[i]));
                        let sure = (number.abs() - 0.5).abs() > error;
                        let there = grid.position(base + start + node(j));
                        known[j] = Some(if sure {
                            (number, error)
                        } else {
                            self.winding.decide(there)
                        });
                        memory::add(&mut frontier, j);
                    }
                }
            }
        }
        for (i, known) in known.iter().enumerate() {
            let texel = &mut texels[grid.index(start + node(i))];
            // On the surface the winding number jumps; a distance of 0 is positive by convention.
            let inside = texel[3] != 0.0 && known.is_some_and(|(number, _)| number.abs() >= 0.5);
            texel[3] = if inside {
                -texel[3].abs()
            } else {
                texel[3].abs()
            };
        }
    }
}
