//! Kernels in native code: what a device that is the host itself runs in the place of shaders, and the memory that they see.

use super::recorder::{Bound, Texture};
use super::shader::Kernel;
use bytemuck::Pod;
use half::f16;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A kernel with a native twin.
pub trait Native: Kernel + Copy + Send + Sync {
    /// Does what the shader does when it is dispatched over `groups` workgroups, on the threads of the pool that this is called on. How
    /// the work is cut is its own business; what it leaves in memory is what the shader leaves there, up to rounding, and the same bits
    /// for any number of threads. It may end early, by [`crate::interrupt::check`], only if it can be run again from the start.
    fn run(&self, push: &Self::Push, groups: [u32; 3]);
}

pub(crate) use super::host::on_pool;

/// Memory of the host that a binding names.
#[derive(Clone, Copy)]
pub(crate) struct HostMemory {
    pub(crate) start: *mut u8,
    pub(crate) bytes: usize,
}

// SAFETY: it is only an address; who follows it answers for what is there, as with a Vulkan handle.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// Its bytes, for commands that only read them.
    pub(crate) fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: the memory is alive while a recorded command runs, and commands that write it come before or after.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }

    /// Its words.
    pub(crate) fn words<'a>(self) -> &'a [AtomicU32] {
        // SAFETY: as above; atomics may be written by many, and parts start at multiples of four.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.bytes / 4) }
    }

    /// Fills its words.
    pub(crate) fn fill(self, word: u32) {
        let byte = word as u8;
        if word == u32::from_ne_bytes([byte; 4]) {
            // SAFETY: the memory is alive while a recorded command runs, and commands that use it come before or after.
            unsafe { std::ptr::write_bytes(self.start, byte, self.bytes / 4 * 4) };
            return;
        }
        self.words().iter().for_each(|own| own.store(word, Relaxed));
    }

    /// Copies as many bytes as it has.
    pub(crate) fn copy_from(self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.bytes);
        self.start_from(bytes);
    }

    /// Copies bytes to where it starts, no more than it has.
    pub(crate) fn start_from(self, bytes: &[u8]) {
        assert!(bytes.len() <= self.bytes);
        // SAFETY: both are alive while a recorded command runs, and different buffers or parts.
        unsafe { std::ptr::copy(bytes.as_ptr(), self.start, bytes.len()) };
    }

    /// Fills floats from floats, or from halves.
    pub(crate) fn convert_from(self, bytes: &[u8], half: bool) {
        if !half {
            return self.copy_from(bytes);
        }
        for (word, pair) in self.words().iter().zip(bytes.chunks_exact(2)) {
            let value = f16::from_le_bytes([pair[0], pair[1]]);
            word.store(value.to_f32().to_bits(), Relaxed);
        }
    }
}

/// Memory of the host in the place of a device's: written through shared references by the commands that own its order.
pub(crate) struct HostBytes {
    /// Where it starts, at a multiple of [`ALIGNMENT`].
    start: NonNull<u8>,
    bytes: usize,
    allocated: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it is memory; commands that write it are ordered, as on a device.
unsafe impl Send for HostBytes {}
// SAFETY: as above.
unsafe impl Sync for HostBytes {}

/// As much as a cache line, and more than any element needs.
const ALIGNMENT: usize = 64;
/// What every allocator gives without asking.
const OWN_ALIGNMENT: usize = 16;

impl HostBytes {
    /// Zeros; `None` where the host has no memory for them.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        // The system gives zeros without touching them, but not where it is asked for more than its own alignment.
        let bytes = bytes.max(ALIGNMENT);
        let layout = Layout::from_size_align(bytes.checked_add(ALIGNMENT)?, OWN_ALIGNMENT).ok()?;
        // SAFETY: the size is not zero.
        let allocated = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skipped = allocated.as_ptr().align_offset(ALIGNMENT);
        // SAFETY: less than an alignment is skipped, which was allocated on top.
        let start = unsafe { allocated.add(skipped) };
        Some(Self {
            start,
            bytes,
            allocated,
            layout,
        })
    }

    /// A part of it.
    pub(crate) fn part(&self, offset: usize, bytes: usize) -> HostMemory {
        assert!(
            offset
                .checked_add(bytes)
                .is_some_and(|end| end <= self.bytes)
        );
        HostMemory {
            // SAFETY: inside the memory, by the line above.
            start: unsafe { self.start.as_ptr().add(offset) },
            bytes,
        }
    }

    /// All of it as values.
    pub(crate) fn values<T: Pod>(&self) -> &[T] {
        // SAFETY: the memory is aligned and initialised; commands that write it come before or after.
        unsafe {
            std::slice::from_raw_parts(self.start.as_ptr().cast(), self.bytes / size_of::<T>())
        }
    }
}

impl HostBytes {
    /// All of it, to write.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the memory is initialised and borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for HostBytes {
    fn drop(&mut self) {
        // SAFETY: it was allocated so.
        unsafe { dealloc(self.allocated.as_ptr(), self.layout) };
    }
}

/// An array that a kernel writes, or that changes while it runs. It is read and written word by word, so threads that meet in one element
/// cannot tear the host apart, though they may mix their words.
pub struct Array<'a, T> {
    words: &'a [AtomicU32],
    element: PhantomData<T>,
}

impl<T> Clone for Array<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Array<'_, T> {}

impl<T: Pod> Array<'_, T> {
    const WORDS: usize = size_of::<T>() / 4;

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.words.len() / Self::WORDS
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element.
    pub fn get(&self, at: usize) -> T {
        let mut value = T::zeroed();
        let out: &mut [u32] = bytemuck::cast_slice_mut(bytemuck::bytes_of_mut(&mut value));
        for (out, word) in out
            .iter_mut()
            .zip(&self.words[at * Self::WORDS..][..Self::WORDS])
        {
            *out = word.load(Relaxed);
        }
        value
    }

    /// Writes an element.
    pub fn set(&self, at: usize, value: T) {
        let given: &[u32] = bytemuck::cast_slice(bytemuck::bytes_of(&value));
        for (word, given) in self.words[at * Self::WORDS..][..Self::WORDS]
            .iter()
            .zip(given)
        {
            word.store(*given, Relaxed);
        }
    }
}

impl<'a> Bound<'a> {
    /// What it holds, for kernels that only read it.
    pub fn values<T: Pod>(&self) -> &'a [T] {
        let memory = self.host_memory();
        // SAFETY: the memory is alive while a recorded command runs, `Bound::part` and the allocation align it to 16 bytes at least, `T`
        // is plain data, and commands that write it come before or after.
        unsafe { std::slice::from_raw_parts(memory.start.cast(), memory.bytes / size_of::<T>()) }
    }

    /// Its words, to count and to merge in from several threads.
    pub fn words(&self) -> &'a [AtomicU32] {
        self.host_memory().words()
    }

    /// An array that the kernel writes.
    pub fn array<T: Pod>(&self) -> Array<'a, T> {
        Array {
            words: self.words(),
            element: PhantomData,
        }
    }

    /// What follows after so many bytes: an array behind the head of a block.
    pub fn after(&self, bytes: usize) -> Self {
        let memory = self.host_memory();
        assert!(bytes <= memory.bytes && bytes.is_multiple_of(4));
        self.with_host_memory(HostMemory {
            // SAFETY: inside the memory, by the line above.
            start: unsafe { memory.start.add(bytes) },
            bytes: memory.bytes - bytes,
        })
    }
}

/// A three-dimensional texture on the host: floats whatever the device's format, channel by channel of voxel by voxel.
#[derive(Clone, Copy)]
pub struct Voxels<'a> {
    /// The floats of all voxels, x fastest.
    pub values: &'a [f32],
    /// Floats per voxel.
    pub channels: usize,
    /// Voxels along each axis.
    pub size: [u32; 3],
}

impl<'a> Texture<'a> {
    /// The voxels of a texture.
    pub fn voxels(&self) -> Voxels<'a> {
        match self {
            Texture::Sampled(image) => image.host_voxels(),
            Texture::Attachment(_) => unreachable!("nothing is drawn on the host"),
        }
    }
}
