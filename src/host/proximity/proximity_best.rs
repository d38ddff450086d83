//! Proximity fused, last: which sample has the best upper bound, a short descent from it within its triangle, and the answer. Partner:
//! `shaders/proximity/proximity_best.comp`; the descent is that of one lane.

use super::answer::{Sample, answer};
use super::proximity_answer::MOST_SETTLED;
use super::{PIECES_PER_GROUP, middle_of};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Piece, ProximityQuery};
use crate::gpu::shader::kernels::ProximityBest;
use crate::host::field::Field;
use crate::host::meeting::MeetingMesh;
use crate::host::ordered::{ordered, unordered};

/// Bits of a path; above them is the level. Partner: `shaders/include/proximity_winner.glsl`.
pub(super) const PATH_BITS: u32 = 16;

impl Native for ProximityBest<'_> {
    fn run(&self, (): &(), _: [u32; 3]) {
        let query = self.query.array::<ProximityQuery>().get(0);
        let meeting = &query.meeting;
        let (field, mesh) = (
            Field::of(&self.field),
            MeetingMesh::of(&self.meeting, meeting),
        );
        let pieces = self.pieces.array::<Piece>();
        let whole = query.is_whole(1);
        // Triangles' middles, then what groups found in the pieces. Pieces that were not all stored cannot be named, and count as they are.
        let count = if whole { query.counts[1] } else { 0 };
        let (upper, triangle, path) = (0..count)
            .step_by(PIECES_PER_GROUP as usize)
            .map(|at| pieces.get(at as usize))
            .map(|piece| (ordered(piece.upper), piece.triangle, piece.path))
            .fold((query.best, query.winner, 0), |a, b| a.min(b));
        let mut lower = query.settled.min(MOST_SETTLED);
        if !whole {
            lower = lower.min(query.lowers[1]);
        }
        let level = (path >> PATH_BITS) as usize;
        let nobody = triangle == u32::MAX;
        let start = Sample {
            // Nobody has the best where no position is a number.
            triangle: if nobody { 0 } else { triangle },
            weights: middle_of(path & ((1 << PATH_BITS) - 1), level),
            step: 0.25 / (1u32 << (2 * level)) as f32,
        };
        answer(
            (&field, &mesh, meeting),
            start,
            unordered(lower),
            unordered(upper),
            self.answers.array(),
        );
    }
}
