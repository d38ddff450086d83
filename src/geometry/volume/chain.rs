//! Sums over the boundary of a solid, triangle by triangle, and how far rounding can have moved them.
//!
//! All triangles at a corner have it at the same rounded place. So what is added up is a closed surface too, whose corners have moved: by e, its volume
//! changes by no more than e times the area that moves, however far the origin is (Reynolds' transport theorem). That a crossing has left its edge sideways,
//! by a few units of rounding, opens the surface by slivers as long as the edge, and they count with the distance from the origin.

use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::predicates::normal_of;
use glam::{DMat3, DVec3, Vec3Swizzles};
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
        Self { at: p, error: 0.0 }.seen_from(origin)
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

/// The unit normal of a face.
#[derive(Clone, Copy)]
pub(super) struct FaceNormal {
    unit: DVec3,
    /// An area along it is smaller by at most this part of it, because it is rounded.
    lost: f64,
    /// No edge of the face is longer.
    side: f64,
}

impl FaceNormal {
    pub(super) fn of([a, b, c]: &Triangle) -> Self {
        let (u, v) = (b - a, c - a);
        let normal = normal_of(u, v);
        let [along, across] = [u.length(), v.length()];
        let off = 4.0 * f64::EPSILON * along * across / normal.length();
        Self {
            unit: normal.normalize_or_zero(),
            // One less the cosine of the angle that it is off.
            lost: (0.5 * off * off).min(2.0) + 4.0 * f64::EPSILON,
            side: along.max(across).max(u.distance(v)),
        }
    }
}

/// Integrals over oriented triangles and over the cones from them to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChainSums {
    /// Of the cones.
    pub volume: f64,
    /// The integral of the position over the cones.
    pub first_moment: DVec3,
    /// The integrals of xx, yy and zz over the cones.
    squares: DVec3,
    /// The integrals of yz, zx and xy over the cones.
    products: DVec3,
    /// Of the triangles.
    pub area_vector: DVec3,
    /// Of the triangles, along the normals of their faces.
    pub area: f64,
    /// The integral of position times normal over the triangles.
    pub torque: DVec3,
    rounding: ChainRounding,
}

/// What the errors of all sums follow from. Triangles count as often as they were added.
#[derive(Clone, Copy, Debug, Default)]
struct ChainRounding {
    /// Of the areas of the triangles.
    area: f64,
    /// Of the means of the squares of the two sides at their first corners: no less than the products of these sides.
    sides: f64,
    /// How many there are.
    count: f64,
    /// Of the longest edges of the faces of those that have crossings for corners.
    crossed: f64,
    /// Of the volumes that these can have moved through.
    moved: f64,
    /// How far their area vectors can be off.
    turned: f64,
    /// The square of the distance of the farthest corner from the origin.
    reach: f64,
}

/// How far exact sums can be from those that were added up; vectors and matrices in length. For volume and moments this holds of a closed surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChainErrors {
    /// Of the volume.
    pub volume: f64,
    /// Of the first moment.
    pub first_moment: f64,
    /// Of the second moment.
    pub second_moment: f64,
    /// Of the area vector, and of the area.
    pub area: f64,
    /// Of the torque.
    pub torque: f64,
}

impl ChainSums {
    /// Adds a whole face so many times; below zero it is turned round.
    #[inline]
    pub(super) fn add_face(&mut self, times: f64, corners: [DVec3; 3]) {
        let [area, sides] = self.add_triangle(times, corners);
        self.area += times * area;
        self.rounding.count += times.abs();
        self.rounding.area += times.abs() * area;
        self.rounding.sides += times.abs() * sides;
    }

    /// Adds a triangle in the plane of a face with this normal.
    pub(super) fn add(&mut self, times: f64, corners: [BoundaryCorner; 3], normal: &FaceNormal) {
        let before = self.area_vector;
        let [area, sides] = self.add_triangle(times, corners.map(|corner| corner.at));
        self.area += normal.unit.dot(self.area_vector - before);
        let error = corners.iter().fold(0.0, |most, c| c.error.max(most));
        let turned = error * (2.0 * sides.sqrt() + 2.0 * error);
        let times = times.abs();
        let rounding = &mut self.rounding;
        rounding.area += times * area;
        rounding.sides += times * sides;
        rounding.crossed += times * normal.side;
        rounding.moved += times * error * (area + turned);
        rounding.turned += times * (turned + normal.lost * area);
    }

    /// Returns its area, and half the sum of the squares of its sides at the first corner.
    #[inline]
    fn add_triangle(&mut self, times: f64, [p, q, r]: [DVec3; 3]) -> [f64; 2] {
        let (u, v) = (q - p, r - p);
        let vector = 0.5 * u.cross(v);
        let volume = times * p.dot(vector) / 3.0;
        let sum = p + q + r;
        self.volume += volume;
        self.first_moment += 0.25 * volume * sum;
        let each = volume / 20.0;
        let mixed = |v: DVec3| v.yzx() * v.zxy();
        self.squares += each * (p * p + q * q + r * r + sum * sum);
        self.products += each * (mixed(p) + mixed(q) + mixed(r) + mixed(sum));
        self.area_vector += times * vector;
        self.torque += (times / 3.0) * sum.cross(vector);
        let far = (p.length_squared()).max(q.length_squared().max(r.length_squared()));
        self.rounding.reach = self.rounding.reach.max(far);
        let sides = 0.5 * (u.length_squared() + v.length_squared());
        [vector.length(), sides]
    }

    /// The integral of the position times itself over the cones.
    pub fn second_moment(&self) -> DMat3 {
        let (s, m) = (self.squares, self.products);
        DMat3::from_cols_array(&[s.x, m.z, m.y, m.z, s.y, m.x, m.y, m.x, s.z])
    }

    /// How far its sums can be from the exact ones after so many additions in a row; no coordinate of a corner, in the frame that corners were rounded in, is larger than
    /// `size`.
    ///
    /// With a the area and r the reach, cones have volumes of up to r a / 3, first moments of r^2 a / 4 and second moments of r^3 a / 5. A cross
    /// product of u and v rounds by 1.5 eps |u| |v|.
    pub(super) fn errors(&self, additions: f64, size: f64) -> ChainErrors {
        let of = &self.rounding;
        let reach = of.reach.sqrt();
        // Vertices are rounded where the origin is subtracted. By Cauchy and Schwarz, sides are at most 2 sqrt(count * sides) long in all.
        let error = 2.0 * f64::EPSILON * reach;
        let turned = error * 2.0 * ((of.count * of.sides).sqrt() + error * of.count);
        let moved = of.moved + error * (of.area + turned);
        // A sliver is half as wide as a crossing is off; two of them for each piece, and a cone is a third of its base times its height.
        let slivers = f64::EPSILON * (4.0 * size + 2.0 * reach) * of.crossed / 3.0;
        let rounded = f64::EPSILON * (of.sides + of.area);
        let added = additions * f64::EPSILON * of.area;
        // The errors are rounded too.
        let above = 1.0 + 1e-6;
        let volume = above * (moved + reach * (slivers + rounded + added / 3.0));
        let area = above * (of.turned + turned + 2.0 * rounded + added);
        ChainErrors {
            volume,
            first_moment: 2.0 * reach * volume,
            second_moment: 3.0 * reach * reach * volume,
            area,
            torque: above * (reach * (area + 4.0 * rounded + added) + moved),
        }
    }
}

impl AddAssign for ChainSums {
    fn add_assign(&mut self, other: Self) {
        self.volume += other.volume;
        self.first_moment += other.first_moment;
        self.squares += other.squares;
        self.products += other.products;
        self.area_vector += other.area_vector;
        self.area += other.area;
        self.torque += other.torque;
        let (of, more) = (&mut self.rounding, other.rounding);
        of.area += more.area;
        of.sides += more.sides;
        of.count += more.count;
        of.crossed += more.crossed;
        of.moved += more.moved;
        of.turned += more.turned;
        of.reach = of.reach.max(more.reach);
    }
}
