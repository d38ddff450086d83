//! Sweeps: the first contact of moving meshes

use super::asking;
use super::boundary::{Sized32, read_def_or};
use super::enumeration::{EnumOf, enumeration};
use super::exact::{PRX_NO_INDEX, floats};
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::Result;
use crate::geometry::continuous::impacts::{Features, Impact};
use crate::query::sweep::SweepQuery;

/// What meets first in a sweep.
#[repr(u32)]
#[derive(Debug, Clone, Copy)]
pub enum PrxImpactKind {
    /// Nothing.
    None = 0,
    /// Two triangles that intersect already at time 0: `feature_a[0]` of `a` and `feature_b[0]` of `b`.
    Start = 1,
    /// Vertex `feature_a[0]` of `a` and triangle `feature_b[0]` of `b`.
    VertexFace = 2,
    /// Triangle `feature_a[0]` of `a` and vertex `feature_b[0]` of `b`.
    FaceVertex = 3,
    /// The edge between the vertices feature_a of `a`, and that between the vertices feature_b of `b`.
    EdgeEdge = 4,
}
enumeration!(PrxImpactKind: None, Start, VertexFace, FaceVertex, EdgeEdge);

/// How to sweep. Fill it by prx_sweep_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxSweepDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// Features this close, in mesh units, or closer count as meeting. Negative for the default: 0, so that they have to touch; between
    /// poses a millionth of the longest side of the smaller mesh's box, because a turn is followed in steps that must not be endless.
    pub tolerance: f64,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxSweepDef {
    const NAME: &'static str = "PrxSweepDef";
    const FILLED_BY: &'static str = "sweep_def_default";
}

/// The first contact of a sweep.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxImpact {
    /// 1 when something meets; 0 is a proof that nothing touches between time 0 and 1.
    pub hit: u32,
    /// What meets.
    pub kind: EnumOf<PrxImpactKind>,
    /// From 0, the start, to 1, the end; never after the true first contact. Infinity without a hit.
    pub time: f64,
    /// What of `a` meets, see PrxImpactKind; unused places are PRX_NO_INDEX.
    pub feature_a: [u32; 2],
    /// What of `b` meets.
    pub feature_b: [u32; 2],
    /// The nearest point of that feature of `a` at that time.
    pub point_a: [f32; 3],
    /// The nearest point of that feature of `b` at that time.
    pub point_b: [f32; 3],
}

/// A def with the default tolerance.
#[unsafe(no_mangle)]
pub extern "C" fn prx_sweep_def_default() -> PrxSweepDef {
    PrxSweepDef {
        size: size_of::<PrxSweepDef>() as u32,
        reserved: 0,
        tolerance: -1.0,
    }
}

/// The first contact of two meshes while each vertex goes straight from its place in `a0` (or `b0`) at time 0 to its place
/// in `a1` (or `b1`) at time 1. The two meshes of a pair have the same triangles. `def` may be null for the default. Positions
/// are in the world as they are; a mesh that stays is passed twice. An `a` that is inside `b` from the start does not touch.
///
/// # Safety
/// `def` is null or valid; `out_impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_sweep(
    context: *mut PrxContext,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    def: *const PrxSweepDef,
    out_impact: *mut PrxImpact,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| plan_sweep(context, [a0, a1], Some([b0, b1]), def);
        asking::answer_exact_now(context, out_impact, "out_impact", plan, describe)
    }
}

/// The first contact of a mesh with itself while each vertex goes straight from its place in `mesh0` to its place in `mesh1`,
/// which have the same triangles. Features with a common vertex are not compared. Both sides of the answer are of the one
/// mesh. `def` may be null for the default.
///
/// # Safety
/// `def` is null or valid; `out_impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_sweep_self(
    context: *mut PrxContext,
    mesh0: PrxMesh,
    mesh1: PrxMesh,
    def: *const PrxSweepDef,
    out_impact: *mut PrxImpact,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| plan_sweep(context, [mesh0, mesh1], None, def);
        asking::answer_exact_now(context, out_impact, "out_impact", plan, describe)
    }
}

/// The first contact of two rigid meshes that move from one pose to another. `a` goes from `from_a` to `to_a` on a screw: a turn
/// about an axis and a slide along it, at constant speed. As seen from `a`, `b` goes on a screw too, from where `from_b`
/// puts it to where `to_b` does. `def` may be null for the default, poses for the identity. Points are in the world.
///
/// # Safety
/// Poses are null or valid; `def` is null or valid; `out_impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_sweep_poses(
    context: *mut PrxContext,
    a: PrxMesh,
    from_a: *const PrxPose,
    to_a: *const PrxPose,
    b: PrxMesh,
    from_b: *const PrxPose,
    to_b: *const PrxPose,
    def: *const PrxSweepDef,
    out_impact: *mut PrxImpact,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let ways = [[from_a, to_a], [from_b, to_b]];
        let plan = |context: &_| plan_sweep_poses(context, [a, b], ways, def);
        asking::answer_exact_now(context, out_impact, "out_impact", plan, describe)
    }
}

/// Plans the first contact of two meshes, or without `b` of one with itself.
///
/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn plan_sweep(
    context: &Context,
    a: [PrxMesh; 2],
    b: Option<[PrxMesh; 2]>,
    def: *const PrxSweepDef,
) -> Result<SweepQuery> {
    // SAFETY: by the caller's promise.
    let tolerance = unsafe { read_tolerance(def) }?;
    let ids = |way: [PrxMesh; 2]| way.map(|mesh| mesh.id);
    context.plan_sweep(ids(a), b.map(ids), tolerance)
}

/// Plans the first contact of two rigid meshes, each on its way from a pose to another.
///
/// # Safety
/// Poses are null or valid; `def` is null or valid.
pub(super) unsafe fn plan_sweep_poses(
    context: &Context,
    [a, b]: [PrxMesh; 2],
    ways: [[*const PrxPose; 2]; 2],
    def: *const PrxSweepDef,
) -> Result<SweepQuery> {
    // SAFETY: by the caller's promise.
    let (tolerance, [way_a, way_b]) = unsafe {
        let ways = ways.map(|way| way.map(|pose| read_pose(pose)));
        (read_tolerance(def)?, ways)
    };
    context.plan_sweep_poses((a.id, way_a), (b.id, way_b), tolerance)
}

/// The tolerance of a def, or none for what follows from the meshes.
///
/// # Safety
/// `def` is null or valid.
unsafe fn read_tolerance(def: *const PrxSweepDef) -> Result<Option<f64>> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_sweep_def_default) }?;
    Ok(Some(def.tolerance).filter(|&t| t >= 0.0 || t.is_nan()))
}

pub(super) fn describe(impact: &Option<Impact>) -> PrxImpact {
    let Some(impact) = *impact else {
        return PrxImpact {
            hit: 0,
            kind: PrxImpactKind::None.into(),
            time: f64::INFINITY,
            feature_a: [PRX_NO_INDEX; 2],
            feature_b: [PRX_NO_INDEX; 2],
            point_a: [0.0; 3],
            point_b: [0.0; 3],
        };
    };
    let (kind, feature_a, feature_b) = named_features(impact.features);
    PrxImpact {
        hit: 1,
        kind: kind.into(),
        time: impact.time,
        feature_a,
        feature_b,
        point_a: floats(impact.points[0]),
        point_b: floats(impact.points[1]),
    }
}

/// Two features as callers name them; none where the kind is another.
pub(super) fn features_named(
    kind: EnumOf<PrxImpactKind>,
    feature_a: [u32; 2],
    feature_b: [u32; 2],
) -> Option<Features> {
    let edge = |[u, v]: [u32; 2]| [u.min(v), u.max(v)];
    let ([a, _], [b, _]) = (feature_a, feature_b);
    match kind.read("kind") {
        Ok(PrxImpactKind::VertexFace) => Some(Features::VertexFace(a, b)),
        Ok(PrxImpactKind::FaceVertex) => Some(Features::FaceVertex(a, b)),
        Ok(PrxImpactKind::EdgeEdge) => Some(Features::EdgeEdge(edge(feature_a), edge(feature_b))),
        _ => None,
    }
}

/// The kind of what meets, and what of each mesh it is.
pub(super) fn named_features(features: Features) -> (PrxImpactKind, [u32; 2], [u32; 2]) {
    let one = |index| [index, PRX_NO_INDEX];
    match features {
        Features::Start([i, j]) => (PrxImpactKind::Start, one(i), one(j)),
        Features::VertexFace(v, f) => (PrxImpactKind::VertexFace, one(v), one(f)),
        Features::FaceVertex(f, v) => (PrxImpactKind::FaceVertex, one(f), one(v)),
        Features::EdgeEdge(e, f) => (PrxImpactKind::EdgeEdge, e, f),
    }
}
