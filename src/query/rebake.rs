//! Rebake: a live field brought up to its mesh's current positions, on the device, ahead of the queries that follow.

use super::Query;
use super::band::Band;
use super::workspace::{Memory, Place};
use crate::error::Result;
use crate::field::Field;
use crate::gpu::recorder::Recorder;
use std::sync::Arc;

/// A planned rebake. It has no answer.
pub struct RebakeQuery {
    field: Arc<Field>,
    band: Arc<Band>,
}

impl RebakeQuery {
    /// The field follows the mesh of its band; queries recorded after it see the new field.
    pub fn plan(field: Arc<Field>, band: Arc<Band>) -> Self {
        Self { field, band }
    }
}

impl Query for RebakeQuery {
    type Answer = ();
    type Step = ();
    const NAME: &'static str = "rebake";
    const CHANGES_INPUT: bool = true;

    fn memory(&self) -> Memory {
        Memory::answer(0)
    }

    fn steps(&self) -> &[()] {
        &[()]
    }

    fn record(&self, (): (), _: &Place, recorder: &mut Recorder) -> Result<()> {
        self.band.record(recorder)?;
        let texture = &self.field.texture;
        texture.record_update(recorder, self.band.values());
        Ok(())
    }

    fn answer(&self, _: &[u8]) -> Result<()> {
        Ok(())
    }
}
