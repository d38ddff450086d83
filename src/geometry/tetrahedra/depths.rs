//! How deep vertices are inside bodies of tetrahedra, and which way leads out.
//!
//! Heidelberger, Teschner, Keiser, Müller and Gross 2004, Consistent Penetration Depth Estimation for Deformable Collision Response
//! (of the survey's authors, for what its section 5 finds). The nearest point of a surface is a bad way out: neighbours that are deep inside
//! are sent to opposite sides. Here edges that cross the surface say how far out it is and along which normal, and
//! vertices further inside take depth and direction over from their neighbours.

use super::skin::{Exit, Skin};
use super::{TetrahedralBody, VertexInside, vertices_inside};
use crate::geometry::bounded::TooMany;
use crate::interrupt;
use crate::memory::{self, Gather, ParallelGather};
use glam::DVec3;
use rayon::prelude::*;

/// A vertex inside a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexDepth {
    /// Body and vertex.
    pub vertex: [u32; 2],
    /// The body that it is inside of.
    pub within: u32,
    /// 1 when an edge leads from the vertex out of the body, one more for each edge farther inside. 0 when no way along edges leads out;
    /// depth and direction are zero then.
    pub steps: u32,
    /// How far it is to the surface along the direction.
    pub depth: f64,
    /// Unit vector out of the body; zero where the normals that were met cancel.
    pub direction: DVec3,
}

impl VertexDepth {
    fn key(&self) -> [u32; 3] {
        [self.vertex[0], self.vertex[1], self.within]
    }
}

/// All vertices inside of bodies, each once per body, ascending by vertex and then by body.
pub fn penetration_depths(
    bodies: &[TetrahedralBody],
    capacity: usize,
) -> Result<Vec<VertexDepth>, TooMany> {
    let mut rows = colliding(vertices_inside(bodies, usize::MAX)?);
    if rows.len() > capacity {
        return Err(TooMany {
            needed: rows.len() as u64,
            capacity,
        });
    }
    let edges = InnerEdges::of(bodies, &rows);
    let skins = skins(bodies, &rows);
    let found = rows
        .par_iter()
        .map(|row| {
            interrupt::check();
            border(
                bodies,
                &rows,
                &edges,
                skins[row.within as usize].as_ref()?,
                row,
            )
        })
        .par_gather();
    for (row, mean) in rows.iter_mut().zip(found) {
        if let Some(mean) = mean {
            mean.put(row, 1);
        }
    }
    spread(bodies, &edges, &mut rows);
    Ok(rows)
}

/// Each vertex once per body that it is inside of.
fn colliding(inside: Vec<VertexInside>) -> Vec<VertexDepth> {
    let mut rows = memory::room(inside.len());
    for found in inside {
        rows.push(VertexDepth {
            vertex: found.vertex,
            within: found.tetrahedron[0],
            steps: 0,
            depth: 0.0,
            direction: DVec3::ZERO,
        });
    }
    // What was found ascends.
    rows.dedup_by_key(|row| row.key());
    rows
}

/// Where the row of a vertex in a body is.
fn row_of(rows: &[VertexDepth], key: [u32; 3]) -> Option<usize> {
    rows.binary_search_by_key(&key, VertexDepth::key).ok()
}

/// The surfaces of the bodies that something is inside of.
fn skins<'a>(bodies: &[TetrahedralBody<'a>], rows: &[VertexDepth]) -> Vec<Option<Skin<'a>>> {
    let mut entered = memory::filled(false, bodies.len());
    rows.iter()
        .for_each(|row| entered[row.within as usize] = true);
    bodies
        .par_iter()
        .zip(entered)
        .map(|(body, entered)| entered.then(|| Skin::of(*body)))
        .par_gather()
}

/// The edges at vertices that are inside of something, in both directions where both are.
struct InnerEdges {
    /// Per body, ascending: a vertex that is inside, and its neighbour.
    of_bodies: Vec<Vec<[u32; 2]>>,
}

impl InnerEdges {
    fn of(bodies: &[TetrahedralBody], rows: &[VertexDepth]) -> Self {
        let of_body = |(index, body): (usize, &TetrahedralBody)| {
            let start = rows.partition_point(|row| (row.vertex[0] as usize) < index);
            let end = rows.partition_point(|row| row.vertex[0] as usize <= index);
            let mut edges = Vec::new();
            if start == end {
                return edges;
            }
            let mut is_inside = memory::filled(false, body.positions.len());
            (rows[start..end].iter()).for_each(|row| is_inside[row.vertex[1] as usize] = true);
            for corners in body.tetrahedra {
                interrupt::check();
                for &v in corners.iter().filter(|&&v| is_inside[v as usize]) {
                    for &other in corners.iter().filter(|&&other| other != v) {
                        memory::add(&mut edges, [v, other]);
                    }
                }
            }
            edges.par_sort_unstable();
            edges.dedup();
            edges
        };
        Self {
            of_bodies: bodies.par_iter().enumerate().map(of_body).par_gather(),
        }
    }

    /// The neighbours of a vertex that is inside of something.
    fn around(&self, [body, vertex]: [u32; 2]) -> impl Iterator<Item = u32> + '_ {
        let edges = &self.of_bodies[body as usize];
        let start = edges.partition_point(|edge| edge[0] < vertex);
        edges[start..]
            .iter()
            .take_while(move |edge| edge[0] == vertex)
            .map(|edge| edge[1])
    }
}

/// Depths and directions weighted by the inverse square of how far away they are (equations 1 to 3). What is at no distance counts alone.
#[derive(Default)]
struct Mean {
    weight: f64,
    depth: f64,
    direction: DVec3,
    is_here: bool,
}

impl Mean {
    fn add(&mut self, squared: f64, depth: f64, direction: DVec3) {
        let is_here = squared == 0.0;
        if is_here && !self.is_here {
            *self = Self {
                is_here,
                ..Self::default()
            };
        }
        if is_here || !self.is_here {
            let weight = if is_here { 1.0 } else { squared.recip() };
            self.weight += weight;
            self.depth += weight * depth;
            self.direction += weight * direction;
        }
    }

    fn put(&self, row: &mut VertexDepth, steps: u32) {
        row.steps = steps;
        row.depth = self.depth / self.weight;
        row.direction = (self.direction / self.weight).normalize_or_zero();
    }
}

fn position(bodies: &[TetrahedralBody], [body, vertex]: [u32; 2]) -> DVec3 {
    bodies[body as usize].positions[vertex as usize].as_dvec3()
}

/// What the edges say that lead from a vertex out of a body.
fn border(
    bodies: &[TetrahedralBody],
    rows: &[VertexDepth],
    edges: &InnerEdges,
    skin: &Skin,
    row: &VertexDepth,
) -> Option<Mean> {
    let [body, vertex] = row.vertex;
    let p = position(bodies, row.vertex);
    let mut mean = Mean::default();
    for other in edges.around(row.vertex) {
        if row_of(rows, [body, other, row.within]).is_some() {
            continue;
        }
        let q = position(bodies, [body, other]);
        // A body that is in itself does not leave through the faces at its own edges.
        let own = [vertex, other];
        let own = if row.within == body { &own[..] } else { &[] };
        if let Some(Exit {
            fraction, normal, ..
        }) = skin.first_exit([p, q], own)
        {
            let way = fraction * (q - p);
            mean.add(way.length_squared(), way.dot(normal), normal);
        }
    }
    (mean.weight > 0.0).then_some(mean)
}

/// Hands depths and directions on from vertex to vertex, away from the surface.
fn spread(bodies: &[TetrahedralBody], edges: &InnerEdges, rows: &mut [VertexDepth]) {
    let mut last: Vec<usize> = (0..rows.len()).filter(|&k| rows[k].steps == 1).gather();
    let mut steps = 1;
    while !last.is_empty() {
        interrupt::check();
        let known = &*rows;
        let beside = |row: &VertexDepth| {
            let (body, within) = (row.vertex[0], row.within);
            (edges.around(row.vertex)).filter_map(move |v| row_of(known, [body, v, within]))
        };
        let mut next = Vec::new();
        for &k in &last {
            let waiting = beside(&known[k]).filter(|&j| known[j].steps == 0);
            waiting.for_each(|j| memory::add(&mut next, j));
        }
        next.sort_unstable();
        next.dedup();
        let found = next
            .par_iter()
            .map(|&k| {
                let row = &known[k];
                let p = position(bodies, row.vertex);
                let mut mean = Mean::default();
                for from in beside(row).map(|j| &known[j]).filter(|from| from.steps > 0) {
                    let way = position(bodies, from.vertex) - p;
                    let depth = way.dot(from.direction) + from.depth;
                    mean.add(way.length_squared(), depth, from.direction);
                }
                mean
            })
            .par_gather();
        steps += 1;
        for (&k, mean) in next.iter().zip(found) {
            mean.put(&mut rows[k], steps);
        }
        last = next;
    }
}

#[cfg(test)]
mod tests;
