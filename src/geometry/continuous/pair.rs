//! When two moving features meet: a vertex and a face, or two edges, each corner on a straight line.
//!
//! Conservative advancement, in the spirit of additive CCD (Li et al. 2021): the features cannot meet while a fixed
//! direction separates them. Corners move linearly, so the gap along a direction is the least of a few linear functions
//! of time, and when it closes is known in closed form. Each step goes that far; nothing is skipped, so arriving at the
//! end of the interval is a proof. Near a contact the steps shrink as those of Newton's method do.
//!
//! Everything is relative to the first corner, its motion included, where the distance from the origin costs nothing: the difference of two
//! doubles is off by one rounding of itself. What doubles cannot resolve is done again with twice their digits.

// A comparison with NaN proves nothing: what is not known to be greater counts as not greater.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod separation;

use super::closest::{Closest, Span};
use super::real::{DoubleDouble, Real};
use super::vector::{Vector, dot, minus};
use glam::DVec3;
use separation::KeptGap;

/// Which features a pair is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureKind {
    /// The first corner against the face of the other three.
    VertexFace,
    /// The edge of the first two corners against that of the last two.
    EdgeEdge,
}

/// Four corners on their ways, from `start` at time 0 to `end` at time 1.
#[derive(Clone, Copy, Debug)]
pub struct MovingPair {
    /// What they are corners of.
    pub kind: FeatureKind,
    /// Where they are at time 0.
    pub start: [DVec3; 4],
    /// Where they are at time 1.
    pub end: [DVec3; 4],
}

/// A pair that meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureMeeting {
    /// Not after the features first meet.
    pub time: f64,
    /// Of the nearest points at that time: how much of each corner. Those of each feature add up to 1.
    pub weights: [f64; 4],
    /// Unit direction from the first feature to the second just before they meet.
    pub normal: DVec3,
}

/// The part of the time of a contact that an answer may be early by.
pub const RELATIVE_TOLERANCE: f64 = 1e-3;
/// The part of the step that an answer may be early by.
pub const ABSOLUTE_TOLERANCE: f64 = 1e-6;

/// Steps in doubles. Newton's method needs about five; a contact that is only grazed halves the time to it in each.
const STEPS: usize = 48;
/// Steps with twice the digits.
const FINE_STEPS: usize = 1000;

impl MovingPair {
    /// The first time from `from` to `to` at which the features are `separation` apart or less, not after they first
    /// are. None is a proof that they are not before `limit`, which is at most `to` and changes no other answer.
    #[inline]
    pub fn first_meeting(
        &self,
        separation: f64,
        [from, to]: [f64; 2],
        limit: f64,
    ) -> Option<FeatureMeeting> {
        let ends = [to, limit];
        match RelativePair::<f64>::new(self).advance(separation, from, ends, STEPS) {
            Advance::Apart => None,
            Advance::Meets(meeting) => Some(meeting),
            Advance::Unresolved(time) => {
                let fine = RelativePair::<DoubleDouble>::new(self);
                match fine.advance(separation, time, ends, FINE_STEPS) {
                    Advance::Apart => None,
                    Advance::Meets(meeting) => Some(meeting),
                    Advance::Unresolved(time) => Some(fine.meeting(time.into(), None)),
                }
            }
        }
    }
}

enum Advance {
    /// Proved to the end of the interval.
    Apart,
    /// Together, and the time is known well enough.
    Meets(FeatureMeeting),
    /// Apart until this time; what then comes is too fine for these numbers.
    Unresolved(f64),
}

/// The corners as seen from the first one, which rests at the origin.
struct RelativePair<T> {
    kind: FeatureKind,
    start: [Vector<T>; 3],
    travel: [Vector<T>; 3],
    /// What rounding can do to a gap along a unit direction.
    resolution: f64,
}

impl<T: Real> RelativePair<T> {
    #[inline(always)]
    fn new(pair: &MovingPair) -> Self {
        let of = |p: DVec3| -> Vector<T> { [p.x.into(), p.y.into(), p.z.into()] };
        let (origin, goal) = (of(pair.start[0]), of(pair.end[0]));
        let drift = minus(goal, origin);
        let start = |k: usize| minus(of(pair.start[k]), origin);
        let travel = |k: usize| minus(minus(of(pair.end[k]), of(pair.start[k])), drift);
        // No number on the way to a position is larger.
        let largest = |v: DVec3, w: DVec3| v.max(w.abs());
        let extent = (1..4).fold(DVec3::ZERO, |most, k| {
            largest(most, pair.start[k] - pair.start[0])
        });
        let travelled = (0..4).fold(DVec3::ZERO, |most, k| {
            largest(most, pair.end[k] - pair.start[k])
        });
        let extent = (extent + 2.0 * travelled).max_element();
        // A coordinate is off by 5 roundings of the extent, its share of a dot product by 4 more, and the coordinates of a unit
        // vector add up to 1.74: 16 for each of two heights, 9 for how fast each changes, 8 for differences and the step. A direction
        // that turns has up to three such products: twice that.
        let resolution = 128.0 * T::ROUNDING * extent + f64::MIN_POSITIVE;
        Self {
            kind: pair.kind,
            start: [start(1), start(2), start(3)],
            travel: [travel(1), travel(2), travel(3)],
            resolution,
        }
    }

    #[inline(always)]
    fn at(&self, time: T) -> [Vector<T>; 3] {
        let corner = |k: usize| {
            let (s, w) = (self.start[k], self.travel[k]);
            [s[0] + w[0] * time, s[1] + w[1] * time, s[2] + w[2] * time]
        };
        [corner(0), corner(1), corner(2)]
    }

    #[inline(always)]
    fn closest(&self, corners: &[Vector<T>; 3]) -> Closest<T> {
        match self.kind {
            FeatureKind::VertexFace => Closest::to_triangle(corners),
            FeatureKind::EdgeEdge => Closest::of_edges(corners),
        }
    }

    #[inline(always)]
    fn advance(&self, separation: f64, from: f64, [to, limit]: [f64; 2], steps: usize) -> Advance {
        let keep = KeptGap {
            separation: T::from(separation * (1.0 + 16.0 * f64::EPSILON)),
            resolution: T::from(self.resolution),
        };
        let (end, limit) = (T::from(to), T::from(limit));
        let mut time = T::from(from);
        let mut normal = None;
        for _ in 0..steps {
            let corners = self.at(time);
            let closest = self.closest(&corners);
            let Some(step) = self.longest_step(&corners, &closest, keep, end - time) else {
                // No direction separates them by more than what can be resolved.
                return self.arrived(time, &closest, separation, normal);
            };
            normal = Some(step.direction);
            let next = time + step.duration;
            if next >= end || next > limit {
                return Advance::Apart;
            }
            if !(next > time) {
                return self.arrived(time, &closest, separation, normal);
            }
            time = next;
        }
        Advance::Unresolved(lower(time))
    }

    /// What is known when no step leads on: clearly together, or as near as can be resolved.
    fn arrived(
        &self,
        time: T,
        closest: &Closest<T>,
        separation: f64,
        normal: Option<Vector<T>>,
    ) -> Advance {
        let gap = closest.squared.sqrt().to_f64() - separation;
        if gap < -4.0 * self.resolution || self.is_about_to_meet(time, closest, separation) {
            Advance::Meets(self.meeting(time, normal))
        } else {
            Advance::Unresolved(lower(time))
        }
    }

    /// Whether features that are apart now certainly meet within what an answer may be early by.
    ///
    /// Closer than the separation then, they have met. Otherwise a vertex that is on the other side of the face, or an edge of
    /// the other, has gone through it if it was inside of its borders all the time: how much of each corner the closest points
    /// are changes by no more than the corners move, measured in heights of the triangle.
    #[cold]
    fn is_about_to_meet(&self, time: T, closest: &Closest<T>, separation: f64) -> bool {
        let at = time.to_f64();
        let later = 0.25 * (RELATIVE_TOLERANCE * at).max(ABSOLUTE_TOLERANCE);
        if at <= 0.0 || at + later > 1.0 {
            return false;
        }
        let corners = self.at(time);
        let then = self.at(time + T::from(later));
        if separation > 0.0 {
            let distance = self.closest(&then).squared.sqrt().to_f64();
            return distance + self.resolution < separation * (1.0 - 1e-12);
        }
        let Some([normal, ..]) = self.turning(&corners, closest, Span::Plane) else {
            return false;
        };
        let double = |v: Vector<T>| DVec3::from_array(v.map(Real::to_f64));
        let moved = (0..3).fold(0.0, |most: f64, k| {
            most.max(double(self.travel[k]).length())
        }) * later;
        let [a, b, c] = corners.map(double);
        let (u, v) = match self.kind {
            FeatureKind::VertexFace => (b - a, c - a),
            FeatureKind::EdgeEdge => (a, c - b),
        };
        let longest = match self.kind {
            FeatureKind::VertexFace => u.length().max(v.length()).max((c - b).length()),
            FeatureKind::EdgeEdge => u.length().max(v.length()),
        };
        let height = u.cross(v).length() / longest;
        let slack = 8.0 * moved / height;
        let inside = match self.kind {
            FeatureKind::VertexFace => &closest.weights[1..],
            FeatureKind::EdgeEdge => &closest.weights[..],
        };
        let deep = inside.iter().all(|w| w.to_f64() > slack + 1e-9) && slack < 0.1;
        let across = |first: Option<usize>, second: usize| {
            let of = first.map_or(T::from(0.0), |k| dot(normal, then[k]));
            (of - dot(normal, then[second])).to_f64() < -8.0 * self.resolution
        };
        deep && match self.kind {
            FeatureKind::VertexFace => (0..3).all(|k| across(None, k)),
            FeatureKind::EdgeEdge => (1..3).all(|k| across(None, k) && across(Some(0), k)),
        }
    }

    fn meeting(&self, time: T, normal: Option<Vector<T>>) -> FeatureMeeting {
        let closest = self.closest(&self.at(time));
        let double = |v: Vector<T>| DVec3::from_array(v.map(Real::to_f64));
        // A pair that meets at once has no direction of before: across the features, against their motion.
        let normal = normal.map(double).unwrap_or_else(|| {
            let across = self.turning(&self.at(time), &closest, closest.span);
            let across = double(across.map_or(closest.apart, |powers| powers[0]));
            let closing = |n: DVec3| self.travel.map(|w| n.dot(double(w))).iter().sum::<f64>();
            let across = across.try_normalize().unwrap_or(DVec3::Z);
            if closing(across) >= 0.0 {
                across
            } else {
                -across
            }
        });
        FeatureMeeting {
            time: lower(time),
            weights: closest.weights.map(Real::to_f64),
            normal: -normal.normalize_or(-DVec3::Z),
        }
    }
}

/// A double that is not above the number.
fn lower<T: Real>(x: T) -> f64 {
    let near = x.to_f64();
    if T::from(near) > x {
        near.next_down()
    } else {
        near
    }
}

#[cfg(test)]
mod tests;
