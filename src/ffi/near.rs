//! Near lists: all that is closer than a thickness
//!
//! For solvers of cloth and soft bodies: each vertex with each face, and each edge with each edge, that is closer than a thickness, with
//! weights, distance and direction. A triangle that names a vertex twice is an edge without a face, as of a rope; one that names it three
//! times is a loose vertex, as of particles. Both are compared as faces are.

use super::asking::{self, List, write_numbers};
use super::boundary::{Sized32, on_context, read_array, read_def, read_long_array};
use super::enumeration::{EnumOf, enumeration};
use super::handles::PrxContext;
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::status::PrxStatus;
use super::sweep::{PrxImpactKind, features_named, named_features};
use crate::context::Context;
use crate::error::{Result, invalid};
use crate::geometry::continuous::impacts::Features;
use crate::geometry::near::{FeaturePair, NearRegion};
use crate::memory;
use crate::query::near::{NearRequest, NearSide};
use crate::query::near_query::{NearMeshes, NearQuery, SafeDistancesQuery};

/// Which part of a feature a nearest point is on. That of a lone vertex is always PRX_NEAR_REGION_VERTEX0, and an edge has
/// PRX_NEAR_REGION_VERTEX0, PRX_NEAR_REGION_VERTEX1 and PRX_NEAR_REGION_EDGE01.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrxNearRegion {
    /// The first corner.
    Vertex0 = 0,
    /// The second corner.
    Vertex1 = 1,
    /// The third corner.
    Vertex2 = 2,
    /// Between the first and the second corner.
    Edge01 = 3,
    /// Between the second and the third corner.
    Edge12 = 4,
    /// Between the third and the first corner.
    Edge20 = 5,
    /// Inside of the face.
    Face = 6,
}
enumeration!(PrxNearRegion: Vertex0, Vertex1, Vertex2, Edge01, Edge12, Edge20, Face);

/// Which vertices of near pairs are meant.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrxNearSide {
    /// Those of `a`.
    A = 0,
    /// Those of `b`.
    B = 1,
    /// All, of a list of a mesh with itself.
    Both = 2,
}
enumeration!(PrxNearSide: A, B, Both);

/// Two features that are closer than the thickness.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxNearPair {
    /// Vertex and face, face and vertex, or two edges.
    pub kind: EnumOf<PrxImpactKind>,
    /// What of `a` is near: the index of a vertex or triangle and PRX_NO_INDEX, or the two vertices of an edge, the lower first.
    pub feature_a: [u32; 2],
    /// What of `b` is near.
    pub feature_b: [u32; 2],
    /// Where on the feature of `a` the nearest point is.
    pub region_a: EnumOf<PrxNearRegion>,
    /// Where on the feature of `b` the nearest point is.
    pub region_b: EnumOf<PrxNearRegion>,
    /// With PrxNearDef.mark_repeats: 1 when a pair before it in the list has its nearest points on the same two vertices, or on the same
    /// vertex and edge. A barrier that counts only pairs with 0 counts nothing twice.
    pub repeats: u32,
    /// Unit direction from the nearest point of `a` to that of `b`, in the world; zero where they touch.
    pub direction: [f32; 3],
    /// Reserved.
    pub reserved: u32,
    /// How far they are apart, in mesh units.
    pub distance: f64,
    /// The nearest points, by the share of each corner: 1 for the vertex and three shares of the face's corners in the order of the
    /// triangle, or two of the first edge and two of the second.
    pub weights: [f64; 4],
}

/// Which pairs are near. Fill it by prx_near_def_default and set `thickness`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxNearDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Of a mesh with itself: features are left out when at most so many edges lead from one to the other, from 0 to 16. Features with
    /// a common vertex are always left out. 0 between two meshes.
    pub rings: u32,
    /// 1 to fill PrxNearPair.repeats, which takes another sort.
    pub mark_repeats: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// Features closer than this, in mesh units, are near.
    pub thickness: f64,
    /// One thickness per vertex of `a`, or null. Features are near when they are closer than the mean of both thicknesses, which are
    /// interpolated at the nearest points.
    pub thickness_a: *const f32,
    /// How many there are: as many as `a` has vertices, or 0.
    pub thickness_a_count: u64,
    /// One thickness per vertex of `b`, or null.
    pub thickness_b: *const f32,
    /// How many there are: as many as `b` has vertices, or 0.
    pub thickness_b_count: u64,
    /// Bits per vertex of `a`, or null. A pair is left out when all of its corners have one bit in common: vertices of a group do
    /// not see each other.
    pub groups_a: *const u32,
    /// How many there are: as many as `a` has vertices, or 0.
    pub groups_a_count: u64,
    /// Bits per vertex of `b`, or null.
    pub groups_b: *const u32,
    /// How many there are: as many as `b` has vertices, or 0.
    pub groups_b_count: u64,
    /// Pairs that are left out, or null: `kind`, `feature_a` and `feature_b` are read, so a list that was returned can be passed back.
    pub excluded: *const PrxNearPair,
    /// How many there are.
    pub excluded_count: u64,
    /// Of a mesh with itself: another with the same triangles, or null. Pairs that are closer than the thickness there are left out.
    pub rest: PrxMesh,
}

// SAFETY: repr(C), size first, numbers and pointers only.
unsafe impl Sized32 for PrxNearDef {
    const NAME: &'static str = "PrxNearDef";
    const FILLED_BY: &'static str = "near_def_default";
}

/// A def with a thickness of 0, which nothing is closer than: set it.
#[unsafe(no_mangle)]
pub extern "C" fn prx_near_def_default() -> PrxNearDef {
    PrxNearDef {
        size: size_of::<PrxNearDef>() as u32,
        rings: 0,
        mark_repeats: 0,
        reserved: 0,
        thickness: 0.0,
        thickness_a: std::ptr::null(),
        thickness_a_count: 0,
        thickness_b: std::ptr::null(),
        thickness_b_count: 0,
        groups_a: std::ptr::null(),
        groups_a_count: 0,
        groups_b: std::ptr::null(),
        groups_b_count: 0,
        excluded: std::ptr::null(),
        excluded_count: 0,
        rest: PrxMesh { id: 0 },
    }
}

/// All pairs of a vertex and a face, and of two edges, one of each mesh as they are now, that are closer than the thickness of `def`. They
/// ascend by kind, then by feature of `a`, then of `b`; each is there once. Poses may be null.
///
/// Distances are measured in double precision between the positions as they are, `b` moved into the frame of `a` as for
/// prx_mesh_distance. Threads do not change the answer.
///
/// `*out_count` gets the number of pairs, also when `capacity` is too small; nothing else is written then. Memory is in the
/// order of `capacity`.
///
/// # Safety
/// Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity`
/// pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_near(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxNearDef,
    out: *mut PrxNearPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, pairs, |context| {
            let bodies = plan_two(context, [a, b], [pose_a, pose_b], def)?;
            Ok(NearQuery::plan(bodies, capacity))
        })
    }
}

/// All near pairs of a mesh with itself, as by prx_mesh_near; features with a common vertex are not compared. A vertex and a face are of
/// kind PRX_IMPACT_KIND_VERTEX_FACE; of two edges the lower comes first. Arrays for `b` in `def` must be null.
///
/// # Safety
/// `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity` pairs; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_near_self(
    context: *mut PrxContext,
    mesh: PrxMesh,
    def: *const PrxNearDef,
    out: *mut PrxNearPair,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let pairs = List::new(out, capacity, out_count, "pairs");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, pairs, |context| {
            Ok(NearQuery::plan(plan_one(context, mesh, def)?, capacity))
        })
    }
}

/// How far each vertex may move so that no near pair comes as close as `separation`: for solvers that step vertices independently. Whatever
/// direction each vertex takes, and if all go as far as they may, all pairs of features that prx_mesh_near compares stay apart. It
/// is half of what the nearest pair that the vertex is a corner of is apart beyond the separation, at most half of what the
/// thickness is. One number per vertex of `a`, then one per vertex of `b`, in mesh units.
///
/// The thickness must be one for all vertices. Pairs that `def` leaves out are not looked at. `*out_count` gets the number of vertices,
/// also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// Each pose is null or valid; `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity`
/// numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_safe_distances(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    def: *const PrxNearDef,
    separation: f64,
    out: *mut f64,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let numbers = List::new(out, capacity, out_count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, numbers, |context| {
            let bodies = plan_two(context, [a, b], [pose_a, pose_b], def)?;
            SafeDistancesQuery::plan(bodies, separation)
        })
    }
}

/// How far each vertex of a mesh may move so that no near pair of the mesh with itself comes as close as `separation`, as by
/// prx_mesh_safe_distances.
///
/// # Safety
/// `def` is valid, and its arrays have as many values as their counts say; `out` has room for `capacity` numbers; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_safe_distances_self(
    context: *mut PrxContext,
    mesh: PrxMesh,
    def: *const PrxNearDef,
    separation: f64,
    out: *mut f64,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let numbers = List::new(out, capacity, out_count, "numbers");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, numbers, |context| {
            SafeDistancesQuery::plan(plan_one(context, mesh, def)?, separation)
        })
    }
}

/// A near list by vertex, in compressed rows: the pairs that vertex `v` of `mesh` is a corner of are `out[out_starts[v]]` to
/// `out[out_starts[v + 1] - 1]`, indices into `pairs`, ascending. `out_distances` gets the smallest distance of each vertex's pairs, or
/// infinity. `side` is which of the list's meshes `mesh` is. `pair_count` is at most PRX_MAX_COUNT.
///
/// `*out_count` gets the number of indices, also when `capacity` is too small; nothing else is written then. `out_starts` and
/// `out_distances` may be null.
///
/// # Safety
/// `pairs` has `pair_count` pairs; `out_starts` is null or has room for one number per vertex of `mesh` and one more; `out_distances` is
/// null or has room for one number per vertex; `out` has room for `capacity` indices; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_mesh_near_per_vertex(
    context: *mut PrxContext,
    mesh: PrxMesh,
    side: EnumOf<PrxNearSide>,
    pairs: *const PrxNearPair,
    pair_count: u64,
    out_starts: *mut u64,
    out_distances: *mut f64,
    out: *mut u32,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let indices = List::new(out, capacity, out_count, "indices");
    on_context(context, |context| {
        indices.check()?;
        let side = match side.read("side")? {
            PrxNearSide::A => NearSide::A,
            PrxNearSide::B => NearSide::B,
            PrxNearSide::Both => NearSide::Both,
        };
        // SAFETY: by the caller's promise.
        unsafe {
            let pairs = read_array(pairs, pair_count, "pairs")?;
            let mut read = memory::with_room(pairs.len(), "pairs")?;
            for (at, pair) in pairs.iter().enumerate() {
                read.push((features_of(pair, "pairs", at)?, pair.distance));
            }
            let by = context.near_per_vertex(mesh.id, side, &read)?;
            indices.write(Ok(by.pairs))?;
            write_numbers(out_starts, &by.starts);
            write_numbers(out_distances, &by.distances);
        }
        Ok(())
    })
}

/// The request of a def, and its rest shape. The listed pairs are not sorted yet.
///
/// # Safety
/// `def` is null or valid, and its arrays have as many values as their counts say.
unsafe fn read_request(def: *const PrxNearDef) -> Result<(NearRequest, Option<u64>)> {
    // SAFETY: by the caller's promise.
    unsafe {
        let def = read_def(def)?;
        if def.reserved != 0 {
            return Err(invalid(format!(
                "reserved is {}; it must be 0",
                def.reserved
            )));
        }
        let mark_repeats = match def.mark_repeats {
            0 => false,
            1 => true,
            n => return Err(invalid(format!("mark_repeats is {n}; it is 0 or 1"))),
        };
        let excluded = read_long_array(def.excluded, def.excluded_count, "excluded")?;
        let mut listed = memory::with_room(excluded.len(), "excluded")?;
        for (at, pair) in excluded.iter().enumerate() {
            listed.push(features_of(pair, "excluded", at)?);
        }
        let request = NearRequest {
            thickness: def.thickness,
            per_vertex: [
                optional_array(def.thickness_a, def.thickness_a_count, "thickness_a")?,
                optional_array(def.thickness_b, def.thickness_b_count, "thickness_b")?,
            ],
            rings: def.rings,
            groups: [
                optional_array(def.groups_a, def.groups_a_count, "groups_a")?,
                optional_array(def.groups_b, def.groups_b_count, "groups_b")?,
            ],
            listed,
            mark_repeats,
        };
        Ok((request, (def.rest.id != 0).then_some(def.rest.id)))
    }
}

/// Two meshes, and the request of a def for them.
///
/// # Safety
/// Each pose is null or valid; the rest as [`read_request`].
pub(super) unsafe fn plan_two(
    context: &Context,
    [a, b]: [PrxMesh; 2],
    poses: [*const PrxPose; 2],
    def: *const PrxNearDef,
) -> Result<NearMeshes> {
    // SAFETY: by the caller's promise.
    let ((mut request, rest), [pose_a, pose_b]) =
        unsafe { (read_request(def)?, poses.map(|pose| read_pose(pose))) };
    if rest.is_some() {
        return Err(invalid(
            "rest is for a mesh with itself: leave it null between two meshes",
        ));
    }
    request.listed.sort_unstable();
    context.near_bodies([(a.id, pose_a), (b.id, pose_b)], request)
}

/// A mesh, and the request of a def for it and itself: what is of `a` is of both sides.
///
/// # Safety
/// As [`read_request`].
pub(super) unsafe fn plan_one(
    context: &Context,
    mesh: PrxMesh,
    def: *const PrxNearDef,
) -> Result<NearMeshes> {
    // SAFETY: by the caller's promise.
    let (mut request, rest) = unsafe { read_request(def) }?;
    if request.per_vertex[1].is_some() || request.groups[1].is_some() {
        return Err(invalid(
            "thickness_b and groups_b are for two meshes: of one mesh, thickness_a and groups_a hold for both sides",
        ));
    }
    for features in &mut request.listed {
        *features = features.of_itself();
    }
    request.listed.sort_unstable();
    context.near_body(mesh.id, rest, request)
}

/// # Safety
/// `values` is null or has `count` values.
unsafe fn optional_array<T: Copy>(
    values: *const T,
    count: u64,
    name: &str,
) -> Result<Option<Vec<T>>> {
    if values.is_null() && count == 0 {
        return Ok(None);
    }
    // SAFETY: by the caller's promise.
    unsafe { read_long_array(values, count, name) }.map(Some)
}

/// The features that a pair of an array names.
pub(super) fn features_of(pair: &PrxNearPair, array: &str, at: usize) -> Result<Features> {
    features_named(pair.kind, pair.feature_a, pair.feature_b).ok_or_else(|| {
        invalid(format!(
            "{array}[{at}].kind is not one of a vertex and a face or of two edges"
        ))
    })
}

impl From<NearRegion> for PrxNearRegion {
    fn from(region: NearRegion) -> Self {
        match region {
            NearRegion::Vertex(0) => Self::Vertex0,
            NearRegion::Vertex(1) => Self::Vertex1,
            NearRegion::Vertex(_) => Self::Vertex2,
            NearRegion::Edge(0) => Self::Edge01,
            NearRegion::Edge(1) => Self::Edge12,
            NearRegion::Edge(_) => Self::Edge20,
            NearRegion::Face => Self::Face,
        }
    }
}

impl From<FeaturePair> for PrxNearPair {
    fn from(pair: FeaturePair) -> Self {
        let (kind, feature_a, feature_b) = named_features(pair.features);
        let [region_a, region_b] = pair.regions.map(|r| PrxNearRegion::from(r).into());
        Self {
            kind: kind.into(),
            feature_a,
            feature_b,
            region_a,
            region_b,
            repeats: pair.repeats.into(),
            direction: pair.direction.to_array(),
            reserved: 0,
            distance: pair.distance,
            weights: pair.weights,
        }
    }
}
