//! Vertices inside tetrahedra, and how deep

use super::asking::{self, List};
use super::boundary::read_array;
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::error::Result;
use crate::geometry::tetrahedra::{VertexDepth, VertexInside};
use crate::memory;
use crate::query::tetrahedra::{TetrahedraCopy, TetrahedraDepthsQuery, TetrahedraQuery};
use glam::Vec3;

/// A body of tetrahedra, as it is now. Nothing is kept of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxTetrahedralBody {
    /// Three floats per vertex.
    pub positions: *const f32,
    /// Four vertex indices per tetrahedron, in either orientation.
    pub tetrahedra: *const u32,
    /// Vertices, at most PRX_MAX_COUNT.
    pub vertex_count: u32,
    /// Tetrahedra, at most PRX_MAX_COUNT.
    pub tetrahedron_count: u32,
}

/// A vertex in a tetrahedron. When both are of one body, the body intersects itself.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxVertexInside {
    /// The body of the vertex, by its place in the array.
    pub vertex_body: u32,
    /// The vertex.
    pub vertex: u32,
    /// The body of the tetrahedron.
    pub tetrahedron_body: u32,
    /// The tetrahedron.
    pub tetrahedron: u32,
    /// Weights of the tetrahedron's corners that give the vertex; they sum to 1.
    pub weights: [f64; 4],
}

/// How deep a vertex is inside of a body, and the way out.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxVertexDepth {
    /// The body of the vertex, by its place in the array.
    pub vertex_body: u32,
    /// The vertex.
    pub vertex: u32,
    /// The body that it is inside of; its own when that intersects itself.
    pub body: u32,
    /// 1 when an edge leads from the vertex out of the body, one more for each edge farther inside. 0 when no way along edges of tetrahedra
    /// leads out, as of a body that is wholly inside and of vertices without tetrahedra; depth and direction are zero then.
    pub steps: u32,
    /// How far it is to the surface of `body` along the direction, in mesh units.
    pub depth: f64,
    /// Unit vector out of `body`; zero where the normals that were met cancel.
    pub direction: [f64; 3],
}

/// All vertices that are inside or on tetrahedra, of any of the bodies, themselves too, found by spatial hashing and decided
/// exactly. They ascend by vertex body, vertex, tetrahedron body, tetrahedron. A vertex is not inside the tetrahedra that it is
/// a corner of; tetrahedra without volume hold nothing.
///
/// `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `bodies` has `count` bodies whose arrays are as long as their counts say; `out` has room for `capacity` answers;
/// `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_tetrahedra_inside(
    context: *mut PrxContext,
    bodies: *const PrxTetrahedralBody,
    count: u32,
    out: *mut PrxVertexInside,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let answers = List::new(out, capacity, out_count, "answers");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, answers, |_| {
            TetrahedraQuery::plan(read_bodies(bodies, count)?, capacity)
        })
    }
}

/// How deep all vertices are inside of other bodies, or of their own, and which way leads out: as by Heidelberger et al. 2004, Consistent
/// Penetration Depth Estimation for Deformable Collision Response. Each vertex that prx_tetrahedra_inside finds comes once per body; they
/// ascend by vertex body, vertex, body.
///
/// Where an edge of a tetrahedron leads from a vertex inside to one outside, the place where it first leaves the surface and the normal there
/// give depth and direction, weighted by the inverse square of how far away that is. Vertices farther inside take them over from their
/// neighbours, nearer ones first. So neighbours are sent the same way, also where they are nearer to the other side of a thin body. The surface are the
/// faces that one tetrahedron has.
///
/// `*out_count` gets the number of answers, also when `capacity` is too small; nothing else is written then.
///
/// # Safety
/// `bodies` has `count` bodies whose arrays are as long as their counts say; `out` has room for `capacity` answers;
/// `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_tetrahedra_depths(
    context: *mut PrxContext,
    bodies: *const PrxTetrahedralBody,
    count: u32,
    out: *mut PrxVertexDepth,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let answers = List::new(out, capacity, out_count, "answers");
    // SAFETY: by the caller's promise.
    unsafe {
        asking::answer_exact_list_now(context, answers, |_| {
            TetrahedraDepthsQuery::plan(read_bodies(bodies, count)?, capacity)
        })
    }
}

/// The caller's arrays, copied: they may be unaligned, and must not change while they are looked at.
///
/// # Safety
/// `bodies` has `count` bodies whose arrays are as long as their counts say.
pub(super) unsafe fn read_bodies(
    bodies: *const PrxTetrahedralBody,
    count: u32,
) -> Result<Vec<TetrahedraCopy>> {
    // SAFETY: by the caller's promise.
    let given = unsafe { read_array(bodies, count.into(), "bodies") }?;
    let mut copied = memory::with_room(given.len(), "bodies")?;
    for (at, body) in given.into_iter().enumerate() {
        // SAFETY: by the caller's promise.
        copied.push(unsafe { read_body(at, body) }?);
    }
    Ok(copied)
}

/// # Safety
/// The arrays are as long as their counts say.
unsafe fn read_body(at: usize, body: PrxTetrahedralBody) -> Result<TetrahedraCopy> {
    let (places, corners) = (
        body.positions.cast::<[f32; 3]>(),
        body.tetrahedra.cast::<[u32; 4]>(),
    );
    let of = |name: &str| format!("body {at}: {name}");
    // SAFETY: by the caller's promise.
    let (places, tetrahedra) = unsafe {
        (
            read_array(places, body.vertex_count.into(), &of("positions"))?,
            read_array(corners, body.tetrahedron_count.into(), &of("tetrahedra"))?,
        )
    };
    let positions = memory::collect(places.into_iter().map(Vec3::from), "positions")?;
    Ok(TetrahedraCopy {
        positions,
        tetrahedra,
    })
}

impl From<VertexInside> for PrxVertexInside {
    fn from(found: VertexInside) -> Self {
        Self {
            vertex_body: found.vertex[0],
            vertex: found.vertex[1],
            tetrahedron_body: found.tetrahedron[0],
            tetrahedron: found.tetrahedron[1],
            weights: found.weights,
        }
    }
}

impl From<VertexDepth> for PrxVertexDepth {
    fn from(found: VertexDepth) -> Self {
        Self {
            vertex_body: found.vertex[0],
            vertex: found.vertex[1],
            body: found.within,
            steps: found.steps,
            depth: found.depth,
            direction: found.direction.to_array(),
        }
    }
}
