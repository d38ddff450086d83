//! What is kept of a patch, and its convex hull along the patch.

use glam::{Vec2, Vec3};

const DIRECTIONS: usize = 16;

/// Two directions along a patch.
pub struct Tangents(pub [Vec3; 2]);

impl Tangents {
    /// Any two directions square to the normal, the same for the same normal.
    pub fn of(normal: Vec3) -> Self {
        let least = if normal.x.abs() < 0.6 {
            Vec3::X
        } else {
            Vec3::Y
        };
        let first = normal.cross(least).normalize();
        Self([first, normal.cross(first)])
    }

    /// A vector, seen along the normal.
    pub fn flat(&self, v: Vec3) -> Vec2 {
        Vec2::new(v.dot(self.0[0]), v.dot(self.0[1]))
    }
}

/// Contacts of a patch that are kept.
pub struct Kept<'a> {
    tangents: &'a Tangents,
    directions: [Vec3; DIRECTIONS],
    supports: [f32; DIRECTIONS],
    /// Their places in the order by key.
    pub places: Vec<usize>,
    /// Where they are.
    pub points: Vec<Vec3>,
}

impl<'a> Kept<'a> {
    /// None yet.
    pub fn new(tangents: &'a Tangents) -> Self {
        let [u, v] = tangents.0;
        let direction = |k: usize| {
            let angle = std::f32::consts::TAU * k as f32 / DIRECTIONS as f32;
            angle.cos() * u + angle.sin() * v
        };
        Self {
            tangents,
            directions: std::array::from_fn(direction),
            supports: [f32::NEG_INFINITY; DIRECTIONS],
            places: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Keeps another.
    pub fn add(&mut self, place: usize, point: Vec3) {
        self.places.push(place);
        self.points.push(point);
        for (support, direction) in self.supports.iter_mut().zip(&self.directions) {
            *support = support.max(direction.dot(point));
        }
    }

    /// How far a point is outside of the hull of what is kept in one of a few directions along the patch: enough to choose the next by, at
    /// the cost of one pass.
    pub fn outside_hull(&self, p: Vec3) -> f32 {
        (self.directions.iter().zip(&self.supports))
            .map(|(direction, support)| direction.dot(p) - support)
            .fold(0.0, f32::max)
    }

    /// How far a point is outside of the hull of what is kept, seen along the normal. It is outside where a line through it and a point that
    /// is kept has all others on one side, and then as far away as from the nearest of all segments between them.
    pub fn hull_distance(&self, p: Vec3) -> f32 {
        let mut outside = false;
        let mut least = f32::INFINITY;
        for first in &self.points {
            let a = self.tangents.flat(first - p);
            let (mut left, mut right) = (true, true);
            least = least.min(a.length());
            for second in &self.points {
                let b = self.tangents.flat(second - p);
                let (along, turn) = (b - a, a.perp_dot(b));
                left &= turn >= 0.0;
                right &= turn <= 0.0;
                let square = along.length_squared();
                let part = match square > 0.0 {
                    true => (-a.dot(along) / square).clamp(0.0, 1.0),
                    false => 0.0,
                };
                least = least.min((a + part * along).length());
            }
            outside |= left || right;
        }
        if outside { least } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_outside_of_a_square_by_their_distance_to_it_along_the_patch() {
        let tangents = Tangents::of(Vec3::Z);
        let mut kept = Kept::new(&tangents);
        assert_eq!(kept.hull_distance(Vec3::ZERO), 0.0);
        for (place, (x, y)) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .into_iter()
            .enumerate()
        {
            kept.add(place, Vec3::new(x, y, 0.3 * x));
        }
        // Heights do not count; beside a side, beside a corner, inside, on the rim.
        let far = 0.5 * 2.0_f32.sqrt();
        for (p, distance) in [
            (Vec3::new(2.0, 0.5, 7.0), 1.0),
            (Vec3::new(1.5, 1.5, 0.0), far),
            (Vec3::new(0.25, 0.5, -1.0), 0.0),
            (Vec3::new(0.5, 0.0, 0.0), 0.0),
        ] {
            assert!((kept.hull_distance(p) - distance).abs() < 1e-6, "{p}");
            // The few directions see no more than there is, and along one of them all of it.
            assert!(kept.outside_hull(p) <= distance + 1e-6, "{p}");
        }
        assert!((kept.outside_hull(Vec3::new(2.0, 0.5, 0.0)) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn tangents_are_square_to_the_normal_and_to_each_other() {
        for normal in [Vec3::X, Vec3::NEG_Z, Vec3::new(1.0, -2.0, 0.5).normalize()] {
            let Tangents([u, v]) = Tangents::of(normal);
            for product in [u.dot(v), u.dot(normal), v.dot(normal)] {
                assert!(product.abs() < 1e-6, "{normal}");
            }
            assert!((u.cross(v) - normal).length() < 1e-6, "{normal}");
        }
    }
}
