//! What can be said about a surface before any query: is it closed, manifold, oriented; its area, volume and box.

pub mod adjacency;
pub mod edges;
pub mod forest;
pub mod incidence;
pub mod representatives;
pub mod rim;
#[cfg(test)]
mod shapes;
pub mod weld;

use crate::geometry::aabb::Aabb;
use crate::geometry::surface::Surface;
use crate::memory::{self, ParallelGather};
use adjacency::{Adjacency, NONE};
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use std::borrow::Cow;

/// Which vertices count as the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// Those with the same index.
    AsIndexed,
    /// Those with exactly the same position too: for files that split vertices, such as STL.
    Welded,
}

/// The triangles of a surface over vertices that count as the same, and which of them lie beside each other.
#[derive(Debug)]
pub struct Connectivity<'a> {
    /// How vertices were identified.
    pub vertices: Vertices,
    /// The corners of each triangle; of vertices that count as the same, always the same one.
    pub triangles: Cow<'a, [[u32; 3]]>,
    /// Which triangle lies across which edge.
    pub adjacency: Adjacency,
}

impl<'a> Connectivity<'a> {
    /// That of a valid surface.
    pub fn of(surface: Surface<'a>, vertices: Vertices) -> Self {
        let triangles = match vertices {
            Vertices::AsIndexed => Cow::Borrowed(surface.triangles),
            Vertices::Welded => Cow::Owned(welded_triangles(surface)),
        };
        Self {
            vertices,
            adjacency: Adjacency::of(&triangles, surface.positions.len()),
            triangles,
        }
    }
}

/// The facts of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// How vertices were identified; everything about edges and vertices below depends on it.
    pub vertices: Vertices,
    /// Distinct vertices that some triangle uses; one with a repeated vertex does not count.
    pub used_vertices: u32,
    /// All triangles, degenerate ones too.
    pub triangles: u32,
    /// Triangles with a repeated vertex or with three corners on a line, decided exactly.
    pub degenerate_triangles: u32,
    /// Edges with one triangle.
    pub border_edges: u32,
    /// Edges with three or more triangles.
    pub non_manifold_edges: u32,
    /// Vertices whose triangles do not form a single fan.
    pub non_manifold_vertices: u32,
    /// Every edge has an even number of triangles: there is an inside and an outside.
    pub closed: bool,
    /// Each edge is run along equally often in both directions, border edges aside.
    pub oriented: bool,
    /// Sum of the triangles' areas.
    pub area: f64,
    /// Signed volume by the divergence theorem; meaningful when closed and oriented. Positive when outwards.
    pub volume: f64,
    /// Centre of mass; zero unless the surface is closed and oriented with a volume.
    pub centre_of_mass: DVec3,
    /// Inertia tensor about the centre of mass for unit density, with the sign of the volume; zero where there is no centre.
    pub inertia: DMat3,
    /// Box of all triangles.
    pub bounds: Aabb,
}

impl Facts {
    /// Takes stock of a valid surface.
    pub fn of(surface: Surface, vertices: Vertices) -> Self {
        Self::connected(surface, &Connectivity::of(surface, vertices))
    }

    /// Takes stock of a valid surface whose connectivity is known.
    pub fn connected(surface: Surface, connectivity: &Connectivity) -> Self {
        let Connectivity {
            vertices,
            triangles,
            adjacency,
        } = connectivity;
        let (used_vertices, non_manifold_vertices) =
            fans(triangles, surface.positions.len(), adjacency);
        let bounds = surface.bounds();
        let sums = Sums::of(surface, bounds);
        let closed = adjacency.odd_edges == 0 && !triangles.is_empty();
        let oriented = adjacency.unbalanced_edges == adjacency.border_edges;
        let (centre_of_mass, inertia) = match closed && oriented {
            true => sums.mass(),
            false => (DVec3::ZERO, DMat3::ZERO),
        };
        Self {
            vertices: *vertices,
            used_vertices,
            triangles: triangles.len() as u32,
            degenerate_triangles: sums.degenerate,
            border_edges: adjacency.border_edges,
            non_manifold_edges: adjacency.non_manifold_edges,
            non_manifold_vertices,
            closed,
            oriented,
            area: sums.area,
            volume: sums.sixfold_volume / 6.0,
            centre_of_mass,
            inertia,
            bounds,
        }
    }

    /// Each edge has at most two triangles.
    pub fn is_edge_manifold(&self) -> bool {
        self.non_manifold_edges == 0
    }

    /// Each edge has at most two triangles and each vertex a single fan of them.
    pub fn is_manifold(&self) -> bool {
        self.is_edge_manifold() && self.non_manifold_vertices == 0
    }

    /// Closed, manifold and oriented: pseudonormals tell inside from outside.
    pub fn is_solid(&self) -> bool {
        self.closed && self.oriented && self.is_manifold()
    }
}

/// The triangles with each vertex replaced by the first one at its position.
fn welded_triangles(surface: Surface) -> Vec<[u32; 3]> {
    let first = weld::by_position(surface.positions);
    surface
        .triangles
        .par_iter()
        .with_min_len(4096)
        .map(|t| t.map(|v| first[v as usize]))
        .par_gather()
}

/// Whether the corners lie on a line. Exact: they do if and only if their three axis projections do, and
/// Shewchuk's adaptive predicate decides those (f32 products are far from overflow or underflow in f64).
pub fn is_degenerate(corners: [DVec3; 3]) -> bool {
    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(x, y)| {
        let [a, b, c] = corners.map(|p| robust::Coord { x: p[x], y: p[y] });
        robust::orient2d(a, b, c) == 0.0
    })
}

/// Counts the vertices in use, and those whose triangles are not all reached by walking around the vertex.
fn fans(triangles: &[[u32; 3]], vertices: usize, adjacency: &Adjacency) -> (u32, u32) {
    let mut valence = memory::filled(0u32, vertices);
    let mut outgoing = memory::filled(NONE, vertices);
    for (i, t) in triangles
        .iter()
        .enumerate()
        .filter(|(_, t)| !adjacency::is_collapsed(**t))
    {
        for (k, &v) in t.iter().enumerate() {
            valence[v as usize] += 1;
            outgoing[v as usize] = 3 * i as u32 + k as u32;
        }
    }
    (0..vertices as u32)
        .into_par_iter()
        .with_min_len(1024)
        .filter(|&v| valence[v as usize] > 0)
        .map(|v| {
            let corner = outgoing[v as usize];
            let leaving = [corner, corner / 3 * 3 + (corner + 2) % 3];
            let (mut reached, closed) = walk(triangles, adjacency, v, leaving[0]);
            if !closed {
                reached += walk(triangles, adjacency, v, leaving[1]).0 - 1;
            }
            (1, u32::from(reached != valence[v as usize]))
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Walks around vertex `v`, leaving the first triangle across `side`. Counts the triangles met, the first one too,
/// and says whether the walk came back to it. Neighbours may be oriented either way.
fn walk(triangles: &[[u32; 3]], adjacency: &Adjacency, v: u32, side: u32) -> (u32, bool) {
    let first = side / 3;
    let (mut side, mut count) = (side, 1);
    loop {
        let across = adjacency.twins[side as usize];
        if across == NONE || across / 3 == first {
            return (count, across != NONE);
        }
        count += 1;
        // The other side of the triangle at v: the one after `across` if that ends in v, else the one before.
        let step = if adjacency::end(triangles, across) == v {
            1
        } else {
            2
        };
        side = across / 3 * 3 + (across + step) % 3;
    }
}

struct Sums {
    /// What the moments are about.
    origin: DVec3,
    degenerate: u32,
    area: f64,
    /// Divided once at the end, so that dyadic coordinates give an exact volume.
    sixfold_volume: f64,
    /// Each tetrahedron's six volumes times the sum of its corners: 24 times the first moment.
    first_moment: DVec3,
    /// 120 times the integral of x x^T.
    second_moment: DMat3,
}

impl Sums {
    fn none(origin: DVec3) -> Self {
        Self {
            origin,
            degenerate: 0,
            area: 0.0,
            sixfold_volume: 0.0,
            first_moment: DVec3::ZERO,
            second_moment: DMat3::ZERO,
        }
    }

    /// Summed in chunks of fixed size, in order: the same bits for any number of threads.
    fn of(surface: Surface, bounds: Aabb) -> Self {
        const CHUNK: usize = 4096;
        // About the middle of the box the terms are smallest, and their cancellation least.
        let origin = if bounds.is_empty() {
            DVec3::ZERO
        } else {
            bounds.centre().as_dvec3()
        };
        let chunks: Vec<Self> = surface
            .triangles
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut sums = Self::none(origin);
                for t in chunk {
                    let corners = t.map(|v| surface.positions.at(v));
                    let [a, b, c] = corners;
                    let normal = (b - a).cross(c - a);
                    sums.degenerate += u32::from(is_degenerate(corners));
                    sums.area += 0.5 * normal.length();
                    // The tetrahedron of the triangle and the origin. Its second moment is V/20 (s s^T + sum of p p^T) over its
                    // corners p with sum s.
                    let sixfold = (a - origin).dot(normal);
                    let corners = corners.map(|p| p - origin);
                    let sum: DVec3 = corners.into_iter().sum();
                    let squares = corners.into_iter().fold(outer(sum), |m, p| m + outer(p));
                    sums.sixfold_volume += sixfold;
                    sums.first_moment += sixfold * sum;
                    sums.second_moment += sixfold * squares;
                }
                sums
            })
            .par_gather();
        chunks.iter().fold(Self::none(origin), |s, c| Self {
            origin,
            degenerate: s.degenerate + c.degenerate,
            area: s.area + c.area,
            sixfold_volume: s.sixfold_volume + c.sixfold_volume,
            first_moment: s.first_moment + c.first_moment,
            second_moment: s.second_moment + c.second_moment,
        })
    }

    /// Centre of mass and inertia about it; zero without a volume.
    fn mass(&self) -> (DVec3, DMat3) {
        if self.sixfold_volume == 0.0 {
            return (DVec3::ZERO, DMat3::ZERO);
        }
        let centre = self.first_moment / (4.0 * self.sixfold_volume);
        let moment = self.second_moment / 120.0 - (self.sixfold_volume / 6.0) * outer(centre);
        let trace = moment.x_axis.x + moment.y_axis.y + moment.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - moment;
        (self.origin + centre, inertia)
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};
    use glam::Vec3;

    fn facts(shape: &Shape) -> Facts {
        Facts::of(shape.surface(), Vertices::AsIndexed)
    }

    #[test]
    fn a_cube_is_solid_and_exact() {
        let f = facts(&shapes::cuboid(Vec3::new(1.0, 2.0, 3.0), 1));
        assert!(f.is_solid());
        assert_eq!(
            (f.used_vertices, f.triangles, f.degenerate_triangles),
            (8, 12, 0)
        );
        assert_eq!((f.area, f.volume), (88.0, 48.0));
        assert_eq!(
            f.bounds,
            Aabb {
                min: Vec3::new(-1.0, -2.0, -3.0),
                max: Vec3::new(1.0, 2.0, 3.0)
            }
        );
    }

    #[test]
    fn far_from_the_origin_the_volume_stays() {
        let f = facts(&shapes::cuboid(Vec3::ONE, 4).map(|p| p + 1024.0 * 1024.0));
        assert_eq!(f.volume, 8.0);
    }

    #[test]
    fn a_box_has_its_textbook_inertia_wherever_it_is() {
        for shift in [Vec3::ZERO, Vec3::new(5.0, -7.0, 1024.0)] {
            let f = facts(&shapes::cuboid(Vec3::new(1.0, 2.0, 3.0), 3).map(|p| p + shift));
            assert!((f.centre_of_mass - shift.as_dvec3()).length() < 1e-12);
            // m/3 (b^2 + c^2) with half sides and m = 48.
            let expected = DMat3::from_diagonal(16.0 * DVec3::new(13.0, 10.0, 5.0));
            assert!(
                (f.inertia - expected).abs_diff_eq(DMat3::ZERO, 1e-9),
                "{:?}",
                f.inertia
            );
        }
    }

    #[test]
    fn a_tetrahedron_has_its_inertia_and_turned_inside_out_the_opposite() {
        let mut corner = Shape {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        };
        // Of the unit corner: V = 1/6, the integral of x^2 is 1/60 and of xy 1/120; about the centre 1/160 and -1/480.
        let (on, off) = (1.0 / 80.0, 1.0 / 480.0);
        let expected = DMat3::from_cols_array(&[on, off, off, off, on, off, off, off, on]);
        let f = facts(&corner);
        assert!((f.centre_of_mass - DVec3::splat(0.25)).length() < 1e-15);
        assert!(f.inertia.abs_diff_eq(expected, 1e-15), "{:?}", f.inertia);
        corner.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        let f = facts(&corner);
        assert!((f.centre_of_mass - DVec3::splat(0.25)).length() < 1e-15);
        assert!(f.inertia.abs_diff_eq(-1.0 * expected, 1e-15));
    }

    #[test]
    fn finer_spheres_approach_two_fifths_of_m_r_squared() {
        let error = |around| {
            let f = facts(&shapes::sphere(2.0, around, around / 2));
            let ratio = f.inertia * (2.5 / (f.volume * 4.0));
            (ratio - DMat3::IDENTITY)
                .to_cols_array()
                .map(f64::abs)
                .into_iter()
                .fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(32), error(64));
        // The error is of second order.
        assert!(fine < 0.01 && fine < coarse / 3.0, "{coarse} {fine}");
    }

    #[test]
    fn without_an_inside_there_is_no_mass() {
        let mut open = shapes::cuboid(Vec3::ONE, 1);
        open.triangles.truncate(10);
        let f = facts(&open);
        assert_eq!((f.centre_of_mass, f.inertia), (DVec3::ZERO, DMat3::ZERO));
    }

    #[test]
    fn a_missing_face_opens_the_cube() {
        let mut cube = shapes::cuboid(Vec3::ONE, 1);
        cube.triangles.truncate(10);
        let f = facts(&cube);
        assert!(!f.closed && f.oriented && f.is_manifold());
        assert_eq!(f.border_edges, 4);
    }

    #[test]
    fn one_flipped_triangle_breaks_the_orientation_only() {
        let mut cube = shapes::cuboid(Vec3::ONE, 2);
        cube.triangles[5].swap(0, 1);
        let f = facts(&cube);
        assert!(f.closed && f.is_manifold() && !f.oriented);
    }

    #[test]
    fn split_vertices_need_welding() {
        let sphere = shapes::sphere(1.0, 16, 8);
        let split = sphere.split();
        let raw = facts(&split);
        assert!(!raw.closed);
        assert_eq!(raw.border_edges, raw.triangles * 3);
        let welded = Facts::of(split.surface(), Vertices::Welded);
        assert!(welded.is_solid());
        assert_eq!(welded.used_vertices as usize, sphere.positions.len());
        assert_eq!(welded.volume, facts(&sphere).volume);
    }

    #[test]
    fn two_cubes_meeting_at_a_vertex_or_an_edge_are_closed_but_not_manifold() {
        let cube = shapes::cuboid(Vec3::ONE, 1);
        for (offset, non_manifold) in [(Vec3::splat(2.0), 0), (Vec3::new(2.0, 2.0, 0.0), 1)] {
            let both = cube.clone().with(&cube.clone().map(|p| p + offset));
            let f = Facts::of(both.surface(), Vertices::Welded);
            assert!(f.closed && f.oriented && !f.is_manifold());
            assert_eq!(f.non_manifold_edges, non_manifold);
            assert_eq!(f.non_manifold_vertices, 1 + non_manifold);
            assert!(
                facts(&both).is_solid(),
                "as indexed they are two separate solids"
            );
        }
    }

    #[test]
    fn degenerate_triangles_are_told_exactly() {
        let third = 1.0 / 3.0f32;
        let up = |x: f32| f32::from_bits(x.to_bits() + 1);
        let positions = [
            Vec3::ZERO,
            Vec3::new(third, third, third),
            Vec3::new(2.0 * third, 2.0 * third, 2.0 * third),
            Vec3::new(2.0 * third, 2.0 * third, up(2.0 * third)),
            Vec3::new(1e-30, 0.0, 0.0),
            Vec3::new(0.0, 1e-30, 0.0),
        ];
        let count = |t: [u32; 3]| {
            Facts::of(
                Surface {
                    positions: (&positions[..]).into(),
                    triangles: &[t],
                },
                Vertices::AsIndexed,
            )
        };
        assert_eq!(count([0, 1, 2]).degenerate_triangles, 1, "collinear");
        assert_eq!(
            count([0, 1, 3]).degenerate_triangles,
            0,
            "one ulp off the line"
        );
        assert_eq!(count([0, 1, 1]).degenerate_triangles, 1, "repeated vertex");
        assert_eq!(
            count([0, 4, 5]).degenerate_triangles,
            0,
            "tiny but with area"
        );
    }

    #[test]
    fn an_empty_surface_has_no_inside() {
        let f = facts(&Shape::default());
        assert!(!f.closed && f.bounds.is_empty());
        assert_eq!((f.area, f.volume), (0.0, 0.0));
    }

    #[test]
    fn a_moebius_band_cannot_be_oriented() {
        // Five quads around, the last joined with a half twist.
        let v = |i: u32, side: u32| if i < 5 { 2 * i + side } else { 1 - side };
        let positions = [Vec3::ZERO; 10];
        let triangles: Vec<_> = (0..5)
            .flat_map(|i| {
                [
                    [v(i, 0), v(i + 1, 0), v(i, 1)],
                    [v(i, 1), v(i + 1, 0), v(i + 1, 1)],
                ]
            })
            .collect();
        let f = Facts::of(
            Surface {
                positions: (&positions[..]).into(),
                triangles: &triangles,
            },
            Vertices::AsIndexed,
        );
        assert!(f.is_manifold() && !f.oriented && !f.closed);
        assert_eq!(f.border_edges, 10);
    }
}
