//! Contacts of a pair of bodies: every local minimum of the signed distance over one surface in the field of the other, gathered to patches
//! and reduced to what a solver needs. Culling as in penalty; minima per triangle as in Macklin et al. 2020, "Local Optimization for
//! Robust Signed Distance Field Collision", section 3.

mod continuation;
mod manifold;
mod options;
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
use crate::geometry::rounding::widened;
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{ContactPatch, ContactsHead, RawContact};
use crate::memory::Gather;
use crate::query::body::ContactBody;
pub(super) use continuation::continue_manifold;
use glam::{DAffine3, Vec3};
pub use manifold::{Contact, ContactFeature, Manifold, ManifoldPatch};
pub use options::{
    ContactOptions, MOST_PATCHES, MOST_POINTS, MOST_PREVIOUS, MOST_RAW, PreviousContact, Sampling,
    USUAL_PATCHES, USUAL_POINTS,
};
use reduction::Reduction;
use side::ContactSide;
pub use side::SideStep;
use std::sync::Arc;

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
        // What rounding puts a little farther away is not missed.
        let rounding = self.sides.iter().map(ContactSide::rounding);
        f64::from(self.options.distance) + offsets + rounding.fold(0.0, f64::max)
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
                mesh.check_single_precision("an output of contacts")?;
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
        let [lower, upper] = widened([raw.lower, raw.upper], side.rounding());
        let turn = a.matrix();
        let [second, third] = raw.weights;
        Contact {
            point_a,
            point_b: into_b.transform_point3(beyond),
            world_a: a.position + turn * point_a,
            world_b: a.position + turn * beyond,
            normal: turn * normal,
            separation: raw.separation - rest,
            bounds: [lower - rest, upper - rest],
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

const _: () = assert!(size_of::<ContactsHead>() == 64);
