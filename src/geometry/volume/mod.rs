//! The volume that two closed bodies share, from their own triangles, without building the intersection.
//!
//! The boundary of what they share is the part of each surface that the other body encloses. Within a face that part is bounded by segments
//! where faces of the other body cross it and by stretches of the face's own edges (after W. R. Franklin, who computes such properties
//! from local pieces). Every integral over it is a sum over triangles from the face's first corner to these segments and
//! stretches, counted with signs, so nothing has to be sorted or joined up. What crosses what is decided exactly and without
//! ties (`triangle::perturbed`); only the places of crossings are rounded.
//!
//! Bodies that overlap themselves count as often as they enclose a place: the volume is the integral of the product of both winding numbers.

mod chain;
mod levels;
mod regions;
#[cfg(test)]
mod tests;

pub use chain::ChainSums;
pub use regions::IntersectionRegion;

use crate::geometry::bounded::TooMany;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::pairs::intersecting_pairs;
use crate::geometry::surface::Surface;
use crate::geometry::topology::weld;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::perturbed::{Owner, crossing_between, side};
use crate::geometry::triangle::predicates::normal_of;
use crate::memory::{self, Gather};
use chain::BoundaryCorner;
use glam::DVec3;
use levels::{Changes, Levels};
use rayon::prelude::*;

/// What two bodies share. Positions are from `origin`.
#[derive(Clone, Debug)]
pub struct SharedVolume {
    /// What positions are relative to, in the frame of the first body.
    pub origin: DVec3,
    /// Over the parts of the first and of the second surface inside the other body; together they are the boundary.
    pub sums: [ChainSums; 2],
    /// Areas of those parts.
    pub areas: [f64; 2],
    /// The length of the curve where the surfaces cross.
    pub curve_length: f64,
    /// Pairs of triangles that cross.
    pub crossings: u64,
    /// Edges of the first and of the second body along which inside and outside do not agree: the other body is not closed.
    pub disagreeing: [u64; 2],
    /// Additions in a row, at most.
    additions: f64,
}

impl SharedVolume {
    /// The volume, and how far the exact one can be from it.
    pub fn volume(&self) -> (f64, f64) {
        let [a, b] = &self.sums;
        let size = a.volume_size + b.volume_size;
        let adding = self.additions * f64::EPSILON * size;
        (
            a.volume + b.volume,
            a.volume_error + b.volume_error + adding,
        )
    }
}

/// What is added up by one thread, so that the order of additions does not depend on their number.
const PORTION: usize = 512;

/// A body with its vertices in the frame of the first one, equal ones counted as the same.
struct WeldedBody {
    owner: Owner,
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    bounds: (DVec3, DVec3),
}

impl WeldedBody {
    fn new(owner: Owner, surface: Surface, placement: &Placement) -> Self {
        let same = weld::by_position(surface.positions);
        let points: Vec<DVec3> = (surface.positions.iter())
            .map(|p| placement.point(p.as_dvec3()))
            .gather();
        let triangles: Vec<[u32; 3]> = (surface.triangles.iter())
            .map(|corners| corners.map(|v| same[v as usize]))
            .gather();
        let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let bounds = (triangles.as_flattened().iter()).fold(empty, |(low, high), v| {
            let p = points[*v as usize];
            (low.min(p), high.max(p))
        });
        Self {
            owner,
            points,
            triangles,
            bounds,
        }
    }

    /// The edge from a corner of a triangle to the next: its lower and its upper vertex.
    fn side_of(&self, triangle: u32, k: usize) -> [u32; 2] {
        let corners = self.triangles[triangle as usize];
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        [from.min(to), from.max(to)]
    }

    fn corners(&self, triangle: u32) -> Triangle {
        self.triangles[triangle as usize].map(|v| self.points[v as usize])
    }
}

/// How the surfaces of two bodies cross, and which vertices of each the other encloses: all integrals follow from it.
pub struct Intersection {
    /// What positions are relative to, in the frame of the first body: the middle of where both boxes are.
    origin: DVec3,
    sides: [WeldedBody; 2],
    crossed: Vec<CrossedPair>,
    levels: [Levels; 2],
}

impl Intersection {
    /// Of two bodies that should be closed; `placement` puts the second in the frame of the first.
    pub fn of(a: FittedSurface, b: FittedSurface, placement: &Placement) -> Result<Self, TooMany> {
        let pairs = intersecting_pairs(a, b, placement, usize::MAX)?;
        let sides = [
            WeldedBody::new(Owner::First, a.surface, &Placement::default()),
            WeldedBody::new(Owner::Second, b.surface, placement),
        ];
        let low = sides[0].bounds.0.max(sides[1].bounds.0);
        let high = sides[0].bounds.1.min(sides[1].bounds.1);
        let middle = 0.5 * (low + high);
        let crossed: Vec<CrossedPair> = (pairs.par_iter())
            .with_min_len(PORTION)
            .filter_map(|pair| CrossedPair::of(&sides, *pair))
            .collect();
        let changes = [0, 1].map(|own| changes(&sides[own], &crossed, own));
        let levels = [0, 1].map(|own| Levels::new(&sides[own], &sides[1 - own], &changes[own]));
        Ok(Self {
            origin: if middle.is_finite() {
                middle
            } else {
                DVec3::ZERO
            },
            sides,
            crossed,
            levels,
        })
    }

    /// What positions of its sums are relative to, in the frame of the first body.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// What is added up.
    fn items(&self) -> usize {
        let [a, b] = [0, 1].map(|own| self.sides[own].triangles.len());
        self.crossed.len() + a + b
    }

    /// What the bodies share.
    pub fn shared_volume(&self) -> SharedVolume {
        let mut shared = SharedVolume {
            origin: self.origin,
            sums: Default::default(),
            areas: [0.0; 2],
            curve_length: 0.0,
            crossings: self.crossed.len() as u64,
            disagreeing: [0, 1].map(|own| self.levels[own].disagreeing),
            additions: (2 * PORTION + 8 + self.items() / PORTION) as f64,
        };
        for part in in_order(&self.crossed, |part: &mut CrossedSums, crossed| {
            crossed.add_to(part, &self.sides, self.origin)
        }) {
            for own in 0..2 {
                shared.sums[own] += part.sums[own];
                shared.areas[own] += part.areas[own];
            }
            shared.curve_length += part.curve_length;
        }
        for own in 0..2 {
            for (sums, area) in self.uncut_sums(own) {
                shared.sums[own] += sums;
                shared.areas[own] += area;
            }
        }
        shared
    }

    /// Over whole faces, as often as their second corner is enclosed. What is too much or too little of faces that are crossed, their
    /// crossings mend.
    fn uncut_sums(&self, own: usize) -> Vec<(ChainSums, f64)> {
        let (side, levels) = (&self.sides[own], &self.levels[own].of_vertices);
        in_order(&side.triangles, |part: &mut (ChainSums, f64), corners| {
            let level = f64::from(levels[corners[1] as usize]);
            if level != 0.0 {
                let corners = corners.map(|v| side.points[v as usize]);
                part.0.add(
                    level,
                    corners.map(|p| BoundaryCorner::vertex(p, self.origin)),
                );
                part.1 += level * area(&corners);
            }
        })
    }
}

/// Adds up items in portions on all threads; the sums of the portions in their order.
fn in_order<T: Sync, S: Default + Send>(
    items: &[T],
    add: impl Fn(&mut S, &T) + Sync + Send,
) -> Vec<S> {
    (items.par_chunks(PORTION))
        .map(|portion| {
            let mut sum = S::default();
            portion.iter().for_each(|item| add(&mut sum, item));
            sum
        })
        .collect()
}

fn area([a, b, c]: &Triangle) -> f64 {
    0.5 * normal_of(b - a, c - a).length()
}

/// Where an edge of one body crosses a face of the other.
#[derive(Clone, Copy)]
struct Piercing {
    /// The side of its own triangle that the edge is: from this corner to the next.
    side: u8,
    /// How the winding number of the other body changes from that corner to the next: 1 or -1.
    change: i8,
    at: BoundaryCorner,
}

/// Two triangles that cross.
struct CrossedPair {
    triangles: [u32; 2],
    /// Where the sides of each cross the other: two in all.
    piercings: [[Option<Piercing>; 2]; 2],
}

#[derive(Default)]
struct CrossedSums {
    sums: [ChainSums; 2],
    areas: [f64; 2],
    curve_length: f64,
}

impl CrossedPair {
    /// None when the triangles do not cross, though they may touch.
    fn of(sides: &[WeldedBody; 2], triangles: [u32; 2]) -> Option<Self> {
        let corners = [0, 1].map(|i| sides[i].corners(triangles[i]));
        let mut piercings = [[None; 2]; 2];
        let mut count = 0;
        for own in 0..2 {
            let (owner, other) = (sides[own].owner, &corners[1 - own]);
            let above = corners[own].map(|p| side(owner, p, other));
            let mut found = 0;
            for k in 0..3 {
                let next = (k + 1) % 3;
                let ends = [corners[own][k], corners[own][next]];
                let change = crossing_between(owner, ends, [above[k], above[next]], other);
                if change != 0 && found < 2 {
                    piercings[own][found] = Some(Piercing {
                        side: k as u8,
                        change: change as i8,
                        at: place(&sides[own], triangles[own], k, other),
                    });
                    found += 1;
                }
            }
            count += found;
        }
        (count == 2).then_some(Self {
            triangles,
            piercings,
        })
    }

    /// The segment that the triangles share, with the second body on its left in the first one's triangle.
    ///
    /// With normals n and m it runs along n x m. Where an edge u of the first triangle leaves the second body, m . u > 0, the segment comes in over
    /// that edge, since n x u points inwards and (n x m) . (n x u) = |n|^2 m . u. With an edge of the second triangle it is the other
    /// way round.
    fn segment(&self) -> Option<[BoundaryCorner; 2]> {
        let (mut start, mut end) = (None, None);
        for (own, piercings) in self.piercings.iter().enumerate() {
            for piercing in piercings.iter().flatten() {
                let leaves = piercing.change < 0;
                if leaves == (own == 0) {
                    start = Some(piercing.at);
                } else {
                    end = Some(piercing.at);
                }
            }
        }
        Some([start?, end?])
    }

    fn add_to(&self, part: &mut CrossedSums, sides: &[WeldedBody; 2], origin: DVec3) {
        let Some([start, end]) = self.segment() else {
            return;
        };
        part.curve_length += start.at.distance(end.at);
        let [start, end] = [start, end].map(|corner| corner.seen_from(origin));
        for (own, side) in sides.iter().enumerate() {
            let corners = side.corners(self.triangles[own]);
            let unit =
                normal_of(corners[1] - corners[0], corners[2] - corners[0]).normalize_or_zero();
            let vertex = |k: usize| BoundaryCorner::vertex(corners[k], origin);
            let before = part.sums[own].area_vector;
            let segment = if own == 0 { [start, end] } else { [end, start] };
            part.sums[own].add(1.0, [vertex(0), segment[0], segment[1]]);
            for piercing in self.piercings[own].iter().flatten() {
                // Only the side opposite to the first corner makes a triangle with it.
                if piercing.side == 1 {
                    let change = f64::from(piercing.change);
                    part.sums[own].add(
                        change,
                        [vertex(0), piercing.at.seen_from(origin), vertex(2)],
                    );
                }
            }
            part.areas[own] += unit.dot(part.sums[own].area_vector - before);
        }
    }
}

/// Where a side of a triangle crosses a triangle of the other body: the same numbers for both triangles that have the side.
fn place(own: &WeldedBody, triangle: u32, k: usize, [a, b, c]: &Triangle) -> BoundaryCorner {
    let [p, q] = own.side_of(triangle, k).map(|v| own.points[v as usize]);
    let (u, v) = (b - a, c - a);
    let normal = normal_of(u, v);
    let [low, high] = [p, q].map(|end| normal.dot(end - a));
    let largest = |v: DVec3| v.abs().max_element();
    // As in `general_position`, Shewchuk's bound in largest components.
    let reach = largest(p - a).max(largest(q - a));
    let error = 24.0 * f64::EPSILON * largest(u) * largest(v) * reach + 1e-300;
    let length = p.distance(q);
    let gap = (low - high).abs();
    let (part, part_error) = if gap > 2.0 * error {
        (low / (low - high), 2.0 * error / (gap - 2.0 * error))
    } else {
        (0.5, 1.0)
    };
    let at = p.lerp(q, part.clamp(0.0, 1.0));
    BoundaryCorner {
        at,
        error: length * (part_error + 4.0 * f64::EPSILON).min(1.0)
            + 4.0 * f64::EPSILON * largest(p).max(largest(q)),
    }
}

/// How winding numbers change along the edges of a body that are crossed.
fn changes(side: &WeldedBody, crossed: &[CrossedPair], own: usize) -> Changes {
    let mut events: Vec<([u32; 2], u32, i32)> = Vec::new();
    for pair in crossed {
        let corners = side.triangles[pair.triangles[own] as usize];
        for piercing in pair.piercings[own].iter().flatten() {
            let k = usize::from(piercing.side);
            let edge = side.side_of(pair.triangles[own], k);
            let change = i32::from(piercing.change);
            let up = if edge[0] == corners[k] {
                change
            } else {
                -change
            };
            memory::add(&mut events, (edge, pair.triangles[1 - own], up));
        }
    }
    // Triangles on both sides of an edge tell the same.
    events.sort_unstable();
    events.dedup();
    let mut changes = Changes::new();
    for (edge, _, up) in events {
        *changes.entry(edge).or_default() += up;
    }
    changes
}
