//! What the kernels of proximity share. Bounds are kept as integers in the order of the floats. Partner: `shaders/include/proximity.glsl`,
//! whose names these are.

mod answer;
pub(super) mod parts;
mod proximity_answer;
mod proximity_best;
mod proximity_clusters;
mod proximity_pieces;
mod proximity_settle;
mod proximity_triangles;

use super::meeting::Corners;
use super::ordered::ordered;
use crate::gpu::native::Array;
use crate::gpu::shader::blocks::{Piece, ProximityQuery};
use glam::Vec3;

const LEVELS: usize = 4;
/// Pieces that a piece is split into: four along an edge.
pub(super) const PARTS: usize = 16;
/// Pieces whose parts a workgroup of the next level takes, and the workgroups that every device allows.
const PIECES_PER_GROUP: u32 = 4;
const MAX_GROUPS: u32 = 65_535;
/// More than any bound.
const NOTHING: u32 = u32::MAX;

impl ProximityQuery {
    /// Counts pieces that were found at a level, with the smallest of their lower bounds, and the workgroups for them.
    fn count_pieces(&mut self, level: usize, count: u32, lower: u32) {
        self.lowers[level] = self.lowers[level].min(lower);
        let counted = self.capacity.min(PIECES_PER_GROUP * MAX_GROUPS);
        let groups = |pieces: u32| pieces.min(counted).div_ceil(PIECES_PER_GROUP);
        let before = self.counts[level];
        self.counts[level] = before.saturating_add(count);
        self.commands[3 * level] += groups(self.counts[level]) - groups(before);
    }

    /// Where a level's pieces start.
    fn level_start(&self, level: usize) -> u32 {
        self.counts[..level].iter().sum()
    }

    /// Whether all pieces of a level were stored.
    fn is_whole(&self, level: usize) -> bool {
        // Counted level by level: the sum of levels that fit cannot overflow.
        let mut used = 0;
        self.counts[..=level].iter().all(|&count| {
            let fits = count <= self.capacity - used;
            used += if fits { count } else { 0 };
            fits
        })
    }

    /// The smallest upper bound up to a level whose pieces were all stored.
    fn best_until(&self, level: usize) -> u32 {
        self.uppers[1..=level]
            .iter()
            .fold(self.best, |a, b| a.min(*b))
    }
}

/// What a run of a kernel found.
struct Found {
    /// Pieces to be split, as many as there is room for.
    pieces: Vec<Piece>,
    /// How many there are, and the smallest of their lower bounds.
    count: u32,
    lower: u32,
    /// The smallest upper bound of all.
    upper: u32,
    /// The smallest lower bound of what is small enough.
    settled: u32,
    /// The first triangle that has the best upper bound.
    winner: u32,
}

impl Found {
    fn nothing() -> Self {
        Self {
            pieces: Vec::new(),
            count: 0,
            lower: NOTHING,
            upper: NOTHING,
            settled: NOTHING,
            winner: NOTHING,
        }
    }

    /// Lists a piece.
    fn list(&mut self, piece: Piece, room: u32) {
        self.count += 1;
        self.lower = self.lower.min(ordered(piece.lower));
        if self.pieces.len() < room as usize {
            crate::memory::add(&mut self.pieces, piece);
        }
    }

    /// Puts what runs found, in their order, into the state and behind the `used` pieces that are stored already.
    fn store(
        all: &[Self],
        level: usize,
        query: &mut ProximityQuery,
        pieces: Array<Piece>,
        used: u32,
    ) {
        let mut at = used as usize;
        for found in all {
            query.count_pieces(level, found.count, found.lower);
            query.settled = query.settled.min(found.settled);
            query.winner = query.winner.min(found.winner);
            let room = (query.capacity as usize).saturating_sub(at);
            for piece in found.pieces.iter().take(room) {
                pieces.set(at, *piece);
                at += 1;
            }
        }
    }
}

/// A part of a triangle cut into `PARTS`: row by row from corner a, pointing as the triangle and against it in turn.
pub(super) fn part_of(t: &Corners, part: u32) -> Corners {
    let row = part.isqrt();
    let along = part - row * row;
    let (u, v) = ((t.b - t.a) * 0.25, (t.c - t.b) * 0.25);
    let corner = t.a + row as f32 * u + (along >> 1) as f32 * v;
    if along & 1 == 0 {
        Corners {
            a: corner,
            b: corner + u,
            c: corner + u + v,
        }
    } else {
        Corners {
            a: corner + u + v,
            b: corner + v,
            c: corner,
        }
    }
}

/// The piece of a triangle at the end of a path: four bits a level, the first level lowest.
fn piece_of(t: Corners, path: u32, level: usize) -> Corners {
    (0..level).fold(t, |t, k| part_of(&t, (path >> (4 * k)) & 15))
}

/// The weights of the corners of a triangle at the middle of a piece.
fn middle_of(path: u32, level: usize) -> Vec3 {
    let unit = Corners {
        a: Vec3::X,
        b: Vec3::Y,
        c: Vec3::Z,
    };
    piece_of(unit, path, level).middle()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn triangle() -> Corners {
        Corners {
            a: Vec3::new(1.0, 0.0, 2.0),
            b: Vec3::new(4.0, 1.0, 2.0),
            c: Vec3::new(2.0, 3.0, 4.0),
        }
    }

    fn area(t: &Corners) -> f32 {
        0.5 * (t.b - t.a).cross(t.c - t.a).length()
    }

    #[test]
    fn parts_have_a_sixteenth_of_the_area_each_and_the_middle_of_them_all() {
        let whole = triangle();
        let parts: Vec<Corners> = (0..PARTS as u32)
            .map(|part| part_of(&whole, part))
            .collect();
        for part in &parts {
            assert!((16.0 * area(part) - area(&whole)).abs() < 1e-4);
            assert!((4.0 * part.radius() - whole.radius()).abs() < 1e-4);
        }
        let mean = parts.iter().map(Corners::middle).sum::<Vec3>() / PARTS as f32;
        assert!(mean.distance(whole.middle()) < 1e-5);
        // No two are the same.
        for (i, a) in parts.iter().enumerate() {
            for b in &parts[..i] {
                assert!(a.middle().distance(b.middle()) > 0.1);
            }
        }
    }

    #[test]
    fn a_path_leads_to_the_part_of_a_part() {
        let whole = triangle();
        let piece = piece_of(whole, 11 | 6 << 4, 2);
        let expected = part_of(&part_of(&whole, 11), 6).middle();
        assert!(piece.middle().distance(expected) < 1e-6);
        let weights = middle_of(11 | 6 << 4, 2);
        let there = weights.x * whole.a + weights.y * whole.b + weights.z * whole.c;
        assert!(there.distance(expected) < 1e-5, "{there} {expected}");
    }

    #[test]
    fn pieces_are_counted_with_the_workgroups_for_them() {
        let mut query = ProximityQuery {
            capacity: 10,
            lowers: [NOTHING; LEVELS + 1],
            ..ProximityQuery::zeroed()
        };
        for (count, lower) in [(3, 7), (2, 5), (0, NOTHING), (30, 6)] {
            query.count_pieces(1, count, lower);
        }
        assert_eq!((query.counts[1], query.lowers[1]), (35, 5));
        // Four pieces a workgroup, of no more than there is room for.
        assert_eq!(query.commands[3], 3);
        assert!(query.is_whole(0) && !query.is_whole(1) && !query.is_whole(2));
    }
}
