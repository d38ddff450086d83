//! Debug drawing
//!
//! Shows what Proxel sees, through functions of the engine's that draw lines, triangles, points and texts: meshes, clusters, hierarchies, fields, contacts, near
//! lists, impacts, and regions of intersections. A kind whose function is null is left out.
//!
//! A call collects first and draws then, on the calling thread, with nothing locked: what it calls may call Proxel. A call that fails has
//! drawn nothing. Triangles come first, then lines, points and texts. The same thing has the same color in every frame.

use super::boundary::{Sized32, on_context, read_array, read_def};
use super::contacts::PrxContact;
use super::exact_intersection::PrxIntersection;
use super::field::PrxField;
use super::handles::PrxContext;
use super::impacts::{PrxFeatureImpact, features_of_impact};
use super::mesh::{PrxMesh, PrxPose, read_pose};
use super::near::{PrxNearPair, features_of};
use super::status::PrxStatus;
use crate::context::Context;
use crate::context::debug_draw::{
    ContactMark, DebugDrawing, DrawOptions, DrawnKinds, FieldSlice, ImpactMark, NearMark,
};
use crate::error::{Result, invalid};
use crate::memory;
use glam::{DVec3, Vec3};
use std::ffi::{CString, c_char, c_void};

/// Draws a line. Colors are red, green, blue and opacity from the highest byte to the lowest: 0xff0000ff is red.
pub type PrxDrawLineFn =
    Option<unsafe extern "C" fn(user: *mut c_void, from: *const f32, to: *const f32, color: u32)>;

/// Draws a filled triangle, counter-clockwise as seen from outside.
pub type PrxDrawTriangleFn = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        a: *const f32,
        b: *const f32,
        c: *const f32,
        color: u32,
    ),
>;

/// Draws a point, as large as the engine likes.
pub type PrxDrawPointFn =
    Option<unsafe extern "C" fn(user: *mut c_void, at: *const f32, color: u32)>;

/// Draws a text that begins at a point; `text` is UTF-8 and valid during the call.
pub type PrxDrawTextFn = Option<
    unsafe extern "C" fn(user: *mut c_void, at: *const f32, text: *const c_char, color: u32),
>;

/// What draws, and how. Fill it by prx_debug_draw_default, and set one function at least. Places are three floats, relative to `origin`, valid during the call.
///
/// Threads: the functions are called on the thread that calls prx_debug_draw_*, before it returns. They may call Proxel and must not throw.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PrxDebugDraw {
    /// Bytes of this struct.
    pub size: u32,
    /// The color of everything; 0 for the colors of the things.
    pub color: u32,
    /// Draws a line, or null.
    pub draw_line: PrxDrawLineFn,
    /// Draws a filled triangle, or null.
    pub draw_triangle: PrxDrawTriangleFn,
    /// Draws a point, or null.
    pub draw_point: PrxDrawPointFn,
    /// Draws a text, or null.
    pub draw_text: PrxDrawTextFn,
    /// Passed to all of them.
    pub user: *mut c_void,
    /// The place in the world that is drawn at zero: near the camera in a large world.
    pub origin: [f64; 3],
    /// How long normals are, in world units.
    pub scale: f32,
    /// Cells along the longest side that a field is drawn with, from 1 to 128, at most as many as it has.
    pub resolution: u32,
}

// SAFETY: repr(C), size first, numbers, pointers and functions that may be null.
unsafe impl Sized32 for PrxDebugDraw {
    const NAME: &'static str = "PrxDebugDraw";
    const FILLED_BY: &'static str = "debug_draw_default";
}

/// No functions yet; the colors of the things, normals of 0.1, and 32 cells for a field.
#[unsafe(no_mangle)]
pub extern "C" fn prx_debug_draw_default() -> PrxDebugDraw {
    PrxDebugDraw {
        size: size_of::<PrxDebugDraw>() as u32,
        color: 0,
        draw_line: None,
        draw_triangle: None,
        draw_point: None,
        draw_text: None,
        user: std::ptr::null_mut(),
        origin: [0.0; 3],
        scale: 0.1,
        resolution: 32,
    }
}

/// Draws a mesh as it is now: its triangles, its edges, each once, and its label. Edges of one triangle are orange, of two grey, of more pink. `pose` may be
/// null for the identity.
///
/// # Safety
/// `pose` is null or valid; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_mesh(
    context: *mut PrxContext,
    mesh: PrxMesh,
    pose: *const PrxPose,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            context.draw_mesh((mesh.id, read_pose(pose)), drawing)
        })
    }
}

/// Draws the boxes of a mesh's clusters, refitted to its positions. `pose` may be null for the identity.
///
/// # Safety
/// `pose` is null or valid; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_clusters(
    context: *mut PrxContext,
    mesh: PrxMesh,
    pose: *const PrxPose,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            context.draw_clusters((mesh.id, read_pose(pose)), drawing)
        })
    }
}

/// Draws the boxes of one level of the hierarchy that exact queries have over a mesh: 0 for the box around all, UINT32_MAX for the leaves. Leaves that end above the level are
/// drawn with it, so that the boxes hold the whole mesh. `pose` may be null for the identity.
///
/// # Safety
/// `pose` is null or valid; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_hierarchy(
    context: *mut PrxContext,
    mesh: PrxMesh,
    pose: *const PrxPose,
    level: u32,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            context.draw_hierarchy((mesh.id, read_pose(pose)), level, drawing)
        })
    }
}

/// Draws a field: the box of its domain, its nodes and error as a text, and the surface where it is zero as triangles. `field_pose` may be null
/// for the identity. With more cells the surface is finer and takes longer.
///
/// # Safety
/// `field_pose` is null or valid; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_field(
    context: *mut PrxContext,
    field: PrxField,
    field_pose: *const PrxPose,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            context.draw_field((field.id, read_pose(field_pose)), drawing)
        })
    }
}

/// Draws a slice through a field, across `axis` (0, 1 or 2) of its frame at the coordinate `at`: triangles in the color of their distance, blue
/// inside and orange outside, paler near the surface, and lines where it is zero. `field_pose` may be null for the identity.
///
/// # Safety
/// `field_pose` is null or valid; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_field_slice(
    context: *mut PrxContext,
    field: PrxField,
    field_pose: *const PrxPose,
    axis: u32,
    at: f32,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            let slice = FieldSlice { axis, at };
            context.draw_field_slice((field.id, read_pose(field_pose)), slice, drawing)
        })
    }
}

/// Draws contacts as they were returned: the points on both bodies, the line between them, the normal at the second, and the separation as a text. Contacts of bodies
/// that are apart are grey, new ones green, those that continue one of the last step orange.
///
/// # Safety
/// `contacts` has `count` contacts; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_contacts(
    context: *mut PrxContext,
    contacts: *const PrxContact,
    count: u64,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |_, drawing| {
            let contacts = read_array(contacts, count, "contacts")?;
            let mark = |contact: &PrxContact| ContactMark {
                points: [contact.world_a.into(), contact.world_b.into()],
                normal: Vec3::from(contact.normal).as_dvec3(),
                separation: contact.separation,
                persists: contact.previous >= 0,
            };
            drawing.draw_contacts(&memory::collect(contacts.iter().map(mark), "contacts")?)
        })
    }
}

/// Draws near pairs as they were returned for `a` and `b`, which are read as they are now: the nearest points and the line between them, blue for a vertex and a face,
/// light blue for a face and a vertex, yellow for two edges. Of a mesh with itself it is passed twice. Poses may be null.
///
/// # Safety
/// Each pose is null or valid; `pairs` has `count` pairs; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_near(
    context: *mut PrxContext,
    a: PrxMesh,
    pose_a: *const PrxPose,
    b: PrxMesh,
    pose_b: *const PrxPose,
    pairs: *const PrxNearPair,
    count: u64,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            let pairs = read_array(pairs, count, "pairs")?;
            let mut marks = memory::with_room(pairs.len(), "pairs")?;
            for (at, pair) in pairs.iter().enumerate() {
                marks.push(NearMark {
                    features: features_of(pair, "pairs", at)?,
                    weights: pair.weights,
                });
            }
            let (pose_a, pose_b) = (read_pose(pose_a), read_pose(pose_b));
            context.draw_near((a.id, pose_a), (b.id, pose_b), &marks, drawing)
        })
    }
}

/// Draws impacts as they were returned for the same meshes: the ways that the points take from the start of the step until they meet, the place, the normal, and
/// the time as a text. Colors are those of near pairs; triangles that intersect at the start are marked in their middles, red. Of a mesh with itself `a0` and `a1` are passed
/// as `b0` and `b1` too.
///
/// # Safety
/// `impacts` has `count` impacts; `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_impacts(
    context: *mut PrxContext,
    a0: PrxMesh,
    a1: PrxMesh,
    b0: PrxMesh,
    b1: PrxMesh,
    impacts: *const PrxFeatureImpact,
    count: u64,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            let impacts = read_array(impacts, count, "impacts")?;
            let mut marks = memory::with_room(impacts.len(), "impacts")?;
            for (at, impact) in impacts.iter().enumerate() {
                marks.push(ImpactMark {
                    features: features_of_impact(impact, "impacts", at)?,
                    weights: impact.weights,
                    time: impact.time,
                    normal: Vec3::from(impact.normal).as_dvec3(),
                });
            }
            context.draw_impacts([a0.id, a1.id, b0.id, b1.id], &marks, drawing)
        })
    }
}

/// Draws the connected parts of an intersection: the box of each, its centre, a line along its normal as long as it is deep, its volume and depth as a text, and the
/// curves where the surfaces cross. Each part has a color of its own.
///
/// # Safety
/// `draw` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_debug_draw_regions(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    draw: *const PrxDebugDraw,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        drawn(context, draw, |context, drawing| {
            context.draw_regions(intersection.id, drawing)
        })
    }
}

/// Collects what is drawn, lets go of the context, and draws.
///
/// # Safety
/// `draw` is null or valid, with functions that can be called.
unsafe fn drawn(
    context: *mut PrxContext,
    draw: *const PrxDebugDraw,
    collect: impl FnOnce(&Context, &mut DebugDrawing) -> Result<()>,
) -> PrxStatus {
    let mut ready = None;
    let status = on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let draw = unsafe { read_def(draw) }?;
        let mut drawing = DebugDrawing::new(draw.options()?);
        collect(context, &mut drawing)?;
        ready = Some((draw, drawing));
        Ok(())
    });
    if let (PrxStatus::Ok, Some((draw, drawing))) = (status, ready) {
        // SAFETY: by the caller's promise.
        unsafe { draw.play(&drawing) };
    }
    status
}

impl PrxDebugDraw {
    fn options(&self) -> Result<DrawOptions> {
        let kinds = DrawnKinds {
            lines: self.draw_line.is_some(),
            triangles: self.draw_triangle.is_some(),
            points: self.draw_point.is_some(),
            texts: self.draw_text.is_some(),
        };
        if !(kinds.lines || kinds.triangles || kinds.points || kinds.texts) {
            return Err(invalid(
                "draw_line, draw_triangle, draw_point and draw_text are null; one at least has to draw",
            ));
        }
        let origin = DVec3::from(self.origin);
        if !origin.is_finite() {
            return Err(invalid(format!("origin is {origin}; it must be finite")));
        }
        if !self.scale.is_finite() {
            return Err(invalid(format!(
                "scale is {}; it must be finite",
                self.scale
            )));
        }
        Ok(DrawOptions {
            kinds,
            origin,
            scale: self.scale.into(),
            color: (self.color != 0).then_some(self.color),
            cells: self.resolution,
        })
    }

    /// Hands everything over.
    ///
    /// # Safety
    /// The functions can be called.
    unsafe fn play(&self, drawing: &DebugDrawing) {
        let user = self.user;
        // SAFETY: by the caller's promise; each place is three floats that live as long as the call.
        unsafe {
            if let Some(draw) = self.draw_triangle {
                for ([a, b, c], color) in &drawing.triangles {
                    draw(
                        user,
                        a.as_ref().as_ptr(),
                        b.as_ref().as_ptr(),
                        c.as_ref().as_ptr(),
                        *color,
                    );
                }
            }
            if let Some(draw) = self.draw_line {
                for ([from, to], color) in &drawing.lines {
                    draw(user, from.as_ref().as_ptr(), to.as_ref().as_ptr(), *color);
                }
            }
            if let Some(draw) = self.draw_point {
                for (at, color) in &drawing.points {
                    draw(user, at.as_ref().as_ptr(), *color);
                }
            }
            if let Some(draw) = self.draw_text {
                for (at, text, color) in &drawing.texts {
                    let text = CString::new(text.as_str()).unwrap_or_default();
                    draw(user, at.as_ref().as_ptr(), text.as_ptr(), *color);
                }
            }
        }
    }
}
