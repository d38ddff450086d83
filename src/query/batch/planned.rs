//! A query of a batch, of any kind: where its answer is, which part of the working memory is its first, and what it writes to the engine.

use super::super::clusters::Refits;
use super::super::dispatches::Dispatches;
use super::super::output::{OutputArray, OutputBuffer, OutputFrame, OutputPlace};
use super::super::workspace::{Memory, Place, Workspace};
use super::super::{Query, Resources};
use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::Recorder;
use std::any::Any;
use std::ffi::CString;
use std::sync::Arc;

/// A [`Query`] of any kind, its steps by their numbers.
pub(super) trait AnyQuery: Any + Send + Sync {
    fn name(&self) -> &'static str;
    fn changes_input(&self) -> bool;
    fn memory(&self) -> Memory;
    fn inputs(&self) -> Vec<(usize, &[u8])>;
    fn check_foreign_input(&self, input: usize) -> Result<()>;
    fn prepare(&mut self, refits: &mut Refits);
    fn join(&mut self, place: &Place, dispatches: &mut Dispatches);
    fn steps(&self) -> usize;
    fn record(&self, step: usize, place: &Place, recorder: &mut Recorder) -> Result<()>;
    fn collect(&self, place: &Place, recorder: &mut Recorder);
    fn recording(&self) -> Option<u32>;
    fn outputs(&self) -> &'static [OutputArray];
    fn leave_host(&mut self, device: &Resources) -> Result<()>;
    fn plan_output(&mut self, array: usize, device: &Resources) -> Result<()>;
    fn placement(&self) -> OutputFrame;
    fn record_output(
        &self,
        array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()>;
}

impl<Q: Query> AnyQuery for Q {
    fn name(&self) -> &'static str {
        Q::NAME
    }

    fn changes_input(&self) -> bool {
        Q::CHANGES_INPUT
    }

    fn memory(&self) -> Memory {
        Query::memory(self)
    }

    fn inputs(&self) -> Vec<(usize, &[u8])> {
        Query::inputs(self)
    }

    fn check_foreign_input(&self, input: usize) -> Result<()> {
        Query::check_foreign_input(self, input)
    }

    fn prepare(&mut self, refits: &mut Refits) {
        Query::prepare(self, refits);
    }

    fn join(&mut self, place: &Place, dispatches: &mut Dispatches) {
        Query::join(self, place, dispatches);
    }

    fn steps(&self) -> usize {
        Query::steps(self).len()
    }

    fn record(&self, step: usize, place: &Place, recorder: &mut Recorder) -> Result<()> {
        Query::record(self, Query::steps(self)[step], place, recorder)
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        Query::collect(self, place, recorder);
    }

    fn recording(&self) -> Option<u32> {
        Query::recording(self)
    }

    fn outputs(&self) -> &'static [OutputArray] {
        Q::OUTPUTS
    }

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        Query::leave_host(self, device)
    }

    fn plan_output(&mut self, array: usize, device: &Resources) -> Result<()> {
        Query::plan_output(self, array, device)
    }

    fn placement(&self) -> OutputFrame {
        Query::placement(self)
    }

    fn record_output(
        &self,
        array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        Query::record_output(self, array, output, place, recorder)
    }
}

/// A query with its places.
pub(super) struct PlannedQuery {
    pub(super) query: Box<dyn AnyQuery>,
    /// What debuggers show its commands under, where there may be one.
    pub(super) label: Option<Arc<CString>>,
    pub(super) offset: u64,
    pub(super) bytes: u64,
    /// How many of these are all ones before the first step.
    pub(super) blank: u64,
    pub(super) first: usize,
    /// Whether the host reads its answer.
    pub(super) is_read: bool,
    pub(super) outputs: Vec<PlannedOutput>,
}

/// An array that goes to a buffer of the engine's.
pub(super) struct PlannedOutput {
    pub(super) array: usize,
    pub(super) to: OutputBuffer,
    /// Where its head is among the answers.
    pub(super) note: u64,
    /// The part of the working memory with what places its records.
    pub(super) placement: usize,
}

impl PlannedQuery {
    pub(super) fn place<'a>(&self, answers: &'a Buffer, workspace: &'a Workspace) -> Place<'a> {
        Place {
            answers,
            offset: self.offset,
            bytes: self.bytes,
            workspace,
            first: self.first,
        }
    }

    /// Bytes of its answer in a batch's answers.
    pub(super) fn answer(&self) -> std::ops::Range<usize> {
        self.offset as usize..(self.offset + self.bytes) as usize
    }
}

/// What is left of a query where it was taken from.
pub(super) struct MovedQuery;

impl Query for MovedQuery {
    type Answer = ();
    type Step = ();
    const NAME: &'static str = "moved";

    fn memory(&self) -> Memory {
        Memory::answer(0)
    }

    fn steps(&self) -> &[()] {
        &[]
    }

    fn record(&self, (): (), _: &Place, _: &mut Recorder) -> Result<()> {
        Ok(())
    }

    fn recording(&self) -> Option<u32> {
        Some(0)
    }

    fn answer(&self, _: &[u8]) -> Result<()> {
        Ok(())
    }
}
