//! What queries of a batch write to buffers of the engine's, and what they read there. They run on the device for it, also where the host beside it would have been
//! sooner.

use super::super::output::{
    HEAD_BYTES, InputBuffer, OutputArray, OutputBuffer, OutputFrame, OutputHead, outcome,
};
use super::super::workspace::{ALIGNMENT, Part};
use super::planned::{MovedQuery, PlannedOutput};
use super::{Batch, BatchState, EXACT_BIT, HOST_BIT, Phase, not_done, not_submitted, unknown};
use crate::error::{Error, Result, invalid};
use crate::gpu::device::Device;
use crate::interrupt;
use crate::memory;

impl Batch {
    /// Lets a recorded query write an array to a buffer of the engine's. Unless it `is_read`, the host gets no answer.
    pub fn write_to(&self, ticket: u64, array: u32, to: OutputBuffer, is_read: bool) -> Result<()> {
        let device = self.device();
        let mut inner = self.lock();
        if let Some(number) = exact_number(ticket)
            && !device.is_host()
        {
            inner.check_recording()?;
            let name = inner.kind_of(ticket, self)?;
            to.check(array_of(inner.exact.arrays(number), array, name)?, device)?;
            to.check_copied()?;
            if !device.takes_submissions_from_threads() {
                return Err(Error::Unsupported(format!(
                    "{name} are written by a thread of the library: hand over lock_queue and unlock_queue with the device"
                )));
            }
            return inner.exact.write_to(number, array as usize, to);
        }
        let (name, at) = self.on_device(&mut inner, ticket)?;
        let kind = array_of(inner.queries[at].query.outputs(), array, name)?;
        to.check(kind, device)?;
        (inner.queries[at].query).plan_output(array as usize, &self.resources)?;
        interrupt::caught(|| inner.plan_output(device, at, array as usize, to))??;
        inner.queries[at].is_read = is_read;
        Ok(())
    }

    /// Lets a recorded query read what it is given, by its place among that, from a buffer of the engine's in every submission.
    pub fn read_from(&self, ticket: u64, input: u32, from: InputBuffer) -> Result<()> {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let (name, at) = self.on_device(inner, ticket)?;
        let planned = &inner.queries[at];
        let inputs = planned.query.inputs();
        let Some((part, bytes)) = inputs.get(input as usize) else {
            return Err(match inputs.len() {
                0 => Error::Unsupported(format!(
                    "this {name} query is given nothing that a buffer could have"
                )),
                count => invalid(format!(
                    "input is {input}; this {name} query has {count}, from 0 on"
                )),
            });
        };
        planned.query.check_foreign_input(input as usize)?;
        let bound = from.bound(bytes.len() as u64, self.device())?;
        let part = planned.first + part;
        interrupt::caught(|| inner.workspace.read_from(part, bound))
    }

    /// The kind and the place of a recorded query, which is on the device from now on.
    fn on_device(&self, inner: &mut BatchState, ticket: u64) -> Result<(&'static str, usize)> {
        inner.check_recording()?;
        let name = inner.kind_of(ticket, self)?;
        if self.device().is_host() {
            return Err(Error::Unsupported(format!(
                "{name}: the host device has no Vulkan buffers; hand over and read arrays, or choose a Vulkan device"
            )));
        }
        if ticket & EXACT_BIT != 0 {
            return Err(Error::Unsupported(format!(
                "{name} queries run on CPU threads and read no buffers; give arrays, and positions by PrxMeshDef.vk_buffer"
            )));
        }
        let at = match inner.current(ticket) & u64::from(u32::MAX) {
            number if number & HOST_BIT != 0 => self.bring_to_device(inner, number)?,
            number => number as usize - 1,
        };
        Ok((name, at))
    }

    /// The head of an array that was written, and what became of its records.
    pub fn written(&self, ticket: u64, array: u32) -> Result<(OutputHead, Result<()>)> {
        let mut inner = self.lock();
        let name = inner.kind_of(ticket, self)?;
        self.settle(&mut inner)?;
        match inner.phase {
            Phase::Recording => return Err(not_submitted()),
            Phase::InFlight(_) => return Err(not_done()),
            Phase::Done => {}
        }
        let unasked = || {
            invalid(format!(
                "array {array} of this {name} query was not asked to go to a buffer"
            ))
        };
        if let Some(number) = exact_number(ticket) {
            if !inner.exact.is_done() {
                return Err(not_done());
            }
            let written = inner.exact.written(number, array as usize);
            return written.unwrap_or_else(|| Err(unasked()));
        }
        let number = inner.current(ticket) & u64::from(u32::MAX);
        let own = number & (HOST_BIT | EXACT_BIT) == 0;
        let planned = own.then(|| &inner.queries[number as usize - 1]);
        let output = (planned.iter().flat_map(|planned| &planned.outputs))
            .find(|output| output.array == array as usize);
        let (Some(planned), Some(output)) = (planned, output) else {
            return Err(unasked());
        };
        let answers = (inner.answers.as_ref()).expect("a batch that is done has answers");
        let bytes = &answers.host.bytes()[output.note as usize..][..HEAD_BYTES as usize];
        let head: OutputHead = bytemuck::pod_read_unaligned(bytes);
        let array = planned.query.outputs()[output.array].name;
        Ok((head, outcome(head, array, output.to.capacity)))
    }

    /// Plans a query of the host beside the device anew on the device; returns where it is now.
    fn bring_to_device(&self, inner: &mut BatchState, number: u64) -> Result<usize> {
        interrupt::caught(|| memory::ensure_map(&mut inner.moved, 1))?;
        let host = self.host_part()?;
        let mut host = host.lock();
        let from = (number & (HOST_BIT - 1)) as usize - 1;
        let mut query = std::mem::replace(&mut host.queries[from].query, Box::new(MovedQuery));
        if let Err(error) = query.leave_host(&self.resources) {
            host.queries[from].query = query;
            return Err(error);
        }
        inner.plan_any(self.device(), query)?;
        host.gone += 1;
        let at = inner.queries.len() - 1;
        inner.moved.insert(number, at as u64 + 1);
        Ok(at)
    }
}

/// The number of an exact query among those of its batch.
fn exact_number(ticket: u64) -> Option<u64> {
    (ticket & (HOST_BIT | EXACT_BIT) == EXACT_BIT).then_some(ticket & (EXACT_BIT - 1))
}

/// An array of a query.
fn array_of(
    arrays: &'static [OutputArray],
    array: u32,
    name: &str,
) -> Result<&'static OutputArray> {
    let known = arrays.get(array as usize);
    known.ok_or_else(|| match arrays.len() {
        0 => Error::Unsupported(format!("{name} queries write nothing to buffers")),
        count => invalid(format!(
            "array is {array}; {name} queries write {count}, from 0 on"
        )),
    })
}

impl BatchState {
    /// A ticket of a query that was moved to the device, as it is now.
    pub(super) fn current(&self, ticket: u64) -> u64 {
        let number = ticket & u64::from(u32::MAX);
        match self.moved.get(&number) {
            Some(own) if ticket >> 32 == u64::from(self.epoch) => ticket >> 32 << 32 | own,
            _ => ticket,
        }
    }

    /// The kind of the query that a ticket names, here or on the host beside the device.
    pub(super) fn kind_of(&self, ticket: u64, batch: &Batch) -> Result<&'static str> {
        let ticket = self.current(ticket);
        match batch.host.get() {
            Some(host) if ticket >> 32 == u64::from(self.epoch) && ticket & HOST_BIT != 0 => {
                let host = host.lock();
                let own = u64::from(host.epoch) << 32 | ticket & (HOST_BIT - 1);
                host.kind(own).map_err(|_| unknown(ticket))
            }
            _ => self.kind(ticket),
        }
    }

    /// Gives an output its places.
    fn plan_output(
        &mut self,
        device: &Device,
        at: usize,
        array: usize,
        to: OutputBuffer,
    ) -> Result<()> {
        let note = self.bytes.next_multiple_of(ALIGNMENT);
        device.check_storage(note + HEAD_BYTES, "answers", "use several batches")?;
        let frame = Part {
            bytes: size_of::<OutputFrame>() as u64,
            texel: None,
        };
        let placement = self.workspace.plan(device, &[frame])?;
        self.bytes = note + HEAD_BYTES;
        let outputs = &mut self.queries[at].outputs;
        outputs.retain(|known| known.array != array);
        memory::add(
            outputs,
            PlannedOutput {
                array,
                to,
                note,
                placement,
            },
        );
        Ok(())
    }
}
