//! Clusters: the boxes and spheres of a mesh's triangle clusters, refitted on the device to its current positions.

use super::Query;
use super::workspace::{Memory, Place};
use crate::error::Result;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::RefitPush;
use crate::gpu::shader::kernels::{Fetch, Refit, Workgroup};
use crate::gpu::share::{GridShare, groups_of};
use crate::gpu::staging::Staging;
use crate::memory;
use crate::scene::mesh::{ClusterBounds, Mesh};
use std::sync::Arc;

/// Clusters that a workgroup takes before more workgroups pay; software devices pay as much for a workgroup as for a cluster.
const CLUSTERS_PER_GROUP: GridShare = GridShare {
    software: 16,
    hardware: 1,
};

/// The refits of one submission; they count once it has been submitted.
pub struct Refits {
    device: Arc<Device>,
    meshes: Vec<Arc<Mesh>>,
    /// Meshes whose positions are read.
    read: Vec<Arc<Mesh>>,
}

impl Refits {
    pub(crate) fn new(device: &Arc<Device>) -> Self {
        Self {
            device: device.clone(),
            meshes: Vec::new(),
            read: Vec::new(),
        }
    }

    /// Asks for a mesh's cluster bounds to be those of its positions.
    pub(crate) fn ask(&mut self, mesh: &Arc<Mesh>) {
        self.read(mesh);
        if !self.are_current(mesh) {
            self.meshes.push(mesh.clone());
        }
    }

    /// Asks for a mesh's positions as they are now.
    pub(crate) fn read(&mut self, mesh: &Arc<Mesh>) {
        if self.device.is_host() {
            self.read.push(mesh.clone());
        }
    }

    /// Whether a mesh's cluster bounds will be those of its positions when the first step runs.
    pub(crate) fn are_current(&self, mesh: &Arc<Mesh>) -> bool {
        !mesh.needs_refit(&self.device) || self.meshes.iter().any(|m| Arc::ptr_eq(m, mesh))
    }

    /// The meshes whose clusters are refitted.
    pub(crate) fn meshes(&self) -> impl Iterator<Item = &Arc<Mesh>> {
        self.meshes.iter()
    }

    /// Puts the positions that the host has not seen on their way to it.
    pub(crate) fn send(&self, staging: &mut Staging) -> Result<()> {
        (self.read.iter()).try_for_each(|mesh| mesh.send_to_host(&self.device, staging))
    }

    /// Records the refits after the transfers recorded so far, and makes all of that visible to the kernels and passes that follow.
    pub(crate) fn record(&self, recorder: &mut Recorder) -> Result<()> {
        recorder.order_kernels();
        for mesh in &self.meshes {
            record_refit(recorder, mesh)?;
        }
        recorder.order_kernels();
        Ok(())
    }

    /// The submission went through.
    pub(crate) fn submitted(&self) {
        (self.meshes.iter()).for_each(|mesh| mesh.mark_refitted(&self.device));
    }
}

fn record_refit(recorder: &mut Recorder, mesh: &Mesh) -> Result<()> {
    let (positions, buffers) = (
        mesh.positions(recorder.device()),
        mesh.on(recorder.device()),
    );
    let vertices = Bound::whole(&buffers.cluster_vertices);
    let kernel = Refit {
        fetch: Fetch::of([positions.bound, vertices]),
        workgroup: Workgroup::on(recorder.device()),
        positions: positions.bound,
        ranges: Bound::whole(&buffers.cluster_ranges),
        vertices,
        bounds: Bound::whole(&buffers.cluster_bounds),
    };
    let clusters = mesh.clusters.len() as u32;
    let push = RefitPush {
        clusters,
        first: positions.first,
        stride: positions.stride,
    };
    let groups = groups_of(clusters, CLUSTERS_PER_GROUP.on(recorder.device()));
    recorder.dispatch(&kernel, &push, groups)
}

/// A planned clusters query: a refit, and a copy of the bounds.
pub struct ClustersQuery {
    mesh: Arc<Mesh>,
}

impl ClustersQuery {
    /// The cluster bounds of a mesh.
    pub fn plan(mesh: Arc<Mesh>) -> Self {
        Self { mesh }
    }

    fn bytes(&self) -> u64 {
        (self.mesh.clusters.len() * size_of::<ClusterBounds>()) as u64
    }
}

impl Query for ClustersQuery {
    type Answer = Vec<ClusterBounds>;
    type Step = ();
    const NAME: &'static str = "clusters";

    fn memory(&self) -> Memory {
        Memory::answer(self.bytes())
    }

    fn prepare(&mut self, refits: &mut Refits) {
        refits.ask(&self.mesh);
    }

    fn steps(&self) -> &[()] {
        &[]
    }

    fn record(&self, (): (), _: &Place, _: &mut Recorder) -> Result<()> {
        Ok(())
    }

    fn collect(&self, place: &Place, recorder: &mut Recorder) {
        let bounds = &self.mesh.on(recorder.device()).cluster_bounds;
        recorder.copy(bounds, 0, place.answers, place.offset, self.bytes());
    }

    fn answer(&self, bytes: &[u8]) -> Result<Vec<ClusterBounds>> {
        memory::from_bytes(bytes, "clusters")
    }
}
