//! Which triangles meet at which vertex.

use crate::memory;

/// The triangles at every vertex. It depends on the triangles only, so it outlives any deformation.
#[derive(Debug)]
pub struct Incidence {
    /// Where each vertex's triangles start, and the end.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Incidence {
    /// Of triangles whose indices are below `vertices`.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut starts = memory::filled(0u32, vertices + 1);
        for &v in triangles.as_flattened() {
            starts[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = memory::copied(&starts);
        let mut sorted = memory::filled(0, 3 * triangles.len());
        for (t, corners) in triangles.iter().enumerate() {
            for &v in corners {
                sorted[next[v as usize] as usize] = t as u32;
                next[v as usize] += 1;
            }
        }
        Self {
            starts,
            triangles: sorted,
        }
    }

    /// The triangles at a vertex, ascending.
    pub fn at(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.triangles[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    /// The triangles that share a vertex with one whose corners are given, itself too, some of them several times.
    pub fn around(&self, corners: [u32; 3]) -> impl Iterator<Item = u32> + '_ {
        corners.into_iter().flat_map(|v| self.at(v).iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;

    #[test]
    fn each_triangle_is_at_its_three_corners_and_nowhere_else() {
        let torus = shapes::torus(2.0, 0.5, 12, 7);
        let surface = torus.surface();
        let incidence = Incidence::new(surface.triangles, surface.positions.len());
        for v in 0..surface.positions.len() as u32 {
            let expected: Vec<u32> = (0..surface.triangles.len() as u32)
                .filter(|&t| surface.triangles[t as usize].contains(&v))
                .collect();
            assert_eq!(incidence.at(v), expected);
        }
    }
}
