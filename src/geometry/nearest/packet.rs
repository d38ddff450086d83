//! Query points that lie together, and what is known of their nearest distances.
//!
//! A part of the surface is skipped for all points at once, and nearly as sharply as for each alone. Let `c` be the middle of the
//! points `c + d_i`, and let `u_i` be upper bounds on their distances. Fit them by `u_i <= level + slope . d_i`. The distance to a
//! box is convex, so from `c + d_i` it is at least `b + e . d_i`, where `b` is its value at `c` and `e` its gradient there. So no
//! point has anything nearer in the box if `b - level > max (slope - e) . d_i`, and for a box that lies in the direction of the
//! nearest points `e` is close to `slope`: the right side nearly vanishes.

use super::oriented::Boxes;
use crate::geometry::simd::{Lanes, WIDTH};
use glam::{DVec3, Vec3};

/// Rounding of differences, dot products and squares, each a few units in the last place, relative to the distance.
const RELATIVE: f32 = 16.0 * f32::EPSILON;

/// Where some points are, and the fit of their upper bounds.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    centre: Vec3,
    /// No offset from the centre is larger, along each axis.
    reach: Vec3,
    level: f32,
    slope: Vec3,
    farthest: f32,
}

impl Fit {
    /// Around points about which nothing is known yet.
    #[inline(always)]
    pub fn around(points: impl Iterator<Item = Vec3>) -> Self {
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for p in points {
            (min, max) = (min.min(p), max.max(p));
        }
        let centre = 0.5 * min + 0.5 * max;
        // Finite, so that unused slots, which are infinitely far, are never looked into.
        let (level, farthest) = (f32::MAX, f32::MAX);
        Self {
            centre,
            reach: (max - centre).max(centre - min),
            level,
            slope: Vec3::ZERO,
            farthest,
        }
    }

    /// Fits upper bounds on the points' distances.
    #[inline(always)]
    pub fn aim(&mut self, bounds: impl Iterator<Item = (Vec3, f32)> + Clone) {
        let (mut products, mut squares) = (Vec3::ZERO, Vec3::ZERO);
        for (p, upper) in bounds.clone() {
            let offset = p - self.centre;
            products += offset * upper;
            squares += offset * offset;
        }
        // Least squares where the offsets balance, as in a block of a grid; elsewhere a guess, and any slope is right.
        let slope = products / squares.max(Vec3::splat(f32::MIN_POSITIVE));
        self.slope = if slope.is_finite() { slope } else { Vec3::ZERO };
        let (mut level, mut farthest) = (0.0f32, 0.0f32);
        for (p, upper) in bounds {
            level = level.max(upper - self.slope.dot(p - self.centre));
            farthest = farthest.max(upper);
        }
        self.farthest = farthest + self.reach.length();
        // Rounding of the fit, and of the bounds that it is compared with.
        self.level = level + RELATIVE * (self.farthest + self.reach.element_sum());
    }

    /// Whether a box at this distance from the middle is too far for all points.
    #[inline(always)]
    pub fn is_beyond(&self, bound: f32) -> bool {
        bound > self.farthest
    }

    /// Mask of the boxes in which some point may have its nearest, and their distances from the middle.
    #[inline(always)]
    pub fn within<V: Lanes>(&self, boxes: &Boxes) -> (u8, V) {
        let splat = |v: Vec3| [V::splat(v.x), V::splat(v.y), V::splat(v.z)];
        let (squared, toward) = boxes.gaps(splat(self.centre));
        let distance = squared.sqrt();
        let inverse = V::splat(1.0) / distance.max(V::splat(f32::MIN_POSITIVE));
        let (slope, reach) = (splat(self.slope), splat(self.reach));
        let mut slack = V::splat(self.level);
        for k in 0..3 {
            let across = (slope[k] - toward[k] * inverse).abs();
            slack = across.near_mul_add(reach[k], slack);
        }
        (distance.le(slack).bits(), distance)
    }
}

/// Up to eight points, one a lane.
pub struct Packet<V> {
    lanes: [V; 3],
    points: [Vec3; WIDTH],
    /// Bits of the lanes in use; the others repeat the first point.
    used: u8,
    /// What rounding may add to a distance, in each lane, beside what grows with the distance itself.
    rounding: V,
    /// The least squared distance so far, and the squared distance up to which a triangle may still be the nearest.
    least: V,
    limit: V,
    /// What is known of all lanes together.
    pub fit: Fit,
}

impl<V: Lanes> Packet<V> {
    /// Of one to eight points; `longest` is the longest side of any triangle.
    #[inline(always)]
    pub fn new(points: &[DVec3], longest: f32) -> Self {
        let count = points.len().clamp(1, WIDTH);
        let mut at = [points[0].as_vec3(); WIDTH];
        for (at, p) in at.iter_mut().zip(points) {
            *at = p.as_vec3();
        }
        let mut lanes = [[0.0; WIDTH]; 3];
        let mut rounding = [0.0; WIDTH];
        for (i, p) in at.iter().enumerate() {
            (lanes[0][i], lanes[1][i], lanes[2][i]) = (p.x, p.y, p.z);
            rounding[i] = RELATIVE * longest + 4.0 * f32::EPSILON * p.abs().max_element();
        }
        Self {
            lanes: [V::load(&lanes[0]), V::load(&lanes[1]), V::load(&lanes[2])],
            points: at,
            used: u8::MAX >> (WIDTH - count),
            rounding: V::load(&rounding),
            least: V::splat(f32::INFINITY),
            limit: V::splat(f32::MAX),
            fit: Fit::around(at.into_iter()),
        }
    }

    /// The points' coordinates.
    #[inline(always)]
    pub fn lanes(&self) -> [V; 3] {
        self.lanes
    }

    /// Takes note of the squared distances to a triangle. Gives the lanes it may be the nearest to, and whether it is nearer
    /// than all before to some.
    #[inline(always)]
    pub fn offer(&mut self, squared: V) -> (u8, bool) {
        let improves = squared.lt(self.least).bits() & self.used != 0;
        if improves {
            self.least = self.least.min(squared);
            let limit = self
                .least
                .sqrt()
                .near_mul_add(V::splat(1.0 + RELATIVE), self.rounding);
            self.limit = limit * limit;
        }
        (squared.le(self.limit).bits() & self.used, improves)
    }

    /// The squared distances up to which a triangle may still be the nearest.
    #[inline(always)]
    pub fn limits(&self) -> [f32; WIDTH] {
        self.limit.store()
    }

    /// The points and upper bounds on their distances; unused lanes repeat the first.
    #[inline(always)]
    pub fn bounds(&self) -> impl Iterator<Item = (Vec3, f32)> + Clone + use<V> {
        self.points.into_iter().zip(self.limit.sqrt().store())
    }

    /// Fits the upper bounds anew, after some got smaller.
    #[inline(always)]
    pub fn aim(&mut self) {
        let bounds = self.bounds();
        self.fit.aim(bounds);
    }
}
