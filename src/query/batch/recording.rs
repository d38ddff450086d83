//! From the queries of a batch to commands that can be submitted, and submitted again as long as they would be recorded the same.

use super::super::clusters::Refits;
use super::super::dispatches::Dispatches;
use super::super::output::{HEAD_BYTES, OutputPlace};
use super::super::workspace::ALIGNMENT;
use super::BatchState;
use super::planned::PlannedQuery;
use crate::error::Result;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::kernels::OutputBindings;
use crate::gpu::staging::Staging;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use std::ops::Range;
use std::sync::Arc;

/// Where answers are written, and where the host reads them. One and the same on unified memory.
pub(super) struct AnswerBuffers {
    pub(super) device: Option<Buffer>,
    pub(super) host: Arc<Buffer>,
}

/// What commands were recorded for. They do the same again as long as it is the same.
#[derive(PartialEq)]
pub(super) struct Recording {
    /// How each query was recorded.
    queries: Vec<u32>,
    /// The meshes whose clusters are refitted.
    refits: Vec<*const Mesh>,
    /// Whether they take times.
    timed: bool,
}

// SAFETY: the addresses are compared and never followed.
unsafe impl Send for Recording {}

/// Whether no barrier has to stand between two queries: all answers lie in one buffer, and queries write to their own places of it.
fn are_together(a: &PlannedQuery, b: &PlannedQuery) -> bool {
    a.query.changes_input() == b.query.changes_input()
}

impl BatchState {
    /// Makes the memory for the answers and the working memory large enough.
    pub(super) fn allocate(&mut self, device: &Arc<Device>) -> Result<()> {
        self.workspace.allocate(device)?;
        if (self.answers.as_ref()).is_some_and(|answers| answers.host.size >= self.bytes) {
            return Ok(());
        }
        // Twice what is needed, so that a batch that grows does not allocate every time.
        let size = (2 * self.bytes).clamp(1024, device.max_storage_bytes());
        let own = if device.is_unified() {
            None
        } else {
            Some(Buffer::new(device, Role::Device, size, "answers")?)
        };
        self.answers = Some(AnswerBuffers {
            device: own,
            host: Arc::new(Buffer::new(device, Role::Readback, size, "answers")?),
        });
        Ok(())
    }

    pub(super) fn upload_inputs(
        &mut self,
        device: &Arc<Device>,
        staging: &mut Staging,
    ) -> Result<()> {
        if self.has_inputs {
            return Ok(());
        }
        for planned in &self.queries {
            for (part, bytes) in planned.query.inputs() {
                if self.workspace.is_foreign(planned.first + part) {
                    continue;
                }
                let (buffer, offset) = self.workspace.shared(planned.first + part);
                staging.upload(device, buffer, offset, bytes.len() as u64, |out| {
                    out.copy_from_slice(bytes)
                })?;
            }
        }
        Ok(())
    }

    /// Sees that the commands are recorded: those of the last submission stay where nothing waits to be uploaded and every query would be
    /// recorded as it was.
    pub(super) fn ensure_recorded(
        &mut self,
        staging: &mut Staging,
        refits: &mut Refits,
        timed: bool,
    ) -> Result<()> {
        for planned in &mut self.queries {
            planned.query.prepare(refits);
        }
        refits.send(staging)?;
        let mut ways = memory::with_room(self.queries.len(), "how queries are recorded")?;
        ways.extend(
            self.queries
                .iter()
                .map_while(|planned| planned.query.recording()),
        );
        let recording = (ways.len() == self.queries.len()).then(|| Recording {
            queries: ways,
            refits: refits.meshes().map(Arc::as_ptr).gather(),
            timed,
        });
        let uploads = !staging.is_empty();
        if recording.is_some() && !uploads && self.recorded == recording {
            return Ok(());
        }
        self.recorded = None;
        // What is uploaded is uploaded once.
        let recording = recording.filter(|_| !uploads);
        self.join_dispatches();
        self.recorder.begin_for(recording.is_some())?;
        if timed {
            self.recorder.take_times(self.parts())?;
        }
        self.record(staging, refits)?;
        self.recorded = recording;
        Ok(())
    }

    /// The parts of a submission: one for each query, one for what they share, and one for each dispatch that several can join.
    pub(super) fn parts(&self) -> usize {
        self.queries.len() + 1 + self.shared.len()
    }

    /// Lets queries find others that their dispatches can serve too.
    fn join_dispatches(&mut self) {
        self.shared.clear();
        let answers = self.answers.as_ref().expect("`allocate` came first");
        let target = answers.device.as_ref().unwrap_or(&answers.host);
        let own = self.queries.len();
        let mut begins = 0;
        for run in self.queries.chunk_by_mut(are_together) {
            let most_bytes = self.recorder.device().max_storage_bytes();
            let mut dispatches = Dispatches::new(most_bytes, own + 1 + self.shared.len());
            for (at, planned) in run.iter_mut().enumerate() {
                let place = planned.place(target, &self.workspace);
                dispatches.begin(begins + at, planned.label.as_ref());
                planned.query.join(&place, &mut dispatches);
            }
            begins += run.len();
            self.shared.extend(dispatches.into_parts());
        }
    }

    fn record(&mut self, staging: &mut Staging, refits: &mut Refits) -> Result<()> {
        let own = self.queries.len();
        let recorder = &mut self.recorder;
        recorder.begin_part(own, None);
        let answers = self.answers.as_ref().expect("`allocate` came first");
        let target = answers.device.as_ref().unwrap_or(&answers.host);
        let mut filled = 0;
        for planned in self.queries.iter().filter(|own| own.blank < own.bytes) {
            let end = planned.offset + planned.blank;
            recorder.fill(target, filled, end - filled, u32::MAX);
            filled = planned.offset + planned.bytes;
        }
        recorder.fill(target, filled, self.bytes - filled, u32::MAX);
        staging.record(recorder);
        if self.queries.is_empty() {
            return Ok(());
        }
        let workspace = &self.workspace;
        for planned in &self.queries {
            for output in &planned.outputs {
                let (buffer, at) = workspace.shared(output.placement);
                recorder.write(buffer, at, &planned.query.placement());
            }
        }
        refits.record(recorder)?;
        let place = |planned: &PlannedQuery| planned.place(target, workspace);
        let mut begins = 0;
        for run in self.queries.chunk_by(are_together) {
            if begins > 0 {
                recorder.order();
            }
            let steps = run.iter().map(|planned| planned.query.steps()).max();
            for step in 0..steps.unwrap_or(0) {
                if step > 0 {
                    recorder.order();
                }
                let all = run.iter().enumerate();
                for (at, planned) in all.filter(|(_, planned)| step < planned.query.steps()) {
                    recorder.begin_part(begins + at, planned.label.as_ref());
                    planned.query.record(step, &place(planned), recorder)?;
                }
            }
            begins += run.len();
        }
        recorder.order();
        for (at, planned) in self.queries.iter().enumerate() {
            recorder.begin_part(at, planned.label.as_ref());
            planned.query.collect(&place(planned), recorder);
        }
        self.record_outputs()?;
        self.record_readback()
    }

    /// Records that answers become records in the engine's buffers.
    fn record_outputs(&mut self) -> Result<()> {
        if self
            .queries
            .iter()
            .all(|planned| planned.outputs.is_empty())
        {
            return Ok(());
        }
        let recorder = &mut self.recorder;
        recorder.order();
        let answers = self.answers.as_ref().expect("`allocate` came first");
        let target = answers.device.as_ref().unwrap_or(&answers.host);
        for (at, planned) in self.queries.iter().enumerate() {
            recorder.begin_part(at, planned.label.as_ref());
            let place = planned.place(target, &self.workspace);
            for output in &planned.outputs {
                let given = OutputPlace {
                    output: OutputBindings {
                        placement: self.workspace.part(output.placement),
                        note: Bound::part(target, output.note, HEAD_BYTES, None),
                    },
                    records: output.to.bound(),
                    room: output.to.room(),
                };
                (planned.query).record_output(output.array, &given, &place, recorder)?;
            }
        }
        Ok(())
    }

    /// Records that the host gets what it reads, and what the engine's queue does next sees what was written.
    fn record_readback(&mut self) -> Result<()> {
        let read = self.read_back();
        let recorder: &mut Recorder = &mut self.recorder;
        recorder.begin_part(self.queries.len(), None);
        let answers = self.answers.as_ref().expect("`allocate` came first");
        if let Some(target) = &answers.device {
            recorder.order();
            for part in read {
                let bytes = part.end - part.start;
                recorder.copy(target, part.start, &answers.host, part.start, bytes);
            }
        }
        recorder.hand_to_host();
        Ok(())
    }

    /// What of the answers the host reads, in runs.
    fn read_back(&self) -> Vec<Range<u64>> {
        let answers = (self.queries.iter())
            .filter(|planned| planned.is_read)
            .map(|planned| planned.offset..planned.offset + planned.bytes);
        let notes = (self.queries.iter().flat_map(|planned| &planned.outputs))
            .map(|output| output.note..output.note + HEAD_BYTES);
        let mut parts = answers.chain(notes).gather();
        parts.sort_unstable_by_key(|part| part.start);
        parts.dedup_by(|next, last| {
            let joins = next.start <= last.end.next_multiple_of(ALIGNMENT);
            if joins {
                last.end = last.end.max(next.end);
            }
            joins
        });
        parts
    }
}
