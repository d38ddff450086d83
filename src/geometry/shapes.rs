//! Closed meshes with known geometry, of any triangle count: spheres, capsules, boxes, tori, knots.
//!
//! Vertices lie on the named surface to f32 rounding; triangles run counter-clockwise seen from outside.

use crate::geometry::surface::Surface;
use glam::{DVec3, Vec3};
use std::f64::consts::{PI, TAU};

/// An owned triangle mesh.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Vertex positions.
    pub positions: Vec<Vec3>,
    /// Three vertex indices a triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// The mesh as the rest of `geometry` takes it.
    pub fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            triangles: &self.triangles,
        }
    }

    /// The mesh with every position replaced.
    pub fn map(mut self, f: impl Fn(Vec3) -> Vec3) -> Self {
        for p in &mut self.positions {
            *p = f(*p);
        }
        self
    }

    /// The mesh turned inside out.
    pub fn flipped(mut self) -> Self {
        for [_, b, c] in &mut self.triangles {
            std::mem::swap(b, c);
        }
        self
    }

    /// Both meshes as one, not connected.
    pub fn with(mut self, other: &Self) -> Self {
        let base = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|v| v + base)));
        self
    }

    /// Every triangle with its own three vertices, as STL files have them.
    pub fn split(&self) -> Self {
        let positions = self
            .triangles
            .iter()
            .flat_map(|t| t.map(|v| self.positions[v as usize]))
            .collect();
        let triangles = (0..self.triangles.len() as u32)
            .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
            .collect();
        Self {
            positions,
            triangles,
        }
    }
}

/// A sphere about the origin: `2 slices (stacks - 1)` triangles. At least 3 slices and 2 stacks.
pub fn sphere(radius: f64, slices: u32, stacks: u32) -> Shape {
    let profile: Vec<_> = (0..=stacks)
        .map(|i| {
            let angle = PI * f64::from(i) / f64::from(stacks);
            (radius * angle.sin(), -radius * angle.cos())
        })
        .collect();
    lathe(&profile, slices)
}

/// A capsule about the z axis: hemispheres of `stacks` rings at `z = +-half_height`, a straight wall between them.
pub fn capsule(radius: f64, half_height: f64, slices: u32, stacks: u32) -> Shape {
    let ring = |i: u32| {
        let angle = 0.5 * PI * f64::from(i) / f64::from(stacks);
        (radius * angle.sin(), half_height + radius * angle.cos())
    };
    let lower = (0..=stacks).map(|i| (ring(i).0, -ring(i).1));
    let upper = (0..=stacks).rev().map(ring);
    lathe(&lower.chain(upper).collect::<Vec<_>>(), slices)
}

/// A box about the origin with `cells * cells` squares of two triangles on each side. At least 1 cell.
pub fn cuboid(half_size: Vec3, cells: u32) -> Shape {
    let mut shape = Shape::default();
    let side = cells + 1;
    for face in 0..6 {
        let (axis, positive) = (face / 2, face % 2 == 1);
        let base = shape.positions.len() as u32;
        for k in 0..side * side {
            let at = |i: u32| 2.0 * i as f32 / cells as f32 - 1.0;
            let mut p = [0.0; 3];
            p[axis] = if positive { 1.0 } else { -1.0 };
            p[(axis + 1) % 3] = at(k % side);
            p[(axis + 2) % 3] = at(k / side);
            shape.positions.push(half_size * Vec3::from(p));
        }
        for k in 0..cells * cells {
            let a = base + k / cells * side + k % cells;
            quad(
                &mut shape.triangles,
                [a, a + 1, a + side + 1, a + side],
                positive,
            );
        }
    }
    // The sides meet exactly, so equal positions are the same vertex.
    let first = crate::geometry::topology::weld::by_position(&shape.positions);
    let mut kept = Vec::new();
    let mut renamed = vec![0; first.len()];
    for (i, &f) in first.iter().enumerate() {
        if f as usize == i {
            renamed[i] = kept.len() as u32;
            kept.push(shape.positions[i]);
        } else {
            renamed[i] = renamed[f as usize];
        }
    }
    let triangles = shape
        .triangles
        .iter()
        .map(|t| t.map(|v| renamed[v as usize]))
        .collect();
    Shape {
        positions: kept,
        triangles,
    }
}

/// A torus about the z axis: `2 around across` triangles. At least 3 of each.
pub fn torus(major: f64, minor: f64, around: u32, across: u32) -> Shape {
    tube(around, across, minor, |u| {
        let (sin, cos) = u.sin_cos();
        (
            DVec3::new(major * cos, major * sin, 0.0),
            DVec3::new(cos, sin, 0.0),
            DVec3::Z,
        )
    })
}

/// A tube along the (2, 3) torus knot: `2 around across` triangles, about 6 units wide.
pub fn knot(minor: f64, around: u32, across: u32) -> Shape {
    tube(around, across, minor, |u| {
        let at = |u: f64| {
            let ring = 2.0 + (3.0 * u).cos();
            DVec3::new(
                ring * (2.0 * u).cos(),
                ring * (2.0 * u).sin(),
                (3.0 * u).sin(),
            )
        };
        let tangent = (at(u + 1e-5) - at(u - 1e-5)).normalize();
        // The curve lies on a torus, whose normal is a frame that closes without a twist.
        let normal = at(u) - 2.0 * DVec3::new((2.0 * u).cos(), (2.0 * u).sin(), 0.0);
        let normal = normal.reject_from(tangent).normalize();
        (at(u), normal, normal.cross(tangent))
    })
}

/// Revolves `(radius, z)` points about the z axis; the first and the last point are poles.
fn lathe(profile: &[(f64, f64)], slices: u32) -> Shape {
    let mut shape = Shape::default();
    let last = profile.len() - 1;
    shape
        .positions
        .push(Vec3::new(0.0, 0.0, profile[0].1 as f32));
    for &(radius, z) in &profile[1..last] {
        for i in 0..slices {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(slices)).sin_cos();
            shape
                .positions
                .push(DVec3::new(radius * cos, radius * sin, z).as_vec3());
        }
    }
    let top = shape.positions.len() as u32;
    shape
        .positions
        .push(Vec3::new(0.0, 0.0, profile[last].1 as f32));
    for i in 0..slices {
        let j = (i + 1) % slices;
        shape.triangles.push([0, 1 + j, 1 + i]);
        for row in 0..last as u32 - 2 {
            let a = 1 + row * slices;
            quad(
                &mut shape.triangles,
                [a + i, a + j, a + slices + j, a + slices + i],
                true,
            );
        }
        shape
            .triangles
            .push([top, top - slices + i, top - slices + j]);
    }
    shape
}

/// Sweeps a circle along a closed curve that gives a centre and two axes, `normal` and `binormal = normal x tangent`.
fn tube(
    around: u32,
    across: u32,
    radius: f64,
    curve: impl Fn(f64) -> (DVec3, DVec3, DVec3),
) -> Shape {
    let mut shape = Shape::default();
    for i in 0..around {
        let (centre, normal, binormal) = curve(TAU * f64::from(i) / f64::from(around));
        for j in 0..across {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            shape
                .positions
                .push((centre + radius * (cos * normal + sin * binormal)).as_vec3());
        }
    }
    for i in 0..around {
        let (a, b) = (i * across, (i + 1) % around * across);
        for j in 0..across {
            let k = (j + 1) % across;
            quad(&mut shape.triangles, [a + j, b + j, b + k, a + k], true);
        }
    }
    shape
}

fn quad(triangles: &mut Vec<[u32; 3]>, [a, b, c, d]: [u32; 4], forward: bool) {
    let pair = if forward {
        [[a, b, c], [a, c, d]]
    } else {
        [[a, c, b], [a, d, c]]
    };
    triangles.extend(pair);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::topology::{Facts, Vertices};

    /// Closed, manifold, outwards, and with the volume and area of the ideal shape up to the facets.
    fn check(shape: &Shape, triangles: u32, volume: f64, area: f64) {
        let facts = Facts::of(shape.surface(), Vertices::AsIndexed);
        assert_eq!(facts.triangles, triangles);
        assert!(facts.is_solid(), "{facts:?}");
        assert!(
            (facts.volume / volume - 1.0).abs() < 2e-3,
            "volume {} {volume}",
            facts.volume
        );
        assert!(
            (facts.area / area - 1.0).abs() < 2e-3,
            "area {} {area}",
            facts.area
        );
    }

    #[test]
    fn shapes_have_their_volume_and_area() {
        check(
            &sphere(2.0, 200, 100),
            2 * 200 * 99,
            32.0 / 3.0 * PI,
            16.0 * PI,
        );
        check(&cuboid(Vec3::new(0.5, 1.0, 1.5), 3), 12 * 9, 6.0, 22.0);
        check(
            &torus(2.0, 0.5, 200, 100),
            2 * 200 * 100,
            PI * PI,
            4.0 * PI * PI,
        );
        check(
            &capsule(1.0, 2.0, 200, 50),
            2 * 200 * 100,
            4.0 / 3.0 * PI + 4.0 * PI,
            4.0 * PI + 8.0 * PI,
        );
        // A tube's volume is its section times the length of the curve (Pappus), here summed finely.
        let at = |u: f64| {
            let r = 2.0 + (3.0 * u).cos();
            DVec3::new(r * (2.0 * u).cos(), r * (2.0 * u).sin(), (3.0 * u).sin())
        };
        let n = 100_000;
        let length: f64 = (0..n)
            .map(|i| at(TAU * f64::from(i) / 1e5).distance(at(TAU * f64::from(i + 1) / 1e5)))
            .sum();
        check(
            &knot(0.3, 1000, 100),
            200_000,
            PI * 0.09 * length,
            TAU * 0.3 * length,
        );
    }

    #[test]
    fn a_flipped_shape_has_negative_volume_and_two_shapes_add_up() {
        let cube = cuboid(Vec3::ONE, 1);
        let flipped = Facts::of(cube.clone().flipped().surface(), Vertices::AsIndexed);
        assert_eq!(flipped.volume, -8.0);
        let both = cube.clone().with(&cube.map(|p| p + 5.0));
        assert_eq!(Facts::of(both.surface(), Vertices::AsIndexed).volume, 16.0);
    }
}
