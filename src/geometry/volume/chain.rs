//! Sums over the boundary of a solid, triangle by triangle, and how far rounding can have moved them.

use glam::{DMat3, DVec3};
use std::ops::AddAssign;

/// A corner of a triangle, and how far it may be from where it should be.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundaryCorner {
    pub(super) at: DVec3,
    pub(super) error: f64,
}

impl BoundaryCorner {
    /// A vertex of a mesh, seen from an origin: only the subtraction rounds.
    pub(super) fn vertex(p: DVec3, origin: DVec3) -> Self {
        let at = p - origin;
        Self {
            at,
            error: f64::EPSILON * at.length(),
        }
    }

    /// The same corner from an origin.
    pub(super) fn seen_from(self, origin: DVec3) -> Self {
        let at = self.at - origin;
        Self {
            at,
            error: self.error + f64::EPSILON * at.length(),
        }
    }
}

/// Integrals over oriented triangles and over the cones from them to the origin.
#[derive(Clone, Copy, Debug)]
pub struct ChainSums {
    /// Of the cones.
    pub volume: f64,
    /// The exact volume is no farther from `volume` than this, but for the rounding of adding up.
    pub volume_error: f64,
    /// Of the absolute values of what was added to `volume`.
    pub volume_size: f64,
    /// The integral of the position over the cones.
    pub first_moment: DVec3,
    /// The integral of the position times itself over the cones.
    pub second_moment: DMat3,
    /// Of the triangles.
    pub area_vector: DVec3,
    /// The integral of position times normal over the triangles.
    pub torque: DVec3,
}

impl Default for ChainSums {
    fn default() -> Self {
        Self::ZERO
    }
}

impl ChainSums {
    /// Of nothing.
    pub(super) const ZERO: Self = Self {
        volume: 0.0,
        volume_error: 0.0,
        volume_size: 0.0,
        first_moment: DVec3::ZERO,
        second_moment: DMat3::ZERO,
        area_vector: DVec3::ZERO,
        torque: DVec3::ZERO,
    };

    /// Adds a triangle so many times; below zero it is turned round.
    pub(super) fn add(&mut self, times: f64, [a, b, c]: [BoundaryCorner; 3]) {
        let [p, q, r] = [a.at, b.at, c.at];
        let volume = times * p.dot(q.cross(r)) / 6.0;
        let [x, y, z] = [p, q, r].map(DVec3::length);
        // Each product changes by what its factors do, and a determinant rounds by a few units.
        let moved = x * y * c.error
            + y * z * a.error
            + z * x * b.error
            + x * b.error * c.error
            + y * c.error * a.error
            + z * a.error * b.error
            + a.error * b.error * c.error;
        let size = times.abs() * x * y * z;
        self.volume += volume;
        self.volume_error += (times.abs() * moved + 16.0 * f64::EPSILON * size) / 6.0;
        self.volume_size += volume.abs();
        let sum = p + q + r;
        self.first_moment += 0.25 * volume * sum;
        let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
        self.second_moment += (outer(p) + outer(q) + outer(r) + outer(sum)) * (volume / 20.0);
        let area = 0.5 * times * (q - p).cross(r - p);
        self.area_vector += area;
        self.torque += (sum / 3.0).cross(area);
    }
}

impl AddAssign for ChainSums {
    fn add_assign(&mut self, other: Self) {
        self.volume += other.volume;
        self.volume_error += other.volume_error;
        self.volume_size += other.volume_size;
        self.first_moment += other.first_moment;
        self.second_moment += other.second_moment;
        self.area_vector += other.area_vector;
        self.torque += other.torque;
    }
}
