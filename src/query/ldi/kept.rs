//! Images that stay with a rigid mesh: made once in its own frame, then read by containment queries in any pose.

use super::room::NODE_BYTES;
use super::{
    HEADS, Ldi, LdiOptions, MARKS, NODES, RayResolution, Rays, SPANS, SUMMARIES, Step, Use,
};
use crate::error::{Result, invalid};
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::kernels::RaysBindings;
use crate::query::clusters::Refits;
use crate::query::workspace::{Memory, Place};
use crate::query::{Query, Resources};
use crate::scene::image::{ImageKey, KeptImage};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use std::sync::Arc;

/// The parts of working memory that make an image, in their order in a kept one.
const PARTS: [usize; 5] = [SUMMARIES, HEADS, NODES, SPANS, MARKS];

/// What images of these options are alike in; the generator does not matter.
pub(crate) fn key_of(options: &LdiOptions) -> ImageKey {
    let (resolution, cell_size) = match options.resolution {
        RayResolution::Pixels(side) => (side, 0.0),
        RayResolution::CellSize(size) => (0, size),
    };
    ImageKey {
        resolution,
        cell_size,
        axis: match options.rays {
            Rays::Along(axis) => axis,
            Rays::Best | Rays::All => 3,
        },
        memory: options.memory,
    }
}

/// A planned image.
pub struct ImageQuery {
    ldi: Ldi,
    steps: Vec<Step<()>>,
    image: Arc<KeptImage>,
}

impl ImageQuery {
    /// The image of a mesh in its own frame, to be kept.
    pub fn plan(resources: &Resources, mesh: Arc<Mesh>, options: LdiOptions) -> Result<Self> {
        if mesh.deforming {
            return Err(invalid(format!(
                "{} may deform: an image is kept of meshes without PRX_MESH_DEFORMING",
                mesh.name()
            )));
        }
        if options.rays == Rays::All {
            return Err(invalid(
                "containment takes rays along one axis; choose it, or the best",
            ));
        }
        let mesh = vec![(mesh, Pose::default())];
        let ldi = Ldi::plan(resources, mesh, options, Use::Certificates)?;
        let bytes = ldi.memory(0).parts;
        let image = KeptImage::new(
            &ldi.device,
            key_of(&options),
            PARTS.map(|part| bytes[part].bytes),
        )?;
        Ok(Self {
            steps: ldi.steps(&[]),
            ldi,
            image: Arc::new(image),
        })
    }
}

impl Query for ImageQuery {
    type Answer = ImageOfMesh;
    type Step = Step<()>;
    const NAME: &'static str = "image";

    fn is_on_host(&self) -> bool {
        self.ldi.is_on_host()
    }

    fn prepare(&mut self, refits: &mut Refits) {
        self.ldi.prepare(refits);
    }

    fn memory(&self) -> Memory {
        self.ldi.memory(0)
    }

    fn steps(&self) -> &[Self::Step] {
        &self.steps
    }

    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        match step {
            Step::Make(view, stage) => self.ldi.record(view, stage, place, recorder),
            Step::Read(..) => Ok(()),
        }
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        self.ldi.collect(place, recorder);
        for (kept, part) in PARTS.into_iter().enumerate() {
            let (from, start) = place.buffer(part);
            let (to, [at, bytes]) = self.image.place(kept);
            recorder.copy(from, start, to, at, bytes);
        }
    }

    fn answer(&self, bytes: &[u8]) -> Result<ImageOfMesh> {
        self.ldi.summaries(bytes)?;
        Ok(ImageOfMesh(self.image.clone()))
    }
}

/// An image that is there to be kept.
#[derive(Clone)]
pub struct ImageOfMesh(Arc<KeptImage>);

impl ImageOfMesh {
    /// That of a mesh which keeps one that was made like this, if such a one is asked for.
    pub(crate) fn kept(mesh: &Mesh, options: &LdiOptions) -> Option<Self> {
        (options.kept)
            .then(|| mesh.kept_image(key_of(options)))
            .flatten()
            .map(Self)
    }

    /// Leaves it with its mesh.
    pub fn keep(self, mesh: &Mesh) {
        mesh.keep_image(self.0);
    }

    pub(crate) fn is_on_host(&self) -> bool {
        self.0.device().is_host()
    }

    /// Crossings and rays that there was room for.
    pub(crate) fn room(&self) -> [u32; 2] {
        let bytes = |part: usize| self.0.place(part).1[1];
        [(bytes(2) / NODE_BYTES) as u32, (bytes(1) / 4) as u32]
    }

    pub(crate) fn summary(&self) -> Bound<'_> {
        self.0.part(0)
    }

    pub(crate) fn rays(&self) -> RaysBindings<'_> {
        RaysBindings {
            heads: self.0.part(1),
            nodes: self.0.part(2),
        }
    }

    pub(crate) fn spans(&self) -> Bound<'_> {
        self.0.part(3)
    }

    pub(crate) fn marks(&self) -> Bound<'_> {
        self.0.part(4)
    }
}
