//! Which part of an intersection the wall of a cavity belongs to.
//!
//! From the farthest corner of a wall along x, the part that it is a wall of goes on along x, up to the next surface. That one bounds the same part, and it reaches farther along x
//! than the wall: going on from surface to surface ends at the outside of the part.

use super::PlacedPair;
use super::outline::{CornerKind, Outline, SurfacePart};
use crate::geometry::sign::ray_crossings::crossed_along_x;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::predicates::normal_of;
use crate::memory;
use glam::DVec3;

/// Where a ray along x crosses a face.
struct RayHit {
    at: DVec3,
    own: usize,
    face: u32,
    /// How often the body encloses what comes after, less what comes before.
    change: i32,
}

impl Outline<'_> {
    /// A corner of the surface that a part of the intersection ends at, along x from a corner where its surface is farthest; none when nothing of the part is there.
    pub(super) fn next_surface(&self, pair: &PlacedPair, corner: u32) -> Option<u32> {
        let hits = self.hits(pair, corner);
        // Counted from the end, where nothing encloses anything.
        let mut levels = [0; 2];
        for hit in &hits {
            levels[hit.own] -= hit.change;
        }
        if levels.contains(&0) {
            return None;
        }
        hits.iter().find_map(|hit| {
            let was_inside = !levels.contains(&0);
            levels[hit.own] += hit.change;
            let leaves = was_inside && levels.contains(&0);
            leaves.then(|| self.rim_near(hit)).flatten()
        })
    }

    /// All faces that the ray crosses, but for those that meet at the corner: what is left of their surface is behind it.
    fn hits(&self, pair: &PlacedPair, corner: u32) -> Vec<RayHit> {
        let from = self.at(corner).at;
        let mut hits = Vec::new();
        for own in 0..2 {
            // A ray counts as moved by half of what the second body is, so it touches no edge of either.
            let owner = self.of.sides[1 - own].owner;
            for (face, change) in crossed_along_x(&pair.0[own], owner, from) {
                if !self.meets(corner, own, face) {
                    let at = on_line(from, &self.of.sides[own].corners(face));
                    let hit = RayHit {
                        at,
                        own,
                        face,
                        change,
                    };
                    memory::add(&mut hits, hit);
                }
            }
        }
        // Of faces in one place, that of the second body comes later: it counts as moved along x.
        hits.sort_unstable_by(|a, b| {
            let along = a.at.x.total_cmp(&b.at.x);
            along.then((a.own, a.face).cmp(&(b.own, b.face)))
        });
        hits
    }

    /// Whether a face has a corner on it.
    fn meets(&self, corner: u32, own: usize, face: u32) -> bool {
        let vertices = self.of.sides[own].triangles[face as usize];
        match self.kind(corner) {
            CornerKind::Vertex(owner, vertex) => owner == own && vertices.contains(&vertex),
            CornerKind::Crossing(owner, at) => {
                let crossing = &self.of.crossings[owner][at];
                if owner == own {
                    crossing.edge.iter().all(|end| vertices.contains(end))
                } else {
                    crossing.face == face
                }
            }
        }
    }

    /// A corner of the rim of the inner part of a face that a hit is in. No other rim is between a point and the nearest one.
    fn rim_near(&self, hit: &RayHit) -> Option<u32> {
        let pairs = self.pairs_of(hit.own, hit.face);
        if pairs.is_empty() {
            let vertex = self.of.sides[hit.own].triangles[hit.face as usize][0];
            let is_inner = self.of.levels[hit.own].of_vertices[vertex as usize] != 0;
            return is_inner.then(|| self.vertex(hit.own, vertex));
        }
        let rims = self.rims(hit.own, hit.face, pairs, SurfacePart::Inner);
        let far = |corners: [u32; 2]| {
            let [from, to] = corners.map(|corner| self.at(corner).at - hit.at);
            let along = to - from;
            let part = -from.dot(along) / along.length_squared();
            (from + part.clamp(0.0, 1.0) * along).length_squared()
        };
        let nearest = (rims.iter()).min_by(|a, b| far(a.corners).total_cmp(&far(b.corners)));
        nearest.map(|rim| rim.corners[0])
    }
}

/// Where the line along x through a point meets a triangle that it crosses.
fn on_line(p: DVec3, corners: &Triangle) -> DVec3 {
    let [a, b, c] = corners;
    let normal = normal_of(b - a, c - a);
    let along = normal.dot(a - p) / normal.x;
    let (low, high) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
    // Of a triangle along the line, any of its places.
    p.with_x(if along.is_finite() {
        (p.x + along).clamp(low, high)
    } else {
        low
    })
}
