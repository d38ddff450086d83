//! Which vertices a few edges lead to, kept for the vertices that were asked for last: a vertex is a corner of many pairs.

use crate::geometry::topology::edges::VertexNeighbours;
use crate::memory;

/// Vertices whose rings are kept.
const KEPT: usize = 512;

/// Rings with more vertices, as around the hub of a large fan, are not kept, so that memory stays bounded.
const LARGEST_KEPT: usize = 4096;

const NO_VERTEX: u32 = u32::MAX;

/// The rings around vertices, for one thread.
pub(super) struct RingCache<'a> {
    rings: u32,
    neighbours: &'a VertexNeighbours,
    kept: Vec<Reached>,
    /// Of a vertex with too many.
    large: Reached,
    /// The last ring, and the next.
    fronts: [Vec<u32>; 2],
}

/// All vertices that at most so many edges lead to from one, ascending.
#[derive(Clone)]
struct Reached {
    from: u32,
    vertices: Vec<u32>,
}

impl<'a> RingCache<'a> {
    pub(super) fn new(rings: u32, neighbours: &'a VertexNeighbours) -> Self {
        let none = Reached {
            from: NO_VERTEX,
            vertices: Vec::new(),
        };
        Self {
            rings,
            neighbours,
            kept: vec![none.clone(); KEPT],
            large: none,
            fronts: [Vec::new(), Vec::new()],
        }
    }

    /// Whether at most so many edges lead from one set of vertices to another.
    pub(super) fn joins(&mut self, from: &[u32], to: &[u32]) -> bool {
        from.iter().any(|&u| {
            let reached = self.reached(u);
            to.iter().any(|v| reached.binary_search(v).is_ok())
        })
    }

    fn reached(&mut self, from: u32) -> &[u32] {
        let slot = from as usize % KEPT;
        if self.kept[slot].from == from {
            return &self.kept[slot].vertices;
        }
        if self.large.from != from {
            self.spread(from);
        }
        if self.large.vertices.len() > LARGEST_KEPT {
            return &self.large.vertices;
        }
        std::mem::swap(&mut self.kept[slot], &mut self.large);
        self.large.from = NO_VERTEX;
        &self.kept[slot].vertices
    }

    /// Fills `large`, ring by ring.
    fn spread(&mut self, from: u32) {
        let Reached { vertices, .. } = &mut self.large;
        let [last, next] = &mut self.fronts;
        vertices.clear();
        memory::add(vertices, from);
        last.clear();
        memory::add(last, from);
        for _ in 0..self.rings {
            next.clear();
            for &v in &*last {
                memory::add_all(next, self.neighbours.of(v));
            }
            next.sort_unstable();
            next.dedup();
            next.retain(|v| vertices.binary_search(v).is_err());
            memory::add_all(vertices, next);
            vertices.sort_unstable();
            std::mem::swap(last, next);
        }
        self.large.from = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::topology::edges::Edges;
    use fixtures::shapes;

    /// Steps between vertices, by breadth first search over the triangles.
    fn steps(triangles: &[[u32; 3]], vertices: usize, from: u32) -> Vec<u32> {
        let mut steps = vec![u32::MAX; vertices];
        steps[from as usize] = 0;
        for ring in 0.. {
            let before = steps.clone();
            for t in triangles {
                if t.iter().any(|&v| before[v as usize] == ring) {
                    for &v in t {
                        steps[v as usize] = steps[v as usize].min(ring + 1);
                    }
                }
            }
            if steps == before {
                return steps;
            }
        }
        unreachable!()
    }

    fn agree(triangles: &[[u32; 3]], vertices: usize, rings: u32, asked: &[u32]) {
        let neighbours = VertexNeighbours::new(&Edges::new(triangles, vertices), vertices);
        let mut cache = RingCache::new(rings, &neighbours);
        for &from in asked {
            let steps = steps(triangles, vertices, from);
            for to in 0..vertices as u32 {
                let joined = cache.joins(&[from], &[to]);
                assert_eq!(joined, steps[to as usize] <= rings, "{from} {to} {rings}");
            }
        }
    }

    #[test]
    fn a_vertex_reaches_what_so_many_edges_lead_to() {
        let torus = shapes::torus(1.0, 0.4, 40, 20);
        for rings in [1, 2, 3, 7] {
            // Vertices that take turns in one slot.
            let asked = [0, 512, 0, 1, 513, 799];
            agree(&torus.triangles, torus.positions.len(), rings, &asked);
        }
    }

    /// All vertices of a fan are two steps apart: too many to keep.
    #[test]
    fn the_hub_of_a_large_fan_is_no_exception() {
        let n = LARGEST_KEPT as u32 + 10;
        let fan: Vec<[u32; 3]> = (1..n).map(|k| [0, k, k + 1]).collect();
        for rings in [1, 2] {
            agree(&fan, n as usize + 1, rings, &[0, 5, 512, 0]);
        }
    }
}
