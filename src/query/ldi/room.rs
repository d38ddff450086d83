//! The memory of a layered depth image: planned from the bound that was given, and what was missing.

use super::options::MAX_RESOLUTION;
use super::summary::Summary;
use super::{Generator, LdiOptions, RayResolution};
use crate::error::{Error, Result};
use crate::gpu::device::Device;

/// Layers of a mesh that there is room for on an average ray, unless the memory is given.
const USUAL_LAYERS: u64 = 16;
/// Crossings that there is always room for, unless the memory is given.
const LEAST_NODES: u64 = 1 << 16;
/// Device memory when the number of pixels is not known beforehand and no bound is given.
const USUAL_MEMORY: u64 = 64 << 20;
/// Bytes of a crossing.
pub(super) const NODE_BYTES: u64 = 12;
/// Bytes of a ray's spans, which are the depths in its slots before.
pub(super) const SPANS_BYTES: u64 = 16;
/// Bytes of the triangles in a ray's slots.
pub(super) const TAGS_BYTES: u64 = 16;
/// Bytes of boxes.
pub(super) const BOX_BYTES: u64 = 2 * crate::query::bounds::RESULT_BYTES;
/// Bytes that do not grow.
const FIXED_BYTES: u64 = size_of::<Summary>() as u64 + BOX_BYTES;

/// How much of everything there is room for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    pub(super) meshes: u32,
    pub(super) pixels: u32,
    pub(super) bins: u32,
    pub(super) nodes: u32,
    marked: bool,
    generator: Generator,
}

impl Room {
    /// Rays of all meshes.
    pub(super) fn rays(&self) -> u64 {
        u64::from(self.meshes) * u64::from(self.pixels)
    }

    /// `marked`: whether depth bins are marked.
    pub(super) fn plan(
        device: &Device,
        options: &LdiOptions,
        meshes: u32,
        marked: bool,
    ) -> Result<Self> {
        let limit = device.max_storage_bytes();
        let (bins, pixels) = match options.resolution {
            RayResolution::Pixels(side) => {
                (bins(side), u64::from((side + 2).next_multiple_of(2)).pow(2))
            }
            RayResolution::CellSize(_) => {
                let memory = if options.memory == 0 {
                    USUAL_MEMORY
                } else {
                    options.memory
                };
                let bins = 512;
                let each = pixel_bytes(meshes, bins, marked, options.generator)
                    + u64::from(meshes) * USUAL_LAYERS * NODE_BYTES;
                (
                    bins,
                    (memory / each).clamp(16, u64::from(MAX_RESOLUTION + 2).pow(2)),
                )
            }
        };
        // Fewer bins where a device cannot bind as many: the certificate is wider, nothing else changes.
        let largest = limit / (u64::from(meshes) * pixels * 4);
        let bins = bins.min((largest.max(1) * 32).min(u64::from(bins)) as u32);
        let fixed = FIXED_BYTES + pixels * pixel_bytes(meshes, bins, marked, options.generator);
        let wanted = (u64::from(meshes) * pixels * USUAL_LAYERS).max(LEAST_NODES);
        let given = match options.memory {
            0 => wanted,
            memory => {
                let least = fixed + NODE_BYTES;
                let left = memory.checked_sub(least).ok_or(too_little(memory, least))?;
                1 + left / NODE_BYTES
            }
        };
        let nodes = given.min(limit / NODE_BYTES).min(NIL - 1);
        Ok(Self {
            meshes,
            pixels: pixels as u32,
            bins,
            nodes: nodes as u32,
            marked,
            generator: options.generator,
        })
    }

    /// Refuses what did not fit, with the memory that it needs.
    pub(super) fn check(&self, summary: &Summary) -> Result<()> {
        let (pixels, nodes) = (
            u64::from(summary.frame.wanted_pixels),
            u64::from(summary.nodes),
        );
        let given = self.bytes(self.pixels.into(), self.nodes.into());
        if pixels > self.pixels.into() {
            let usual = pixels * u64::from(self.meshes) * USUAL_LAYERS;
            return Err(too_little(given, self.bytes(pixels, usual)));
        }
        if nodes > self.nodes.into() {
            return Err(too_little(given, self.bytes(self.pixels.into(), nodes)));
        }
        Ok(())
    }

    /// Bytes for a number of pixels and crossings.
    fn bytes(&self, pixels: u64, nodes: u64) -> u64 {
        FIXED_BYTES
            + pixels * pixel_bytes(self.meshes, self.bins, self.marked, self.generator)
            + nodes * NODE_BYTES
    }
}

/// No node: see `frame.glsl`.
pub(super) const NIL: u64 = 0x7fff_ffff;

/// Two bins per pixel, so that along the rays the marks are as fine as across them; a multiple of 32.
fn bins(side: u32) -> u32 {
    side.div_ceil(16).clamp(4, 32) * 32
}

/// Bytes of heads, of counts, of spans, of slots, of marks and of what is drawn into.
fn pixel_bytes(meshes: u32, bins: u32, marked: bool, generator: Generator) -> u64 {
    let marks = if marked { u64::from(bins) / 8 } else { 0 };
    let drawn = if generator == Generator::Stencil {
        16
    } else {
        0
    };
    u64::from(meshes) * (4 + 4 + SPANS_BYTES + TAGS_BYTES + marks) + drawn
}

fn too_little(given: u64, needed: u64) -> Error {
    Error::BufferTooSmall {
        what: "bytes of memory for layered depth images",
        given,
        needed,
    }
}
