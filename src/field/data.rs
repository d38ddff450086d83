//! A signed distance field on the host: samples on a grid and what is known about their error.

use crate::error::{Result, invalid};
use crate::field::error::{BRICK, BrickError};
use crate::field::grid::{Grid, corners, index, places, trilinear};
use crate::geometry::rounding::round_up;
use crate::memory::{self, Gather};
use glam::{UVec3, Vec3};
use half::f16;

/// How the sign was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// By angle-weighted pseudonormals (Baerentzen & Aanaes): closed, manifold, oriented meshes.
    Pseudonormal = 1,
    /// By the generalised winding number: anything else that encloses something.
    Winding = 2,
    /// It came with the samples.
    Given = 3,
}

/// What a field stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Distances at every node.
    Distance,
    /// Distances and directions at every node.
    Direction,
    /// Distances in bricks near the surface, over a coarse grid.
    Sparse,
}

/// How a sample is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats.
    Single = 0,
    /// 16-bit floats; the error bound covers their rounding.
    Half = 1,
}

/// The samples of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// One at every node, x fastest.
    Dense {
        /// Signed distances.
        distances: Vec<f32>,
        /// Unit vectors towards the closest point, where they were asked for.
        directions: Option<Vec<Vec3>>,
    },
    /// Bricks near the surface over a coarse grid everywhere.
    Sparse(Bricks),
}

/// Bricks of full resolution over a coarse grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Bricks {
    /// Cells along the side of a brick.
    pub cells: u32,
    /// Bricks along each axis; the grid's cells are a multiple of `cells`.
    pub count: UVec3,
    /// Signed distances at the bricks' corners, x fastest: one more than bricks along each axis.
    pub coarse: Vec<f32>,
    /// For each brick 0, or its number + 1 in `fine`.
    pub table: Vec<u32>,
    /// Signed distances of the bricks, [`Bricks::brick_len`] each. On a face towards a place without a brick they are interpolated from
    /// `coarse`, so that the field has no seam.
    pub fine: Vec<f32>,
}

/// What is known beyond the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// The surface is in the domain, and all beyond is outside of it.
    Clear = 0,
    /// The surface is in the domain, but it is open, and what is beyond may count as inside.
    Unsigned = 1,
    /// The surface may go on beyond.
    Unknown = 2,
}

/// A field on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldData {
    /// Where the samples are.
    pub grid: Grid,
    /// The samples.
    pub samples: Samples,
    /// How a sample is stored.
    pub precision: Precision,
    /// How the sign was found.
    pub sign: Sign,
    /// Bounds on |interpolated - exact|, for each brick of [`FieldData::brick_cells`] cells, x fastest.
    pub errors: Vec<BrickError>,
    /// What is known beyond the domain.
    pub outside: Outside,
    /// How fast the interpolated value can change: at least 1 where the field is exact.
    pub lipschitz: f32,
    /// Distances stop here: a larger one is stored as this. Infinite for a whole field.
    pub band: f32,
}

impl FieldData {
    /// A field of given signed distances. Without a bound on its error they are taken as exact, for which one holds
    /// anywhere: a distance changes by no more than a point moves, so the interpolated value is off by at most the
    /// weighted distance to the corners, sqrt(3)/2 of a cell in its middle.
    pub fn given(
        grid: Grid,
        distances: Vec<f32>,
        directions: Option<Vec<Vec3>>,
        error: Option<f32>,
    ) -> Result<Self> {
        let finite = |values: &[Vec3]| values.iter().all(|v| v.is_finite());
        if !distances.iter().all(|d| d.is_finite()) || !directions.as_deref().is_none_or(finite) {
            return Err(invalid("the samples hold numbers that are not finite"));
        }
        let error = error.unwrap_or(0.866_025_5 * grid.spacing);
        if !error.is_finite() {
            return Err(invalid(format!(
                "the samples' error is {error}; it must be finite"
            )));
        }
        let lipschitz = steepest(&grid, &distances);
        if !lipschitz.is_finite() {
            return Err(invalid(
                "the samples differ by more than a float can hold from one node to the next",
            ));
        }
        let samples = Samples::Dense {
            distances,
            directions,
        };
        let bricks = error_bricks(&grid).element_product() as usize;
        Ok(Self {
            grid,
            samples,
            precision: Precision::Single,
            sign: Sign::Given,
            errors: memory::filled(BrickError::even(error), bricks),
            outside: Outside::Unknown,
            lipschitz,
            band: f32::INFINITY,
        })
    }

    /// The bound on |interpolated - exact| anywhere in the domain.
    pub fn error(&self) -> f32 {
        self.errors
            .iter()
            .fold(0.0, |worst, brick| worst.max(brick.inner).max(brick.outer))
    }

    /// Widens the error bounds of all bricks: the surface is off by so much itself.
    pub fn widen(&mut self, by: f64) {
        for error in self.errors.iter_mut().filter(|_| by > 0.0) {
            *error = BrickError {
                inner: round_up(f64::from(error.inner) + by),
                outer: round_up(f64::from(error.outer) + by),
            };
        }
    }

    /// Cells along the side of a brick of `errors`.
    pub fn brick_cells(&self) -> u32 {
        match &self.samples {
            Samples::Dense { .. } => BRICK,
            Samples::Sparse(bricks) => bricks.cells,
        }
    }

    /// Bricks of `errors` along each axis.
    pub fn brick_count(&self) -> UVec3 {
        match &self.samples {
            Samples::Dense { .. } => error_bricks(&self.grid),
            Samples::Sparse(bricks) => bricks.count,
        }
    }

    /// The same field in a precision.
    pub fn in_precision(mut self, precision: Precision) -> Result<Self> {
        if precision == Precision::Half {
            self.halve()?;
        }
        Ok(self)
    }

    /// Rounds the samples to half precision, and widens the error bounds by what that does in each brick.
    fn halve(&mut self) -> Result<()> {
        let rounding = |value: f32| (f16::from_f32(value).to_f32() - value).abs();
        let worst_of =
            |values: &mut dyn Iterator<Item = f32>| values.map(rounding).fold(0.0, f32::max);
        let count = self.brick_count();
        let mut worst = 0.0f32;
        for (brick, error) in places(count).zip(&mut self.errors) {
            let moved = match &self.samples {
                Samples::Dense { distances, .. } => {
                    let start = brick * BRICK;
                    let size = (self.grid.nodes - start).min(UVec3::splat(BRICK + 1));
                    worst_of(&mut places(size).map(|n| distances[self.grid.index(start + n)]))
                }
                Samples::Sparse(bricks) => match bricks.brick(brick) {
                    Some(samples) => worst_of(&mut samples.iter().copied()),
                    None => worst_of(&mut bricks.coarse_corners(brick).into_iter()),
                },
            };
            worst = worst.max(moved);
            *error = BrickError {
                inner: (error.inner + moved).next_up(),
                outer: (error.outer + moved).next_up(),
            };
        }
        if !worst.is_finite() {
            return Err(invalid(
                "the distances are beyond what 16-bit floats hold (65504); use a 32-bit format",
            ));
        }
        let round = |value: &mut f32| *value = f16::from_f32(*value).to_f32();
        match &mut self.samples {
            Samples::Dense {
                distances,
                directions,
            } => {
                distances.iter_mut().for_each(round);
                // A direction is normalised after sampling: its rounding does not touch distances.
                for direction in directions.iter_mut().flatten() {
                    direction.as_mut().iter_mut().for_each(round);
                }
            }
            Samples::Sparse(bricks) => bricks
                .coarse
                .iter_mut()
                .chain(&mut bricks.fine)
                .for_each(round),
        }
        // Two neighbours may be rounded apart.
        self.lipschitz += 2.0 * 3f32.sqrt() * worst / self.grid.spacing;
        self.precision = Precision::Half;
        Ok(())
    }

    /// What is stored.
    pub fn storage(&self) -> Storage {
        match &self.samples {
            Samples::Dense {
                directions: None, ..
            } => Storage::Distance,
            Samples::Dense { .. } => Storage::Direction,
            Samples::Sparse(_) => Storage::Sparse,
        }
    }

    /// Signed distances at every node, x fastest; bricks are spread out.
    pub fn dense_distances(&self) -> Vec<f32> {
        match &self.samples {
            Samples::Dense { distances, .. } => distances.clone(),
            Samples::Sparse(bricks) => places(self.grid.nodes)
                .map(|node| bricks.node(node))
                .gather(),
        }
    }
}

/// The largest slope of the interpolant: along each axis it lies between the differences along a cell's edges.
fn steepest(grid: &Grid, distances: &[f32]) -> f32 {
    let value = |node: UVec3| distances[grid.index(node)];
    let mut worst = 0.0f32;
    for cell in places(grid.nodes - 1) {
        let v = corners(cell).map(value);
        let along = |step: usize| {
            let starts = (0..8).filter(|i| i & step == 0);
            starts
                .map(|i| (v[i + step] - v[i]).abs())
                .fold(0.0, f32::max)
        };
        worst = worst.max(Vec3::new(along(1), along(2), along(4)).length());
    }
    (worst / grid.spacing * (1.0 + 8.0 * f32::EPSILON)).max(1.0)
}

/// Bricks of errors over a dense grid.
pub(crate) fn error_bricks(grid: &Grid) -> UVec3 {
    (grid.nodes - 1 + (BRICK - 1)) / BRICK
}

impl Bricks {
    /// Samples in a brick: neighbours repeat those on their common face.
    pub fn brick_len(&self) -> usize {
        (self.cells as usize + 1).pow(3)
    }

    /// How many bricks are kept.
    pub fn kept(&self) -> usize {
        self.fine.len() / self.brick_len()
    }

    /// The samples of a brick, if it is there.
    pub fn brick(&self, brick: UVec3) -> Option<&[f32]> {
        let slot = self.table[index(brick, self.count)].checked_sub(1)?;
        Some(&self.fine[slot as usize * self.brick_len()..][..self.brick_len()])
    }

    /// The coarse samples at the corners of a brick.
    pub fn coarse_corners(&self, brick: UVec3) -> [f32; 8] {
        corners(brick).map(|corner| self.coarse[index(corner, self.count + 1)])
    }

    /// The value at a node of the full grid.
    pub fn node(&self, at: UVec3) -> f32 {
        let brick = (at / self.cells).min(self.count - 1);
        let local = at - brick * self.cells;
        match self.brick(brick) {
            Some(samples) => samples[index(local, UVec3::splat(self.cells + 1))],
            None => {
                let at = local.as_dvec3() / f64::from(self.cells);
                trilinear(self.coarse_corners(brick), at) as f32
            }
        }
    }
}
