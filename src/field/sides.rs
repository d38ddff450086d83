//! Which side of the surface each node of a grid is on.
//!
//! Nearby nodes share a side where no surface can lie between them: the open balls of radius `|D|` around two nodes hold no
//! point of the surface, and when `|D(a)| + |D(b)|` exceeds the distance from `a` to `b` they cover the segment between.

use crate::field::grid::Grid;
use crate::geometry::aabb::Aabb;
use crate::geometry::adjacency::{self, Adjacency};
use crate::geometry::surface::Surface;
use crate::geometry::winding::Winding;
use glam::UVec3;
use rayon::prelude::*;
use std::f64::consts::PI;

/// A texel: the unit vector towards the closest point, and the distance.
pub type Texel = [f32; 4];

/// Winding numbers over a grid: computed once for each connected piece of free space in a brick.
#[derive(Debug)]
pub struct WindingSides {
    winding: Winding,
    rim: Rim,
}

/// The border of the oriented triangles: edges that are not run along equally often in both directions.
#[derive(Debug)]
struct Rim {
    length: f64,
    bounds: Aabb,
}

impl Rim {
    fn of(surface: Surface, triangles: &[[u32; 3]]) -> Self {
        let twins = Adjacency::of(triangles, surface.positions.len()).twins;
        let mut rim = Self {
            length: 0.0,
            bounds: Aabb::EMPTY,
        };
        for half_edge in 0..twins.len() as u32 {
            let (start, end) = (
                adjacency::start(triangles, half_edge),
                adjacency::end(triangles, half_edge),
            );
            let twin = twins[half_edge as usize];
            // An edge with more than two triangles may well be balanced; counting it as rim costs time, not truth.
            let balanced = twin != adjacency::NONE && adjacency::start(triangles, twin) == end;
            if !balanced && !adjacency::is_collapsed(triangles[half_edge as usize / 3]) {
                let ends = [start, end].map(|v| surface.positions[v as usize]);
                rim.length += f64::from(ends[0].distance(ends[1]));
                rim.bounds = rim.bounds.union(Aabb::of(ends));
            }
        }
        rim
    }

    /// How much the winding number can change along a segment of length `step` from a point at distance `clear` from the
    /// rim: its gradient is the Biot-Savart integral along the rim, at most `length / 4 pi clear^2`.
    fn change(&self, step: f64, clear: f64) -> f64 {
        if self.length == 0.0 {
            return 0.0;
        }
        let gap = clear - step;
        if gap <= 0.0 {
            f64::INFINITY
        } else {
            step * self.length / (4.0 * PI * gap * gap)
        }
    }
}

const BRICK: u32 = 8;

impl WindingSides {
    /// Prepares for a surface whose vertices are identified as in `triangles`.
    pub fn of(surface: Surface, triangles: &[[u32; 3]]) -> Self {
        Self {
            winding: Winding::build(surface),
            rim: Rim::of(surface, triangles),
        }
    }

    /// Gives unsigned distances their sign: negative where the surface winds around the node.
    pub fn sign(&self, grid: &Grid, texels: &mut [Texel]) {
        let layer = grid.nodes.x as usize * grid.nodes.y as usize;
        texels
            .par_chunks_mut(layer * BRICK as usize)
            .enumerate()
            .for_each(|(slab, texels)| {
                let base = UVec3::new(0, 0, slab as u32 * BRICK);
                let depth = (texels.len() / layer) as u32;
                for y in (0..grid.nodes.y).step_by(BRICK as usize) {
                    for x in (0..grid.nodes.x).step_by(BRICK as usize) {
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
        texels: &mut [Texel],
    ) {
        let spacing = f64::from(grid.spacing);
        let count = size.element_product() as usize;
        let node = |i: usize| {
            UVec3::new(
                i as u32 % size.x,
                i as u32 / size.x % size.y,
                i as u32 / size.x / size.y,
            )
        };
        let strides = [1, size.x as usize, (size.x * size.y) as usize];
        let distances: Vec<f64> = (0..count)
            .map(|i| f64::from(texels[grid.index(start + node(i))][3].abs()))
            .collect();
        // The winding number at each node once it is known, and by how much it may be off.
        let mut known: Vec<Option<(f64, f64)>> = vec![None; count];
        let mut frontier = Vec::new();
        for seed in 0..count {
            if known[seed].is_none() {
                known[seed] = Some(
                    self.winding
                        .decide(grid.position(base + start + node(seed))),
                );
                frontier.push(seed);
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
                        frontier.push(j);
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

/// Whether the signs can be those of an inside and an outside: neighbours with a clear segment between them agree, and the
/// first node, which is outside, is positive. Overlapping or nested shells fail it when signed by pseudonormals.
pub fn are_consistent(grid: &Grid, texels: &[Texel]) -> bool {
    let layer = grid.nodes.x as usize * grid.nodes.y as usize;
    let row = grid.nodes.x as usize;
    let spacing = grid.spacing * (1.0 + 1e-5);
    let agree = |a: f32, b: f32| {
        a.is_sign_negative() == b.is_sign_negative() || a.abs() + b.abs() <= spacing
    };
    let fine = (0..grid.nodes.z as usize * grid.nodes.y as usize)
        .into_par_iter()
        .with_min_len(64)
        .all(|r| {
            let start = r * row;
            let own = &texels[start..start + row];
            let across_x = own.windows(2).all(|w| agree(w[0][3], w[1][3]));
            let beside = |offset: usize| {
                let other = &texels[start + offset..start + offset + row];
                own.iter().zip(other).all(|(a, b)| agree(a[3], b[3]))
            };
            let last_y = r % grid.nodes.y as usize == grid.nodes.y as usize - 1;
            across_x && (last_y || beside(row)) && (start + layer >= texels.len() || beside(layer))
        });
    fine && texels.first().is_none_or(|t| t[3].is_sign_positive())
}
