//! A body as the volume of an intersection needs it: in one frame, with equal vertices counted as one.

use crate::geometry::hierarchy::dual::PlacedSurface;
use crate::geometry::topology::edges::VertexNeighbours;
use crate::geometry::topology::forest::SpanningForest;
use crate::geometry::topology::representatives::Representatives;
use crate::geometry::topology::weld;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::perturbed::Owner;
use crate::memory::{self, Gather};
use glam::DVec3;
use std::sync::Arc;

/// What depends on the triangles of a body alone.
#[derive(Clone)]
pub struct BodyTopology {
    /// With all edges.
    pub representatives: Arc<Representatives>,
    /// Ways along them to all vertices.
    pub forest: Arc<SpanningForest>,
}

impl BodyTopology {
    pub(super) fn of(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let representatives = Representatives::new(triangles, vertices);
        let edges = &representatives.edges;
        let neighbours = VertexNeighbours::new(edges, vertices);
        let forest = SpanningForest::new(edges, &neighbours, vertices);
        Self {
            representatives: Arc::new(representatives),
            forest: Arc::new(forest),
        }
    }

    /// Lower and upper vertex of each edge.
    pub(super) fn edges(&self) -> &[[u32; 2]] {
        &self.representatives.edges.ends
    }
}

/// A body with its vertices in the frame of the first one, equal ones counted as the same where the indices do not close it.
pub(super) struct WeldedBody {
    pub(super) owner: Owner,
    pub(super) points: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) topology: BodyTopology,
    /// Edges that its triangles do not pass as often one way as the other: with any, it has no inside.
    pub(super) unbalanced_edges: u64,
}

impl WeldedBody {
    /// `closed` is known of bodies that their indices close.
    pub(super) fn new(owner: Owner, placed: &PlacedSurface, closed: Option<BodyTopology>) -> Self {
        let (surface, placement) = (placed.body.surface, placed.placement);
        let points: Vec<DVec3> = (0..surface.positions.len() as u32)
            .map(|v| placement.point(surface.positions.at(v)))
            .gather();
        let (triangles, topology, unbalanced_edges) = match closed {
            Some(topology) => (memory::copied(surface.triangles), topology, 0),
            None => {
                let same = weld::by_position(surface.positions);
                let welded = |corners: &[u32; 3]| corners.map(|v| same[v as usize]);
                let triangles = surface.triangles.iter().map(welded).gather();
                let topology = BodyTopology::of(&triangles, points.len());
                let unbalanced = topology.representatives.edges.unbalanced(&triangles);
                (triangles, topology, unbalanced)
            }
        };
        Self {
            owner,
            points,
            triangles,
            topology,
            unbalanced_edges,
        }
    }

    /// The edge from a corner of a triangle to the next: its lower and its upper vertex.
    pub(super) fn side_of(&self, triangle: u32, k: usize) -> [u32; 2] {
        let corners = self.triangles[triangle as usize];
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        [from.min(to), from.max(to)]
    }

    pub(super) fn corners(&self, triangle: u32) -> Triangle {
        self.triangles[triangle as usize].map(|v| self.points[v as usize])
    }
}
