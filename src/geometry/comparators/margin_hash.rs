//! The distance of Gissler et al.: bounds from the hulls, then a spatial hash aligned with the margin between them.
//!
//! In a frame whose z axis is the margin's normal, a pair that is closer than the upper bound lies within
//! `upper - lower` of the two margins and within `sqrt(upper^2 - lower^2)` in x and y. Cells of that size are hashed
//! for one surface and asked, with their neighbours, for the other (sections 5 and 5.1). Nothing is prepared, and either body may
//! have a pose.

use crate::geometry::distance::gjk::HullBounds;
use crate::geometry::distance::{Best, Distance, DistanceOptions, surface_bounds};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::magnitude;
use crate::geometry::surface::Surface;
use crate::interrupt;
use crate::memory::{self, Gather, ParallelGather};
use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;

/// The distance by both stages of Gissler et al., the second body placed in the frame of the first. None where hulls overlap or nearly
/// touch, so that there is no margin, and where a body has no triangle.
pub fn distance(
    a: Surface,
    b: Surface,
    placement: &Placement,
    options: &DistanceOptions,
) -> Option<Distance> {
    let moved = moved_positions(b, placement);
    let standing = Surface {
        positions: moved.as_deref().unwrap_or(b.positions.rounded()).into(),
        triangles: b.triangles,
    };
    let hulls = surface_bounds(a, standing)?;
    let margin = Margin::new(&hulls, moved.as_deref().map_or(0.0, rounding));
    if margin.lower.is_nan() || margin.lower <= 0.0 {
        return None;
    }
    if margin.lower > options.within {
        return Some(Distance::beyond(options.within));
    }
    let mut best = Best::new(a, b, *placement, options);
    // Section 4.3: simplices that are features of the surfaces end the search, and shorten that of bodies whose hulls were rounded.
    let found = on_surfaces(a, b, &hulls).map(|[i, j]| best.offer(i, j));
    if found.is_none() || moved.is_some() {
        search([a, b], placement, &hulls, &margin, &mut best);
    }
    Some(best.answer(options.within))
}

/// The positions in the frame of the first body, rounded to floats; None where nothing moves.
fn moved_positions(surface: Surface, placement: &Placement) -> Option<Vec<Vec3>> {
    let there = |p: &Vec3| placement.point(p.as_dvec3()).as_vec3();
    let moved = || {
        surface
            .positions
            .rounded()
            .par_iter()
            .with_min_len(8192)
            .map(there)
    };
    (!placement.is_identity()).then(|| moved().par_gather())
}

/// No point was moved by more when it was rounded: half a step on each axis.
fn rounding(moved: &[Vec3]) -> f64 {
    let largest = moved.iter().fold(Vec3::ZERO, |all, p| all.max(p.abs()));
    f64::from(largest.max_element() * f32::EPSILON + f32::MIN_POSITIVE)
}

/// Bounds of the distance by the hulls, and what rounding the second one can have changed.
struct Margin {
    lower: f64,
    upper: f64,
}

impl Margin {
    fn new(hulls: &HullBounds, rounding: f64) -> Self {
        Self {
            lower: hulls.lower * (1.0 - 1e-12) - 2.0 * rounding,
            // The two support vertices are surface points, so some pair is as near.
            upper: hulls.upper + rounding,
        }
    }
}

/// A triangle of each surface that carries all vertices of its support simplex: then the hulls' closest points are
/// surface points and the hull distance is exact (section 4.3).
fn on_surfaces(a: Surface, b: Surface, bounds: &HullBounds) -> Option<[u32; 2]> {
    let carrier = |surface: Surface, side: usize| -> Option<u32> {
        let support = bounds.simplices[side].vertices();
        if support.len() > 3 {
            return None;
        }
        // By position: split vertices are different in number only.
        let support: Vec<_> = support
            .iter()
            .map(|&v| surface.positions.rounded()[v as usize])
            .collect();
        let carries = |t: &[u32; 3]| {
            let corners = t.map(|v| surface.positions.rounded()[v as usize]);
            support.iter().all(|p| corners.contains(p))
        };
        let chunk = 4096;
        surface
            .triangles
            .par_chunks(chunk)
            .enumerate()
            .find_map_first(|(k, run)| run.iter().position(carries).map(|i| (k * chunk + i) as u32))
    };
    Some([carrier(a, 0)?, carrier(b, 1)?])
}

/// Offers every triangle pair that can be nearer than the best one known.
fn search(
    [a, b]: [Surface; 2],
    placement: &Placement,
    hulls: &HullBounds,
    margin: &Margin,
    best: &mut Best,
) {
    let frame = Frame::new(hulls);
    let mut region = SearchRegion::new(margin, best.limit());
    let mut hashed = frame.near_margin(a, &Placement::default(), 1.0, &region);
    let mut asked = frame.near_margin(b, placement, -1.0, &region);
    // The nearest to the margin first: they lower the bound soonest.
    asked.sort_unstable_by(|p, q| {
        p.depth
            .total_cmp(&q.depth)
            .then(p.triangle.cmp(&q.triangle))
    });
    let mut grid = HashGrid::new(&mut hashed, &region);
    for query in &asked {
        interrupt::check();
        if query.depth > region.depth {
            break;
        }
        grid.candidates(&hashed, query, region.radius, |slab| {
            if region.admits(slab, query) && best.offer(slab.triangle, query.triangle) {
                region = SearchRegion::new(margin, best.limit());
            }
        });
        // Section 5.1: a better bound makes smaller cells and fewer triangles.
        if grid.cell > 2.0 * grid.floor.max(region.radius) {
            hashed.retain(|slab| slab.depth <= region.depth);
            grid = HashGrid::new(&mut hashed, &region);
        }
    }
}

/// What the bounds leave to be searched.
struct SearchRegion {
    lower: f64,
    squared: f64,
    /// Farthest depth behind a margin.
    depth: f64,
    /// Farthest offset in x and y.
    radius: f64,
}

impl SearchRegion {
    fn new(margin: &Margin, limit: f64) -> Self {
        // A little more keeps the nearest pair inside.
        let upper = limit.min(margin.upper) * (1.0 + 1e-12);
        let lower = margin.lower;
        let radius = ((upper - lower) * (upper + lower)).max(0.0).sqrt();
        Self {
            lower,
            squared: upper * upper,
            depth: upper - lower,
            radius,
        }
    }

    fn admits(&self, p: &Slab, q: &Slab) -> bool {
        let height = self.lower + p.depth + q.depth;
        let gap = (p.min - q.max).max(q.min - p.max).max(DVec2::ZERO);
        height * height + gap.length_squared() <= self.squared
    }
}

/// A triangle in the margin's frame: its box in x and y, and how far it is behind its own margin.
struct Slab {
    triangle: u32,
    depth: f64,
    min: DVec2,
    max: DVec2,
    edge: f64,
    cells: [[i64; 2]; 2],
}

struct Frame {
    x: DVec3,
    y: DVec3,
    z: DVec3,
    middle: f64,
}

impl Frame {
    fn new(bounds: &HullBounds) -> Self {
        let (x, y) = bounds.axis.any_orthonormal_pair();
        Self {
            x,
            y,
            z: bounds.axis,
            middle: bounds.middle,
        }
    }

    /// The triangles near the margin; `side` is 1 for the surface above it and -1 for the one below.
    fn near_margin(
        &self,
        surface: Surface,
        placement: &Placement,
        side: f64,
        region: &SearchRegion,
    ) -> Vec<Slab> {
        let heights: Vec<f64> = surface
            .positions
            .rounded()
            .par_iter()
            .with_min_len(8192)
            .map(|p| {
                let height = self.z.dot(placement.point(p.as_dvec3())) - self.middle;
                side * height - 0.5 * region.lower
            })
            .par_gather();
        let slab = |t: usize| {
            let indices = surface.triangles[t];
            let depth = indices
                .map(|v| heights[v as usize])
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            (depth <= region.depth)
                .then(|| self.slab(t as u32, placement.corners(&surface, t as u32), depth))
        };
        (0..surface.triangles.len())
            .into_par_iter()
            .with_min_len(8192)
            .map(slab)
            .par_gather()
            .into_iter()
            .flatten()
            .gather()
    }

    fn slab(&self, triangle: u32, corners: [DVec3; 3], depth: f64) -> Slab {
        let flat = corners.map(|p| DVec2::new(self.x.dot(p), self.y.dot(p)));
        // Projections are off by a few roundings of the coordinates.
        let slack = DVec2::splat(8.0 * f64::EPSILON * magnitude(corners));
        let edge = (0..3)
            .map(|k| corners[k].distance(corners[(k + 1) % 3]))
            .sum::<f64>()
            / 3.0;
        Slab {
            triangle,
            depth: depth.max(0.0),
            min: flat[0].min(flat[1]).min(flat[2]) - slack,
            max: flat[0].max(flat[1]).max(flat[2]) + slack,
            edge,
            cells: [[0; 2]; 2],
        }
    }
}

/// Slabs by hashed cell; a bucket is a run of `entries`.
struct HashGrid {
    cell: f64,
    /// Cells are not made smaller than the average edge (section 5.1).
    floor: f64,
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl HashGrid {
    fn new(slabs: &mut [Slab], region: &SearchRegion) -> Self {
        let floor = (slabs.iter().map(|s| s.edge).sum::<f64>() / slabs.len().max(1) as f64)
            .max(f64::MIN_POSITIVE);
        let mut cell = region.radius.max(floor);
        // Few entries a triangle on average, whatever the mix of sizes.
        let budget = 8 * slabs.len() as u64 + 1024;
        while slabs
            .iter()
            .map(|s| cells_in(cells_of(cell, s.min, s.max)))
            .fold(0, u64::saturating_add)
            > budget
        {
            cell *= 2.0;
        }
        let buckets = (2 * slabs.len()).next_power_of_two().max(16);
        let mut counts = memory::filled(0u32, buckets + 1);
        for slab in slabs.iter_mut() {
            slab.cells = cells_of(cell, slab.min, slab.max);
            for_each_cell(slab.cells, |c| counts[bucket(c, buckets) + 1] += 1);
        }
        for k in 0..buckets {
            counts[k + 1] += counts[k];
        }
        let mut entries = memory::filled(0, counts[buckets] as usize);
        let mut next = memory::copied(&counts);
        for (k, slab) in slabs.iter().enumerate() {
            for_each_cell(slab.cells, |c| {
                let at = &mut next[bucket(c, buckets)];
                entries[*at as usize] = k as u32;
                *at += 1;
            });
        }
        Self {
            cell,
            floor,
            starts: counts,
            entries,
        }
    }

    /// Each slab that shares a cell with the query grown by `radius`; hash collisions may repeat one.
    fn candidates(&self, slabs: &[Slab], query: &Slab, radius: f64, mut visit: impl FnMut(&Slab)) {
        let grown = DVec2::splat(radius * (1.0 + 1e-12));
        let range = cells_of(self.cell, query.min - grown, query.max + grown);
        if cells_in(range) > slabs.len() as u64 {
            slabs.iter().for_each(visit);
            return;
        }
        let buckets = self.starts.len() - 1;
        for_each_cell(range, |cell| {
            let k = bucket(cell, buckets);
            for &entry in &self.entries[self.starts[k] as usize..self.starts[k + 1] as usize] {
                let slab = &slabs[entry as usize];
                // Many cells may be shared: the first of them is where the pair counts.
                let first = [0, 1].map(|d| slab.cells[0][d].max(range[0][d]));
                if first == cell {
                    visit(slab);
                }
            }
        });
    }
}

/// Lowest and highest cell of a box. Clamping is monotone, so boxes that meet still share a cell.
fn cells_of(cell: f64, min: DVec2, max: DVec2) -> [[i64; 2]; 2] {
    let limit = (1u64 << 30) as f64;
    [min, max].map(|p| [p.x, p.y].map(|x| (x / cell).floor().clamp(-limit, limit) as i64))
}

fn cells_in([low, high]: [[i64; 2]; 2]) -> u64 {
    ((high[0] - low[0] + 1) as u64).saturating_mul((high[1] - low[1] + 1) as u64)
}

fn for_each_cell([low, high]: [[i64; 2]; 2], mut visit: impl FnMut([i64; 2])) {
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            visit([x, y]);
        }
    }
}

/// The hash of Teschner et al. 2003, in two dimensions.
fn bucket([x, y]: [i64; 2], buckets: usize) -> usize {
    (x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663)) as usize & (buckets - 1)
}
