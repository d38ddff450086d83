//! Volume: what two closed meshes have in common, by layered depth images (Heidelberger et al. 2003, section 2.3).

mod certificate;

use super::clusters::Refits;
use super::ldi::{Frame, Ldi, LdiOptions, Step, Summary, Use};
use super::output::{OutputArray, OutputFrame, OutputPlace, placement};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result};
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{MeasurePush, TotalPush, VolumeOutputPush, VolumeRecord};
use crate::gpu::shader::kernels::{Fetch, Measure, Total, VolumeOutput};
use crate::gpu::share::GridShare;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, world};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// What two meshes have in common. Lengths and places are in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntersectionVolume {
    /// The volume, between `lower` and `upper`.
    pub volume: f64,
    /// The volume is no less.
    pub lower: f64,
    /// The volume is no more.
    pub upper: f64,
    /// Centre of the volume; zero when there is none.
    pub centroid: DVec3,
    /// How far the exact centre can be from it; infinite where there may be no volume.
    pub centroid_error: f64,
    /// A box that holds the whole intersection; zero when there is none.
    pub min: DVec3,
    /// Its upper corner.
    pub max: DVec3,
    /// How the volume changes as the first mesh moves: the integral of the outward normal over the part of its surface that is
    /// inside the second. For a motion of the second mesh it is the opposite.
    pub gradient: DVec3,
    /// How it changes as a mesh turns about the place of its pose: the integral of the arm crossed with its normal.
    pub torque: [DVec3; 2],
    /// Length of the longest stretch of a ray inside both.
    pub deepest: f64,
    /// Its ends.
    pub deepest_span: [DVec3; 2],
    /// For each mesh, rays on which parity and signed crossings disagree: there it is open, not manifold, not consistently
    /// oriented, or winds around something twice.
    pub flawed: [u32; 2],
    /// Crossings of a mesh with one ray, at most.
    pub layers: [u32; 2],
    /// Rays through the volume of interest.
    pub rays: u64,
    /// The axis of the rays.
    pub axis: u32,
}

/// Workgroups of `measure.comp`; on a device always as many, so that sums always have the same order.
const MEASURE_GROUPS: GridShare = GridShare {
    software: 32,
    hardware: 256,
};
/// Words that an invocation of it leaves: PARTIALS of `partials.glsl`.
const PARTIALS: u64 = 13;

/// How the rays of a view are read.
#[derive(Debug, Clone, Copy)]
pub enum ReadVolume {
    /// Each invocation sums up its rays; where it is asked for, each mesh is integrated within the spans of the other.
    Measure,
    /// The sums are added in a fixed order.
    Total,
}

/// A planned volume query.
pub struct VolumeQuery {
    ldi: Ldi,
    poses: [Pose; 2],
    /// Whether the meshes are integrated.
    narrow: bool,
    /// Workgroups of `measure.comp`.
    groups: u32,
    steps: Vec<Step<ReadVolume>>,
}

impl VolumeQuery {
    /// The volume that two closed meshes have in common.
    pub fn plan(
        resources: &Resources,
        a: (Arc<Mesh>, Pose),
        b: (Arc<Mesh>, Pose),
        options: LdiOptions,
    ) -> Result<Self> {
        let poses = [a.1, b.1];
        let ldi = Ldi::plan(resources, vec![a, b], options, Use::Certificates)?;
        Ok(Self {
            steps: ldi.steps(&[ReadVolume::Measure, ReadVolume::Total]),
            ldi,
            poses,
            narrow: options.narrow,
            groups: MEASURE_GROUPS.on(&resources.device),
        })
    }

    /// Invocations of `measure.comp`.
    fn lanes(&self) -> u32 {
        self.groups * Measure::WORKGROUP[0]
    }

    /// What the rays along one axis say.
    fn view(&self, summary: &Summary) -> IntersectionVolume {
        let frame = &summary.frame;
        if frame.width == 0 {
            return IntersectionVolume {
                axis: frame.axis,
                ..IntersectionVolume::NOTHING
            };
        }
        let cell = frame.cell();
        let bin = cell.x * cell.y * cell.z;
        let [lower, upper] = certificate::interval_of(summary, self.narrow).map(|bins| bins * bin);
        let gradient = frame.to_axes(Vec3::from(summary.gradient).as_dvec3());
        let torque = frame.to_axes(Vec3::from(summary.torque).as_dvec3());
        let middle = frame.world(
            0.5 * DVec3::new(
                f64::from(frame.width - 1),
                f64::from(frame.height - 1),
                frame.bins.into(),
            ),
        );
        let about = |pose: &Pose, force: DVec3, torque: DVec3| {
            torque + (middle - pose.position.as_dvec3()).cross(force)
        };
        let (min, max) = self.bounds(summary);
        let centroid = centroid(summary);
        let deepest = f64::from(summary.deepest_length) * cell.z;
        IntersectionVolume {
            // Not by `clamp`, which panics where positions are no numbers.
            volume: (f64::from(summary.extent) * bin).max(lower).min(upper),
            lower: lower * (1.0 - ROUNDING),
            upper: upper * (1.0 + ROUNDING),
            centroid,
            centroid_error: self.centroid_error(summary, centroid, lower),
            min,
            max,
            gradient,
            torque: [
                about(&self.poses[0], gradient, torque),
                about(&self.poses[1], -gradient, -torque),
            ],
            deepest,
            deepest_span: if deepest > 0.0 {
                deepest_span(summary)
            } else {
                [DVec3::ZERO; 2]
            },
            flawed: summary.flawed,
            layers: summary.layers,
            rays: u64::from(frame.width - 2) * u64::from(frame.height - 2),
            axis: frame.axis,
        }
    }

    /// How far the exact centre can be from that of what the rays see.
    ///
    /// What the rays see, E, and the intersection, V, differ in bins only that are possibly and not certainly inside: by a volume w, at places no farther from
    /// the centre c of E than r, which the box around all of them tells. So the integral of x - c over V is that over E, which is zero but for rounding, and at most w r
    /// more; divided by the volume of V it is how far the centres are apart.
    fn centroid_error(&self, summary: &Summary, centroid: DVec3, lower: f64) -> f64 {
        if lower.is_nan() || lower <= 0.0 {
            return f64::INFINITY;
        }
        let cell = summary.frame.cell();
        let bin = cell.x * cell.y * cell.z;
        let doubtful = (f64::from(summary.upper_bins) - f64::from(summary.lower_bins)).abs() * bin;
        let (min, max) = self.bounds(summary);
        let reach = (centroid - min).abs().max((max - centroid).abs()).length();
        // Floats add up what each invocation sees, then all of them; the places are from a corner of the frame and above zero.
        let frame = &summary.frame;
        let rays = f64::from(frame.width) * f64::from(frame.height);
        let lanes = f64::from(self.lanes());
        let spans = 1.0 + f64::from(summary.layers[0].min(summary.layers[1]));
        let additions = (rays / lanes + 1.0) * spans + lanes + 32.0;
        let frame_size =
            cell * DVec3::new(frame.width.into(), frame.height.into(), frame.bins.into());
        let rounding = 2.0 * f64::from(f32::EPSILON) * additions * frame_size.length();
        let seen = f64::from(summary.extent) * bin;
        (1.0 + 1e-6) * (doubtful * reach + rounding * seen) / lower
    }

    fn bounds(&self, summary: &Summary) -> (DVec3, DVec3) {
        if summary.upper_bins == 0 {
            return (DVec3::ZERO, DVec3::ZERO);
        }
        let low = DVec3::from(summary.complement.map(|word| f64::from(!word)))
            - DVec3::new(0.5, 0.5, 0.0);
        let high = DVec3::from(summary.maxima.map(f64::from)) + DVec3::new(0.5, 0.5, 1.0);
        (summary.frame.world(low), summary.frame.world(high))
    }
}

impl Query for VolumeQuery {
    type Answer = IntersectionVolume;
    type Step = Step<ReadVolume>;
    const NAME: &'static str = "volume";

    fn is_on_host(&self) -> bool {
        self.ldi.is_on_host()
    }

    fn prepare(&mut self, refits: &mut Refits) {
        self.ldi.prepare(refits);
    }

    fn memory(&self) -> Memory {
        self.ldi
            .memory(0)
            .with([4 * PARTIALS * u64::from(self.lanes())])
    }

    fn steps(&self) -> &[Self::Step] {
        &self.steps
    }

    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let ldi = &self.ldi;
        let partials = place.part(ldi.parts());
        match step {
            Step::Make(view, stage) => ldi.record(view, stage, place, recorder),
            Step::Read(view, ReadVolume::Measure) => {
                if self.narrow {
                    ldi.record_prisms(view, place, recorder)?;
                }
                let (marks, spans) = (ldi.marks(place), ldi.spans(place));
                let kernel = Measure {
                    fetch: Fetch::of([marks, spans]),
                    summaries: ldi.summary(view, place),
                    rays: ldi.rays(place),
                    marks,
                    partials,
                    spans,
                };
                let push = MeasurePush {
                    capacity: ldi.capacity(),
                };
                recorder.dispatch(&kernel, &push, [self.groups, 1, 1])
            }
            Step::Read(view, ReadVolume::Total) => {
                let kernel = Total {
                    summaries: ldi.summary(view, place),
                    partials,
                };
                recorder.dispatch(
                    &kernel,
                    &TotalPush {
                        count: self.lanes(),
                    },
                    [1, 1, 1],
                )
            }
        }
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        self.ldi.collect(place, recorder);
    }

    fn recording(&self) -> Option<u32> {
        self.ldi.recording()
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<VolumeRecord>("volumes")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        self.ldi.leave_host(device)?;
        self.groups = MEASURE_GROUPS.on(&device.device);
        Ok(())
    }

    fn plan_output(&mut self, _array: usize, _device: &Resources) -> Result<()> {
        if self.ldi.views() > 1 {
            return Err(Error::Unsupported(
                "the views along three axes are united by the host: with rays along one axis a volume can go to a buffer".into(),
            ));
        }
        Ok(())
    }

    fn placement(&self) -> OutputFrame {
        placement(&world(&self.poses[0]), &world(&self.poses[1]))
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = VolumeOutput {
            output: output.output,
            summaries: self.ldi.answered_summary(0, place),
            records: output.records,
        };
        let push = VolumeOutputPush {
            room: output.room,
            nodes: self.ldi.capacity(),
            pixels: self.ldi.pixels(),
            prisms: self.narrow.into(),
        };
        recorder.dispatch(&kernel, &push, [1, 1, 1])
    }

    fn answer(&self, bytes: &[u8]) -> Result<IntersectionVolume> {
        let summaries = self.ldi.summaries(bytes)?;
        let views: Vec<_> = summaries.iter().map(|one| self.view(one)).collect();
        Ok(united(&views))
    }
}

/// More than a product of doubles rounds.
const ROUNDING: f64 = 1e-14;

impl IntersectionVolume {
    const NOTHING: Self = Self {
        volume: 0.0,
        lower: 0.0,
        upper: 0.0,
        centroid: DVec3::ZERO,
        centroid_error: f64::INFINITY,
        min: DVec3::ZERO,
        max: DVec3::ZERO,
        gradient: DVec3::ZERO,
        torque: [DVec3::ZERO; 2],
        deepest: 0.0,
        deepest_span: [DVec3::ZERO; 2],
        flawed: [0; 2],
        layers: [0; 2],
        rays: 0,
        axis: 0,
    };
}

fn centroid(summary: &Summary) -> DVec3 {
    if summary.extent <= 0.0 {
        return DVec3::ZERO;
    }
    summary
        .frame
        .world(Vec3::from(summary.moment).as_dvec3() / f64::from(summary.extent))
}

fn deepest_span(summary: &Summary) -> [DVec3; 2] {
    let frame: &Frame = &summary.frame;
    let (i, k) = (
        summary.deepest_pixel % frame.width,
        summary.deepest_pixel / frame.width,
    );
    let at = |w: f32| frame.world(DVec3::new(i.into(), k.into(), w.into()));
    [
        at(summary.deepest_from),
        at(summary.deepest_from + summary.deepest_length),
    ]
}

/// One answer of several views: means of the estimates, and what all certificates allow. Those of flawed rays may contradict each
/// other; then it is what any of them allows.
fn united(views: &[IntersectionVolume]) -> IntersectionVolume {
    let mut one = views[0];
    if views.len() == 1 {
        return one;
    }
    let mean = |of: fn(&IntersectionVolume) -> DVec3| {
        views.iter().map(of).sum::<DVec3>() / views.len() as f64
    };
    for view in &views[1..] {
        let (lower, upper) = (one.lower.max(view.lower), one.upper.min(view.upper));
        let (min, max) = (one.min.max(view.min), one.max.min(view.max));
        if views.iter().all(|v| v.flawed == [0; 2]) && lower <= upper {
            (one.lower, one.upper, one.min, one.max) = (lower, upper, min, max);
        } else {
            one.lower = one.lower.min(view.lower);
            one.upper = one.upper.max(view.upper);
            one.min = one.min.min(view.min);
            one.max = one.max.max(view.max);
        }
    }
    let volume = views.iter().map(|v| v.volume).sum::<f64>();
    one.volume = (volume / views.len() as f64).max(one.lower).min(one.upper);
    one.centroid =
        views.iter().map(|v| v.centroid * v.volume).sum::<DVec3>() / volume.max(f64::MIN_POSITIVE);
    let far =
        |view: &IntersectionVolume| view.centroid_error + view.centroid.distance(one.centroid);
    one.centroid_error = views.iter().map(far).fold(f64::INFINITY, f64::min);
    one.gradient = mean(|v| v.gradient);
    one.torque = [mean(|v| v.torque[0]), mean(|v| v.torque[1])];
    one.rays = views.iter().map(|v| v.rays).sum();
    for view in views {
        if view.deepest > one.deepest {
            (one.deepest, one.deepest_span, one.axis) =
                (view.deepest, view.deepest_span, view.axis);
        }
        for mesh in 0..2 {
            one.flawed[mesh] = one.flawed[mesh].max(view.flawed[mesh]);
            one.layers[mesh] = one.layers[mesh].max(view.layers[mesh]);
        }
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(lower: f64, upper: f64, flawed: u32) -> IntersectionVolume {
        IntersectionVolume {
            volume: 0.5 * (lower + upper),
            lower,
            upper,
            flawed: [flawed, 0],
            ..IntersectionVolume::NOTHING
        }
    }

    #[test]
    fn the_lower_bound_is_below_the_upper_also_with_flawed_rays() {
        let sound = united(&[seen(1.0, 3.0, 0), seen(2.0, 4.0, 0), seen(0.0, 2.5, 0)]);
        assert_eq!((sound.lower, sound.upper), (2.0, 2.5));
        // One view has lost what the others see.
        let flawed = united(&[seen(1.0, 3.0, 7), seen(4.0, 5.0, 0), seen(4.5, 6.0, 0)]);
        assert_eq!((flawed.lower, flawed.upper), (1.0, 6.0));
        assert!(flawed.lower <= flawed.volume && flawed.volume <= flawed.upper);
        assert_eq!(flawed.flawed, [7, 0]);
    }
}
