//! Eight lanes in two registers of NEON, which every 64-bit ARM processor has.

use super::{Lanes, WIDTH, operators};
use std::arch::aarch64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg as Negative, Sub};

/// Lanes in two registers.
#[derive(Clone, Copy)]
pub struct Neon(float32x4_t, float32x4_t);

macro_rules! neon {
    ($intrinsic:expr) => {
        // SAFETY: NEON is part of the architecture that this is compiled for, and pointers are those of arrays that are long enough.
        unsafe { $intrinsic }
    };
}

impl Neon {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(float32x4_t, float32x4_t) -> float32x4_t) -> Self {
        Self(f(self.0, other.0), f(self.1, other.1))
    }

    #[inline(always)]
    fn map(self, f: impl Fn(float32x4_t) -> float32x4_t) -> Self {
        Self(f(self.0), f(self.1))
    }
}

operators! { Neon,
    Add add |a: Self, b| a.zip(b, |a, b| neon!(vaddq_f32(a, b)));
    Sub sub |a: Self, b| a.zip(b, |a, b| neon!(vsubq_f32(a, b)));
    Mul mul |a: Self, b| a.zip(b, |a, b| neon!(vmulq_f32(a, b)));
    Div div |a: Self, b| a.zip(b, |a, b| neon!(vdivq_f32(a, b)));
    BitAnd bitand |a: Self, b| a.zip(b, |a, b| neon!(vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)))));
    BitOr bitor |a: Self, b| a.zip(b, |a, b| neon!(vreinterpretq_f32_u32(vorrq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)))));
}

impl Negative for Neon {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|a| neon!(vnegq_f32(a)))
    }
}

impl Lanes for Neon {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(neon!(vdupq_n_f32(value)), neon!(vdupq_n_f32(value)))
    }
    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        neon!(Self(
            vld1q_f32(values.as_ptr()),
            vld1q_f32(values[4..].as_ptr())
        ))
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        let mut values = [0.0; WIDTH];
        neon!({
            vst1q_f32(values.as_mut_ptr(), self.0);
            vst1q_f32(values[4..].as_mut_ptr(), self.1);
        });
        values
    }
    #[inline(always)]
    fn near_mul_add(self, a: Self, b: Self) -> Self {
        neon!(Self(
            vfmaq_f32(b.0, self.0, a.0),
            vfmaq_f32(b.1, self.1, a.1)
        ))
    }
    #[inline(always)]
    fn least(self) -> f32 {
        neon!(vminvq_f32(vminq_f32(self.0, self.1)))
    }
    // vminq_f32 and vmaxq_f32 decide otherwise for NaN and for zeros of both signs.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vbslq_f32(vcltq_f32(a, b), a, b)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vbslq_f32(vcgtq_f32(a, b), a, b)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(|a| neon!(vabsq_f32(a)))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vbslq_f32(vdupq_n_u32(1 << 31), b, a)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(|a| neon!(vsqrtq_f32(a)))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vreinterpretq_f32_u32(vcltq_f32(a, b))))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vreinterpretq_f32_u32(vcleq_f32(a, b))))
    }
    #[inline(always)]
    fn same(integers: &[u32; WIDTH], value: u32) -> Self {
        let same = |integers: &[u32]| {
            neon!(vreinterpretq_f32_u32(vceqq_u32(
                vld1q_u32(integers[..4].as_ptr()),
                vdupq_n_u32(value)
            )))
        };
        Self(same(&integers[..4]), same(&integers[4..]))
    }
    #[inline(always)]
    fn select(self, if_set: Self, if_clear: Self) -> Self {
        let select = |mask, set, clear| {
            neon!(vbslq_f32(
                vcltzq_s32(vreinterpretq_s32_f32(mask)),
                set,
                clear
            ))
        };
        Self(
            select(self.0, if_set.0, if_clear.0),
            select(self.1, if_set.1, if_clear.1),
        )
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        let bits = |mask, places: &[i32; 4]| {
            neon!(vaddvq_u32(vshlq_u32(
                vshrq_n_u32::<31>(vreinterpretq_u32_f32(mask)),
                vld1q_s32(places.as_ptr())
            )))
        };
        (bits(self.0, &[0, 1, 2, 3]) | bits(self.1, &[4, 5, 6, 7])) as u8
    }
    #[inline(always)]
    fn floor(self) -> Self {
        self.map(|a| neon!(vrndmq_f32(a)))
    }
    #[inline(always)]
    fn integers(self) -> [i32; WIDTH] {
        let mut values = [0; WIDTH];
        neon!({
            vst1q_s32(values.as_mut_ptr(), vcvtq_s32_f32(self.0));
            vst1q_s32(values[4..].as_mut_ptr(), vcvtq_s32_f32(self.1));
        });
        values
    }
    #[inline(always)]
    fn four_columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 4] {
        let rows = rows.map(|row| *row);
        let floats = rows.as_flattened();
        neon!({
            let low = vld4q_f32(floats.as_ptr());
            let high = vld4q_f32(floats[16..].as_ptr());
            [
                Self(low.0, high.0),
                Self(low.1, high.1),
                Self(low.2, high.2),
                Self(low.3, high.3),
            ]
        })
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
        // SAFETY: the caller answers for the places.
        Self::load(&at.map(|at| unsafe { *values.get_unchecked(at as usize) }))
    }
}
