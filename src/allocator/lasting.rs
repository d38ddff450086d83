//! Static memory for what crossbeam-epoch, which frees memory of rayon's queues, keeps until the process ends: itself, a record of each thread
//! that used it, and bags of what waits to be freed, the last of which nobody frees. An engine would take them for leaks.
//!
//! They are known by their layouts, since no flag could reach them. What else has such a layout may be here too, until it is freed.

use super::blocks::Blocks;
use std::alloc::Layout;

/// Size and alignment of the collector, of a thread's record and of a bag. `cpp-tests/allocator.cpp` notices when they are others.
const LASTING: [(usize, usize); 3] = [(640, 128), (BLOCK, 128), (2072, 8)];

/// The largest of them.
const BLOCK: usize = 2304;

/// What comes when all are taken is the engine's.
static MEMORY: Blocks<BLOCK> = Blocks::new();

/// A block, if one of this layout may last and one is free.
#[inline]
pub fn take(layout: Layout) -> Option<*mut u8> {
    if LASTING.contains(&(layout.size(), layout.align())) {
        MEMORY.take()
    } else {
        None
    }
}

/// Whether memory is here.
#[inline]
pub fn has(memory: *mut u8) -> bool {
    MEMORY.has(memory)
}

/// Frees a block that [`has`] knows.
pub fn give_back(memory: *mut u8) {
    MEMORY.give_back(memory);
}

#[cfg(test)]
mod tests {
    use super::super::blocks::BLOCKS;
    use super::*;

    #[test]
    fn a_block_is_taken_once_aligned_and_free_again_and_what_does_not_last_gets_none() {
        let bag = Layout::from_size_align(2072, 8).unwrap();
        let record = Layout::from_size_align(2304, 128).unwrap();
        assert_eq!(take(Layout::from_size_align(2073, 8).unwrap()), None);
        // Nothing else of this process takes any: its allocator is the system's.
        let mut all: Vec<_> = std::iter::from_fn(|| take(bag).or_else(|| take(record))).collect();
        assert_eq!(all.len(), BLOCKS);
        for (&a, &b) in all.iter().zip(&all[1..]) {
            assert!(has(a) && (b as usize).is_multiple_of(128));
            assert_eq!(b as usize - a as usize, BLOCK);
        }
        let freed = all.swap_remove(17);
        give_back(freed);
        assert_eq!(take(record), Some(freed));
        give_back(freed);
        all.drain(..).for_each(give_back);
        assert!(MEMORY.is_free());
        let mut outside = 0u8;
        assert!(!has(&raw mut outside));
    }
}
