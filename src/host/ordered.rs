//! Integers in the order of the floats. Partner: `shaders/include/ordered.glsl`.

/// An integer for a float, in the same order.
#[inline]
pub fn ordered(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 {
        !bits
    } else {
        bits | 0x8000_0000
    }
}

/// The float of an integer.
#[inline]
pub fn unordered(word: u32) -> f32 {
    f32::from_bits(if word >> 31 == 1 {
        word & 0x7fff_ffff
    } else {
        !word
    })
}
