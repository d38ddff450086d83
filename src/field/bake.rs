//! Baking: the exact signed distance, and the direction to the closest point, at every node of a grid.
//!
//! Morvan, Reimers & Samset 2008, section 3.1, with exact distances throughout: nothing is propagated or interpolated.

use crate::field::data::{FieldData, Precision, Samples, Sign, Storage};
use crate::field::error::{self, Evidence};
use crate::field::grid::{Grid, InvalidGrid, corners, index};
use crate::field::membrane::Membrane;
use crate::field::sides::{FieldTexel, WindingSides};
use crate::field::sparse;
use crate::geometry::nearest::{BLOCK, Hit, Nearest, Scratch};
use crate::geometry::sign::embedding;
use crate::geometry::sign::pseudonormal::Pseudonormals;
use crate::geometry::surface::Surface;
use crate::geometry::topology::{Connectivity, Facts, Vertices};
use crate::interrupt;
use crate::memory::Gather;
use glam::{DVec3, UVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// How to tell inside from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signing {
    /// By pseudonormals if the surface is solid and does not meet itself, else by winding numbers.
    Auto,
    /// By pseudonormals; the surface must be closed, manifold and oriented.
    Pseudonormals,
    /// By generalised winding numbers: inside is where the surface winds around a point half a time or more.
    WindingNumbers,
}

/// Why there is no field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// The grid cannot be.
    #[error(transparent)]
    Grid(#[from] InvalidGrid),
    /// Pseudonormals were asked for, but they need a solid.
    #[error(
        "pseudonormals need a closed, oriented manifold without degenerate triangles, but this surface has {border} border \
         edges, {non_manifold} edges with more than two triangles, {degenerate} degenerate triangles{}: use winding numbers",
        if *.oriented { "" } else { " and neighbours of opposite orientation" }
    )]
    NotSolid {
        /// Edges with one triangle.
        border: u32,
        /// Edges with three or more triangles.
        non_manifold: u32,
        /// Triangles without area.
        degenerate: u32,
        /// Whether neighbours agree about outside.
        oriented: bool,
    },
    /// Pseudonormals were asked for, but they mean nothing where a surface meets itself.
    #[error(
        "pseudonormals need a surface that does not meet itself, with its shells apart or one in the other the other way round; \
         this one does not: use winding numbers"
    )]
    MeetsItself,
    /// No node is inside, and the surface is open.
    #[error(
        "the surface encloses nothing: it has {border} border edges and no grid node is inside; close its holes"
    )]
    EnclosesNothing {
        /// Edges with one triangle.
        border: u32,
    },
    /// Every triangle has collapsed to a segment or a point.
    #[error("all {0} triangles are degenerate: a surface without area encloses nothing")]
    NoArea(u32),
    /// The host has no room for the nodes.
    #[error("out of host memory: {0} bytes for the nodes; choose a coarser resolution")]
    OutOfMemory(usize),
}

/// How a long bake reports.
#[derive(Clone, Copy, Default)]
pub struct Progress<'a> {
    tell: Option<&'a (dyn Fn(f32) + Sync)>,
}

impl<'a> Progress<'a> {
    /// Tells the part that is done, from 0 to 1, from any thread.
    pub fn to(tell: &'a (dyn Fn(f32) + Sync)) -> Self {
        Self { tell: Some(tell) }
    }

    /// Runs `work` on every item in parallel, reporting as items finish.
    pub(crate) fn run<I>(&self, items: I, work: impl Fn(I::Item) + Sync)
    where
        I: IndexedParallelIterator,
    {
        let (total, done) = (items.len().max(1), AtomicUsize::new(0));
        items.for_each(|item| {
            work(item);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(tell) = self.tell {
                tell(done as f32 / total as f32);
            }
        });
    }
}

/// A surface prepared for baking; reusable for other grids, and for moved positions. Thread-safe.
#[derive(Debug)]
pub struct Baker<'a> {
    surface: Surface<'a>,
    facts: Facts,
    connectivity: Arc<Connectivity<'a>>,
    nearest: Nearest,
    normals: Option<Pseudonormals<'a>>,
    winding: OnceLock<WindingSides>,
    embedded: OnceLock<bool>,
}

impl<'a> Baker<'a> {
    /// Prepares a valid surface. Vertices are welded by position if only that makes it solid.
    pub fn new(surface: Surface<'a>) -> Self {
        let mut connectivity = Connectivity::of(surface, Vertices::AsIndexed);
        let mut facts = Facts::connected(surface, &connectivity);
        if !facts.is_solid() {
            connectivity = Connectivity::of(surface, Vertices::Welded);
            facts = Facts::connected(surface, &connectivity);
        }
        let connectivity = Arc::new(connectivity);
        let solid = facts.is_solid() && facts.degenerate_triangles == 0;
        let normals = solid.then(|| Pseudonormals::of(surface, connectivity.clone()));
        let nearest = Nearest::build(surface);
        Self {
            surface,
            facts,
            connectivity,
            nearest,
            normals,
            winding: OnceLock::new(),
            embedded: OnceLock::new(),
        }
    }

    /// What is known about the surface.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The index of the surface.
    pub fn nearest(&self) -> &Nearest {
        &self.nearest
    }

    /// Whether pseudonormals are defined.
    fn is_solid(&self) -> bool {
        self.normals.is_some()
    }

    /// Bakes a field. A sparse one needs a multiple of [`error::BRICK`] cells along each axis.
    pub fn bake(
        &self,
        grid: Grid,
        storage: Storage,
        signing: Signing,
        progress: Progress,
    ) -> Result<FieldData, BakeError> {
        let sparse = storage == Storage::Sparse;
        let (texels, sign) = if sparse {
            self.texels(sparse::coarse(&grid), signing, Progress::default())?
        } else {
            self.texels(grid, signing, progress)?
        };
        let membrane = self.membrane(sign, grid.spacing);
        let evidence = Evidence {
            grid: &grid,
            surface: (sign == Sign::Pseudonormal).then_some(&self.nearest),
            membrane: membrane.as_ref(),
        };
        let outside = evidence.outside(texels[0]);
        let (samples, error) = if sparse {
            let (bricks, error) = sparse::bricks(self, evidence, sign, &texels, progress);
            (Samples::Sparse(bricks), error)
        } else {
            let direction = |t: &FieldTexel| Vec3::new(t[0], t[1], t[2]);
            let directions = || texels.iter().map(direction).gather();
            let samples = Samples::Dense {
                distances: texels.iter().map(|t| t[3]).gather(),
                directions: (storage == Storage::Direction).then(directions),
            };
            (samples, error::of_dense(evidence, &texels))
        };
        Ok(FieldData {
            grid,
            samples,
            precision: Precision::Single,
            sign,
            errors: error.bricks,
            outside,
            lipschitz: error.lipschitz,
            band: f32::INFINITY,
        })
    }

    /// The texels of a whole grid, and how their signs were found.
    fn texels(
        &self,
        grid: Grid,
        signing: Signing,
        progress: Progress,
    ) -> Result<(Vec<FieldTexel>, Sign), BakeError> {
        let mut texels = Vec::new();
        texels
            .try_reserve_exact(grid.len())
            .map_err(|_| BakeError::OutOfMemory(grid.len() * size_of::<FieldTexel>()))?;
        texels.resize(grid.len(), [0.0; 4]);
        let layers = 4 * grid.nodes.x as usize * grid.nodes.y as usize;
        progress.run(
            texels.par_chunks_mut(layers).enumerate(),
            |(slab, texels)| {
                let start = UVec3::new(0, 0, 4 * slab as u32);
                let size = grid
                    .nodes
                    .with_z(grid.nodes.z - start.z)
                    .min(grid.nodes.with_z(4));
                self.fill(&grid, start, size, texels, &mut Scratch::default());
            },
        );
        let sign = self.sign(&grid, &mut texels, signing)?;
        Ok((texels, sign))
    }

    /// Where the sign jumps off the surface, if it does.
    fn membrane(&self, sign: Sign, spacing: f32) -> Option<Membrane<'_>> {
        let winding = (sign == Sign::Winding).then(|| self.winding())?;
        winding.membrane(&self.nearest, spacing)
    }

    /// Computes the texels of a box of nodes, block by block; signed if the surface is solid.
    pub(crate) fn fill(
        &self,
        grid: &Grid,
        start: UVec3,
        size: UVec3,
        texels: &mut [FieldTexel],
        scratch: &mut Scratch,
    ) {
        let mut nodes = Vec::with_capacity(BLOCK);
        let mut points = Vec::with_capacity(BLOCK);
        let mut hits = [None; BLOCK];
        for z in sections(size.z) {
            for y in sections(size.y) {
                interrupt::check();
                for x in sections(size.x) {
                    nodes.clear();
                    nodes.extend(block_nodes(&x, &y, &z));
                    points.clear();
                    points.extend(nodes.iter().map(|&node| grid.position(start + node)));
                    let hits = &mut hits[..points.len()];
                    self.nearest.query_block(&points, scratch, hits);
                    for ((node, &p), hit) in nodes.iter().zip(&points).zip(hits) {
                        texels[index(*node, size)] =
                            hit.map_or([0.0; 4], |hit| self.texel(p, &hit));
                    }
                }
            }
        }
    }

    fn texel(&self, p: DVec3, hit: &Hit) -> FieldTexel {
        let mut to_surface = (hit.point - p) / hit.distance;
        let mut distance = hit.distance as f32;
        if let Some(normals) = &self.normals {
            let inverted = self.facts.volume < 0.0;
            if hit.distance > 0.0 && normals.is_behind(p, hit) != inverted {
                distance = -distance;
            }
            if hit.distance == 0.0 {
                // On the surface there is no direction to it: take the limit from outside.
                let outwards = normals.at(hit.triangle, hit.feature).normalize_or_zero();
                to_surface = if inverted { outwards } else { -outwards };
            }
        }
        if !to_surface.is_finite() {
            to_surface = DVec3::ZERO;
        }
        let [x, y, z] = to_surface.as_vec3().to_array();
        [x, y, z, distance]
    }

    /// Checks or gives the signs, and returns how they were found.
    fn sign(
        &self,
        grid: &Grid,
        texels: &mut [FieldTexel],
        signing: Signing,
    ) -> Result<Sign, BakeError> {
        if self.facts.degenerate_triangles == self.facts.triangles {
            return Err(BakeError::NoArea(self.facts.triangles));
        }
        let trusted = match signing {
            Signing::WindingNumbers => false,
            Signing::Pseudonormals if self.is_solid() && !self.is_embedded() => {
                return Err(BakeError::MeetsItself);
            }
            Signing::Pseudonormals if self.is_solid() => true,
            Signing::Pseudonormals => {
                return Err(BakeError::NotSolid {
                    border: self.facts.border_edges,
                    non_manifold: self.facts.non_manifold_edges,
                    degenerate: self.facts.degenerate_triangles,
                    oriented: self.facts.oriented,
                });
            }
            Signing::Auto => self.is_solid() && self.is_embedded(),
        };
        if trusted {
            return Ok(Sign::Pseudonormal);
        }
        self.winding().sign(grid, texels);
        if !self.facts.closed && texels.par_iter().all(|t| t[3].is_sign_positive()) {
            return Err(BakeError::EnclosesNothing {
                border: self.facts.border_edges,
            });
        }
        Ok(Sign::Winding)
    }

    /// Whether the surface does not meet itself, found out when first needed.
    fn is_embedded(&self) -> bool {
        *self.embedded.get_or_init(|| {
            let surface = Surface {
                triangles: &self.connectivity.triangles,
                ..self.surface
            };
            embedding::is_embedded(surface, &self.nearest, || self.winding().winding())
        })
    }

    /// Winding numbers, prepared when first needed.
    pub(crate) fn winding(&self) -> &WindingSides {
        self.winding
            .get_or_init(|| WindingSides::of(self.surface, &self.connectivity))
    }
}

/// Cuts an axis into sections of 4 nodes; a last one of 5 rather than 4 and 1.
fn sections(nodes: u32) -> impl Iterator<Item = Range<u32>> + Clone {
    let count = if nodes % 4 == 1 && nodes > 1 {
        nodes / 4
    } else {
        nodes.div_ceil(4)
    };
    (0..count).map(move |i| 4 * i..if i + 1 == count { nodes } else { 4 * i + 4 })
}

/// The nodes of a block, so that eight after eight form cubes where the sections are even.
fn block_nodes(x: &Range<u32>, y: &Range<u32>, z: &Range<u32>) -> impl Iterator<Item = UVec3> {
    let (x, y, z) = (x.clone(), y.clone(), z.clone());
    let end = UVec3::new(x.end, y.end, z.end);
    z.step_by(2)
        .flat_map(move |z| y.clone().step_by(2).map(move |y| (y, z)))
        .flat_map(move |(y, z)| x.clone().step_by(2).map(move |x| UVec3::new(x, y, z)))
        .flat_map(corners)
        .filter(move |node| node.cmplt(end).all())
}

#[cfg(test)]
pub(in crate::field) mod tests;
