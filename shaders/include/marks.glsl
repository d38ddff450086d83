// The marks of depth bins through which a surface passes within a pixel's column. A word has eight bins of two by two pixels, because
// most triangles are small: one atomic marks all that they touch in it. Words of a block of pixels lie together, by depth; bins are
// a multiple of 32. Needs frame.glsl. Partner: query/ldi/room.rs.

uint blocks_across(uvec2 sides) { return (sides.x + 1) / 2; }
uint blocks_of(uvec2 sides) { return blocks_across(sides) * ((sides.y + 1) / 2); }
uint block_of(uvec2 pixel, uvec2 sides) { return (pixel.y / 2) * blocks_across(sides) + pixel.x / 2; }
// Where a pixel's eight bits are in the words of its block.
uint shift_in_block(uvec2 pixel) { return 16 * (pixel.y & 1) + 8 * (pixel.x & 1); }

// The 32 bins of a pixel from four words of its block.
uint bins_of(uvec4 words, uvec2 pixel)
{
    uvec4 own = (words >> shift_in_block(pixel)) & 0xff;
    return own.x | own.y << 8 | own.z << 16 | own.w << 24;
}
