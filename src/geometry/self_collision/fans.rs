//! The ring of triangles around each vertex, and when a glance along an axis proves that they do not cross.
//!
//! This is the curvature test of Volino and Magnenat-Thalmann and the normal cone of Provot (Teschner et al., section
//! 2.4) at the size where it is exact and costs nothing: if all triangles of a fan face the same way along a coordinate
//! axis and the ring goes round once, their projections do not overlap, so the triangles meet in their shared corners
//! and edges only.

use crate::geometry::surface::Surface;
use crate::geometry::topology::adjacency::{Adjacency, NONE, end, is_collapsed, start};
use crate::geometry::triangle::predicates::area_sign;
use crate::memory::{self, ParallelGather};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// The neighbours of every vertex in ring order. It depends on the triangles only, so it outlives any deformation.
pub struct Fans {
    /// Where each vertex's ring starts in `rings`, and the end. Vertices without a single fan have an empty ring.
    starts: Vec<u32>,
    rings: Vec<u32>,
}

impl Fans {
    /// The fans of triangles with this adjacency, whose indices are below `vertices`.
    pub fn new(triangles: &[[u32; 3]], adjacency: &Adjacency, vertices: usize) -> Self {
        let mut valence = memory::filled(0u32, vertices);
        // A half-edge that leaves the vertex; of an open fan the one on its border.
        let mut first = memory::filled(NONE, vertices);
        for (t, corners) in triangles.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                valence[v as usize] += 1;
                let side = (3 * t + k) as u32;
                if first[v as usize] == NONE || adjacency.twins[side as usize] == NONE {
                    first[v as usize] = side;
                }
            }
        }
        let mut fans = Self {
            starts: memory::room(vertices + 1),
            rings: memory::room(3 * triangles.len()),
        };
        fans.starts.push(0);
        for v in 0..vertices {
            let before = fans.rings.len();
            if first[v] != NONE && !fans.trace(triangles, adjacency, v as u32, first[v], valence[v])
            {
                fans.rings.truncate(before);
            }
            fans.starts.push(fans.rings.len() as u32);
        }
        fans
    }

    /// Appends the ring of `v`; false when its triangles are not one fan. A closed ring ends where it began.
    fn trace(
        &mut self,
        triangles: &[[u32; 3]],
        adjacency: &Adjacency,
        v: u32,
        first: u32,
        valence: u32,
    ) -> bool {
        let mut side = first;
        memory::add(&mut self.rings, end(triangles, first));
        for turned in 1..=valence {
            let t = side / 3;
            if is_collapsed(triangles[t as usize]) {
                return false;
            }
            let incoming = 3 * t + (side % 3 + 2) % 3;
            memory::add(&mut self.rings, start(triangles, incoming));
            side = adjacency.twins[incoming as usize];
            if side == NONE || side == first {
                return turned == valence;
            }
            if start(triangles, side) != v {
                return false;
            }
        }
        false
    }

    /// For each vertex whether its fan is proved to be free of crossings; those that are not asked for are not.
    pub fn clear(&self, surface: &Surface, asked: &[bool]) -> Vec<bool> {
        let vertices = self.starts.len() - 1;
        let clear = |v: usize| {
            let ring = &self.rings[self.starts[v] as usize..self.starts[v + 1] as usize];
            asked[v] && is_clear(surface, v as u32, ring)
        };
        (0..vertices)
            .into_par_iter()
            .with_min_len(1024)
            .map(clear)
            .par_gather()
    }
}

fn is_clear(surface: &Surface, centre: u32, ring: &[u32]) -> bool {
    if ring.len() < 2 {
        return false;
    }
    // Which way to look along may be rounded, what is seen not.
    let rounded = |v: u32| surface.positions.rounded()[v as usize];
    let from_centre = |k: usize| rounded(ring[k]) - rounded(centre);
    let normal: Vec3 = (1..ring.len())
        .map(|k| from_centre(k - 1).cross(from_centre(k)))
        .sum();
    let axis = normal.abs().max_position();
    let facing = if normal[axis] > 0.0 { 1 } else { -1 };
    let middle = surface.positions.at(centre);
    let at = |k: usize| surface.positions.at(ring[k]);
    let mut turns = 0;
    for k in 1..ring.len() {
        let (from, to) = (at(k - 1), at(k));
        if area_sign(axis, middle, from, to) != facing {
            return false;
        }
        let (from_above, to_above) = (is_above(axis, from, middle), is_above(axis, to, middle));
        turns += usize::from(from_above != to_above && to_above == (facing > 0));
    }
    // Sectors of less than half a turn each: a ring that passes the axis once goes round once. An open fan that does
    // not pass it stays below one turn.
    let closed = ring[0] == ring[ring.len() - 1];
    turns == usize::from(closed)
}

/// On which side of the first remaining coordinate axis through `middle` a point is, seen along `axis`.
fn is_above(axis: usize, p: DVec3, middle: DVec3) -> bool {
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    p[y] > middle[y] || (p[y] == middle[y] && p[x] > middle[x])
}
