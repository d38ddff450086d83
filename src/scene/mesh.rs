//! A mesh on the device: fixed triangles, positions that may change every frame, clusters that follow them.

use crate::error::{Error, Result, invalid};
use crate::geometry::hierarchy::clusters::Clusters;
use crate::geometry::positions::SharedPositions;
use crate::geometry::surface::Surface;
use crate::geometry::topology::adjacency::Adjacency;
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, ForeignBuffer};
pub use crate::gpu::shader::blocks::ClusterBounds;
use crate::gpu::shader::blocks::ClusterRange;
use crate::gpu::staging::Staging;
use crate::lock::outlive;
use crate::memory::{self, Gather};
use crate::scene::hierarchy::Hierarchy;
use crate::scene::image::ImageSlot;
use crate::scene::mesh_buffers::{MeshBuffers, SMALLER, device_copy, upload_positions};
use crate::scene::pose::MAX_COORDINATE;
use glam::{DVec3, Vec3};
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard, OnceLock, RwLock};

/// Positions that live in the engine's buffer.
#[derive(Debug, Clone, Copy)]
pub struct EnginePositions {
    /// The engine's buffer; it has storage-buffer usage.
    pub buffer: ForeignBuffer,
    /// Bytes before the first position; a multiple of four.
    pub offset: u64,
    /// Bytes from one position to the next; a multiple of four, at least twelve.
    pub stride: u64,
}

/// Everything a mesh is made from.
pub struct MeshInput {
    /// A name for messages.
    pub label: String,
    /// Triangles; indices below `vertices`.
    pub triangles: Vec<[u32; 3]>,
    /// The number of vertices.
    pub vertices: u32,
    /// The host's positions. With `engine` they are the rest shape that clusters are made from, and may be missing.
    pub positions: Option<SharedPositions>,
    /// Where the engine keeps the positions, if it does.
    pub engine: Option<EnginePositions>,
    /// Whether positions may change.
    pub deforming: bool,
}

enum Store {
    /// Shared with exact queries that look at them: an update then leaves those alone.
    Host(RwLock<SharedPositions>),
    Engine(EnginePositions),
}

/// The positions of a mesh at one moment.
#[derive(Clone)]
pub struct MeshMoment {
    /// One per vertex.
    pub positions: SharedPositions,
    /// The update that they came with.
    pub(super) revision: u64,
}

impl MeshMoment {
    /// Whether no update of the positions came after it; `mesh` is the one it is of.
    pub fn is_latest(&self, mesh: &Mesh) -> bool {
        self.revision == mesh.revision()
    }

    /// The update that they came with.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// A mesh. Thread-safe.
pub struct Mesh {
    /// A name for messages.
    pub label: String,
    /// The number of vertices.
    pub vertices: u32,
    /// Triangles in the caller's order.
    pub triangles: Vec<[u32; 3]>,
    /// Whether positions may change.
    pub deforming: bool,
    /// Which triangles lie together.
    pub clusters: Clusters,
    /// Whether every vertex is of some triangle, so that the clusters hold them all.
    pub(crate) uses_every_vertex: bool,
    /// What its device has of it.
    own: MeshBuffers,
    /// What the host has of it beside another device, from the first query that runs there on.
    host: OnceLock<MeshBuffers>,
    /// What the exact queries keep.
    pub(super) hierarchy: Hierarchy,
    /// The layered depth image that it keeps.
    pub(super) image: ImageSlot,
    store: Store,
    revision: AtomicU64,
    /// Whether its positions are in double precision.
    doubles: bool,
    /// The bits of how far rounding has moved a vertex at most.
    rounding: AtomicU64,
    scans: AtomicU32,
    /// Whether its id names other triangles by now.
    replaced: AtomicBool,
}

/// Positions as a kernel sees them.
pub struct PositionBinding<'a> {
    /// What to bind.
    pub bound: Bound<'a>,
    /// Floats before the first position.
    pub first: u32,
    /// Floats from one position to the next.
    pub stride: u32,
}

/// Input that was checked and cut into clusters: all that takes time and needs no device.
pub struct PreparedMesh {
    input: MeshInput,
    clusters: Clusters,
    ranges: Vec<ClusterRange>,
    vertices: Vec<u32>,
    uses_every_vertex: bool,
}

impl PreparedMesh {
    /// Checks the input and cuts it into clusters.
    pub fn new(input: MeshInput) -> Result<Self> {
        check_triangles(&input.triangles, input.vertices)?;
        let clusters = match &input.positions {
            Some(positions) => {
                let positions = positions.all();
                match positions.doubles() {
                    None => check_positions(positions.rounded(), 0)?,
                    Some(doubles) => check_positions_f64(doubles, 0)?,
                }
                Clusters::by_position(Surface {
                    positions,
                    triangles: &input.triangles,
                })
            }
            None => Clusters::by_adjacency(&input.triangles, input.vertices as usize),
        };
        let (ranges, vertices) = cluster_vertices(&clusters, &input.triangles);
        let uses_every_vertex = uses_every_vertex(&vertices, input.vertices);
        Ok(Self {
            input,
            clusters,
            ranges,
            vertices,
            uses_every_vertex,
        })
    }
}

impl Mesh {
    /// Refuses another mesh that is not the same triangles in another place.
    pub fn check_same_triangles(&self, other: &Self, name: &str, other_name: &str) -> Result<()> {
        if (self.vertices, &self.triangles) == (other.vertices, &other.triangles) {
            return Ok(());
        }
        Err(invalid(format!(
            "{name} and {other_name} must be the same triangles in two places, but \"{}\" has {} vertices and {} \
             triangles, and \"{}\" has {} and {}, or their indices differ",
            self.label,
            self.vertices,
            self.triangles.len(),
            other.label,
            other.vertices,
            other.triangles.len()
        )))
    }

    /// Puts a prepared mesh on its way to the device.
    pub fn new(
        device: &Arc<Device>,
        staging: &mut Staging,
        prepared: PreparedMesh,
    ) -> Result<Self> {
        let PreparedMesh {
            input,
            clusters,
            ranges,
            vertices,
            uses_every_vertex,
        } = prepared;
        let of = (&clusters, &input.triangles[..]);
        let mut own = MeshBuffers::new(device, staging, of, (&ranges, &vertices))?;
        let (mut rounding, mut doubles) = (0.0f64, false);
        let store = match (input.engine, input.positions) {
            (Some(_), _) if device.is_host() => {
                return Err(Error::Unsupported(
                    "the host device reads no VkBuffer; give positions in host memory".into(),
                ));
            }
            (Some(engine), _) => {
                let bytes = u64::from(input.vertices) * engine.stride;
                device.check_storage(bytes, "positions", SMALLER)?;
                Store::Engine(engine)
            }
            (None, Some(positions)) => {
                rounding = positions.rounding();
                doubles = positions.all().are_doubles();
                own = own.with_positions(device, input.vertices)?;
                if let Some(buffer) = &own.positions {
                    upload_positions(device, staging, buffer, 0, positions.all().rounded())?;
                }
                Store::Host(RwLock::new(positions))
            }
            (None, None) => {
                return Err(invalid(
                    "a mesh needs positions in host memory or a VkBuffer",
                ));
            }
        };
        Ok(Self {
            label: input.label,
            vertices: input.vertices,
            triangles: input.triangles,
            deforming: input.deforming,
            clusters,
            uses_every_vertex,
            own,
            host: OnceLock::new(),
            hierarchy: Hierarchy::default(),
            image: ImageSlot::default(),
            store,
            revision: AtomicU64::new(1),
            doubles,
            rounding: AtomicU64::new(rounding.to_bits()),
            scans: AtomicU32::new(0),
            replaced: AtomicBool::new(false),
        })
    }

    /// Its id names another from now on.
    pub fn mark_replaced(&self) {
        self.replaced.store(true, Ordering::Relaxed);
    }

    /// Refuses a mesh whose id names other triangles by now; `holder` is what was made of these.
    pub fn check_not_replaced(&self, holder: &str) -> Result<()> {
        match self.replaced.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(Error::WrongState(format!(
                "the {holder} was made of other triangles than mesh \"{}\" has since prx_mesh_replace; make it anew",
                self.label
            ))),
        }
    }

    /// What a device has of it.
    pub(crate) fn on(&self, device: &Device) -> &MeshBuffers {
        match self.host.get() {
            Some(host) if device.is_host() => host,
            _ => &self.own,
        }
    }

    /// Sees that the host, beside its own device, has it too; false where only the engine has its positions.
    pub(crate) fn copy_to_host(&self, host: &Arc<Device>, staging: &mut Staging) -> Result<bool> {
        if self.is_engine_owned() || self.host.get().is_some() {
            return Ok(!self.is_engine_owned());
        }
        let (ranges, vertices) = cluster_vertices(&self.clusters, &self.triangles);
        let of = (&self.clusters, &self.triangles[..]);
        let buffers = MeshBuffers::new(host, staging, of, (&ranges, &vertices))?;
        let _ = (self.host).set(buffers.with_positions(host, self.vertices)?);
        Ok(true)
    }

    /// What error messages call it.
    pub fn name(&self) -> String {
        format!("mesh \"{}\"", self.label)
    }

    /// Replaces the positions from vertex `first` on. Doubles become these floats.
    pub fn update(
        &self,
        device: &Arc<Device>,
        staging: &mut Staging,
        first: u32,
        new: &[Vec3],
    ) -> Result<()> {
        self.replace(first, new.len(), |positions, buffer| {
            check_positions(new, first)?;
            upload_positions(device, staging, buffer, first, new)?;
            positions.update(first as usize, new)
        })
    }

    /// The same with doubles, which a mesh of floats refuses.
    pub fn update_f64(
        &self,
        device: &Arc<Device>,
        staging: &mut Staging,
        first: u32,
        new: &[DVec3],
    ) -> Result<()> {
        let settled = SharedPositions::of_doubles(memory::copy(new, "positions")?)?;
        let rounded = settled.all().rounded();
        self.replace(first, new.len(), |positions, buffer| {
            check_positions_f64(new, first)?;
            if !self.doubles {
                return Err(Error::WrongState(format!(
                    "mesh \"{}\" has positions in single precision; create it with PRX_POSITION_FORMAT_F64 to update it with doubles",
                    self.label
                )));
            }
            upload_positions(device, staging, buffer, first, rounded)?;
            positions.update_doubles(first as usize, &settled)?;
            // Bits of numbers that are not negative are in their order. What is in flight may still have earlier positions.
            let moved = settled.rounding().to_bits();
            self.rounding.fetch_max(moved, Ordering::Relaxed);
            Ok(())
        })
    }

    /// Counts an update of so many positions from `first` on that `put` makes.
    fn replace(
        &self,
        first: u32,
        count: usize,
        put: impl FnOnce(&mut SharedPositions, &Arc<Buffer>) -> Result<()>,
    ) -> Result<()> {
        if !self.deforming {
            return Err(Error::WrongState(format!(
                "mesh \"{}\" is static; create it with PRX_MESH_DEFORMING to update it",
                self.label
            )));
        }
        let (Store::Host(positions), Some(buffer)) = (&self.store, &self.own.positions) else {
            return Err(Error::WrongState(format!(
                "mesh \"{}\" reads its positions from the engine's VkBuffer; write there instead",
                self.label
            )));
        };
        let end = u64::from(first) + count as u64;
        if end > u64::from(self.vertices) {
            return Err(invalid(format!(
                "vertices {first} to {} do not fit: mesh \"{}\" has {}",
                end.saturating_sub(1),
                self.label,
                self.vertices
            )));
        }
        let mut positions = outlive(positions.write());
        put(&mut positions, buffer)?;
        self.revision.fetch_add(1, Ordering::Relaxed);
        self.scans.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Refuses a mesh in double precision for what would decide on its roundings without a word; `what` names it.
    pub fn check_single_precision(&self, what: &str) -> Result<()> {
        match self.doubles {
            false => Ok(()),
            true => Err(Error::Unsupported(format!(
                "{what} cannot take mesh \"{}\", whose positions are in double precision; give it one in single precision",
                self.label
            ))),
        }
    }

    /// How far a vertex is at most from where the device has it: 0 for positions in single precision.
    pub fn rounding(&self) -> f64 {
        f64::from_bits(self.rounding.load(Ordering::Relaxed))
    }

    /// Whether the engine keeps the positions.
    pub fn is_engine_owned(&self) -> bool {
        matches!(self.store, Store::Engine(_))
    }

    /// Runs `look` on the host's positions, rounded to floats; `None` when only the engine has them.
    pub fn with_positions<T>(&self, look: impl FnOnce(&[Vec3]) -> T) -> Option<T> {
        match &self.store {
            Store::Host(positions) => Some(look(outlive(positions.read()).all().rounded())),
            Store::Engine(_) => None,
        }
    }

    /// The positions as they are now; `None` when only the engine has them.
    pub fn moment(&self) -> Option<MeshMoment> {
        let Store::Host(positions) = &self.store else {
            return None;
        };
        // An update counts while it holds the lock.
        let positions = outlive(positions.read());
        Some(MeshMoment {
            positions: positions.clone(),
            revision: self.revision(),
        })
    }

    /// Positions that were read from the engine's buffer, as the newest.
    pub fn moment_of(&self, positions: Vec<Vec3>) -> Result<MeshMoment> {
        check_positions(&positions, 0)?;
        Ok(MeshMoment {
            positions: positions.into(),
            revision: self.revision(),
        })
    }

    /// Positions for a kernel that can read texel or storage buffers.
    pub fn positions(&self, device: &Device) -> PositionBinding<'_> {
        match &self.store {
            Store::Host(_) => PositionBinding {
                bound: Bound::whole(self.on(device).position_buffer()),
                first: 0,
                stride: 4,
            },
            Store::Engine(engine) => {
                let alignment = device.storage_alignment();
                let start = engine.offset / alignment * alignment;
                let first = engine.offset - start;
                let bytes = first + u64::from(self.vertices - 1) * engine.stride + 12;
                PositionBinding {
                    bound: Bound::foreign(engine.buffer, start, bytes),
                    first: (first / 4) as u32,
                    stride: (engine.stride / 4) as u32,
                }
            }
        }
    }

    /// For each half-edge, in cluster order, the one across its edge; then the vertices of each cluster, marked where the
    /// cluster stands for the vertex. On its way to the device at the first call.
    pub(crate) fn contact_tables<'a>(
        &self,
        device: &Arc<Device>,
        staging: impl FnOnce() -> MutexGuard<'a, Staging>,
    ) -> Result<Arc<Buffer>> {
        let kept = &self.on(device).contact_tables;
        if let Some(tables) = kept.get() {
            return Ok(tables.clone());
        }
        let triangles: Vec<[u32; 3]> = (self.clusters.order.iter())
            .map(|&t| self.triangles[t as usize])
            .gather();
        let mut words = Adjacency::of(&triangles, self.vertices as usize).twins;
        let mut taken = memory::filled(false, self.vertices as usize);
        for vertex in cluster_vertices(&self.clusters, &self.triangles).1 {
            let first = !std::mem::replace(&mut taken[vertex as usize], true);
            memory::add(&mut words, vertex | u32::from(first) << 31);
        }
        let buffer = device_copy(device, &mut staging(), None, &words, "contact tables")?;
        Ok(kept.get_or_init(|| buffer).clone())
    }

    /// For each triangle in cluster order its number. On its way to the device at the first call.
    pub(crate) fn cluster_order<'a>(
        &self,
        device: &Arc<Device>,
        staging: impl FnOnce() -> MutexGuard<'a, Staging>,
    ) -> Result<Arc<Buffer>> {
        let kept = &self.on(device).cluster_order;
        if let Some(order) = kept.get() {
            return Ok(order.clone());
        }
        let buffer = device_copy(
            device,
            &mut staging(),
            None,
            &self.clusters.order,
            "cluster order",
        )?;
        Ok(kept.get_or_init(|| buffer).clone())
    }

    /// Counts the updates of positions.
    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Relaxed)
    }

    /// Whether positions may change without an update: the engine writes its own at any time.
    pub fn changes_unseen(&self) -> bool {
        self.is_engine_owned() && self.deforming
    }

    /// Whether the cluster bounds on a device are older than the positions.
    pub(crate) fn needs_refit(&self, device: &Device) -> bool {
        self.changes_unseen() || self.on(device).refitted.load(Ordering::Relaxed) != self.revision()
    }

    /// A refit of the current positions was submitted to a device.
    pub(crate) fn mark_refitted(&self, device: &Device) {
        let buffers = self.on(device);
        buffers.refitted.store(self.revision(), Ordering::Relaxed);
    }

    /// The positions that the host, beside another device, has not seen yet, on their way to it.
    pub(crate) fn send_to_host(&self, host: &Arc<Device>, staging: &mut Staging) -> Result<()> {
        let (Some(buffers), Store::Host(positions)) = (self.host.get(), &self.store) else {
            return Ok(());
        };
        let positions = outlive(positions.read());
        let revision = self.revision();
        if buffers.sent.load(Ordering::Relaxed) == revision {
            return Ok(());
        }
        let buffer = buffers.position_buffer();
        upload_positions(host, staging, buffer, 0, positions.all().rounded())?;
        buffers.sent.store(revision, Ordering::Relaxed);
        Ok(())
    }

    /// Counts a query that could have used cluster bounds but read every vertex instead; `true` once there were `enough`
    /// since the positions changed, so that a refit would have been cheaper. What changes at any time is never worth it.
    pub(crate) fn is_worth_refitting(&self, enough: u32) -> bool {
        let may_change = self.is_engine_owned() && self.deforming;
        !may_change && self.scans.fetch_add(1, Ordering::Relaxed) >= enough
    }
}

fn check_triangles(triangles: &[[u32; 3]], vertices: u32) -> Result<()> {
    if triangles.is_empty() {
        return Err(invalid("a mesh needs at least one triangle"));
    }
    match triangles
        .iter()
        .position(|t| t.iter().any(|&v| v >= vertices))
    {
        None => Ok(()),
        Some(at) => Err(invalid(format!(
            "triangle {at} has the indices {:?}, but there are only {vertices} vertices",
            triangles[at]
        ))),
    }
}

/// Refuses positions that are not finite or too far out, naming the vertex; `first` is the number of the first.
pub(crate) fn check_positions(positions: &[Vec3], first: u32) -> Result<()> {
    let bad = |p: &Vec3| !p.is_finite() || p.abs().max_element() > MAX_COORDINATE;
    match positions.iter().position(bad) {
        None => Ok(()),
        Some(at) => Err(out_of_range(first, at, positions[at])),
    }
}

/// The same of doubles.
pub(crate) fn check_positions_f64(positions: &[DVec3], first: u32) -> Result<()> {
    let most = f64::from(MAX_COORDINATE);
    let bad = |p: &DVec3| !p.is_finite() || p.abs().max_element() > most;
    match positions.iter().position(bad) {
        None => Ok(()),
        Some(at) => Err(out_of_range(first, at, positions[at])),
    }
}

fn out_of_range(first: u32, at: usize, place: impl Display) -> Error {
    invalid(format!(
        "vertex {} is at {place}; positions must be finite and at most {MAX_COORDINATE:e} from the origin",
        u64::from(first) + at as u64,
    ))
}

/// The vertices of every cluster, each once and in increasing order: a third of what the triangles would read.
fn cluster_vertices(clusters: &Clusters, triangles: &[[u32; 3]]) -> (Vec<ClusterRange>, Vec<u32>) {
    let mut vertices = memory::room(triangles.len());
    let mut ranges = memory::room(clusters.len());
    let mut own: Vec<u32> = Vec::new();
    let mut first_triangle = 0;
    for cluster in clusters.iter() {
        own.clear();
        own.extend(cluster.iter().flat_map(|&t| triangles[t as usize]));
        own.sort_unstable();
        own.dedup();
        ranges.push(ClusterRange {
            first_vertex: vertices.len() as u32,
            vertex_count: own.len() as u32,
            first_triangle,
            triangle_count: cluster.len() as u32,
        });
        memory::add_all(&mut vertices, &own);
        first_triangle += cluster.len() as u32;
    }
    (ranges, vertices)
}

fn uses_every_vertex(used: &[u32], vertices: u32) -> bool {
    let mut seen = memory::filled(false, vertices as usize);
    used.iter().for_each(|&v| seen[v as usize] = true);
    seen.iter().all(|&seen| seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_triangles_and_positions_are_named() {
        let error = check_triangles(&[[0, 1, 2], [0, 1, 3]], 3)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("triangle 1") && error.contains("3 vertices"),
            "{error}"
        );
        assert!(check_triangles(&[], 3).is_err());
        for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e16] {
            let error = check_positions(&[Vec3::ZERO, Vec3::new(0.0, 0.0, bad)], 10)
                .unwrap_err()
                .to_string();
            assert!(error.contains("vertex 11"), "{error}");
        }
        assert!(check_positions(&[Vec3::splat(1e15)], 0).is_ok());
    }
}
