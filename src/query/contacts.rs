//! Contacts of a pair of bodies: every local minimum of the signed distance over one surface in the field of the other, gathered to patches
//! and reduced to what a solver needs. Culling as in penalty; minima per triangle as in Macklin et al. 2020, "Local Optimization for
//! Robust Signed Distance Field Collision", section 3.

mod output;
mod reduction;
mod side;
pub mod soft;

use super::clusters::Refits;
use super::dispatches::Dispatches;
use super::output::{OutputArray, OutputFrame, OutputPlace, placement};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result, invalid};
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{ContactPatch, ContactsHead, RawContact};
use crate::memory::{self, Gather};
use crate::query::body::ContactBody;
use glam::{DAffine3, DVec3, Vec3};
use reduction::Reduction;
use side::ContactSide;
pub use side::SideStep;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// What of a surface is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Sampling {
    /// Vertices, and the minima of edges and faces.
    #[default]
    All = 0,
    /// Vertices only.
    Vertices = 1,
    /// Vertices and the middles of edges.
    EdgeCentres = 2,
}

/// A contact of an earlier answer that the new one may continue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PreviousContact {
    /// Its key.
    pub key: u64,
    /// What the caller keeps with it.
    pub user: u64,
    /// Its point in the frame of the body whose surface it lies on.
    pub point: DVec3,
    /// Its patch.
    pub patch: u32,
}

impl From<&Contact> for PreviousContact {
    fn from(contact: &Contact) -> Self {
        Self {
            key: contact.key,
            user: contact.user,
            point: contact.own_point(),
            patch: contact.patch,
        }
    }
}

/// What a contact query is asked for.
#[derive(Debug, Clone)]
pub struct ContactOptions {
    /// Separations up to this are reported, in world units.
    pub distance: f32,
    /// Contacts that are kept per patch; 0 for all.
    pub points: u32,
    /// Patches that are kept per pair.
    pub patches: u32,
    /// What of the surfaces is tried.
    pub sampling: Sampling,
    /// Room for contacts before reduction; 0 to choose by the meshes.
    pub budget: u32,
    /// The contacts of the last step.
    pub previous: Vec<PreviousContact>,
}

/// Contacts that are kept per patch unless asked otherwise: what box solvers take.
pub const USUAL_POINTS: u32 = 4;
/// The most that may be kept per patch.
pub const MOST_POINTS: u32 = 32;
/// Patches that are kept unless asked otherwise.
pub const USUAL_PATCHES: u32 = 8;
/// The most patches.
pub const MOST_PATCHES: u32 = 64;
/// The most contacts before reduction.
pub const MOST_RAW: u32 = 1 << 16;
/// The most contacts of the last step that are looked through.
pub const MOST_PREVIOUS: usize = 4096;

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            distance: 0.0,
            points: USUAL_POINTS,
            patches: USUAL_PATCHES,
            sampling: Sampling::All,
            budget: 0,
            previous: Vec::new(),
        }
    }
}

impl ContactOptions {
    /// Refuses what is out of range.
    pub(crate) fn validate(&self) -> Result<()> {
        if !(self.distance >= 0.0 && self.distance <= 1e15) {
            return Err(invalid(format!(
                "distance is {}; it must be from 0 to 1e15",
                self.distance
            )));
        }
        let limits = [
            ("points", self.points, 0, MOST_POINTS),
            ("patches", self.patches, 1, MOST_PATCHES),
            ("budget", self.budget, 0, MOST_RAW),
        ];
        for (name, value, least, most) in limits {
            if value < least || value > most {
                return Err(invalid(format!(
                    "{name} is {value}; it must be from {least} to {most}"
                )));
            }
        }
        if self.previous.len() > MOST_PREVIOUS {
            return Err(invalid(format!(
                "there are {} previous contacts; at most {MOST_PREVIOUS} are looked through",
                self.previous.len()
            )));
        }
        Ok(())
    }
}

/// What a contact lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum ContactFeature {
    /// A vertex.
    Vertex = 0,
    /// An edge.
    Edge = 1,
    /// The inside of a face.
    Face = 2,
}

/// Two points, one on each body, and what is between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// On body A, along its axes from its origin, in world units.
    pub point_a: DVec3,
    /// On body B, along its axes from its origin, in world units.
    pub point_b: DVec3,
    /// The point on body A in the world.
    pub world_a: DVec3,
    /// The point on body B in the world.
    pub world_b: DVec3,
    /// Unit vector from A to B, along the world's axes.
    pub normal: DVec3,
    /// The signed distance less the rest offsets; negative where the bodies penetrate.
    pub separation: f32,
    /// The exact signed distance less the rest offsets lies between these.
    pub bounds: [f32; 2],
    /// Whether the surface it was found on is body B's; otherwise it is body A's.
    pub on_b: bool,
    /// The triangle of that surface.
    pub triangle: u32,
    /// The weights of its corners.
    pub barycentric: Vec3,
    /// What it lies on.
    pub feature: ContactFeature,
    /// The area that it stands for.
    pub area: f32,
    /// Its patch, or `u32::MAX` where there were too many.
    pub patch: u32,
    /// Names it from step to step.
    pub key: u64,
    /// Which of the previous contacts it continues.
    pub previous: Option<u32>,
    /// What the caller kept with that one; 0 for a new contact.
    pub user: u64,
}

impl Contact {
    /// Its point on the surface that it was found on, in the frame of that surface's body.
    pub fn own_point(&self) -> DVec3 {
        if self.on_b {
            self.point_b
        } else {
            self.point_a
        }
    }
}

/// Contacts that are connected and whose normals agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPatch {
    /// The mean normal, from A to B, along the world's axes.
    pub normal: DVec3,
    /// The centre of its area, in the world.
    pub centre: DVec3,
    /// The area of its contacts.
    pub area: f64,
    /// Unit vector along the patch that the moments refer to, along the world's axes.
    pub tangent: DVec3,
    /// Second moments of the area about the centroid: along the tangent, along normal x tangent, mixed.
    pub moments: [f64; 3],
    /// Contacts before reduction.
    pub raw: u32,
    /// Contacts kept.
    pub kept: u32,
    /// Contacts that were left out lie no farther than this from the hull of those kept, seen along the normal.
    pub hull_distance: f32,
    /// Which of the previous patches it continues.
    pub previous: Option<u32>,
}

/// The contacts of a pair.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifold {
    /// Those kept, patch by patch.
    pub contacts: Vec<Contact>,
    /// The patches, the deepest first.
    pub patches: Vec<ManifoldPatch>,
    /// Contacts before reduction.
    pub raw: u32,
    /// Of these, contacts of patches beyond the limit.
    pub left_out: u32,
    /// The force of a unit pressure of B on A's contacts, all of them, and its torque about A's origin, along the world's axes.
    pub wrench: [DVec3; 2],
    /// By how much the force and the torque of those kept differ from it.
    pub residual: [f64; 2],
    /// Which of the previous contacts ended.
    pub ended: Vec<u32>,
}

/// What a contact query does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Writes the parameters.
    Start,
    /// A step of every side.
    Sides(SideStep),
    /// Gathers patches and reduces them.
    Reduce,
}

pub(super) const STEPS: [Step; 9] = [
    Step::Start,
    Step::Sides(SideStep::Clusters),
    Step::Sides(SideStep::Values),
    Step::Sides(SideStep::Features),
    Step::Sides(SideStep::Edges),
    Step::Sides(SideStep::Faces),
    Step::Sides(SideStep::Vertices),
    Step::Sides(SideStep::List),
    Step::Reduce,
];

/// Parts of the working memory that a pair has at most.
pub(super) const MOST_PARTS: usize = reduction::PARTS + 2 * side::PARTS;

/// A planned contact query.
pub struct ContactsQuery {
    sides: Vec<ContactSide>,
    reduction: Reduction,
    options: ContactOptions,
    bodies: [ContactBody; 2],
    on_host: bool,
    /// For each body the numbers of its triangles in cluster order, where an output needs them.
    orders: [Option<Arc<Buffer>>; 2],
}

impl ContactsQuery {
    /// Whether one of the bodies has a field where the other has a mesh.
    pub fn can_touch([a, b]: &[ContactBody; 2]) -> bool {
        let side =
            |of: &ContactBody, other: &ContactBody| of.field.is_some() && other.mesh.is_some();
        side(a, b) || side(b, a)
    }

    /// Where two bodies touch. One of them has a field and the other a mesh, or both have both.
    pub fn plan(
        resources: &Resources,
        bodies: [ContactBody; 2],
        options: ContactOptions,
    ) -> Result<Self> {
        options.validate()?;
        bodies[0].validate("body_a")?;
        bodies[1].validate("body_b")?;
        if !Self::can_touch(&bodies) {
            return Err(invalid(
                "no body has a field where the other has a mesh; bake a field for one of them",
            ));
        }
        let fields = bodies.iter().filter_map(|body| body.field.as_deref());
        let meshes = bodies.iter().filter_map(|body| body.mesh.as_deref());
        let (meshes, fields): (Vec<_>, Vec<_>) = (meshes.collect(), fields.collect());
        Self::plan_on(resources.fastest(&meshes, &fields)?, bodies, options)
    }

    /// The same of checked bodies, on a device that has them.
    pub(super) fn plan_on(
        resources: &Resources,
        bodies: [ContactBody; 2],
        options: ContactOptions,
    ) -> Result<Self> {
        let mut sides = Vec::new();
        for number in 0..2 {
            let (with_field, with_mesh) = (&bodies[number], &bodies[1 - number]);
            if let (Some(field), Some(mesh)) = (&with_field.field, &with_mesh.mesh) {
                let tables = mesh.contact_tables(&resources.device, || resources.staging())?;
                sides.push(ContactSide {
                    field: field.clone(),
                    unit: with_field.scale.into(),
                    mesh: mesh.clone(),
                    tables,
                    mesh_unit: with_mesh.scale.into(),
                    motion: with_mesh.motion_to(with_field),
                    to_pair: match number {
                        0 => DAffine3::IDENTITY,
                        _ => with_field.motion_to(with_mesh),
                    },
                    number: number as u32,
                    member: None,
                });
            }
        }
        let reduction = Reduction::plan(&sides, &options);
        Ok(Self {
            sides,
            reduction,
            options,
            bodies,
            on_host: resources.device.is_host(),
            orders: [None, None],
        })
    }

    /// The largest signed distance that makes a contact, in world units.
    fn distance(&self) -> f64 {
        let offsets: f64 = (self.bodies.iter())
            .map(|body| f64::from(body.contact_offset) + f64::from(body.rest_offset))
            .sum();
        f64::from(self.options.distance) + offsets
    }
}

impl Query for ContactsQuery {
    type Answer = Manifold;
    type Step = Step;
    const NAME: &'static str = "contacts";

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn memory(&self) -> Memory {
        let memory = Memory::answer(self.reduction.answer_bytes()).with(self.reduction.parts());
        (self.sides.iter()).fold(memory, |memory, side| memory.with(side.parts()))
    }

    fn prepare(&mut self, refits: &mut Refits) {
        for side in &self.sides {
            refits.ask(&side.mesh);
        }
    }

    fn join(&mut self, place: &Place, dispatches: &mut Dispatches) {
        self.reduction.join(place, dispatches);
        let raw = Reduction::raw(place);
        for (at, side) in self.sides.iter_mut().enumerate() {
            side.join(reduction::PARTS + at * side::PARTS, raw, place, dispatches);
        }
    }

    fn steps(&self) -> &[Step] {
        &STEPS
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let sides = (self.sides.iter().enumerate())
            .map(|(at, side)| (reduction::PARTS + at * side::PARTS, side));
        match step {
            Step::Start => {
                self.reduction.start(place, recorder);
                let capacity = self.reduction.capacity.into();
                for (first, side) in sides {
                    let limits = [self.distance(), capacity];
                    side.start(limits, self.options.sampling, first, place, recorder);
                }
                Ok(())
            }
            Step::Sides(step) => {
                for (first, side) in sides {
                    side.record(step, first, reduction::RAW, place, recorder)?;
                }
                Ok(())
            }
            Step::Reduce => self.reduction.record(place, recorder),
        }
    }

    fn recording(&self) -> Option<u32> {
        let live = self.sides.iter().any(|side| side.field.is_live());
        (!live).then_some(0)
    }

    const OUTPUTS: &'static [OutputArray] = &output::ARRAYS;

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        let tables =
            |side: &ContactSide| (side.mesh).contact_tables(&device.device, || device.staging());
        let tables: Vec<_> = self.sides.iter().map(tables).collect::<Result<_>>()?;
        for (side, tables) in self.sides.iter_mut().zip(tables) {
            side.tables = tables;
        }
        self.on_host = false;
        Ok(())
    }

    fn plan_output(&mut self, _array: usize, device: &Resources) -> Result<()> {
        for (order, body) in self.orders.iter_mut().zip(&self.bodies) {
            if let Some(mesh) = &body.mesh {
                *order = Some(mesh.cluster_order(&device.device, || device.staging())?);
            }
        }
        Ok(())
    }

    fn placement(&self) -> OutputFrame {
        let [a, b] = &self.bodies;
        let world = DAffine3::from_mat3_translation(a.matrix(), a.position);
        placement(&world, &a.motion_to(b))
    }

    fn record_output(
        &self,
        array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        self.record_records(array, output, place, recorder)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Manifold> {
        let mut manifold = self.found(bytes)?;
        continue_manifold(&mut manifold, &self.options.previous, self.match_distance());
        Ok(manifold)
    }
}

impl ContactsQuery {
    /// What the kernels found, as if there had been nothing before.
    pub(super) fn found(&self, bytes: &[u8]) -> Result<Manifold> {
        let (head, patches, contacts) = self.reduction.split(bytes)?;
        if head.raw > self.reduction.capacity {
            return Err(Error::Unsupported(format!(
                "there are {} contacts before reduction, more than the budget of {}: raise `budget`, or reduce `distance`",
                head.raw, self.reduction.capacity
            )));
        }
        let turn = self.bodies[0].matrix();
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        let apart = |all: [f32; 3], kept: [f32; 3]| (vector(all) - vector(kept)).length();
        Ok(Manifold {
            contacts: contacts.iter().map(|raw| self.contact(raw)).gather(),
            patches: patches.iter().map(|patch| self.patch(patch)).gather(),
            raw: head.raw,
            left_out: head.left_out,
            wrench: [turn * -vector(head.force), turn * -vector(head.torque)],
            residual: [
                apart(head.force, head.kept_force),
                apart(head.torque, head.kept_torque),
            ],
            ended: Vec::new(),
        })
    }

    /// How far a contact on an edge or in a face may have moved and be the same.
    pub(super) fn match_distance(&self) -> f64 {
        2.0 * f64::from(self.reduction.gap)
    }

    fn contact(&self, raw: &RawContact) -> Contact {
        let [a, b] = &self.bodies;
        let on_b = raw.key_high >> 31 == 0;
        let side = (self.sides.iter())
            .find(|side| (side.number == 0) == on_b)
            .expect("a contact is of a side that was asked");
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        let (point, normal) = (vector(raw.point), vector(raw.normal));
        let step = f64::from(raw.separation) * normal;
        let (point_a, beyond) = match on_b {
            true => (point - step, point),
            false => (point, point + step),
        };
        let into_b = a.motion_to(b);
        let rest = a.rest_offset + b.rest_offset;
        let turn = a.matrix();
        let [second, third] = raw.weights;
        Contact {
            point_a,
            point_b: into_b.transform_point3(beyond),
            world_a: a.position + turn * point_a,
            world_b: a.position + turn * beyond,
            normal: turn * normal,
            separation: raw.separation - rest,
            bounds: [raw.lower - rest, raw.upper - rest],
            on_b,
            triangle: side.mesh.clusters.order[raw.triangle as usize],
            barycentric: Vec3::new(1.0 - second - third, second, third),
            feature: match raw.key_high >> 29 & 3 {
                0 => ContactFeature::Vertex,
                1 => ContactFeature::Edge,
                _ => ContactFeature::Face,
            },
            area: raw.area,
            patch: raw.region,
            key: u64::from(raw.key_high) << 32 | u64::from(raw.key_low),
            previous: None,
            user: 0,
        }
    }

    fn patch(&self, patch: &ContactPatch) -> ManifoldPatch {
        let turn = self.bodies[0].matrix();
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        ManifoldPatch {
            normal: turn * vector(patch.normal),
            centre: self.bodies[0].position + turn * vector(patch.centre),
            area: patch.area.into(),
            tangent: turn * vector(patch.tangent),
            moments: patch.moments.map(f64::from),
            raw: patch.raw,
            kept: patch.kept,
            hull_distance: patch.hull_distance,
            previous: None,
        }
    }
}

/// Finds what of the last step the contacts and patches of a manifold continue, and what ended. Contacts on an edge or in a face may have moved
/// by `within`.
pub(super) fn continue_manifold(
    manifold: &mut Manifold,
    previous: &[PreviousContact],
    within: f64,
) {
    manifold.ended = continue_contacts(&mut manifold.contacts, previous, within);
    continue_patches(&mut manifold.patches, &manifold.contacts, previous);
}

/// A patch continues the one that more than half of its contacts come from. Where several come from one, that with the most of its contacts
/// continues it, of equal ones the first.
fn continue_patches(
    patches: &mut [ManifoldPatch],
    contacts: &[Contact],
    previous: &[PreviousContact],
) {
    let mut members = memory::filled(0_u32, patches.len());
    let mut votes: Vec<[u32; 2]> = memory::room(contacts.len());
    for contact in contacts {
        let Some(members) = members.get_mut(contact.patch as usize) else {
            continue;
        };
        *members += 1;
        if let Some(at) = contact.previous {
            votes.push([previous[at as usize].patch, contact.patch]);
        }
    }
    votes.sort_unstable();
    let counted = (votes.chunk_by(|a, b| a == b)).map(|same| (same[0], same.len()));
    let most = |([_, new], votes): &([u32; 2], usize)| 2 * votes > members[*new as usize] as usize;
    let mut claims = counted.filter(most).gather();
    claims.sort_unstable_by_key(|&([old, new], votes)| (old, Reverse(votes), new));
    claims.dedup_by_key(|([old, _], _)| *old);
    for ([old, new], _) in claims {
        patches[new as usize].previous = Some(old);
    }
}

/// Finds for each contact the previous one that it continues, by its key; on an edge or in a face also by its place on the same feature.
/// Returns the previous ones that nobody continues.
fn continue_contacts(
    contacts: &mut [Contact],
    previous: &[PreviousContact],
    within: f64,
) -> Vec<u32> {
    let mut open: HashMap<u64, u32> = HashMap::new();
    memory::ensure_map(&mut open, previous.len());
    for (at, old) in previous.iter().enumerate() {
        open.entry(old.key).or_insert(at as u32);
    }
    let mut ended: Vec<bool> = memory::filled(true, previous.len());
    for contact in contacts.iter_mut() {
        if let Some(at) = open.remove(&contact.key) {
            contact.previous = Some(at);
            ended[at as usize] = false;
        }
    }
    // The feature without the place on it.
    let feature = |key: u64| key & !(0x1fff_ffff << 32);
    for contact in contacts.iter_mut() {
        if contact.previous.is_some() || contact.feature == ContactFeature::Vertex {
            continue;
        }
        let near = |at: &usize| {
            let old = &previous[*at];
            ended[*at] && feature(old.key) == feature(contact.key)
        };
        let away = |at: usize| previous[at].point.distance(contact.own_point());
        let nearest = (0..previous.len())
            .filter(near)
            .min_by(|&a, &b| away(a).total_cmp(&away(b)));
        if let Some(at) = nearest.filter(|&at| away(at) <= within) {
            contact.previous = Some(at as u32);
            ended[at] = false;
        }
    }
    for contact in contacts.iter_mut() {
        if let Some(at) = contact.previous {
            contact.user = previous[at as usize].user;
        }
    }
    let over = |at: &u32| ended[*at as usize];
    (0..previous.len() as u32).filter(over).gather()
}

const _: () = assert!(size_of::<ContactsHead>() == 64);
