//! How the device filters textures, measured on a ramp: sub-texel precision is reported by devices but not promised by all, and some
//! filter 16-bit formats in 16 bits.

use super::buffer::{Buffer, Role};
use super::device::Device;
use super::image::{Image, Voxel};
use super::recorder::{Bound, Recorder, Texture};
use super::shader::kernels::FilterRamp;
use super::staging::Staging;
use crate::error::Result;
use half::f16;
use std::sync::Arc;

/// What a filtered value can be off by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Filter {
    /// How finely samples are placed between two voxels, as a fraction of their distance: the weights' error along an axis.
    pub step: f32,
    /// What a value is rounded by, as a fraction of it.
    pub rounding: f32,
}

/// Samples between two voxels, partner: filter_ramp.comp.
const SAMPLES: usize = 1024;
/// Voxels of the ramp along each axis. The value rises by 1, 2 and 4 along x, y and z; in the half with x >= 2 it starts
/// at `HIGH`, where rounding of the value shows. All are whole numbers that 16 bits hold.
const SIDES: [u32; 3] = [4, 2, 2];
const SLOPES: [f32; 3] = [1.0, 2.0, 4.0];
const HIGH: f32 = 1024.0;

fn voxel_at(index: u32) -> f32 {
    let (x, y, z) = (
        index % SIDES[0],
        index / SIDES[0] % SIDES[1],
        index / (SIDES[0] * SIDES[1]),
    );
    let along_x = if x < 2 {
        x as f32
    } else {
        HIGH + (x - 2) as f32
    };
    along_x + SLOPES[1] * y as f32 + SLOPES[2] * z as f32
}

impl Filter {
    /// Native code: weights and values are only rounded as any float is.
    pub const EXACT: Self = Self {
        step: 0.0,
        rounding: 0.0,
    };

    /// From what was sampled: for both halves of the ramp and each axis [`SAMPLES`] values, at equal steps from voxel to voxel.
    fn of(values: &[f32]) -> Self {
        let off = |half: usize, axis: usize| {
            let from = (3 * half + axis) * SAMPLES;
            let start = HIGH * half as f32;
            (values[from..from + SAMPLES].iter().enumerate())
                .map(|(k, value)| {
                    let exact = start + SLOPES[axis] * (k as f32 + 0.5) / SAMPLES as f32;
                    // A filter that gives no number is off by everything.
                    let off = (value - exact).abs();
                    if off.is_nan() { f32::INFINITY } else { off }
                })
                .fold(0.0, f32::max)
        };
        // Between two samples an error can be larger by what the ramp rises there.
        let gap = 1.0 / SAMPLES as f32;
        let step = (0..3)
            .map(|axis| off(0, axis) / SLOPES[axis] + gap)
            .fold(0.0, f32::max);
        let rounding = (0..3)
            .map(|axis| (off(1, axis) - SLOPES[axis] * step).max(0.0) / HIGH)
            .fold(0.0, f32::max);
        Self { step, rounding }
    }

    /// Samples a ramp on the device.
    pub(crate) fn measured(device: &Arc<Device>, voxel: Voxel) -> Result<Self> {
        let ramp = Arc::new(Image::new(
            device,
            voxel,
            SIDES,
            "a ramp to measure the filter on",
        )?);
        let channels = match voxel {
            Voxel::F16 | Voxel::F32 => 1,
            Voxel::F16x4 | Voxel::F32x4 => 4,
        };
        let values = (0..SIDES.iter().product()).flat_map(|i| vec![voxel_at(i); channels]);
        let bytes: Vec<u8> = match voxel {
            Voxel::F16 | Voxel::F16x4 => values
                .flat_map(|v| f16::from_f32(v).to_le_bytes())
                .collect(),
            Voxel::F32 | Voxel::F32x4 => values.flat_map(f32::to_le_bytes).collect(),
        };
        let mut staging = Staging::default();
        staging.upload_image(device, &ramp, |out| out.copy_from_slice(&bytes))?;
        let size = (6 * SAMPLES * size_of::<f32>()) as u64;
        let results = Buffer::new(device, Role::Readback, size, "a measured ramp")?;
        let mut recorder = Recorder::new(device)?;
        recorder.begin()?;
        staging.record(&mut recorder);
        let kernel = FilterRamp {
            ramp: Texture::Sampled(&ramp),
            values: Bound::whole(&results),
        };
        recorder.dispatch(
            &kernel,
            &(),
            [6 * SAMPLES as u32 / FilterRamp::WORKGROUP[0], 1, 1],
        )?;
        recorder.hand_to_host();
        // SAFETY: everything recorded is waited for here.
        let moment = unsafe { recorder.submit(&[], &[]) }.inspect_err(|_| staging.abandoned())?;
        staging.submitted(moment);
        device.finish(moment)?;
        Ok(Self::of(bytemuck::cast_slice(results.bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(filter: impl Fn(f32, f32, f32) -> f32) -> Vec<f32> {
        let at = |i: usize| (i % SAMPLES) as f32 / SAMPLES as f32 + 0.5 / SAMPLES as f32;
        (0..6 * SAMPLES)
            .map(|i| {
                filter(
                    HIGH * (i / (3 * SAMPLES)) as f32,
                    SLOPES[i / SAMPLES % 3],
                    at(i),
                )
            })
            .collect()
    }

    #[test]
    fn an_exact_filter_has_no_step_that_can_be_seen() {
        let filter = Filter::of(&sampled(|start, slope, t| start + slope * t));
        assert!(
            filter.step <= 1.0 / SAMPLES as f32 && filter.rounding < 1e-6,
            "{filter:?}"
        );
    }

    #[test]
    fn steps_and_rounding_are_found() {
        for steps in [16.0, 256.0] {
            let filter = Filter::of(&sampled(|start, slope, t| {
                start + slope * (t * steps).floor() / steps
            }));
            assert!(
                (1.0..1.3).contains(&(filter.step * steps)),
                "{steps}: {filter:?}"
            );
            assert!(filter.rounding < 1e-6, "{filter:?}");
        }
        let half = Filter::of(&sampled(|start, slope, t| {
            f16::from_f32(start + slope * t).to_f32()
        }));
        // Half a unit in the last place of 16 bits at 1024 is 1/2048 of it; what the step has of it is not counted twice.
        assert!((1e-4..1e-3).contains(&half.rounding), "{half:?}");
        assert_eq!(Filter::of(&sampled(|_, _, _| f32::NAN)).step, f32::INFINITY);
    }
}
