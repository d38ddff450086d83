//! Occlusion queries: how many samples of some draws passed the tests. Rows that are not in use are kept for the next who asks.

use super::callbacks::callbacks;
use super::counts::Counted;
use super::device::Device;
use super::failed;
use crate::error::Result;
use crate::lock::lock;
use ash::vk;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

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
        let raw = unsafe { device.vulkan().raw.create_query_pool(&info, callbacks()) }
            .map_err(failed("vkCreateQueryPool"))?;
        device.vulkan().names.name(raw, "occlusion queries");
        device.counters.count(Counted::Creation);
        Ok(Self {
            device: device.clone(),
            raw,
            count,
        })
    }
}

/// Rows of queries of a context that nobody uses.
#[derive(Default)]
pub struct OcclusionPool(Arc<Mutex<Vec<OcclusionQueries>>>);

/// How many unused rows are kept.
const KEPT: usize = 64;

/// A row that goes back to its pool. Whoever submitted work that uses it waits for that before it drops this.
pub struct LentQueries {
    queries: Option<OcclusionQueries>,
    pool: Arc<Mutex<Vec<OcclusionQueries>>>,
}

impl OcclusionPool {
    /// A row of `count` queries.
    pub fn lend(&self, device: &Arc<Device>, count: u32) -> Result<LentQueries> {
        let kept = {
            let mut rows = lock(&self.0);
            let at = rows.iter().position(|row| row.count == count);
            at.map(|at| rows.swap_remove(at))
        };
        let queries = match kept {
            Some(queries) => queries,
            None => OcclusionQueries::new(device, count)?,
        };
        Ok(LentQueries {
            queries: Some(queries),
            pool: self.0.clone(),
        })
    }
}

impl Deref for LentQueries {
    type Target = OcclusionQueries;

    fn deref(&self) -> &OcclusionQueries {
        self.queries.as_ref().expect("lent until it is dropped")
    }
}

impl Drop for LentQueries {
    fn drop(&mut self) {
        let mut rows = lock(&self.pool);
        if let Some(queries) = self.queries.take().filter(|_| rows.len() < KEPT) {
            rows.push(queries);
        }
    }
}

impl Drop for OcclusionQueries {
    fn drop(&mut self) {
        // SAFETY: whoever submitted work that uses these queries kept them alive until the work was done.
        unsafe {
            self.device
                .vulkan()
                .raw
                .destroy_query_pool(self.raw, callbacks())
        };
    }
}
