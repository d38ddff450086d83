//! An oriented box around each child of a node: where a surface is smooth it is far tighter than the upright one.
//!
//! An upright box around a tilted patch sticks out towards the query point, so a search from afar opens many in vain; one
//! that lies in the patch does not (Baerentzen & Aanaes 2005 search a hierarchy of them for the same reason).

use crate::geometry::hierarchy::bvh::{Bvh, Child, Node};
use crate::geometry::simd::{Lanes, WIDTH};
use crate::memory::ParallelGather;
use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;

type Row = [f32; WIDTH];

/// Eight boxes; an unused slot is infinitely far.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Boxes {
    centre: [Row; 3],
    /// The coordinates of the three axes, axis after axis.
    axes: [[Row; 3]; 3],
    half: [Row; 3],
}

impl Boxes {
    /// No boxes.
    pub const EMPTY: Self = Self {
        centre: [[0.0; WIDTH]; 3],
        axes: [[[0.0; WIDTH]; 3]; 3],
        half: [[f32::NEG_INFINITY; WIDTH]; 3],
    };

    /// The squared distances from a point, and the vectors from the boxes to it, but for a few f32 epsilons.
    #[inline(always)]
    pub fn gaps<V: Lanes>(&self, p: [V; 3]) -> (V, [V; 3]) {
        let x = p[0] - V::load(&self.centre[0]);
        let y = p[1] - V::load(&self.centre[1]);
        let z = p[2] - V::load(&self.centre[2]);
        let zero = V::splat(0.0);
        let mut squared = zero;
        let mut toward = [zero; 3];
        for (axis, half) in self.axes.iter().zip(&self.half) {
            let [a, b, c] = [V::load(&axis[0]), V::load(&axis[1]), V::load(&axis[2])];
            let along = z.near_mul_add(c, y.near_mul_add(b, x * a));
            let gap = (along.abs() - V::load(half)).max(zero);
            squared = gap.near_mul_add(gap, squared);
            let gap = gap.with_sign_of(along);
            toward = [
                gap.near_mul_add(a, toward[0]),
                gap.near_mul_add(b, toward[1]),
                gap.near_mul_add(c, toward[2]),
            ];
        }
        (squared, toward)
    }

    /// Copies the box in a slot of another eight.
    #[inline(always)]
    pub fn copy(&mut self, slot: usize, from: &Self, other: usize) {
        for k in 0..3 {
            self.centre[k][slot] = from.centre[k][other];
            self.half[k][slot] = from.half[k][other];
            for j in 0..3 {
                self.axes[k][j][slot] = from.axes[k][j][other];
            }
        }
    }

    fn set(&mut self, slot: usize, fitted: &Fitted) {
        for k in 0..3 {
            self.centre[k][slot] = fitted.centre[k];
            self.half[k][slot] = fitted.half[k];
            for j in 0..3 {
                self.axes[k][j][slot] = fitted.axes[k][j];
            }
        }
    }
}

/// The boxes of the children of every node over the triangles, which come in the order of the leaves.
pub fn around_children(bvh: &Bvh, corners: &[[Vec3; 3]]) -> Vec<Boxes> {
    let ranges = bvh.ranges();
    let boxes = |node: &Node| {
        let mut boxes = Boxes::EMPTY;
        for slot in 0..WIDTH {
            let range = match node.child(slot) {
                Child::Unused => continue,
                Child::Node(child) => ranges[child as usize].clone(),
                Child::Leaf(start, count) => start as usize..(start + count) as usize,
            };
            boxes.set(slot, &Fitted::around(&corners[range]));
        }
        boxes
    };
    bvh.nodes()
        .par_iter()
        .with_min_len(16)
        .map(boxes)
        .par_gather()
}

/// The boxes of at most eight single triangles.
pub fn around_each(corners: &[[Vec3; 3]]) -> Boxes {
    let mut boxes = Boxes::EMPTY;
    for (slot, triangle) in corners.iter().enumerate().take(WIDTH) {
        boxes.set(slot, &Fitted::along(flat_axes(&[*triangle]), &[*triangle]));
    }
    boxes
}

struct Fitted {
    centre: Vec3,
    axes: [Vec3; 3],
    half: Vec3,
}

impl Fitted {
    /// The smaller of the upright box and the one that lies flat in the triangles.
    fn around(corners: &[[Vec3; 3]]) -> Self {
        let upright = Self::along([Vec3::X, Vec3::Y, Vec3::Z], corners);
        let flat = Self::along(flat_axes(corners), corners);
        let area = |b: &Self| b.half.x * b.half.y + b.half.y * b.half.z + b.half.z * b.half.x;
        if area(&flat) < area(&upright) {
            flat
        } else {
            upright
        }
    }

    fn along(axes: [Vec3; 3], corners: &[[Vec3; 3]]) -> Self {
        let frame = DMat3::from_cols(axes[0].as_dvec3(), axes[1].as_dvec3(), axes[2].as_dvec3());
        let origin = corners[0][0].as_dvec3();
        let to_frame = frame.transpose();
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for p in corners.iter().flatten() {
            let along = to_frame * (p.as_dvec3() - origin);
            (min, max) = (min.min(along), max.max(along));
        }
        let centre = (origin + frame * (0.5 * (min + max))).as_vec3();
        // The centre is rounded, and the axes are orthonormal only to rounding: make up for both.
        let moved = to_frame * (centre.as_dvec3() - origin);
        let half = (max - moved).max(moved - min);
        let slack = 8.0 * f64::from(f32::EPSILON) * half.length();
        Self {
            centre,
            axes,
            half: (half + slack).as_vec3(),
        }
    }
}

/// The mean normal, and across it the direction in which the corners spread most.
fn flat_axes(corners: &[[Vec3; 3]]) -> [Vec3; 3] {
    let mut normal = DVec3::ZERO;
    let mut middle = DVec3::ZERO;
    for triangle in corners {
        let [a, b, c] = triangle.map(Vec3::as_dvec3);
        normal += (b - a).cross(c - a);
        middle += a + b + c;
    }
    let normal = normal.normalize_or(DVec3::Z);
    let middle = middle / (3 * corners.len()) as f64;
    let (u, v) = normal.any_orthonormal_pair();
    let (mut uu, mut vv, mut uv) = (0.0, 0.0, 0.0);
    for p in corners.iter().flatten() {
        let offset = p.as_dvec3() - middle;
        let (x, y) = (offset.dot(u), offset.dot(v));
        (uu, vv, uv) = (uu + x * x, vv + y * y, uv + x * y);
    }
    let (sin, cos) = (0.5 * (2.0 * uv).atan2(uu - vv)).sin_cos();
    let along = cos * u + sin * v;
    [along, normal.cross(along), normal].map(|axis| axis.as_vec3())
}
