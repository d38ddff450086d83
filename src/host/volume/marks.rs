//! The marks of depth bins through which a surface passes within a pixel's column: eight bins of two by two pixels in a word. Partner:
//! `shaders/include/marks.glsl`.

use glam::UVec2;

/// Blocks in a row of them.
#[inline]
pub fn blocks_across(sides: UVec2) -> u32 {
    sides.x.div_ceil(2)
}

/// All blocks.
#[inline]
pub fn blocks_of(sides: UVec2) -> u32 {
    blocks_across(sides) * sides.y.div_ceil(2)
}

/// The block of a pixel.
#[inline]
pub fn block_of(pixel: UVec2, sides: UVec2) -> u32 {
    pixel.y / 2 * blocks_across(sides) + pixel.x / 2
}

/// Where a pixel's eight bits are in the words of its block.
#[inline]
pub fn shift_in_block(pixel: UVec2) -> u32 {
    16 * (pixel.y & 1) + 8 * (pixel.x & 1)
}

/// The 32 bins of a pixel from four words of its block.
#[inline]
pub fn bins_of(words: &[u32; 4], pixel: UVec2) -> u32 {
    let shift = shift_in_block(pixel);
    let own = words.map(|word| word >> shift & 0xff);
    own[0] | own[1] << 8 | own[2] << 16 | own[3] << 24
}
