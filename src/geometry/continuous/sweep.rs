//! The first contact of two surfaces, or of one with itself, while every vertex moves on a straight line.
//!
//! Vertices against faces and edges against edges (Teschner et al., section 2.5). No hit is a proof that nothing
//! touches; a hit is never later than the true first contact, and at its time the features are within the tolerance.
//! Each vertex and edge is tested from one of its triangles only (representative triangles, Curtis et al. 2008).

use super::advance::{MovingHull, always_apart, first_contact};
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::{Bvh, Child, Node};
use crate::geometry::hierarchy::dual::{Visitor, split, walk};
use crate::geometry::hierarchy::leaf::LeafBoxes;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::round_up;
use crate::geometry::self_collision::{NODES, sibling_pairs};
use crate::geometry::simd::WIDTH;
use crate::geometry::surface::Surface;
use crate::geometry::topology::representatives::Representatives;
use crate::geometry::triangle::intersection::triangles_intersect;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A surface on its way.
#[derive(Clone, Copy)]
pub struct Moving<'a> {
    /// Where it is at time 0.
    pub from: Surface<'a>,
    /// Its positions at time 1, as many as at time 0.
    pub to: &'a [Vec3],
    /// Hierarchy over its triangles; fitted to any positions, a copy is refitted.
    pub bvh: &'a Bvh,
    /// Of its triangles.
    pub representatives: &'a Representatives,
}

impl Moving<'_> {
    fn hull(&self, triangle: u32) -> MovingHull {
        let end = Surface {
            positions: self.to,
            triangles: self.from.triangles,
        };
        MovingHull::new(self.from.corners_f64(triangle), end.corners_f64(triangle))
    }

    /// Positions at a time, less a common drift; off by at most 8 roundings of the largest coordinate.
    fn positions(&self, time: f64, drift: Vec3) -> Vec<Vec3> {
        let time = time as f32;
        let at = |(&p, &q): (&Vec3, &Vec3)| p + (q - p - drift) * time;
        self.from
            .positions
            .par_iter()
            .zip(self.to)
            .with_min_len(8192)
            .map(at)
            .collect()
    }

    /// Largest coordinate on the way, by magnitude.
    fn magnitude(&self) -> f32 {
        let largest = |points: &[Vec3]| {
            points
                .iter()
                .fold(Vec3::ZERO, |r, p| r.max(p.abs()))
                .max_element()
        };
        largest(self.from.positions).max(largest(self.to))
    }

    /// The mean displacement of all vertices.
    fn drift(&self) -> DVec3 {
        let sum: DVec3 = self
            .from
            .positions
            .iter()
            .zip(self.to)
            .map(|(&p, &q)| q.as_dvec3() - p.as_dvec3())
            .sum();
        sum / self.to.len().max(1) as f64
    }

    /// The longest displacement of a vertex, less a common drift.
    fn longest_displacement(&self, drift: Vec3) -> f64 {
        let ways = self.from.positions.iter().zip(self.to);
        let longest = ways.fold(0.0, |r: f32, (&p, &q)| {
            r.max((q - p - drift).abs().max_element())
        });
        longest.into()
    }

    /// The mean size of a triangle's box.
    fn triangle_size(&self) -> f64 {
        let count = self.from.triangles.len() as u32;
        let size: f64 = (0..count)
            .map(|t| f64::from(self.from.triangle_box(t).size().max_element()))
            .sum();
        size / f64::from(count.max(1))
    }
}

/// One slice of time of a surface: its boxes, and its hierarchy fitted to them.
struct Slice {
    boxes: Vec<Aabb>,
    bvh: Bvh,
    end: Vec<Vec3>,
}

impl Slice {
    fn new(moving: &Moving, drift: Vec3) -> Self {
        Self {
            boxes: Vec::new(),
            bvh: moving.bvh.clone(),
            end: moving.positions(0.0, drift),
        }
    }

    /// Goes on to the slice that begins where this one ended.
    fn advance(&mut self, moving: &Moving, to: f64, drift: Vec3) {
        let start = std::mem::replace(&mut self.end, moving.positions(to, drift));
        let triangles = moving.from.triangles;
        let (start, end) = (
            Surface {
                positions: &start,
                triangles,
            },
            Surface {
                positions: &self.end,
                triangles,
            },
        );
        let swept = |t| start.triangle_box(t).union(end.triangle_box(t));
        self.boxes = (0..triangles.len() as u32)
            .into_par_iter()
            .with_min_len(4096)
            .map(swept)
            .collect();
        self.bvh.refit(&self.boxes);
    }
}

/// What meets. Vertices by index, edges by their vertices, faces by triangle; the first surface's always first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Features {
    /// Two triangles that intersect already at time 0.
    Start([u32; 2]),
    /// A vertex of the first and a face of the second.
    VertexFace(u32, u32),
    /// A face of the first and a vertex of the second.
    FaceVertex(u32, u32),
    /// An edge of each.
    EdgeEdge([u32; 2], [u32; 2]),
}

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Between 0 and 1; not after the surfaces first touch.
    pub time: f64,
    /// What meets.
    pub features: Features,
    /// The closest point on each feature at that time.
    pub points: [DVec3; 2],
}

impl Impact {
    /// The earlier one; the lower features when both are at the same time.
    fn sooner(self, other: Self) -> Self {
        let key = |i: &Self| (i.time.to_bits(), i.features);
        if key(&other) < key(&self) {
            other
        } else {
            self
        }
    }
}

/// Triangle sizes that a vertex may move in a slice: more slices cost refits, fewer cost overlaps.
const STRIDE: f64 = 4.0;

/// Most slices of a sweep.
const SLICES: f64 = 64.0;

/// First impact of two moving surfaces; None is a proof that they do not touch between time 0 and 1.
///
/// Time is cut into slices, so that boxes stay small and a contact ends the search before later slices.
pub fn sweep(a: Moving, b: Moving, tolerance: f64) -> Option<Impact> {
    let drift = (0.5 * (a.drift() + b.drift())).as_vec3();
    let (mut slice_a, mut slice_b) = (Slice::new(&a, drift), Slice::new(&b, drift));
    let still = Placement::default();
    search_slices(slices(&[a, b], drift), |from, to| {
        slice_a.advance(&a, to, drift);
        slice_b.advance(&b, to, drift);
        let search = Interval::new(
            [&a, &b],
            [&slice_a.boxes, &slice_b.boxes],
            false,
            tolerance,
            drift,
            [from, to],
        );
        split(
            &slice_a.bvh,
            &slice_b.bvh,
            &still,
            search.limit_squared,
            256,
        )
        .par_chunks(8)
        .map(|parts| {
            let mut found = ImpactSearch {
                interval: &search,
                first: None,
            };
            walk(&slice_a.bvh, &slice_b.bvh, &still, parts, &mut found);
            found.first
        })
        .reduce(|| None, merge)
    })
}

/// First impact of a moving surface with itself, between features that have no vertex in common.
pub fn sweep_self(a: Moving, tolerance: f64) -> Option<Impact> {
    let drift = a.drift().as_vec3();
    let mut slice = Slice::new(&a, drift);
    search_slices(slices(&[a], drift), |from, to| {
        slice.advance(&a, to, drift);
        let search = Interval::new(
            [&a, &a],
            [&slice.boxes, &slice.boxes],
            true,
            tolerance,
            drift,
            [from, to],
        );
        let nodes = slice.bvh.nodes();
        nodes
            .par_chunks(NODES)
            .enumerate()
            .map(|(chunk, run)| {
                let mut found = ImpactSearch {
                    interval: &search,
                    first: None,
                };
                let mut starts = Vec::new();
                for (k, node) in run.iter().enumerate() {
                    let index = (chunk * NODES + k) as u32;
                    sibling_pairs(node, index, search.limit_squared, &mut starts);
                    found.inside_leaves(&slice.bvh, node);
                }
                walk(
                    &slice.bvh,
                    &slice.bvh,
                    &Placement::default(),
                    &starts,
                    &mut found,
                );
                found.first
            })
            .reduce(|| None, merge)
    })
}

/// How many slices of time keep the boxes small. Steps finer than the larger triangles separate nothing more, so the fine mesh does not
/// count: a ball on its way through triangles a million times its size takes one slice.
fn slices(surfaces: &[Moving], drift: Vec3) -> usize {
    let most = |of: &dyn Fn(&Moving) -> f64| surfaces.iter().map(of).fold(0.0, f64::max);
    let (path, size) = (
        most(&|s| s.longest_displacement(drift)),
        most(&|s| s.triangle_size()),
    );
    (path / size.max(f64::MIN_POSITIVE) / STRIDE)
        .ceil()
        .clamp(1.0, SLICES) as usize
}

/// Searches slice after slice until one has an impact.
fn search_slices(
    count: usize,
    mut search: impl FnMut(f64, f64) -> Option<Impact>,
) -> Option<Impact> {
    (0..count).find_map(|k| search(k as f64 / count as f64, (k + 1) as f64 / count as f64))
}

fn merge(a: Option<Impact>, b: Option<Impact>) -> Option<Impact> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.sooner(b)),
        (a, b) => a.or(b),
    }
}

/// What the threads that search one slice share.
struct Interval<'a> {
    a: &'a Moving<'a>,
    b: &'a Moving<'a>,
    boxes_a: &'a [Aabb],
    boxes_b: &'a [Aabb],
    /// Both are the same surface.
    itself: bool,
    tolerance: f64,
    /// How far apart boxes may be that hold features within the tolerance, and its square.
    margin: f32,
    limit_squared: f32,
    from: f64,
    to: f64,
    /// Bits of the earliest time found by any thread: later contacts are not pursued, so the answer stays the same.
    soonest: AtomicU64,
}

impl<'a> Interval<'a> {
    fn new(
        [a, b]: [&'a Moving<'a>; 2],
        [boxes_a, boxes_b]: [&'a [Aabb]; 2],
        itself: bool,
        tolerance: f64,
        drift: Vec3,
        [from, to]: [f64; 2],
    ) -> Self {
        let rounding =
            32.0 * f32::EPSILON * (a.magnitude().max(b.magnitude()) + drift.abs().max_element());
        // The search itself does not resolve less than its own rounding.
        let margin = round_up(tolerance.max(0.0) * 1.001) + rounding;
        let limit_squared = round_up(
            f64::from(margin) * f64::from(margin) * (1.0 + 2e-6) + f64::from(f32::MIN_POSITIVE),
        );
        let soonest = AtomicU64::new(to.to_bits());
        Self {
            a,
            b,
            boxes_a,
            boxes_b,
            itself,
            tolerance,
            margin,
            limit_squared,
            from,
            to,
            soonest,
        }
    }

    fn limit(&self) -> f64 {
        // Contacts at the same time must be seen, so that the lowest features win.
        f64::from_bits(self.soonest.load(Ordering::Relaxed)).next_up()
    }
}

struct ImpactSearch<'a> {
    interval: &'a Interval<'a>,
    first: Option<Impact>,
}

impl ImpactSearch<'_> {
    fn offer(&mut self, time: f64, features: Features, points: [DVec3; 2]) {
        self.interval
            .soonest
            .fetch_min(time.to_bits(), Ordering::Relaxed);
        self.first = merge(
            self.first,
            Some(Impact {
                time,
                features,
                points,
            }),
        );
    }

    fn inside_leaves(&mut self, bvh: &Bvh, node: &Node) {
        for slot in 0..WIDTH {
            if let Child::Leaf(start, count) = node.child(slot) {
                let items = bvh.leaf(start, count);
                for (k, &i) in items.iter().enumerate() {
                    items[k + 1..].iter().for_each(|&j| self.test(i, j));
                }
            }
        }
    }

    fn test(&mut self, i: u32, j: u32) {
        let Interval {
            a,
            b,
            itself,
            tolerance,
            from,
            to,
            ..
        } = *self.interval;
        let (corners_a, corners_b) = (a.from.triangles[i as usize], b.from.triangles[j as usize]);
        let (hull_a, hull_b) = (a.hull(i), b.hull(j));
        if !(itself && corners_a.iter().any(|v| corners_b.contains(v))) {
            if always_apart(&hull_a, &hull_b, tolerance, from, to) {
                return;
            }
            if from == 0.0 && triangles_intersect(&hull_a.start, &hull_b.start) {
                self.offer(
                    0.0,
                    Features::Start([i, j]),
                    [hull_a.start[0], hull_b.start[0]],
                );
                return;
            }
        }
        for k in a.representatives.corners(i) {
            if !(itself && corners_b.contains(&corners_a[k])) {
                self.contact(
                    &hull_a.corner(k),
                    &hull_b,
                    Features::VertexFace(corners_a[k], j),
                );
            }
        }
        for k in b.representatives.corners(j) {
            if !(itself && corners_a.contains(&corners_b[k])) {
                self.contact(
                    &hull_a,
                    &hull_b.corner(k),
                    Features::FaceVertex(i, corners_b[k]),
                );
            }
        }
        for k in a.representatives.sides(i) {
            let edge_a = [corners_a[k], corners_a[(k + 1) % 3]];
            for m in b.representatives.sides(j) {
                let edge_b = [corners_b[m], corners_b[(m + 1) % 3]];
                if !(itself && edge_a.iter().any(|v| edge_b.contains(v))) {
                    self.contact(
                        &hull_a.edge(k),
                        &hull_b.edge(m),
                        Features::EdgeEdge(edge_a, edge_b),
                    );
                }
            }
        }
    }

    fn contact(&mut self, a: &MovingHull, b: &MovingHull, features: Features) {
        let Interval {
            tolerance,
            from,
            to,
            ..
        } = *self.interval;
        if let Some((time, closest)) = first_contact(a, b, tolerance, from, self.interval.limit())
            && time <= to
        {
            self.offer(time, features, [closest.a, closest.b]);
        }
    }
}

impl Visitor for ImpactSearch<'_> {
    const NEAREST_FIRST: bool = false;

    fn limit_squared(&self) -> f32 {
        self.interval.limit_squared
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) {
        let Interval {
            boxes_a,
            boxes_b,
            margin,
            ..
        } = *self.interval;
        let lanes = LeafBoxes::of(b.iter().map(|&j| boxes_b[j as usize]));
        for &i in a {
            let mut near = lanes.overlapping(boxes_a[i as usize].expanded(margin));
            while near != 0 {
                self.test(i, b[near.trailing_zeros() as usize]);
                near &= near - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
