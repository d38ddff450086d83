//! The narrow band: signed distances near a closed mesh, baked on the device from the positions as they are there now.
//!
//! This is how a field follows a deforming mesh (Morvan et al. 2008, section 6; Teschner et al. 2005, section 4). Distances
//! are scattered from the surface's faces, edges and vertices, each to the nodes that it can be closest to
//! (`band_scatter.comp`); signs are winding numbers, counted in integers (`band_cross.comp`, `band_finish.comp`).

use crate::error::{Error, Result, invalid};
use crate::field::grid::Grid;
use crate::geometry::topology::adjacency::{self, Adjacency, NONE};
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::charge::MemoryKind;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::Bind;
use crate::gpu::shader::blocks::BandPush;
use crate::gpu::shader::kernels::{BandCross, BandFinish, BandScatter, BandScatterFeature, Fetch};
use crate::gpu::share::{groups_of, lane_groups};
use crate::gpu::staging::Staging;
use crate::memory;
use crate::scene::mesh::Mesh;
use crate::scene::pose::MAX_COORDINATE;
use std::sync::Arc;

/// A narrow band of signed distances on the device, to be baked again whenever the mesh has moved.
///
/// The mesh is closed and oriented. A node is inside, and its value negative, where the surface winds around it, either
/// way: a mesh turned inside out has the same field, shells that overlap are united, and a shell turned inwards
/// inside another is a cavity. Values are exact to a few units in the last place of the grid's size; the sign of a node that
/// close to the surface may be either.
pub struct Band {
    mesh: Arc<Mesh>,
    grid: Grid,
    band: f32,
    edges: FeatureBuffer,
    vertices: FeatureBuffer,
    values: Arc<Buffer>,
    crossings: Buffer,
}

/// Edges or vertices with the neighbours that bound their regions.
struct FeatureBuffer {
    buffer: Arc<Buffer>,
    count: u32,
}

/// Nodes along an axis, at most: the kernels' margins for rounding count on it.
const MAX_SIDE: u32 = 8192;
/// With fewer features than this, several workgroups share each: then features are likely to be large.
const FEW_FEATURES: u32 = 4096;
/// Workgroups that share a feature, at most.
const MAX_SLICES: u32 = 64;

impl Band {
    /// Sets the memory for a band of half-width `band` aside. Nothing is baked yet.
    pub fn new(
        device: &Arc<Device>,
        staging: &mut Staging,
        mesh: Arc<Mesh>,
        grid: Grid,
        band: f32,
    ) -> Result<Self> {
        check(device, &grid, band)?;
        mesh.check_single_precision("a live field")?;
        let adjacency = Adjacency::of(&mesh.triangles, mesh.vertices as usize);
        let edges = edge_features(&mesh, &adjacency);
        let vertices = vertex_features(&mesh, &adjacency);
        let bytes = 4 * grid.len() as u64;
        let buffer = |what| {
            let buffer = Buffer::new(device, Role::Device, bytes, what)?;
            Ok::<_, Error>(buffer.for_kind(MemoryKind::Field))
        };
        Ok(Self {
            edges: FeatureBuffer::new(device, staging, &edges, "edges of a band")?,
            vertices: FeatureBuffer::new(device, staging, &vertices, "vertices of a band")?,
            values: Arc::new(buffer("band")?),
            crossings: buffer("crossings of a band")?,
            mesh,
            grid,
            band,
        })
    }

    /// Where the values are after a submission of what [`Band::record`] recorded: an `f32` per node, x fastest. Nodes
    /// within the band have their distance, all others exactly the half-width; inside, both are negative.
    pub fn values(&self) -> &Arc<Buffer> {
        &self.values
    }

    /// The mesh that it follows.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Records the bake of the mesh as it is on the device at that moment of the submission.
    pub fn record(&self, recorder: &mut Recorder) -> Result<()> {
        recorder.order();
        recorder.fill(&self.values, 0, self.values.size, f32::INFINITY.to_bits());
        recorder.fill(&self.crossings, 0, self.crossings.size, 0);
        recorder.order();
        self.record_crossings(recorder)?;
        let indices = Bound::whole(&self.mesh.on(recorder.device()).cluster_indices);
        let [edges, vertices] =
            [&self.edges, &self.vertices].map(|features| Bound::whole(&features.buffer));
        for (feature, count) in [
            (
                BandScatterFeature::Face { indices },
                self.mesh.triangles.len() as u32,
            ),
            (
                BandScatterFeature::Edge { features: edges },
                self.edges.count,
            ),
            (
                BandScatterFeature::Vertex { features: vertices },
                self.vertices.count,
            ),
        ] {
            self.record_scatter(recorder, feature, count)?;
        }
        recorder.order();
        self.record_finish(recorder)?;
        recorder.order();
        Ok(())
    }

    fn record_crossings(&self, recorder: &mut Recorder) -> Result<()> {
        let positions = self.mesh.positions(recorder.device());
        let indices = Bound::whole(&self.mesh.on(recorder.device()).cluster_indices);
        let kernel = BandCross {
            fetch: Fetch::of([positions.bound, indices]),
            positions: positions.bound,
            indices,
            crossings: Bound::whole(&self.crossings),
        };
        let count = self.mesh.triangles.len() as u32;
        let [groups, ..] = groups_of(count, BandCross::WORKGROUP[0]);
        let push = self.push(count, positions.first, positions.stride);
        recorder.dispatch(&kernel, &push, [groups, slices(count), 1])
    }

    fn record_scatter(
        &self,
        recorder: &mut Recorder,
        feature: BandScatterFeature,
        count: u32,
    ) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let positions = self.mesh.positions(recorder.device());
        let fetch = match feature {
            BandScatterFeature::Face { indices } => Fetch::of([positions.bound, indices]),
            _ => Fetch::of([positions.bound]),
        };
        let kernel = BandScatter {
            feature,
            fetch,
            positions: positions.bound,
            squares: Bound::whole(&self.values),
        };
        // A workgroup takes as many features as it has lanes.
        let lanes = recorder.device().lanes(kernel.shader());
        let [groups, ..] = groups_of(count, lanes);
        let push = self.push(count, positions.first, positions.stride);
        recorder.dispatch(&kernel, &push, [groups, slices(count), 1])
    }

    fn record_finish(&self, recorder: &mut Recorder) -> Result<()> {
        let nodes = self.grid.nodes;
        let groups = lane_groups(BandFinish::WORKGROUP, nodes.x * nodes.z);
        let kernel = BandFinish {
            values: Bound::whole(&self.values),
            crossings: Bound::whole(&self.crossings),
        };
        recorder.dispatch(&kernel, &self.push(0, 0, 0), groups)
    }

    fn push(&self, count: u32, first: u32, stride: u32) -> BandPush {
        let cell = self.grid.spacing;
        BandPush {
            origin: self.grid.origin.to_array(),
            inverse_cell: 1.0 / cell,
            nodes: self.grid.nodes.to_array(),
            band_cells: self.band / cell,
            cell,
            band: self.band,
            count,
            first,
            stride,
        }
    }
}

impl FeatureBuffer {
    fn new(
        device: &Arc<Device>,
        staging: &mut Staging,
        features: &[[u32; 4]],
        what: &str,
    ) -> Result<Self> {
        let bytes: &[u8] = bytemuck::cast_slice(features);
        device.check_storage(bytes.len() as u64, what, SMALLER)?;
        let buffer = Buffer::new(device, Role::Device, bytes.len() as u64, what)?;
        let buffer = Arc::new(buffer.for_kind(MemoryKind::Field));
        if !bytes.is_empty() {
            staging.upload(device, &buffer, 0, bytes.len() as u64, |out| {
                out.copy_from_slice(bytes)
            })?;
        }
        Ok(Self {
            buffer,
            count: features.len() as u32,
        })
    }
}

fn slices(features: u32) -> u32 {
    (FEW_FEATURES / features).clamp(1, MAX_SLICES)
}

fn check(device: &Device, grid: &Grid, band: f32) -> Result<()> {
    let (cell, origin, nodes) = (grid.spacing, grid.origin.to_array(), grid.nodes.to_array());
    if let Some(bad) = origin
        .iter()
        .find(|x| !(x.is_finite() && x.abs() <= MAX_COORDINATE))
    {
        return Err(invalid(format!(
            "the grid's origin is {origin:?}: {bad} must be finite and at most {MAX_COORDINATE:e} from zero"
        )));
    }
    for (what, length) in [("cell", cell), ("band's half-width", band)] {
        if !(length.is_normal() && length > 0.0 && (1.0 / length).is_normal()) {
            return Err(invalid(format!(
                "the {what} is {length}: it must be a positive length whose inverse is finite"
            )));
        }
    }
    if !(1e-3..=1e6).contains(&(band / cell)) {
        return Err(invalid(format!(
            "the band's half-width {band} is {} cells of {cell}: it must be 0.001 to 1e6 cells",
            band / cell
        )));
    }
    if let Some(side) = nodes.iter().find(|n| **n == 0 || **n > MAX_SIDE) {
        return Err(invalid(format!(
            "the grid has {nodes:?} nodes: {side} must be 1 to {MAX_SIDE}"
        )));
    }
    device.check_storage(4 * grid.len() as u64, "values of a band", SMALLER)
}

/// What helps when a band does not fit.
const SMALLER: &str = "use a coarser grid or a smaller mesh";

/// Every edge once: its ends, and the corners across from it in its triangles. Where an edge has not just two triangles, every
/// triangle has an edge of its own, with its start in place of the second corner.
fn edge_features(mesh: &Mesh, adjacency: &Adjacency) -> Vec<[u32; 4]> {
    let triangles = &mesh.triangles;
    let across = |h: u32| triangles[h as usize / 3][(h as usize + 2) % 3];
    let mut edges = memory::room(triangles.len() * 3 / 2);
    for &t in &mesh.clusters.order {
        for h in 3 * t..3 * t + 3 {
            let (a, b) = (adjacency::start(triangles, h), adjacency::end(triangles, h));
            match adjacency.twins[h as usize] {
                NONE => memory::add(&mut edges, [a, b, across(h), a]),
                twin if h < twin => memory::add(&mut edges, [a, b, across(h), across(twin)]),
                _ => {}
            }
        }
    }
    edges
}

/// Every vertex that a triangle uses, with three of its neighbours, spread around it.
fn vertex_features(mesh: &Mesh, adjacency: &Adjacency) -> Vec<[u32; 4]> {
    let triangles = &mesh.triangles;
    let mut seen = memory::filled(false, mesh.vertices as usize);
    let mut vertices = memory::room(triangles.len() / 2);
    let mut ring = Vec::new();
    for &t in &mesh.clusters.order {
        for h in 3 * t..3 * t + 3 {
            let vertex = adjacency::start(triangles, h);
            if std::mem::replace(&mut seen[vertex as usize], true) {
                continue;
            }
            walk_ring(triangles, adjacency, h, &mut ring);
            let n = ring.len();
            memory::add(
                &mut vertices,
                [vertex, ring[0], ring[n / 3], ring[2 * n / 3]],
            );
        }
    }
    vertices
}

/// Neighbours of the vertex where a half-edge starts, in order around it, as far as its triangles are connected.
fn walk_ring(triangles: &[[u32; 3]], adjacency: &Adjacency, first: u32, ring: &mut Vec<u32>) {
    ring.clear();
    let vertex = adjacency::start(triangles, first);
    let mut h = first;
    loop {
        ring.push(adjacency::end(triangles, h));
        let before = h / 3 * 3 + (h + 2) % 3;
        let twin = adjacency.twins[before as usize];
        if twin == NONE || adjacency::start(triangles, twin) != vertex {
            ring.push(adjacency::start(triangles, before));
            return;
        }
        if twin == first || ring.len() == MAX_RING {
            return;
        }
        h = twin;
    }
}

/// Neighbours that are looked at, at most: three are picked.
const MAX_RING: usize = 64;
