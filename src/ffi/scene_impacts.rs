//! Impacts of a scene: all that meets while its objects move

use super::asking::{self, List};
use super::boundary::read_array;
use super::exact::PRX_NO_INDEX;
use super::handles::PrxContext;
use super::impacts::{PrxFeatureImpact, PrxImpactsDef, read_rule};
use super::mesh::{PrxMesh, PrxPose};
use super::scene::{PrxObject, PrxScene};
use super::status::PrxStatus;
use super::sweep::PrxImpactKind;
use crate::context::Context;
use crate::context::scene_impacts::{NamedImpact, ObjectMove};
use crate::error::Result;
use crate::query::scene_impacts::{SceneFirstImpactQuery, SceneImpactsQuery, SceneStep};

/// Where an object goes in a step.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxObjectMove {
    /// The object.
    pub object: PrxObject,
    /// A mesh of the same triangles with the positions at the end of the step; zero for an object that keeps its shape.
    pub mesh: PrxMesh,
    /// Its pose at the end of the step.
    pub pose: PrxPose,
}

/// Two features of objects that meet.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxSceneImpact {
    /// The object in the earlier place: the `a` of the impact.
    pub object_a: PrxObject,
    /// The other object; the same for one that meets itself.
    pub object_b: PrxObject,
    /// What of them meets, and when.
    pub impact: PrxFeatureImpact,
}

/// All pairs of a vertex and a face, and of two edges, of two objects that meet in a step. At time 0 the objects are as the scene has
/// them, at time 1 where `moves` takes them; each vertex goes straight from its one place in the world to the other, and objects without a
/// move rest. Places in the world are rounded to floats; under poses without rotation and position they are exact. The scene stays as it is.
///
/// Objects are compared in pairs of which one at least has a move. An object whose move names a mesh deforms, and is compared with itself
/// too, as by prx_mesh_impacts_self. Impacts ascend by the places of the objects, then as those of prx_mesh_impacts, whose promises hold
/// for each pair. A straight way is not a turn: a body that turns far in a step shrinks on its way, so take short steps, or
/// prx_mesh_sweep_poses for two bodies.
///
/// `moves` points to `count` moves, at most PRX_MAX_COUNT and at most one of each object. `def` may be null.
/// `*out_count` gets the number of impacts, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `moves` points to `count` moves; `def` is null or valid; `out` has room for `capacity` impacts; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_impacts(
    context: *mut PrxContext,
    scene: PrxScene,
    moves: *const PrxObjectMove,
    count: u64,
    def: *const PrxImpactsDef,
    out: *mut PrxSceneImpact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let impacts = List::new(out, capacity, out_count, "impacts");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, impacts, |context| {
            plan_scene_step(context, scene, moves, count, def).map(SceneImpactsQuery)
        })
    }
}

/// The earliest impact of a scene, as prx_scene_impacts has it. Without one its kind is PRX_IMPACT_KIND_NONE, its objects are zero
/// and its time is 1: the time is always the part of the step that is proved to be free.
///
/// # Safety
/// `moves` points to `count` moves; `def` is null or valid; `out_impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_first_impact(
    context: *mut PrxContext,
    scene: PrxScene,
    moves: *const PrxObjectMove,
    count: u64,
    def: *const PrxImpactsDef,
    out_impact: *mut PrxSceneImpact,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| {
            plan_scene_step(context, scene, moves, count, def).map(SceneFirstImpactQuery)
        };
        asking::answer_exact_now(context, out_impact, "out_impact", plan, PrxSceneImpact::of)
    }
}

/// The largest part of a step, from 0 to 1, that is proved to be free of impacts of a scene's objects, as by prx_mesh_free_step; the
/// rest is as for prx_scene_impacts.
///
/// # Safety
/// `moves` points to `count` moves; `def` is null or valid; `out_step` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_free_step(
    context: *mut PrxContext,
    scene: PrxScene,
    moves: *const PrxObjectMove,
    count: u64,
    def: *const PrxImpactsDef,
    out_step: *mut f64,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        let plan = |context: &_| {
            plan_scene_step(context, scene, moves, count, def).map(SceneFirstImpactQuery)
        };
        asking::answer_exact_now(context, out_step, "out_step", plan, |first| {
            first.map_or(1.0, |first| first.impact.time)
        })
    }
}

/// Plans a step of a scene with the objects where they are now.
///
/// # Safety
/// `moves` is null or has `count` moves; `def` is null or valid.
pub(super) unsafe fn plan_scene_step(
    context: &Context,
    scene: PrxScene,
    moves: *const PrxObjectMove,
    count: u64,
    def: *const PrxImpactsDef,
) -> Result<SceneStep> {
    // SAFETY: by the caller's promise.
    let (moves, rule) = unsafe { (read_moves(moves, count)?, read_rule(def)?) };
    context.plan_scene_step(scene.id, &moves, rule)
}

/// # Safety
/// `moves` is null or has `count` moves.
unsafe fn read_moves(moves: *const PrxObjectMove, count: u64) -> Result<Vec<ObjectMove>> {
    // SAFETY: by the caller's promise.
    let moves = unsafe { read_array(moves, count, "moves") }?;
    let read = |step: PrxObjectMove| ObjectMove {
        object: step.object.id,
        mesh: Some(step.mesh.id).filter(|&id| id != 0),
        pose: step.pose.into(),
    };
    crate::memory::collect(moves.into_iter().map(read), "moves")
}

impl PrxSceneImpact {
    pub(super) fn of(first: &Option<NamedImpact>) -> Self {
        first.map_or_else(Self::none, Self::from)
    }

    fn none() -> Self {
        Self {
            object_a: PrxObject { id: 0 },
            object_b: PrxObject { id: 0 },
            impact: PrxFeatureImpact {
                kind: PrxImpactKind::None.into(),
                feature_a: [PRX_NO_INDEX; 2],
                feature_b: [PRX_NO_INDEX; 2],
                normal: [0.0; 3],
                time: 1.0,
                weights: [0.0; 4],
            },
        }
    }
}

impl From<NamedImpact> for PrxSceneImpact {
    fn from(named: NamedImpact) -> Self {
        let [object_a, object_b] = named.objects.map(|id| PrxObject { id });
        Self {
            object_a,
            object_b,
            impact: named.impact.into(),
        }
    }
}
