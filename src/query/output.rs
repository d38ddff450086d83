//! Output: records that a query writes to a buffer of the engine's once its answer is there, with a head in front that dispatches and
//! draws can be fed from. Nothing of it passes the host.

use crate::error::{Error, Result, invalid};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, ForeignBuffer};
pub use crate::gpu::shader::blocks::{OutputFrame, OutputHead, OutputRoom};
use crate::gpu::shader::kernels::OutputBindings;
use crate::gpu::share::MOST_GROUPS;
use crate::query::meeting::rows;
use glam::DAffine3;

/// Bytes before the records.
pub const HEAD_BYTES: u64 = size_of::<OutputHead>() as u64;
/// `VK_BUFFER_USAGE_STORAGE_BUFFER_BIT`.
const STORAGE_USAGE: u32 = 0x20;
/// `VK_BUFFER_USAGE_TRANSFER_DST_BIT`.
const TRANSFER_TARGET_USAGE: u32 = 2;
/// A status bit: there are more records than room.
pub const CUT: u32 = 1;
/// A status bit: the query ran out of its own room, so that not all records were found.
pub const INCOMPLETE: u32 = 2;

/// An array that a query can write.
#[derive(Debug, Clone, Copy)]
pub struct OutputArray {
    /// Its records, in messages.
    pub name: &'static str,
    /// Bytes of a record.
    pub record_bytes: u32,
}

impl OutputArray {
    /// An array of the structs that a kernel writes.
    pub(crate) const fn of<T>(name: &'static str) -> Self {
        Self {
            name,
            record_bytes: size_of::<T>() as u32,
        }
    }
}

/// A place in a buffer of the engine's, as the caller describes it.
#[derive(Debug, Clone, Copy)]
pub struct OutputBuffer {
    /// The buffer.
    pub buffer: ForeignBuffer,
    /// Its bytes.
    pub bytes: u64,
    /// The usage that it was created with, in Vulkan's bits.
    pub usage: u32,
    /// Bytes before the head.
    pub offset: u64,
    /// Records that there is room for.
    pub capacity: u32,
    /// Bytes of a record, as the caller knows it.
    pub record_bytes: u32,
    /// Records for a workgroup of the dispatch in the head.
    pub group_size: u32,
    /// Vertices for a record in the draw of the head.
    pub vertices: u32,
}

impl OutputBuffer {
    /// Refuses a place that an array cannot be written to.
    pub(super) fn check(&self, array: &OutputArray, device: &Device) -> Result<()> {
        let OutputArray { name, record_bytes } = *array;
        if self.record_bytes != record_bytes {
            return Err(invalid(format!(
                "record_size is {}; {name} are records of {record_bytes} bytes",
                self.record_bytes
            )));
        }
        let needed = self.needed();
        let what = format!("{} {name} with their head", self.capacity);
        check_place((self.usage, self.offset, self.bytes), needed, &what, device)?;
        device.check_storage(needed, name, "give less capacity")?;
        if self.group_size == 0 {
            return Err(invalid(
                "group_size is 0; it is at least 1 record for a workgroup",
            ));
        }
        let groups = self.capacity.div_ceil(self.group_size);
        if groups > MOST_GROUPS {
            return Err(invalid(format!(
                "{} {name} in workgroups of {} make {groups} workgroups, more than the {MOST_GROUPS} of a dispatch: raise group_size",
                self.capacity, self.group_size
            )));
        }
        Ok(())
    }

    /// Refuses a buffer that nothing can be copied to.
    pub(super) fn check_copied(&self) -> Result<()> {
        if self.usage & TRANSFER_TARGET_USAGE == 0 {
            return Err(invalid(format!(
                "vk_buffer_usage is {:#x}; what exact queries write is copied, so that the buffer must be created with \
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT ({TRANSFER_TARGET_USAGE:#x}) too",
                self.usage
            )));
        }
        Ok(())
    }

    fn needed(&self) -> u64 {
        HEAD_BYTES + u64::from(self.capacity) * u64::from(self.record_bytes)
    }

    pub(super) fn bound(&self) -> Bound<'static> {
        Bound::foreign(self.buffer, self.offset, self.needed())
    }

    pub(super) fn room(&self) -> OutputRoom {
        OutputRoom {
            capacity: self.capacity,
            group_size: self.group_size,
            vertices: self.vertices,
        }
    }
}

/// Says what became of the records, from what the kernel left for the host.
pub(super) fn outcome(head: OutputHead, name: &'static str, capacity: u32) -> Result<()> {
    if head.status & INCOMPLETE != 0 {
        return Err(Error::Unsupported(format!(
            "the query ran out of its own room before all {name} were found: raise its budget, memory or room, or read its answer to learn how much"
        )));
    }
    if head.status & CUT != 0 {
        return Err(Error::BufferTooSmall {
            what: name,
            given: capacity.into(),
            needed: head.count.into(),
        });
    }
    Ok(())
}

/// A buffer of the engine's that a query reads what it is given from, as the caller describes it.
#[derive(Debug, Clone, Copy)]
pub struct InputBuffer {
    /// The buffer.
    pub buffer: ForeignBuffer,
    /// Its bytes.
    pub bytes: u64,
    /// The usage that it was created with, in Vulkan's bits.
    pub usage: u32,
    /// Bytes before the values.
    pub offset: u64,
}

impl InputBuffer {
    /// What kernels bind of it, for so many bytes of values.
    pub(super) fn bound(&self, needed: u64, device: &Device) -> Result<Bound<'static>> {
        check_place(
            (self.usage, self.offset, self.bytes),
            needed,
            "values",
            device,
        )?;
        Ok(Bound::foreign(self.buffer, self.offset, needed))
    }
}

/// Refuses what kernels cannot bind: a usage without storage, an offset between two alignments, an end beyond that of the buffer.
fn check_place(
    (usage, offset, bytes): (u32, u64, u64),
    needed: u64,
    what: &str,
    device: &Device,
) -> Result<()> {
    if usage & STORAGE_USAGE == 0 {
        return Err(invalid(format!(
            "vk_buffer_usage is {usage:#x}; the buffer of {what} must be created with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT ({STORAGE_USAGE:#x})"
        )));
    }
    let alignment = device.storage_alignment();
    if !offset.is_multiple_of(alignment) {
        return Err(invalid(format!(
            "vk_buffer_offset is {offset}; on this device it must be a multiple of {alignment}, minStorageBufferOffsetAlignment"
        )));
    }
    if offset.checked_add(needed).is_none_or(|end| end > bytes) {
        return Err(invalid(format!(
            "the buffer has {bytes} bytes; {what} need {needed} after an offset of {offset}"
        )));
    }
    Ok(())
}

/// What a kernel that writes records is given.
#[derive(Clone, Copy)]
pub struct OutputPlace<'a> {
    /// Where records are placed in the world, and the head for the host.
    pub(super) output: OutputBindings<'a>,
    /// The head and the records.
    pub(super) records: Bound<'a>,
    /// Room for them.
    pub(super) room: OutputRoom,
}

/// What places records: two motions.
pub(super) fn placement(a: &DAffine3, b: &DAffine3) -> OutputFrame {
    OutputFrame {
        a: rows(a, 1.0, a.translation),
        b: rows(b, 1.0, b.translation),
    }
}
