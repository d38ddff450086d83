//! Distances, certificates and directions at many points, eight at a time. Partner: `shaders/field/sample.comp`.

use super::lanes::length;
use super::{Field, Storage};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch, load_rows, store_rows};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{SamplePush, SampleResult};
use crate::gpu::shader::kernels::Sample;
use crate::host::runs::each_run;
use std::ops::Range;

/// Points that are worth a thread.
const RUN: usize = 1024;

impl Native for Sample<'_> {
    fn run(&self, push: &SamplePush, _: [u32; 3]) {
        let field = Field::of(&self.field);
        each_run(push.count as usize, RUN, |run| {
            dispatch(Points {
                run,
                field: &field,
                points: self.points.values(),
                results: self.results.array(),
            });
        });
    }
}

struct Points<'a> {
    run: Range<usize>,
    field: &'a Field<'a>,
    points: &'a [[f32; 3]],
    results: Array<'a, SampleResult>,
}

impl LaneKernel for Points<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        for first in self.run.clone().step_by(WIDTH) {
            let end = self.run.end.min(first + WIDTH);
            let mut rows = [[0.0; WIDTH]; 3];
            for lane in 0..WIDTH {
                // The last one again where there are no more.
                let [x, y, z] = self.points[(first + lane).min(end - 1)];
                (rows[0][lane], rows[1][lane], rows[2][lane]) = (x, y, z);
            }
            self.write::<V>(first..end, load_rows(&rows));
        }
    }
}

impl Points<'_> {
    /// Samples eight points, and writes the results of as many as there are.
    #[inline(always)]
    fn write<V: Lanes>(&self, at: Range<usize>, p: [V; 3]) {
        let field = self.field;
        let zero = V::splat(0.0);
        let g = field.lane_clamp(p);
        let (value, outwards) = lane_outwards(field, g);
        let bounds = field.lane_certified(p, g, value);
        let interior = value.lt(zero);
        let mut towards = outwards;
        for i in 0..3 {
            towards[i] = interior.select(outwards[i], -outwards[i]);
        }
        let mut direction = unit(towards, [zero; 3]);
        if bounds.in_domain.bits() != u8::MAX {
            // From outside the domain, to where the domain's nearest point sees the surface.
            let mut seen = direction;
            for i in 0..3 {
                let nearest = V::splat(field.origin[i]) + g[i] * V::splat(field.params.cell);
                seen[i] = nearest + value.abs() * direction[i] - p[i];
            }
            let seen = unit(seen, direction);
            for i in 0..3 {
                direction[i] = bounds.in_domain.select(direction[i], seen[i]);
            }
        }
        let distance = bounds.in_domain.select(value, bounds.lower).store();
        let (lower, upper) = (bounds.lower.store(), bounds.unlimited.store());
        let (in_domain, interior) = (bounds.in_domain.bits(), interior.bits());
        let direction = store_rows(direction);
        for (lane, result) in at.enumerate() {
            self.results.set(
                result,
                SampleResult {
                    distance: distance[lane],
                    lower: lower[lane],
                    upper: upper[lane],
                    in_domain: (in_domain >> lane & 1).into(),
                    direction: [direction[0][lane], direction[1][lane], direction[2][lane]],
                    interior: (interior >> lane & 1).into(),
                },
            );
        }
    }
}

/// Unit vectors; `otherwise` where there is no length.
#[inline(always)]
fn unit<V: Lanes>(v: [V; 3], otherwise: [V; 3]) -> [V; 3] {
    let size = length(v);
    let (has_size, mut unit) = (V::splat(0.0).lt(size), v);
    for i in 0..3 {
        unit[i] = has_size.select(v[i] / size, otherwise[i]);
    }
    unit
}

/// Values and ways outwards at places in cells, inside the domain.
#[inline(always)]
fn lane_outwards<V: Lanes>(field: &Field, g: [V; 3]) -> (V, [V; 3]) {
    if let Storage::Direction(_) = field.storage {
        let there = field.lane_outwards(g);
        return (there.value, there.outwards);
    }
    // Central differences: one-sided ones would bias every sample the same way. At the rim of the domain the step is shorter.
    let (zero, one, mut outwards) = (V::splat(0.0), V::splat(1.0), g);
    for i in 0..3 {
        let (mut ahead, mut behind) = (g, g);
        ahead[i] = (g[i] + one).min(V::splat(field.cells[i]));
        behind[i] = (g[i] - one).max(zero);
        let rise = field.lane_values(ahead) - field.lane_values(behind);
        outwards[i] = rise / (ahead[i] - behind[i]);
    }
    (field.lane_values(g), outwards)
}
