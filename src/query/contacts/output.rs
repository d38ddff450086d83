//! The records of contacts and patches that a pair can write to buffers of the engine's. What the kernels found is all of it: nothing is
//! matched with the contacts of the last step, which their keys name.

use super::ContactsQuery;
use crate::error::Result;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{
    ContactRecord, ContactsOutputPush, PatchRecord, PatchesOutputPush,
};
use crate::gpu::shader::kernels::{ContactsOutput, PatchesOutput};
use crate::gpu::share::groups_of;
use crate::query::output::{OutputArray, OutputPlace};
use crate::query::workspace::Place;

/// What can be written.
pub(super) const ARRAYS: [OutputArray; 2] = [
    OutputArray::of::<ContactRecord>("contacts"),
    OutputArray::of::<PatchRecord>("patches"),
];
const CONTACTS: usize = 0;

impl ContactsQuery {
    /// Records the kernel that writes the records of an array.
    pub(super) fn record_records(
        &self,
        array: usize,
        to: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let (answer, capacity) = (place.answer(), self.reduction.capacity);
        let [first, most] = self.reduction.answered();
        let (output, records, room) = (to.output, to.records, to.room);
        if array != CONTACTS {
            let kernel = PatchesOutput {
                output,
                heads: answer,
                patches: answer,
                records,
            };
            let groups = groups_of(first, PatchesOutput::WORKGROUP[0]);
            return recorder.dispatch(&kernel, &PatchesOutputPush { room, capacity }, groups);
        }
        // A body without a mesh has no contacts of its own, and its order is not read.
        let other = self.orders.iter().flatten().next();
        let other = Bound::whole(other.expect("`plan_output` came first"));
        let [order_a, order_b] =
            (self.orders.each_ref()).map(|order| order.as_deref().map_or(other, Bound::whole));
        let kernel = ContactsOutput {
            output,
            heads: answer,
            contacts: answer,
            order_a,
            order_b,
            records,
        };
        let push = ContactsOutputPush {
            room,
            first,
            capacity,
            rest: self.bodies.iter().map(|body| body.rest_offset).sum(),
        };
        let groups = groups_of(most, ContactsOutput::WORKGROUP[0]);
        recorder.dispatch(&kernel, &push, groups)
    }
}
