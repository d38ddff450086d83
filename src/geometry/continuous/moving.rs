//! Surfaces on their way, and the boxes of a slice of time.

use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::positions::Positions;
use crate::geometry::surface::Surface;
use crate::geometry::topology::representatives::Representatives;
use crate::memory::ParallelGather;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// A surface on its way.
#[derive(Clone, Copy)]
pub struct Moving<'a> {
    /// Where it is at time 0.
    pub from: Surface<'a>,
    /// Its positions at time 1, as many as at time 0.
    pub to: Positions<'a>,
    /// Hierarchy over its triangles; fitted to any positions, a copy is refitted.
    pub bvh: &'a Bvh,
    /// Of its triangles.
    pub representatives: &'a Representatives,
}

impl Moving<'_> {
    /// Positions at a time, less a common drift; off by at most 8 roundings of the largest coordinate, and by one more where they are
    /// rounded from doubles.
    fn positions(&self, time: f64, drift: Vec3) -> Vec<Vec3> {
        let time = time as f32;
        let at = |(&p, &q): (&Vec3, &Vec3)| p + (q - p - drift) * time;
        self.from
            .positions
            .rounded()
            .par_iter()
            .zip(self.to.rounded())
            .with_min_len(8192)
            .map(at)
            .par_gather()
    }

    /// Largest coordinate on the way, by magnitude.
    pub(super) fn magnitude(&self) -> f32 {
        let largest = |points: &[Vec3]| {
            points
                .iter()
                .fold(Vec3::ZERO, |r, p| r.max(p.abs()))
                .max_element()
        };
        largest(self.from.positions.rounded()).max(largest(self.to.rounded()))
    }

    /// The mean displacement of all vertices.
    pub(super) fn drift(&self) -> DVec3 {
        let sum: DVec3 = self
            .from
            .positions
            .rounded()
            .iter()
            .zip(self.to.rounded())
            .map(|(&p, &q)| q.as_dvec3() - p.as_dvec3())
            .sum();
        sum / self.to.len().max(1) as f64
    }

    /// The longest displacement of a vertex, less a common drift.
    fn longest_displacement(&self, drift: Vec3) -> f64 {
        let ways = self.from.positions.rounded().iter().zip(self.to.rounded());
        let longest = ways.fold(0.0, |r: f32, (&p, &q)| {
            r.max((q - p - drift).abs().max_element())
        });
        longest.into()
    }

    /// The mean size of a triangle's box.
    fn triangle_size(&self) -> f64 {
        let count = self.from.triangles.len() as u32;
        let size: f64 = (0..count)
            .map(|t| f64::from(self.from.triangle_box(t).size().max_element()))
            .sum();
        size / f64::from(count.max(1))
    }
}

/// One slice of time of a surface: where its vertices are at both ends, its boxes, and its hierarchy fitted to them.
pub(super) struct Slice {
    pub(super) start: Vec<Vec3>,
    pub(super) end: Vec<Vec3>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) bvh: Bvh,
}

impl Slice {
    pub(super) fn new(moving: &Moving, drift: Vec3) -> Self {
        Self {
            start: Vec::new(),
            end: moving.positions(0.0, drift),
            boxes: Vec::new(),
            bvh: moving.bvh.clone(),
        }
    }

    /// Goes on to the slice that begins where this one ended.
    pub(super) fn begin(&mut self) {
        self.start = std::mem::take(&mut self.end);
    }

    /// Fits the boxes to the ways until a time.
    pub(super) fn reach(&mut self, moving: &Moving, to: f64, drift: Vec3) {
        self.end = moving.positions(to, drift);
        let corner = |v: u32| self.corner_box(v);
        let swept = |t: &[u32; 3]| corner(t[0]).union(corner(t[1])).union(corner(t[2]));
        self.boxes = moving
            .from
            .triangles
            .par_iter()
            .with_min_len(4096)
            .map(swept)
            .par_gather();
        self.bvh.refit(&self.boxes);
    }

    /// The box of a vertex on its way.
    #[inline(always)]
    pub(super) fn corner_box(&self, vertex: u32) -> Aabb {
        let (p, q) = (self.start[vertex as usize], self.end[vertex as usize]);
        Aabb {
            min: p.min(q),
            max: p.max(q),
        }
    }
}

/// Triangle sizes that a vertex may move in a slice: more slices cost refits, fewer cost overlaps.
const STRIDE: f64 = 4.0;

/// Most slices of a sweep.
pub(super) const SLICES: f64 = 64.0;

/// How far vertices move at most, less a common drift, in sizes of the larger triangles. The fine mesh does not count: steps finer than the larger
/// triangles separate nothing more.
pub(super) fn sizes_moved(surfaces: &[Moving], drift: Vec3) -> f64 {
    let most = |of: &dyn Fn(&Moving) -> f64| surfaces.iter().map(of).fold(0.0, f64::max);
    let (path, size) = (
        most(&|s| s.longest_displacement(drift)),
        most(&|s| s.triangle_size()),
    );
    path / size.max(f64::MIN_POSITIVE)
}

/// How many slices of time keep the boxes small: a ball on its way through triangles a million times its size takes one.
pub(super) fn slices(sizes_moved: f64) -> usize {
    (sizes_moved / STRIDE).ceil().clamp(1.0, SLICES) as usize
}
