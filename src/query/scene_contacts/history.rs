//! The contacts of a scene from step to step: which pairs began to touch, which go on, and which ended.

use crate::memory::{self, Gather};
use crate::query::contacts::{
    Contact, Manifold, ManifoldPatch, PreviousContact, continue_manifold,
};
use crate::scene::slots::place_in;
use std::ops::Range;

/// What became of a pair since the answer before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum PairEvent {
    /// It has contacts and had none.
    Began = 0,
    /// It has contacts and had some.
    Persists = 1,
    /// It had contacts and has none.
    Ended = 2,
}

/// A pair of bodies that touch, or touched in the answer before.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchingPair {
    /// The bodies; A is in the earlier place.
    pub objects: [u64; 2],
    /// What became of it.
    pub event: PairEvent,
    /// Its contacts in the list of all.
    pub contacts: Range<usize>,
    /// Its patches in the list of all.
    pub patches: Range<usize>,
    /// What is known of its contacts together; the lists in it are empty.
    pub manifold: Manifold,
    /// How many of its contacts ended.
    pub ended: u32,
}

/// All contacts of a scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SceneContacts {
    /// The pairs that touch or have just ended, by the places of their bodies.
    pub pairs: Vec<TouchingPair>,
    /// The contacts, pair by pair. Each says which of the answer before it continues.
    pub contacts: Vec<Contact>,
    /// The patches, pair by pair. Each says which of the answer before it continues.
    pub patches: Vec<ManifoldPatch>,
    /// Places in the contacts of the answer before that nobody continues.
    pub ended: Vec<u32>,
    /// Which submission it is the answer of.
    pub(super) number: u64,
}

/// What a query found of a pair.
pub(super) struct FoundPair {
    pub(super) objects: [u64; 2],
    pub(super) manifold: Manifold,
    /// How far a contact on an edge or in a face may have moved and be the same.
    pub(super) within: f64,
}

/// What pairs are ordered by: the places of their bodies, then which bodies of these places they are.
fn rank(objects: [u64; 2]) -> ([u64; 2], [u64; 2]) {
    (objects.map(place_in), objects)
}

impl SceneContacts {
    fn of(&self, objects: [u64; 2]) -> Option<&TouchingPair> {
        let at = (self.pairs).binary_search_by_key(&rank(objects), |pair| rank(pair.objects));
        at.ok().map(|at| &self.pairs[at])
    }

    /// The contacts of a pair as a query takes them.
    pub(super) fn previous(&self, objects: [u64; 2]) -> Vec<PreviousContact> {
        let contacts = self.of(objects).map(|pair| pair.contacts.clone());
        let contacts = &self.contacts[contacts.unwrap_or_default()];
        contacts.iter().map(PreviousContact::from).gather()
    }

    /// The answer after this one.
    pub(super) fn next(&self, found: Vec<FoundPair>) -> Self {
        let mut next = Self::default();
        for pair in found {
            if !pair.manifold.contacts.is_empty() {
                next.push(pair, self);
            }
        }
        let going_on = next.pairs.len();
        for before in self.pairs.iter().filter(|p| p.event != PairEvent::Ended) {
            let still = next.pairs[..going_on]
                .binary_search_by_key(&rank(before.objects), |pair| rank(pair.objects));
            if still.is_ok() {
                continue;
            }
            let (contacts, patches) = (next.contacts.len(), next.patches.len());
            for at in before.contacts.clone() {
                memory::add(&mut next.ended, at as u32);
            }
            let ended = TouchingPair {
                objects: before.objects,
                event: PairEvent::Ended,
                contacts: contacts..contacts,
                patches: patches..patches,
                manifold: Manifold::default(),
                ended: before.contacts.len() as u32,
            };
            memory::add(&mut next.pairs, ended);
        }
        next.pairs.sort_unstable_by_key(|pair| rank(pair.objects));
        next.ended.sort_unstable();
        next
    }

    /// Adds a pair that touches, as it follows from the answer before.
    fn push(&mut self, pair: FoundPair, last: &Self) {
        let before = (last.of(pair.objects)).filter(|before| before.event != PairEvent::Ended);
        let mut manifold = pair.manifold;
        continue_manifold(&mut manifold, &last.previous(pair.objects), pair.within);
        let skipped = before.map_or([0, 0], |b| {
            [b.contacts.start, b.patches.start].map(|n| n as u32)
        });
        let (first, first_patch) = (self.contacts.len(), self.patches.len());
        for mut contact in manifold.contacts.drain(..) {
            contact.previous = contact.previous.map(|at| skipped[0] + at);
            memory::add(&mut self.contacts, contact);
        }
        for mut patch in manifold.patches.drain(..) {
            patch.previous = patch.previous.map(|at| skipped[1] + at);
            memory::add(&mut self.patches, patch);
        }
        let ended = manifold.ended.len() as u32;
        for at in manifold.ended.drain(..) {
            memory::add(&mut self.ended, skipped[0] + at);
        }
        let touching = TouchingPair {
            objects: pair.objects,
            event: match before {
                Some(_) => PairEvent::Persists,
                None => PairEvent::Began,
            },
            contacts: first..self.contacts.len(),
            patches: first_patch..self.patches.len(),
            manifold,
            ended,
        };
        memory::add(&mut self.pairs, touching);
    }
}
