//! Proximity, last: which sample has the best upper bound, a short descent from it within its triangle, and the answer. Partner:
//! `shaders/proximity/proximity_answer.comp`.

use super::answer::{Sample, answer};
use super::{LEVELS, middle_of};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Piece, ProximityQuery};
use crate::gpu::shader::kernels::ProximityAnswer;
use crate::host::field::Field;
use crate::host::meeting::MeetingMesh;
use crate::host::ordered::{ordered, unordered};

/// Minus infinity is above no bound: what is not settled is bounded by all that is left.
pub(super) const MOST_SETTLED: u32 = 0xff80_0000;

/// The sample with this upper bound among the pieces of levels 1 to `last`: its triangle, level and path. Of several the first.
fn find_piece(
    query: &ProximityQuery,
    pieces: Array<Piece>,
    best: u32,
    last: usize,
) -> Option<(u32, usize, u32)> {
    (1..=last)
        .flat_map(|level| {
            let start = query.level_start(level) as usize;
            (start..start + query.counts[level] as usize).map(move |at| (level, pieces.get(at)))
        })
        .filter(|(_, piece)| ordered(piece.upper) == best)
        .map(|(level, piece)| (piece.triangle, level, piece.path))
        .min()
}

impl Native for ProximityAnswer<'_> {
    fn run(&self, (): &(), _: [u32; 3]) {
        let query = self.query.array::<ProximityQuery>().get(0);
        let meeting = &query.meeting;
        let (field, mesh) = (
            Field::of(&self.field),
            MeetingMesh::of(&self.meeting, meeting),
        );
        // What was not split counts as it is: the pieces of the last level, or of the first that did not fit.
        let mut last = (0..LEVELS)
            .find(|level| !query.is_whole(*level))
            .unwrap_or(LEVELS);
        let lower = query.settled.min(MOST_SETTLED).min(query.lowers[last]);
        if !query.is_whole(last) {
            last = last.max(1) - 1;
        }
        let best = query.best_until(last);
        let (triangle, level, path) = match best == query.best {
            true => (query.winner, 0, 0),
            false => {
                find_piece(&query, self.pieces.array(), best, last).unwrap_or((query.winner, 0, 0))
            }
        };
        let start = Sample {
            // Nobody has the best where no position is a number.
            triangle: if triangle == u32::MAX { 0 } else { triangle },
            weights: middle_of(path, level),
            step: 0.25 / (1u32 << (2 * level)) as f32,
        };
        answer(
            (&field, &mesh, meeting),
            start,
            unordered(lower),
            unordered(best),
            self.answers.array(),
        );
    }
}
