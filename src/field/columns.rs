//! Where a field's body begins and ends along each axis: what six depth-only renderings of it would show (Morvan et al. 2008,
//! section 4.1), read off the field itself, so that fields without a mesh have it too. Partner: `body_depth.frag`.

use super::data::FieldData;
use crate::memory;
use glam::UVec3;

/// The first and the last node of a column that is inside, or that a device's filter could take for inside.
pub type Column = [u32; 2];

/// A column without such a node.
const EMPTY: Column = [u32::MAX, 0];

/// The columns along x over (y, z), then those along y over (z, x), then those along z over (x, y), the first of a pair fastest.
pub fn of_body(data: &FieldData) -> Vec<Column> {
    let nodes = data.grid.nodes;
    let [nx, ny, nz] = nodes.to_array().map(|n| n as usize);
    let mut columns = memory::filled(EMPTY, ny * nz + nz * nx + nx * ny);
    // A filter places samples in steps; between two nodes it is off by no more than this.
    let nearly = 0.02 * data.grid.spacing * data.lipschitz;
    for (i, value) in data.dense_distances().into_iter().enumerate() {
        if value > nearly {
            continue;
        }
        let at = [i % nx, i / nx % ny, i / (nx * ny)];
        let [x, y, z] = at;
        let places = [
            z * ny + y,
            ny * nz + x * nz + z,
            ny * nz + nz * nx + y * nx + x,
        ];
        for (place, k) in places.into_iter().zip(at) {
            let [first, last] = &mut columns[place];
            *first = (*first).min(k as u32);
            *last = (*last).max(k as u32);
        }
    }
    columns
}

/// Bytes of a field's columns on the device.
pub fn bytes(nodes: UVec3) -> u64 {
    let [x, y, z] = nodes.to_array().map(u64::from);
    (y * z + z * x + x * y) * size_of::<Column>() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::grid::Grid;
    use crate::field::shape::Shape;
    use glam::{DVec3, Vec3};

    #[test]
    fn the_columns_of_a_box_end_where_the_box_does() {
        let grid = Grid {
            origin: Vec3::new(-2.0, -3.0, -4.0),
            spacing: 0.5,
            nodes: UVec3::new(9, 13, 17),
        };
        let half_size = DVec3::new(1.2, 2.2, 3.2);
        let (distances, _) = Shape::Box { half_size }.sample(&grid);
        let data = FieldData::given(grid, distances, None, None).unwrap();
        let columns = of_body(&data);
        assert_eq!(columns.len() as u64 * 8, bytes(data.grid.nodes));
        // In the middle: nodes at -1 to 1 of x, -2 to 2 of y, -3 to 3 of z; at the rims nothing.
        assert_eq!(columns[8 * 13 + 6], [2, 6]);
        assert_eq!(columns[13 * 17 + 4 * 17 + 8], [2, 10]);
        assert_eq!(columns[13 * 17 + 17 * 9 + 6 * 9 + 4], [2, 14]);
        assert_eq!((columns[0], columns[13 * 17]), (EMPTY, EMPTY));
    }
}
