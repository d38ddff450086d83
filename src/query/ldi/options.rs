//! What layered depth images are asked for.

use super::generators::Generator;
use crate::error::{Result, invalid};

/// How fine the rays are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RayResolution {
    /// Rays along each side of the volume of interest.
    Pixels(u32),
    /// The distance of neighbouring rays.
    CellSize(f32),
}

/// Along which axes the rays run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rays {
    /// Along the axis on which the outside faces are nearest to each other.
    Best,
    /// Along an axis of the world.
    Along(u32),
    /// Along all three, one after the other.
    All,
}

/// What layered depth images are made like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LdiOptions {
    /// How fine the rays are.
    pub resolution: RayResolution,
    /// Along which axes they run.
    pub rays: Rays,
    /// How the crossings are found.
    pub generator: Generator,
    /// Whether the meshes are known to be closed: then what lies beyond the volume of interest is left out, and flaws
    /// there are not seen.
    pub trusted: bool,
    /// Whether the interval of a volume is narrowed by integrating the triangles of each mesh.
    pub narrow: bool,
    /// Whether containment keeps the image of a rigid mesh, in its frame, and uses one that is kept.
    pub kept: bool,
    /// Device memory in bytes, at most; zero for what meshes of ordinary depth complexity need.
    pub memory: u64,
}

impl Default for LdiOptions {
    fn default() -> Self {
        Self {
            resolution: RayResolution::Pixels(128),
            rays: Rays::Best,
            generator: Generator::Compute,
            trusted: false,
            narrow: false,
            kept: false,
            memory: 0,
        }
    }
}

/// Rays along a side, at most: counts of bins stay below 2^32.
pub(super) const MAX_RESOLUTION: u32 = 2048;
impl LdiOptions {
    /// Refuses what is out of range.
    pub(super) fn check(&self) -> Result<()> {
        match self.resolution {
            RayResolution::Pixels(side) if side == 0 || side > MAX_RESOLUTION => Err(invalid(
                format!("the resolution is {side} rays a side; it must be 1 to {MAX_RESOLUTION}"),
            )),
            RayResolution::CellSize(size) if !(size.is_normal() && size > 0.0) => {
                Err(invalid(format!(
                    "the cell size is {size}; it must be a positive length (or give a resolution)"
                )))
            }
            _ => match self.rays {
                Rays::Along(axis) if axis > 2 => Err(invalid(format!(
                    "rays along axis {axis}; it must be 0, 1 or 2"
                ))),
                _ => Ok(()),
            },
        }
    }
}
