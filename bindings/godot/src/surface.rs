//! The triangles of a Godot mesh as one closed surface: Godot splits corners for their normals and leaves seams where a shape closes.

use crate::device::Outcome;
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, Mesh};
use godot::prelude::*;
use std::collections::HashMap;

/// Corners closer than this are one, as a share of the mesh's longest side.
const SEAM: f32 = 1e-6;

/// A surface, counter-clockwise seen from outside.
pub struct Surface {
    pub positions: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex of Godot's, surface by surface, the position it became.
    pub vertices: Vec<u32>,
}

impl Surface {
    /// All surfaces of the mesh, in the shape that the node's scale gives it.
    pub fn read(mesh: &Gd<Mesh>, shape: &Basis) -> Outcome<Self> {
        let mut corners = Vec::new();
        let mut triangles = Vec::new();
        for surface in 0..mesh.get_surface_count() {
            if let Ok(mesh) = mesh.clone().try_cast::<ArrayMesh>()
                && mesh.surface_get_primitive_type(surface) != PrimitiveType::TRIANGLES
            {
                return Err(format!("surface {surface} of the mesh is not of triangles"));
            }
            let first = corners.len() as u32;
            let arrays = mesh.surface_get_arrays(surface);
            let array = |of: ArrayType| arrays.get(of.ord() as usize).unwrap_or_default();
            let points = array(ArrayType::VERTEX)
                .try_to::<PackedVector3Array>()
                .map_err(|_| format!("surface {surface} of the mesh has no vertices"))?;
            corners.extend(points.as_slice().iter().map(|&at| placed(shape, at)));
            let indices: Vec<u32> = match array(ArrayType::INDEX).try_to::<PackedInt32Array>() {
                Ok(indices) if !indices.is_empty() => {
                    indices.as_slice().iter().map(|&at| at as u32).collect()
                }
                _ => (0..points.len() as u32).collect(),
            };
            if indices.iter().any(|&at| at as usize >= points.len()) {
                return Err(format!(
                    "surface {surface} of the mesh names a vertex that it has not"
                ));
            }
            triangles.extend(
                indices
                    .chunks_exact(3)
                    .map(|c| [c[0], c[1], c[2]].map(|at| at + first)),
            );
        }
        if triangles.is_empty() {
            return Err("the mesh has no triangles".into());
        }
        if !corners.iter().flatten().all(|at| at.is_finite()) {
            return Err("a vertex of the mesh is not finite".into());
        }
        // Front faces are clockwise in Godot; a mirrored node shows them the other way round.
        let mirrored = shape.determinant() < 0.0;
        Ok(Self::joined(&corners, &triangles, !mirrored))
    }

    /// The positions after the vertices have moved, in Godot's order; none if there are not as many as before.
    pub fn moved(&self, shape: &Basis, to: &[Vector3]) -> Option<Vec<[f32; 3]>> {
        let mut positions = self.positions.clone();
        if to.len() != self.vertices.len() {
            return None;
        }
        for (&vertex, &at) in self.vertices.iter().zip(to) {
            positions[vertex as usize] = placed(shape, at);
        }
        Some(positions)
    }

    fn joined(corners: &[[f32; 3]], triangles: &[[u32; 3]], turned: bool) -> Self {
        let reach = |axis: usize| {
            let along = || corners.iter().map(|corner| corner[axis]);
            along().fold(f32::MIN, f32::max) - along().fold(f32::MAX, f32::min)
        };
        let seam = (SEAM * reach(0).max(reach(1)).max(reach(2))).max(f32::MIN_POSITIVE);
        let mut grid: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        let mut positions: Vec<[f32; 3]> = Vec::new();
        let vertices: Vec<u32> = corners
            .iter()
            .map(|corner| {
                let cell = corner.map(|at| (f64::from(at) / f64::from(2.0 * seam)).floor() as i64);
                let near = |at: &u32| {
                    (0..3).all(|k| (positions[*at as usize][k] - corner[k]).abs() <= seam)
                };
                let same = neighbours(cell)
                    .find_map(|cell| grid.get(&cell)?.iter().copied().find(|at| near(at)));
                same.unwrap_or_else(|| {
                    positions.push(*corner);
                    grid.entry(cell)
                        .or_default()
                        .push(positions.len() as u32 - 1);
                    positions.len() as u32 - 1
                })
            })
            .collect();
        let triangles = triangles
            .iter()
            .map(|corners| corners.map(|at| vertices[at as usize]))
            .map(|[a, b, c]| if turned { [a, c, b] } else { [a, b, c] })
            // The poles of a sphere.
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect();
        Self {
            positions,
            triangles,
            vertices,
        }
    }
}

fn placed(shape: &Basis, at: Vector3) -> [f32; 3] {
    let at = *shape * at;
    [at.x, at.y, at.z]
}

fn neighbours([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(move |at| [x + at % 3 - 1, y + at / 3 % 3 - 1, z + at / 9 - 1])
}
