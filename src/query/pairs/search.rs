//! A search for pairs of triangles on the device that has the positions: clusters whose boxes touch, then their triangles, by boxes and
//! planes in single precision with bounds on what that rounds. What is left travels to the host, which decides it exactly.
//!
//! The clusters are a tree of three levels, 64 wide, that is walked from level to level without a stack; they are refitted in the same
//! submission. Where there is no room for all that may meet, or a position is no number, all positions travel, and the host searches.

use crate::error::{Error, Result};
use crate::geometry::rounding::round_up;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{PairSearch, PairSearchHead};
use crate::gpu::shader::kernels::{PairsCheck, PairsClusters, PairsFinish, PairsTriangles};
use crate::gpu::share::{GridShare, MOST_GROUPS};
use crate::memory;
use crate::query::Query;
use crate::query::clusters::Refits;
use crate::query::exact::StandingMesh;
use crate::query::workspace::{ALIGNMENT, Memory, Place};
use crate::scene::mesh::Mesh;
use crate::scene::pose::MAX_COORDINATE;
use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, Vec3};
use std::sync::Arc;

/// Two triangles that may meet, as the kernels write them.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct TriangleCandidate {
    /// Of the first and of the second mesh, by their places in the clusters' order.
    pub triangles: [u32; 2],
    /// Their corners, each in its mesh's own frame.
    pub corners: [[Vec3; 3]; 2],
}

/// Pairs of triangles that are looked for.
#[derive(Clone, Copy)]
pub struct SoughtPairs<'a> {
    /// The meshes and where they stand.
    pub bodies: [&'a StandingMesh; 2],
    /// How far apart they may be; 0 for those that meet.
    pub within: f64,
}

/// What a search leaves for the host.
#[derive(Debug, Clone, PartialEq)]
pub enum Searched {
    /// All pairs that may meet, in any order, and from how many pairs of clusters.
    Candidates(Vec<TriangleCandidate>, u32),
    /// The positions of each mesh that only the engine has: the host is to search.
    Positions([Option<Vec<Vec3>>; 2]),
}

/// Room for this many pairs of clusters.
const CLUSTER_ROOM: u32 = 1 << 16;
/// Room for candidates: one for so many triangles, but no fewer and no more than these.
const TRIANGLES_PER_CANDIDATE: usize = 8;
const ROOM: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 16;
/// Clusters of the first mesh that a workgroup takes: its lanes.
const CLUSTERS_PER_GROUP: u32 = PairsClusters::WORKGROUP[0];
/// Clusters of the second mesh that a workgroup takes.
const STRETCH: GridShare = GridShare {
    software: 8192,
    hardware: 512,
};
/// Workgroups that share the pairs of clusters. Drivers may end loops after 65,535 turns; with these no lane has more than half as many.
const PAIR_GROUPS: GridShare = GridShare {
    software: 256,
    hardware: 4096,
};
/// Storage buffers of the kernel that has the most.
const STORAGE_BUFFERS: u32 = 9;
/// Workgroups that check and pack positions.
const POSITION_GROUPS: GridShare = GridShare {
    software: 16,
    hardware: 1024,
};
/// Eight times what a sum of single precision rounds, in parts of its magnitudes: see `pair_placing.glsl`.
const SLACK: f32 = 8.0 / 16_777_216.0;

/// The parts of the working memory.
const STATE: usize = 0;
const LISTED: usize = 1;

/// The bytes of a search's answer: a head, candidates, and positions that only the engine has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchLayout {
    room: u32,
    unseen: [u32; 2],
}

/// A planned search.
pub struct PairSearchQuery {
    bodies: [StandingMesh; 2],
    within: f64,
    layout: SearchLayout,
}

/// A part of its work.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Writes the state of the kernels.
    Start,
    /// Checks positions, and lists pairs of clusters.
    Clusters,
    /// Lists pairs of triangles.
    Triangles,
    /// Says what was found.
    Finish,
}

impl PairSearchQuery {
    /// None where no positions change that only the engine has, and where the device cannot hold what the search needs.
    pub fn plan(device: &Device, sought: &SoughtPairs) -> Option<Self> {
        let SoughtPairs { bodies, within } = *sought;
        let is_unseen = |mesh: &Mesh| mesh.is_engine_owned();
        let changes = |mesh: &Mesh| mesh.is_engine_owned() && mesh.deforming;
        let meshes = bodies.map(|body| &body.mesh);
        let binds = device.max_storage_buffers() >= STORAGE_BUFFERS;
        if device.is_host() || !binds || !meshes.iter().any(|mesh| changes(mesh)) {
            return None;
        }
        let triangles: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let most_clusters = u64::from(MOST_GROUPS) * u64::from(CLUSTERS_PER_GROUP);
        let fits = |mesh: &&Arc<Mesh>| (1..=most_clusters).contains(&(mesh.clusters.len() as u64));
        let wanted = (triangles / TRIANGLES_PER_CANDIDATE).clamp(*ROOM.start(), *ROOM.end());
        // Counts of pairs of clusters must not come round.
        let most_pairs: u64 = meshes
            .iter()
            .map(|mesh| mesh.clusters.len() as u64)
            .product();
        let unseen = meshes.map(|mesh| if is_unseen(mesh) { mesh.vertices } else { 0 });
        let layout = SearchLayout {
            room: wanted as u32,
            unseen,
        };
        let is_small = layout.bytes() <= device.max_storage_bytes();
        let is_counted = most_pairs <= u32::MAX.into();
        (meshes.iter().all(fits) && is_small && is_counted).then(|| Self {
            bodies: bodies.map(StandingMesh::clone),
            within,
            layout,
        })
    }

    /// How many triangles its meshes have.
    pub(crate) fn triangles(&self) -> usize {
        let triangles = |body: &StandingMesh| body.mesh.triangles.len();
        self.bodies.iter().map(triangles).sum()
    }

    /// Where its answer has what.
    pub(crate) fn layout(&self) -> SearchLayout {
        self.layout
    }

    fn state(&self, device: &Device) -> PairSearch {
        let [a, b] = &self.bodies;
        let motion = b.pose.relative_to(&a.pose);
        let is_exact = motion == DAffine3::IDENTITY && self.within == 0.0;
        let positions = self
            .bodies
            .each_ref()
            .map(|body| body.mesh.positions(device));
        PairSearch {
            rows: rows(&motion),
            slack: if is_exact { 0.0 } else { SLACK },
            // Covers the rounding of sums with it; and never a number that devices take for zero.
            within: match self.within > 0.0 {
                true => round_up(self.within * (1.0 + 1e-5)).max(f32::MIN_POSITIVE),
                false => 0.0,
            },
            clusters_a: a.mesh.clusters.len() as u32,
            clusters_b: b.mesh.clusters.len() as u32,
            first_a: positions[0].first,
            stride_a: positions[0].stride,
            first_b: positions[1].first,
            stride_b: positions[1].stride,
            unseen_a: self.layout.unseen[0],
            unseen_b: self.layout.unseen[1],
            largest: MAX_COORDINATE.to_bits(),
            cluster_room: CLUSTER_ROOM,
            room: self.layout.room,
            cluster_pairs: 0,
            candidates: 0,
            unfit: 0,
        }
    }

    fn position_groups(&self, device: &Device) -> [u32; 3] {
        let most = self.layout.unseen.iter().max().copied().unwrap_or(0);
        let groups = most.div_ceil(PairsCheck::WORKGROUP[0]);
        [groups.clamp(1, POSITION_GROUPS.on(device)), 1, 1]
    }

    fn record_clusters(&self, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let device = recorder.device().clone();
        let [a, b] = self.bodies.each_ref().map(|body| &body.mesh);
        let check = PairsCheck {
            state: place.part(STATE),
            positions_a: a.positions(&device).bound,
            positions_b: b.positions(&device).bound,
        };
        recorder.dispatch(&check, &(), self.position_groups(&device))?;
        let kernel = PairsClusters {
            state: place.part(STATE),
            bounds_a: Bound::whole(&a.on(&device).cluster_bounds),
            bounds_b: Bound::whole(&b.on(&device).cluster_bounds),
            listed: place.part(LISTED),
        };
        let groups = (a.clusters.len() as u32).div_ceil(CLUSTERS_PER_GROUP);
        let stretches = (b.clusters.len() as u32).div_ceil(STRETCH.on(&device));
        recorder.dispatch(&kernel, &(), [groups, stretches.min(MOST_GROUPS), 1])
    }

    fn record_triangles(&self, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let device = recorder.device().clone();
        let [a, b] = self.bodies.each_ref().map(|body| &body.mesh);
        let kernel = PairsTriangles {
            state: place.part(STATE),
            bounds_a: Bound::whole(&a.on(&device).cluster_bounds),
            bounds_b: Bound::whole(&b.on(&device).cluster_bounds),
            listed: place.part(LISTED),
            positions_a: a.positions(&device).bound,
            positions_b: b.positions(&device).bound,
            indices_a: Bound::whole(&a.on(&device).cluster_indices),
            indices_b: Bound::whole(&b.on(&device).cluster_indices),
            found: place.answer_stretch(0, self.layout.candidates_end()),
        };
        let most_pairs = a.clusters.len() * b.clusters.len();
        let groups = (PAIR_GROUPS.on(&device) as usize).min(most_pairs) as u32;
        recorder.dispatch(&kernel, &(), [groups, 1, 1])
    }

    fn record_finish(&self, place: &Place, recorder: &mut Recorder) -> Result<()> {
        let device = recorder.device().clone();
        let [a, b] = self.bodies.each_ref().map(|body| &body.mesh);
        let kernel = PairsFinish {
            state: place.part(STATE),
            positions_a: a.positions(&device).bound,
            positions_b: b.positions(&device).bound,
            head: place.answer_stretch(0, HEAD_BYTES),
            unseen: place.answer_stretch(self.layout.unseen_start(), self.layout.unseen_bytes()),
        };
        recorder.dispatch(&kernel, &(), self.position_groups(&device))
    }
}

const HEAD_BYTES: u64 = size_of::<PairSearchHead>() as u64;

/// A motion as rows of single precision, each with its translation.
fn rows(motion: &DAffine3) -> [f32; 12] {
    let (turn, shift) = (motion.matrix3.transpose(), motion.translation);
    let mut rows = [0.0; 12];
    for (r, row) in [turn.x_axis, turn.y_axis, turn.z_axis]
        .into_iter()
        .enumerate()
    {
        let row = row.extend(shift[r]).as_vec4();
        rows[4 * r..4 * r + 4].copy_from_slice(&row.to_array());
    }
    rows
}

impl SearchLayout {
    fn candidates_end(&self) -> u64 {
        HEAD_BYTES + u64::from(self.room) * size_of::<TriangleCandidate>() as u64
    }

    fn unseen_start(&self) -> u64 {
        self.candidates_end().next_multiple_of(ALIGNMENT)
    }

    fn unseen_bytes(&self) -> u64 {
        let vertices: u64 = self.unseen.iter().copied().map(u64::from).sum();
        vertices * size_of::<Vec3>() as u64
    }

    fn bytes(&self) -> u64 {
        self.unseen_start() + self.unseen_bytes()
    }

    /// What the kernels left.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<Searched> {
        let short = || Error::Internal("an answer of a search is too short".into());
        let part = |start: u64, length: u64| {
            let range = start as usize..(start + length) as usize;
            bytes.get(range).ok_or_else(short)
        };
        let head: PairSearchHead = bytemuck::pod_read_unaligned(part(0, HEAD_BYTES)?);
        if head.whole == 1 {
            let length = u64::from(head.candidates) * size_of::<TriangleCandidate>() as u64;
            let found = memory::from_bytes(part(HEAD_BYTES, length)?, "candidates")?;
            return Ok(Searched::Candidates(found, head.cluster_pairs));
        }
        let mut start = self.unseen_start();
        let mut positions = [None, None];
        for (positions, &vertices) in positions.iter_mut().zip(&self.unseen) {
            let length = u64::from(vertices) * size_of::<Vec3>() as u64;
            if vertices > 0 {
                *positions = Some(memory::from_bytes(part(start, length)?, "positions")?);
            }
            start += length;
        }
        Ok(Searched::Positions(positions))
    }
}

impl Query for PairSearchQuery {
    type Answer = Searched;
    type Step = Step;
    const NAME: &'static str = "pair search";
    const ANSWERS_AT_HOST: bool = true;

    fn memory(&self) -> Memory {
        let listed = u64::from(CLUSTER_ROOM) * size_of::<[u32; 2]>() as u64;
        Memory::answer(self.layout.bytes()).with([size_of::<PairSearch>() as u64, listed])
    }

    fn prepare(&mut self, refits: &mut Refits) {
        (self.bodies.iter()).for_each(|body| refits.ask(&body.mesh));
    }

    fn steps(&self) -> &[Step] {
        &[Step::Start, Step::Clusters, Step::Triangles, Step::Finish]
    }

    fn record(&self, step: Step, place: &Place, recorder: &mut Recorder) -> Result<()> {
        match step {
            Step::Start => {
                let state = self.state(recorder.device());
                place.write(recorder, STATE, &state);
                Ok(())
            }
            Step::Clusters => self.record_clusters(place, recorder),
            Step::Triangles => self.record_triangles(place, recorder),
            Step::Finish => self.record_finish(place, recorder),
        }
    }

    fn recording(&self) -> Option<u32> {
        Some(0)
    }

    fn answer(&self, bytes: &[u8]) -> Result<Searched> {
        self.layout.read(bytes)
    }
}
