//! A flat round bound for each child of a node: where a surface is smooth it is far tighter than the box.
//!
//! A box around a tilted patch sticks out towards the query point, so a search from afar opens many boxes in vain; a disc
//! that lies in the patch does not (the oriented boxes of Baerentzen & Aanaes serve the same end).

use crate::geometry::bvh::{Bvh, Child, Node};
use crate::geometry::simd::{Lanes, WIDTH};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

type Row = [f32; WIDTH];

/// Thick discs: all within `radius` of the axis through `centre` along `axis`, and within `half` of it along the axis.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Discs {
    centre: [Row; 3],
    axis: [Row; 3],
    radius: Row,
    half: Row,
}

impl Discs {
    /// Squared distances from below: relative error at most a few f32 epsilons of (distance + radius).
    #[inline(always)]
    pub fn distances_squared<V: Lanes>(&self, p: [V; 3]) -> V {
        let mut squared = V::splat(0.0);
        let mut height = V::splat(0.0);
        for (axis, &p) in p.iter().enumerate() {
            let w = p - V::load(&self.centre[axis]);
            squared = w.near_mul_add(w, squared);
            height = w.near_mul_add(V::load(&self.axis[axis]), height);
        }
        let zero = V::splat(0.0);
        // The difference cancels when the point is above the middle: give its rounding, 10 units, away.
        let lateral = (squared * V::splat(1.0 - 5.0 * f32::EPSILON) - height * height)
            .max(zero)
            .sqrt();
        let lateral = (lateral - V::load(&self.radius)).max(zero);
        let height = (height.max(-height) - V::load(&self.half)).max(zero);
        lateral.near_mul_add(lateral, height * height)
    }
}

/// What a disc is made from, of all triangles below a child.
#[derive(Clone, Copy)]
struct Moments {
    /// Sum of the normals weighted by area, of the centroids weighted by area, and of the areas.
    normal: DVec3,
    centroid: DVec3,
    area: f64,
}

impl Moments {
    const ZERO: Self = Self {
        normal: DVec3::ZERO,
        centroid: DVec3::ZERO,
        area: 0.0,
    };

    fn add(self, other: Self) -> Self {
        Self {
            normal: self.normal + other.normal,
            centroid: self.centroid + other.centroid,
            area: self.area + other.area,
        }
    }

    fn of(corners: &[Vec3; 3]) -> Self {
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let normal = 0.5 * (b - a).cross(c - a);
        let area = normal.length();
        Self {
            normal,
            centroid: (a + b + c) * (area / 3.0),
            area,
        }
    }
}

/// The discs of every node of a hierarchy over the triangles, which come in the order of its leaves.
pub fn around(bvh: &Bvh, corners: &[[Vec3; 3]]) -> Vec<Discs> {
    let moments = moments(bvh, corners);
    let ranges = bvh.ranges();
    let discs = |(index, node): (usize, &Node)| {
        let mut discs = Discs {
            centre: [[0.0; WIDTH]; 3],
            axis: [[0.0; WIDTH]; 3],
            radius: [f32::INFINITY; WIDTH],
            half: [f32::INFINITY; WIDTH],
        };
        for (slot, &moments) in moments[index].iter().enumerate() {
            let range = match node.child(slot) {
                Child::Unused => continue,
                Child::Node(child) => ranges[child as usize].clone(),
                Child::Leaf(start, count) => start as usize..(start + count) as usize,
            };
            discs.fit(slot, moments, &corners[range]);
        }
        discs
    };
    bvh.nodes()
        .par_iter()
        .enumerate()
        .with_min_len(64)
        .map(discs)
        .collect()
}

impl Discs {
    fn fit(&mut self, slot: usize, moments: Moments, corners: &[[Vec3; 3]]) {
        let centre = if moments.area > 0.0 {
            (moments.centroid / moments.area).as_vec3()
        } else {
            corners[0][0]
        };
        let axis = moments.normal.normalize_or(DVec3::Z).as_vec3();
        // Measured from the rounded centre and axis, then rounded up: they stay bounds.
        let (origin, direction) = (centre.as_dvec3(), axis.as_dvec3());
        let (mut radius, mut half) = (0.0f64, 0.0f64);
        for p in corners.iter().flatten() {
            let w = p.as_dvec3() - origin;
            let height = w.dot(direction);
            half = half.max(height.abs());
            radius = radius.max(w.length_squared() - height * height);
        }
        let up = |x: f64| (x as f32) * (1.0 + f32::EPSILON);
        for k in 0..3 {
            self.centre[k][slot] = centre[k];
            self.axis[k][slot] = axis[k];
        }
        // The axis is unit only to rounding, which shortens a lateral distance by that part of the height.
        self.radius[slot] =
            up((radius.max(0.0) + 4.0 * f64::from(f32::EPSILON) * half * half).sqrt());
        self.half[slot] = up(half);
    }
}

/// The moments of each child, from the deepest level up.
fn moments(bvh: &Bvh, corners: &[[Vec3; 3]]) -> Vec<[Moments; WIDTH]> {
    let mut all = vec![[Moments::ZERO; WIDTH]; bvh.nodes().len()];
    for (index, node) in bvh.nodes().iter().enumerate().rev() {
        for slot in 0..WIDTH {
            all[index][slot] = match node.child(slot) {
                Child::Unused => continue,
                Child::Node(child) => all[child as usize]
                    .into_iter()
                    .fold(Moments::ZERO, Moments::add),
                Child::Leaf(start, count) => corners[start as usize..(start + count) as usize]
                    .iter()
                    .fold(Moments::ZERO, |m, c| m.add(Moments::of(c))),
            };
        }
    }
    all
}
