//! Intersection volumes per vertex

use super::asking::{self, List, answer_part, write_numbers};
use super::batch::PrxTicket;
use super::boundary::on_context;
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxMesh, PrxPose, read_placed};
use super::status::PrxStatus;
use super::volume::{PrxLdiDef, read_ldi_def};
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::memory;
use crate::query::gradients::{Gradients, GradientsQuery};

/// Records how the volume that two closed meshes have in common changes as each of their vertices moves; read it by
/// prx_batch_intersection_gradients_result. Rays run along all three axes, whatever `def` says of them. Poses and `def` may be null.
/// No error is told: a vertex whose triangles are seen by few rays is as uncertain as these. prx_intersection_gradients gives exact ones with errors.
///
/// # Safety
/// Poses and `def` are null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection_gradients(
    batch: *mut PrxBatch,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxLdiDef,
    out_ticket: *mut PrxTicket,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        asking::record(batch, out_ticket, |context| {
            plan(context, (a, pose_a), (b, pose_b), def)
        })
    }
}

/// The answer of prx_batch_intersection_gradients for one of its meshes, 0 or 1: three numbers per vertex, in the world, in the order of the
/// vertices. Times a pressure it is the force on the vertex, outwards; a body gives way to it in the opposite direction.
/// `capacity` is in numbers; `*out_count` gets how many there are, also when that is too small.
///
/// # Safety
/// `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection_gradients_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    mesh: u32,
    out: *mut f32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let numbers = List::new(out, capacity, out_count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe {
        answer_part::<GradientsQuery, _, _>(batch, ticket, numbers, |gradients| {
            numbers_of(&gradients, mesh)
        })
    }
}

/// How the volume that two closed meshes have in common changes as each of their vertices moves: a batch of one. Poses and `def` may
/// be null. Of each mesh, three numbers per vertex, in the world; an output that is null is left out.
///
/// # Safety
/// Poses and `def` are null or valid; `out_a` and `out_b` are null or have room for three numbers per vertex of `a` and of `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_intersection_gradients(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxLdiDef,
    out_a: *mut f32,
    out_b: *mut f32,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        unsafe {
            let gradients = context.ask(plan(context, (a, pose_a), (b, pose_b), def)?)?;
            for (mesh, out) in [(0, out_a), (1, out_b)] {
                write_numbers(out, &numbers_of(&gradients, mesh)?);
            }
        }
        Ok(())
    })
}

/// # Safety
/// Poses and `def` are null or valid.
unsafe fn plan(
    context: &Context,
    (a, pose_a): (PrxMesh, *const PrxPose),
    (b, pose_b): (PrxMesh, *const PrxPose),
    def: *const PrxLdiDef,
) -> Result<GradientsQuery> {
    // SAFETY: by the caller's promise.
    let (a, b, asked) = unsafe {
        (
            read_placed(context, a, pose_a)?,
            read_placed(context, b, pose_b)?,
            read_ldi_def(def)?,
        )
    };
    GradientsQuery::plan(context.resources(), a, b, asked.options)
}

fn numbers_of(gradients: &Gradients, mesh: u32) -> Result<Vec<f32>> {
    let vectors = gradients.0.get(mesh as usize);
    let vectors = vectors.ok_or_else(|| invalid(format!("mesh is {mesh}; it must be 0 or 1")))?;
    let mut numbers = memory::with_room(3 * vectors.len(), "numbers")?;
    numbers.extend(vectors.iter().flat_map(|g| g.as_vec3().to_array()));
    Ok(numbers)
}
