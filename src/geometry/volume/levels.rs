//! How many times each vertex of one body is enclosed by another body.
//!
//! One number for each connected part comes from a ray; along an edge it changes where the edge crosses a face. So all others follow
//! without a look at the other body, and where two ways to a vertex do not agree, the other body is not closed.

use super::WeldedBody;
use crate::geometry::topology::edges::{Edges, VertexNeighbours};
use crate::geometry::triangle::perturbed::crossing;
use crate::interrupt;
use crate::memory;
use std::collections::HashMap;

/// What each vertex is enclosed by.
pub(super) struct Levels {
    /// The winding number of the other body at each vertex; 0 where no triangle uses it.
    pub(super) of_vertices: Vec<i32>,
    /// Edges along which it does not change as their crossings say.
    pub(super) disagreeing: u64,
    /// Of the body, over welded vertices.
    pub(super) edges: Edges,
}

/// Changes along edges, from the lower to the upper vertex.
pub(super) type Changes = HashMap<[u32; 2], i32>;

impl Levels {
    /// Of the vertices of `own`, by the body `other`.
    pub(super) fn new(own: &WeldedBody, other: &WeldedBody, changes: &Changes) -> Self {
        let vertices = own.points.len();
        let edges = Edges::new(&own.triangles, vertices);
        let neighbours = VertexNeighbours::new(&edges, vertices);
        let along = |from: u32, to: u32| -> i32 {
            let up = changes.get(&[from.min(to), from.max(to)]).copied();
            up.map_or(0, |change| if from < to { change } else { -change })
        };
        let mut of_vertices = memory::filled(0, vertices);
        let mut known = memory::filled(false, vertices);
        let mut waiting = Vec::new();
        for &[start, _] in &edges.ends {
            if known[start as usize] {
                continue;
            }
            interrupt::check();
            known[start as usize] = true;
            of_vertices[start as usize] = winding_number(own, start, other);
            memory::add(&mut waiting, start);
            while let Some(from) = waiting.pop() {
                for &to in neighbours.of(from) {
                    if !known[to as usize] {
                        known[to as usize] = true;
                        of_vertices[to as usize] = of_vertices[from as usize] + along(from, to);
                        memory::add(&mut waiting, to);
                    }
                }
            }
        }
        let agrees = |[from, to]: [u32; 2]| {
            of_vertices[to as usize] == of_vertices[from as usize] + along(from, to)
        };
        let disagreeing = edges.ends.iter().filter(|ends| !agrees(**ends)).count() as u64;
        Self {
            of_vertices,
            disagreeing,
            edges,
        }
    }
}

/// By the crossings of a ray along x, counted without ties.
fn winding_number(own: &WeldedBody, vertex: u32, other: &WeldedBody) -> i32 {
    let p = own.points[vertex as usize];
    let far = p.with_x(other.bounds.1.x.max(p.x) + 1.0 + other.bounds.1.x.abs());
    let (least, most) = other.bounds;
    let is_beside = |low: f64, high: f64, at: f64| at < low || at > high;
    if is_beside(least.y, most.y, p.y) || is_beside(least.z, most.z, p.z) || p.x > most.x {
        return 0;
    }
    let mut number = 0;
    for &[a, b, c] in &other.triangles {
        let triangle = [a, b, c].map(|v| other.points[v as usize]);
        let [low, high] = [
            triangle[0].min(triangle[1]).min(triangle[2]),
            triangle[0].max(triangle[1]).max(triangle[2]),
        ];
        let beside = is_beside(low.y, high.y, p.y) || is_beside(low.z, high.z, p.z);
        if !beside && p.x <= high.x {
            number -= crossing(own.owner, [p, far], &triangle);
        }
    }
    number
}
