//! The potentially colliding set, by visibility: FAR (Govindaraju, Lin and Manocha 2004) on CULLIDE.
//!
//! Bodies are drawn one after the other along an axis. What is nowhere behind or inside anything drawn before it, in both orders
//! of drawing, touches no other body. Every triangle is drawn fatter than it is, so that neither pixels nor depths
//! hide a collision (FAR, theorem 1); the depth that a fragment gets bounds all that its pixel can hold.

mod suspect;
mod view;

use super::Resources;
use crate::error::{Error, Result, invalid};
use crate::gpu::attachment::{Attachment, Format};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::occlusion::OcclusionQueries;
use crate::gpu::pass::{Draw, Pass, Start, Targets};
use crate::gpu::paths::DeviceFeature;
use crate::gpu::raster::{Compare, Cull, DepthTest, PipelineState, Stages, Topology};
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::Bind;
use crate::gpu::shader::kernels::{BareVert, BoxVert, Fetch, RectangleVert, Side, SlabFrag};
use std::ops::Range;
use std::sync::Arc;
pub use suspect::Suspect;
pub use view::Region;
use view::View;

/// How triangles are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CullPath {
    /// As oriented boxes, by instancing (FAR, section 4.1).
    Boxes,
    /// As rectangles on the screen, by the device's conservative rasterisation where it has that (FAR, section 7).
    Conservative,
    /// As they are. Misses collisions.
    Unfattened,
}

/// What the views are like.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// How depths are stored.
    pub depth: Format,
    /// Which world axes are looked along.
    pub views: [bool; 3],
    /// How triangles are drawn.
    pub path: CullPath,
}

/// The fewest pixels along a side: with fewer nothing is ever separated.
const LEAST_SIDE: u32 = 16;

/// No region is smaller than this part of what is in it: floats could not tell positions apart there.
const FINEST: f64 = 1e-6;

/// What draws and counts: reused from query to query.
pub struct Visibility {
    resources: Arc<Resources>,
    screen: Screen,
    recorder: Recorder,
    targets: Targets,
    queries: OcclusionQueries,
    counts: Buffer,
}

impl Visibility {
    /// Prepares a screen.
    pub fn new(resources: &Arc<Resources>, screen: Screen) -> Result<Self> {
        let device = &resources.device;
        if screen.size.iter().any(|&side| side < LEAST_SIDE) {
            return Err(invalid(format!(
                "the viewport is {} x {} pixels; at least {LEAST_SIDE} x {LEAST_SIDE} are needed",
                screen.size[0], screen.size[1]
            )));
        }
        if screen.views == [false; 3] {
            return Err(invalid("views is empty; look along at least one axis"));
        }
        let depth = Attachment::new(device, screen.depth, screen.size, "depths")?;
        let targets = Targets::new(device, Vec::new(), Some(Arc::new(depth)), screen.size)?;
        Ok(Self {
            resources: resources.clone(),
            screen,
            recorder: Recorder::new(device)?,
            targets,
            queries: OcclusionQueries::new(device, 64)?,
            counts: Buffer::new(device, Role::Readback, 4 * 64, "visible samples")?,
        })
    }

    /// Whether a screen has the same pixels.
    pub fn fits(&self, screen: &Screen) -> bool {
        (self.screen.size, self.screen.depth) == (screen.size, screen.depth)
    }

    /// Takes another way of drawing on the same pixels.
    pub fn change(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// Clears what touches no other body, group by group. Of bodies further apart than `within` nothing is left, as far as the
    /// views can tell; of others all that is that near, inside the region. Gives FAR's p in the world, the largest of all views.
    pub fn cull(&mut self, suspects: &mut [Suspect], region: &Region, within: f64) -> Result<f64> {
        let mut fattening = 0.0f64;
        let finest = suspects.iter().fold(0.0f64, |finest, s| {
            finest.max(FINEST * (s.placed.radius() + s.placed.pose.position.as_dvec3().length()))
        });
        for along in 0..3 {
            if !self.screen.views[along] {
                continue;
            }
            let view = View::new(region, along, finest, &self.screen);
            fattening = fattening.max(view.fattening());
            let order: Vec<usize> = (0..suspects.len())
                .filter(|&s| suspects[s].is_alive())
                .collect();
            if order.len() < 2 {
                order
                    .into_iter()
                    .for_each(|lone| suspects[lone].alive.fill(false));
                break;
            }
            // FAR, section 4.2.1: forwards, then backwards; the second pass asks only for what was visible in the first.
            let all: Vec<Vec<usize>> = order.iter().map(|&s| suspects[s].questions()).collect();
            let visible = self.pass(&view, suspects, &order, &all, within)?;
            let backwards: Vec<usize> = order.iter().rev().copied().collect();
            let asked: Vec<Vec<usize>> = visible.into_iter().rev().collect();
            let free = self.pass(&view, suspects, &backwards, &asked, within)?;
            for (&s, questions) in backwards.iter().zip(free) {
                questions.into_iter().for_each(|q| suspects[s].clear(q));
            }
        }
        if suspects.iter().filter(|s| s.is_alive()).count() < 2 {
            suspects.iter_mut().for_each(|s| s.alive.fill(false));
        }
        Ok(fattening)
    }

    /// Draws the bodies in an order; says of which questions all is fully visible among the bodies before.
    fn pass(
        &mut self,
        view: &View,
        suspects: &[Suspect],
        order: &[usize],
        asked: &[Vec<usize>],
        within: f64,
    ) -> Result<Vec<Vec<usize>>> {
        // Nothing was drawn before the first body: it is visible, whatever it is.
        let count: usize = asked.iter().skip(1).map(Vec::len).sum();
        if count == 0 {
            let mut visible = vec![Vec::new(); asked.len()];
            visible[..1].clone_from_slice(&asked[..1]);
            return Ok(visible);
        }
        self.make_room(count)?;
        let shared = self.resources.clone();
        let mut staging = shared.staging();
        for &s in order {
            if !suspects[s].placed.is_current() {
                return Err(Error::WrongState(format!(
                    "mesh \"{}\" was updated while it was being culled; ask again",
                    suspects[s].placed.mesh.label
                )));
            }
        }
        self.recorder.begin()?;
        staging.record(&mut self.recorder);
        let recorded = self
            .record(view, suspects, order, asked, within)
            .and_then(|()| {
                // SAFETY: suspects, targets and queries outlive the wait below.
                unsafe { self.recorder.submit(&[], &[]) }
            });
        let moment = match recorded {
            Ok(moment) => {
                staging.submitted(moment);
                moment
            }
            Err(error) => {
                staging.abandoned();
                return Err(error);
            }
        };
        drop(staging);
        self.resources.device.finish(moment)?;
        let counts: &[u32] = bytemuck::cast_slice(&self.counts.bytes()[..4 * count]);
        let mut counts = counts.iter();
        let mut visible = Vec::with_capacity(asked.len());
        for (at, questions) in asked.iter().enumerate() {
            let seen = |_: &&usize| at == 0 || counts.next() == Some(&0);
            visible.push(questions.iter().filter(seen).copied().collect());
        }
        Ok(visible)
    }

    fn record(
        &mut self,
        view: &View,
        suspects: &[Suspect],
        order: &[usize],
        asked: &[Vec<usize>],
        within: f64,
    ) -> Result<()> {
        let (drawing, device) = (self.drawing(), self.resources.device.clone());
        self.recorder.reset_queries(&self.queries);
        let mut pass = self.recorder.pass(&self.targets, &[Start::Depth(1.0, 0)])?;
        let mut next = 0;
        // Bodies behind the last that is asked about hide nothing that matters.
        let last = asked.iter().rposition(|q| !q.is_empty()).unwrap_or(0);
        for (at, (&s, questions)) in order.iter().zip(asked).enumerate().take(last + 1) {
            let suspect = &suspects[s];
            // Pixels in which it can touch no other body say nothing.
            let (corner, size) = view.rectangle(&suspect.place);
            pass.scissor(corner, size);
            let mesh = &suspect.placed.mesh;
            let positions = mesh.positions(&device);
            let push = view.push(suspect.placed, within, drawing.overestimated, &positions);
            let indices = Bound::whole(&mesh.cluster_indices);
            let vertex = drawing.vertex(positions.bound, indices);
            if at > 0 && !questions.is_empty() {
                pass.bind(&drawing.asking(&*vertex), &push)?;
                for &question in questions {
                    pass.counted(&self.queries, next, |pass| {
                        let ranges = suspect.asked(question);
                        ranges.iter().for_each(|range| drawing.draw(pass, range));
                        Ok(())
                    })?;
                    next += 1;
                }
            }
            if at < last {
                pass.bind(&drawing.leaving(&*vertex), &push)?;
                for run in suspect.runs() {
                    drawing.draw(&mut pass, &run);
                }
            }
        }
        drop(pass);
        if next > 0 {
            self.recorder.order();
            self.recorder
                .copy_queries(&self.queries, next, &self.counts, 0);
        }
        self.recorder.hand_to_host();
        Ok(())
    }

    fn make_room(&mut self, count: usize) -> Result<()> {
        let count = u32::try_from(count)
            .map_err(|_| Error::Unsupported(format!("{count} groups of triangles are too many")))?;
        if count > self.queries.count {
            let count = count.checked_next_power_of_two().unwrap_or(count);
            self.queries = OcclusionQueries::new(&self.resources.device, count)?;
            let bytes = 4 * u64::from(count);
            self.counts = Buffer::new(
                &self.resources.device,
                Role::Readback,
                bytes,
                "visible samples",
            )?;
        }
        Ok(())
    }

    fn drawing(&self) -> Drawing {
        let conservative = self
            .resources
            .device
            .paths
            .on(DeviceFeature::ConservativeRasterization);
        Drawing {
            path: self.screen.path,
            overestimated: conservative && self.screen.path == CullPath::Conservative,
        }
    }
}

/// How triangles become fragments.
#[derive(Clone, Copy)]
struct Drawing {
    path: CullPath,
    overestimated: bool,
}

impl Drawing {
    /// Asks whether anything is at or behind what is there: far sides, no trace left.
    fn asking<'a>(&self, vertex: &'a dyn Bind) -> Stages<'a> {
        let test = DepthTest {
            compare: Compare::GreaterOrEqual,
            write: false,
        };
        self.stages(vertex, &SlabFrag { side: Side::Far }, test, Cull::Back)
    }

    /// Leaves the depths of near sides.
    fn leaving<'a>(&self, vertex: &'a dyn Bind) -> Stages<'a> {
        let test = DepthTest {
            compare: Compare::LessOrEqual,
            write: true,
        };
        self.stages(vertex, &SlabFrag { side: Side::Near }, test, Cull::Front)
    }

    /// Near faces turn clockwise as the device counts, far ones anticlockwise: view space is right-handed with depth away
    /// from the eye.
    fn stages<'a>(
        &self,
        vertex: &'a dyn Bind,
        slab: &'a SlabFrag,
        test: DepthTest,
        cull: Cull,
    ) -> Stages<'a> {
        Stages {
            vertex,
            geometry: None,
            fragment: match self.path {
                CullPath::Unfattened => None,
                CullPath::Boxes | CullPath::Conservative => Some(slab),
            },
            state: PipelineState {
                topology: match self.path {
                    CullPath::Boxes => Topology::TriangleStrip,
                    CullPath::Conservative | CullPath::Unfattened => Topology::Triangles,
                },
                cull: match self.path {
                    CullPath::Boxes => cull,
                    CullPath::Conservative | CullPath::Unfattened => Cull::Nothing,
                },
                depth: Some(test),
                conservative: self.overestimated,
                ..PipelineState::default()
            },
        }
    }

    /// Places the vertices of a mesh.
    fn vertex<'a>(&self, positions: Bound<'a>, indices: Bound<'a>) -> Box<dyn Bind + 'a> {
        let fetch = Fetch::of([positions, indices]);
        match self.path {
            CullPath::Boxes => Box::new(BoxVert {
                fetch,
                positions,
                indices,
            }),
            CullPath::Conservative => Box::new(RectangleVert {
                fetch,
                positions,
                indices,
            }),
            CullPath::Unfattened => Box::new(BareVert {
                fetch,
                positions,
                indices,
            }),
        }
    }

    fn draw(&self, pass: &mut Pass, triangles: &Range<u32>) {
        let count = triangles.len() as u32;
        // Meshes have fewer triangles than would overflow any of these: their indices are in one storage buffer.
        let mut vertices = |count, first, instances| {
            pass.draw(Draw::Vertices {
                count,
                first,
                instances,
                first_instance: 0,
            });
        };
        match self.path {
            // FAR, section 4.1: boxes by instancing.
            CullPath::Boxes => {
                let (full, rest) = (count / INSTANCE, count % INSTANCE);
                let first = BOX * triangles.start;
                if full > 0 {
                    vertices(BOX * INSTANCE - JOINT, first, full);
                }
                if rest > 0 {
                    vertices(BOX * rest - JOINT, first + BOX * INSTANCE * full, 1);
                }
            }
            CullPath::Conservative => vertices(6 * count, 6 * triangles.start, 1),
            CullPath::Unfattened => vertices(3 * count, 3 * triangles.start, 1),
        }
    }
}

/// Boxes of an instance, joined to one strip. Software devices pay for an instance as for thirty vertices. See `box.vert`.
const INSTANCE: u32 = 32;

/// Vertices of a box and of what joins it to the next one.
const BOX: u32 = 16;

/// Vertices of what joins two boxes.
const JOINT: u32 = 2;
