//! Discrete oriented polytopes with 18 sides: tighter than boxes, and as easy to join and to compare.

use super::volume::BoundingVolume;
use glam::{DVec3, Vec3};

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
    const DIRECTIONS: &'static [Vec3] = &DIRECTIONS;

    fn stretch(&self, k: usize) -> [f32; 2] {
        [self.min[k], self.max[k]]
    }

    fn of_stretches(mut stretch: impl FnMut(usize) -> [f32; 2]) -> Self {
        let mut dop = Self::EMPTY;
        for k in 0..9 {
            [dop.min[k], dop.max[k]] = stretch(k);
        }
        dop
    }

    /// A vector is a sum of positive multiples of directions in several ways, and no point is farther along it than the same sum of how far the sides
    /// are. As much as there is along one diagonal, the rest along the axes; the least of these.
    fn support(&self, along: DVec3) -> f64 {
        let mut least = self.support_of_box(along);
        for (i, j, same, opposite) in [(0, 1, 3, 6), (0, 2, 4, 7), (1, 2, 5, 8)] {
            let amount = along[i].abs().min(along[j].abs());
            let mut rest = along;
            rest[i] -= amount.copysign(along[i]);
            rest[j] -= amount.copysign(along[j]);
            let positive = along[i] >= 0.0;
            let k = if positive == (along[j] >= 0.0) {
                same
            } else {
                opposite
            };
            let side = if positive {
                f64::from(self.max[k])
            } else {
                -f64::from(self.min[k])
            };
            least = least.min(self.support_of_box(rest) + amount * side);
        }
        least
    }

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
