//! Proximity fused, fourth: branch and bound within a few pieces of triangles, level by level. Partner:
//! `shaders/proximity/proximity_settle.comp`.

use super::parts::Split;
use super::proximity_best::PATH_BITS;
use super::{LEVELS, NOTHING, PARTS, PIECES_PER_GROUP};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Piece, ProximityQuery};
use crate::gpu::shader::kernels::ProximitySettle;
use crate::host::field::Field;
use crate::host::meeting::MeetingMesh;
use crate::host::ordered::{ordered, unordered};
use crate::host::runs::gather_runs;
use crate::memory::{self, Gather};

/// Groups of pieces that are worth a thread.
const RUN: usize = 16;
/// Pieces of the third level that a group can have.
const THIRD: u32 = PIECES_PER_GROUP * (PARTS * PARTS) as u32;

/// An upper bound, the triangle that has it, and its path with the level above: the least is the best.
type Winner = (u32, u32, u32);

impl Native for ProximitySettle<'_> {
    fn run(&self, (): &(), _: [u32; 3]) {
        let state = self.query.array::<ProximityQuery>();
        let mut query = state.get(0);
        let count = query.counts[1];
        if !query.is_whole(1) || count == 0 {
            return;
        }
        let given = query;
        let groups = Groups {
            split: Split {
                field: &Field::of(&self.field),
                mesh: &MeetingMesh::of(&self.meeting, &given.meeting),
                query: &given,
                best: given.best_until(1),
                // An equal share of what the query may keep for each of the pieces.
                room: (PIECES_PER_GROUP * ((given.capacity - count) / count)).min(THIRD),
            },
            pieces: self.pieces.array(),
        };
        let all = gather_runs(count.div_ceil(PIECES_PER_GROUP) as usize, RUN, |run| {
            let mut kept = [Vec::new(), Vec::new()];
            let first = run.start;
            let found = run.map(|group| groups.settle(group, &mut kept)).gather();
            (first, found)
        });
        // Only now, so that a run that ends early can be begun again.
        for (first, found) in all {
            for (group, (settled, sample)) in (first..).zip(found) {
                query.settled = query.settled.min(settled);
                groups.pieces.set(group * PIECES_PER_GROUP as usize, sample);
            }
        }
        state.set(0, query);
    }
}

struct Groups<'a> {
    split: Split<'a>,
    pieces: Array<'a, Piece>,
}

impl Groups<'_> {
    /// Splits the pieces of a group; gives the smallest lower bound of what is settled, and the best sample.
    fn settle(&self, group: usize, [level_pieces, kept]: &mut [Vec<Piece>; 2]) -> (u32, Piece) {
        let first = group * PIECES_PER_GROUP as usize;
        let end = (first + PIECES_PER_GROUP as usize).min(self.split.query.counts[1] as usize);
        level_pieces.clear();
        memory::ensure_more(level_pieces, end - first);
        level_pieces.extend((first..end).map(|at| self.pieces.get(at)));
        let mut winner = (NOTHING, NOTHING, NOTHING);
        for piece in level_pieces.iter() {
            let path = piece.path | 1 << PATH_BITS;
            winner = winner.min((ordered(piece.upper), piece.triangle, path));
        }
        let (mut best, mut settled) = (self.split.best, NOTHING);
        let mut room = self.split.room as usize;
        for level in 1..LEVELS {
            kept.clear();
            let found = self.split(level_pieces, level, best, room, kept, &mut winner);
            settled = settled.min(found.settled);
            if found.count > room {
                // Too many: they count as they are.
                settled = settled.min(found.lower);
                break;
            }
            room -= found.count;
            best = best.min(found.upper);
            std::mem::swap(level_pieces, kept);
        }
        let (upper, triangle, path) = winner;
        let sample = Piece {
            triangle,
            path,
            lower: 0.0,
            upper: unordered(upper),
        };
        (settled, sample)
    }

    /// Splits pieces of a level; keeps those parts that are to be split further.
    fn split(
        &self,
        level_pieces: &[Piece],
        level: usize,
        best: u32,
        room: usize,
        kept: &mut Vec<Piece>,
        winner: &mut Winner,
    ) -> Level {
        let mut found = Level {
            count: 0,
            lower: NOTHING,
            upper: NOTHING,
            settled: NOTHING,
        };
        for piece in level_pieces {
            if ordered(piece.lower) > best {
                continue;
            }
            let bounds = self.split.bounds(piece, level);
            for part in 0..PARTS {
                let child = Piece {
                    path: piece.path | (part as u32) << (4 * level),
                    lower: bounds.lower[part],
                    upper: bounds.upper[part],
                    ..*piece
                };
                let (lower, upper) = (ordered(child.lower), ordered(child.upper));
                let path = child.path | (level as u32 + 1) << PATH_BITS;
                *winner = (*winner).min((upper, child.triangle, path));
                found.upper = found.upper.min(upper);
                if lower > best {
                    continue;
                }
                if bounds.small >> part & 1 == 1 || level + 1 == LEVELS {
                    found.settled = found.settled.min(lower);
                    continue;
                }
                found.lower = found.lower.min(lower);
                found.count += 1;
                if found.count <= room {
                    memory::add(kept, child);
                }
            }
        }
        found
    }
}

/// What was found at a level: parts to be split further, the smallest bounds of these and of all, and the smallest lower bound of what
/// is small enough.
struct Level {
    count: usize,
    lower: u32,
    upper: u32,
    settled: u32,
}
