//! Contacts of a whole scene: of all pairs of its bodies that are near each other, in one query. The pairs share working memory: as many
//! as fit are worked on at a time.

pub mod bodies;
pub mod history;

use super::body::ContactBody;
use super::clusters::Refits;
use super::contacts::{self, ContactOptions, ContactsQuery, MOST_PREVIOUS};
use super::dispatches::Dispatches;
use super::workspace::{ALIGNMENT, Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result};
use crate::field::Field;
use crate::gpu::recorder::Recorder;
use crate::lock::lock;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use bodies::SceneBodies;
use history::FoundPair;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Working memory that a scene's pairs share on a device: the more pairs at a time, the fewer steps.
const WORKING_BYTES: u64 = 256 << 20;
/// On the host, for each thread: what stays in its cache from step to step, and a step more costs little.
const HOST_WORKING_BYTES: u64 = 1 << 20;

/// How many pairs, contacts and so on an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SceneSummary {
    /// Pairs that touch or have just ended.
    pub pairs: u64,
    /// Contacts kept, of all pairs.
    pub contacts: u64,
    /// Patches of all pairs.
    pub patches: u64,
    /// Contacts of the answer before that ended.
    pub ended: u64,
    /// Pairs that were looked at.
    pub tested: u32,
    /// Pairs that cannot touch, because neither body has a field where the other has a mesh.
    pub without_field: u32,
}

/// What a scene's contacts do: for each portion of the pairs what a pair does.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    portion: usize,
    of_pairs: contacts::Step,
}

struct PlannedPair {
    objects: [u64; 2],
    query: ContactsQuery,
    /// Where its bytes of the answer are.
    bytes: Range<u64>,
}

/// A planned query for the contacts of a scene.
pub struct SceneContactsQuery {
    scene: Arc<Mutex<SceneBodies>>,
    submissions: Arc<AtomicU64>,
    pairs: Vec<PlannedPair>,
    /// Pairs that are worked on at a time.
    portion: usize,
    bytes: u64,
    steps: Vec<Step>,
    without_field: u32,
    /// Which submission of the scene this is.
    number: u64,
    read: Mutex<Option<SceneSummary>>,
    on_host: bool,
}

impl SceneContactsQuery {
    /// The contacts of the given pairs of places; `held` is what `scene` holds.
    pub fn plan(
        resources: &Resources,
        scene: &Arc<Mutex<SceneBodies>>,
        held: &SceneBodies,
        near: &[[u32; 2]],
        options: &ContactOptions,
    ) -> Result<Self> {
        options.validate()?;
        let resources = held.fastest(resources, near)?;
        let (mut pairs, mut offset, mut without_field) = (Vec::new(), 0_u64, 0);
        for places in near {
            let [a, b] = places.map(|place| held.bodies.at(place as usize));
            let (Some((a, first)), Some((b, second))) = (a, b) else {
                continue;
            };
            let bodies = [first.body.clone(), second.body.clone()];
            if !ContactsQuery::can_touch(&bodies) {
                without_field += 1;
                continue;
            }
            let mut own = options.clone();
            own.previous = held.last.previous([a, b]);
            // They only decide between contacts that are as good as each other.
            own.previous.truncate(MOST_PREVIOUS);
            let query = ContactsQuery::plan_on(resources, bodies, own)?;
            let start = offset.next_multiple_of(ALIGNMENT);
            let bytes = start..start + query.memory().answer;
            offset = bytes.end;
            let planned = PlannedPair {
                objects: [a, b],
                query,
                bytes,
            };
            memory::add(&mut pairs, planned);
        }
        let largest = (pairs.iter()).map(|pair| working_bytes(&pair.query)).max();
        let on_host = resources.device.is_host();
        let working = match on_host {
            true => HOST_WORKING_BYTES * resources.workers.count() as u64,
            false => WORKING_BYTES,
        };
        let portion = (working / largest.unwrap_or(1).max(1)).max(1) as usize;
        let steps = (0..pairs.len().div_ceil(portion))
            .flat_map(|portion| contacts::STEPS.map(|of_pairs| Step { portion, of_pairs }))
            .gather();
        Ok(Self {
            scene: scene.clone(),
            submissions: held.submissions.clone(),
            pairs,
            portion,
            bytes: offset,
            steps,
            without_field,
            number: 0,
            read: Mutex::new(None),
            on_host,
        })
    }
}

impl SceneBodies {
    /// Where pairs of these bodies are looked at: all in one place.
    fn fastest<'a>(&self, resources: &'a Resources, near: &[[u32; 2]]) -> Result<&'a Resources> {
        let mut places: Vec<u32> = near.iter().flatten().copied().gather();
        places.sort_unstable();
        places.dedup();
        let bodies: Vec<&ContactBody> = (places.iter())
            .filter_map(|&place| self.bodies.at(place as usize))
            .map(|(_, held)| &held.body)
            .gather();
        let meshes: Vec<&Mesh> = bodies.iter().filter_map(|b| b.mesh.as_deref()).gather();
        let fields: Vec<&Field> = bodies.iter().filter_map(|b| b.field.as_deref()).gather();
        resources.fastest(&meshes, &fields)
    }
}

fn working_bytes(query: &ContactsQuery) -> u64 {
    query.memory().parts.iter().map(|part| part.bytes).sum()
}

impl Query for SceneContactsQuery {
    type Answer = SceneSummary;
    type Step = Step;
    const NAME: &'static str = "scene contacts";

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn memory(&self) -> Memory {
        let slots = self.portion.min(self.pairs.len());
        let mut parts = memory::filled(0, slots * contacts::MOST_PARTS);
        for (at, pair) in self.pairs.iter().enumerate() {
            let slot = &mut parts[at % self.portion * contacts::MOST_PARTS..];
            for (bytes, part) in slot.iter_mut().zip(pair.query.memory().parts) {
                *bytes = part.bytes.max(*bytes);
            }
        }
        Memory::answer(self.bytes).with(parts)
    }

    fn prepare(&mut self, refits: &mut Refits) {
        for pair in &mut self.pairs {
            pair.query.prepare(refits);
        }
        self.number = self.submissions.fetch_add(1, Ordering::Relaxed) + 1;
        *crate::lock::outlive(self.read.get_mut()) = None;
    }

    fn join(&mut self, place: &Place, dispatches: &mut Dispatches) {
        let portion = self.portion;
        for pairs in self.pairs.chunks_mut(portion) {
            // Portions share their memory, and come one after the other.
            let mut dispatches = dispatches.afresh();
            for (slot, pair) in pairs.iter_mut().enumerate() {
                let own = place.after(slot * contacts::MOST_PARTS, pair.bytes.start);
                pair.query.join(&own, &mut dispatches);
            }
        }
    }

    fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let first = step.portion * self.portion;
        let pairs = self.pairs.iter().skip(first).take(self.portion);
        for (slot, pair) in pairs.enumerate() {
            let own = place.after(slot * contacts::MOST_PARTS, pair.bytes.start);
            pair.query.record(step.of_pairs, &own, recorder)?;
        }
        Ok(())
    }

    fn answer(&self, bytes: &[u8]) -> Result<SceneSummary> {
        let mut read = lock(&self.read);
        if let Some(summary) = *read {
            return Ok(summary);
        }
        let mut found = memory::with_room(self.pairs.len(), "pairs")?;
        for PlannedPair {
            objects,
            query,
            bytes: own,
        } in &self.pairs
        {
            let own = &bytes[own.start as usize..own.end as usize];
            let manifold = query.found(own).map_err(|error| match error {
                Error::Unsupported(text) => Error::Unsupported(format!(
                    "objects {:#x} and {:#x}: {text}",
                    objects[0], objects[1]
                )),
                other => other,
            })?;
            found.push(FoundPair {
                objects: *objects,
                manifold,
                within: query.match_distance(),
            });
        }
        let mut scene = lock(&self.scene);
        if self.number <= scene.last.number {
            return Err(Error::WrongState(
                "an answer of this scene that was submitted later has been read already".into(),
            ));
        }
        // Bodies may have gone since.
        found.retain(|pair| pair.objects.iter().all(|id| scene.bodies.get(*id).is_ok()));
        let mut next = scene.last.next(found);
        next.number = self.number;
        let summary = SceneSummary {
            pairs: next.pairs.len() as u64,
            contacts: next.contacts.len() as u64,
            patches: next.patches.len() as u64,
            ended: next.ended.len() as u64,
            tested: self.pairs.len() as u32,
            without_field: self.without_field,
        };
        scene.last = next;
        *read = Some(summary);
        Ok(summary)
    }
}
