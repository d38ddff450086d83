//! What is left when there is no memory: static blocks for small objects. Rust ends the process where one of those is refused; from here they
//! come for long enough that the call meets a refusal that it can answer, and is unwound.

use super::blocks::Blocks;
use std::alloc::Layout;
use std::ptr::null_mut;

/// What is as large as this is sized by input, and can be refused.
const MOST: usize = 32 << 10;

#[repr(C)]
struct Reserve {
    small: Blocks<256>,
    middle: Blocks<4096>,
    large: Blocks<MOST>,
}

static RESERVE: Reserve = Reserve {
    small: Blocks::new(),
    middle: Blocks::new(),
    large: Blocks::new(),
};

/// Memory for a small object, or null.
#[cold]
pub fn take(layout: Layout) -> *mut u8 {
    if layout.size() >= MOST || layout.align() > 128 {
        return null_mut();
    }
    let Reserve {
        small,
        middle,
        large,
    } = &RESERVE;
    let fits = |size: usize| layout.size() <= size;
    (fits(256).then(|| small.take()).flatten())
        .or_else(|| fits(4096).then(|| middle.take()).flatten())
        .or_else(|| large.take())
        .unwrap_or(null_mut())
}

/// Whether memory is here.
#[inline]
pub fn has(memory: *mut u8) -> bool {
    (memory as usize).wrapping_sub(&raw const RESERVE as usize) < size_of::<Reserve>()
}

/// Frees what [`has`] knows.
#[cold]
pub fn give_back(memory: *mut u8) {
    let Reserve {
        small,
        middle,
        large,
    } = &RESERVE;
    if small.has(memory) {
        small.give_back(memory);
    } else if middle.has(memory) {
        middle.give_back(memory);
    } else {
        large.give_back(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::BLOCKS;
    use super::*;

    fn layout(size: usize, alignment: usize) -> Layout {
        Layout::from_size_align(size, alignment).unwrap()
    }

    #[test]
    fn small_objects_get_larger_blocks_until_all_are_taken() {
        assert!(take(layout(MOST, 8)).is_null(), "can be refused");
        assert!(
            take(layout(64, 256)).is_null(),
            "aligned more than blocks are"
        );
        // Nothing else of this process takes any: it has memory.
        let take_small = || Some(take(layout(200, 128))).filter(|memory| !memory.is_null());
        let mut all: Vec<_> = std::iter::from_fn(take_small).collect();
        assert_eq!(all.len(), 3 * BLOCKS);
        for (number, &memory) in all.iter().enumerate() {
            assert!(has(memory) && (memory as usize).is_multiple_of(128));
            // SAFETY: 200 bytes that nobody else has.
            unsafe { memory.write_bytes(number as u8, 200) };
        }
        for (number, &memory) in all.iter().enumerate() {
            // SAFETY: as above; they were written.
            let bytes = unsafe { std::slice::from_raw_parts(memory, 200) };
            assert!(bytes.iter().all(|&byte| byte == number as u8));
        }
        let freed = all.swap_remove(100);
        give_back(freed);
        assert_eq!(take(layout(4096, 8)), freed);
        give_back(freed);
        all.drain(..).for_each(give_back);
        let large = take(layout(MOST - 1, 8));
        assert!(has(large));
        give_back(large);
        let mut outside = 0u8;
        assert!(!has(&raw mut outside));
    }
}
