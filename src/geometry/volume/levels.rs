//! How many times each vertex of one body is enclosed by another body.
//!
//! One number for each connected part comes from a ray; along an edge it changes where the edge crosses a face. So all others follow
//! without a look at the other body, and where two ways to a vertex do not agree, the other body is not closed.

use super::body::WeldedBody;
use super::crossings::{EdgeCrossing, on_edge};
use crate::geometry::PORTION;
use crate::geometry::hierarchy::dual::PlacedSurface;
use crate::geometry::sign::ray_crossings::numbers_around;
use crate::interrupt;
use crate::memory::{self, Gather};
use rayon::prelude::*;

/// What each vertex is enclosed by.
pub(super) struct Levels {
    /// The winding number of the other body at each vertex; 0 where no triangle uses it.
    pub(super) of_vertices: Vec<i32>,
    /// Edges along which it does not change as their crossings say.
    pub(super) disagreeing: u64,
}

impl Levels {
    /// Of the vertices of `own`, by the body `other`.
    pub(super) fn new(own: &WeldedBody, other: &PlacedSurface, crossings: &[EdgeCrossing]) -> Self {
        let vertices = own.points.len();
        // Few edges are crossed: most need no search among the crossings.
        let mut is_touched = memory::filled(false, vertices);
        for vertex in crossings.iter().flat_map(|crossing| crossing.edge) {
            is_touched[vertex as usize] = true;
        }
        let along = |from: u32, to: u32| -> i32 {
            let on_edge = on_edge(crossings, [from.min(to), from.max(to)]);
            let up: i32 = crossings[on_edge].iter().map(|c| c.up).sum();
            if from < to { up } else { -up }
        };
        let mut of_vertices = memory::filled(0, vertices);
        let forest = &own.topology.forest;
        let starts = (forest.roots.iter())
            .map(|root| own.points[*root as usize])
            .gather();
        let numbers = numbers_around(other, own.owner, &starts);
        for (root, number) in forest.roots.iter().zip(numbers) {
            of_vertices[*root as usize] = number;
        }
        for &[from, to] in &forest.steps {
            let mut level = of_vertices[from as usize];
            if is_touched[from as usize] && is_touched[to as usize] {
                level += along(from, to);
            }
            of_vertices[to as usize] = level;
        }
        let agrees = |[from, to]: [u32; 2]| {
            let change = of_vertices[to as usize] - of_vertices[from as usize];
            if is_touched[from as usize] && is_touched[to as usize] {
                change == along(from, to)
            } else {
                change == 0
            }
        };
        let disagreeing = (own.topology.edges().par_chunks(PORTION))
            .map(|edges| {
                interrupt::check();
                edges.iter().filter(|ends| !agrees(**ends)).count() as u64
            })
            .sum();
        Self {
            of_vertices,
            disagreeing,
        }
    }
}
