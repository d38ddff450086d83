//! How work is spread over workgroups and submissions: software devices pay for every workgroup and run few at a time, but do not mind
//! waiting; GPUs need thousands of invocations to hide what memory makes them wait, and idle between dispatches and between submissions.

use super::device::Device;
use ash::vk;

/// For what kind of device dispatches are sized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// A processor: few workgroups with much to do.
    Software,
    /// A GPU: many with little.
    Hardware,
}

impl Spread {
    /// That of a device, unless a trial says otherwise.
    pub(crate) fn of(device: &Device) -> Self {
        let own = match device.physical.kind {
            vk::PhysicalDeviceType::CPU => Self::Software,
            _ => Self::Hardware,
        };
        device.trial.spread.unwrap_or(own)
    }
}

/// Workgroups along an axis of a dispatch; every device allows this many.
pub(crate) const MOST_GROUPS: u32 = 65_535;

/// Workgroups that take `each` of `count` items; where they are not enough, kernels take turns.
pub(crate) fn groups_of(count: u32, each: u32) -> [u32; 3] {
    [count.div_ceil(each).clamp(1, MOST_GROUPS), 1, 1]
}

/// Workgroups with an invocation for each of `count` items, in rows.
pub(crate) fn lane_groups(workgroup: [u32; 3], count: u32) -> [u32; 3] {
    let groups = count.div_ceil(workgroup[0]).max(1);
    let row = groups.min(MOST_GROUPS);
    [row, groups.div_ceil(row), 1]
}

/// A number that sizes dispatches: items that an invocation or a workgroup takes before more workgroups pay, or workgroups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridShare {
    /// Measured on software devices.
    pub(crate) software: u32,
    /// Reckoned for GPUs: nothing was measured on one.
    pub(crate) hardware: u32,
}

impl GridShare {
    pub(crate) fn on(self, device: &Device) -> u32 {
        match Spread::of(device) {
            Spread::Software => self.software,
            Spread::Hardware => self.hardware,
        }
    }
}
