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

/// A distance changes by no more than a point moves, and its upper bounds nearly so: no fit needs to be steeper.
const STEEPEST: f32 = 1.5;

/// Where the points of some packets are, and the fit of their upper bounds.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    centre: Vec3,
    /// No offset from the centre is larger, along each axis.
    half: Vec3,
    level: f32,
    slope: Vec3,
    farthest: f32,
}

impl Fit {
    /// Around packets of points about which nothing is known yet.
    #[inline(always)]
    pub fn around<V: Lanes>(packets: &[Packet<V>]) -> Self {
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for packet in packets {
            for k in 0..3 {
                min[k] = min[k].min(packet.lanes[k].least());
                max[k] = max[k].max(packet.lanes[k].most());
            }
        }
        let centre = 0.5 * min + 0.5 * max;
        // Finite, so that unused slots, which are infinitely far, are never looked into.
        let (level, farthest) = (f32::MAX, f32::MAX);
        Self {
            centre,
            half: (max - centre).max(centre - min),
            level,
            slope: Vec3::ZERO,
            farthest,
        }
    }

    /// Fits the upper bounds of the packets it is around.
    #[inline(always)]
    pub fn aim<V: Lanes>(&mut self, packets: &[Packet<V>]) {
        let zero = V::splat(0.0);
        let centre = splat(self.centre);
        let (mut products, mut squares) = ([zero; 3], [zero; 3]);
        for packet in packets {
            let upper = packet.upper();
            for k in 0..3 {
                let offset = packet.lanes[k] - centre[k];
                products[k] = offset.near_mul_add(upper, products[k]);
                squares[k] = offset.near_mul_add(offset, squares[k]);
            }
        }
        // Least squares where the offsets balance, as in a block of a grid; elsewhere a guess, and any slope is right.
        for k in 0..3 {
            let slope = products[k].sum() / squares[k].sum().max(f32::MIN_POSITIVE);
            self.slope[k] = if slope.is_finite() {
                slope.clamp(-STEEPEST, STEEPEST)
            } else {
                0.0
            };
        }
        let slope = splat::<V>(self.slope);
        let (mut level, mut farthest) = (zero, zero);
        for packet in packets {
            let mut above = packet.upper();
            farthest = farthest.max(above);
            for k in 0..3 {
                above = (centre[k] - packet.lanes[k]).near_mul_add(slope[k], above);
            }
            level = level.max(above);
        }
        self.farthest = farthest.most() + self.half.length();
        // Rounding of the fit, and of the bounds that it is compared with.
        self.level = level.most() + RELATIVE * (self.farthest + self.half.element_sum());
    }

    /// Whether a box at this distance from the middle is too far for all points.
    #[inline(always)]
    pub fn is_beyond(&self, bound: f32) -> bool {
        bound > self.farthest
    }

    /// Mask of the boxes in which some point may have its nearest, and their distances from the middle.
    #[inline(always)]
    pub fn within<V: Lanes>(&self, boxes: &Boxes) -> (u8, V) {
        let (squared, toward) = boxes.gaps(splat::<V>(self.centre));
        let distance = squared.sqrt();
        let inverse = V::splat(1.0) / distance.max(V::splat(f32::MIN_POSITIVE));
        let (slope, half) = (splat::<V>(self.slope), splat::<V>(self.half));
        let mut slack = V::splat(self.level);
        for k in 0..3 {
            let across = (slope[k] - toward[k] * inverse).abs();
            slack = across.near_mul_add(half[k], slack);
        }
        (distance.le(slack).bits(), distance)
    }
}

#[inline(always)]
fn splat<V: Lanes>(v: Vec3) -> [V; 3] {
    [V::splat(v.x), V::splat(v.y), V::splat(v.z)]
}

/// Up to eight points, one per lane.
#[derive(Clone, Copy)]
pub struct Packet<V> {
    lanes: [V; 3],
    /// Bits of the lanes in use; the others repeat the first point.
    used: u8,
    /// What rounding may add to a distance, in each lane, beside what grows with the distance itself.
    rounding: V,
    /// The least squared distance so far.
    least: V,
    /// The squared distance up to which a triangle may still be the nearest, as of the last time that it was asked for.
    limit: V,
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
            used: u8::MAX >> (WIDTH - count),
            rounding: V::load(&rounding),
            least: V::splat(f32::INFINITY),
            limit: V::splat(f32::MAX),
        }
    }

    /// The points' coordinates.
    #[inline(always)]
    pub fn lanes(&self) -> [V; 3] {
        self.lanes
    }

    /// Takes note of the squared distances to a triangle, for the next time the limit is drawn. Gives a mask of the lanes to
    /// which it is nearer than all before.
    #[inline(always)]
    pub fn note(&mut self, squared: V) -> V {
        let nearer = squared.lt(self.least);
        self.least = self.least.min(squared);
        nearer
    }

    /// Draws the limit anew.
    #[inline(always)]
    pub fn draw_limit(&mut self) {
        let limit = self
            .least
            .sqrt()
            .near_mul_add(V::splat(1.0 + RELATIVE), self.rounding);
        self.limit = (limit * limit).min(V::splat(f32::MAX));
    }

    /// Takes note of the squared distances to a triangle at once. Gives the lanes it may be the nearest to, and whether it is
    /// nearer than all before to some.
    #[inline(always)]
    pub fn offer(&mut self, squared: V) -> (u8, bool) {
        let improves = self.note(squared).bits() != 0;
        if improves {
            self.draw_limit();
        }
        (self.may_be_nearest(squared), improves)
    }

    /// The lanes to which a triangle at these squared distances may be the nearest.
    #[inline(always)]
    pub fn may_be_nearest(&self, squared: V) -> u8 {
        squared.le(self.limit).bits() & self.used
    }

    /// Upper bounds on the distances; unused lanes repeat the first.
    #[inline(always)]
    fn upper(&self) -> V {
        self.limit.sqrt()
    }
}
