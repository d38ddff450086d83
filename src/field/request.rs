//! What a field is asked to be, and how that is met from a mesh or a shape.

use super::bake::{BakeError, Baker, Control, Dense, Signing};
use super::data::{FieldData, Precision, Samples, Sign};
use super::error::BRICK;
use super::grid::{Grid, Resolution};
use super::shape::Shape;
use crate::error::{Error, Result, invalid};
use crate::geometry::aabb::Aabb;
use crate::geometry::surface::Surface;
use glam::Vec3;
use std::sync::atomic::AtomicBool;

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

/// Where a field's grid lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// How fine it is.
    pub resolution: Resolution,
    /// Length around the box; `None` for a tenth of its longest side.
    pub padding: Option<f32>,
}

/// What a field is asked to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BakeRequest {
    /// Where its grid lies.
    pub placement: Placement,
    /// What it stores.
    pub storage: Storage,
    /// How it stores it.
    pub precision: Precision,
    /// How inside is told from outside.
    pub signing: Signing,
}

/// The padding that `None` stands for, as a part of the longest side.
const USUAL_PADDING: f32 = 0.1;

impl BakeRequest {
    /// Bakes the field of a surface, reporting the part that is done, until `cancel` is raised.
    pub fn of_surface(
        &self,
        surface: Surface,
        progress: &(dyn Fn(f32) + Sync),
        cancel: &AtomicBool,
    ) -> Result<FieldData> {
        let control = Control {
            progress: Some(progress),
            cancel: Some(cancel),
        };
        let baker = Baker::new(surface);
        let grid = self.grid(baker.facts().bounds)?;
        let data = match self.storage {
            Storage::Sparse => return Err(Error::Unsupported("sparse".into())),
            Storage::Distance | Storage::Direction => {
                self.dense(baker.bake(grid, self.signing, control).map_err(failed)?)
            }
        };
        data.in_precision(self.precision)
    }

    /// Samples a shape's closed-form distance.
    pub fn of_shape(&self, shape: &Shape) -> Result<FieldData> {
        let half = shape.half_extent().as_vec3();
        let grid = self.grid(Aabb {
            min: -half,
            max: half,
        })?;
        let (distances, directions) = shape.sample(&grid);
        let directions = (self.storage == Storage::Direction).then_some(directions);
        if self.storage == Storage::Sparse {
            return Err(Error::Unsupported(
                "shapes are stored dense; choose PRX_STORAGE_DISTANCE or _DIRECTION".into(),
            ));
        }
        FieldData::given(grid, distances, directions, None)?.in_precision(self.precision)
    }

    fn grid(&self, bounds: Aabb) -> Result<Grid> {
        let padding = self
            .placement
            .padding
            .unwrap_or(USUAL_PADDING * bounds.size().max_element());
        let multiple = if self.storage == Storage::Sparse {
            BRICK
        } else {
            1
        };
        Grid::around(bounds, padding, self.placement.resolution, multiple)
            .map_err(|e| invalid(e.to_string()))
    }

    fn dense(&self, dense: Dense) -> FieldData {
        let distances = dense.texels.iter().map(|t| t[3]).collect();
        let directions = (self.storage == Storage::Direction).then(|| {
            dense
                .texels
                .iter()
                .map(|t| Vec3::new(t[0], t[1], t[2]))
                .collect()
        });
        FieldData {
            grid: dense.grid,
            samples: Samples::Dense {
                distances,
                directions,
            },
            precision: Precision::Single,
            sign: signed_by(dense.signed_by),
            error: dense.error.everywhere,
            lipschitz: dense.error.lipschitz,
            band: f32::INFINITY,
        }
    }
}

fn signed_by(signing: Signing) -> Sign {
    match signing {
        Signing::WindingNumbers => Sign::Winding,
        Signing::Auto | Signing::Pseudonormals => Sign::Pseudonormal,
    }
}

fn failed(error: BakeError) -> Error {
    match error {
        BakeError::Cancelled => Error::Cancelled("the bake"),
        other => invalid(other.to_string()),
    }
}
