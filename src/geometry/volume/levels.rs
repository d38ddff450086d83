//! How many times each vertex of one body is enclosed by another body.
//!
//! One number for each connected part comes from a ray; along an edge it changes where the edge crosses a face. So all others follow
//! without a look at the other body, and where two ways to a vertex do not agree, the other body is not closed.

use super::body::WeldedBody;
use super::crossings::{EdgeCrossing, on_edge};
use crate::geometry::triangle::perturbed::crossing;
use crate::interrupt;
use crate::memory;

/// What each vertex is enclosed by.
pub(super) struct Levels {
    /// The winding number of the other body at each vertex; 0 where no triangle uses it.
    pub(super) of_vertices: Vec<i32>,
    /// Edges along which it does not change as their crossings say.
    pub(super) disagreeing: u64,
}

impl Levels {
    /// Of the vertices of `own`, by the body `other`.
    pub(super) fn new(own: &WeldedBody, other: &WeldedBody, crossings: &[EdgeCrossing]) -> Self {
        let vertices = own.points.len();
        let (edges, neighbours) = (own.topology.edges(), &own.topology.neighbours);
        // Few edges are crossed: most need no search among the crossings.
        let mut is_touched = memory::filled(false, vertices);
        for vertex in crossings.iter().flat_map(|crossing| crossing.edge) {
            is_touched[vertex as usize] = true;
        }
        let along = |from: u32, to: u32| -> i32 {
            if !is_touched[from as usize] || !is_touched[to as usize] {
                return 0;
            }
            let on_edge = on_edge(crossings, [from.min(to), from.max(to)]);
            let up: i32 = crossings[on_edge].iter().map(|c| c.up).sum();
            if from < to { up } else { -up }
        };
        let mut of_vertices = memory::filled(0, vertices);
        let mut known = memory::filled(false, vertices);
        let mut waiting = Vec::new();
        for &[start, _] in edges {
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
        let disagreeing = edges.iter().filter(|ends| !agrees(**ends)).count() as u64;
        Self {
            of_vertices,
            disagreeing,
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
