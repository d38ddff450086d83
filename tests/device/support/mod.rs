//! What the device tests share: a context whose log must stay clean, and meshes to try.

pub mod adversarial;
pub mod ask;
pub mod contact;
pub mod kinds;

use fixtures::shapes::Shape;
use proxel::context::Context;
use proxel::geometry::surface::Surface;
use proxel::gpu::device::{Options, Trial};
use proxel::gpu::paths::{Choice, Choices, DeviceFeature};
use proxel::gpu::physical::{DeviceKind, DeviceRequest};
use proxel::gpu::share::Spread;
use proxel::log::{Log, Severity};
use proxel::scene::mesh::MeshInput;
use std::sync::{Arc, Mutex};

/// A context on the device that the environment selects; a warning or a validation message fails the test at its end.
pub struct Checked {
    /// The context under test.
    pub context: Context,
    messages: Arc<Mutex<Vec<String>>>,
}

impl Checked {
    /// Every optional feature the device has.
    pub fn open() -> Self {
        Self::with(Choices::default())
    }

    /// Without one optional feature.
    pub fn without(feature: DeviceFeature) -> Self {
        let mut choices = Choices::default();
        choices[feature as usize] = Choice::Off;
        Self::with(choices)
    }

    /// Treated as another device.
    pub fn on_trial(trial: Trial) -> Self {
        Self::made(Choices::default(), trial, Choice::Off)
    }

    /// With the host beside the device, as far as `choice` says.
    pub fn beside(choice: Choice) -> Self {
        Self::made(Choices::default(), Trial::default(), choice)
    }

    /// With the host beside a processor and beside a GPU.
    pub fn spreads_beside() -> [Self; 2] {
        [Spread::Software, Spread::Hardware].map(|spread| {
            let trial = Trial {
                spread: Some(spread),
                ..Trial::default()
            };
            Self::made(Choices::default(), trial, Choice::Auto)
        })
    }

    /// As a processor and as a GPU: work is spread over workgroups, dispatches and submissions otherwise.
    pub fn spreads() -> [Self; 2] {
        [Spread::Software, Spread::Hardware].map(|spread| {
            Self::on_trial(Trial {
                spread: Some(spread),
                ..Trial::default()
            })
        })
    }

    /// With a filter that takes so many steps between two voxels, as hardware does.
    pub fn with_filter(steps: u32) -> Self {
        Self::on_trial(Trial {
            filter_steps: steps,
            ..Trial::default()
        })
    }

    fn with(choices: Choices) -> Self {
        Self::made(choices, Trial::default(), Choice::Off)
    }

    /// On the host, with so many threads, whatever the device under test.
    pub fn host(threads: u32) -> Self {
        let wanted = DeviceRequest {
            kind: DeviceKind::Host,
            ..DeviceRequest::default()
        };
        Self::opened(
            wanted,
            Choices::default(),
            Trial::default(),
            Choice::Off,
            threads,
        )
    }

    fn made(choices: Choices, trial: Trial, beside: Choice) -> Self {
        Self::opened(wanted(), choices, trial, beside, 0)
    }

    fn opened(
        wanted: DeviceRequest,
        choices: Choices,
        trial: Trial,
        beside: Choice,
        threads: u32,
    ) -> Self {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let sink = messages.clone();
        let log = Log::new(Severity::Warning, move |_, text| {
            sink.lock().unwrap().push(text.to_owned());
        });
        let options = Options {
            wanted,
            choices,
            beside,
            validation: true,
            pipeline_cache: Vec::new(),
            trial,
            log,
        };
        let context = Context::open(options, threads)
            .expect("these tests need a Vulkan device and the validation layer: run scripts/setup");
        Self { context, messages }
    }
}

/// Whether the device under test is the host itself.
pub fn on_host() -> bool {
    std::env::var("PROXEL_TEST_DEVICE").is_ok_and(|name| name == "host")
}

fn wanted() -> DeviceRequest {
    DeviceRequest {
        kind: match on_host() {
            true => DeviceKind::Host,
            false => DeviceKind::Vulkan,
        },
        ..DeviceRequest::default()
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        let messages = self.messages.lock().unwrap();
        if !std::thread::panicking() {
            assert!(messages.is_empty(), "the log is not clean: {messages:#?}");
        }
    }
}

/// A deforming mesh of a shape.
pub fn input(shape: &Shape) -> MeshInput {
    MeshInput {
        label: "shape".into(),
        triangles: shape.triangles.clone(),
        vertices: shape.positions.len() as u32,
        positions: Some(shape.positions.clone().into()),
        engine: None,
        deforming: true,
    }
}

/// How many times as many cases as usual a test tries: what the variable PROXEL_SWEEP says, or 1.
pub fn times() -> usize {
    std::env::var("PROXEL_SWEEP").map_or(1, |n| n.parse().expect("PROXEL_SWEEP is a number"))
}

/// A mesh as `geometry` takes it.
pub fn surface(shape: &Shape) -> Surface<'_> {
    Surface {
        positions: (&shape.positions).into(),
        triangles: &shape.triangles,
    }
}
