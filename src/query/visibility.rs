//! The potentially colliding set, by visibility: FAR (Govindaraju, Lin and Manocha 2004) on CULLIDE.
//!
//! Bodies are drawn one after the other along an axis. What is nowhere behind or inside anything drawn before it, in both orders
//! of drawing, touches no other body. Every triangle is drawn fatter than it is, so that neither pixels nor depths
//! hide a collision (FAR, theorem 1); the depth that a fragment gets bounds all that its pixel can hold.

mod drawn;
mod sequence;
mod suspect;
mod triangles;
mod view;

use super::Resources;
use crate::error::{Error, Result, invalid};
use crate::gpu::attachment::{Attachment, Format};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::occlusion::OcclusionQueries;
use crate::gpu::pass::{Start, Targets};
use crate::gpu::paths::DeviceFeature;
use crate::gpu::queue::Moment;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::share::Spread;
use crate::interrupt;
use crate::memory::{self, Gather};
use crate::scene::mesh::Mesh;
pub use drawn::{ClusterBoxes, Drawn};
use sequence::Sequence;
use std::sync::Arc;
pub use suspect::Suspect;
use triangles::Drawing;
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
    /// As all points within FAR's radius of them, found in every pixel (section 4.1).
    Exact,
    /// The same with a box around each edge.
    Bounded,
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

/// The most pixels along a side. More cull hardly more, and a view takes seconds and a gigabyte on a software device.
pub const MOST_SIDE: u32 = 4096;

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
    /// What was drawn last and not waited for, and the meshes it reads.
    in_flight: Option<(Moment, Vec<Arc<Mesh>>)>,
}

impl Visibility {
    /// Prepares a screen.
    pub fn new(resources: &Arc<Resources>, screen: Screen) -> Result<Self> {
        let device = &resources.device;
        device.check_draws("culling by visibility")?;
        let sides = LEAST_SIDE..=MOST_SIDE;
        if !screen.size.iter().all(|side| sides.contains(side)) {
            return Err(invalid(format!(
                "the viewport is {} x {} pixels; its sides are from {LEAST_SIDE} to {MOST_SIDE} pixels",
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
            in_flight: None,
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
        let finest = suspects.iter().fold(0.0f64, |finest, s| {
            finest.max(FINEST * (s.drawn.radius() + s.drawn.pose.position.as_dvec3().length()))
        });
        let views: Vec<View> = (0..3)
            .filter(|&along| self.screen.views[along])
            .map(|along| View::new(region, along, finest, &self.screen))
            .collect();
        match Spread::of(&self.resources.device) {
            Spread::Software => self.cull_by_turns(&views, suspects, within)?,
            Spread::Hardware => self.cull_at_once(&views, suspects, within)?,
        }
        if suspects.iter().filter(|s| s.is_alive()).count() < 2 {
            suspects.iter_mut().for_each(|s| s.alive.fill(false));
        }
        Ok(views.iter().map(View::fattening).fold(0.0, f64::max))
    }

    /// FAR, section 4.2.1: forwards, then backwards; the second sequence asks only for what was visible in the first, and each view
    /// draws only what the ones before have left. The host waits for every sequence.
    fn cull_by_turns(
        &mut self,
        views: &[View],
        suspects: &mut [Suspect],
        within: f64,
    ) -> Result<()> {
        for view in views {
            let Some(forwards) = Sequence::forwards(view, suspects) else {
                break;
            };
            let visible = self.visible(suspects, std::slice::from_ref(&forwards), within)?;
            let backwards = forwards.backwards(visible.into_iter().flatten().gather());
            let free = self.visible(suspects, std::slice::from_ref(&backwards), within)?;
            backwards.clear(suspects, &free[0]);
        }
        Ok(())
    }

    /// The same questions in all views and both orders, in one submission: more is drawn and a little less may be ruled out, but nobody
    /// waits between.
    fn cull_at_once(
        &mut self,
        views: &[View],
        suspects: &mut [Suspect],
        within: f64,
    ) -> Result<()> {
        let mut sequences = Vec::new();
        for view in views {
            let Some(forwards) = Sequence::forwards(view, suspects) else {
                return Ok(());
            };
            sequences.push(forwards.backwards(forwards.asked.clone()));
            sequences.push(forwards);
        }
        let visible = self.visible(suspects, &sequences, within)?;
        for (both, visible) in sequences.chunks(2).zip(visible.chunks(2)) {
            let [behind, before] = [&visible[0], &visible[1]];
            let free: Vec<Vec<usize>> = (behind.iter().zip(before.iter().rev()))
                .map(|(behind, before)| {
                    let in_both = |q: &&usize| before.binary_search(q).is_ok();
                    behind.iter().filter(in_both).copied().gather()
                })
                .gather();
            both[0].clear(suspects, &free);
        }
        Ok(())
    }

    /// Draws bodies in sequences; says for each of which questions all is fully visible among the bodies before.
    fn visible(
        &mut self,
        suspects: &[Suspect],
        sequences: &[Sequence],
        within: f64,
    ) -> Result<Vec<Vec<Vec<usize>>>> {
        let count: usize = sequences.iter().map(Sequence::count).sum();
        if count > 0 {
            self.wait()?;
            self.make_room(count)?;
            self.draw(suspects, sequences, within)?;
            self.wait()?;
        }
        let counts: &[u32] = bytemuck::cast_slice(&self.counts.bytes()[..4 * count]);
        let mut counts = counts.iter();
        let visible = sequences.iter().map(|sequence| {
            let mut visible = memory::room(sequence.asked.len());
            for (at, questions) in sequence.asked.iter().enumerate() {
                let seen = |_: &&usize| at == 0 || counts.next() == Some(&0);
                visible.push(questions.iter().filter(seen).copied().gather());
            }
            visible
        });
        Ok(visible.gather())
    }

    /// Waits for what was drawn. A caller who is cancelled leaves it to the next.
    fn wait(&mut self) -> Result<()> {
        if let Some((moment, _)) = &self.in_flight {
            self.resources.device.wait(*moment, u64::MAX)?;
            self.in_flight = None;
        }
        Ok(())
    }

    /// Draws sequences in one submission.
    fn draw(&mut self, suspects: &[Suspect], sequences: &[Sequence], within: f64) -> Result<()> {
        let shared = self.resources.clone();
        let mut staging = shared.staging();
        for &s in sequences.iter().flat_map(|sequence| &sequence.order) {
            if !suspects[s].drawn.is_current() {
                return Err(Error::WrongState(format!(
                    "mesh \"{}\" was updated while it was being culled; ask again",
                    suspects[s].drawn.mesh.label
                )));
            }
        }
        let drawn = sequences.iter().flat_map(|sequence| &sequence.order);
        let meshes = drawn.map(|&s| suspects[s].drawn.mesh.clone()).gather();
        self.recorder.begin()?;
        staging.record(&mut self.recorder);
        let recorded = interrupt::caught(|| self.record_all(suspects, sequences, within)).and_then(
            |recorded| {
                recorded?;
                // SAFETY: the meshes are kept, and all else is not touched and not dropped, until the moment is reached.
                unsafe { self.recorder.submit(&[], &[]) }
            },
        );
        match recorded {
            Ok(moment) => {
                staging.submitted(moment);
                self.in_flight = Some((moment, meshes));
                Ok(())
            }
            Err(error) => {
                staging.abandoned();
                Err(error)
            }
        }
    }

    fn record_all(
        &mut self,
        suspects: &[Suspect],
        sequences: &[Sequence],
        within: f64,
    ) -> Result<()> {
        self.recorder.reset_queries(&self.queries);
        let mut next = 0;
        for sequence in sequences.iter().filter(|sequence| sequence.count() > 0) {
            self.record(suspects, sequence, within, &mut next)?;
        }
        self.recorder.order();
        self.recorder
            .copy_queries(&self.queries, next, &self.counts, 0);
        self.recorder.hand_to_host();
        Ok(())
    }

    /// Records a sequence, whose counts are the next ones from `next` on.
    fn record(
        &mut self,
        suspects: &[Suspect],
        sequence: &Sequence,
        within: f64,
        next: &mut u32,
    ) -> Result<()> {
        let Sequence { view, order, asked } = sequence;
        let (drawing, device) = (self.drawing(), self.resources.device.clone());
        let mut pass = self.recorder.pass(&self.targets, &[Start::Depth(1.0, 0)])?;
        // Bodies behind the last that is asked about hide nothing that matters.
        let last = asked.iter().rposition(|q| !q.is_empty()).unwrap_or(0);
        for (at, (&s, questions)) in order.iter().zip(asked).enumerate().take(last + 1) {
            let suspect = &suspects[s];
            // Pixels in which it can touch no other body say nothing.
            let (corner, size) = view.rectangle(&suspect.place);
            pass.scissor(corner, size);
            let mesh = &suspect.drawn.mesh;
            let positions = mesh.positions(&device);
            let push = view.push(suspect.drawn, within, drawing.overestimated, &positions);
            let indices = Bound::whole(&mesh.on(&device).cluster_indices);
            let vertex = drawing.vertex(positions.bound, indices);
            if at > 0 && !questions.is_empty() {
                pass.bind(&drawing.asking(&*vertex), &push)?;
                for &question in questions {
                    pass.counted(&self.queries, *next, |pass| {
                        let ranges = suspect.asked(question);
                        ranges.iter().for_each(|range| drawing.draw(pass, range));
                        Ok(())
                    })?;
                    *next += 1;
                }
            }
            if at < last {
                pass.bind(&drawing.leaving(&*vertex), &push)?;
                for run in suspect.runs() {
                    drawing.draw(&mut pass, &run);
                }
            }
        }
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

impl Drop for Visibility {
    fn drop(&mut self) {
        if let Some((moment, _)) = self.in_flight {
            self.resources.device.settle(moment);
        }
    }
}
