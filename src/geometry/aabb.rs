//! Axis-aligned boxes.

use glam::Vec3;

/// An axis-aligned box. Empty when `min > max` on some axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box of nothing: the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The smallest box around the points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |bounds, p| bounds.with(p))
    }

    /// This box grown to hold `p`.
    #[inline]
    pub fn with(self, p: Vec3) -> Self {
        Self {
            min: self.min.min(p),
            max: self.max.max(p),
        }
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// This box moved outwards by `margin` on every side.
    #[inline]
    pub fn expanded(self, margin: f32) -> Self {
        Self {
            min: self.min - margin,
            max: self.max + margin,
        }
    }

    /// Whether the box holds no point.
    #[inline]
    pub fn is_empty(self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Whether the closed boxes share a point.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The middle of a box that is not empty.
    #[inline]
    pub fn centre(self) -> Vec3 {
        // Halved before the sum, which could overflow.
        0.5 * self.min + 0.5 * self.max
    }

    /// The edge lengths of a box that is not empty.
    #[inline]
    pub fn size(self) -> Vec3 {
        self.max - self.min
    }

    /// The area of the six sides; 0 for the empty box.
    pub fn surface_area(self) -> f32 {
        if self.is_empty() {
            return 0.0;
        }
        let s = self.size();
        2.0 * (s.x * s.y + s.y * s.z + s.z * s.x)
    }

    /// The squared distance from `p` to the box; 0 inside, infinite for the empty box.
    #[inline]
    pub fn distance_squared(self, p: Vec3) -> f32 {
        (self.min - p)
            .max(p - self.max)
            .max(Vec3::ZERO)
            .length_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_box_is_neutral_and_infinitely_far() {
        let b = Aabb::of([Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, 5.0, 0.0)]);
        assert_eq!(
            b,
            Aabb {
                min: Vec3::new(-1.0, 2.0, 0.0),
                max: Vec3::new(1.0, 5.0, 3.0)
            }
        );
        assert_eq!(Aabb::EMPTY.union(b), b);
        assert!(Aabb::EMPTY.is_empty() && !b.is_empty());
        assert_eq!(Aabb::EMPTY.surface_area(), 0.0);
        assert_eq!(Aabb::EMPTY.distance_squared(Vec3::ZERO), f32::INFINITY);
    }

    #[test]
    fn distance_is_to_the_nearest_face_edge_or_corner() {
        let b = Aabb {
            min: Vec3::ZERO,
            max: Vec3::ONE,
        };
        assert_eq!(b.distance_squared(Vec3::splat(0.5)), 0.0);
        assert_eq!(b.distance_squared(Vec3::new(3.0, 0.5, 0.5)), 4.0);
        assert_eq!(b.distance_squared(Vec3::new(3.0, -2.0, 0.5)), 8.0);
        assert_eq!(b.distance_squared(Vec3::splat(-1.0)), 3.0);
    }

    #[test]
    fn touching_boxes_overlap() {
        let b = Aabb {
            min: Vec3::ZERO,
            max: Vec3::ONE,
        };
        assert!(b.overlaps(Aabb {
            min: Vec3::ONE,
            max: Vec3::splat(2.0)
        }));
        assert!(!b.overlaps(Aabb {
            min: Vec3::splat(1.5),
            max: Vec3::splat(2.0)
        }));
        assert!(!b.overlaps(Aabb::EMPTY));
    }
}
