//! Generational ids: a stale, foreign or mistyped id is told apart from a live one, never followed.

use crate::error::{Error, Result};
use crate::memory;

/// What an id names. The number is part of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mesh.
    Mesh = 1,
    /// A field.
    Field = 2,
    /// A scene.
    Scene = 4,
    /// An object of a scene; the scene is its owner.
    Object = 5,
    /// A tracker.
    Tracker = 6,
    /// A hierarchy of the caller's choice.
    Hierarchy = 7,
    /// A follower.
    Follower = 8,
    /// A body of a scene; the scene is its owner.
    Body = 9,
    /// What two meshes have in common.
    Intersection = 10,
    /// A batch; the process is its owner.
    Batch = 14,
    /// A context; the process is its owner.
    Context = 15,
}

impl Kind {
    fn name(bits: u64) -> &'static str {
        match bits {
            1 => "mesh",
            2 => "field",
            4 => "scene",
            5 => "object",
            6 => "tracker",
            7 => "hierarchy",
            8 => "follower",
            9 => "body",
            10 => "intersection",
            14 => "batch",
            15 => "context",
            _ => "thing of an unknown kind",
        }
    }
}

fn id(kind: u64, owner: u64, generation: u64, slot: usize) -> u64 {
    kind << (3 * SLOT_BITS) | owner << (2 * SLOT_BITS) | generation << SLOT_BITS | (slot as u64 + 1)
}

const SLOT_BITS: u32 = 20;
const MASK: u64 = (1 << SLOT_BITS) - 1;

/// What ids of one table are ordered by: their places.
pub fn place_in(id: u64) -> u64 {
    id & MASK
}

/// A table of live objects of one kind in one context or scene.
///
/// An id holds kind (4 bits), context (20), generation (20) and slot + 1 (20), so zero is never an id.
pub struct Slots<T> {
    kind: Kind,
    owner: u64,
    entries: Vec<Slot<T>>,
    free: Vec<usize>,
    /// The first generation of a new place: none that an id has had already.
    first: u64,
    /// What error messages call an object, by its label.
    name: Option<fn(&T) -> String>,
}

struct Slot<T> {
    generation: u64,
    value: Option<T>,
    /// The name of the object that was here last.
    last: Option<String>,
}

impl<T> Slots<T> {
    /// An empty table for the context numbered `owner`.
    pub fn new(kind: Kind, owner: u64) -> Self {
        Self {
            kind,
            owner: owner & MASK,
            entries: Vec::new(),
            free: Vec::new(),
            first: 0,
            name: None,
        }
    }

    /// Errors about the last object of a place call it by `name` instead of its number.
    pub fn with_names(mut self, name: fn(&T) -> String) -> Self {
        self.name = Some(name);
        self
    }

    /// Takes a value in and names it.
    pub fn insert(&mut self, value: T) -> Result<u64> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None if self.entries.len() as u64 >= MASK => {
                return Err(Error::OutOfHostMemory(format!(
                    "a context holds at most {MASK} of a kind"
                )));
            }
            None => {
                let empty = Slot {
                    generation: self.first,
                    value: None,
                    last: None,
                };
                memory::push(&mut self.entries, empty, "objects")?;
                // So that nothing can be refused when it goes.
                memory::ensure_more(&mut self.free, self.entries.len());
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[slot];
        entry.value = Some(value);
        Ok(id(self.kind as u64, self.owner, entry.generation, slot))
    }

    /// Whether an id is of this table's kind, live or not.
    pub fn is_own(&self, id: u64) -> bool {
        id >> (3 * SLOT_BITS) == self.kind as u64
    }

    /// The object that an id names.
    pub fn get(&self, id: u64) -> Result<&T> {
        let slot = self.find(id)?;
        self.entries[slot]
            .value
            .as_ref()
            .ok_or_else(|| self.stale(id))
    }

    /// The object that an id names, to be changed.
    pub fn get_mut(&mut self, id: u64) -> Result<&mut T> {
        let slot = self.place(id)?;
        // The place is that of a live object: only a bug could find it empty.
        let gone = || Error::Internal(format!("the place of id {id:#x} is empty"));
        self.at_mut(slot).ok_or_else(gone)
    }

    /// The live object in a place, to be changed.
    pub fn at_mut(&mut self, place: usize) -> Option<&mut T> {
        self.entries.get_mut(place)?.value.as_mut()
    }

    /// The place of a live object: below [`Slots::places`], its own until it is removed.
    pub fn place(&self, id: u64) -> Result<usize> {
        let slot = self.find(id)?;
        match self.entries[slot].value {
            Some(_) => Ok(slot),
            None => Err(self.stale(id)),
        }
    }

    /// How many places there are, empty ones included.
    pub fn places(&self) -> usize {
        self.entries.len()
    }

    /// The live object in a place, with its id.
    pub fn at(&self, place: usize) -> Option<(u64, &T)> {
        let entry = self.entries.get(place)?;
        let value = entry.value.as_ref()?;
        Some((
            id(self.kind as u64, self.owner, entry.generation, place),
            value,
        ))
    }

    /// Takes the object out; its id is stale from now on.
    pub fn remove(&mut self, id: u64) -> Result<T> {
        let slot = self.find(id)?;
        let entry = &mut self.entries[slot];
        let Some(value) = entry.value.take() else {
            return Err(self.stale(id));
        };
        entry.last = self.name.map(|name| name(&value));
        entry.generation += 1;
        // A slot whose generations are used up is never used again.
        if entry.generation < MASK {
            self.free.push(slot);
        }
        Ok(value)
    }

    /// Gives the memory of an empty table back. Ids of the past stay stale: new ones are of later generations, of which half are kept for
    /// a table that is never empty.
    pub fn give_back_if_empty(&mut self) {
        let latest = self.entries.iter().map(|e| e.generation).max();
        let empty = self.entries.iter().all(|e| e.value.is_none());
        if let Some(latest) = latest.filter(|&latest| empty && latest < MASK / 2) {
            self.first = latest;
            self.entries = Vec::new();
            self.free = Vec::new();
        }
    }

    /// Takes out the objects for which `leaves` holds.
    pub fn take_if(&mut self, leaves: impl Fn(&T) -> bool) -> Vec<T> {
        let mut taken = Vec::new();
        for slot in 0..self.entries.len() {
            let entry = &self.entries[slot];
            if entry.value.as_ref().is_some_and(&leaves) {
                let id = id(self.kind as u64, self.owner, entry.generation, slot);
                if let Ok(value) = self.remove(id) {
                    memory::add(&mut taken, value);
                }
            }
        }
        taken
    }

    /// The live objects, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().filter_map(|e| e.value.as_mut())
    }

    /// The live objects.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().filter_map(|e| e.value.as_ref())
    }

    #[inline]
    fn find(&self, id: u64) -> Result<usize> {
        let slot = (id & MASK).wrapping_sub(1) as usize;
        let ours = (self.kind as u64) << SLOT_BITS | self.owner;
        match self.entries.get(slot) {
            Some(entry)
                if id >> (2 * SLOT_BITS) == ours
                    && entry.generation == (id >> SLOT_BITS) & MASK =>
            {
                Ok(slot)
            }
            _ => Err(self.refusal(id)),
        }
    }

    /// What is wrong with an id that names nothing here.
    #[cold]
    fn refusal(&self, id: u64) -> Error {
        let wanted = Kind::name(self.kind as u64);
        if id == 0 {
            return Error::InvalidHandle(format!("the {wanted} is null"));
        }
        let kind = id >> (3 * SLOT_BITS);
        if kind != self.kind as u64 {
            return Error::InvalidHandle(format!(
                "id {id:#x} names a {}, not a {wanted}",
                Kind::name(kind)
            ));
        }
        if (id >> (2 * SLOT_BITS)) & MASK != self.owner {
            return Error::InvalidHandle(format!(
                "{wanted} {id:#x} belongs to another {}",
                match self.kind {
                    Kind::Object | Kind::Body => "scene",
                    _ => "context",
                }
            ));
        }
        self.stale(id)
    }

    #[cold]
    fn stale(&self, id: u64) -> Error {
        let entry = self.entries.get((id & MASK).wrapping_sub(1) as usize);
        let last = entry.filter(|entry| (id >> SLOT_BITS & MASK) + 1 == entry.generation);
        if let Some(name) = last.and_then(|entry| entry.last.as_ref()) {
            return Error::InvalidHandle(format!("{name} was destroyed (id {id:#x})"));
        }
        Error::InvalidHandle(format!(
            "{} {id:#x} was destroyed or never existed",
            Kind::name(self.kind as u64)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_tell_live_stale_foreign_and_null_apart() {
        let mut here = Slots::new(Kind::Mesh, 7);
        let mut there = Slots::new(Kind::Mesh, 8);
        let a = here.insert("a").unwrap();
        let foreign = there.insert("b").unwrap();
        assert_eq!(*here.get(a).unwrap(), "a");
        let message = |r: Result<&&str>| r.unwrap_err().to_string();
        assert!(message(here.get(0)).contains("null"));
        assert!(message(here.get(foreign)).contains("another context"));
        assert!(message(here.get(a ^ 5 << 60)).contains("not a mesh"));
        assert_eq!(here.remove(a).unwrap(), "a");
        assert!(message(here.get(a)).contains("destroyed"));
        assert!(here.remove(a).is_err());
        let again = here.insert("c").unwrap();
        assert_ne!(again, a, "the slot is reused under another generation");
        assert!(here.get(a).is_err());
        assert_eq!(here.iter().count(), 1);
    }

    #[test]
    fn the_last_object_of_a_place_is_called_by_its_name() {
        let mut slots = Slots::new(Kind::Mesh, 1).with_names(|label| format!("mesh \"{label}\""));
        let rabbit = slots.insert("rabbit").unwrap();
        slots.remove(rabbit).unwrap();
        let message = |slots: &Slots<&str>, id| slots.get(id).unwrap_err().to_string();
        assert!(message(&slots, rabbit).contains("mesh \"rabbit\" was destroyed"));
        let fox = slots.insert("fox").unwrap();
        assert!(message(&slots, rabbit).contains("mesh \"rabbit\" was destroyed"));
        slots.remove(fox).unwrap();
        assert!(message(&slots, fox).contains("mesh \"fox\" was destroyed"));
        // Only the last name of a place is kept: an older object is never called by another's.
        assert!(!message(&slots, rabbit).contains("fox"));
        // An id that the place has not given yet names nothing.
        assert!(message(&slots, fox + (1 << SLOT_BITS)).contains("never existed"));
    }

    #[test]
    fn an_empty_table_gives_its_memory_back_and_ids_of_the_past_stay_stale() {
        let mut slots = Slots::new(Kind::Context, 0);
        let mut past = Vec::new();
        for life in 0..20 {
            let ids: Vec<_> = (0..1 + life % 3)
                .map(|i| slots.insert(i).unwrap())
                .collect();
            assert!(ids.iter().all(|id| !past.contains(id)));
            slots.give_back_if_empty();
            assert_eq!(slots.places(), ids.len(), "none is given back in use");
            past.extend(&ids);
            ids.iter().for_each(|&id| assert!(slots.remove(id).is_ok()));
            slots.give_back_if_empty();
            assert_eq!(slots.entries.capacity() + slots.free.capacity(), 0);
            assert!(past.iter().all(|&id| slots.get(id).is_err()));
        }
        // A place whose generations run out stays.
        slots.first = MASK - 1;
        let last = slots.insert(0).unwrap();
        slots.remove(last).unwrap();
        slots.give_back_if_empty();
        let next = slots.insert(1).unwrap();
        assert!(slots.get(last).is_err() && next != last);
    }

    #[test]
    fn any_number_can_be_asked_for() {
        let mut slots = Slots::new(Kind::Mesh, 1);
        slots.insert(1).unwrap();
        for id in [
            u64::MAX,
            1,
            1 << 60,
            (1 << 60) | (1 << 40),
            (1 << 60) | (1 << 40) | MASK,
        ] {
            assert!(slots.get(id).is_err(), "{id:#x}");
        }
    }
}
