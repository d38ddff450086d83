//! Where two surfaces cross: pairs of triangles and the segments that they share, and edges and the places where they pass through faces.

use super::body::WeldedBody;
use super::chain::BoundaryCorner;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::perturbed::{crossing_between, side};
use crate::geometry::triangle::predicates::normal_of;
use crate::memory;

/// Where a side of a triangle crosses a triangle of the other body.
#[derive(Clone, Copy)]
pub(super) struct Piercing {
    /// The side of its own triangle that the edge is: from this corner to the next.
    pub(super) side: u8,
    /// How the winding number of the other body changes from that corner to the next: 1 or -1.
    pub(super) change: i8,
    pub(super) at: BoundaryCorner,
}

/// Two triangles that cross.
pub(super) struct CrossedPair {
    pub(super) triangles: [u32; 2],
    /// Where the sides of each cross the other: two in all.
    pub(super) piercings: [[Option<Piercing>; 2]; 2],
}

impl CrossedPair {
    /// None when the triangles do not cross, though they may touch.
    pub(super) fn of(sides: &[WeldedBody; 2], triangles: [u32; 2]) -> Option<Self> {
        let corners = [0, 1].map(|i| sides[i].corners(triangles[i]));
        let mut piercings = [[None; 2]; 2];
        let mut count = 0;
        for own in 0..2 {
            let (owner, other) = (sides[own].owner, &corners[1 - own]);
            let above = corners[own].map(|p| side(owner, p, other));
            let mut found = 0;
            for k in 0..3 {
                let next = (k + 1) % 3;
                let ends = [corners[own][k], corners[own][next]];
                let change = crossing_between(owner, ends, [above[k], above[next]], other);
                if change != 0 && found < 2 {
                    piercings[own][found] = Some(Piercing {
                        side: k as u8,
                        change: change as i8,
                        at: place(&sides[own], triangles[own], k, other),
                    });
                    found += 1;
                }
            }
            count += found;
        }
        (count == 2).then_some(Self {
            triangles,
            piercings,
        })
    }

    /// Where the segment that the triangles share starts and ends, with the second body on its left in the first one's triangle: which of the two has
    /// the edge, and how that crosses.
    ///
    /// With normals n and m it runs along n x m. Where an edge u of the first triangle leaves the second body, m . u > 0, the segment comes in over
    /// that edge, since n x u points inwards and (n x m) . (n x u) = |n|^2 m . u. With an edge of the second triangle it is the other
    /// way round.
    pub(super) fn ends(&self) -> Option<[(usize, &Piercing); 2]> {
        let (mut start, mut end) = (None, None);
        for (own, piercings) in self.piercings.iter().enumerate() {
            for piercing in piercings.iter().flatten() {
                let leaves = piercing.change < 0;
                if leaves == (own == 0) {
                    start = Some((own, piercing));
                } else {
                    end = Some((own, piercing));
                }
            }
        }
        Some([start?, end?])
    }

    /// The segment itself.
    pub(super) fn segment(&self) -> Option<[BoundaryCorner; 2]> {
        Some(self.ends()?.map(|(_, piercing)| piercing.at))
    }
}

/// Where a side of a triangle crosses a triangle of the other body: the same numbers for both triangles that have the side.
fn place(own: &WeldedBody, triangle: u32, k: usize, [a, b, c]: &Triangle) -> BoundaryCorner {
    let [p, q] = own.side_of(triangle, k).map(|v| own.points[v as usize]);
    let (u, v) = (b - a, c - a);
    let normal = normal_of(u, v);
    let [low, high] = [p, q].map(|end| normal.dot(end - a));
    let reach = (p - a).length_squared().max((q - a).length_squared());
    // The normal rounds by 3 eps |u| |v|, its product with an end by two more.
    let error = 6.0 * f64::EPSILON * (u.length_squared() * v.length_squared() * reach).sqrt();
    let gap = (low - high).abs();
    // With heights of opposite signs, the part is off by at most an error of theirs in their difference.
    let (part, part_error) = if gap > error {
        (low / (low - high), error / gap)
    } else {
        (0.5, 1.0)
    };
    let at = p.lerp(q, part.clamp(0.0, 1.0));
    BoundaryCorner {
        at,
        error: p.distance(q) * (part_error + 4.0 * f64::EPSILON).min(1.0)
            + 4.0 * f64::EPSILON * p.abs().max(q.abs()).max_element(),
    }
}

/// Where an edge crosses a face of the other body.
#[derive(Clone, Copy)]
pub(super) struct EdgeCrossing {
    /// Lower and upper vertex.
    pub(super) edge: [u32; 2],
    /// How far from the lower one, times the edge's length.
    along: f64,
    pub(super) face: u32,
    /// How the winding number of the other body changes on the way up.
    pub(super) up: i32,
    pub(super) at: BoundaryCorner,
}

/// All places where edges of a body cross faces of the other, each once: by edge, and along it.
pub(super) fn edge_crossings(
    side: &WeldedBody,
    crossed: &[CrossedPair],
    own: usize,
) -> Vec<EdgeCrossing> {
    let mut found = Vec::new();
    for pair in crossed {
        for piercing in pair.piercings[own].iter().flatten() {
            let k = usize::from(piercing.side);
            let edge = side.side_of(pair.triangles[own], k);
            let upwards = edge[0] == side.triangles[pair.triangles[own] as usize][k];
            let change = i32::from(piercing.change);
            let [p, q] = edge.map(|v| side.points[v as usize]);
            let crossing = EdgeCrossing {
                edge,
                along: (piercing.at.at - p).dot(q - p),
                face: pair.triangles[1 - own],
                up: if upwards { change } else { -change },
                at: piercing.at,
            };
            memory::add(&mut found, crossing);
        }
    }
    found.sort_unstable_by(|a, b| {
        let along = a.edge.cmp(&b.edge).then(a.along.total_cmp(&b.along));
        along.then(a.face.cmp(&b.face))
    });
    // Triangles on both sides of an edge tell the same.
    found.dedup_by_key(|crossing| (crossing.edge, crossing.face));
    found
}

/// The crossings of an edge among all that are sorted by edge: which they are.
pub(super) fn on_edge(all: &[EdgeCrossing], edge: [u32; 2]) -> std::ops::Range<usize> {
    let first = all.partition_point(|crossing| crossing.edge < edge);
    let count = all[first..].partition_point(|crossing| crossing.edge == edge);
    first..first + count
}
