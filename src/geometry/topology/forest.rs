//! A way from vertex to vertex along edges that passes each vertex once: what is known of one vertex spreads to all that edges join to it.

use super::edges::{Edges, VertexNeighbours};
use crate::memory;

/// Each vertex of an edge, after the one that it is reached from. Depends on the triangles only.
pub struct SpanningForest {
    /// Those that nothing is reached from: one of each connected part.
    pub roots: Vec<u32>,
    /// All others: where one comes from, and the vertex.
    pub steps: Vec<[u32; 2]>,
}

impl SpanningForest {
    /// In the order of distance, counted in edges.
    pub fn new(edges: &Edges, neighbours: &VertexNeighbours, vertices: usize) -> Self {
        let mut known = memory::filled(false, vertices);
        let (mut roots, mut steps) = (Vec::new(), memory::room(vertices));
        let mut done = 0;
        for &[root, _] in &edges.ends {
            if std::mem::replace(&mut known[root as usize], true) {
                continue;
            }
            memory::add(&mut roots, root);
            let mut next = Some(root);
            while let Some(from) = next {
                for &to in neighbours.of(from) {
                    if !std::mem::replace(&mut known[to as usize], true) {
                        memory::add(&mut steps, [from, to]);
                    }
                }
                next = steps.get(done).map(|[_, vertex]| *vertex);
                done += usize::from(next.is_some());
            }
        }
        Self { roots, steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixtures::shapes;
    use std::collections::BTreeSet;

    #[test]
    fn every_vertex_is_reached_once_along_an_edge_and_each_part_has_a_root() {
        let torus = shapes::torus(1.0, 0.4, 12, 8);
        let two = torus.clone().with(&torus);
        let vertices = two.positions.len();
        let edges = Edges::new(&two.triangles, vertices);
        let neighbours = VertexNeighbours::new(&edges, vertices);
        let forest = SpanningForest::new(&edges, &neighbours, vertices);
        assert_eq!(forest.roots.len(), 2);
        let mut reached: BTreeSet<u32> = forest.roots.iter().copied().collect();
        for [from, to] in &forest.steps {
            assert!(reached.contains(from) && reached.insert(*to));
            assert!(neighbours.of(*from).contains(to));
        }
        assert_eq!(reached.len(), vertices);
    }
}
