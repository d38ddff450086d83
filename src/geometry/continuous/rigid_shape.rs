//! Boxes and triangles of two rigid bodies at a moment, and for how long a direction separates them while one of them moves.

// A comparison with NaN proves nothing: what is not known to be greater counts as not greater.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use super::screw::{Velocities, positive_for};
use crate::geometry::hierarchy::bvh::Node;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::closest::on_triangle;
use glam::{DAffine3, DMat3, DVec3};

/// A box by its middle, axis-aligned in the frame of its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfBox {
    pub(super) middle: DVec3,
    pub(super) half: DVec3,
}

impl HalfBox {
    /// The box in a slot of a node, or around all of them.
    pub(super) fn of(node: &Node, slot: Option<usize>) -> Self {
        let bounds = slot.map_or_else(|| node.bounds(), |slot| node.child_box(slot));
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        Self {
            middle: 0.5 * (min + max),
            half: 0.5 * (max - min),
        }
    }

    pub(super) fn radius(&self) -> f64 {
        self.half.length()
    }
}

/// A part of the body that stays.
#[derive(Clone, Copy, Debug)]
pub(super) enum StillPart {
    HalfBox(HalfBox),
    Triangle(Triangle),
}

impl StillPart {
    /// The height of its top in a direction.
    #[inline]
    fn top(&self, n: DVec3) -> f64 {
        match self {
            Self::HalfBox(block) => n.dot(block.middle) + n.abs().dot(block.half),
            Self::Triangle([a, b, c]) => n.dot(*a).max(n.dot(*b)).max(n.dot(*c)),
        }
    }
}

/// A part of the body that moves, at a moment, in the frame of the other.
#[derive(Clone, Copy, Debug)]
pub(super) enum MovedPart {
    /// A box: its middle has moved, its half sides are along the columns of the turn.
    HalfBox(HalfBox, DMat3),
    Triangle(Triangle),
}

impl MovedPart {
    pub(super) fn block(block: &HalfBox, place: &DAffine3) -> Self {
        let moved = HalfBox {
            middle: place.transform_point3(block.middle),
            half: block.half,
        };
        Self::HalfBox(moved, place.matrix3)
    }

    pub(super) fn triangle(corners: &Triangle, place: &DAffine3) -> Self {
        Self::Triangle(corners.map(|p| place.transform_point3(p)))
    }
}

/// How one body moves as seen from the other, and how far apart they have to stay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub(super) velocities: Velocities,
    pub(super) keep: f64,
}

impl Course {
    /// How fast no point of a moved part is exceeded.
    pub(super) fn speed(&self, moved: &MovedPart) -> f64 {
        let of = |p: DVec3| (self.velocities.across_at(p) + self.velocities.along).length();
        match moved {
            MovedPart::HalfBox(block, _) => {
                of(block.middle) + self.velocities.speed * block.radius()
            }
            MovedPart::Triangle([a, b, c]) => of(*a).max(of(*b)).max(of(*c)),
        }
    }

    /// For how long the parts certainly stay more than what is to be kept apart; 0 when they are not now, `most` for at least that.
    pub(super) fn separated_for(&self, still: &StillPart, moved: &MovedPart, most: f64) -> f64 {
        let mut longest = 0.0f64;
        let mut attempt = |n: DVec3| {
            longest = longest.max(self.separated_along(n, still, moved));
            longest >= most
        };
        match (still, moved) {
            (StillPart::HalfBox(a), MovedPart::HalfBox(b, turn)) => {
                let apart = b.middle - a.middle;
                let facing = |axis: DVec3| axis * 1.0f64.copysign(axis.dot(apart));
                let _ = attempt(facing(DVec3::X))
                    || attempt(facing(DVec3::Y))
                    || attempt(facing(DVec3::Z))
                    || attempt(facing(turn.x_axis))
                    || attempt(facing(turn.y_axis))
                    || attempt(facing(turn.z_axis))
                    || apart.try_normalize().is_some_and(attempt);
            }
            (StillPart::Triangle(t), MovedPart::HalfBox(b, _)) => {
                let from = on_triangle(b.middle, *t).0;
                (b.middle - from).try_normalize().map(attempt);
            }
            (StillPart::HalfBox(a), MovedPart::Triangle(t)) => {
                let to = on_triangle(a.middle, *t).0;
                (to - a.middle).try_normalize().map(attempt);
            }
            (StillPart::Triangle(_), MovedPart::Triangle(_)) => {}
        }
        longest
    }

    /// The same by one unit direction, from the first part to the second.
    ///
    /// Velocities are linear in place, and change at no more than the turn's speed times the velocity across the axis.
    #[inline]
    pub(super) fn separated_along(&self, n: DVec3, still: &StillPart, moved: &MovedPart) -> f64 {
        let Velocities {
            turn, speed, along, ..
        } = self.velocities;
        let floor = still.top(n) + self.keep;
        match moved {
            MovedPart::HalfBox(block, axes) => {
                let gap = n.dot(block.middle) - spread(n, axes, block.half) - floor;
                if !(gap > 0.0) {
                    return 0.0;
                }
                let across = self.velocities.across_at(block.middle);
                let closing = spread(n.cross(turn), axes, block.half) - n.dot(across + along);
                let bend = speed * (across.length() + speed * block.radius());
                positive_for(gap, closing, bend)
            }
            MovedPart::Triangle(corners) => corners.iter().fold(f64::INFINITY, |least, &p| {
                let gap = n.dot(p) - floor;
                if !(gap > 0.0) {
                    return 0.0;
                }
                let across = self.velocities.across_at(p);
                least.min(positive_for(
                    gap,
                    -n.dot(across + along),
                    speed * across.length(),
                ))
            }),
        }
    }
}

/// How far a box reaches from its middle in a direction.
#[inline]
fn spread(n: DVec3, axes: &DMat3, half: DVec3) -> f64 {
    (axes.transpose() * n).abs().dot(half)
}
