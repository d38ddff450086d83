//! Where samples on a lattice are zero: as triangles in space, as segments in a plane.
//!
//! Each cube is cut in six tetrahedra around one diagonal, each square in two triangles, which neighbours cut alike along their common side:
//! the surface has no gaps. Along an edge whose ends differ in sign it goes where linear interpolation is zero.

use super::grid::{Grid, corners, index, places};
use crate::error::Result;
use glam::{DVec3, UVec3};

/// The tetrahedra of a cube: corner `i` has the bits x, y, z.
const TETRAHEDRA: [[usize; 4]; 6] = [
    [0, 1, 3, 7],
    [0, 1, 5, 7],
    [0, 2, 3, 7],
    [0, 2, 6, 7],
    [0, 4, 5, 7],
    [0, 4, 6, 7],
];

/// A place and the sample there.
type NodeSample = (DVec3, f32);

/// Where the line between two corners of different signs is zero.
fn crossing((p, v): NodeSample, (q, w): NodeSample) -> DVec3 {
    let (v, w) = (f64::from(v), f64::from(w));
    p.lerp(q, v / (v - w))
}

/// Hands over the triangles of the surface where the samples at a grid's nodes are zero, counter-clockwise as seen from where they are
/// positive. `done` is asked once per cell.
pub fn zero_set(
    grid: &Grid,
    samples: &[f32],
    mut done: impl FnMut() -> Result<()>,
    mut each: impl FnMut([DVec3; 3]) -> Result<()>,
) -> Result<()> {
    for cell in places(grid.nodes - 1) {
        done()?;
        let cube = corners(cell).map(|node| (grid.position(node), samples[grid.index(node)]));
        if cube.iter().all(|c| c.1 < 0.0) || cube.iter().all(|c| c.1 >= 0.0) {
            continue;
        }
        for tetrahedron in TETRAHEDRA {
            cut(tetrahedron.map(|corner| cube[corner]), &mut each)?;
        }
    }
    Ok(())
}

/// The triangle or the quadrangle that parts the corners of a tetrahedron by their signs.
fn cut(
    tetrahedron: [NodeSample; 4],
    each: &mut impl FnMut([DVec3; 3]) -> Result<()>,
) -> Result<()> {
    let mut sorted = tetrahedron;
    sorted.sort_by_key(|corner| corner.1 >= 0.0);
    let inside = sorted.iter().filter(|corner| corner.1 < 0.0).count();
    let [a, b, c, d] = sorted;
    let outwards = d.0 - a.0;
    let mut facing = |[p, q, r]: [DVec3; 3]| {
        let normal = (q - p).cross(r - p);
        match normal.dot(outwards) {
            size if size > 0.0 => each([p, q, r]),
            size if size < 0.0 => each([p, r, q]),
            _ => Ok(()), // without area
        }
    };
    match inside {
        1 => facing([crossing(a, b), crossing(a, c), crossing(a, d)]),
        2 => {
            let [p, q] = [crossing(a, c), crossing(b, d)];
            facing([p, crossing(a, d), q])?;
            facing([p, q, crossing(b, c)])
        }
        3 => facing([crossing(d, a), crossing(d, b), crossing(d, c)]),
        _ => Ok(()),
    }
}

/// Hands over the triangles of a plane lattice of `across` x `down` points, row by row, with the samples at their corners.
pub fn triangles_of_plane(
    [across, down]: [u32; 2],
    mut each: impl FnMut([usize; 3]) -> Result<()>,
) -> Result<()> {
    let size = UVec3::new(across, down, 1);
    let at = |x: u32, y: u32| index(UVec3::new(x, y, 0), size);
    for y in 1..down {
        for x in 1..across {
            each([at(x - 1, y - 1), at(x, y - 1), at(x, y)])?;
            each([at(x - 1, y - 1), at(x, y), at(x - 1, y)])?;
        }
    }
    Ok(())
}

/// The segment of a triangle along which samples at its corners are zero.
pub fn zero_segment(triangle: [NodeSample; 3]) -> Option<[DVec3; 2]> {
    let mut sorted = triangle;
    sorted.sort_by_key(|corner| corner.1 >= 0.0);
    let [a, b, c] = sorted;
    match sorted.iter().filter(|corner| corner.1 < 0.0).count() {
        1 => Some([crossing(a, b), crossing(a, c)]),
        2 => Some([crossing(a, c), crossing(b, c)]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn grid(cells: u32) -> Grid {
        Grid {
            origin: Vec3::splat(-1.5),
            spacing: 3.0 / cells as f32,
            nodes: UVec3::splat(cells + 1),
        }
    }

    fn surface_of(grid: &Grid, distance: impl Fn(DVec3) -> f64) -> Vec<[DVec3; 3]> {
        let samples: Vec<f32> = places(grid.nodes)
            .map(|node| distance(grid.position(node)) as f32)
            .collect();
        let mut triangles = Vec::new();
        let each = |triangle| {
            triangles.push(triangle);
            Ok(())
        };
        zero_set(grid, &samples, || Ok(()), each).expect("nothing refuses");
        triangles
    }

    /// By Gauss: a third of the sum of the corners' products.
    fn volume(triangles: &[[DVec3; 3]]) -> f64 {
        let of = |[p, q, r]: &[DVec3; 3]| p.dot(q.cross(*r)) / 6.0;
        triangles.iter().map(of).sum()
    }

    #[test]
    fn a_plane_is_found_where_it_is_and_faces_outwards() {
        let normal = DVec3::new(0.6, 0.0, 0.8);
        let found = surface_of(&grid(8), |p| p.dot(normal) - 0.1);
        let area: DVec3 = found
            .iter()
            .map(|[p, q, r]| (*q - *p).cross(*r - *p) / 2.0)
            .sum();
        // The plane 0.6 x + 0.8 z = 0.1 crosses the domain in 3 along y, and between x = -1.5 and 1.5 on a slant.
        let expected = normal * (3.0 * 3.0 / 0.8);
        assert!(
            (area - expected).length() < 1e-5,
            "{area} is not {expected}"
        );
        for corner in found.iter().flatten() {
            assert!((corner.dot(normal) - 0.1).abs() < 1e-6, "{corner}");
        }
    }

    #[test]
    fn a_sphere_closes_up_around_its_volume() {
        for cells in [12, 24] {
            let grid = grid(cells);
            let found = surface_of(&grid, |p| p.length() - 1.0);
            let sum: DVec3 = found.iter().map(|[p, q, r]| (*q - *p).cross(*r - *p)).sum();
            assert!(
                sum.length() < 1e-5,
                "a closed surface has no area vector: {sum}"
            );
            // Inscribed: interpolation is off by less than h^2 / 4 along an edge, which is at most sqrt(3) h long.
            let off = 3.0 * f64::from(grid.spacing).powi(2) / 4.0;
            let exact = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
            let volume = volume(&found);
            assert!(
                volume < exact(1.0) + 1e-6 && volume > exact(1.0 - 2.0 * off),
                "{volume}"
            );
        }
    }

    #[test]
    fn a_segment_goes_between_the_corners_of_different_signs() {
        let corner = |x: f64, y: f64, v: f32| (DVec3::new(x, y, 0.0), v);
        let found = zero_segment([
            corner(0.0, 0.0, -1.0),
            corner(4.0, 0.0, 3.0),
            corner(0.0, 2.0, 1.0),
        ]);
        assert_eq!(found, Some([DVec3::X, DVec3::Y]));
        assert_eq!(zero_segment([corner(0.0, 0.0, 1.0); 3]), None);
    }
}
