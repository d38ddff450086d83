//! What a field is asked to be, and how that is met from a mesh or a shape.

use super::bake::{BakeError, Baker, Progress, Signing};
use super::data::{FieldData, Outside, Precision, Sign, Storage};
use super::error::BRICK;
use super::grid::{Grid, Resolution};
use super::shape::Shape;
use crate::error::{Error, Result, invalid};
use crate::geometry::aabb::Aabb;
use crate::geometry::surface::Surface;
use crate::geometry::topology::{Facts, Vertices};
use crate::memory;

/// Where a field's grid lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GridPlacement {
    /// Around the box of the surface.
    Around {
        /// How fine it is.
        resolution: Resolution,
        /// Length around the box; `None` for a tenth of its longest side.
        padding: Option<f32>,
    },
    /// Where the caller wants it.
    Given(Grid),
}

/// What a field is asked to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BakeRequest {
    /// Where its grid lies.
    pub placement: GridPlacement,
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
    /// Bakes the field of a surface, reporting the part that is done.
    pub fn of_surface(
        &self,
        surface: Surface,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<FieldData> {
        let baker = Baker::new(surface);
        let grid = self.grid(baker.facts().bounds)?;
        baker
            .bake(grid, self.storage, self.signing, Progress::to(progress))
            .map_err(failed)?
            .in_precision(self.precision)
    }

    /// A field of a closed, oriented surface that is yet to be baked on the device: saturated everywhere.
    pub fn of_live(&self, surface: Surface, band: f32) -> Result<FieldData> {
        if self.storage != Storage::Distance || self.precision != Precision::Single {
            return Err(Error::Unsupported(
                "a live field stores 32-bit distances; choose PRX_STORAGE_DISTANCE, _F32".into(),
            ));
        }
        let facts = Facts::of(surface, Vertices::AsIndexed);
        if !(facts.closed && facts.oriented) {
            return Err(invalid(format!(
                "a live field needs a closed and oriented mesh by index; this one has {} border edges and is {}oriented",
                facts.border_edges,
                if facts.oriented { "" } else { "not " }
            )));
        }
        let grid = self.grid(facts.bounds)?;
        let mut data = FieldData::given(grid, memory::filled(band, grid.len()), None, None)?;
        // Between a node in the band and a saturated one the value can rise by their distance.
        data.lipschitz = 3f32.sqrt();
        (data.band, data.sign) = (band, Sign::Winding);
        data.outside = Outside::Clear;
        Ok(data)
    }

    /// Samples a shape's closed-form distance.
    pub fn of_shape(&self, shape: &Shape) -> Result<FieldData> {
        let half = shape.half_extent().as_vec3();
        let grid = self.grid(Aabb {
            min: -half,
            max: half,
        })?;
        if self.storage == Storage::Sparse {
            return Err(Error::Unsupported(
                "shapes are stored dense; choose PRX_STORAGE_DISTANCE or _DIRECTION".into(),
            ));
        }
        let (distances, directions) = shape.sample(&grid);
        let errors = shape.errors(&grid, &distances, &directions);
        let directions = (self.storage == Storage::Direction).then_some(directions);
        let mut data = FieldData::given(grid, distances, directions, None)?;
        data.errors = errors;
        if shape.is_bounded() {
            data.outside = Outside::Clear;
        }
        data.in_precision(self.precision)
    }

    fn grid(&self, bounds: Aabb) -> Result<Grid> {
        let multiple = if self.storage == Storage::Sparse {
            BRICK
        } else {
            1
        };
        match self.placement {
            GridPlacement::Around {
                resolution,
                padding,
            } => {
                let padding = padding.unwrap_or(USUAL_PADDING * bounds.size().max_element());
                Grid::around(bounds, padding, resolution, multiple)
                    .map_err(|e| invalid(e.to_string()))
            }
            GridPlacement::Given(grid) => {
                let domain = grid.domain();
                // What a sample outside the domain says relies on the surface being inside.
                if !(domain.min.cmple(bounds.min).all() && domain.max.cmpge(bounds.max).all()) {
                    return Err(invalid(format!(
                        "the grid covers {} to {}, but the surface lies in {} to {}: it must be inside",
                        domain.min, domain.max, bounds.min, bounds.max
                    )));
                }
                if grid
                    .nodes
                    .to_array()
                    .iter()
                    .any(|n| !(n - 1).is_multiple_of(multiple))
                {
                    return Err(invalid(format!(
                        "a sparse field needs a multiple of {multiple} cells along each axis; the grid has {}",
                        grid.nodes - 1
                    )));
                }
                Ok(grid)
            }
        }
    }
}

fn failed(error: BakeError) -> Error {
    match error {
        BakeError::OutOfMemory(bytes) => {
            Error::OutOfHostMemory(format!("{bytes} bytes for the nodes of a field"))
        }
        other => invalid(other.to_string()),
    }
}
