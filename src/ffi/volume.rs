//! Layered depth images: intersection volumes
//!
//! Parallel rays are shot through closed meshes; every crossing is kept. From them come the volume that two meshes have in common with
//! its derivatives, which points are inside, and where a mesh overlaps itself.

use super::asking::{self, Out, ask_batch, ask_context};
use super::batch::PrxTicket;
use super::boundary::{Sized32, read_def_or};
use super::enumeration::{EnumOf, enumeration};
use super::handles::{PrxBatch, PrxContext};
use super::mesh::{PrxBounds, PrxMesh, PrxPose, read_placed};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Error, Result, invalid};
use crate::geometry::rounding::{round_down, round_up};
use crate::query::ldi::{Generator, LdiOptions, RayResolution, Rays};
use crate::query::volume::{IntersectionVolume, VolumeQuery};
use glam::DVec3;

/// Which way the rays of a layered depth image run.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxRays {
    /// Along the axis of the world on which they are shortest.
    Best = 0,
    /// Along x.
    X = 1,
    /// Along y.
    Y = 2,
    /// Along z.
    Z = 3,
    /// Along all three, for volumes: estimates are averaged, and the certificate is what all three allow.
    All = 4,
}
enumeration!(PrxRays: Best, X, Y, Z, All);

/// How the crossings of rays and triangles are found. The answers have the same bits.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxGenerator {
    /// Kernels scan triangles.
    Compute = 0,
    /// Fragments of one pass write lists; for devices with fragmentStoresAndAtomics. For comparison.
    Lists = 1,
    /// One pass per layer, which the stencil selects; for fewer than 64 layers. For comparison.
    Stencil = 2,
}
enumeration!(PrxGenerator: Compute, Lists, Stencil);

/// The meshes are known to be closed: triangles beyond the volume of interest are left out, and flaws are not looked for.
pub const PRX_LDI_TRUSTED: u32 = 1;
/// Points near the surface are decided exactly, on the CPU; for prx_mesh_contains.
pub const PRX_LDI_EXACT: u32 = 2;
/// `lower` and `upper` of a volume are narrowed by integrating the triangles of both meshes: ten to thirty times with 128 by 128 rays, for two to
/// five times the work. For meshes that wind around what they enclose once.
pub const PRX_LDI_NARROW: u32 = 4;
/// For containment in a mesh without PRX_MESH_DEFORMING: prx_mesh_contains keeps the image with the mesh, in the mesh's own frame, and uses it again in any
/// pose; one image per mesh, that of the last def. prx_batch_contains uses it where there is one that was made by the same def. Rays run along axes of the
/// mesh then.
pub const PRX_LDI_KEPT: u32 = 8;

/// How a layered depth image is made: parallel rays through a mesh. Fill it by prx_ldi_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxLdiDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Rays along each side of the volume of interest, 1 to 2048; 0 to go by `cell_size`.
    pub resolution: u32,
    /// Distance of neighbouring rays, in mesh units, when `resolution` is 0.
    pub cell_size: f32,
    /// Along which axes the rays go.
    pub rays: EnumOf<PrxRays>,
    /// PRX_LDI_* bits.
    pub flags: u32,
    /// How crossings are found.
    pub generator: EnumOf<PrxGenerator>,
    /// Device memory in bytes, at most; 0 for what meshes of ordinary depth complexity need. A query that needs more answers
    /// PRX_STATUS_BUFFER_TOO_SMALL and how much.
    pub memory: u64,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxLdiDef {
    const NAME: &'static str = "PrxLdiDef";
    const FILLED_BY: &'static str = "ldi_def_default";
}

/// What two closed meshes have in common. Lengths and places are in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxIntersectionVolume {
    /// The volume.
    pub volume: f64,
    /// The exact volume is no less, if no ray is flawed. With flawed rays, the least that any axis gives; never above `upper`.
    pub lower: f64,
    /// The exact volume is no more, if no ray is flawed. With flawed rays, the most that any axis gives.
    pub upper: f64,
    /// Its centre; zero when there is none.
    pub centroid: [f64; 3],
    /// How far the exact centre can be from `centroid`, if no ray is flawed; infinite when there may be no volume. As wide as the bins: halves with each
    /// doubling of the resolution, also with PRX_LDI_NARROW.
    pub centroid_error: f64,
    /// Change of the volume per length as `a` moves: the integral of the outward normal over the part of its surface that is inside
    /// `b`. A pressure p between the bodies pushes `a` by -p times this. Rays give no bound on its error, nor on the torques': where faces of both meshes lie in one plane,
    /// it changes by all of their area within any distance. prx_mesh_exact_intersection gives both with theirs.
    pub gradient_a: [f64; 3],
    /// Change of the volume per radian as `a` turns about its pose's position.
    pub torque_a: [f64; 3],
    /// Change of the volume per length as `b` moves: the opposite of `gradient_a`.
    pub gradient_b: [f64; 3],
    /// Change of the volume per radian as `b` turns about its pose's position.
    pub torque_b: [f64; 3],
    /// Length of the longest stretch of a ray inside both.
    pub deepest: f64,
    /// Its ends.
    pub deepest_span: [[f32; 3]; 2],
    /// A box that holds the whole intersection; zero when there is none.
    pub bounds: PrxBounds,
    /// Rays on which the crossings with `a` do not tell inside from outside: it is open there, not manifold, not consistently
    /// oriented, or overlaps itself. With any, the certificate does not hold.
    pub flawed_a: u32,
    /// The same for `b`.
    pub flawed_b: u32,
    /// Crossings of a ray with `a`, at most.
    pub layers_a: u32,
    /// Crossings of a ray with `b`, at most.
    pub layers_b: u32,
    /// Rays through the volume of interest; 0 when the boxes of the meshes are apart.
    pub rays: u64,
    /// The axis of the rays: 0, 1 or 2. With all three, that of the deepest.
    pub axis: u32,
    /// Reserved.
    pub reserved: u32,
}

/// 128 by 128 rays along the best axis, nothing trusted, memory as usual.
#[unsafe(no_mangle)]
pub extern "C" fn prx_ldi_def_default() -> PrxLdiDef {
    PrxLdiDef {
        size: size_of::<PrxLdiDef>() as u32,
        resolution: 128,
        cell_size: 0.0,
        rays: PrxRays::Best.into(),
        flags: 0,
        generator: PrxGenerator::Compute.into(),
        memory: 0,
    }
}

/// Records the volume that two closed meshes have in common; read it by prx_batch_intersection_volume_result. Poses and `def` may be null.
///
/// # Safety
/// Poses and `def` are null or valid; `out_ticket` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection_volume(
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
            plan_volume(context, (a, pose_a), (b, pose_b), def)
        })
    }
}

/// The answer of prx_batch_intersection_volume. `out_memory` may be null; it gets the bytes needed when PrxLdiDef.memory was too small.
///
/// # Safety
/// `out_volume` is writable; `out_memory` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_batch_intersection_volume_result(
    batch: *mut PrxBatch,
    ticket: PrxTicket,
    out_volume: *mut PrxIntersectionVolume,
    out_memory: *mut u64,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_batch(batch, out_volume, "out_volume", |_, batch| {
            let answer = batch.answer(ticket.of::<VolumeQuery>());
            tell_memory(&answer, out_memory);
            answer
        })
    }
}

/// The volume that two closed meshes have in common: a batch of one. Poses and `def` may be null.
///
/// # Safety
/// Poses and `def` are null or valid; `out_volume` is writable; `out_memory` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_intersection_volume(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxLdiDef,
    out_volume: *mut PrxIntersectionVolume,
    out_memory: *mut u64,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_volume, "out_volume", |context| {
            let query = plan_volume(context, (a, pose_a), (b, pose_b), def);
            let answer = query.and_then(|query| context.ask(query));
            tell_memory(&answer, out_memory);
            answer
        })
    }
}

/// # Safety
/// Poses and `def` are null or valid.
unsafe fn plan_volume(
    context: &Context,
    (a, pose_a): (PrxMesh, *const PrxPose),
    (b, pose_b): (PrxMesh, *const PrxPose),
    def: *const PrxLdiDef,
) -> Result<VolumeQuery> {
    // SAFETY: by the caller's promise.
    let (a, b, asked) = unsafe {
        (
            read_placed(context, a, pose_a)?,
            read_placed(context, b, pose_b)?,
            read_ldi_def(def)?,
        )
    };
    VolumeQuery::plan(context.resources(), a, b, asked.options)
}

/// What a def asks for.
pub(super) struct VolumeRequest {
    pub(super) options: LdiOptions,
    pub(super) exact: bool,
}

/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn read_ldi_def(def: *const PrxLdiDef) -> Result<VolumeRequest> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_ldi_def_default) }?;
    let rays = match def.rays.read("rays")? {
        PrxRays::Best => Rays::Best,
        PrxRays::X => Rays::Along(0),
        PrxRays::Y => Rays::Along(1),
        PrxRays::Z => Rays::Along(2),
        PrxRays::All => Rays::All,
    };
    let generator = match def.generator.read("generator")? {
        PrxGenerator::Compute => Generator::Compute,
        PrxGenerator::Lists => Generator::Lists,
        PrxGenerator::Stencil => Generator::Stencil,
    };
    if def.flags & !(PRX_LDI_TRUSTED | PRX_LDI_EXACT | PRX_LDI_NARROW | PRX_LDI_KEPT) != 0 {
        return Err(invalid(format!(
            "flags is {:#x}; it may have PRX_LDI_TRUSTED, PRX_LDI_EXACT, PRX_LDI_NARROW and PRX_LDI_KEPT",
            def.flags
        )));
    }
    let resolution = match def.resolution {
        0 => RayResolution::CellSize(def.cell_size),
        side => RayResolution::Pixels(side),
    };
    Ok(VolumeRequest {
        options: LdiOptions {
            resolution,
            rays,
            generator,
            trusted: def.flags & PRX_LDI_TRUSTED != 0,
            narrow: def.flags & PRX_LDI_NARROW != 0,
            kept: def.flags & PRX_LDI_KEPT != 0,
            memory: def.memory,
        },
        exact: def.flags & PRX_LDI_EXACT != 0,
    })
}

/// # Safety
/// `out` is null or writable.
unsafe fn tell_memory<T>(answer: &Result<T>, out: *mut u64) {
    if let (Err(Error::BufferTooSmall { needed, .. }), Some(out)) = (answer, Out::optional(out)) {
        // SAFETY: by the caller's promise.
        unsafe { out.write(*needed) };
    }
}

impl From<IntersectionVolume> for PrxIntersectionVolume {
    fn from(v: IntersectionVolume) -> Self {
        let floats = |p: DVec3| p.as_vec3().to_array();
        Self {
            volume: v.volume,
            lower: v.lower,
            upper: v.upper,
            centroid: v.centroid.to_array(),
            centroid_error: v.centroid_error,
            gradient_a: v.gradient.to_array(),
            torque_a: v.torque[0].to_array(),
            gradient_b: (-v.gradient).to_array(),
            torque_b: v.torque[1].to_array(),
            deepest: v.deepest,
            deepest_span: v.deepest_span.map(floats),
            bounds: PrxBounds {
                min: v.min.to_array().map(round_down),
                max: v.max.to_array().map(round_up),
            },
            flawed_a: v.flawed[0],
            flawed_b: v.flawed[1],
            layers_a: v.layers[0],
            layers_b: v.layers[1],
            rays: v.rays,
            axis: v.axis,
            reserved: 0,
        }
    }
}
