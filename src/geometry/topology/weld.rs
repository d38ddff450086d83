//! Vertices that were split at a seam or by a file format, recognised by their position.

use crate::geometry::positions::Positions;
use crate::memory;
use glam::{DVec3, Vec3};

/// For each position, the first index that has exactly the same coordinates (-0 equals 0).
pub fn by_position(positions: Positions) -> Vec<u32> {
    match positions.doubles() {
        None => first_of_each(positions.rounded(), hash),
        Some(doubles) => first_of_each(doubles, hash_f64),
    }
}

fn first_of_each<P: Copy + PartialEq>(positions: &[P], hash: impl Fn(P) -> u64) -> Vec<u32> {
    const FREE: u32 = u32::MAX;
    // Open addressing at a load of at most one half.
    let capacity = (positions.len() * 2).next_power_of_two();
    let mut slots = memory::filled(FREE, capacity);
    let mut first = memory::room(positions.len());
    for (index, &p) in positions.iter().enumerate() {
        let mut slot = hash(p) as usize & (capacity - 1);
        let same = loop {
            match slots[slot] {
                FREE => {
                    slots[slot] = index as u32;
                    break index as u32;
                }
                other if positions[other as usize] == p => break other,
                _ => slot = (slot + 1) & (capacity - 1),
            }
        };
        first.push(same);
    }
    first
}

// Adding 0 turns -0 into 0, so that equal positions have equal bits.
fn hash(p: Vec3) -> u64 {
    let [x, y, z] = (p + Vec3::ZERO).to_array().map(|c| u64::from(c.to_bits()));
    mixed(x | y << 32, z)
}

fn hash_f64(p: DVec3) -> u64 {
    let [x, y, z] = (p + DVec3::ZERO).to_array().map(f64::to_bits);
    mixed(x ^ y.rotate_left(21), mixed(y, z))
}

fn mixed(mut h: u64, z: u64) -> u64 {
    h = (h ^ z.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ h >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ h >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_share_the_first_index() {
        let p = [
            Vec3::X,
            Vec3::Y,
            Vec3::X,
            Vec3::new(1.0, -0.0, 0.0),
            Vec3::new(1.0, f32::EPSILON, 0.0),
            Vec3::Y,
        ];
        assert_eq!(by_position((&p[..]).into()), [0, 1, 0, 0, 4, 1]);
        assert!(by_position((&[][..]).into()).is_empty());
    }

    #[test]
    fn a_grid_of_distinct_points_stays_distinct() {
        let grid: Vec<_> = (0..27_000)
            .map(|i| Vec3::new((i % 30) as f32, (i / 30 % 30) as f32, (i / 900) as f32))
            .collect();
        assert!(
            by_position((&grid).into())
                .iter()
                .enumerate()
                .all(|(i, &v)| i as u32 == v)
        );
    }
}
