//! Bounding volumes as stretches along directions: what is the same for boxes and for polytopes of more sides.

use crate::geometry::aabb::Aabb;
use crate::geometry::rounding::below;
use glam::{DAffine3, DVec3, Vec3};

/// A bounding volume: a stretch along each of some directions.
pub trait BoundingVolume: Copy + Send + Sync + 'static {
    /// The volume of nothing.
    const EMPTY: Self;
    /// Across the sides; the three axes first.
    const DIRECTIONS: &'static [Vec3];
    /// The least and the greatest coordinate along a direction.
    fn stretch(&self, direction: usize) -> [f32; 2];
    /// With a stretch along each direction.
    fn of_stretches(stretch: impl FnMut(usize) -> [f32; 2]) -> Self;
    /// The greatest coordinate of its points along any vector, or more.
    fn support(&self, along: DVec3) -> f64;
    /// Grown to hold a point.
    fn with(self, p: Vec3) -> Self;
    /// Around both.
    fn union(self, other: Self) -> Self;
    /// Whether both may share a point: always true when they do.
    fn overlaps(self, other: Self) -> bool;
    /// Around all points at most `margin` away.
    fn inflated(self, margin: f32) -> Self;
    /// A measure that grows with the chance to be hit.
    fn size(self) -> f32;

    /// Around all points that are blends of a point of each volume; weights are not negative and sum to about 1.
    fn blended(volumes: &[Self], weights: &[f32]) -> Self {
        let terms = |k: usize, side: usize| {
            let pairs = volumes.iter().zip(weights);
            pairs.map(move |(v, &w)| (v.stretch(k)[side], w))
        };
        Self::summed(terms)
    }

    /// Around all points of `rest` that are moved by a point of each of `fields` times its amplitude, of either sign (Teschner et al., section 2.3.2).
    fn displaced(rest: Self, fields: &[Self], amplitudes: &[f32]) -> Self {
        let terms = |k: usize, side: usize| {
            let moved = fields.iter().zip(amplitudes).map(move |(field, &q)| {
                // A negative amplitude turns the stretch round.
                let end = if q >= 0.0 { side } else { 1 - side };
                (field.stretch(k)[end], q)
            });
            std::iter::once((rest.stretch(k)[side], 1.0)).chain(moved)
        };
        Self::summed(terms)
    }

    /// The sums of the terms along each direction and to each side, moved outwards by all that rounding can do to the same sums of vertices in
    /// single precision.
    fn summed<I: Iterator<Item = (f32, f32)>>(terms: impl Fn(usize, usize) -> I) -> Self {
        // What a coordinate along a diagonal loses follows from the axes, and not from how much of them cancels there.
        let along = |k: usize, side: usize| weighted_sum(terms(k, side));
        let of_axes = [0, 1, 2].map(|k| along(k, 0).1.max(along(k, 1).1));
        Self::of_stretches(|k| {
            let direction = Self::DIRECTIONS[k].as_dvec3().abs();
            let slack = direction.dot(DVec3::from(of_axes));
            let [low, high] = [along(k, 0).0 - slack, along(k, 1).0 + slack];
            [below(low), -below(-high)]
        })
    }

    /// Around all points of a volume that is not empty, under a motion.
    fn moved(self, motion: &DAffine3) -> Self {
        let to = motion.matrix3.transpose();
        let side = |along: DVec3| {
            let there = along.dot(motion.translation);
            let reach = self.support(to * along);
            // Covers the rounding of both, and of points that move in double precision.
            let slack =
                1e-14 * (motion.translation.abs().dot(along.abs()) + self.size_of_coordinates());
            there + reach + slack
        };
        Self::of_stretches(|k| {
            let direction = Self::DIRECTIONS[k].as_dvec3();
            [below(-side(-direction)), -below(-side(direction))]
        })
    }

    /// No coordinate along an axis is farther from 0 than this, times three.
    fn size_of_coordinates(&self) -> f64 {
        let farthest = |k| {
            let [low, high] = self.stretch(k);
            f64::from(low.abs().max(high.abs()))
        };
        3.0 * (farthest(0) + farthest(1) + farthest(2))
    }

    /// The greatest coordinate along a vector of the box around it.
    fn support_of_box(&self, along: DVec3) -> f64 {
        let end = |k: usize| along[k] * f64::from(self.stretch(k)[usize::from(along[k] >= 0.0)]);
        end(0) + end(1) + end(2)
    }
}

impl BoundingVolume for Aabb {
    const EMPTY: Self = Aabb::EMPTY;
    const DIRECTIONS: &'static [Vec3] = &[Vec3::X, Vec3::Y, Vec3::Z];

    fn stretch(&self, k: usize) -> [f32; 2] {
        [self.min[k], self.max[k]]
    }

    fn of_stretches(stretch: impl FnMut(usize) -> [f32; 2]) -> Self {
        let sides = [0, 1, 2].map(stretch);
        Self {
            min: Vec3::from(sides.map(|s| s[0])),
            max: Vec3::from(sides.map(|s| s[1])),
        }
    }

    fn support(&self, along: DVec3) -> f64 {
        self.support_of_box(along)
    }

    fn with(self, p: Vec3) -> Self {
        Aabb::with(self, p)
    }

    fn union(self, other: Self) -> Self {
        Aabb::union(self, other)
    }

    fn overlaps(self, other: Self) -> bool {
        Aabb::overlaps(self, other)
    }

    fn inflated(self, margin: f32) -> Self {
        let out = self.expanded(margin);
        Self {
            min: out.min.to_array().map(f32::next_down).into(),
            max: out.max.to_array().map(f32::next_up).into(),
        }
    }

    fn size(self) -> f32 {
        self.surface_area()
    }
}

/// A sum of values times weights, and what rounding can do to it in single precision.
fn weighted_sum(terms: impl Iterator<Item = (f32, f32)>) -> (f64, f64) {
    let (mut sum, mut magnitude, mut count) = (0.0, 0.0, 0.0);
    for (value, weight) in terms {
        let term = f64::from(value) * f64::from(weight);
        sum += term;
        magnitude += term.abs();
        count += 1.0;
    }
    // A product, a sum and the last rounding for each term.
    (sum, 3.0 * count * f64::from(f32::EPSILON) * magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::comparators::dop::Dop18;
    use crate::geometry::random::Random;
    use glam::DQuat;

    fn holds<V: BoundingVolume>(volume: &V, p: DVec3) -> bool {
        (0..V::DIRECTIONS.len()).all(|k| {
            let [low, high] = volume.stretch(k).map(f64::from);
            (low..=high).contains(&V::DIRECTIONS[k].as_dvec3().dot(p))
        })
    }

    fn check<V: BoundingVolume>() {
        let mut random = Random::new(8);
        for _ in 0..300 {
            let points: Vec<Vec3> = (0..5).map(|_| random.in_cube_f32()).collect();
            let around = |points: &[Vec3]| points.iter().fold(V::EMPTY, |v, &p| v.with(p));
            let volume = around(&points);
            let axis = random.in_cube().normalize();
            let turn = DQuat::from_axis_angle(axis, 3.0 * random.signed());
            let motion = DAffine3::from_rotation_translation(turn, 100.0 * random.in_cube());
            let moved = volume.moved(&motion);
            for p in &points {
                assert!(holds(&moved, motion.transform_point3(p.as_dvec3())));
            }
            // Twice as far apart as the volume is wide there is nothing of it.
            assert!(!holds(&moved, motion.translation + DVec3::splat(7.0)));
            let fields: Vec<Vec<Vec3>> = (0..2)
                .map(|_| points.iter().map(|_| random.in_cube_f32()).collect())
                .collect();
            let q = [2.0 * random.signed() as f32, random.signed() as f32];
            let volumes: Vec<V> = fields.iter().map(|field| around(field)).collect();
            let displaced = V::displaced(volume, &volumes, &q);
            for (k, &p) in points.iter().enumerate() {
                let there = p + fields[0][k] * q[0] + fields[1][k] * q[1];
                assert!(displaced.overlaps(V::EMPTY.with(there)));
            }
        }
    }

    #[test]
    fn moved_and_displaced_volumes_hold_their_points() {
        check::<Aabb>();
        check::<Dop18>();
    }

    /// Coordinates that are large and nearly the same: what the vertices lost is not small where they cancel.
    #[test]
    fn what_cancels_along_a_diagonal_is_still_rounded() {
        let mut random = Random::new(2);
        for _ in 0..2000 {
            let base = Vec3::splat(1000.0 + random.unit() as f32);
            let near = |random: &mut Random| base + 1e-3 * random.in_cube_f32();
            let [p, q] = [near(&mut random), near(&mut random)];
            let weights = [0.3f32, 0.7];
            let volumes = [Dop18::EMPTY.with(p), Dop18::EMPTY.with(q)];
            let blended = Dop18::blended(&volumes, &weights);
            let there = p * weights[0] + q * weights[1];
            assert!(blended.overlaps(Dop18::EMPTY.with(there)));
        }
    }
}
