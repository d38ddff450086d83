//! Directions along which two features stay apart, and for how long.
//!
//! One that is fixed makes the gap the least of a few linear functions of time; one that turns with a face, or with both edges, makes it
//! the least of a few cubics, and the step goes to where the first of them can vanish.

use super::super::closest::{Closest, Span};
use super::super::real::Real;
use super::super::vector::{Vector, cross, dot, length_squared, minus, plus, times};
use super::{FeatureKind, RelativePair};

/// What separates features for certain: a gap of more than both together.
#[derive(Clone, Copy)]
pub(super) struct KeptGap<T> {
    pub(super) separation: T,
    pub(super) resolution: T,
}

/// A step during which a direction separates the features.
pub(super) struct ProvedStep<T> {
    pub(super) duration: T,
    pub(super) direction: Vector<T>,
}

impl<T: Real> RelativePair<T> {
    /// The longest step that a direction near that of the closest points proves, up to `most`.
    #[inline(always)]
    pub(super) fn longest_step(
        &self,
        corners: &[Vector<T>; 3],
        closest: &Closest<T>,
        keep: KeptGap<T>,
        most: T,
    ) -> Option<ProvedStep<T>> {
        let still = unit(closest.apart).and_then(|direction| {
            let duration = self.separated_for(corners, direction, keep)?;
            Some(ProvedStep {
                duration,
                direction,
            })
        });
        if still.as_ref().is_some_and(|step| step.duration >= most) {
            return still;
        }
        let turning = |span: Span| {
            let turning = self.turning(corners, closest, span)?;
            let duration = self.separated_by(corners, &turning, keep, most)?;
            Some(ProvedStep {
                duration,
                direction: turning[0],
            })
        };
        let longer = |a: Option<ProvedStep<T>>, b: Option<ProvedStep<T>>| match (a, b) {
            (Some(a), Some(b)) => Some(if b.duration > a.duration { b } else { a }),
            (a, b) => a.or(b),
        };
        let best = longer(still, turning(closest.span));
        if best.is_some() {
            return best;
        }
        // Between two regions, rounding may have chosen the wrong one.
        let lines = match self.kind {
            FeatureKind::VertexFace => [(1, 2), (1, 3), (2, 3)],
            FeatureKind::EdgeEdge => [(0, 1), (2, 3), (2, 3)],
        };
        lines
            .into_iter()
            .fold(turning(Span::Plane), |best, (from, to)| {
                longer(best, turning(Span::Line(from, to)))
            })
    }

    /// For how long the gap along a unit direction stays above what is to be kept; None when it is not even now.
    #[inline(always)]
    fn separated_for(
        &self,
        corners: &[Vector<T>; 3],
        direction: Vector<T>,
        keep: KeptGap<T>,
    ) -> Option<T> {
        // Longer than any step; infinity would not survive sums of two doubles.
        let mut soonest = T::from(2.0);
        let nothing = T::from(0.0);
        let keep = keep.separation + keep.resolution;
        let height = |k: usize| (dot(direction, corners[k]), dot(direction, self.travel[k]));
        let mut between = |first: (T, T), second: (T, T)| {
            let (gap, closing) = (first.0 - second.0 - keep, second.1 - first.1);
            if !(gap > nothing) {
                return false;
            }
            if closing > nothing {
                let until = gap / closing;
                if until < soonest {
                    soonest = until;
                }
            }
            true
        };
        let origin = (nothing, nothing);
        let apart = match self.kind {
            FeatureKind::VertexFace => (0..3).all(|k| between(origin, height(k))),
            FeatureKind::EdgeEdge => {
                let (first, seconds) = (height(0), [height(1), height(2)]);
                seconds
                    .into_iter()
                    .all(|second| between(origin, second) && between(first, second))
            }
        };
        apart.then_some(soonest)
    }

    /// A direction that stays at right angles to what the closest points can move along, by its powers of time; of unit
    /// length now. With a face or two edges between them it is the normal, and the gap is the volume of the four corners.
    #[inline(always)]
    pub(super) fn turning(
        &self,
        corners: &[Vector<T>; 3],
        closest: &Closest<T>,
        span: Span,
    ) -> Option<[Vector<T>; 3]> {
        let edge = |from: usize, to: usize| match (from, to) {
            (0, to) => (corners[to - 1], self.travel[to - 1]),
            (from, to) => (
                minus(corners[to - 1], corners[from - 1]),
                minus(self.travel[to - 1], self.travel[from - 1]),
            ),
        };
        let nothing = [T::from(0.0); 3];
        let turning = match span {
            Span::Point => return None,
            Span::Line(from, to) => {
                let (along, change) = edge(from, to);
                let across = cross(unit(closest.apart)?, along);
                [cross(along, across), cross(change, across), nothing]
            }
            Span::Plane => {
                let ((u, du), (v, dv)) = match self.kind {
                    FeatureKind::VertexFace => (edge(1, 2), edge(1, 3)),
                    FeatureKind::EdgeEdge => (edge(0, 1), edge(2, 3)),
                };
                [cross(u, v), plus(cross(du, v), cross(u, dv)), cross(du, dv)]
            }
        };
        let length = length_squared(turning[0]).sqrt();
        if !(length > nothing[0]) {
            return None;
        }
        let outwards = dot(turning[0], closest.apart) > nothing[0];
        let scale = T::from(if outwards { 1.0 } else { -1.0 }) / length;
        Some(turning.map(|power| times(power, scale)))
    }

    /// For how long, up to `most`, the gap along a turning direction stays above what is to be kept; None when it is not even now.
    #[inline(always)]
    fn separated_by(
        &self,
        corners: &[Vector<T>; 3],
        turning: &[Vector<T>; 3],
        keep: KeptGap<T>,
        most: T,
    ) -> Option<T> {
        let [n0, n1, n2] = *turning;
        // The gap between two corners, by its powers of time.
        let gap = |first: Option<usize>, second: usize| {
            let of = |all: &[Vector<T>; 3]| match first {
                None => times(all[second], T::from(-1.0)),
                Some(first) => minus(all[first], all[second]),
            };
            let (apart, change) = (of(corners), of(&self.travel));
            [
                dot(n0, apart),
                dot(n0, change) + dot(n1, apart),
                dot(n1, change) + dot(n2, apart),
                dot(n2, change),
            ]
        };
        let gaps = match self.kind {
            FeatureKind::VertexFace => {
                let last = gap(None, 2);
                [gap(None, 0), gap(None, 1), last, last]
            }
            FeatureKind::EdgeEdge => [gap(None, 1), gap(None, 2), gap(Some(0), 1), gap(Some(0), 2)],
        };
        let nothing = T::from(0.0);
        let least = |a: T, b: T| if a < b { a } else { b };
        let (turn, bend) = (length_squared(n1).sqrt(), length_squared(n2).sqrt());
        let stretch = [dot(n0, n1), dot(n0, n2)];
        // Bounds hold up to a horizon; a nearer one makes them tighter.
        let within = |horizon: T| -> Option<T> {
            let turned = turn + bend * horizon;
            // The direction's length is at most 1 + stretch[0] t + longer t^2.
            let longer = stretch[1] + turned * turned * T::from(0.5);
            let rounding = keep.resolution * (T::from(1.0) + turned * horizon);
            let mut until = horizon;
            for [g0, g1, g2, g3] in gaps {
                let now = g0 - keep.separation - rounding;
                if !(now > nothing) {
                    return None;
                }
                let powers = [
                    now,
                    g1 - keep.separation * stretch[0],
                    g2 - keep.separation * longer,
                    g3,
                ];
                if !stays_positive(powers, horizon) {
                    // What helps to keep them apart is left out; the cubic term is bounded by a square one.
                    let fall = least(powers[2], nothing) + least(g3, nothing) * horizon;
                    until = least(until, first_fall(now, powers[1], fall));
                }
            }
            Some(until)
        };
        let (mut horizon, mut proved) = (most, None);
        for _ in 0..4 {
            match within(horizon) {
                None => horizon = horizon * T::from(1.0 / 16.0),
                Some(until) => {
                    let before = proved.replace(until);
                    if until >= horizon || before.is_some_and(|b| until < b * T::from(1.5)) {
                        break;
                    }
                    horizon = least(until * T::from(4.0), horizon * T::from(0.5));
                }
            }
        }
        proved
    }
}

/// Whether a cubic is proved to be positive from 0 to `end`, by its Bernstein coefficients there. It is at 0.
#[inline(always)]
fn stays_positive<T: Real>([g0, g1, g2, g3]: [T; 4], end: T) -> bool {
    let nothing = T::from(0.0);
    let third = T::from(1.0 / 3.0) * end;
    let (line, square) = (g1 * third, g2 * third * end);
    let first = g0 + line;
    let second = first + line + square;
    first > nothing
        && second > nothing
        && second + line + square + square + g3 * end * end * end > nothing
}

/// A lower bound of the first positive root of `now + change t + fall t^2`, where `now` is positive and `fall` is not.
#[inline(always)]
fn first_fall<T: Real>(now: T, change: T, fall: T) -> T {
    let nothing = T::from(0.0);
    let root = (change * change - T::from(4.0) * fall * now).sqrt();
    let until = if change <= nothing {
        T::from(2.0) * now / (root - change)
    } else {
        (change + root) / (T::from(-2.0) * fall)
    };
    // Otherwise a division by zero: it never falls.
    if until < T::from(2.0) {
        until * T::from(1.0 - 16.0 * f64::EPSILON)
    } else {
        T::from(2.0)
    }
}

fn unit<T: Real>(v: Vector<T>) -> Option<Vector<T>> {
    let length = length_squared(v).sqrt();
    (length > T::from(0.0)).then(|| times(v, T::from(1.0) / length))
}
