//! Eight lanes in a register of AVX2.

use super::{LaneKernel, Lanes, WIDTH, operators};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

#[target_feature(enable = "avx2,fma")]
pub fn run<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// Lanes in a register. The type cannot be named outside and `run` alone instantiates it, so whoever calls its
/// methods has AVX2 and FMA; that is the safety argument of every block below.
#[derive(Clone, Copy)]
pub struct Avx2(__m256);

macro_rules! avx2 {
    ($intrinsic:expr) => {
        // SAFETY: AVX2 and FMA are present, see `Avx2`.
        unsafe { $intrinsic }
    };
}

operators! { Avx2,
    Add add |a: Self, b: Self| Self(avx2!(_mm256_add_ps(a.0, b.0)));
    Sub sub |a: Self, b: Self| Self(avx2!(_mm256_sub_ps(a.0, b.0)));
    Mul mul |a: Self, b: Self| Self(avx2!(_mm256_mul_ps(a.0, b.0)));
    Div div |a: Self, b: Self| Self(avx2!(_mm256_div_ps(a.0, b.0)));
    BitAnd bitand |a: Self, b: Self| Self(avx2!(_mm256_and_ps(a.0, b.0)));
    BitOr bitor |a: Self, b: Self| Self(avx2!(_mm256_or_ps(a.0, b.0)));
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(avx2!(_mm256_xor_ps(self.0, _mm256_set1_ps(-0.0))))
    }
}

/// The columns of two blocks of four rows, side by side.
#[target_feature(enable = "avx2")]
#[inline]
fn transposed([a, b, c, d]: [__m256; 4]) -> [Avx2; 4] {
    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    [
        Avx2(_mm256_shuffle_ps::<0x44>(ab, cd)),
        Avx2(_mm256_shuffle_ps::<0xee>(ab, cd)),
        Avx2(_mm256_shuffle_ps::<0x44>(ab_high, cd_high)),
        Avx2(_mm256_shuffle_ps::<0xee>(ab_high, cd_high)),
    ]
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(avx2!(_mm256_set1_ps(value)))
    }
    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Self(avx2!(_mm256_loadu_ps(values.as_ptr())))
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        let mut values = [0.0; WIDTH];
        avx2!(_mm256_storeu_ps(values.as_mut_ptr(), self.0));
        values
    }
    #[inline(always)]
    fn near_mul_add(self, a: Self, b: Self) -> Self {
        Self(avx2!(_mm256_fmadd_ps(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn least(self) -> f32 {
        avx2!({
            let four = _mm_min_ps(
                _mm256_castps256_ps128(self.0),
                _mm256_extractf128_ps::<1>(self.0),
            );
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
        })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(avx2!(_mm256_min_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(avx2!(_mm256_max_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(avx2!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self(avx2!(_mm256_or_ps(
            self.0,
            _mm256_and_ps(_mm256_set1_ps(-0.0), other.0)
        )))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(avx2!(_mm256_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        Self(avx2!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self {
        Self(avx2!(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn same(integers: &[u32; WIDTH], value: u32) -> Self {
        Self(avx2!(_mm256_castsi256_ps(_mm256_cmpeq_epi32(
            _mm256_loadu_si256(integers.as_ptr().cast()),
            _mm256_set1_epi32(value as i32)
        ))))
    }
    #[inline(always)]
    fn select(self, if_set: Self, if_clear: Self) -> Self {
        Self(avx2!(_mm256_blendv_ps(if_clear.0, if_set.0, self.0)))
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        avx2!(_mm256_movemask_ps(self.0)) as u8
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self(avx2!(_mm256_floor_ps(self.0)))
    }
    #[inline(always)]
    fn integers(self) -> [i32; WIDTH] {
        let mut values = [0; WIDTH];
        avx2!(_mm256_storeu_si256(
            values.as_mut_ptr().cast(),
            _mm256_cvttps_epi32(self.0)
        ));
        values
    }
    #[inline(always)]
    fn four_columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 4] {
        avx2!({
            let mut pairs = [_mm256_setzero_ps(); 4];
            for i in 0..4 {
                let low = _mm256_castps128_ps256(_mm_loadu_ps(rows[i].as_ptr()));
                pairs[i] = _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(rows[i + 4].as_ptr()));
            }
            transposed(pairs)
        })
    }
    #[inline(always)]
    fn mixed_columns(rows: &[[f32; 4]; WIDTH]) -> [Self; 3] {
        avx2!({
            let mut pairs = [_mm256_setzero_ps(); 4];
            let floats = rows.as_flattened();
            for i in 0..4 {
                pairs[i] = _mm256_loadu_ps(floats[8 * i..8 * i + 8].as_ptr());
            }
            let [x, y, z, _] = transposed(pairs);
            [x, y, z]
        })
    }
    type Places = __m256i;
    #[inline(always)]
    fn places(at: [Self; 3], steps: [i32; 3]) -> __m256i {
        avx2!({
            let [x, y, z] = [
                _mm256_mullo_epi32(_mm256_cvttps_epi32(at[0].0), _mm256_set1_epi32(steps[0])),
                _mm256_mullo_epi32(_mm256_cvttps_epi32(at[1].0), _mm256_set1_epi32(steps[1])),
                _mm256_mullo_epi32(_mm256_cvttps_epi32(at[2].0), _mm256_set1_epi32(steps[2])),
            ];
            _mm256_add_epi32(x, _mm256_add_epi32(y, z))
        })
    }
    #[inline(always)]
    unsafe fn gather(values: &[f32], at: __m256i) -> Self {
        // SAFETY: AVX2 is present, see `Avx2`; the caller answers for the places.
        // One load after the other: the gather of these processors takes longer.
        Self(unsafe {
            let mut places = [0; WIDTH];
            _mm256_storeu_si256(places.as_mut_ptr().cast(), at);
            let [a, b, c, d, e, f, g, h] = places;
            let first = values.as_ptr();
            _mm256_setr_ps(
                *first.offset(a as isize),
                *first.offset(b as isize),
                *first.offset(c as isize),
                *first.offset(d as isize),
                *first.offset(e as isize),
                *first.offset(f as isize),
                *first.offset(g as isize),
                *first.offset(h as isize),
            )
        })
    }
}
