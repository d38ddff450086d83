//! The potentially colliding set, by visibility: FAR (Govindaraju, Lin and Manocha 2004) on CULLIDE.
//!
//! Bodies are drawn one after the other along an axis. What is nowhere behind or inside anything drawn before it, in both orders
//! of drawing, touches no other body. Every triangle is drawn fatter than it is, so that neither pixels nor depths
//! hide a collision (FAR, theorem 1); the depth that a fragment gets bounds all that its pixel can hold.

mod view;

use crate::error::{Error, Result, invalid};
use crate::geometry::aabb::Aabb;
use crate::gpu::attachment::{Attachment, Format};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::occlusion::OcclusionQueries;
use crate::gpu::pass::{Draw, Pass, Start, Targets};
use crate::gpu::paths::Feature;
use crate::gpu::raster::{Compare, Cull, DepthTest, Raster, State, Topology};
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader;
use crate::gpu::staging::Staging;
use crate::query::placed::Placed;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
pub use view::Region;
use view::View;

/// How triangles are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
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
    pub path: Path,
}

/// The fewest pixels along a side: with less nothing is ever told apart.
const LEAST_SIDE: u32 = 16;

/// No region is smaller than this part of what is in it: floats could not tell positions apart there.
const FINEST: f64 = 1e-6;

/// A body and which groups of its triangles may still touch another body.
pub struct Suspect<'a> {
    /// The body.
    pub placed: &'a Placed,
    /// Ranges in the order of the mesh's clusters, ascending, that are culled as one.
    pub groups: Vec<Range<u32>>,
    /// Whether a group may touch another body.
    pub alive: Vec<bool>,
}

impl<'a> Suspect<'a> {
    /// A body that is culled as a whole.
    pub fn whole(placed: &'a Placed) -> Self {
        let all = 0..placed.mesh.triangles.len() as u32;
        Self {
            placed,
            groups: vec![all],
            alive: vec![true],
        }
    }

    /// A body that is culled cluster by cluster; those further than `margin` from all regions are out from the start.
    pub fn by_clusters(placed: &'a Placed, regions: &[Region], margin: f64) -> Self {
        let (mesh, surface) = (&placed.mesh, placed.body().surface);
        let groups: Vec<_> = mesh
            .clusters
            .starts
            .windows(2)
            .map(|s| s[0]..s[1])
            .collect();
        let alive = |group: &Range<u32>| {
            let triangles = &mesh.clusters.order[group.start as usize..group.end as usize];
            let bounds = triangles
                .iter()
                .fold(Aabb::EMPTY, |b, &t| b.union(surface.triangle_box(t)));
            let there = Region::around(bounds, &placed.pose, margin);
            regions.iter().any(|region| region.overlaps(&there))
        };
        Self {
            placed,
            alive: groups.iter().map(alive).collect(),
            groups,
        }
    }

    /// Whether anything is left.
    pub fn is_alive(&self) -> bool {
        self.alive.iter().any(|&a| a)
    }

    /// The numbers of the groups that are left.
    pub fn survivors(&self) -> impl Iterator<Item = usize> {
        (0..self.alive.len()).filter(|&g| self.alive[g])
    }

    /// The triangles that are left, as few ranges as will do.
    fn runs(&self) -> Vec<Range<u32>> {
        let mut runs: Vec<Range<u32>> = Vec::new();
        for g in self.survivors() {
            match runs.last_mut() {
                Some(last) if last.end == self.groups[g].start => last.end = self.groups[g].end,
                _ => runs.push(self.groups[g].clone()),
            }
        }
        runs
    }
}

/// What draws and counts: reused from query to query.
pub struct Visibility {
    device: Arc<Device>,
    staging: Arc<Mutex<Staging>>,
    screen: Screen,
    recorder: Recorder,
    targets: Targets,
    queries: OcclusionQueries,
    counts: Buffer,
}

impl Visibility {
    /// Prepares a screen. `staging` holds the uploads that go ahead of every submission.
    pub fn new(
        device: &Arc<Device>,
        staging: &Arc<Mutex<Staging>>,
        screen: Screen,
    ) -> Result<Self> {
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
            device: device.clone(),
            staging: staging.clone(),
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
            finest.max(FINEST * (s.placed.reach() + s.placed.pose.position.as_dvec3().length()))
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
            let all: Vec<Vec<usize>> = order
                .iter()
                .map(|&s| suspects[s].survivors().collect())
                .collect();
            let visible = self.pass(&view, suspects, &order, &all, within)?;
            let backwards: Vec<usize> = order.iter().rev().copied().collect();
            let asked: Vec<Vec<usize>> = visible.into_iter().rev().collect();
            let free = self.pass(&view, suspects, &backwards, &asked, within)?;
            for (&s, groups) in backwards.iter().zip(free) {
                groups
                    .into_iter()
                    .for_each(|g| suspects[s].alive[g] = false);
            }
        }
        if suspects.iter().filter(|s| s.is_alive()).count() < 2 {
            suspects.iter_mut().for_each(|s| s.alive.fill(false));
        }
        Ok(fattening)
    }

    /// Draws the bodies in an order; says which of the groups asked for are fully visible among those before them.
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
        self.make_room(count)?;
        let shared = self.staging.clone();
        let mut staging = shared.lock().unwrap_or_else(PoisonError::into_inner);
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
        let queue = &self.device.queue;
        queue
            .wait(&self.device.raw, moment, u64::MAX)
            .inspect_err(|_| queue.settle(&self.device.raw, moment))?;
        let counts: &[u32] = bytemuck::cast_slice(&self.counts.bytes()[..4 * count]);
        let mut counts = counts.iter();
        let mut visible = Vec::with_capacity(asked.len());
        for (at, groups) in asked.iter().enumerate() {
            let seen = |_: &&usize| at == 0 || counts.next() == Some(&0);
            visible.push(groups.iter().filter(seen).copied().collect());
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
        let (drawing, device) = (self.drawing(), self.device.clone());
        self.recorder.reset_queries(&self.queries);
        let mut pass = self.recorder.pass(&self.targets, &[Start::Depth(1.0, 0)])?;
        let mut next = 0;
        for (at, (&s, groups)) in order.iter().zip(asked).enumerate() {
            let suspect = &suspects[s];
            let mesh = &suspect.placed.mesh;
            let positions = mesh.positions(&device);
            let texel = positions.is_texel() && mesh.cluster_indices.has_texels();
            let positions = if texel {
                positions
            } else {
                positions.as_storage()
            };
            let push = view.push(suspect.placed, within, drawing.overestimated, &positions);
            let indices = if texel {
                Bound::Texels(&mesh.cluster_indices)
            } else {
                Bound::Buffer(&mesh.cluster_indices)
            };
            let bound = [positions.bound, indices];
            if at > 0 && !groups.is_empty() {
                pass.take(&drawing.asking(texel), &bound, &push)?;
                for &g in groups {
                    pass.counted(&self.queries, next, |pass| {
                        drawing.draw(pass, &suspect.groups[g]);
                        Ok(())
                    })?;
                    next += 1;
                }
            }
            if at + 1 < order.len() {
                pass.take(&drawing.leaving(texel), &bound, &push)?;
                for run in suspect.runs() {
                    drawing.draw(&mut pass, &run);
                }
            }
        }
        drop(pass);
        if next > 0 {
            self.recorder
                .copy_queries(&self.queries, next, &self.counts, 0);
        }
        self.recorder.barrier(Access::Any, Access::Host);
        Ok(())
    }

    fn make_room(&mut self, count: usize) -> Result<()> {
        let count = u32::try_from(count)
            .map_err(|_| Error::Unsupported(format!("{count} groups of triangles are too many")))?;
        if count > self.queries.count {
            let count = count.checked_next_power_of_two().unwrap_or(count);
            self.queries = OcclusionQueries::new(&self.device, count)?;
            let bytes = 4 * u64::from(count);
            self.counts = Buffer::new(&self.device, Role::Readback, bytes, "visible samples")?;
        }
        Ok(())
    }

    fn drawing(&self) -> Drawing {
        let conservative = self.device.paths.on(Feature::ConservativeRasterization);
        Drawing {
            path: self.screen.path,
            overestimated: conservative && self.screen.path == Path::Conservative,
        }
    }
}

/// How triangles become fragments.
#[derive(Clone, Copy)]
struct Drawing {
    path: Path,
    overestimated: bool,
}

impl Drawing {
    /// Asks whether anything is at or behind what is there: far sides, no trace left.
    fn asking(&self, texel: bool) -> Raster {
        let test = DepthTest {
            compare: Compare::GreaterOrEqual,
            write: false,
        };
        self.raster(texel, test, Cull::Back, &shader::SLAB_FAR_FRAG)
    }

    /// Leaves the depths of near sides.
    fn leaving(&self, texel: bool) -> Raster {
        let test = DepthTest {
            compare: Compare::LessOrEqual,
            write: true,
        };
        self.raster(texel, test, Cull::Front, &shader::SLAB_NEAR_FRAG)
    }

    /// Near faces turn clockwise as the device counts, far ones anticlockwise: view space is right-handed with depth away
    /// from the eye.
    fn raster(
        &self,
        texel: bool,
        test: DepthTest,
        cull: Cull,
        slab: &'static shader::Shader,
    ) -> Raster {
        let (vertex, fragment, topology) = match (self.path, texel) {
            (Path::Boxes, true) => (&shader::BOX_TEXEL_VERT, Some(slab), Topology::TriangleStrip),
            (Path::Boxes, false) => (
                &shader::BOX_STORAGE_VERT,
                Some(slab),
                Topology::TriangleStrip,
            ),
            (Path::Conservative, true) => (
                &shader::RECTANGLE_TEXEL_VERT,
                Some(slab),
                Topology::Triangles,
            ),
            (Path::Conservative, false) => (
                &shader::RECTANGLE_STORAGE_VERT,
                Some(slab),
                Topology::Triangles,
            ),
            (Path::Unfattened, true) => (&shader::BARE_TEXEL_VERT, None, Topology::Triangles),
            (Path::Unfattened, false) => (&shader::BARE_STORAGE_VERT, None, Topology::Triangles),
        };
        Raster {
            vertex,
            geometry: None,
            fragment,
            state: State {
                topology,
                cull: match self.path {
                    Path::Boxes => cull,
                    _ => Cull::Nothing,
                },
                depth: Some(test),
                conservative: self.overestimated,
                ..State::default()
            },
        }
    }

    fn draw(&self, pass: &mut Pass, triangles: &Range<u32>) {
        let count = triangles.len() as u32;
        let of_each = match self.path {
            // FAR, section 4.1: a box by instancing.
            Path::Boxes => {
                return pass.draw(Draw::Vertices {
                    count: 14,
                    first: 0,
                    instances: count,
                    first_instance: triangles.start,
                });
            }
            Path::Conservative => 6,
            Path::Unfattened => 3,
        };
        // Meshes have fewer triangles than would overflow this: their indices are in one storage buffer.
        pass.draw(Draw::Vertices {
            count: of_each * count,
            first: of_each * triangles.start,
            instances: 1,
            first_instance: 0,
        });
    }
}
