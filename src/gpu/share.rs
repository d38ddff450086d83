//! How work is spread over workgroups: software devices pay for every workgroup and run few at a time; GPUs need thousands of
//! invocations to hide what memory makes them wait.

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
    /// That of a type of device.
    pub(crate) fn of(kind: vk::PhysicalDeviceType) -> Self {
        match kind {
            vk::PhysicalDeviceType::CPU => Self::Software,
            _ => Self::Hardware,
        }
    }
}

/// A number that sizes dispatches: items that an invocation or a workgroup takes before more workgroups pay, or workgroups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    /// Measured on software devices.
    pub(crate) software: u32,
    /// Reckoned for GPUs: nothing was measured on one.
    pub(crate) hardware: u32,
}

impl Share {
    pub(crate) fn on(self, device: &Device) -> u32 {
        let own = Spread::of(device.physical.kind);
        match device.trial.spread.unwrap_or(own) {
            Spread::Software => self.software,
            Spread::Hardware => self.hardware,
        }
    }
}
