//! Distances, certificates and directions at many points. Partner: `shaders/field/sample.comp`.

use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{SamplePush, SampleResult};
use crate::gpu::shader::kernels::Sample;
use crate::host::field::Field;
use crate::host::runs::each_run;
use glam::Vec3;

/// Points that are worth a thread.
const RUN: usize = 1024;

impl Native for Sample<'_> {
    fn run(&self, push: &SamplePush, _: [u32; 3]) {
        let field = Field::of(&self.field);
        let points: &[[f32; 3]] = self.points.values();
        let results = self.results.array::<SampleResult>();
        each_run(push.count as usize, RUN, |run| {
            for i in run {
                let p = Vec3::from(points[i]);
                let s = field.sample(p);
                let result = SampleResult {
                    distance: s.distance,
                    lower: s.lower,
                    upper: s.upper,
                    in_domain: s.in_domain.into(),
                    direction: field.towards_surface(&s, p).to_array(),
                    interior: s.interior.into(),
                };
                results.set(i, result);
            }
        });
    }
}
