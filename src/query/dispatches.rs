//! Dispatches for several sides or pairs at once. Where kernels would bind the same but for memory of their own, the memory of all is bound, from
//! where that of the first starts, and each finds its own by how far it lies from there.

use crate::gpu::recorder::Recorder;
use crate::lock::lock;
use crate::memory::{self, Gather};
use crate::query::workspace::Extent;
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex};

/// The most members of a dispatch: their places are push constants, and each workgroup looks for its own among them. Partner: contacts.glsl
/// and contact_reduce.comp.
pub(crate) const MOST_MEMBERS: usize = 15;

/// Names what the kernels of a dispatch bind in common.
pub(crate) type Common = [usize; 2];

/// The dispatches of a submission that more members can join.
pub struct Dispatches {
    open: HashMap<Common, Arc<Dispatch>>,
    most_bytes: u64,
    /// The query that joins.
    query: SubmissionPart,
    /// The part that the first dispatch is, and the queries that joined each; none where dispatches are parts of their query.
    parts: Option<(usize, Vec<Vec<usize>>)>,
}

/// A part of a submission: its number, and what debuggers show it under.
#[derive(Clone, Default)]
struct SubmissionPart {
    number: usize,
    label: Option<Arc<CString>>,
}

struct Dispatch {
    /// Where the parts of the first member lie.
    first: Vec<Extent>,
    /// What it is once several have joined.
    part: Option<SubmissionPart>,
    joined: Mutex<Joined>,
}

#[derive(Default)]
struct Joined {
    /// Where the parts of the last member end.
    ends: Vec<u64>,
    places: Vec<u32>,
}

/// A side or pair of a dispatch.
pub(crate) struct Member {
    dispatch: Arc<Dispatch>,
    /// Bytes from the parts of the first member to those of this one.
    offsets: Vec<u64>,
    is_first: bool,
    /// What it is a part of.
    query: SubmissionPart,
}

impl Dispatches {
    /// None yet; a kernel binds at most so many bytes. Each is a part of the submission, from `part` on.
    pub(crate) fn new(most_bytes: u64, part: usize) -> Self {
        Self {
            open: HashMap::new(),
            most_bytes,
            query: SubmissionPart::default(),
            parts: Some((part, Vec::new())),
        }
    }

    /// None yet, of the query that joins, with memory of their own.
    pub(crate) fn afresh(&self) -> Self {
        Self {
            open: HashMap::new(),
            most_bytes: self.most_bytes,
            query: self.query.clone(),
            parts: None,
        }
    }

    /// Who joins from now on: the part of a query.
    pub(crate) fn begin(&mut self, number: usize, label: Option<&Arc<CString>>) {
        let label = label.cloned();
        self.query = SubmissionPart { number, label };
    }

    /// The queries that joined each dispatch, once for each member.
    pub(crate) fn into_parts(self) -> Vec<Vec<usize>> {
        self.parts.map(|(_, parts)| parts).unwrap_or_default()
    }

    /// Joins the dispatch of what binds the same in `common`, or starts a new one. `unit` is what kernels count the first of the parts in.
    pub(crate) fn join(&mut self, common: Common, parts: Vec<Extent>, unit: u64) -> Member {
        if let Some(dispatch) = self.open.get(&common)
            && let Some(offsets) = dispatch.add(&parts, unit, self.most_bytes)
        {
            if let (Some((first, parts)), Some(part)) = (&mut self.parts, &dispatch.part) {
                memory::add(&mut parts[part.number - *first], self.query.number);
            }
            return Member {
                dispatch: dispatch.clone(),
                offsets,
                is_first: false,
                query: self.query.clone(),
            };
        }
        let part = self.parts.as_mut().map(|(first, parts)| {
            memory::add(parts, vec![self.query.number]);
            SubmissionPart {
                number: *first + parts.len() - 1,
                label: self.query.label.clone(),
            }
        });
        let member = Member::of(parts, part, self.query.clone());
        self.open.insert(common, member.dispatch.clone());
        member
    }
}

impl Dispatch {
    /// Takes a member in, unless there are too many or its memory lies too far from that of the first; returns how far.
    fn add(&self, parts: &[Extent], unit: u64, most_bytes: u64) -> Option<Vec<u64>> {
        let reaches = |(first, part): (&Extent, &Extent)| {
            first.block == part.block
                && part.start >= first.start
                && part.end - first.start <= most_bytes
        };
        let mut joined = lock(&self.joined);
        if joined.places.len() == MOST_MEMBERS || !self.first.iter().zip(parts).all(reaches) {
            return None;
        }
        joined.ends = parts.iter().map(|part| part.end).gather();
        let far = self.first.iter().zip(parts).map(|(f, p)| p.start - f.start);
        let offsets: Vec<u64> = far.gather();
        joined.places.push((offsets[0] / unit) as u32);
        Some(offsets)
    }
}

impl Member {
    /// The only one of its dispatch.
    pub(crate) fn alone(parts: Vec<Extent>) -> Self {
        Self::of(parts, None, SubmissionPart::default())
    }

    fn of(parts: Vec<Extent>, part: Option<SubmissionPart>, query: SubmissionPart) -> Self {
        let joined = Joined {
            ends: parts.iter().map(|part| part.end).gather(),
            places: vec![0],
        };
        Self {
            offsets: vec![0; parts.len()],
            is_first: true,
            query,
            dispatch: Arc::new(Dispatch {
                first: parts,
                part,
                joined: Mutex::new(joined),
            }),
        }
    }

    /// Whether it records for all.
    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    /// What is recorded from now on is the part of the submission that its dispatch is, or its query's where it is alone.
    pub(crate) fn begin_part(&self, recorder: &mut Recorder) {
        let shared = self.dispatch.part.as_ref().filter(|_| self.count() > 1);
        let part = shared.unwrap_or(&self.query);
        recorder.begin_part(part.number, part.label.as_ref());
    }

    /// How far a part lies from that of the first member, in units of so many bytes.
    pub(crate) fn offset(&self, part: usize, unit: u64) -> u32 {
        (self.offsets[part] / unit) as u32
    }

    /// Bytes from a part of the first member to the end of the last one's.
    pub(crate) fn bytes(&self, part: usize) -> u64 {
        lock(&self.dispatch.joined).ends[part] - self.dispatch.first[part].start
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        lock(&self.dispatch.joined).places.len() as u32
    }

    /// Where each of them starts, as kernels read it.
    pub(crate) fn places(&self) -> [u32; MOST_MEMBERS] {
        let joined = lock(&self.dispatch.joined);
        let mut places = [0; MOST_MEMBERS];
        places[..joined.places.len()].copy_from_slice(&joined.places);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(block: usize, start: u64) -> Vec<Extent> {
        vec![Extent {
            block,
            start,
            end: start + 100,
        }]
    }

    #[test]
    fn members_share_a_dispatch_while_one_binding_reaches_all_of_them() {
        let mut dispatches = Dispatches::new(1000, 0);
        let mut join = |common, block, start| dispatches.join(common, part(block, start), 16);
        let (first, other) = (join([1, 1], 0, 256), join([1, 2], 0, 512));
        let second = join([1, 1], 0, 768);
        assert!(first.is_first() && other.is_first() && !second.is_first());
        assert_eq!((first.count(), other.count()), (2, 1));
        assert_eq!(first.places()[..2], [0, 512 / 16]);
        assert_eq!(second.offset(0, 4), 512 / 4);
        // From the start of the first to the end of the second.
        assert_eq!(first.bytes(0), 768 + 100 - 256);
        // A binding of 1,000 bytes from the first does not reach this one, nor one in another buffer, nor one before the first.
        for (block, start) in [(0, 1280), (1, 1280), (1, 1024)] {
            assert!(join([1, 1], block, start).is_first());
        }
        assert_eq!(first.count(), 2);
    }

    #[test]
    fn a_dispatch_is_a_part_of_its_own_that_tells_who_joined_it() {
        let mut dispatches = Dispatches::new(1000, 7);
        for (query, common) in [(0, 1), (0, 2), (3, 2), (4, 1), (4, 2)] {
            dispatches.begin(query, None);
            let start = 100 * query as u64;
            dispatches.join([common, 0], part(common, start), 4);
        }
        let mut inside = dispatches.afresh();
        inside.join([1, 0], part(1, 0), 4);
        assert!(inside.into_parts().is_empty());
        assert_eq!(dispatches.into_parts(), [vec![0, 4], vec![0, 3, 4]]);
    }

    #[test]
    fn a_dispatch_has_at_most_as_many_members_as_its_push_constants_hold() {
        let mut dispatches = Dispatches::new(1 << 27, 0);
        let starts = (0..2 * MOST_MEMBERS as u64).map(|i| 256 * i);
        let members: Vec<Member> = starts
            .map(|start| dispatches.join([1, 1], part(0, start), 256))
            .collect();
        let firsts = members.iter().filter(|member| member.is_first());
        let counts: Vec<u32> = firsts.map(Member::count).collect();
        assert_eq!(counts, [MOST_MEMBERS as u32; 2]);
    }
}
