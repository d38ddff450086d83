//! Soft contacts: every vertex, edge and face of a deforming mesh that is within a distance of one or many fields, unreduced, for solvers
//! of cloth and soft bodies (Teschner et al. 2005, section 4: D(p) < epsilon, and edge centres too), and the forces of a penalty law on
//! its vertices.

use super::side::{ContactSide, PARTS, TOUCHING, WORD};
use super::{ContactFeature, Sampling};
use crate::error::{Error, Result, invalid};
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{SoftRecord, TouchingFeatures};
use crate::gpu::shader::kernels::SoftContacts;
use crate::memory;
use crate::query::body::ContactBody;
use crate::query::clusters::Refits;
use crate::query::dispatches::Dispatches;
use crate::query::workspace::{Memory, Place};
use crate::query::{Query, Resources};
use crate::scene::mesh::Mesh;
use crate::scene::pose::check_vectors;
use glam::{DAffine3, DMat3, DVec3, Vec3};
use std::mem::offset_of;
use std::sync::Arc;

/// What a soft contact query is asked for.
#[derive(Debug, Clone)]
pub struct SoftContactOptions {
    /// Separations up to this are reported, in world units.
    pub distance: f32,
    /// What of the surface is tried.
    pub sampling: Sampling,
    /// Room for contacts; 0 for as many as there are vertices, four times that with edges.
    pub budget: u32,
    /// The forces on vertices.
    pub law: PenaltyLaw,
}

impl Default for SoftContactOptions {
    fn default() -> Self {
        Self {
            distance: 0.0,
            sampling: Sampling::Vertices,
            budget: 0,
            law: PenaltyLaw::default(),
        }
    }
}

/// A force on each contact: Morvan et al. 2008, equations 4 and 5, for a point instead of an area.
#[derive(Debug, Clone, Default)]
pub struct PenaltyLaw {
    /// Force per depth below `distance`; 0 for no forces.
    pub stiffness: f32,
    /// Force per velocity along the normal; contacts never pull.
    pub damping: f32,
    /// The friction coefficient.
    pub friction: f32,
    /// For each vertex its velocity in the world; empty for a mesh at rest.
    pub velocities: Vec<Vec3>,
}

/// The most bodies of one query.
pub const MOST_BODIES: usize = 256;
/// The most contacts of one query.
pub const MOST_SOFT_CONTACTS: u32 = 1 << 20;

/// A point of the mesh near a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftContact {
    /// The point in the world.
    pub point: DVec3,
    /// Unit vector out of the body, along the world's axes, or zero where the field does not tell.
    pub normal: DVec3,
    /// The signed distance less the rest offsets; negative where the point is inside.
    pub separation: f32,
    /// The exact signed distance less the rest offsets lies between these.
    pub bounds: [f32; 2],
    /// Which of the bodies.
    pub body: u32,
    /// What it lies on.
    pub feature: ContactFeature,
    /// The vertices of the feature, ascending for an edge and in the order of the triangle for a face; the last one fills the places that are
    /// left.
    pub vertices: [u32; 3],
    /// Their weights.
    pub weights: [f32; 3],
    /// The triangle; `u32::MAX` for a vertex.
    pub triangle: u32,
}

/// What a soft contact query finds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SoftAnswer {
    /// By body, kind of feature and vertices.
    pub contacts: Vec<SoftContact>,
    /// For each vertex the force on it, where a law was given.
    pub forces: Vec<Vec3>,
}

/// What a soft contact query does.
#[derive(Debug, Clone, Copy)]
pub enum SoftStep {
    /// Writes the parameters.
    Start,
    /// Finds the clusters that may touch.
    Clusters,
    /// Lists what is near.
    List,
}

/// The list is the first part; then come the parts of each body.
const LIST: usize = 0;
/// Bytes before the list: how many there are.
const LIST_HEAD: u64 = 16;

/// A planned soft contact query.
pub struct SoftContactsQuery {
    soft: ContactBody,
    mesh: Arc<Mesh>,
    bodies: Vec<ContactBody>,
    sides: Vec<ContactSide>,
    options: SoftContactOptions,
    capacity: u32,
    on_host: bool,
}

impl SoftContactsQuery {
    /// Where the mesh of a body is near bodies with fields.
    pub fn plan(
        resources: &Resources,
        soft: ContactBody,
        bodies: Vec<ContactBody>,
        options: SoftContactOptions,
    ) -> Result<Self> {
        soft.validate("soft")?;
        let Some(mesh) = soft.mesh.clone() else {
            return Err(invalid("soft has no mesh; its vertices are what is tested"));
        };
        if bodies.is_empty() || bodies.len() > MOST_BODIES {
            return Err(invalid(format!(
                "body_count is {}; it must be from 1 to {MOST_BODIES}",
                bodies.len()
            )));
        }
        options.validate(&mesh)?;
        let fields: Vec<_> = bodies.iter().filter_map(|b| b.field.as_deref()).collect();
        let resources = resources.fastest(&[&mesh], &fields)?;
        let tables = mesh.contact_tables(&resources.device, || resources.staging())?;
        let mut sides = Vec::new();
        for (at, body) in bodies.iter().enumerate() {
            body.validate(&format!("bodies[{at}]"))?;
            let Some(field) = body.field.clone() else {
                return Err(invalid(format!(
                    "bodies[{at}] has no field; bake one for it"
                )));
            };
            sides.push(ContactSide {
                field,
                unit: body.scale.into(),
                mesh: mesh.clone(),
                tables: tables.clone(),
                mesh_unit: soft.scale.into(),
                motion: soft.motion_to(body),
                to_pair: DAffine3::IDENTITY,
                number: at as u32,
                member: None,
            });
        }
        let usual = match options.sampling {
            Sampling::Vertices => mesh.vertices,
            // A closed mesh has three times as many edges as vertices.
            _ => mesh.vertices.saturating_mul(4),
        };
        let capacity = match options.budget {
            0 => usual.clamp(64, MOST_SOFT_CONTACTS),
            budget => budget,
        };
        Ok(Self {
            soft,
            mesh,
            bodies,
            sides,
            options,
            capacity,
            on_host: resources.device.is_host(),
        })
    }

    fn list_bytes(&self) -> u64 {
        LIST_HEAD + u64::from(self.capacity) * size_of::<SoftRecord>() as u64
    }

    /// What is taken from distances to a body, and up to where they are reported, in world units.
    fn limits(&self, body: &ContactBody) -> (f32, f64) {
        let rest = self.soft.rest_offset + body.rest_offset;
        let offsets = f64::from(self.soft.contact_offset) + f64::from(body.contact_offset);
        (
            rest,
            f64::from(self.options.distance) + f64::from(rest) + offsets,
        )
    }
}

impl SoftContactOptions {
    fn validate(&self, mesh: &Mesh) -> Result<()> {
        if !(self.distance >= 0.0 && self.distance <= 1e15) {
            return Err(invalid(format!(
                "distance is {}; it must be from 0 to 1e15",
                self.distance
            )));
        }
        if self.budget > MOST_SOFT_CONTACTS {
            return Err(invalid(format!(
                "budget is {}; it must be at most {MOST_SOFT_CONTACTS}",
                self.budget
            )));
        }
        let law = &self.law;
        for (name, value) in [
            ("stiffness", law.stiffness),
            ("damping", law.damping),
            ("friction", law.friction),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(invalid(format!(
                    "{name} is {value}; it must be finite and at least 0"
                )));
            }
        }
        if !(law.velocities.is_empty() || law.velocities.len() == mesh.vertices as usize) {
            return Err(invalid(format!(
                "there are {} velocities, but mesh \"{}\" has {} vertices",
                law.velocities.len(),
                mesh.label,
                mesh.vertices
            )));
        }
        check_vectors(&law.velocities, |at| format!("the velocity of vertex {at}"))
    }
}

impl Query for SoftContactsQuery {
    type Answer = SoftAnswer;
    type Step = SoftStep;
    const NAME: &'static str = "soft contacts";

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn memory(&self) -> Memory {
        let [query, touching, _] = self.sides[0].parts();
        let parts = [query, touching, WORD * self.mesh.clusters.len() as u64];
        Memory::answer(self.list_bytes())
            .with([self.list_bytes()])
            .with(self.sides.iter().flat_map(|_| parts))
    }

    fn prepare(&mut self, refits: &mut Refits) {
        refits.ask(&self.mesh);
    }

    fn join(&mut self, place: &Place, _: &mut Dispatches) {
        for (at, side) in self.sides.iter_mut().enumerate() {
            side.stay_alone(LIST + 1 + at * PARTS, place.extent(LIST), place);
        }
    }

    fn steps(&self) -> &[SoftStep] {
        &[SoftStep::Start, SoftStep::Clusters, SoftStep::List]
    }

    fn record(&self, step: SoftStep, place: &Place, recorder: &mut Recorder) -> Result<()> {
        if matches!(step, SoftStep::Start) {
            place.write(recorder, LIST, &[0_u32; 4]);
        }
        for (at, (side, body)) in self.sides.iter().zip(&self.bodies).enumerate() {
            let first = LIST + 1 + at * PARTS;
            let limits = [self.limits(body).1, f64::from(self.capacity)];
            if matches!(step, SoftStep::Start) {
                side.start(limits, self.options.sampling, first, place, recorder);
                continue;
            }
            if matches!(step, SoftStep::Clusters) {
                side.find_clusters(first, place, recorder)?;
                continue;
            }
            let meeting = side.bindings(recorder.device());
            let kernel = SoftContacts {
                fetch: meeting.fetch(),
                meeting,
                side: side.memory(first, place),
                soft_list: place.part(LIST),
                tables: Bound::whole(&side.tables),
                field: side.field.bindings(recorder.device()),
            };
            let (commands, start) = place.buffer(first + TOUCHING);
            let command = start + offset_of!(TouchingFeatures, cluster_command) as u64;
            recorder.dispatch_indirect(&kernel, &side.push(), commands, command)?;
        }
        Ok(())
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        place.collect(recorder, LIST, 0, self.list_bytes());
    }

    fn answer(&self, bytes: &[u8]) -> Result<SoftAnswer> {
        let (head, list) = bytes.split_at(LIST_HEAD as usize);
        let count: u32 = bytemuck::pod_read_unaligned(&head[..4]);
        if count > self.capacity {
            return Err(Error::Unsupported(format!(
                "there are {count} soft contacts, more than the budget of {}: raise `budget` to that, or reduce `distance`",
                self.capacity
            )));
        }
        let record = |at: usize| -> SoftRecord {
            let size = size_of::<SoftRecord>();
            bytemuck::pod_read_unaligned(&list[at * size..][..size])
        };
        let order = self.order(count, record)?;
        let places = memory::collect(self.bodies.iter().map(|body| self.place(body)), "bodies")?;
        let mut contacts = memory::with_room(order.len(), "soft contacts")?;
        for at in order {
            let record = record(at as usize);
            // Where the engine's positions are no numbers, there is no contact.
            if record.point.iter().all(|coordinate| coordinate.is_finite()) {
                contacts.push(self.contact(&record, &places[record.body as usize]));
            }
        }
        if self.options.sampling != Sampling::Vertices {
            sort_features(&mut contacts);
        }
        let forces = match self.options.law.stiffness > 0.0 {
            true => self.forces(&contacts)?,
            false => Vec::new(),
        };
        Ok(SoftAnswer { contacts, forces })
    }
}

/// Sorts contacts that ascend by body, kind and first vertex by the rest of their names. An edge of more than two triangles was listed once
/// for each, and stays once.
fn sort_features(contacts: &mut Vec<SoftContact>) {
    let name = |c: &SoftContact| (c.body, c.feature, c.vertices);
    let first = |c: &SoftContact| (c.body, c.feature, c.vertices[0]);
    for run in contacts.chunk_by_mut(|a, b| first(a) == first(b)) {
        run.sort_unstable_by_key(|c| (name(c), c.triangle));
    }
    contacts.dedup_by(|b, a| a.feature == ContactFeature::Edge && name(a) == name(b));
}

/// Where a body is, ready for many points.
struct BodyTurn {
    position: DVec3,
    turn: DMat3,
    unit: f32,
    /// What is taken from distances to it.
    rest: f32,
}

impl SoftContactsQuery {
    fn place(&self, body: &ContactBody) -> BodyTurn {
        BodyTurn {
            position: body.position,
            turn: body.matrix(),
            unit: body.scale,
            rest: self.limits(body).0,
        }
    }

    /// The records by body, kind and first vertex: kernels list in any order. Numbers are sorted sooner than contacts, which are many times
    /// as large; where most vertices of a mesh are near one body, each has its own place, and nothing is compared.
    fn order(&self, count: u32, record: impl Fn(usize) -> SoftRecord) -> Result<Vec<u32>> {
        let vertices = self.mesh.vertices;
        let is_dense = self.sides.len() == 1 && count >= vertices / 4;
        if self.options.sampling == Sampling::Vertices && is_dense {
            let mut places: Vec<u32> = memory::with_room(vertices as usize, "soft contacts")?;
            places.resize(vertices as usize, u32::MAX);
            (0..count).for_each(|at| places[record(at as usize).feature as usize] = at);
            places.retain(|&at| at != u32::MAX);
            return Ok(places);
        }
        let keys = (0..count).map(|at| self.order_key(&record(at as usize), at));
        let mut keys = memory::collect(keys, "the order of soft contacts")?;
        keys.sort_unstable();
        let place = |key: &u64| (key & u64::from(MOST_SOFT_CONTACTS - 1)) as u32;
        memory::collect(keys.iter().map(place), "the order of soft contacts")
    }

    /// Body, kind and first vertex of a record, and below them its place in the list.
    fn order_key(&self, record: &SoftRecord, at: u32) -> u64 {
        const PLACE_BITS: u32 = MOST_SOFT_CONTACTS.ilog2();
        const { assert!(MOST_SOFT_CONTACTS.is_power_of_two() && MOST_BODIES <= 256) };
        let corners = |triangle: u32| {
            let triangle = self.mesh.clusters.order[triangle as usize];
            self.mesh.triangles[triangle as usize]
        };
        let vertex = match record.kind {
            0 => record.feature,
            1 => {
                let (corners, from) = (corners(record.feature / 3), record.feature as usize % 3);
                corners[from].min(corners[(from + 1) % 3])
            }
            _ => corners(record.feature)[0],
        };
        // 8, 2, 32 and 20 bits.
        let named = u64::from(record.body) << 34 | u64::from(record.kind) << 32 | u64::from(vertex);
        named << PLACE_BITS | u64::from(at)
    }

    /// A record in the world.
    fn contact(&self, record: &SoftRecord, body: &BodyTurn) -> SoftContact {
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        let BodyTurn { unit, rest, .. } = *body;
        let corners = |triangle: u32| self.mesh.triangles[triangle as usize];
        let of_order = |at: u32| self.mesh.clusters.order[at as usize];
        let [second, third] = record.weights;
        let weights = [1.0 - second - third, second, third];
        let (feature, vertices, weights, triangle) = match record.kind {
            0 => {
                let v = record.feature;
                (ContactFeature::Vertex, [v; 3], [1.0, 0.0, 0.0], u32::MAX)
            }
            1 => {
                let (triangle, from) = (of_order(record.feature / 3), record.feature as usize % 3);
                let to = (from + 1) % 3;
                let ends = [from, to].map(|k| (corners(triangle)[k], weights[k]));
                let [low, high] = match ends[0].0 <= ends[1].0 {
                    true => ends,
                    false => [ends[1], ends[0]],
                };
                let vertices = [low.0, high.0, high.0];
                (
                    ContactFeature::Edge,
                    vertices,
                    [low.1, high.1, 0.0],
                    triangle,
                )
            }
            _ => {
                let triangle = of_order(record.feature);
                (ContactFeature::Face, corners(triangle), weights, triangle)
            }
        };
        SoftContact {
            point: body.position + body.turn * (f64::from(unit) * vector(record.point)),
            normal: body.turn * vector(record.normal),
            separation: unit * record.distance - rest,
            bounds: [
                (unit * record.lower - rest).next_down(),
                (unit * record.upper - rest).next_up(),
            ],
            body: record.body,
            feature,
            vertices,
            weights,
            triangle,
        }
    }

    /// The force of the law on each vertex, added in the order of the contacts.
    fn forces(&self, contacts: &[SoftContact]) -> Result<Vec<Vec3>> {
        let law = &self.options.law;
        let vertices = self.mesh.vertices as usize;
        let mut sums: Vec<DVec3> = memory::with_room(vertices, "forces")?;
        sums.resize(vertices, DVec3::ZERO);
        for contact in contacts {
            let depth = f64::from(self.options.distance) - f64::from(contact.separation);
            let parts = || {
                let count = contact.feature as usize + 1;
                contact
                    .vertices
                    .into_iter()
                    .zip(contact.weights)
                    .take(count)
            };
            let velocity: DVec3 = match law.velocities.is_empty() {
                true => DVec3::ZERO,
                false => parts()
                    .map(|(v, weight)| f64::from(weight) * law.velocities[v as usize].as_dvec3())
                    .sum(),
            };
            let along = velocity.dot(contact.normal);
            // Equation 4; what is above the distance, or leaves fast enough, is not pulled back.
            let push = f64::from(law.stiffness) * depth - f64::from(law.damping) * along;
            let push = if depth > 0.0 { push.max(0.0) } else { 0.0 };
            let sliding = velocity - along * contact.normal;
            // Equation 5. What is less than a thousandth of the velocity may be rounding of the normal, and fades.
            let speed = sliding.length().max(1e-3 * velocity.length());
            let friction = match speed > 0.0 {
                true => sliding * (-f64::from(law.friction) * push / speed),
                false => DVec3::ZERO,
            };
            let force = push * contact.normal + friction;
            for (vertex, weight) in parts() {
                sums[vertex as usize] += f64::from(weight) * force;
            }
        }
        memory::collect(sums.iter().map(|sum| sum.as_vec3()), "forces")
    }
}
