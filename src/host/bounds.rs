//! The box of a mesh under a pose. Partner: `shaders/bounds/bounds.comp`, with what its kernels share (`extremes.glsl`).

pub mod certain;
pub mod expand;

use super::meeting::Positions;
use super::ordered::ordered;
use super::runs::merge_runs;
use crate::gpu::native::Native;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::BoundsPush;
use crate::gpu::shader::kernels::Bounds;
use glam::{Vec4, Vec4Swizzles};
use std::sync::atomic::Ordering::Relaxed;

/// Vertices that are worth a thread.
const RUN: usize = 16_384;

/// A pose as the columns of its matrix, so that one vector has all coordinates of a place. Its operations are those of `along.glsl`, in
/// the same order: every kernel that computes places by this finds the same bits.
#[derive(Clone, Copy)]
pub(super) struct Pose {
    x: Vec4,
    y: Vec4,
    z: Vec4,
    shift: Vec4,
}

impl Pose {
    fn of(push: &BoundsPush) -> Self {
        let [a, b, c] = push.rows;
        let column = |i: usize| Vec4::new(a[i], b[i], c[i], 0.0);
        Self {
            x: column(0),
            y: column(1),
            z: column(2),
            shift: column(3),
        }
    }

    /// The place of a point, whose fourth lane does not matter.
    #[inline(always)]
    fn world_of(&self, p: Vec4) -> Vec4 {
        self.x * p.xxxx() + self.y * p.yyyy() + self.z * p.zzzz() + self.shift
    }
}

/// The least and the greatest coordinates of places; the fourth lanes do not matter.
#[derive(Clone, Copy)]
pub(super) struct Extremes {
    pub lowest: Vec4,
    pub highest: Vec4,
}

impl Extremes {
    pub fn nothing() -> Self {
        Self {
            lowest: Vec4::INFINITY,
            highest: Vec4::NEG_INFINITY,
        }
    }

    #[inline(always)]
    fn add(&mut self, place: Vec4) {
        self.lowest = place.min(self.lowest);
        self.highest = place.max(self.highest);
    }

    pub fn with(self, other: Self) -> Self {
        Self {
            lowest: self.lowest.min(other.lowest),
            highest: self.highest.max(other.highest),
        }
    }

    /// Merges them into the six words from `at` on: three minima, three complemented maxima.
    pub fn merge(&self, extremes: Bound, at: u32) {
        let words = &extremes.words()[at as usize..][..6];
        for axis in 0..3 {
            words[axis].fetch_min(ordered(self.lowest[axis]), Relaxed);
            words[3 + axis].fetch_min(!ordered(self.highest[axis]), Relaxed);
        }
    }
}

impl Native for Bounds<'_> {
    fn run(&self, push: &BoundsPush, _: [u32; 3]) {
        let pose = Pose::of(push);
        let floats: &[f32] = self.positions.values();
        let found = merge_runs(
            push.count as usize,
            RUN,
            Extremes::nothing,
            |run| match push.stride {
                4 => {
                    let (first, last) = (run.start * 4, run.end * 4);
                    scan_fours(&pose, &floats[push.first as usize..][first..last])
                }
                _ => {
                    let positions = Positions::new(self.positions, push.first, push.stride);
                    let mut found = Extremes::nothing();
                    for vertex in run {
                        let p = positions.load(vertex as u32).extend(0.0);
                        found.add(pose.world_of(p));
                    }
                    found
                }
            },
            Extremes::with,
        );
        found.merge(self.extremes, push.at);
    }
}

/// The extremes of positions of four floats each.
fn scan_fours(pose: &Pose, floats: &[f32]) -> Extremes {
    // Two of each, so that one minimum need not wait for the one before.
    let [mut one, mut two] = [Extremes::nothing(); 2];
    let mut pairs = floats.chunks_exact(8);
    for pair in &mut pairs {
        one.add(pose.world_of(Vec4::from_slice(&pair[..4])));
        two.add(pose.world_of(Vec4::from_slice(&pair[4..])));
    }
    if let Some(last) = pairs.remainder().first_chunk::<4>() {
        one.add(pose.world_of(Vec4::from_array(*last)));
    }
    one.with(two)
}
