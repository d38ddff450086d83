//! Proximity, fourth: a level of branch and bound. Pieces that can still hold a nearer point are split; of their parts those that are small
//! are settled, the others listed. Partner: `shaders/proximity/proximity_pieces.comp`.

use super::parts::Split;
use super::{Found, NOTHING};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Piece, PiecesPush, ProximityQuery};
use crate::gpu::shader::kernels::ProximityPieces;
use crate::host::field::Field;
use crate::host::meeting::MeetingMesh;
use crate::host::ordered::ordered;
use crate::host::runs::gather_runs;

/// Pieces that are worth a thread.
const RUN: usize = 64;

impl Native for ProximityPieces<'_> {
    fn run(&self, push: &PiecesPush, _: [u32; 3]) {
        let state = self.query.array::<ProximityQuery>();
        let query = state.get(0);
        let level = push.level as usize;
        if !query.is_whole(level) || query.counts[level] == 0 {
            return;
        }
        let (field, mesh) = (
            Field::of(&self.field),
            MeetingMesh::of(&self.meeting, &query.meeting),
        );
        let pieces = self.pieces.array::<Piece>();
        let (start, count) = (query.level_start(level), query.counts[level]);
        let split = Split {
            field: &field,
            mesh: &mesh,
            query: &query,
            best: query.best_until(level),
            room: query.capacity - start - count,
        };
        let all = gather_runs(count as usize, RUN, |run| {
            let mut found = Found::nothing();
            for i in run {
                let piece = pieces.get(start as usize + i);
                if ordered(piece.lower) <= split.best {
                    split.piece(&piece, level, &mut found);
                }
            }
            found
        });
        let mut query = query;
        let upper = all
            .iter()
            .fold(NOTHING, |upper, found| upper.min(found.upper));
        query.uppers[level + 1] = query.uppers[level + 1].min(upper);
        Found::store(&all, level + 1, &mut query, pieces, start + count);
        state.set(0, query);
    }
}
