//! From the contacts of both sides to those that are kept: one workgroup per pair.

use super::side::{ContactSide, WORD};
use super::{ContactOptions, MOST_RAW};
use crate::error::Result;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{
    ContactPatch, ContactsHead, ContactsReduction, PairsPush, RawContact,
};
use crate::gpu::shader::kernels::ContactReduce;
use crate::memory::{self, Gather};
use crate::query::dispatches::{Common, Dispatches, Member};
use crate::query::workspace::{ALIGNMENT, Extent, Place};
use bytemuck::Zeroable;

/// The parts of the working memory; those of the sides come after them.
pub(super) const PARTS: usize = 3;
const PARAMS: usize = 0;
pub(super) const RAW: usize = 1;
const ORDER: usize = 2;
/// After them, the answer.
const ANSWER: usize = 3;

const PARAMS_BYTES: u64 = size_of::<ContactsReduction>() as u64;
/// Of a contact, a patch or a head.
const PIECE: u64 = size_of::<RawContact>() as u64;
const _: () = assert!(
    PIECE == size_of::<ContactsHead>() as u64
        && PIECE == size_of::<ContactPatch>() as u64
        && ALIGNMENT.is_multiple_of(PARAMS_BYTES)
);
/// Edges of both sides that cross, for which there is room after the contacts: see `edge_lines.glsl`.
const LINES: u64 = 2 * 256;
/// Of the key of a contact.
const KEY_BYTES: u64 = 8;
/// Room for contacts before reduction, unless asked otherwise.
const LEAST_RAW: u32 = 1024;
const USUAL_RAW: u32 = 4096;

/// What is close in units of a cell of the finer field: points that add nothing to what is kept; steps in which separations are compared.
const GAP_CELLS: f32 = 2.0;
const DEPTH_STEP_CELLS: f32 = 0.005;
/// Contacts of both sides are at one place within this many cells of the coarser field, or samples of its edges and faces.
const LINK_CELLS: f32 = 4.0;
const LINK_SIZE: f32 = 0.05;
/// Normals of a patch differ from its deepest contact's by at most 25 degrees.
const LEAST_COSINE: f32 = 0.906_307_8;

/// How a pair's contacts are reduced.
pub struct Reduction {
    /// Room for contacts before reduction: a power of two.
    pub capacity: u32,
    /// Contacts this close to those kept, or to their hull, are left out.
    pub gap: f32,
    params: ContactsReduction,
    previous: Vec<[u32; 2]>,
    contacts: u32,
    /// Its place in a dispatch, since it was last submitted.
    member: Option<Member>,
}

impl Reduction {
    pub(super) fn plan(sides: &[ContactSide], options: &ContactOptions) -> Self {
        let vertices: u64 = sides.iter().map(|side| u64::from(side.mesh.vertices)).sum();
        let capacity = match options.budget {
            0 => (vertices.min(USUAL_RAW.into()) as u32).max(LEAST_RAW),
            budget => budget,
        };
        let capacity = capacity.next_power_of_two().min(MOST_RAW);
        let fold = |choose: fn(f32, f32) -> f32, at: usize| {
            let sizes = sides.iter().map(|side| side.sizes()[at]);
            sizes.reduce(choose).unwrap_or_default()
        };
        let (fine, coarse) = (fold(f32::min, 1), fold(f32::max, 1));
        let gap = GAP_CELLS * fine;
        let mut previous: Vec<[u32; 2]> = (options.previous.iter())
            .map(|old| [(old.key >> 32) as u32, old.key as u32])
            .gather();
        previous.sort_unstable();
        Self {
            capacity,
            gap,
            params: ContactsReduction {
                capacity,
                points: options.points,
                patches: options.patches,
                previous_count: previous.len() as u32,
                gap,
                depth_step: DEPTH_STEP_CELLS * fine,
                distance_step: fine,
                link_distance: (LINK_CELLS * coarse).max(LINK_SIZE * fold(f32::min, 0)),
                least_cosine: LEAST_COSINE,
                ..ContactsReduction::zeroed()
            },
            previous,
            contacts: match options.points {
                0 => capacity,
                points => capacity.min(points * options.patches),
            },
            member: None,
        }
    }

    fn answer_parts(&self) -> [u64; 3] {
        let patches = u64::from(self.params.patches) * size_of::<ContactPatch>() as u64;
        let contacts = u64::from(self.contacts) * size_of::<RawContact>() as u64;
        [size_of::<ContactsHead>() as u64, patches, contacts]
    }

    pub(super) fn answer_bytes(&self) -> u64 {
        self.answer_parts().iter().sum()
    }

    pub(super) fn parts(&self) -> [u64; PARTS] {
        [
            PARAMS_BYTES + KEY_BYTES * self.previous.len() as u64,
            (1 + u64::from(self.capacity) + LINES) * PIECE,
            8 * u64::from(self.capacity),
        ]
    }

    /// Where the contacts lie that the sides write.
    pub(super) fn raw(place: &Place) -> Extent {
        place.extent(RAW)
    }

    /// Takes its place in a dispatch.
    pub(super) fn join(&mut self, place: &Place, dispatches: &mut Dispatches) {
        let parts = [PARAMS, RAW, ORDER].map(|part| place.extent(part));
        let parts = (parts.into_iter().chain([place.answer_extent()])).gather();
        self.member = Some(dispatches.join(Common::default(), parts, PARAMS_BYTES));
    }

    fn member(&self) -> &Member {
        (self.member.as_ref()).expect("a pair joins a dispatch before it is recorded")
    }

    pub(super) fn start(&self, place: &Place, recorder: &mut Recorder) {
        let member = self.member();
        let params = ContactsReduction {
            previous_at: member.offset(PARAMS, KEY_BYTES) + (PARAMS_BYTES / KEY_BYTES) as u32,
            raw_at: member.offset(RAW, PIECE),
            order_at: member.offset(ORDER, WORD),
            answer_at: member.offset(ANSWER, PIECE),
            ..self.params
        };
        place.write(recorder, PARAMS, &params);
        place.write(recorder, RAW, &RawContact::zeroed());
        let (buffer, at) = place.buffer(PARAMS);
        recorder.write_all(buffer, at + PARAMS_BYTES, &self.previous);
    }

    /// Records the reduction of all pairs of its dispatch.
    pub(super) fn record(&self, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let member = self.member();
        if !member.is_first() {
            return Ok(());
        }
        member.begin_part(recorder);
        let of = |part| place.stretch(part, 0, member.bytes(part));
        let answers = place.answers(member.bytes(ANSWER));
        let kernel = ContactReduce {
            query: of(PARAMS),
            previous: of(PARAMS),
            raw: of(RAW),
            order: of(ORDER),
            heads: answers,
            patches: answers,
            contacts: answers,
        };
        let push = PairsPush {
            pairs: member.places(),
        };
        recorder.dispatch(&kernel, &push, [member.count(), 1, 1])
    }

    /// The piece of the answer that its first contact is, and how many may follow.
    pub(super) fn answered(&self) -> [u32; 2] {
        [1 + self.params.patches, self.contacts]
    }

    /// The head, the patches and the contacts of an answer.
    pub(super) fn split(
        &self,
        bytes: &[u8],
    ) -> Result<(ContactsHead, Vec<ContactPatch>, Vec<RawContact>)> {
        let [head, patches, _] = self.answer_parts().map(|bytes| bytes as usize);
        let (head, rest) = bytes.split_at(head);
        let (patches, contacts) = rest.split_at(patches);
        let head: ContactsHead = bytemuck::pod_read_unaligned(head);
        let mut patches: Vec<ContactPatch> = memory::from_bytes(patches, "patches")?;
        let mut contacts: Vec<RawContact> = memory::from_bytes(contacts, "contacts")?;
        patches.truncate(head.patches as usize);
        contacts.truncate(head.kept as usize);
        Ok((head, patches, contacts))
    }
}
