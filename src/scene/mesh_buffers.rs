//! What one device has of a mesh.

use crate::error::Result;
use crate::geometry::hierarchy::clusters::Clusters;
use crate::gpu::buffer::{Buffer, Role, Texel};
use crate::gpu::charge::MemoryKind;
use crate::gpu::device::Device;
use crate::gpu::shader::blocks::{ClusterBounds, ClusterRange};
use crate::gpu::staging::Staging;
use crate::memory::Gather;
use bytemuck::Pod;
use glam::Vec3;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

/// The buffers of a mesh on a device.
pub(crate) struct MeshBuffers {
    /// For each cluster its start in `cluster_vertices`, in `clusters.order`, and its triangle count: see `refit.comp`.
    pub(crate) cluster_ranges: Arc<Buffer>,
    /// The vertices of each cluster, each once.
    pub(crate) cluster_vertices: Arc<Buffer>,
    /// Three indices per triangle, in cluster order.
    pub(crate) cluster_indices: Arc<Buffer>,
    /// What the refit kernel writes: [`ClusterBounds`] per cluster.
    pub(crate) cluster_bounds: Arc<Buffer>,
    /// The positions, unless the engine keeps them.
    pub(crate) positions: Option<Arc<Buffer>>,
    /// Who reports which contact: see [`super::mesh::Mesh::contact_tables`].
    pub(super) contact_tables: OnceLock<Arc<Buffer>>,
    /// The number of each triangle in cluster order: see [`super::mesh::Mesh::cluster_order`].
    pub(super) cluster_order: OnceLock<Arc<Buffer>>,
    /// The revision of the positions that were sent.
    pub(super) sent: AtomicU64,
    /// The revision of the positions that the cluster bounds are of.
    pub(super) refitted: AtomicU64,
}

impl MeshBuffers {
    /// Puts clusters on their way to a device. Positions follow.
    pub(super) fn new(
        device: &Arc<Device>,
        staging: &mut Staging,
        (clusters, triangles): (&Clusters, &[[u32; 3]]),
        (ranges, vertices): (&[ClusterRange], &[u32]),
    ) -> Result<Self> {
        let texels = Some(Texel::Uint);
        let indices: Vec<[u32; 3]> = (clusters.order.iter())
            .map(|&t| triangles[t as usize])
            .gather();
        let bytes = (clusters.len() * size_of::<ClusterBounds>()) as u64;
        let bounds = Buffer::with_texels(device, Texel::Float4, bytes, "cluster bounds")?
            .for_kind(MemoryKind::Mesh);
        Ok(Self {
            cluster_ranges: device_copy(device, staging, None, ranges, "cluster ranges")?,
            cluster_vertices: device_copy(device, staging, texels, vertices, "cluster vertices")?,
            cluster_indices: device_copy(device, staging, texels, &indices, "indices")?,
            cluster_bounds: Arc::new(bounds),
            positions: None,
            contact_tables: OnceLock::new(),
            cluster_order: OnceLock::new(),
            sent: AtomicU64::new(0),
            refitted: AtomicU64::new(0),
        })
    }

    /// Where the positions are, which the engine does not keep.
    pub(super) fn position_buffer(&self) -> &Arc<Buffer> {
        (self.positions.as_ref()).expect("a mesh with positions on the host has them on the device")
    }

    /// Makes room for positions.
    pub(super) fn with_positions(mut self, device: &Arc<Device>, vertices: u32) -> Result<Self> {
        let bytes = u64::from(vertices) * POSITION_BYTES;
        device.check_storage(bytes, "positions", SMALLER)?;
        let buffer = Buffer::with_texels(device, Texel::Float4, bytes, "positions")?
            .for_kind(MemoryKind::Mesh);
        self.positions = Some(Arc::new(buffer));
        Ok(self)
    }
}

/// What helps when a mesh does not fit.
pub(super) const SMALLER: &str = "split the mesh";

/// Bytes of a position on the device: one texel, so that a kernel reads it at once.
const POSITION_BYTES: u64 = 16;

/// Puts positions from vertex `first` on on their way to the device.
pub(super) fn upload_positions(
    device: &Arc<Device>,
    staging: &mut Staging,
    target: &Arc<Buffer>,
    first: u32,
    positions: &[Vec3],
) -> Result<()> {
    let bytes = positions.len() as u64 * POSITION_BYTES;
    staging.upload(
        device,
        target,
        u64::from(first) * POSITION_BYTES,
        bytes,
        |out| {
            for (out, p) in out.chunks_exact_mut(POSITION_BYTES as usize).zip(positions) {
                out.copy_from_slice(bytemuck::bytes_of(&p.extend(0.0)));
            }
        },
    )
}

/// Puts values on their way to a buffer of their own.
pub(super) fn device_copy<T: Pod>(
    device: &Arc<Device>,
    staging: &mut Staging,
    texel: Option<Texel>,
    values: &[T],
    what: &str,
) -> Result<Arc<Buffer>> {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let size = bytes.len() as u64;
    device.check_storage(size, what, SMALLER)?;
    let buffer = match texel {
        Some(texel) => Buffer::with_texels(device, texel, size, what)?,
        None => Buffer::new(device, Role::Device, size, what)?,
    };
    let buffer = Arc::new(buffer.for_kind(MemoryKind::Mesh));
    staging.upload(device, &buffer, 0, size, |out| out.copy_from_slice(bytes))?;
    Ok(buffer)
}
