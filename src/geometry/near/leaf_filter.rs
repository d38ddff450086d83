//! Which features of two near leaves can be near: boxes and directions in single precision, eight features at a time.

use super::filter::{edges_apart, faces_apart, needed_gap};
use super::leaf_features::{LeafCache, LeafFeatures};
use super::search::{LeafPair, NearCandidate, NearKind, NearSearch};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, load_rows};
use crate::memory;
use glam::Vec3;

/// Goes through leaf pairs and leaves the candidates that cannot be told apart in single precision.
pub(super) struct LeafFilter<'a> {
    pub(super) search: &'a NearSearch<'a>,
    pub(super) pairs: &'a [LeafPair],
    pub(super) caches: &'a mut [LeafCache; 2],
    pub(super) candidates: &'a mut Vec<NearCandidate>,
}

impl LaneKernel for LeafFilter<'_> {
    type Output = ();
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let NearSearch {
            bodies,
            itself,
            placement,
            limit,
            magnitude,
            ..
        } = *self.search;
        let rounded = !placement.is_identity();
        let still = Placement::default();
        for LeafPair([a, b]) in self.pairs {
            // The leaves of one body are in one cache.
            let [cache_a, cache_b] = &mut *self.caches;
            let at_a = cache_a.place(&bodies[0], &still, a, None);
            let (leaf_a, leaf_b) = if itself {
                let at_b = cache_a.place(&bodies[0], &still, b, Some(at_a));
                (cache_a.at(at_a), cache_a.at(at_b))
            } else {
                let at_b = cache_b.place(&bodies[1], placement, b, None);
                (cache_a.at(at_a), cache_b.at(at_b))
            };
            let extent = leaf_a.bounds.union(leaf_b.bounds).size().max_element();
            let reach = Reach {
                needed: needed_gap(limit, extent, magnitude, rounded),
                margin: needed_gap(limit, extent, magnitude, true),
            };
            let same_leaf = itself && a == b;
            let mut found = CandidateList {
                itself,
                candidates: self.candidates,
            };
            edges_near::<V>(leaf_a, leaf_b, same_leaf, reach, &mut found);
            vertices_near::<V>(leaf_a, leaf_b, NearKind::VertexFace, reach, &mut found);
            if !same_leaf {
                vertices_near::<V>(leaf_b, leaf_a, NearKind::FaceVertex, reach, &mut found);
            }
        }
    }
}

/// How far apart may be what is near, in single precision.
#[derive(Clone, Copy)]
struct Reach {
    /// Of gaps along a direction.
    needed: f32,
    /// Of boxes, whose sums with it are rounded.
    margin: f32,
}

struct CandidateList<'a> {
    itself: bool,
    candidates: &'a mut Vec<NearCandidate>,
}

impl CandidateList<'_> {
    #[inline(always)]
    fn push(&mut self, kind: NearKind, first: u32, second: u32) {
        let (kind, ids) = match kind {
            NearKind::FaceVertex if self.itself => (NearKind::VertexFace, [second, first]),
            NearKind::EdgeEdge if self.itself => (kind, [first.min(second), first.max(second)]),
            _ => (kind, [first, second]),
        };
        memory::add(self.candidates, NearCandidate { kind, ids });
    }
}

/// Mask of the boxes of eight that are within the margin of another.
#[inline(always)]
fn boxes_near<V: Lanes>([low, high]: [Vec3; 2], min: [V; 3], max: [V; 3], margin: f32) -> V {
    let (low, high) = (low - margin, high + margin);
    let mut mask = min[0].le(V::splat(high.x)) & V::splat(low.x).le(max[0]);
    mask = mask & min[1].le(V::splat(high.y)) & V::splat(low.y).le(max[1]);
    mask & min[2].le(V::splat(high.z)) & V::splat(low.z).le(max[2])
}

/// The smallest and largest of two or three rows.
#[inline(always)]
fn range<V: Lanes>(rows: &[[V; 3]]) -> ([V; 3], [V; 3]) {
    let (mut min, mut max) = (rows[0], rows[0]);
    for row in &rows[1..] {
        for axis in 0..3 {
            min[axis] = min[axis].min(row[axis]);
            max[axis] = max[axis].max(row[axis]);
        }
    }
    (min, max)
}

#[inline(always)]
fn edges_near<V: Lanes>(
    a: &LeafFeatures,
    b: &LeafFeatures,
    same_leaf: bool,
    reach: Reach,
    found: &mut CandidateList,
) {
    for group in 0..b.edges.div_ceil(WIDTH) {
        let (start, end): ([V; 3], [V; 3]) =
            (load_rows(&b.starts[group]), load_rows(&b.ends[group]));
        let (min, max) = range(&[start, end]);
        for k in 0..a.edges {
            let edge @ [p, q] = a.edge(k);
            let near = boxes_near([p.min(q), p.max(q)], min, max, reach.margin);
            let mut bits = near.bits();
            if bits == 0 {
                continue;
            }
            if found.itself {
                // Most boxes that meet are of edges with a common vertex. Inside of a leaf each pair comes once.
                let [u, v] = a.edge_vertices(k);
                let [starts, ends] = &b.edge_ends[group];
                let joined =
                    V::same(starts, u) | V::same(starts, v) | V::same(ends, u) | V::same(ends, v);
                bits &= !joined.bits();
                if same_leaf {
                    bits &= above(k, group);
                }
                if bits == 0 {
                    continue;
                }
            }
            bits &= !edges_apart(edge, start, end, reach.needed).bits();
            while bits != 0 {
                let other = group * WIDTH + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                found.push(NearKind::EdgeEdge, a.edge_ids[k], b.edge_ids[other]);
            }
        }
    }
}

/// The lanes of a group whose edges come after the edge `k` of the leaf.
#[inline(always)]
fn above(k: usize, group: usize) -> u8 {
    let skipped = (k + 1).saturating_sub(group * WIDTH).min(WIDTH);
    (0xff_u32 << skipped) as u8
}

/// `kind` says which leaf is of the first body.
#[inline(always)]
fn vertices_near<V: Lanes>(
    of: &LeafFeatures,
    faces: &LeafFeatures,
    kind: NearKind,
    reach: Reach,
    found: &mut CandidateList,
) {
    if of.vertices == 0 {
        return;
    }
    let corners: [[V; 3]; 3] = [
        load_rows(&faces.faces[0]),
        load_rows(&faces.faces[1]),
        load_rows(&faces.faces[2]),
    ];
    let (min, max) = range(&corners);
    for (&p, &vertex) in of.points[..of.vertices].iter().zip(&of.vertex_ids) {
        let mut bits = boxes_near([p, p], min, max, reach.margin).bits();
        if bits == 0 {
            continue;
        }
        if found.itself {
            let [x, y, z] = &faces.face_corners;
            let joined = V::same(x, vertex) | V::same(y, vertex) | V::same(z, vertex);
            bits &= !joined.bits();
            if bits == 0 {
                continue;
            }
        }
        bits &= !faces_apart(p, corners, reach.needed).bits();
        while bits != 0 {
            let face = faces.face_ids[bits.trailing_zeros() as usize];
            bits &= bits - 1;
            match kind {
                NearKind::FaceVertex => found.push(kind, face, vertex),
                _ => found.push(kind, vertex, face),
            }
        }
    }
}
