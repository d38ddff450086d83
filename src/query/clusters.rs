//! Clusters: the boxes and spheres of a mesh's triangle clusters, refitted on the device to its current positions.

use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::paths::Feature;
use crate::gpu::recorder::{Access, Bound, Recorder};
use crate::gpu::shader::{self, Shader};
use crate::scene::mesh::{ClusterBounds, Mesh};
use bytemuck::{Pod, Zeroable};
use std::sync::Arc;

/// What `refit.comp` is pushed.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct RefitPush {
    clusters: u32,
    first: u32,
    stride: u32,
}

/// Clusters that a workgroup takes before more workgroups pay; software devices pay as much for a workgroup as for a cluster.
const CLUSTERS_PER_GROUP: u32 = 16;
/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;

/// The refits of one submission; they count once it has been submitted.
#[derive(Default)]
pub(crate) struct Refits(Vec<Arc<Mesh>>);

impl Refits {
    /// The submission went through.
    pub(crate) fn submitted(&self) {
        self.0.iter().for_each(|mesh| mesh.mark_refitted());
    }

    /// Whether a mesh's cluster bounds will be those of its positions once what is recorded has run.
    pub(crate) fn are_current(&self, mesh: &Arc<Mesh>) -> bool {
        !mesh.needs_refit() || self.0.iter().any(|m| Arc::ptr_eq(m, mesh))
    }
}

/// Brings a mesh's cluster bounds up to date, if they are not, and makes them visible to the kernels that follow.
pub(crate) fn refit(recorder: &mut Recorder, refits: &mut Refits, mesh: &Arc<Mesh>) -> Result<()> {
    refit_all(recorder, refits, [mesh])
}

/// [`refit`] for several meshes, between the same two barriers.
pub(crate) fn refit_all<'a>(
    recorder: &mut Recorder,
    refits: &mut Refits,
    meshes: impl IntoIterator<Item = &'a Arc<Mesh>>,
) -> Result<()> {
    let mut started = false;
    for mesh in meshes {
        if refits.are_current(mesh) {
            continue;
        }
        if !started {
            recorder.barrier(Access::Any, Access::Compute);
            started = true;
        }
        record_refit(recorder, mesh)?;
        refits.0.push(mesh.clone());
    }
    if started {
        recorder.barrier(Access::Compute, Access::Any);
    }
    Ok(())
}

fn record_refit(recorder: &mut Recorder, mesh: &Mesh) -> Result<()> {
    let positions = mesh.positions(recorder.device());
    let texel = positions.is_texel() && mesh.cluster_vertices.has_texels();
    let positions = if texel {
        positions
    } else {
        positions.as_storage()
    };
    let kernel = kernel(texel, recorder.device().paths.on(Feature::Subgroups));
    let clusters = mesh.clusters.len() as u32;
    let push = RefitPush {
        clusters,
        first: positions.first,
        stride: positions.stride,
    };
    let bound = [
        positions.bound,
        Bound::Buffer(&mesh.cluster_ranges),
        if texel {
            Bound::Texels(&mesh.cluster_vertices)
        } else {
            Bound::Buffer(&mesh.cluster_vertices)
        },
        Bound::Buffer(&mesh.cluster_bounds),
    ];
    recorder.dispatch(
        kernel,
        &bound,
        &push,
        [clusters.div_ceil(CLUSTERS_PER_GROUP).min(MAX_GROUPS), 1, 1],
    )
}

/// A planned clusters query.
pub(crate) struct ClustersQuery {
    mesh: Arc<Mesh>,
}

impl ClustersQuery {
    pub(crate) fn plan(mesh: Arc<Mesh>) -> Self {
        Self { mesh }
    }

    /// Bytes of the answer in the batch's results.
    pub(crate) fn result_bytes(&self) -> u64 {
        (self.mesh.clusters.len() * size_of::<ClusterBounds>()) as u64
    }

    pub(crate) fn record(
        &self,
        recorder: &mut Recorder,
        refits: &mut Refits,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        refit(recorder, refits, &self.mesh)?;
        recorder.barrier(Access::Any, Access::Transfer);
        recorder.copy(
            &self.mesh.cluster_bounds,
            0,
            results,
            offset,
            self.result_bytes(),
        );
        Ok(())
    }

    pub(crate) fn answer(&self, bytes: &[u8]) -> Vec<ClusterBounds> {
        bytemuck::pod_collect_to_vec(&bytes[..self.result_bytes() as usize])
    }
}

fn kernel(texel: bool, subgroups: bool) -> &'static Shader {
    match (texel, subgroups) {
        (true, true) => &shader::REFIT_TEXEL_SUBGROUP,
        (true, false) => &shader::REFIT_TEXEL,
        (false, true) => &shader::REFIT_STORAGE_SUBGROUP,
        (false, false) => &shader::REFIT_STORAGE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_layout;

    #[test]
    fn host_and_shader_agree_on_the_push_constants() {
        for texel in [true, false] {
            for subgroups in [true, false] {
                assert_layout!(
                    kernel(texel, subgroups),
                    "RefitPush",
                    RefitPush {
                        clusters,
                        first,
                        stride
                    }
                );
            }
        }
    }
}
