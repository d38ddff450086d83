//! Rebake: a live field brought up to its mesh's current positions, on the device, ahead of the queries that follow.

use super::band::Band;
use crate::error::Result;
use crate::field::Field;
use crate::gpu::recorder::Recorder;
use std::sync::Arc;

/// A planned rebake. It has no answer.
pub(crate) struct RebakeQuery {
    field: Arc<Field>,
    band: Arc<Band>,
}

impl RebakeQuery {
    pub(crate) fn plan(field: Arc<Field>, band: Arc<Band>) -> Self {
        Self { field, band }
    }

    pub(crate) fn record(&self, recorder: &mut Recorder) -> Result<()> {
        self.band.record(recorder)?;
        self.field
            .texture
            .record_update(recorder, self.band.values());
        Ok(())
    }
}
