//! Impacts: all that meets while meshes move

use super::asking::{self, List};
use super::boundary::{Sized32, read_def_or};
use super::enumeration::EnumOf;
use super::exact::floats;
use super::handles::PrxContext;
use super::mesh::PrxMesh;
use super::status::PrxStatus;
use super::sweep::{PrxImpactKind, features_named, named_features};
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::geometry::continuous::impacts::{Features, Impact, MeetingRule};
use crate::query::sweep::{FreeStepQuery, ImpactsQuery, MeshStep};

/// What counts as an impact. Fill it by prx_impacts_def_default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxImpactsDef {
    /// Bytes of this struct.
    pub size: u32,
    /// 1 to report triangles that intersect at time 0 as impacts of kind PRX_IMPACT_KIND_START. Such triangles need not have
    /// features that meet: what is inside another body already may leave it unseen. Triangles with a common vertex are not compared.
    pub start_intersections: u32,
    /// Features that come this close, in mesh units, or closer meet. 0 when they have to touch.
    pub separation: f64,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxImpactsDef {
    const NAME: &'static str = "PrxImpactsDef";
    const FILLED_BY: &'static str = "impacts_def_default";
}

/// Two features that meet.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxFeatureImpact {
    /// What meets; never PRX_IMPACT_KIND_NONE.
    pub kind: EnumOf<PrxImpactKind>,
    /// What of `a` meets, see PrxImpactKind; unused places are PRX_NO_INDEX. Of an edge the lower vertex comes first.
    pub feature_a: [u32; 2],
    /// What of `b` meets.
    pub feature_b: [u32; 2],
    /// Unit direction from the feature of `a` to that of `b` just before they meet; zero for intersections at the start.
    pub normal: [f32; 3],
    /// From 0, the start, to 1, the end; never after the features first meet, and before it by at most 1e-3 of it or 1e-6.
    pub time: f64,
    /// The points that meet, by the share of each corner: 1 for the vertex and three shares of the face's corners in the order of the
    /// triangle, or two of the first edge and two of the second. All zero for intersections at the start.
    pub weights: [f64; 4],
}

/// A def for features that touch.
#[unsafe(no_mangle)]
pub extern "C" fn prx_impacts_def_default() -> PrxImpactsDef {
    PrxImpactsDef {
        size: size_of::<PrxImpactsDef>() as u32,
        start_intersections: 0,
        separation: 0.0,
    }
}

/// All pairs of a vertex and a face, and of two edges, one of each mesh, that meet while each vertex goes straight from its place
/// in `a0` (or `b0`) at time 0 to its place in `a1` (or `b1`) at time 1, each with its first time. They ascend by kind, then by
/// what meets. The two meshes of a pair have the same triangles; a mesh that stays is passed twice. `def` may be null.
///
/// None is missed, and a time is never too late. Coordinates are compared with about 30 digits: features that pass each other within
/// 1e-27 of their size and of how far they move count as meeting.
///
/// `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `def` is null or valid; `out` has room for `capacity` impacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_impacts(
    context: *mut PrxContext,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    def: *const PrxImpactsDef,
    out: *mut PrxFeatureImpact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let impacts = List::new(out, capacity, out_count, "impacts");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, impacts, |context| {
            plan_step(context, [a0, a1], Some([b0, b1]), def).map(ImpactsQuery)
        })
    }
}

/// All impacts of a mesh with itself, as by prx_mesh_impacts. Features with a common vertex are not compared. A vertex and a face
/// are of kind PRX_IMPACT_KIND_VERTEX_FACE; of two edges or triangles the lower comes first.
///
/// # Safety
/// `def` is null or valid; `out` has room for `capacity` impacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_impacts_self(
    context: *mut PrxContext,
    mesh0: PrxMesh,
    mesh1: PrxMesh,
    def: *const PrxImpactsDef,
    out: *mut PrxFeatureImpact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let impacts = List::new(out, capacity, out_count, "impacts");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, impacts, |context| {
            plan_step(context, [mesh0, mesh1], None, def).map(ImpactsQuery)
        })
    }
}

/// The largest part of a step, from 0 to 1, that is proved to be free of impacts between two meshes: the time of the earliest, or 1.
/// It ends earlier than it must by at most 1e-3 of it or 1e-6. Arguments are as for prx_mesh_impacts.
///
/// Positions that are rounded to floats at the end of a step may touch: ask with a separation of a few roundings.
///
/// # Safety
/// `def` is null or valid; `out_step` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_free_step(
    context: *mut PrxContext,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    def: *const PrxImpactsDef,
    out_step: *mut f64,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan =
            |context: &_| plan_step(context, [a0, a1], Some([b0, b1]), def).map(FreeStepQuery);
        asking::answer_exact_now(context, out_step, "out_step", plan, |step| *step)
    }
}

/// The largest part of a step that is proved to be free of impacts of a mesh with itself, as by prx_mesh_free_step.
///
/// # Safety
/// `def` is null or valid; `out_step` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_free_step_self(
    context: *mut PrxContext,
    mesh0: PrxMesh,
    mesh1: PrxMesh,
    def: *const PrxImpactsDef,
    out_step: *mut f64,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| plan_step(context, [mesh0, mesh1], None, def).map(FreeStepQuery);
        asking::answer_exact_now(context, out_step, "out_step", plan, |step| *step)
    }
}

/// Plans a step of two meshes, or without `b` of one that may meet itself.
///
/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn plan_step(
    context: &Context,
    a: [PrxMesh; 2],
    b: Option<[PrxMesh; 2]>,
    def: *const PrxImpactsDef,
) -> Result<MeshStep> {
    // SAFETY: by the caller's promise.
    let rule = unsafe { read_rule(def) }?;
    let ids = |way: [PrxMesh; 2]| way.map(|mesh| mesh.id);
    context.plan_step(ids(a), b.map(ids), rule)
}

/// # Safety
/// `def` is null or valid.
pub(super) unsafe fn read_rule(def: *const PrxImpactsDef) -> Result<MeetingRule> {
    // SAFETY: by the caller's promise.
    let def = unsafe { read_def_or(def, prx_impacts_def_default) }?;
    let start = match def.start_intersections {
        0 => false,
        1 => true,
        n => return Err(invalid(format!("start_intersections is {n}; it is 0 or 1"))),
    };
    Ok(MeetingRule {
        separation: def.separation,
        start,
    })
}

/// The features that an impact of an array names.
pub(super) fn features_of_impact(
    impact: &PrxFeatureImpact,
    array: &str,
    at: usize,
) -> Result<Features> {
    let ([a, _], [b, _]) = (impact.feature_a, impact.feature_b);
    let start = match impact.kind.read("kind") {
        Ok(PrxImpactKind::Start) => Some(Features::Start([a, b])),
        _ => None,
    };
    let named = start.or_else(|| features_named(impact.kind, impact.feature_a, impact.feature_b));
    named.ok_or_else(|| {
        invalid(format!(
            "{array}[{at}].kind is none that prx_mesh_impacts returns"
        ))
    })
}

impl From<Impact> for PrxFeatureImpact {
    fn from(impact: Impact) -> Self {
        let (kind, feature_a, feature_b): (PrxImpactKind, _, _) = named_features(impact.features);
        Self {
            kind: kind.into(),
            feature_a,
            feature_b,
            normal: floats(impact.normal),
            time: impact.time,
            weights: impact.weights,
        }
    }
}
