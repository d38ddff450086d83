//! Discrete oriented polytopes with 18 sides: tighter than boxes, and as easy to join and to compare.

use super::tree::{BoundingVolume, Extreme, weighted_sum};
use glam::Vec3;

/// Directions across the sides: the three axes and the six diagonals of the coordinate planes (survey, section 2.1).
const DIRECTIONS: [Vec3; 9] = [
    Vec3::X,
    Vec3::Y,
    Vec3::Z,
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(1.0, 0.0, 1.0),
    Vec3::new(0.0, 1.0, 1.0),
    Vec3::new(1.0, -1.0, 0.0),
    Vec3::new(1.0, 0.0, -1.0),
    Vec3::new(0.0, 1.0, -1.0),
];

/// An 18-DOP: the least and the greatest coordinate along nine directions. Empty when one least is above its greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dop18 {
    /// Along each direction.
    pub min: [f32; 9],
    /// Along each direction.
    pub max: [f32; 9],
}

impl BoundingVolume for Dop18 {
    const EMPTY: Self = Self {
        min: [f32::INFINITY; 9],
        max: [f32::NEG_INFINITY; 9],
    };

    fn with(mut self, p: Vec3) -> Self {
        for (k, direction) in DIRECTIONS.iter().enumerate() {
            let along = direction.dot(p);
            // The sum of two coordinates is off by half a step at most; the next numbers hold it.
            let (low, high) = if k < 3 {
                (along, along)
            } else {
                (along.next_down(), along.next_up())
            };
            self.min[k] = self.min[k].min(low);
            self.max[k] = self.max[k].max(high);
        }
        self
    }

    fn union(mut self, other: Self) -> Self {
        for k in 0..9 {
            self.min[k] = self.min[k].min(other.min[k]);
            self.max[k] = self.max[k].max(other.max[k]);
        }
        self
    }

    fn overlaps(self, other: Self) -> bool {
        (0..9).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    fn inflated(mut self, margin: f32) -> Self {
        for (k, direction) in DIRECTIONS.iter().enumerate() {
            let out = (margin * direction.length()).next_up();
            self.min[k] = (self.min[k] - out).next_down();
            self.max[k] = (self.max[k] + out).next_up();
        }
        self
    }

    fn blended(volumes: &[Self], weights: &[f32]) -> Self {
        let mut blended = Self::EMPTY;
        for k in 0..9 {
            let least = volumes.iter().map(|v| v.min[k]);
            let greatest = volumes.iter().map(|v| v.max[k]);
            blended.min[k] = weighted_sum(least, weights, Extreme::Least);
            blended.max[k] = weighted_sum(greatest, weights, Extreme::Greatest);
        }
        blended
    }

    fn size(self) -> f32 {
        // The surface of the box inside which it lies; only ratios matter.
        let [x, y, z] = [0, 1, 2].map(|k| (self.max[k] - self.min[k]).max(0.0));
        x * y + y * z + z * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    #[test]
    fn points_inside_stay_inside_and_corners_are_cut_off() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let points: Vec<Vec3> = (0..6).map(|_| random.in_cube_f32()).collect();
            let dop = points.iter().fold(Dop18::EMPTY, |d, &p| d.with(p));
            for &p in &points {
                assert!(dop.overlaps(Dop18::EMPTY.with(p)));
            }
        }
        // The corner of the box around an octahedron is outside of its 18-DOP.
        let octahedron = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
        let dop = octahedron.iter().fold(Dop18::EMPTY, |d, &p| d.with(p));
        assert!(!dop.overlaps(Dop18::EMPTY.with(Vec3::splat(0.9))));
        assert!(dop.overlaps(Dop18::EMPTY.with(Vec3::new(0.4, 0.4, 0.0))));
    }
}
