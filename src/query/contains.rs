//! Contains: which of many points are inside a closed mesh (Heidelberger et al. 2003, section 2.3: vertex-in-volume).

use super::clusters::Refits;
use super::ldi::{ImageOfMesh, Ldi, LdiOptions, Rays, Step, Use};
use super::output::{OutputArray, OutputPlace};
use super::workspace::{Memory, Place};
use super::{Query, Resources};
use crate::error::{Error, Result, invalid};
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::blocks::{ContainmentOutputPush, ContainsPush};
use crate::gpu::shader::kernels::{ContainmentOutput, Contains, Fetch};
use crate::gpu::share::{GridShare, groups_of};
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_vectors};
use glam::Vec3;
use std::sync::Arc;

/// What is known of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Containment {
    /// Whether the nearest ray is inside the mesh at the point's depth.
    pub inside: bool,
    /// Whether the surface comes so near that the point itself may be on its other side. Points farther from the surface than a
    /// pixel's diagonal are never on the other side, and most of them are not near.
    pub near: bool,
}

/// Points that an invocation takes before more workgroups pay.
const POINTS_PER_LANE: GridShare = GridShare {
    software: 8,
    hardware: 1,
};
/// More workgroups than this only take turns.
const MAX_GROUPS: u32 = 4096;

/// The image that points are looked up in.
enum LookedUp {
    /// Made by the query, of the mesh where it is.
    Made(Ldi),
    /// Kept with the mesh, in its frame: the points are brought there.
    Kept(ImageOfMesh),
}

/// A planned containment query.
pub struct ContainsQuery {
    image: LookedUp,
    steps: Vec<Step<()>>,
    points: Vec<Vec3>,
    count: u32,
}

impl ContainsQuery {
    /// Which points of the world are inside a closed mesh.
    pub fn plan(
        resources: &Resources,
        mesh: (Arc<Mesh>, Pose),
        points: &[Vec3],
        options: LdiOptions,
    ) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        if options.rays == Rays::All {
            return Err(invalid(
                "containment takes rays along one axis; choose it, or the best",
            ));
        }
        if let Some(image) = ImageOfMesh::kept(&mesh.0, &options) {
            return Self::by_image(resources, image, mesh.1, points);
        }
        let ldi = Ldi::plan(resources, vec![mesh], options, Use::Certificates)?;
        Ok(Self {
            steps: ldi.steps(&[()]),
            image: LookedUp::Made(ldi),
            points: resources.input(points, "points", "ask for them in parts")?,
            count: points.len() as u32,
        })
    }

    /// The same by an image that the mesh keeps. Bringing a point to the mesh's frame rounds it less than vertices are held to be rounded.
    fn by_image(
        resources: &Resources,
        image: ImageOfMesh,
        pose: Pose,
        points: &[Vec3],
    ) -> Result<Self> {
        pose.validate()?;
        let mut brought = resources.input(points, "points", "ask for them in parts")?;
        for point in &mut brought {
            *point = pose.unapply(point.as_dvec3()).as_vec3();
        }
        Ok(Self {
            steps: vec![Step::Read(0, ())],
            image: LookedUp::Kept(image),
            points: brought,
            count: points.len() as u32,
        })
    }

    /// Bytes before the answers.
    fn header(&self) -> u64 {
        match &self.image {
            LookedUp::Made(ldi) => ldi.header(),
            LookedUp::Kept(_) => 0,
        }
    }

    /// The part of working memory that the points are in.
    fn points_part(&self) -> usize {
        match &self.image {
            LookedUp::Made(ldi) => ldi.parts(),
            LookedUp::Kept(_) => 0,
        }
    }

    /// Crossings and rays that there was room for.
    fn room(&self) -> [u32; 2] {
        match &self.image {
            LookedUp::Made(ldi) => [ldi.capacity(), ldi.pixels()],
            LookedUp::Kept(image) => image.room(),
        }
    }
}

impl Query for ContainsQuery {
    type Answer = Vec<Containment>;
    type Step = Step<()>;
    const NAME: &'static str = "contains";

    fn is_on_host(&self) -> bool {
        match &self.image {
            LookedUp::Made(ldi) => ldi.is_on_host(),
            LookedUp::Kept(image) => image.is_on_host(),
        }
    }

    fn prepare(&mut self, refits: &mut Refits) {
        if let LookedUp::Made(ldi) = &self.image {
            ldi.prepare(refits);
        }
    }

    fn memory(&self) -> Memory {
        let answers = 4 * u64::from(self.count);
        let memory = match &self.image {
            LookedUp::Made(ldi) => ldi.memory(answers),
            LookedUp::Kept(_) => Memory::answer(answers),
        };
        memory.with([size_of_val(&self.points[..]) as u64])
    }

    fn inputs(&self) -> Vec<(usize, &[u8])> {
        vec![(self.points_part(), bytemuck::cast_slice(&self.points))]
    }

    fn check_foreign_input(&self, _input: usize) -> Result<()> {
        match &self.image {
            LookedUp::Made(_) => Ok(()),
            LookedUp::Kept(_) => Err(Error::Unsupported(
                "the host brings points to the frame of an image that is kept; without PRX_LDI_KEPT they can come from a buffer"
                    .into(),
            )),
        }
    }

    fn steps(&self) -> &[Self::Step] {
        &self.steps
    }

    fn record(&self, step: Self::Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let (summaries, rays, spans, marks) = match (&self.image, step) {
            (LookedUp::Made(ldi), Step::Make(view, stage)) => {
                return ldi.record(view, stage, place, recorder);
            }
            (LookedUp::Made(ldi), Step::Read(view, ())) => (
                ldi.summary(view, place),
                ldi.rays(place),
                ldi.spans(place),
                ldi.marks(place),
            ),
            (LookedUp::Kept(image), _) => {
                (image.summary(), image.rays(), image.spans(), image.marks())
            }
        };
        let kernel = Contains {
            fetch: Fetch::of([marks, spans]),
            summaries,
            rays,
            marks,
            points: place.part(self.points_part()),
            answers: place.answer(),
            spans,
        };
        let push = ContainsPush {
            count: self.count,
            at: (self.header() / 4) as u32,
            capacity: self.room()[0],
        };
        let groups = self
            .count
            .div_ceil(Contains::WORKGROUP[0] * POINTS_PER_LANE.on(recorder.device()))
            .clamp(1, MAX_GROUPS);
        recorder.dispatch(&kernel, &push, [groups, 1, 1])
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        if let LookedUp::Made(ldi) = &self.image {
            ldi.collect(place, recorder);
        }
    }

    fn recording(&self) -> Option<u32> {
        match &self.image {
            LookedUp::Made(ldi) => ldi.recording(),
            LookedUp::Kept(_) => Some(0),
        }
    }

    const OUTPUTS: &'static [OutputArray] = &[OutputArray::of::<u32>("containment bits")];

    fn leave_host(&mut self, device: &Resources) -> Result<()> {
        let bytes = size_of_val(&self.points[..]) as u64;
        (device.device).check_storage(bytes, "points", "ask for them in parts")?;
        match &mut self.image {
            LookedUp::Made(ldi) => ldi.leave_host(device),
            LookedUp::Kept(_) => Err(Error::Unsupported(
                "this mesh keeps its image on the host, which writes no VkBuffer; ask without PRX_LDI_KEPT".into(),
            )),
        }
    }

    fn record_output(
        &self,
        _array: usize,
        output: &OutputPlace,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let [nodes, pixels] = self.room();
        let kernel = ContainmentOutput {
            output: output.output,
            summaries: match &self.image {
                LookedUp::Made(ldi) => ldi.answered_summary(0, place),
                LookedUp::Kept(image) => image.summary(),
            },
            answers: place.answer(),
            records: output.records,
        };
        let push = ContainmentOutputPush {
            room: output.room,
            count: self.count,
            at: (self.header() / 4) as u32,
            nodes,
            pixels,
        };
        let groups = groups_of(self.count, ContainmentOutput::WORKGROUP[0]);
        recorder.dispatch(&kernel, &push, groups)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<Containment>> {
        if let LookedUp::Made(ldi) = &self.image {
            ldi.summaries(bytes)?;
        }
        let words: Vec<u32> = memory::from_bytes(&bytes[self.header() as usize..], "answers")?;
        Ok(words
            .into_iter()
            .map(|word| Containment {
                inside: word & 1 != 0,
                near: word & 2 != 0,
            })
            .gather())
    }
}
