//! Pairs whose nearest points lie on the same vertices and edges: a barrier that sums over pairs must count them once.
//!
//! Where the nearest point of a face is on its edge, the face beyond that edge has the same nearest point, and so have edges that end
//! at the vertex (Li et al. 2020, Incremental Potential Contact, section 6.1).

use super::buckets::sorted_by_bucket;
use super::{FeaturePair, NearRegion};
use crate::error::Result;
use crate::geometry::continuous::impacts::Features;
use crate::memory;

/// A vertex, or the lower and the upper vertex of an edge.
type VertexOrEdge = [u32; 2];

const NO_VERTEX: u32 = u32::MAX;

/// Marks all but the first pair of those that lie on the same two vertices, or vertex and edge. `faces` are the triangles of both
/// surfaces; `itself` tells that they are one.
pub fn mark_repeats(
    pairs: &mut [FeaturePair],
    faces: [&[[u32; 3]]; 2],
    itself: bool,
) -> Result<()> {
    let mut keys = memory::with_room(pairs.len(), "repeats of near pairs")?;
    for (at, pair) in pairs.iter().enumerate() {
        if let Some([a, b]) = parts(pair, faces) {
            let key = if itself && b < a { [b, a] } else { [a, b] };
            keys.push((key[0][0], (key, at)));
        }
    }
    let vertices = keys.iter().map(|&(v, _)| v as usize + 1).max();
    let sorted = sorted_by_bucket(keys.iter().copied(), keys.len(), vertices.unwrap_or(0));
    for two in sorted.windows(2) {
        if two[0].0 == two[1].0 {
            pairs[two[1].1].repeats = true;
        }
    }
    Ok(())
}

/// The vertices and edges that the nearest points are on, the first surface's first; none for the inside of a face and for two edges,
/// which no other pair has.
fn parts(pair: &FeaturePair, faces: [&[[u32; 3]]; 2]) -> Option<[VertexOrEdge; 2]> {
    let of = |corners: &[u32], region: NearRegion| {
        let corner = |k: usize| corners[k % corners.len()];
        match region {
            NearRegion::Vertex(k) => Some([corner(k.into()), NO_VERTEX]),
            NearRegion::Edge(k) => {
                let (u, v) = (corner(k.into()), corner(usize::from(k) + 1));
                Some([u.min(v), u.max(v)])
            }
            NearRegion::Face => None,
        }
    };
    let [a, b] = pair.regions;
    let face = |side: usize, t: u32| &faces[side][t as usize];
    let parts = match pair.features {
        Features::VertexFace(v, t) => [of(&[v], a)?, of(face(1, t), b)?],
        Features::FaceVertex(t, v) => [of(face(0, t), a)?, of(&[v], b)?],
        Features::EdgeEdge(e, f) => [of(&e, a)?, of(&f, b)?],
        Features::Start(_) => return None,
    };
    let is_edge = |part: VertexOrEdge| part[1] != NO_VERTEX;
    (!(is_edge(parts[0]) && is_edge(parts[1]))).then_some(parts)
}
