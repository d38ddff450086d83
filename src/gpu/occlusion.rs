//! Occlusion queries: how many samples of some draws passed the tests.

use super::device::Device;
use super::failed;
use crate::error::Result;
use ash::vk;
use std::sync::Arc;

/// A row of occlusion queries. A [`super::pass::Pass`] counts into them, a recorder copies the counts to a buffer.
pub struct OcclusionQueries {
    device: Arc<Device>,
    pub(crate) raw: vk::QueryPool,
    /// How many there are.
    pub count: u32,
}

impl OcclusionQueries {
    /// Makes `count` queries, at least one.
    pub fn new(device: &Arc<Device>, count: u32) -> Result<Self> {
        let count = count.max(1);
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::OCCLUSION)
            .query_count(count);
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_query_pool(&info, None) }
            .map_err(failed("vkCreateQueryPool"))?;
        Ok(Self {
            device: device.clone(),
            raw,
            count,
        })
    }
}

impl Drop for OcclusionQueries {
    fn drop(&mut self) {
        // SAFETY: whoever submitted work that uses these queries kept them alive until the work was done.
        unsafe { self.device.raw.destroy_query_pool(self.raw, None) };
    }
}
