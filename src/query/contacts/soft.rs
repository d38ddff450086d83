//! Soft contacts: every vertex, edge and face of a deforming mesh that is within a distance of one or many fields, unreduced, for solvers
//! of cloth and soft bodies (Teschner et al. 2005, section 4: D(p) < epsilon, and edge centres too), and the forces of a penalty law on
//! its vertices.

mod forces;
mod records;

use super::Sampling;
use super::side::{ContactSide, PARTS, TOUCHING, WORD};
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
use bytemuck::Zeroable;
pub use forces::PenaltyLaw;
use glam::{DAffine3, Vec3};
pub use records::SoftContact;
use records::sort_features;
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

/// The most bodies of one query.
pub const MOST_BODIES: usize = 256;
/// The most contacts of one query.
pub const MOST_SOFT_CONTACTS: u32 = 1 << 20;

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
        mesh.check_single_precision(Self::NAME)?;
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
            .not_blank()
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
        let list = [LIST_HEAD as usize, size_of::<SoftRecord>()];
        place.collect_list(recorder, LIST, list);
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
        // A few at a time, because each of them is somewhere else in memory.
        let mut few = [SoftRecord::zeroed(); 16];
        for block in order.chunks(few.len()) {
            for (own, &at) in few.iter_mut().zip(block) {
                *own = record(at as usize);
            }
            for record in &few[..block.len()] {
                // Where the engine's positions are no numbers, there is no contact.
                if record.point.iter().all(|coordinate| coordinate.is_finite()) {
                    contacts.push(self.contact(record, &places[record.body as usize]));
                }
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
