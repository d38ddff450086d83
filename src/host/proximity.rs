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
