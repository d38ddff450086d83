//! Static memory in 64 blocks of one size.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// As many as a word has bits.
pub const BLOCKS: usize = 64;

/// Blocks of `SIZE` bytes, aligned by 128 where `SIZE` is a multiple of that; until one is taken they are pages that nobody touched.
#[repr(C, align(128))]
pub struct Blocks<const SIZE: usize> {
    memory: UnsafeCell<[[u8; SIZE]; BLOCKS]>,
    /// A bit for each block that is taken.
    taken: AtomicU64,
}

// SAFETY: nothing here reads or writes the memory; each block is of who has its bit.
unsafe impl<const SIZE: usize> Sync for Blocks<SIZE> {}

impl<const SIZE: usize> Blocks<SIZE> {
    pub const fn new() -> Self {
        Self {
            memory: UnsafeCell::new([[0; SIZE]; BLOCKS]),
            taken: AtomicU64::new(0),
        }
    }

    /// A block, if one is free.
    #[cold]
    pub fn take(&self) -> Option<*mut u8> {
        let free = |taken: u64| (taken != u64::MAX).then(|| taken | (taken + 1));
        let before = self
            .taken
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, free)
            .ok()?;
        let first = self.memory.get().cast::<u8>();
        // SAFETY: below `BLOCKS`, since a bit was zero.
        Some(unsafe { first.add(before.trailing_ones() as usize * SIZE) })
    }

    /// Whether memory is here.
    #[inline]
    pub fn has(&self, memory: *mut u8) -> bool {
        self.offset(memory) < SIZE * BLOCKS
    }

    /// Frees a block that [`has`](Self::has) knows.
    #[cold]
    pub fn give_back(&self, memory: *mut u8) {
        let at = self.offset(memory) / SIZE;
        self.taken.fetch_and(!(1 << at), Ordering::Release);
    }

    /// Whether no block is taken.
    #[cfg(test)]
    pub fn is_free(&self) -> bool {
        self.taken.load(Ordering::Relaxed) == 0
    }

    fn offset(&self, memory: *mut u8) -> usize {
        (memory as usize).wrapping_sub(self.memory.get() as usize)
    }
}
