//! Queries that run in phases: all of a batch go through a phase together, and one barrier ends it, so that many pairs cost
//! little more than their work.

use super::clusters::{Refits, refit_all};
use super::meeting::Place;
use crate::error::Result;
use crate::gpu::recorder::{Access, Recorder};
use crate::scene::mesh::Mesh;
use std::sync::Arc;

/// A query in phases.
pub(crate) trait Phased {
    /// The mesh whose cluster bounds are current before the first phase.
    fn mesh(&self) -> &Arc<Mesh>;

    /// Bytes that its phases share.
    fn workspace_bytes(&self) -> u64;

    /// How many phases there are.
    fn phases(&self) -> usize;

    /// Records a phase. What earlier phases wrote is visible; phase 0 sees the refitted clusters.
    fn record(&self, phase: usize, recorder: &mut Recorder, place: &Place) -> Result<()>;
}

/// Records all phases of queries that follow each other in a batch.
pub(crate) fn record(
    recorder: &mut Recorder,
    refits: &mut Refits,
    run: &[(&dyn Phased, Place)],
) -> Result<()> {
    refit_all(recorder, refits, run.iter().map(|(query, _)| query.mesh()))?;
    let phases = run.iter().map(|(q, _)| q.phases()).max().unwrap_or(0);
    for phase in 0..phases {
        if phase > 0 {
            recorder.barrier(Access::Any, Access::Any);
        }
        for (query, place) in run.iter().filter(|(q, _)| phase < q.phases()) {
            query.record(phase, recorder, place)?;
        }
    }
    Ok(())
}
