//! The bodies of a scene: where they are, which pairs of them may touch, and what touched last.

use super::history::SceneContacts;
use crate::error::{Error, Result, invalid};
use crate::geometry::aabb::Aabb;
use crate::geometry::broad_phase::sweep_and_prune::SweepAndPrune;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::memory::{self, Gather};
use crate::query::body::{BodyPlace, ContactBody};
use crate::scene::mesh::Mesh;
use crate::scene::slots::{Kind, Slots};
use glam::DVec3;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Which bodies a body meets: two meet if each one's mask has a bit of the other's group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyFilter {
    /// The groups that the body is in.
    pub group: u32,
    /// The groups that it meets.
    pub mask: u32,
}

impl Default for BodyFilter {
    fn default() -> Self {
        Self {
            group: 1,
            mask: u32::MAX,
        }
    }
}

impl BodyFilter {
    /// Whether two bodies meet.
    pub fn admits(self, other: Self) -> bool {
        self.group & other.mask != 0 && other.group & self.mask != 0
    }
}

/// A body of a scene.
pub(super) struct SceneBody {
    pub(super) body: ContactBody,
    filter: BodyFilter,
}

/// A box in the world; empty where there is no body.
#[derive(Clone, Copy)]
struct WorldBox {
    min: DVec3,
    max: DVec3,
}

impl WorldBox {
    const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The box from an origin in single precision, rounded outwards.
    fn seen_from(&self, origin: DVec3) -> Aabb {
        Aabb {
            min: round_down_each(self.min - origin),
            max: round_up_each(self.max - origin),
        }
    }
}

/// Placing points in single precision moves them by less than this part of a body's size.
const PLACING: f64 = 1e-5;
/// The most pairs of boxes that a scene may have.
const MOST_PAIRS: usize = 1 << 22;

/// The bodies of a scene, and the contacts of the last step.
pub struct SceneBodies {
    pub(super) bodies: Slots<SceneBody>,
    excluded: HashSet<[u64; 2]>,
    sweep: SweepAndPrune,
    /// How often bodies or what they meet have changed.
    changes: u64,
    /// Submissions of queries about these bodies. Not under the scene's lock, which a submission must not take.
    pub(super) submissions: Arc<AtomicU64>,
    /// The contacts that were read last.
    pub(super) last: SceneContacts,
}

impl SceneBodies {
    /// No bodies; `number` tells their ids from those of other scenes.
    pub fn new(number: u64) -> Self {
        Self {
            bodies: Slots::new(Kind::Body, number),
            excluded: HashSet::new(),
            sweep: SweepAndPrune::default(),
            changes: 0,
            submissions: Arc::default(),
            last: SceneContacts::default(),
        }
    }

    /// Whether an id can be of a body; other objects have ids of another kind.
    pub fn is_body(&self, id: u64) -> bool {
        self.bodies.is_own(id)
    }

    /// Takes a body in.
    pub fn add(&mut self, body: ContactBody, filter: BodyFilter) -> Result<u64> {
        body.validate("body")?;
        self.changes += 1;
        self.bodies.insert(SceneBody { body, filter })
    }

    /// Replaces a body; its pairs and their contacts go on.
    pub fn replace(&mut self, id: u64, body: ContactBody, filter: BodyFilter) -> Result<()> {
        body.validate("body")?;
        self.changes += 1;
        *self.bodies.get_mut(id)? = SceneBody { body, filter };
        Ok(())
    }

    /// Moves bodies, or none of them if an id or a place is not valid.
    pub fn place(&mut self, ids: &[u64], places: &[BodyPlace]) -> Result<()> {
        for (&id, place) in ids.iter().zip(places) {
            place.validate("pose")?;
            self.bodies.place(id)?;
        }
        self.changes += 1;
        for (&id, place) in ids.iter().zip(places) {
            let body = &mut self.bodies.get_mut(id)?.body;
            body.position = place.position;
            body.rotation = place.rotation;
        }
        Ok(())
    }

    /// Takes a body out; its pairs end with the next answer.
    pub fn remove(&mut self, id: u64) -> Result<()> {
        self.changes += 1;
        self.bodies.remove(id)?;
        self.excluded.retain(|pair| !pair.contains(&id));
        Ok(())
    }

    /// Pairs that never touch, in place of those given before.
    pub fn exclude(&mut self, pairs: &[[u64; 2]]) -> Result<()> {
        for id in pairs.iter().flatten() {
            self.bodies.place(*id)?;
        }
        let mut excluded = HashSet::new();
        let refused = |_| Error::OutOfHostMemory(format!("{} excluded pairs", pairs.len()));
        excluded.try_reserve(pairs.len()).map_err(refused)?;
        excluded.extend(pairs.iter().map(|&pair| ordered(pair)));
        self.excluded = excluded;
        self.changes += 1;
        Ok(())
    }

    /// The contacts that were read last.
    pub fn last(&self) -> &SceneContacts {
        &self.last
    }

    /// What the caller keeps with each contact of the last answer.
    pub fn set_users(&mut self, users: &[u64]) -> Result<()> {
        let contacts = &mut self.last.contacts;
        if users.len() != contacts.len() {
            return Err(invalid(format!(
                "there are {} values, but the last answer has {} contacts",
                users.len(),
                contacts.len()
            )));
        }
        for (contact, user) in contacts.iter_mut().zip(users) {
            contact.user = *user;
        }
        Ok(())
    }

    /// The meshes of the bodies, each once.
    pub fn meshes(&self) -> Vec<Arc<Mesh>> {
        let places = 0..self.bodies.places();
        let mesh = |place| self.bodies.at(place)?.1.body.mesh.clone();
        let mut meshes: Vec<_> = places.filter_map(mesh).gather();
        meshes.sort_unstable_by_key(Arc::as_ptr);
        meshes.dedup_by(|a, b| Arc::ptr_eq(a, b));
        meshes
    }

    /// What is needed to find near bodies, to be used without the scene and given back: boxes grown by half of `distance` and by the
    /// bodies' offsets. `bounds` gives the box of a mesh of [`SceneBodies::meshes`]; none if it does not know one of them.
    pub fn lend(
        &mut self,
        distance: f64,
        bounds: impl Fn(&Arc<Mesh>) -> Option<Aabb>,
    ) -> Result<Option<NearBodies>> {
        let Some(boxes) = self.boxes(distance, bounds)? else {
            return Ok(None);
        };
        // Boxes far from the world's origin are as sharp as near it; those far from each other are compared once more.
        let first = (0..self.bodies.places()).find_map(|place| self.bodies.at(place));
        Ok(Some(NearBodies {
            boxes,
            origin: first.map_or(DVec3::ZERO, |(_, first)| first.body.position),
            sweep: std::mem::take(&mut self.sweep),
            changes: self.changes,
        }))
    }

    /// Takes back what was lent, and keeps those of the pairs that may meet; none if the bodies have changed since.
    pub fn take_back(
        &mut self,
        lent: NearBodies,
        mut pairs: Vec<[u32; 2]>,
    ) -> Option<Vec<[u32; 2]>> {
        let current = self.changes == lent.changes;
        self.sweep = lent.sweep;
        pairs.retain(|&[i, j]| self.may_meet(i as usize, j as usize));
        current.then_some(pairs)
    }

    fn boxes(
        &self,
        distance: f64,
        bounds: impl Fn(&Arc<Mesh>) -> Option<Aabb>,
    ) -> Result<Option<Vec<WorldBox>>> {
        let mut boxes = memory::with_room(self.bodies.places(), "boxes")?;
        for place in 0..self.bodies.places() {
            let Some((_, SceneBody { body, .. })) = self.bodies.at(place) else {
                boxes.push(WorldBox::EMPTY);
                continue;
            };
            // What points of others are tested against lies in the field's domain.
            let mut local = match &body.field {
                Some(field) => field.data.grid.domain(),
                None => Aabb::EMPTY,
            };
            if let Some(mesh) = &body.mesh {
                let Some(own) = bounds(mesh) else {
                    return Ok(None);
                };
                local = local.union(own);
            }
            boxes.push(world_box(body, local, 0.5 * distance));
        }
        Ok(Some(boxes))
    }

    fn may_meet(&self, i: usize, j: usize) -> bool {
        let (Some((a, first)), Some((b, second))) = (self.bodies.at(i), self.bodies.at(j)) else {
            return false;
        };
        first.filter.admits(second.filter) && !self.excluded.contains(&ordered([a, b]))
    }
}

/// The boxes of bodies at a moment, and the order in which they were last found.
pub struct NearBodies {
    boxes: Vec<WorldBox>,
    origin: DVec3,
    sweep: SweepAndPrune,
    changes: u64,
}

impl NearBodies {
    /// Pairs of places whose boxes overlap, ascending.
    pub fn pairs(&mut self) -> Result<Vec<[u32; 2]>> {
        let boxes = &self.boxes;
        let seen: Vec<Aabb> = boxes.iter().map(|b| b.seen_from(self.origin)).gather();
        let mut found = self.sweep.pairs(&seen, MOST_PAIRS).map_err(|found| {
            Error::Unsupported(format!(
                "the boxes of {} pairs of bodies overlap, more than {MOST_PAIRS}: reduce `distance`, or use filters and \
                 several scenes",
                found.needed
            ))
        })?;
        found.retain(|&[i, j]| boxes[i as usize].overlaps(&boxes[j as usize]));
        Ok(found)
    }
}

fn ordered([a, b]: [u64; 2]) -> [u64; 2] {
    [a.min(b), a.max(b)]
}

fn world_box(body: &ContactBody, local: Aabb, margin: f64) -> WorldBox {
    if local.is_empty() {
        return WorldBox::EMPTY;
    }
    let scale = f64::from(body.scale);
    let (low, high) = (local.min.as_dvec3() * scale, local.max.as_dvec3() * scale);
    let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
    let turn = body.matrix();
    let [x, y, z] = [turn.x_axis, turn.y_axis, turn.z_axis].map(DVec3::abs);
    let reach = x * half.x + y * half.y + z * half.z;
    let offset = f64::from(body.contact_offset) + f64::from(body.rest_offset);
    let size = centre.length() + half.length();
    let grown = margin + offset.max(0.0) + PLACING * size;
    let middle = body.position + turn * centre;
    WorldBox {
        min: middle - reach - grown,
        max: middle + reach + grown,
    }
}
