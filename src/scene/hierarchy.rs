//! What the exact queries need of a mesh beyond its positions, made on first use and kept.
//!
//! The hierarchy is built once; when positions changed it is refitted, and built anew when refits have spoilt it. What
//! depends on the triangles alone stays.

use super::mesh::{Mesh, MeshMoment};
use super::on_demand::OnDemand;
use crate::error::Result;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::positions::SharedPositions;
use crate::geometry::self_collision::Neighbourhoods;
use crate::geometry::sign::winding::Winding;
use crate::geometry::surface::Surface;
use crate::geometry::time_critical::filling::Filling;
use crate::geometry::topology::adjacency::Adjacency;
use crate::geometry::topology::edges::VertexNeighbours;
use crate::geometry::topology::forest::SpanningForest;
use crate::geometry::topology::representatives::Representatives;
use crate::geometry::topology::weld;
use crate::memory::Gather;
use std::sync::{Arc, OnceLock};

/// A mesh at one moment: its positions, and the hierarchy fitted to them.
pub struct FittedMesh {
    /// One per vertex.
    pub positions: SharedPositions,
    bvh: Bvh,
    revision: u64,
    filling: OnceLock<Filling>,
    winding: OnceLock<Winding>,
}

impl FittedMesh {
    /// As geometry takes it; `mesh` is the one it is of.
    pub fn fitted_surface<'a>(&'a self, mesh: &'a Mesh) -> FittedSurface<'a> {
        FittedSurface {
            surface: Surface {
                positions: self.positions.all(),
                triangles: &mesh.triangles,
            },
            bvh: &self.bvh,
        }
    }

    /// Which update of the positions this is.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Its positions alone.
    pub fn moment(&self) -> MeshMoment {
        MeshMoment {
            positions: self.positions.clone(),
            revision: self.revision,
        }
    }

    /// How much surface is in the boxes, as far as walks have asked.
    pub fn filling(&self) -> &Filling {
        self.filling.get_or_init(|| Filling::new(&self.bvh))
    }

    /// Winding numbers; made when first asked for. `mesh` is the one it is of.
    pub fn winding(&self, mesh: &Mesh) -> &Winding {
        self.winding
            .get_or_init(|| Winding::over(self.bvh.clone(), self.fitted_surface(mesh).surface))
    }

    /// No point of the mesh is farther from the origin of its frame.
    pub fn radius(&self) -> f64 {
        let bounds = self.bvh.bounds();
        bounds.min.abs().max(bounds.max.abs()).as_dvec3().length()
    }

    /// The boxes over the triangles.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

/// A hierarchy whose boxes have grown by more than this is built anew: walks through it would cost more than the build does
/// within a few frames.
const MOST_DECAY: f64 = 3.0;

/// The revision of boxes that were not fitted to the end: that of no moment.
const UNFINISHED: u64 = u64::MAX;

/// What a mesh keeps for the exact queries. Updates of positions never wait for it.
#[derive(Default)]
pub struct Hierarchy {
    latest: OnDemand<FittedMesh>,
    neighbourhoods: OnDemand<Neighbourhoods>,
    representatives: OnDemand<Representatives>,
    vertex_neighbours: OnDemand<VertexNeighbours>,
    spanning_forest: OnDemand<SpanningForest>,
    closed: OnDemand<bool>,
}

impl Mesh {
    /// The mesh as it is now. `read` gives its positions, `run` does the work that takes long.
    ///
    /// Positions that the engine may write at any time are read for every call; others only after an update.
    pub fn fitted(
        &self,
        read: impl FnOnce() -> Result<MeshMoment>,
        run: impl FnOnce(&mut (dyn FnMut() -> FittedMesh + Send)) -> Result<FittedMesh>,
    ) -> Result<Arc<FittedMesh>> {
        let good =
            |fitted: &FittedMesh| fitted.revision == self.revision() && !self.changes_unseen();
        self.hierarchy.latest.get(good, |mut before| {
            let moment = read()?;
            run(&mut || self.fit(before.take(), &moment, None))
        })
    }

    /// Whether a hierarchy was built of it.
    pub fn has_hierarchy(&self) -> bool {
        self.hierarchy.latest.is_made()
    }

    /// The mesh as it was at a moment.
    pub fn fitted_at(
        &self,
        moment: &MeshMoment,
        run: impl FnOnce(&mut (dyn FnMut() -> FittedMesh + Send)) -> Result<FittedMesh>,
    ) -> Result<Arc<FittedMesh>> {
        let good =
            |fitted: &FittedMesh| fitted.revision == moment.revision && !self.changes_unseen();
        let make = |mut before: Option<_>| run(&mut || self.fit(before.take(), moment, None));
        self.hierarchy.latest.get(good, make)
    }

    /// The same, unless `over` says that it is enough before it is done; a first hierarchy is built in any case.
    pub fn fitted_unless(
        &self,
        moment: &MeshMoment,
        over: &(dyn Fn() -> bool + Sync),
        run: impl FnOnce(&mut (dyn FnMut() -> FittedMesh + Send)) -> Result<FittedMesh>,
    ) -> Result<Option<Arc<FittedMesh>>> {
        let good =
            |fitted: &FittedMesh| fitted.revision == moment.revision && !self.changes_unseen();
        let make = |mut before: Option<_>| run(&mut || self.fit(before.take(), moment, Some(over)));
        let fitted = self.hierarchy.latest.get(good, make)?;
        Ok(Some(fitted).filter(|fitted| fitted.revision == moment.revision))
    }

    /// Refits the hierarchy of an earlier moment, or builds the first. Where it may be over before, it is not built anew: that cannot be cut short.
    fn fit(
        &self,
        before: Option<Arc<FittedMesh>>,
        moment: &MeshMoment,
        over: Option<&(dyn Fn() -> bool + Sync)>,
    ) -> FittedMesh {
        let surface = Surface {
            positions: moment.positions.all(),
            triangles: &self.triangles,
        };
        let build = || Bvh::build(&surface.triangle_boxes());
        let mut revision = moment.revision;
        let bvh = match before.map(Arc::try_unwrap) {
            None => build(),
            Some(before) => {
                // A query that still runs on the earlier moment keeps its own copy.
                let mut bvh = before.map_or_else(|shared| shared.bvh.clone(), |own| own.bvh);
                let box_of = |triangle| surface.triangle_box(triangle);
                if !bvh.refit_unless(box_of, over.unwrap_or(&|| false)) {
                    revision = UNFINISHED;
                } else if over.is_none() && bvh.decay() > MOST_DECAY {
                    bvh = build();
                }
                bvh
            }
        };
        FittedMesh {
            positions: moment.positions.clone(),
            bvh,
            revision,
            filling: OnceLock::new(),
            winding: OnceLock::new(),
        }
    }

    /// Whether along every edge its triangles run equally often in both directions: winding numbers are whole then, wherever the vertices are.
    pub fn is_closed_by_index(
        &self,
        run: impl Fn(&(dyn Fn() -> bool + Sync)) -> Result<bool>,
    ) -> Result<bool> {
        let closed = &self.hierarchy.closed;
        let known = closed.kept(|| run(&|| self.is_balanced(&self.triangles)))?;
        Ok(*known)
    }

    /// The same; where indices leave vertices split, their positions tell. `fitted` is one of this mesh.
    pub fn is_closed(
        &self,
        fitted: &FittedMesh,
        run: impl Fn(&(dyn Fn() -> bool + Sync)) -> Result<bool>,
    ) -> Result<bool> {
        if self.is_closed_by_index(&run)? {
            return Ok(true);
        }
        run(&|| {
            let same = weld::by_position(fitted.positions.all());
            let welded = |corners: &[u32; 3]| corners.map(|v| same[v as usize]);
            self.is_balanced(&self.triangles.iter().map(welded).gather())
        })
    }

    fn is_balanced(&self, triangles: &[[u32; 3]]) -> bool {
        Adjacency::of(triangles, self.vertices as usize).unbalanced_edges == 0
    }

    /// Which triangles lie around vertices and beside each other; `fitted` is one of this mesh.
    pub fn neighbourhoods(
        &self,
        fitted: &FittedMesh,
        run: impl FnOnce(&(dyn Fn() -> Neighbourhoods + Sync)) -> Result<Neighbourhoods>,
    ) -> Result<Arc<Neighbourhoods>> {
        let surface = fitted.fitted_surface(self).surface;
        let neighbourhoods = &self.hierarchy.neighbourhoods;
        neighbourhoods.kept(|| run(&|| Neighbourhoods::new(&surface)))
    }

    /// The triangle that answers for each vertex and edge.
    pub fn representatives(
        &self,
        run: impl FnOnce(&(dyn Fn() -> Representatives + Sync)) -> Result<Representatives>,
    ) -> Result<Arc<Representatives>> {
        let make = || Representatives::new(&self.triangles, self.vertices as usize);
        self.hierarchy.representatives.kept(|| run(&make))
    }

    /// The vertices that an edge joins to each vertex; `of` is of this mesh.
    pub fn vertex_neighbours(
        &self,
        of: &Representatives,
        run: impl FnOnce(&(dyn Fn() -> VertexNeighbours + Sync)) -> Result<VertexNeighbours>,
    ) -> Result<Arc<VertexNeighbours>> {
        let make = || VertexNeighbours::new(&of.edges, self.vertices as usize);
        self.hierarchy.vertex_neighbours.kept(|| run(&make))
    }

    /// A way along edges to every vertex; `of` is of this mesh.
    pub fn spanning_forest(
        &self,
        of: &Representatives,
        run: impl Fn(&(dyn Fn() -> SpanningForest + Sync)) -> Result<SpanningForest>,
    ) -> Result<Arc<SpanningForest>> {
        self.hierarchy.spanning_forest.kept(|| {
            run(&|| {
                let vertices = self.vertices as usize;
                let neighbours = VertexNeighbours::new(&of.edges, vertices);
                SpanningForest::new(&of.edges, &neighbours, vertices)
            })
        })
    }
}
