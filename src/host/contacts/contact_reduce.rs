//! Contacts, last: the contacts of both sides of a pair are sorted by key and gathered to patches, and of each patch the deepest and those that
//! span it are kept. Comparisons are in steps, and ties go to contacts of the last frame and then by key, so that a small motion
//! changes nothing.

pub mod hull;

use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{
    ContactPatch, ContactsHead, ContactsReduction, PairsPush, RawContact,
};
use crate::gpu::shader::kernels::ContactReduce;
use crate::host::runs::each_run;
use crate::memory::{self, Gather};
use glam::{Vec2, Vec3};
use hull::{Kept, Tangents};

const NONE: u32 = u32::MAX;

impl Native for ContactReduce<'_> {
    fn run(&self, push: &PairsPush, [count, ..]: [u32; 3]) {
        let pairs = &push.pairs[..count as usize];
        each_run(pairs.len(), 1, |part| {
            pairs[part].iter().for_each(|&pair| reduce(self, pair));
        });
    }
}

fn reduce(kernel: &ContactReduce, pair: u32) {
    let query = &kernel.query.values::<ContactsReduction>()[pair as usize];
    let raw = &kernel.raw.values::<RawContact>()[query.raw_at as usize..];
    let found = raw[0].region;
    let heads: Array<ContactsHead> = kernel.heads.array();
    let mut head = ContactsHead {
        raw: found,
        ..bytemuck::Zeroable::zeroed()
    };
    if found != 0 && found <= query.capacity {
        let previous: &[[u32; 2]] = kernel.previous.values();
        let previous = &previous[query.previous_at as usize..][..query.previous_count as usize];
        let mut reduction = Reduction {
            query,
            items: sorted_items(&raw[1..][..found as usize], previous),
            patches: kernel.patches.array(),
            contacts: kernel.contacts.array(),
            head,
        };
        reduction.run();
        head = reduction.head;
    }
    heads.set(query.answer_at as usize, head);
}

/// A contact before reduction.
struct Item<'a> {
    raw: &'a RawContact,
    point: Vec3,
    normal: Vec3,
    /// What a contact adds to its measure, which is a whole number of steps: vertices and edges are where they are, while the place of a
    /// minimum in a face depends on the field's cells; and contacts of the last frame win against others that are as good.
    preference: f32,
    patch: u32,
    is_kept: bool,
}

impl Item<'_> {
    fn side(&self) -> u32 {
        self.raw.key_high >> 31
    }
}

fn key(raw: &RawContact) -> [u32; 2] {
    [raw.key_high, raw.key_low]
}

/// The contacts in the order of their keys.
fn sorted_items<'a>(raw: &'a [RawContact], previous: &[[u32; 2]]) -> Vec<Item<'a>> {
    let mut items: Vec<Item> = (raw.iter())
        .map(|raw| {
            let kind = raw.key_high >> 29 & 3;
            let was_there = previous.binary_search(&key(raw)).is_ok();
            Item {
                raw,
                point: raw.point.into(),
                normal: raw.normal.into(),
                preference: 2.0 * (2.0 - kind as f32) + if was_there { 0.5 } else { 0.0 },
                patch: NONE,
                is_kept: false,
            }
        })
        .gather();
    items.sort_unstable_by_key(|item| key(item.raw));
    items
}

/// The place with the largest value; of several the first.
fn best_of(values: impl Iterator<Item = (usize, f32)>) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (place, value) in values {
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((place, value));
        }
    }
    best.map(|(place, _)| place)
}

/// The reduction of a pair.
struct Reduction<'a> {
    query: &'a ContactsReduction,
    items: Vec<Item<'a>>,
    patches: Array<'a, ContactPatch>,
    contacts: Array<'a, RawContact>,
    head: ContactsHead,
}

/// What a patch is, before it is reduced.
struct Middle {
    normal: Vec3,
    centre: Vec3,
    area: f32,
    members: u32,
}

impl Reduction<'_> {
    fn run(&mut self) {
        while self.head.patches < self.query.patches {
            let Some(seed) = self.seed_contact() else {
                break;
            };
            self.make_patch(self.head.patches, seed);
            self.head.patches += 1;
        }
        let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
        for item in &self.items {
            let own = item.raw.area * item.normal;
            force += own;
            torque += item.point.cross(own);
        }
        self.head.left_out = self.items.iter().filter(|item| item.patch == NONE).count() as u32;
        (self.head.force, self.head.torque) = (force.into(), torque.into());
        if self.query.points == 0 {
            for item in &self.items {
                self.contacts.set(
                    self.next_contact_place(),
                    RawContact {
                        region: item.patch,
                        ..*item.raw
                    },
                );
                self.head.kept += 1;
            }
            (self.head.kept_force, self.head.kept_torque) = (self.head.force, self.head.torque);
        }
    }

    /// Where the next contact of the answer goes.
    fn next_contact_place(&self) -> usize {
        (self.query.answer_at + 1 + self.query.patches + self.head.kept) as usize
    }

    fn seed_contact(&self) -> Option<usize> {
        let depth = |item: &Item| (item.raw.separation / self.query.depth_step).floor();
        let items = self.items.iter().enumerate();
        best_of(
            items
                .filter(|(_, item)| item.patch == NONE)
                .map(|(at, item)| (at, item.preference - depth(item))),
        )
    }

    /// The region of the other side that touches here too.
    fn other_region(&self, seed: &Item) -> Option<u32> {
        let near = self.items.iter().enumerate().filter_map(|(at, item)| {
            let is_other = item.side() != seed.side();
            if !is_other || seed.normal.dot(item.normal) < self.query.least_cosine {
                return None;
            }
            let distance = seed.point.distance(item.point);
            (distance <= self.query.link_distance).then_some((at, -distance))
        });
        best_of(near).map(|at| self.items[at].raw.region)
    }

    /// Gathers, reduces and writes a patch around a contact.
    fn make_patch(&mut self, number: u32, seed: usize) {
        let middle = self.gather(number, seed);
        let tangents = Tangents::of(middle.normal);
        let mut kept = Kept::new(&tangents);
        if self.query.points != 0 {
            self.keep(number, seed, &middle, &mut kept);
            self.write_kept(number, &kept);
        }
        self.write_patch(number, &middle, &tangents, &kept);
        self.join_kept(number, &kept);
    }

    /// Puts what is connected to a contact, and whose normals agree, into a patch.
    fn gather(&mut self, number: u32, seed: usize) -> Middle {
        let other = self.other_region(&self.items[seed]);
        let Item {
            raw: &RawContact { region, .. },
            point: seed_point,
            normal: seed_normal,
            ..
        } = self.items[seed];
        let (side, least_cosine) = (self.items[seed].side(), self.query.least_cosine);
        let (mut centre, mut normal) = (Vec3::ZERO, Vec3::ZERO);
        let (mut area, mut members) = (0.0, 0);
        for item in &mut self.items {
            let own_region = match item.side() == side {
                true => Some(region),
                false => other,
            };
            let joins = item.patch == NONE
                && own_region == Some(item.raw.region)
                && !(seed_normal.dot(item.normal) < least_cosine);
            if !joins {
                continue;
            }
            item.patch = number;
            centre += item.raw.area * item.point;
            area += item.raw.area;
            normal += item.raw.area * item.normal;
            members += 1;
        }
        let size = normal.length();
        Middle {
            normal: if size > 0.0 {
                normal / size
            } else {
                seed_normal
            },
            centre: if area > 0.0 {
                centre / area
            } else {
                seed_point
            },
            area,
            members,
        }
    }

    /// Chooses what is kept of a patch. First the contact farthest from the middle among the deepest, then the farthest outside of the hull of what
    /// is kept.
    fn keep(&mut self, number: u32, seed: usize, middle: &Middle, kept: &mut Kept) {
        let query = self.query;
        let deepest = self.items[seed].raw.separation;
        for _ in 0..query.points {
            let measures = self.items.iter().enumerate().filter_map(|(at, item)| {
                if item.patch != number || item.is_kept {
                    return None;
                }
                let far = match kept.places.is_empty() {
                    true if item.raw.separation > deepest + query.depth_step => return None,
                    true => item.point.distance(middle.centre),
                    false => Some(kept.outside_hull(item.point)).filter(|far| *far > query.gap)?,
                };
                Some((at, (far / query.distance_step).floor() + item.preference))
            });
            let Some(place) = best_of(measures) else {
                break;
            };
            self.items[place].is_kept = true;
            kept.add(place, self.items[place].point);
        }
        // One point stands for a small patch: the deepest.
        if let [only] = &mut kept.places[..] {
            *only = seed;
            kept.points[0] = self.items[seed].point;
        }
    }

    /// The contacts that are kept, each with the area of all that are nearer to it than to others.
    fn write_kept(&mut self, number: u32, kept: &Kept) {
        let mut areas = memory::filled(0.0_f32, kept.places.len());
        for item in self.items.iter().filter(|item| item.patch == number) {
            let mut nearest = (0, f32::INFINITY);
            for (at, point) in kept.points.iter().enumerate() {
                let distance = item.point.distance(*point);
                if distance < nearest.1 {
                    nearest = (at, distance);
                }
            }
            areas[nearest.0] += item.raw.area;
        }
        let mut force = Vec3::from(self.head.kept_force);
        let mut torque = Vec3::from(self.head.kept_torque);
        for (&place, &area) in kept.places.iter().zip(&areas) {
            let item = &self.items[place];
            let own = area * item.normal;
            force += own;
            torque += item.point.cross(own);
            let contact = RawContact {
                area,
                region: number,
                ..*item.raw
            };
            self.contacts.set(self.next_contact_place(), contact);
            self.head.kept += 1;
        }
        (self.head.kept_force, self.head.kept_torque) = (force.into(), torque.into());
    }

    fn write_patch(&self, number: u32, middle: &Middle, tangents: &Tangents, kept: &Kept) {
        let mut moments = Vec3::ZERO;
        let mut farthest = 0.0_f32;
        for item in self.items.iter().filter(|item| item.patch == number) {
            let Vec2 { x, y } = tangents.flat(item.point - middle.centre);
            moments += item.raw.area * Vec3::new(x * x, y * y, x * y);
            farthest = farthest.max(kept.hull_distance(item.point));
        }
        let patch = ContactPatch {
            normal: middle.normal.into(),
            area: middle.area,
            centre: middle.centre.into(),
            hull_distance: farthest,
            tangent: tangents.0[0].into(),
            raw: middle.members,
            moments: moments.into(),
            kept: kept.places.len() as u32,
        };
        let at = self.query.answer_at + 1 + number;
        self.patches.set(at as usize, patch);
    }

    /// Contacts of no patch that are as good as one that is kept join its patch: the other side has found it, too.
    fn join_kept(&mut self, number: u32, kept: &Kept) {
        let normals: Vec<Vec3> = (kept.places.iter())
            .map(|&place| self.items[place].normal)
            .gather();
        for item in self.items.iter_mut().filter(|item| item.patch == NONE) {
            let is_same = |(point, normal): (&Vec3, &Vec3)| {
                item.point.distance(*point) <= self.query.gap
                    && item.normal.dot(*normal) >= self.query.least_cosine
            };
            if kept.points.iter().zip(&normals).any(is_same) {
                item.patch = number;
            }
        }
    }
}
