//! The host beside a Vulkan device: queries that are done there sooner run there.
//!
//! A software device runs on the same cores as native code and is slower, at 1.6 to 10 times the time where it was measured; a GPU is faster, but a submission costs more than a
//! small mesh does on the host. What only the device has, an engine's buffer or a live field, stays there.

use super::Resources;
use crate::error::Result;
use crate::field::Field;
use crate::gpu::device::Device;
use crate::gpu::paths::Choice;
use crate::gpu::recorder::Recorder;
use crate::gpu::share::Spread;
use crate::scene::mesh::Mesh;
use crate::workers::Workers;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The host beside a device.
pub struct Beside {
    /// What queries on it are planned with.
    pub resources: Arc<Resources>,
    /// Queries on meshes of at most so many triangles run there.
    pub most_triangles: u32,
}

/// Triangles that the host looks at in a second, roughly. Proximity of knots deep in each other took 0.39 ms for 1,000 triangles and 0.53 ms
/// for 20,000 on two cores: 2.6 and 38 million per second.
const TRIANGLES_PER_SECOND: f64 = 5e6;

/// Empty submissions that are timed; the fastest counts.
const SUBMISSIONS: usize = 3;

impl Beside {
    /// Nothing where the caller wants none; everything that can be where the caller requires it.
    pub fn of(
        device: &Arc<Device>,
        host: Arc<Device>,
        workers: Arc<Workers>,
        choice: Choice,
    ) -> Result<Option<Self>> {
        let most_triangles = match choice {
            Choice::Off => return Ok(None),
            Choice::Require => u32::MAX,
            Choice::Auto => match Spread::of(device) {
                Spread::Software => u32::MAX,
                Spread::Hardware => (latency(device)?.as_secs_f64() * TRIANGLES_PER_SECOND) as u32,
            },
        };
        Ok(Some(Self {
            resources: Arc::new(Resources::new(host, workers)),
            most_triangles,
        }))
    }
}

/// What a submission costs that does nothing.
fn latency(device: &Arc<Device>) -> Result<Duration> {
    let mut recorder = Recorder::new(device)?;
    let mut fastest = Duration::MAX;
    for _ in 0..SUBMISSIONS {
        let started = Instant::now();
        recorder.begin()?;
        recorder.hand_to_host();
        // SAFETY: nothing is recorded that could go away, and it is waited for.
        let moment = unsafe { recorder.submit(&[], &[]) }?;
        device.finish(moment)?;
        fastest = fastest.min(started.elapsed());
    }
    Ok(fastest)
}

impl Resources {
    /// Where a query about meshes and fields runs: here, or on the host beside this device, which then has all of them.
    pub(crate) fn fastest(&self, meshes: &[&Mesh], fields: &[&Field]) -> Result<&Self> {
        let Some(beside) = &self.beside else {
            return Ok(self);
        };
        let triangles: u64 = meshes.iter().map(|m| m.triangles.len() as u64).sum();
        let fits = triangles <= beside.most_triangles.into();
        if !fits || fields.iter().any(|f| f.is_live()) || meshes.iter().any(|m| m.is_engine_owned())
        {
            return Ok(self);
        }
        let host = &*beside.resources;
        let mut staging = host.staging();
        for mesh in meshes {
            mesh.copy_to_host(&host.device, &mut staging)?;
        }
        for field in fields {
            field.copy_to_host(&host.device, &mut staging)?;
        }
        drop(staging);
        Ok(host)
    }
}
