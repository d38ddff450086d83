//! Objects of a scene, and which of them are close
//!
//! A scene holds objects, each a mesh under a pose, and finds the pairs of them that are close from one frame to the next.

use super::asking::{List, ask_context, list_context};
use super::boundary::{on_context, read_array};
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use crate::context::scenes::NamedPair;

/// Names a scene: objects and their places. Zero is null; the id of a destroyed scene is refused.
///
/// Threads: calls may come from any thread; calls on one scene take turns.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxScene {
    /// The id; zero is null.
    pub id: u64,
}

/// Names an object of a scene. Zero is null; the id of a removed object is refused, as is one of another scene.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxObject {
    /// The id; zero is null.
    pub id: u64,
}

/// Two objects of a scene.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxObjectPair {
    /// The one in the earlier place.
    pub first: PrxObject,
    /// The other.
    pub second: PrxObject,
}

/// Two triangles of two objects that meet or are near each other.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxScenePair {
    /// The object in the earlier place.
    pub object_a: PrxObject,
    /// The other object.
    pub object_b: PrxObject,
    /// The triangle of `object_a`.
    pub triangle_a: u32,
    /// The triangle of `object_b`.
    pub triangle_b: u32,
    /// Their distance, in mesh units; 0 exactly when they share a point.
    pub distance: f64,
    /// Two points in the world, as in PrxPair.
    pub segment: [[f32; 3]; 2],
}

/// Creates an empty scene.
///
/// # Safety
/// `out_scene` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_create(
    context: *mut PrxContext,
    out_scene: *mut PrxScene,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_scene, "out_scene", |context| {
            Ok(PrxScene {
                id: context.create_scene()?,
            })
        })
    }
}

/// Destroys a scene and its objects. Their meshes stay.
#[unsafe(no_mangle)]
pub extern "C" fn prx_scene_destroy(context: *mut PrxContext, scene: PrxScene) -> PrxStatus {
    on_context(context, |context| context.destroy_scene(scene.id))
}

/// Places a mesh in a scene. Any number of objects may share a mesh, and the object keeps it: prx_mesh_update moves
/// its triangles, prx_mesh_destroy takes only the name. `pose` may be null for the identity.
///
/// An object has a place in the scene's order: the next one, or that of an object that was removed.
///
/// # Safety
/// `pose` is null or valid; `out_object` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_add(
    context: *mut PrxContext,
    scene: PrxScene,
    mesh: PrxMesh,
    pose: *const PrxPose,
    out_object: *mut PrxObject,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_object, "out_object", |context| {
            let id = context.add_object(scene.id, mesh.id, read_pose(pose))?;
            Ok(PrxObject { id })
        })
    }
}

/// Moves `count` objects, at most PRX_MAX_COUNT, to the poses of the same numbers. All move, or, when an object or a pose is refused, none.
///
/// # Safety
/// `objects` points to `count` objects, `poses` to as many poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_move(
    context: *mut PrxContext,
    scene: PrxScene,
    objects: *const PrxObject,
    poses: *const PrxPose,
    count: u64,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let (ids, poses) = unsafe {
            (
                // An object is its id and nothing else.
                read_array(objects.cast::<u64>(), count, "objects")?,
                read_array(poses, count, "poses")?,
            )
        };
        context.move_objects(scene.id, &ids, &poses)
    })
}

/// Takes an object out of its scene.
#[unsafe(no_mangle)]
pub extern "C" fn prx_scene_remove(
    context: *mut PrxContext,
    scene: PrxScene,
    object: PrxObject,
) -> PrxStatus {
    on_context(context, |context| {
        context.remove_object(scene.id, object.id)
    })
}

/// All pairs of objects whose boxes are at most `distance` apart on every axis; 0 for boxes that share a point. Ascending by
/// the places of the objects. Boxes hold their objects and are a little larger than need be: this is the broad phase, and
/// no pair of objects that are at most `distance` apart is missed.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_object_pairs(
    context: *mut PrxContext,
    scene: PrxScene,
    distance: f64,
    out: *mut PrxObjectPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, pairs, |context| {
            context.object_pairs(scene.id, distance, capacity)
        })
    }
}

/// All pairs of triangles of two different objects that are at most `distance` apart; 0 for those that share a point. Ascending
/// by the places of the objects, then by triangle. What counts is as for prx_mesh_pairs, and for every pair of objects the list
/// is the one that prx_mesh_pairs gives.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_scene_pairs(
    context: *mut PrxContext,
    scene: PrxScene,
    distance: f64,
    out: *mut PrxScenePair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, pairs, |context| {
            context.scene_pairs(scene.id, distance, capacity)
        })
    }
}

impl From<[u64; 2]> for PrxObjectPair {
    fn from([first, second]: [u64; 2]) -> Self {
        Self {
            first: PrxObject { id: first },
            second: PrxObject { id: second },
        }
    }
}

impl From<NamedPair> for PrxScenePair {
    fn from(named: NamedPair) -> Self {
        let pair = named.found.pair;
        Self {
            object_a: PrxObject {
                id: named.objects[0],
            },
            object_b: PrxObject {
                id: named.objects[1],
            },
            triangle_a: pair.triangles[0],
            triangle_b: pair.triangles[1],
            distance: pair.distance,
            segment: pair.segment.map(|p| p.as_vec3().to_array()),
        }
    }
}
