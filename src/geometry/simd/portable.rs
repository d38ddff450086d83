//! Eight lanes in an array, for machines whose vector registers are not known here, and for comparison with those that are.

use super::{Lanes, WIDTH, operators};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Lanes in an array.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Portable([f32; WIDTH]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn mask(self, other: Self, f: impl Fn(&f32, &f32) -> bool) -> Self {
        self.zip(other, |a, b| {
            f32::from_bits(if f(&a, &b) { u32::MAX } else { 0 })
        })
    }
}

operators! { Portable,
    Add add |a: Self, b| a.zip(b, |a, b| a + b);
    Sub sub |a: Self, b| a.zip(b, |a, b| a - b);
    Mul mul |a: Self, b| a.zip(b, |a, b| a * b);
    Div div |a: Self, b| a.zip(b, |a, b| a / b);
    BitAnd bitand |a: Self, b| a.zip(b, |a, b| f32::from_bits(a.to_bits() & b.to_bits()));
    BitOr bitor |a: Self, b| a.zip(b, |a, b| f32::from_bits(a.to_bits() | b.to_bits()));
}

impl Neg for Portable {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; WIDTH])
    }
    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Self(*values)
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        self.0
    }
    #[inline(always)]
    fn near_mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }
    #[inline(always)]
    fn least(self) -> f32 {
        self.0.into_iter().fold(f32::INFINITY, f32::min)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.zip(other, f32::copysign)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        self.mask(other, f32::lt)
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self {
        self.mask(other, f32::le)
    }
    #[inline(always)]
    fn same(integers: &[u32; WIDTH], value: u32) -> Self {
        Self(std::array::from_fn(|i| {
            f32::from_bits(if integers[i] == value { u32::MAX } else { 0 })
        }))
    }
    #[inline(always)]
    fn select(self, if_set: Self, if_clear: Self) -> Self {
        Self(std::array::from_fn(|i| {
            if self.0[i].is_sign_negative() {
                if_set.0[i]
            } else {
                if_clear.0[i]
            }
        }))
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        (0..WIDTH).fold(0, |bits, i| {
            bits | u8::from(self.0[i].is_sign_negative()) << i
        })
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self(self.0.map(f32::floor))
    }
    #[inline(always)]
    fn integers(self) -> [i32; WIDTH] {
        self.0.map(|x| x as i32)
    }
    #[inline(always)]
    fn four_columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 4] {
        std::array::from_fn(|column| Self(std::array::from_fn(|i| rows[i][column])))
    }
    #[inline(always)]
    fn mixed_columns(rows: &[[f32; 4]; WIDTH]) -> [Self; 3] {
        Self::columns(rows.each_ref())
    }
    type Places = [i32; WIDTH];
    #[inline(always)]
    fn places(at: [Self; 3], steps: [i32; 3]) -> [i32; WIDTH] {
        let [x, y, z] = [at[0].integers(), at[1].integers(), at[2].integers()];
        std::array::from_fn(|i| x[i] * steps[0] + y[i] * steps[1] + z[i] * steps[2])
    }
    #[inline(always)]
    unsafe fn gather(values: &[f32], at: [i32; WIDTH]) -> Self {
        Self(at.map(|at| values[at as usize]))
    }
}
