//! All vertex-face and edge-edge pairs of two surfaces, or of one with itself, that are closer than a thickness.
//!
//! Two hierarchies of triangles are walked at once. What the triangles of two near leaves answer for, each vertex and each edge
//! once, is compared eight at a time in single precision (`filter.rs`); what is left is measured in double precision.

mod buckets;
mod exclusions;
mod filter;
mod leaf_features;
mod leaf_filter;
mod list;
pub mod per_vertex;
pub mod repeats;
mod rings;
mod search;

pub use exclusions::{Exclusions, MOST_RINGS};

use crate::error::Result;
use crate::geometry::continuous::closest::Closest;
use crate::geometry::continuous::impacts::Features;
use crate::geometry::continuous::pair::FeatureKind;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::topology::representatives::Representatives;
use glam::{DVec3, Vec3};
use list::NearList;
use per_vertex::SmallestDistances;
use search::NearSearch;

/// A body and what its triangles answer for.
#[derive(Clone, Copy)]
pub struct NearBody<'a> {
    /// The triangles and their boxes.
    pub body: FittedSurface<'a>,
    /// Of its triangles.
    pub representatives: &'a Representatives,
}

/// How close features have to be.
#[derive(Clone, Copy, Debug)]
pub struct Thickness<'a> {
    /// That of all vertices which have none of their own.
    pub uniform: f64,
    /// One per vertex of the first and of the second surface.
    pub per_vertex: [Option<&'a [f32]>; 2],
}

impl Thickness<'_> {
    /// No two features farther apart than this are near.
    fn most(&self) -> f64 {
        let of = |k: usize| {
            self.per_vertex[k].map_or(self.uniform, |all| {
                f64::from(all.iter().copied().fold(0.0, f32::max))
            })
        };
        0.5 * (of(0) + of(1))
    }

    /// The mean of what the surfaces have at the nearest points of a pair: `weights` of these corners, each of the surface `sides` says.
    #[inline]
    fn of_pair(&self, corners: &[u32; 4], sides: &[usize; 4], weights: &[f64; 4]) -> f64 {
        if self.per_vertex == [None; 2] {
            return self.uniform;
        }
        let at = |k: usize| {
            let own = self.per_vertex[sides[k]];
            own.map_or(self.uniform, |all| f64::from(all[corners[k] as usize]))
        };
        0.5 * (0..4).map(|k| weights[k] * at(k)).sum::<f64>()
    }
}

/// Which pairs count.
#[derive(Clone, Copy)]
pub struct NearRule<'a> {
    /// How close they have to be.
    pub thickness: Thickness<'a>,
    /// Pairs that do not count however close they are.
    pub exclusions: Exclusions<'a>,
}

/// The part of a vertex, an edge or a face that a nearest point is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NearRegion {
    /// A corner, by number.
    Vertex(u8),
    /// The side from a corner to the next, without its ends. That of an edge is side 0.
    Edge(u8),
    /// The inside of a face.
    Face,
}

/// Two features that are closer than the thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeaturePair {
    /// What is near.
    pub features: Features,
    /// Their distance.
    pub distance: f64,
    /// The nearest points: 1 for the vertex and the shares of the face's corners, or the shares of both edges' ends, the lower vertex first.
    pub weights: [f64; 4],
    /// Unit direction from the first feature to the second, in the frame of the first body; zero where they touch.
    pub direction: Vec3,
    /// The part of each feature that its nearest point is on.
    pub regions: [NearRegion; 2],
    /// Whether a pair before it in the list has its nearest points on the same vertices and edges; see [`repeats`].
    pub repeats: bool,
}

/// All near pairs of two bodies, ascending by features. `placement` has the second in the frame of the first.
pub fn near_pairs(
    a: NearBody,
    b: NearBody,
    placement: &Placement,
    rule: &NearRule,
    capacity: u64,
) -> Result<Vec<FeaturePair>> {
    let search = NearSearch::between([a, b], placement, rule);
    let list = NearList::new(&a, capacity);
    let parts = search.run(|| list.part());
    list.sorted(parts)
}

/// All near pairs of a body with itself, between features that have no vertex in common. A vertex and a face are always in that
/// order, and of two edges the lower is first.
pub fn near_pairs_of_itself(
    a: NearBody,
    rule: &NearRule,
    capacity: u64,
) -> Result<Vec<FeaturePair>> {
    let still = Placement::default();
    let search = NearSearch::inside(a, &still, rule);
    let list = NearList::new(&a, capacity);
    let parts = search.run(|| list.part());
    list.sorted(parts)
}

/// The distance of the nearest pair that each vertex of two bodies is a corner of; infinite without one.
pub fn smallest_distances(
    a: NearBody,
    b: NearBody,
    placement: &Placement,
    rule: &NearRule,
) -> Result<[Vec<f64>; 2]> {
    let vertices = [a, b].map(|of| of.body.surface.positions.len());
    let smallest = SmallestDistances::new(vertices)?;
    NearSearch::between([a, b], placement, rule).run(|| &smallest);
    Ok(smallest.take())
}

/// The same for a body and itself.
pub fn smallest_distances_of_itself(a: NearBody, rule: &NearRule) -> Result<Vec<f64>> {
    let still = Placement::default();
    // One list serves both sides.
    let smallest = SmallestDistances::new([a.body.surface.positions.len(), 0])?;
    NearSearch::inside(a, &still, rule).run(|| &smallest);
    let [of_itself, _] = smallest.take();
    Ok(of_itself)
}

/// The nearest points of four corners, in double precision.
#[inline(always)]
fn measured(kind: FeatureKind, corners: &[DVec3; 4]) -> Closest<f64> {
    let origin = corners[0];
    let from = |k: usize| (corners[k] - origin).to_array();
    let others = [from(1), from(2), from(3)];
    match kind {
        FeatureKind::VertexFace => Closest::to_triangle(&others),
        FeatureKind::EdgeEdge => Closest::of_edges(&others),
    }
}

#[cfg(test)]
mod tests;
