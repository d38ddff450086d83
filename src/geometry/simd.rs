//! Eight floats at a time, with the same bits on every machine.
//!
//! A [`LaneKernel`] is written once over [`Lanes`]; [`dispatch`] runs it with AVX2 and FMA where an x86-64 machine has them, with NEON on
//! 64-bit ARM and with plain arrays elsewhere. All do the same IEEE operations in the same order; only `near_mul_add` may round differently.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, not(target_arch = "aarch64")))]
mod portable;
#[cfg(test)]
mod tests;

#[cfg(any(test, not(target_arch = "aarch64")))]
pub use portable::Portable;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Lanes in a vector.
pub const WIDTH: usize = 8;

/// Eight floats. A comparison gives a mask: lanes whose bits are all set or all clear.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
{
    /// The same value in every lane.
    fn splat(value: f32) -> Self;
    /// The lanes from memory.
    fn load(values: &[f32; WIDTH]) -> Self;
    /// The lanes to memory.
    fn store(self) -> [f32; WIDTH];
    /// `self * a + b`, fused where the machine can: for bounds with a margin for rounding, not for results.
    fn near_mul_add(self, a: Self, b: Self) -> Self;
    /// The least lane; lanes must not be NaN.
    fn least(self) -> f32;
    /// The largest lane; lanes must not be NaN.
    #[inline(always)]
    fn most(self) -> f32 {
        -(-self).least()
    }
    /// The sum of all lanes, always added in the same order.
    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.store();
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }
    /// `if self < other { self } else { other }` in each lane.
    fn min(self, other: Self) -> Self;
    /// `if self > other { self } else { other }` in each lane.
    fn max(self, other: Self) -> Self;
    /// The lanes without their signs.
    fn abs(self) -> Self;
    /// Lanes that are not negative, with the signs of `other`.
    fn with_sign_of(self, other: Self) -> Self;
    /// The correctly rounded square root.
    fn sqrt(self) -> Self;
    /// Mask of `self < other`; false for NaN.
    fn lt(self, other: Self) -> Self;
    /// Mask of `self <= other`; false for NaN.
    fn le(self, other: Self) -> Self;
    /// Mask of the integers that are equal to `value`.
    fn same(integers: &[u32; WIDTH], value: u32) -> Self;
    /// `if_set` where the mask `self` is set, else `if_clear`.
    fn select(self, if_set: Self, if_clear: Self) -> Self;
    /// Bit `i` is the sign bit of lane `i`, so of a mask whether it is set.
    fn bits(self) -> u8;
    /// The largest whole number that is not above each lane.
    fn floor(self) -> Self;
    /// Lanes that hold whole numbers below 2^31 in size, as integers.
    fn integers(self) -> [i32; WIDTH];
    /// The columns of eight rows.
    fn four_columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 4];
    /// The first three columns of eight rows.
    #[inline(always)]
    fn columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 3] {
        let [x, y, z, _] = Self::four_columns(rows);
        [x, y, z]
    }
    /// The same of rows that lie together, in any order of the rows: for what has no order.
    fn mixed_columns(rows: &[[f32; 4]; WIDTH]) -> [Self; 3];
    /// Eight places in an array.
    type Places: Copy;
    /// The places of whole numbers along three axes, with these steps between neighbours; all products and sums are below 2^31 in size.
    fn places(at: [Self; 3], steps: [i32; 3]) -> Self::Places;
    /// The values at eight places.
    ///
    /// # Safety
    /// Each place is that of a value.
    unsafe fn gather(values: &[f32], at: Self::Places) -> Self;
}

/// Three rows of lanes from memory. (`map` on an array would not be inlined with the machine's lanes, and cost a call a row.)
#[inline(always)]
pub fn load_rows<V: Lanes>(rows: &[[f32; WIDTH]; 3]) -> [V; 3] {
    [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])]
}

/// Three rows of lanes to memory.
#[inline(always)]
pub fn store_rows<V: Lanes>([x, y, z]: [V; 3]) -> [[f32; WIDTH]; 3] {
    [x.store(), y.store(), z.store()]
}

/// A computation over any kind of lanes. Mark `run` as `#[inline(always)]`, and all that it calls with lanes.
pub trait LaneKernel {
    /// What it computes.
    type Output;
    /// Computes it.
    fn run<V: Lanes>(self) -> Self::Output;
}

/// Runs the kernel with the best lanes that this machine has. Not inlined: each caller would have both forms of the kernel.
#[inline(never)]
pub fn dispatch<K: LaneKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the machine has AVX2 and FMA.
        return unsafe { avx2::run(kernel) };
    }
    #[cfg(target_arch = "aarch64")]
    return kernel.run::<neon::Neon>();
    #[cfg(not(target_arch = "aarch64"))]
    kernel.run::<Portable>()
}

/// The operators of a kind of lanes, each from a closure over two of them.
macro_rules! operators {
    ($lanes:ty, $($trait:ident $method:ident $f:expr;)*) => {$(
        impl $trait for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $f(self, other)
            }
        }
    )*};
}
use operators;
