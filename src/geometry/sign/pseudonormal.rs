//! Angle-weighted pseudonormals: which side of a solid a point is on, from its nearest feature alone.
//!
//! Baerentzen & Aanaes 2005, "Signed distance computation using the angle weighted pseudonormal": on a closed, oriented
//! manifold `(p - c) . n` has the sign of the distance, where `c` is the nearest point and `n` the normal of the face,
//! the sum of the normals of both faces at an edge, or the sum at a vertex weighted by the faces' angles there.

use crate::geometry::nearest::Hit;
use crate::geometry::surface::Surface;
use crate::geometry::topology::Connectivity;
use crate::geometry::topology::adjacency::NONE;
use crate::geometry::triangle::closest::Feature;
use crate::memory::{self, ParallelGather};
use glam::DVec3;
use rayon::prelude::*;
use std::sync::Arc;

/// The pseudonormals of a surface.
#[derive(Clone, Debug)]
pub struct Pseudonormals<'a> {
    connectivity: Arc<Connectivity<'a>>,
    faces: Vec<DVec3>,
    /// Not normalised: only directions matter.
    vertices: Vec<DVec3>,
}

impl<'a> Pseudonormals<'a> {
    /// Of a surface that is solid by this connectivity.
    pub fn of(surface: Surface, connectivity: Arc<Connectivity<'a>>) -> Self {
        let corners = |t: &[u32; 3]| t.map(|v| surface.positions.at(v));
        let faces: Vec<DVec3> = connectivity
            .triangles
            .par_iter()
            .with_min_len(4096)
            .map(|t| {
                let [a, b, c] = corners(t);
                (b - a).cross(c - a).normalize_or_zero()
            })
            .par_gather();
        let mut vertices = memory::filled(DVec3::ZERO, surface.positions.len());
        for (t, &face) in connectivity.triangles.iter().zip(&faces) {
            let p = corners(t);
            for k in 0..3 {
                let (to_next, to_last) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
                // The arc tangent keeps its digits at all angles.
                let angle = to_next.cross(to_last).length().atan2(to_next.dot(to_last));
                vertices[t[k] as usize] += angle * face;
            }
        }
        Self {
            connectivity,
            faces,
            vertices,
        }
    }

    /// The pseudonormal of a feature, pointing outwards, of any length.
    pub fn at(&self, triangle: u32, feature: Feature) -> DVec3 {
        let face = self.faces[triangle as usize];
        match feature {
            Feature::Face => face,
            Feature::Edge(k) => {
                match self.connectivity.adjacency.twins[3 * triangle as usize + k as usize] {
                    NONE => face,
                    twin => face + self.faces[twin as usize / 3],
                }
            }
            Feature::Vertex(k) => {
                let corners = self.connectivity.triangles[triangle as usize];
                self.vertices[corners[k as usize] as usize]
            }
        }
    }

    /// Whether `p` lies behind its nearest point, so inside the solid. On the surface it is not.
    pub fn is_behind(&self, p: DVec3, hit: &Hit) -> bool {
        (p - hit.point).dot(self.at(hit.triangle, hit.feature)) < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::nearest::{Nearest, Scratch};
    use crate::geometry::surface::AsSurface;
    use crate::geometry::topology::Vertices;
    use fixtures::shapes::{self, Shape};
    use glam::Vec3;

    fn pseudonormals(surface: Surface) -> Pseudonormals {
        let connectivity = Connectivity::of(surface, Vertices::AsIndexed);
        Pseudonormals::of(surface, Arc::new(connectivity))
    }

    /// Inside by parity: crossings of a ray along a generic direction (Moeller & Trumbore).
    fn inside_by_parity(surface: Surface, p: DVec3) -> bool {
        let direction = DVec3::new(0.5377, 0.8339, -0.2588);
        let crosses = |t: u32| {
            let [a, b, c] = surface.corners_f64(t);
            let (ab, ac) = (b - a, c - a);
            let h = direction.cross(ac);
            let det = ab.dot(h);
            let s = p - a;
            let u = s.dot(h) / det;
            let q = s.cross(ab);
            let v = direction.dot(q) / det;
            u >= 0.0 && v >= 0.0 && u + v <= 1.0 && ac.dot(q) / det > 0.0
        };
        (0..surface.triangles.len() as u32)
            .filter(|&t| crosses(t))
            .count()
            % 2
            == 1
    }

    fn assert_signs(shape: &Shape) {
        let surface = shape.surface();
        let nearest = Nearest::build(surface);
        let normals = pseudonormals(surface);
        let bounds = surface.bounds();
        let (mut scratch, mut inside) = (Scratch::default(), 0);
        let n = 18;
        for i in 0..n * n * n {
            let cell = Vec3::new((i % n) as f32, (i / n % n) as f32, (i / n / n) as f32)
                + Vec3::new(0.31, 0.47, 0.59);
            let p = (bounds.min + bounds.size() * cell / n as f32).as_dvec3();
            let hit = nearest.query(p, f64::INFINITY, &mut scratch).unwrap();
            let behind = normals.is_behind(p, &hit);
            assert_eq!(behind, inside_by_parity(surface, p), "{p} {hit:?}");
            inside += u32::from(behind);
        }
        assert!(inside > 0);
    }

    #[test]
    fn signs_agree_with_ray_parity() {
        assert_signs(&shapes::sphere(1.0, 24, 16));
        assert_signs(&shapes::torus(1.0, 0.4, 24, 12));
        assert_signs(&shapes::knot(0.4, 100, 12));
        assert_signs(&shapes::cuboid(Vec3::new(1.0, 0.2, 0.6), 2));
        // Spikes: edges and vertices with sharp angles, where the normal of any single face fails.
        let spiky = shapes::sphere(1.0, 14, 9);
        let n = spiky.positions.len();
        let spiky = Shape {
            positions: (0..n)
                .map(|i| spiky.positions[i] * if i % 3 == 0 { 3.0 } else { 0.7 })
                .collect(),
            ..spiky
        };
        assert_signs(&spiky);
    }

    #[test]
    fn a_cube_corner_points_along_its_diagonal() {
        let cube = shapes::cuboid(Vec3::ONE, 1);
        let normals = pseudonormals(cube.surface());
        for (t, corners) in cube.triangles.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                let corner = cube.positions[v as usize].as_dvec3();
                let normal = normals.at(t as u32, Feature::Vertex(k as u8)).normalize();
                // However the faces are cut into triangles: that is the point of the angles.
                assert!((normal - corner.normalize()).length() < 1e-15);
            }
        }
    }
}
