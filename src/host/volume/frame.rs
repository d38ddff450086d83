//! The grid of rays: the volume of interest of two boxes, the axis of the rays and from which side each mesh is seen (Heidelberger et
//! al. 2003, section 2.1). Partners: `shaders/include/frame.glsl` and `make_frame.glsl`.

use super::marks::blocks_of;
use crate::gpu::shader::blocks::{Frame, FrameParams};
use crate::host::ordered::unordered;
use glam::{UVec2, Vec3};

/// The axis on which the outside faces are nearest to each other: `Axis` of query/ldi.rs.
const BEST: u32 = 3;
/// What rays are made through, `Interest` of query/ldi.rs: what two boxes share, and what lies beyond is left out; the box of one mesh.
const TRUSTED: u32 = 1;
const ALONE: u32 = 2;

/// The world's x, y, z in the order u, v, w.
#[inline]
pub fn turned(world: Vec3, axis: u32) -> Vec3 {
    let Vec3 { x, y, z } = world;
    match axis {
        0 => Vec3::new(y, z, x),
        1 => Vec3::new(z, x, y),
        _ => world,
    }
}

/// The box of a mesh, as the bounds kernels wrote it, and how far a vertex can be from its exact place: see `rounding()` in
/// query/bounds.rs, with room for the rounding here.
fn box_of(boxes: &[u32], params: &FrameParams, mesh: usize) -> (Vec3, Vec3, f32) {
    let word = |i: usize| boxes[6 * mesh + i];
    let low = Vec3::from([0, 1, 2].map(|i| unordered(word(i))));
    let high = Vec3::from([3, 4, 5].map(|i| unordered(!word(i))));
    let place = Vec3::from_slice(&params.place[3 * mesh..]);
    let farthest = low.abs().max(high.abs()) + place.abs();
    let error = 24.0 / 16_777_216.0 * (farthest.length() + place.length()) + 1e-30;
    (low - error, high + error, error)
}

/// The frame of one mesh or two, from their boxes.
pub fn make_frame(boxes: &[u32], params: &FrameParams) -> Frame {
    let (low_a, high_a, error_a) = box_of(boxes, params, 0);
    let (low_b, high_b, error_b) = match params.mode {
        ALONE => (low_a, high_a, error_a),
        _ => box_of(boxes, params, 1),
    };
    let error = error_a.max(error_b);
    // Between outside faces on opposite sides; the first mesh is seen from above when its upper face is above the second's.
    let (up, down) = (high_a - low_b, high_b - low_a);
    let axis = match params.axis {
        BEST => nearest_faces(up.min(down)),
        axis => axis,
    };
    let a_above = up[axis as usize] <= down[axis as usize];
    let low = turned(low_a.max(low_b), axis);
    let size = turned(high_a.min(high_b), axis) - low;
    let empty = size.cmplt(Vec3::ZERO).any()
        || size.cmpge(Vec3::splat(1e30)).any()
        || !(size.x + size.y + size.z).is_finite();
    // Flat volumes of interest get a thickness that can be divided by.
    let size = size.max(Vec3::splat(
        (1e-5 * size.max_element()).max(1e-30).max(8.0 * error),
    ));
    let (cell, inner) = cells(size, params);
    let sides = inner + 2;
    // Memory is for whole blocks of pixels: see marks.rs.
    let wanted = 4 * blocks_of(sides);
    let [width, height] = match !empty && wanted <= params.max_pixels {
        true => sides.to_array(),
        false => [0, 0],
    };
    let trusted = params.mode == TRUSTED;
    let from_above = [trusted && a_above, trusted && !a_above];
    Frame {
        origin: [low.x - 0.5 * cell.x, low.y - 0.5 * cell.y, low.z],
        axis,
        scale: (1.0 / cell).into(),
        width,
        slack: (error / cell + 1e-5).into(),
        height,
        bins: params.bins,
        wanted_pixels: if empty { 0 } else { wanted },
        from_above: from_above.map(u32::from),
        keep_from: from_above.map(|above| if above { 0.0 } else { f32::NEG_INFINITY }),
        keep_to: from_above.map(|above| match trusted && !above {
            true => params.bins as f32,
            false => f32::INFINITY,
        }),
    }
}

fn nearest_faces(distances: Vec3) -> u32 {
    let Vec3 { x, y, z } = distances;
    if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    }
}

/// The sides of a cell, and how many pixels the volume of interest has; they are bounded before they become integers.
fn cells(size: Vec3, params: &FrameParams) -> (Vec3, UVec2) {
    let bins = params.bins as f32;
    if params.cell_size > 0.0 {
        let cell = Vec3::new(params.cell_size, params.cell_size, size.z / bins);
        let count = |length: f32| (length / params.cell_size).ceil().clamp(1.0, 60_000.0) as u32;
        return (cell, UVec2::new(count(size.x), count(size.y)));
    }
    let side = params.resolution as f32;
    (
        size / Vec3::new(side, side, bins),
        UVec2::splat(params.resolution),
    )
}
