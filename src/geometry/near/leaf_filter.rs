//! Which features of two near leaves can be near: boxes and directions in single precision, eight features at a time.

use super::filter::{edges_apart, faces_apart, needed_gap};
use super::leaf_features::{FeatureBoxes, LeafCache, LeafFeatures, Rows};
use super::search::{LeafPair, NearCandidate, NearKind, NearSearch};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, load_rows};
use crate::memory;

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
        if self.search.itself {
            self.each_pair::<V, true>();
        } else {
            self.each_pair::<V, false>();
        }
    }
}

impl LeafFilter<'_> {
    #[inline(always)]
    fn each_pair<V: Lanes, const ITSELF: bool>(self) {
        let NearSearch {
            bodies,
            placement,
            limit,
            magnitude,
            ..
        } = *self.search;
        let rounded = !placement.is_identity()
            || bodies
                .iter()
                .any(|of| of.body.surface.positions.are_doubles());
        let still = Placement::default();
        for LeafPair([a, b]) in self.pairs {
            // The leaves of one body are in one cache.
            let [cache_a, cache_b] = &mut *self.caches;
            let at_a = cache_a.place::<V>(&bodies[0], &still, a, None);
            let (leaf_a, leaf_b) = if ITSELF {
                let at_b = cache_a.place::<V>(&bodies[0], &still, b, Some(at_a));
                (cache_a.at(at_a), cache_a.at(at_b))
            } else {
                let at_b = cache_b.place::<V>(&bodies[1], placement, b, None);
                (cache_a.at(at_a), cache_b.at(at_b))
            };
            let extent = leaf_a.bounds.union(leaf_b.bounds).size().max_element();
            let reach = Reach {
                needed: needed_gap(limit, extent, magnitude, rounded),
                margin: needed_gap(limit, extent, magnitude, true),
            };
            let same_leaf = ITSELF && a == b;
            let found = &mut *self.candidates;
            edges_near::<V, ITSELF>(leaf_a, leaf_b, same_leaf, reach, found);
            vertices_near::<V, ITSELF>(leaf_a, leaf_b, NearKind::VertexFace, reach, found);
            if !same_leaf {
                vertices_near::<V, ITSELF>(leaf_b, leaf_a, NearKind::FaceVertex, reach, found);
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

/// Eight boxes that are larger by a margin.
struct GrownBoxes<V> {
    min: [V; 3],
    max: [V; 3],
}

impl<V: Lanes> GrownBoxes<V> {
    #[inline(always)]
    fn new(boxes: &FeatureBoxes, margin: f32) -> Self {
        let (min, max) = (load_rows::<V>(&boxes.min), load_rows::<V>(&boxes.max));
        let by = V::splat(margin);
        Self {
            min: [min[0] - by, min[1] - by, min[2] - by],
            max: [max[0] + by, max[1] + by, max[2] + by],
        }
    }

    /// Mask of those that touch a box.
    #[inline(always)]
    fn touch(&self, min: [f32; 3], max: [f32; 3]) -> V {
        let mut mask = self.min[0].le(V::splat(max[0])) & V::splat(min[0]).le(self.max[0]);
        mask = mask & self.min[1].le(V::splat(max[1])) & V::splat(min[1]).le(self.max[1]);
        mask & self.min[2].le(V::splat(max[2])) & V::splat(min[2]).le(self.max[2])
    }
}

/// The point in a lane.
#[inline(always)]
fn at(rows: &Rows, lane: usize) -> [f32; 3] {
    [rows[0][lane], rows[1][lane], rows[2][lane]]
}

/// The first `count` bits.
#[inline(always)]
fn lowest(count: usize) -> u32 {
    (1 << count) - 1
}

/// The lanes of a group that are used, when the groups have so many features in all.
#[inline(always)]
fn used(count: usize, group: usize) -> u32 {
    lowest((count - group * WIDTH).min(WIDTH))
}

#[inline(always)]
fn edges_near<V: Lanes, const ITSELF: bool>(
    a: &LeafFeatures,
    b: &LeafFeatures,
    same_leaf: bool,
    reach: Reach,
    candidates: &mut Vec<NearCandidate>,
) {
    for (number, group) in (0..b.edge_count.div_ceil(WIDTH)).zip(&b.edges) {
        let grown = GrownBoxes::<V>::new(&group.boxes, reach.margin);
        let used_here = used(b.edge_count, number);
        let [starts, ends] = &group.vertices;
        for (own_number, own) in (0..a.edge_count.div_ceil(WIDTH)).zip(&a.edges) {
            let (low, high) = (b.bounds.min.to_array(), b.bounds.max.to_array());
            let within = GrownBoxes::<V>::new(&own.boxes, reach.margin).touch(low, high);
            let mut left = u32::from(within.bits()) & used(a.edge_count, own_number);
            while left != 0 {
                let lane = left.trailing_zeros() as usize % WIDTH;
                left &= left - 1;
                let near = grown.touch(at(&own.boxes.min, lane), at(&own.boxes.max, lane));
                let mut bits = u32::from(near.bits()) & used_here;
                if ITSELF {
                    // Most boxes that meet are of edges with a common vertex. Inside of a leaf each pair comes once.
                    let [u, v] = [own.vertices[0][lane], own.vertices[1][lane]];
                    let joined = V::same(starts, u)
                        | V::same(starts, v)
                        | V::same(ends, u)
                        | V::same(ends, v);
                    bits &= !u32::from(joined.bits());
                    if same_leaf {
                        let before = lowest(own_number * WIDTH + lane + 1);
                        bits &= !(before >> (number * WIDTH));
                    }
                }
                if bits == 0 {
                    continue;
                }
                let (start, end) = (load_rows::<V>(&group.starts), load_rows(&group.ends));
                let apart = edges_apart(own.edge(lane), start, end, reach.needed);
                bits &= !u32::from(apart.bits());
                while bits != 0 {
                    let other = group.ids[bits.trailing_zeros() as usize % WIDTH];
                    bits &= bits - 1;
                    let [first, second] = match own.ids[lane] {
                        first if ITSELF => [first.min(other), first.max(other)],
                        first => [first, other],
                    };
                    let pair = NearCandidate {
                        kind: NearKind::EdgeEdge,
                        ids: [first, second],
                    };
                    memory::add(candidates, pair);
                }
            }
        }
    }
}

/// `kind` says which leaf is of the first body.
#[inline(always)]
fn vertices_near<V: Lanes, const ITSELF: bool>(
    of: &LeafFeatures,
    faces: &LeafFeatures,
    kind: NearKind,
    reach: Reach,
    candidates: &mut Vec<NearCandidate>,
) {
    let grown = GrownBoxes::<V>::new(&faces.face_boxes, reach.margin);
    let used_here = lowest(faces.face_count);
    for (number, own) in (0..of.vertex_count.div_ceil(WIDTH)).zip(&of.vertices) {
        for lane in 0..(of.vertex_count - number * WIDTH).min(WIDTH) {
            let p = at(&own.points, lane);
            let mut bits = u32::from(grown.touch(p, p).bits()) & used_here;
            let vertex = own.ids[lane];
            if ITSELF {
                let [x, y, z] = &faces.face_corners;
                let joined = V::same(x, vertex) | V::same(y, vertex) | V::same(z, vertex);
                bits &= !u32::from(joined.bits());
            }
            if bits == 0 {
                continue;
            }
            let corners: [[V; 3]; 3] = [
                load_rows(&faces.faces[0]),
                load_rows(&faces.faces[1]),
                load_rows(&faces.faces[2]),
            ];
            bits &= !u32::from(faces_apart(p.into(), corners, reach.needed).bits());
            while bits != 0 {
                let face = faces.face_ids[bits.trailing_zeros() as usize % WIDTH];
                bits &= bits - 1;
                // Of one body the vertex is always first.
                let (kind, ids) = match kind {
                    NearKind::FaceVertex if !ITSELF => (kind, [face, vertex]),
                    _ => (NearKind::VertexFace, [vertex, face]),
                };
                memory::add(candidates, NearCandidate { kind, ids });
            }
        }
    }
}
