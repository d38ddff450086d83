//! What can be asked about two bodies.

use crate::body::{Placed, ProxelBody};
use crate::device::{Outcome, check, filled};
use crate::native::{
    PRX_STATUS_BUFFER_TOO_SMALL, PRX_STATUS_UNSUPPORTED, PrxContact, PrxContactsDef, PrxContext,
    PrxDistance, PrxExactIntersection, PrxNearPair, PrxPenalty, PrxProximity, PrxStatus,
    prx_body_contacts, prx_contacts_def_default, prx_field_penalty, prx_field_proximity,
    prx_mesh_distance, prx_mesh_exact_intersection, prx_mesh_near, prx_near_def_default,
    prx_penalty_def_default,
};
use godot::prelude::*;
use std::ptr::{null, null_mut};

/// The most contacts before reduction that there can be room for.
const MOST_CONTACTS: u32 = 65_536;

/// How forces come from depth.
pub struct Springs {
    pub stiffness: f32,
    pub damping: f32,
    pub friction: f32,
}

/// Two bodies where they are now.
pub struct Two {
    pub a: Placed,
    pub b: Placed,
}

impl Two {
    pub fn new(a: &mut Gd<ProxelBody>, b: &mut Gd<ProxelBody>) -> Outcome<Self> {
        // One after the other: both may be one node.
        let first = a.bind_mut().placed()?;
        let second = b.bind_mut().placed()?;
        Ok(Self {
            a: first,
            b: second,
        })
    }

    pub fn contacts(&self, distance: f32, previous: &[PrxContact]) -> Outcome<Vec<PrxContact>> {
        // SAFETY: asks for nothing.
        let mut def = unsafe { prx_contacts_def_default() };
        def.distance = distance;
        list(self.a.context, |out, capacity, count| {
            let ask = |def: &PrxContactsDef| {
                // SAFETY: bodies and def are valid, `previous` has its length, `out` has the capacity.
                unsafe {
                    prx_body_contacts(
                        self.a.context,
                        &self.a.body,
                        &self.b.body,
                        def,
                        previous.as_ptr(),
                        previous.len() as u32,
                        null_mut(),
                        out,
                        capacity,
                        count,
                    )
                }
            };
            match ask(&def) {
                // Deep inside of each other small meshes can have more contacts than is expected of them.
                PRX_STATUS_UNSUPPORTED => ask(&PrxContactsDef {
                    budget: MOST_CONTACTS,
                    ..def
                }),
                status => status,
            }
        })
    }

    pub fn proximity(&self) -> Outcome<PrxProximity> {
        let (context, field) = (self.a.context, self.a.field("proximity")?);
        // SAFETY: the poses are valid, `out` is writable.
        filled(context, |out| unsafe {
            prx_field_proximity(
                context,
                field,
                &self.a.pose,
                self.b.mesh,
                &self.b.pose,
                null(),
                out,
            )
        })
    }

    pub fn penalty(&self, springs: &Springs) -> Outcome<PrxPenalty> {
        let (context, field) = (self.a.context, self.a.field("penalty")?);
        // SAFETY: asks for nothing.
        let mut def = unsafe { prx_penalty_def_default() };
        def.stiffness = springs.stiffness;
        def.damping = springs.damping;
        def.friction = springs.friction;
        // SAFETY: poses and def are valid, `out` is writable.
        filled(context, |out| unsafe {
            prx_field_penalty(
                context,
                field,
                &self.a.pose,
                self.b.mesh,
                &self.b.pose,
                &def,
                out,
            )
        })
    }

    pub fn distance(&self) -> Outcome<PrxDistance> {
        let context = self.a.context;
        // SAFETY: the poses are valid, `out` is writable.
        filled(context, |out| unsafe {
            prx_mesh_distance(
                context,
                self.a.mesh,
                &self.a.pose,
                self.b.mesh,
                &self.b.pose,
                null(),
                out,
            )
        })
    }

    pub fn volume(&self) -> Outcome<PrxExactIntersection> {
        let context = self.a.context;
        // SAFETY: the poses are valid, `out` is writable.
        filled(context, |out| unsafe {
            prx_mesh_exact_intersection(
                context,
                self.a.mesh,
                &self.a.pose,
                self.b.mesh,
                &self.b.pose,
                out,
            )
        })
    }

    pub fn near(&self, thickness: f64) -> Outcome<Vec<PrxNearPair>> {
        // SAFETY: asks for nothing.
        let mut def = unsafe { prx_near_def_default() };
        def.thickness = thickness;
        list(self.a.context, |out, capacity, count| {
            // SAFETY: poses and def are valid, `out` has the capacity.
            unsafe {
                prx_mesh_near(
                    self.a.context,
                    self.a.mesh,
                    &self.a.pose,
                    self.b.mesh,
                    &self.b.pose,
                    &def,
                    out,
                    capacity,
                    count,
                )
            }
        })
    }
}

/// A list of any length: where it is longer than was thought, the call is repeated with the room that it asks for.
fn list<T: Copy>(
    context: *mut PrxContext,
    call: impl Fn(*mut T, u64, *mut u64) -> PrxStatus,
) -> Outcome<Vec<T>> {
    let mut room = 64;
    loop {
        let (mut found, mut count) = (Vec::<T>::with_capacity(room), 0u64);
        match call(found.as_mut_ptr(), room as u64, &mut count) {
            PRX_STATUS_BUFFER_TOO_SMALL if count as usize > room => room = count as usize,
            status => {
                check(context, status)?;
                // SAFETY: a call that succeeds has written as many as it counts.
                unsafe { found.set_len(count as usize) };
                return Ok(found);
            }
        }
    }
}
