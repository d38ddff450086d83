//! Samples, eight at a time, and their sums.

use super::Sampling;
use super::errors::CellCorners;
use crate::geometry::simd::{Lanes, WIDTH, load_rows};
use crate::host::field::lanes::LaneBounds;
use crate::host::penalty::Sum;
use crate::host::penalty::vectors::{cross, dot};
use glam::{Vec3, Vec4};

/// What the samples of a patch stand for.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) area: f32,
    pub(super) radius: f32,
    /// The root of the mean square distance from the middle: no less than the mean distance.
    pub(super) spread: f32,
}

/// Samples that wait for their turn.
#[derive(Default)]
pub(super) struct Waiting {
    points: [[f32; WIDTH]; 3],
    /// Velocities beyond those of the body.
    extras: [[f32; WIDTH]; 3],
    areas: [f32; WIDTH],
    radii: [f32; WIDTH],
    spreads: [f32; WIDTH],
    /// Where it is found what sums can be off by.
    corners: [CellCorners; WIDTH],
    count: usize,
}

impl Waiting {
    /// The corners of the cell that comes next.
    #[inline(always)]
    pub(super) fn add_corners(&mut self, corners: CellCorners) {
        self.corners[self.count % WIDTH] = corners;
    }

    /// The sample of a lane: where it is, and of what.
    pub(super) fn sample(&self, lane: usize) -> (Vec3, Cell, &CellCorners) {
        let [x, y, z] = &self.points;
        let cell = Cell {
            area: self.areas[lane],
            radius: self.radii[lane],
            spread: self.spreads[lane],
        };
        (
            Vec3::new(x[lane], y[lane], z[lane]),
            cell,
            &self.corners[lane],
        )
    }

    #[inline(always)]
    fn push(&mut self, p: Vec3, cell: &Cell, extra: Vec3) {
        let i = self.count % WIDTH;
        for axis in 0..3 {
            self.points[axis][i] = p[axis];
            self.extras[axis][i] = extra[axis];
        }
        (self.areas[i], self.radii[i], self.spreads[i]) = (cell.area, cell.radius, cell.spread);
        self.count = i + 1;
    }
}

/// The sums of each lane.
#[derive(Clone, Copy)]
pub(super) struct LaneSums<V> {
    force: [V; 3],
    area: V,
    torque: [V; 3],
    pressure: V,
    centroid: [V; 3],
    error: V,
    deepest: [V; 3],
    depth: V,
    inner_area: V,
    outer_area: V,
    depth_upper: V,
    depth_lower: V,
    pub(super) errors: Vec3,
    pub(super) samples: u32,
}

impl<V: Lanes> LaneSums<V> {
    #[inline(always)]
    pub(super) fn nothing() -> Self {
        let zero = V::splat(0.0);
        Self {
            force: [zero; 3],
            area: zero,
            torque: [zero; 3],
            pressure: zero,
            centroid: [zero; 3],
            error: zero,
            deepest: [zero; 3],
            depth: zero,
            inner_area: zero,
            outer_area: zero,
            depth_upper: zero,
            depth_lower: zero,
            errors: Vec3::ZERO,
            samples: 0,
        }
    }

    /// The sum of all lanes.
    #[inline(always)]
    pub(super) fn sum(&self) -> Sum {
        let depths = self.depth.store();
        let mut first = 0;
        for lane in 1..WIDTH {
            if depths[lane] > depths[first] {
                first = lane;
            }
        }
        let [x, y, z] = [
            self.deepest[0].store(),
            self.deepest[1].store(),
            self.deepest[2].store(),
        ];
        Sum {
            force_area: summed(self.force, self.area),
            torque_pressure: summed(self.torque, self.pressure),
            centroid_error: summed(self.centroid, self.error),
            deepest: Vec4::new(x[first], y[first], z[first], depths[first]),
            inner_area: self.inner_area.sum(),
            outer_area: self.outer_area.sum(),
            depth_upper: self.depth_upper.most(),
            depth_lower: self.depth_lower.most(),
            errors: self.errors,
            samples: self.samples,
            coarsened: false,
        }
    }
}

#[inline(always)]
fn summed<V: Lanes>([x, y, z]: [V; 3], w: V) -> Vec4 {
    Vec4::new(x.sum(), y.sum(), z.sum(), w.sum())
}

impl Sampling<'_> {
    /// Adds a sample, when eight have come together.
    #[inline(always)]
    pub(super) fn add_sample<V: Lanes>(
        &self,
        sums: &mut LaneSums<V>,
        waiting: &mut Waiting,
        (p, cell, extra): (Vec3, &Cell, Vec3),
        slack: f32,
    ) {
        waiting.push(p, cell, extra);
        if waiting.count == WIDTH {
            self.add_waiting(sums, waiting, slack);
        }
    }

    /// Adds the samples that still wait.
    #[inline(always)]
    pub(super) fn add_rest<V: Lanes>(
        &self,
        sums: &mut LaneSums<V>,
        waiting: &mut Waiting,
        slack: f32,
    ) {
        let count = waiting.count % WIDTH;
        if count == 0 {
            return;
        }
        // Copies without area fill up the lanes: they change no sum, and are no deeper than what they are copies of.
        for lane in count..WIDTH {
            for axis in 0..3 {
                waiting.points[axis][lane] = waiting.points[axis][0];
                waiting.extras[axis][lane] = 0.0;
            }
            waiting.areas[lane] = 0.0;
            waiting.radii[lane] = waiting.radii[0];
            waiting.spreads[lane] = 0.0;
        }
        self.add_waiting(sums, waiting, slack);
    }

    #[inline(always)]
    fn add_waiting<V: Lanes>(&self, sums: &mut LaneSums<V>, waiting: &mut Waiting, slack: f32) {
        let taken = u8::MAX >> (WIDTH - waiting.count);
        waiting.count = 0;
        let p = load_rows::<V>(&waiting.points);
        let g = self.field.lane_clamp(p);
        let found = self.field.lane_outwards(g);
        let s = self.field.lane_certified(p, g, found.value);
        let (zero, slack) = (V::splat(0.0), V::splat(slack));
        let near = slack + V::load(&waiting.radii);
        let counted = (s.lower - near).le(zero);
        if counted.bits() == 0 {
            return;
        }
        let area = counted & V::load(&waiting.areas);
        sums.outer_area = sums.outer_area + area;
        sums.inner_area = sums.inner_area + ((s.upper + near).lt(zero) & area);
        sums.depth_upper = sums.depth_upper.max(counted & (near - s.lower));
        sums.depth_lower = sums.depth_lower.max(counted & (-s.upper - slack));
        let distance = s.in_domain.select(s.value, s.lower);
        let doubt = (distance - s.lower).max(s.upper - distance);
        let doubt = V::load(&waiting.spreads) + slack + doubt;
        // Not where nothing counts: a doubt without bound times no area is no number.
        sums.error = sums.error + zero.lt(area).select(area * doubt, zero);
        let inside = counted & s.value.lt(zero) & s.in_domain;
        if self.bounded {
            let counted = counted.bits() & taken;
            self.add_errors(sums, waiting, &s, found.outwards, (counted, slack));
        }
        let bits = inside.bits() & taken;
        if bits != 0 {
            sums.samples += bits.count_ones();
            self.add_forces(sums, waiting, &s, p, found.outwards, inside);
        }
    }

    /// Adds the forces of samples inside.
    #[inline(always)]
    fn add_forces<V: Lanes>(
        &self,
        sums: &mut LaneSums<V>,
        waiting: &Waiting,
        s: &LaneBounds<V>,
        p: [V; 3],
        outwards: [V; 3],
        inside: V,
    ) {
        let zero = V::splat(0.0);
        let depth = inside & -s.value;
        let area = inside & V::load(&waiting.areas);
        let length = dot(outwards, outwards).sqrt();
        let told = zero.lt(length);
        let (mut towards, mut q, mut arm) = (outwards, p, p);
        for i in 0..3 {
            towards[i] = told & (outwards[i] / length);
            q[i] = p[i] + depth * towards[i];
            arm[i] = q[i] - V::splat(self.centre[i]);
        }
        let mut force = (self.motion).lane_force_at(p, q, towards, depth, &waiting.extras);
        for axis in &mut force {
            *axis = *axis * area;
        }
        let torque = cross(arm, force);
        for i in 0..3 {
            sums.force[i] = sums.force[i] + force[i];
            sums.torque[i] = sums.torque[i] + torque[i];
            sums.centroid[i] = sums.centroid[i] + area * q[i];
        }
        sums.area = sums.area + area;
        sums.pressure = sums.pressure + area * depth;
        let deeper = sums.depth.lt(depth);
        sums.depth = sums.depth.max(depth);
        for (deepest, p) in sums.deepest.iter_mut().zip(p) {
            *deepest = deeper.select(p, *deepest);
        }
    }
}
