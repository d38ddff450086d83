//! A regular grid of cubic cells, and trilinear interpolation on it.

use crate::geometry::aabb::Aabb;
use glam::{DVec3, UVec3, Vec3};

/// Node `(i, j, k)` is at `origin + spacing * (i, j, k)`; in memory `i` runs fastest, then `j`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Where the first node is.
    pub origin: Vec3,
    /// The length of a cell's side.
    pub spacing: f32,
    /// How many nodes along each axis; at least 2.
    pub nodes: UVec3,
}

/// How fine a grid shall be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// This many cells along the longest side of the domain.
    Cells(u32),
    /// Cells of this size.
    CellSize(f32),
}

/// Why a grid cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidGrid {
    /// There is no box to cover.
    #[error("the surface has no triangles, so there is no box to lay a grid over")]
    Empty,
    /// The resolution makes no sense.
    #[error("resolution {0:?}: it must be positive and finite")]
    Resolution(Resolution),
    /// The padding makes no sense, or the surface is a point without padding.
    #[error(
        "padding {0}: it must be finite, not negative, and positive for a surface without extent"
    )]
    Padding(f32),
    /// More nodes than can be held.
    #[error("{} x {} x {} nodes are more than {}: choose a coarser resolution", .0[0], .0[1], .0[2], Grid::MAX_NODES)]
    TooFine([u64; 3]),
    /// A caller's grid that has no cell, or no size.
    #[error(
        "a grid of {nodes} nodes, {spacing} apart, from {origin}: it needs two nodes along each axis, and finite numbers"
    )]
    NoCells {
        /// Nodes along each axis.
        nodes: UVec3,
        /// The length of a cell's side.
        spacing: f32,
        /// Where the first node is.
        origin: Vec3,
    },
}

impl Grid {
    /// The most nodes: their number has 32 bits, and a bake holds 16 bytes for each, so 4 GiB.
    pub const MAX_NODES: u64 = 1 << 28;

    /// Covers `bounds` moved outwards by `padding`, with a multiple of `multiple` cells along each axis.
    pub fn around(
        bounds: Aabb,
        padding: f32,
        resolution: Resolution,
        multiple: u32,
    ) -> Result<Self, InvalidGrid> {
        if bounds.is_empty() {
            return Err(InvalidGrid::Empty);
        }
        let size = (bounds.max.as_dvec3() - bounds.min.as_dvec3()) + 2.0 * f64::from(padding);
        if !padding.is_finite() || padding < 0.0 || !size.is_finite() || size.max_element() <= 0.0 {
            return Err(InvalidGrid::Padding(padding));
        }
        // Rounded up, so that the cells cover the box.
        let spacing = match resolution {
            Resolution::Cells(cells) if cells > 0 => {
                (size.max_element() / f64::from(cells)) as f32 * (1.0 + f32::EPSILON)
            }
            Resolution::CellSize(size) if size > 0.0 && size.is_finite() => size,
            _ => return Err(InvalidGrid::Resolution(resolution)),
        };
        let multiple = f64::from(multiple.max(1));
        let cells =
            ((size / f64::from(spacing) / multiple).ceil() * multiple).max(DVec3::splat(multiple));
        let nodes = (cells + 1.0).to_array().map(|n| n as u64);
        let total = nodes
            .iter()
            .try_fold(1u64, |total, &n| total.checked_mul(n));
        if total.is_none_or(|total| total > Self::MAX_NODES) {
            return Err(InvalidGrid::TooFine(nodes));
        }
        let centre = 0.5 * (bounds.min.as_dvec3() + bounds.max.as_dvec3());
        let origin = (centre - 0.5 * f64::from(spacing) * cells).as_vec3();
        Ok(Self {
            origin,
            spacing,
            nodes: UVec3::from(nodes.map(|n| n as u32)),
        })
    }

    /// Refuses a grid that a caller made up.
    pub fn validate(&self) -> Result<(), InvalidGrid> {
        let Self {
            origin,
            spacing,
            nodes,
        } = *self;
        if nodes.min_element() < 2 || !spacing.is_finite() || spacing <= 0.0 || !origin.is_finite()
        {
            return Err(InvalidGrid::NoCells {
                nodes,
                spacing,
                origin,
            });
        }
        let sides = nodes.to_array().map(u64::from);
        match sides
            .iter()
            .try_fold(1u64, |total, &n| total.checked_mul(n))
        {
            Some(total) if total <= Self::MAX_NODES => Ok(()),
            _ => Err(InvalidGrid::TooFine(sides)),
        }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.to_array().iter().map(|&n| n as usize).product()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a node is, in double precision: rounding it would cost digits of its distance.
    #[inline]
    pub fn position(&self, node: UVec3) -> DVec3 {
        self.origin.as_dvec3() + f64::from(self.spacing) * node.as_dvec3()
    }

    /// The place of a node in memory.
    #[inline]
    pub fn index(&self, node: UVec3) -> usize {
        index(node, self.nodes)
    }

    /// The box that the grid covers.
    pub fn domain(&self) -> Aabb {
        let last = self.position(self.nodes - 1).as_vec3();
        Aabb {
            min: self.origin,
            max: last,
        }
    }

    /// The cell around a point and where in it the point is, from 0 to 1; points outside are moved to the border.
    pub fn locate(&self, p: DVec3) -> (UVec3, DVec3) {
        let at = (p - self.origin.as_dvec3()) / f64::from(self.spacing);
        let at = at.clamp(DVec3::ZERO, (self.nodes - 1).as_dvec3());
        let cell = at.floor().as_uvec3().min(self.nodes - 2);
        (cell, at - cell.as_dvec3())
    }
}

/// Every place of a lattice, x fastest.
pub fn places(size: UVec3) -> impl Iterator<Item = UVec3> {
    (0..size.z).flat_map(move |z| {
        (0..size.y).flat_map(move |y| (0..size.x).map(move |x| UVec3::new(x, y, z)))
    })
}

/// Which of the places of a lattice, x fastest, is at `at`.
#[inline]
pub fn index(at: UVec3, size: UVec3) -> usize {
    (at.z as usize * size.y as usize + at.y as usize) * size.x as usize + at.x as usize
}

/// The place in a lattice whose [`index`] is `i`.
#[inline]
pub fn place(i: usize, size: UVec3) -> UVec3 {
    let i = i as u32;
    UVec3::new(i % size.x, i / size.x % size.y, i / size.x / size.y)
}

/// The corners of a cell, in the order of [`trilinear`]: x changes fastest.
pub fn corners(cell: UVec3) -> [UVec3; 8] {
    std::array::from_fn(|i| cell + UVec3::new(i as u32 & 1, i as u32 >> 1 & 1, i as u32 >> 2))
}

/// Interpolates between the values at the corners of a cell.
pub fn trilinear(values: [f32; 8], at: DVec3) -> f64 {
    let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
    let v = values.map(f64::from);
    let x: [f64; 4] = std::array::from_fn(|i| mix(v[2 * i], v[2 * i + 1], at.x));
    mix(mix(x[0], x[1], at.y), mix(x[2], x[3], at.y), at.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Aabb {
        Aabb {
            min: Vec3::ZERO,
            max: Vec3::new(1.0, 0.5, 0.25),
        }
    }

    #[test]
    fn a_grid_covers_the_padded_box_with_cubes() {
        for resolution in [
            Resolution::Cells(48),
            Resolution::Cells(7),
            Resolution::CellSize(0.03),
        ] {
            for multiple in [1, 8] {
                let grid = Grid::around(unit(), 0.1, resolution, multiple).unwrap();
                let (domain, padded) = (grid.domain(), unit().expanded(0.1));
                assert!(
                    domain.min.cmple(padded.min + 1e-6).all()
                        && domain.max.cmpge(padded.max - 1e-6).all()
                );
                assert!(
                    (grid.nodes - 1)
                        .to_array()
                        .iter()
                        .all(|n| n % multiple == 0)
                );
                assert_eq!(
                    grid.len(),
                    grid.nodes.to_array().iter().product::<u32>() as usize
                );
            }
        }
        assert_eq!(
            Grid::around(unit(), 0.0, Resolution::Cells(64), 1)
                .unwrap()
                .nodes,
            UVec3::new(65, 33, 17)
        );
    }

    #[test]
    fn senseless_grids_are_refused_with_the_value() {
        let refuse = |bounds, padding, resolution| {
            Grid::around(bounds, padding, resolution, 1)
                .unwrap_err()
                .to_string()
        };
        assert!(refuse(Aabb::EMPTY, 0.0, Resolution::Cells(8)).contains("no triangles"));
        assert!(refuse(unit(), -1.0, Resolution::Cells(8)).starts_with("padding -1"));
        assert!(refuse(unit(), 0.0, Resolution::Cells(0)).starts_with("resolution Cells(0)"));
        assert!(refuse(unit(), 0.0, Resolution::CellSize(f32::NAN)).contains("NaN"));
        assert!(refuse(unit(), 0.0, Resolution::CellSize(1e-6)).contains("coarser"));
        assert!(refuse(unit(), 0.0, Resolution::CellSize(1e-30)).contains("coarser"));
    }

    #[test]
    fn interpolation_reproduces_affine_functions() {
        let grid = Grid::around(unit(), 0.1, Resolution::Cells(16), 1).unwrap();
        let affine = |p: DVec3| p.dot(DVec3::new(0.25, -0.5, 2.0)) + 1.0;
        let p = DVec3::new(0.41, 0.23, 0.17);
        let (cell, at) = grid.locate(p);
        let values = corners(cell).map(|node| affine(grid.position(node)) as f32);
        assert!((trilinear(values, at) - affine(p)).abs() < 1e-6);
    }

    #[test]
    fn points_outside_go_to_the_border() {
        let grid = Grid::around(unit(), 0.0, Resolution::Cells(4), 1).unwrap();
        let (cell, at) = grid.locate(DVec3::new(9.0, -9.0, 0.0));
        assert_eq!((cell.x, at.x), (grid.nodes.x - 2, 1.0));
        assert_eq!((cell.y, at.y), (0, 0.0));
    }
}
