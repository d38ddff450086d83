//! From the contacts of both sides to those that are kept: one workgroup per pair.

use super::side::ContactSide;
use super::{ContactOptions, MOST_RAW};
use crate::error::Result;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{ContactPatch, ContactsHead, ContactsReduction, RawContact};
use crate::gpu::shader::kernels::ContactReduce;
use crate::memory;
use crate::query::workspace::Place;
use bytemuck::Zeroable;

/// The parts of the working memory; those of the sides come after them.
pub(super) const PARTS: usize = 6;
const PARAMS: usize = 0;
const RAW: usize = 1;
const ORDER: usize = 2;
const HEAD: usize = 3;
const PATCHES: usize = 4;
const CONTACTS: usize = 5;

/// Bytes before the raw contacts: how many there are.
const RAW_HEAD: u64 = 16;
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
            .collect();
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
        }
    }

    fn answer_parts(&self) -> [(usize, u64); 3] {
        let patches = u64::from(self.params.patches) * size_of::<ContactPatch>() as u64;
        let contacts = u64::from(self.contacts) * size_of::<RawContact>() as u64;
        [
            (HEAD, size_of::<ContactsHead>() as u64),
            (PATCHES, patches),
            (CONTACTS, contacts),
        ]
    }

    pub(super) fn answer_bytes(&self) -> u64 {
        self.answer_parts().iter().map(|(_, bytes)| bytes).sum()
    }

    pub(super) fn parts(&self) -> [u64; PARTS] {
        let [(_, head), (_, patches), (_, contacts)] = self.answer_parts();
        [
            (size_of::<ContactsReduction>() + 8 * self.previous.len().max(1)) as u64,
            RAW_HEAD + u64::from(self.capacity) * size_of::<RawContact>() as u64,
            8 * u64::from(self.capacity),
            head,
            patches,
            contacts,
        ]
    }

    /// What the sides write.
    pub(super) fn raw<'a>(place: &Place<'a>) -> Bound<'a> {
        place.part(RAW)
    }

    pub(super) fn start(&self, place: &Place, recorder: &mut Recorder) {
        place.write(recorder, PARAMS, &self.params);
        place.write(recorder, RAW, &[0_u32; 4]);
        let (buffer, at) = place.buffer(PARAMS);
        let keys = at + size_of::<ContactsReduction>() as u64;
        recorder.write_all(buffer, keys, &self.previous);
    }

    pub(super) fn record(&self, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let kernel = ContactReduce {
            query: place.part(PARAMS),
            raw: place.part(RAW),
            order: place.part(ORDER),
            head: place.part(HEAD),
            patches: place.part(PATCHES),
            contacts: place.part(CONTACTS),
        };
        recorder.dispatch(&kernel, &(), [1, 1, 1])
    }

    pub(super) fn collect(&self, place: &Place, recorder: &mut Recorder) {
        let mut skipped = 0;
        for (part, bytes) in self.answer_parts() {
            place.collect(recorder, part, skipped, bytes);
            skipped += bytes;
        }
    }

    /// The head, the patches and the contacts of an answer.
    pub(super) fn split(
        &self,
        bytes: &[u8],
    ) -> Result<(ContactsHead, Vec<ContactPatch>, Vec<RawContact>)> {
        let [(_, head), (_, patches), _] = self.answer_parts().map(|(p, b)| (p, b as usize));
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
