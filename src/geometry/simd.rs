//! Eight floats at a time, with the same bits on every machine.
//!
//! A [`LaneKernel`] is written once over [`Lanes`]; [`dispatch`] runs it with AVX2 and FMA where the machine has them and with plain
//! arrays elsewhere. Both do the same IEEE operations in the same order; only `near_mul_add` may round differently.

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
    /// The first three columns of eight rows.
    fn columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 3];
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

/// Runs the kernel with the best lanes that this machine has.
#[inline]
pub fn dispatch<K: LaneKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the machine has AVX2 and FMA.
        return unsafe { avx2::run(kernel) };
    }
    kernel.run::<Portable>()
}

/// Lanes in an array, for machines without AVX2 and for comparison with it.
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
    fn columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 3] {
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

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::*;
    use std::arch::x86_64::*;

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

    /// The first three columns of two blocks of four rows, side by side.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn transposed([a, b, c, d]: [__m256; 4]) -> [Avx2; 3] {
        let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
        [
            Avx2(_mm256_shuffle_ps::<0x44>(ab, cd)),
            Avx2(_mm256_shuffle_ps::<0xee>(ab, cd)),
            Avx2(_mm256_shuffle_ps::<0x44>(ab_high, cd_high)),
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
        fn columns(rows: [&[f32; 4]; WIDTH]) -> [Self; 3] {
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
                transposed(pairs)
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation once, on lanes with zeros, infinities and NaN among them.
    struct Everything([f32; WIDTH], [f32; WIDTH]);

    impl LaneKernel for Everything {
        type Output = (Vec<[u32; WIDTH]>, [u8; 3]);
        #[inline(always)]
        fn run<V: Lanes>(self) -> Self::Output {
            let (a, b) = (V::load(&self.0), V::load(&self.1));
            let (lt, le) = (a.lt(b), a.le(b));
            let corners = [
                V::load(&[1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]),
                V::load(&[1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
                V::load(&[0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
            ];
            let all = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.min(b),
                a.max(b),
                a.sqrt(),
                a.abs(),
                a.abs().with_sign_of(b),
                lt,
                le,
                lt & le,
                lt | le,
                lt.select(a, b),
                V::splat(3.5),
                a * b + b,
                V::same(&self.0.map(f32::to_bits), 1.5f32.to_bits()),
                a.floor(),
                // SAFETY: places are 0 to 7.
                unsafe { V::gather(&self.0, V::places(corners, [1, 2, 4])) },
            ];
            (
                all.map(|v| v.store().map(f32::to_bits)).to_vec(),
                [lt.bits(), le.bits(), a.bits()],
            )
        }
    }

    #[test]
    fn both_kinds_of_lanes_give_the_same_bits() {
        let a = [1.5, -0.0, 0.0, f32::INFINITY, 1.0e-40, 7.0, 0.1, 1.0];
        let b = [2.5, 0.0, -0.0, 1.0, 3.0, 7.0, 0.3, f32::NAN];
        for (a, b) in [(a, b), (b, a)] {
            let best = dispatch(Everything(a, b));
            let plain = Everything(a, b).run::<Portable>();
            assert_eq!(best.1, plain.1);
            for (op, (x, y)) in best.0.iter().zip(&plain.0).enumerate() {
                for lane in 0..WIDTH {
                    // The payload of a NaN is the one thing that IEEE 754 leaves open.
                    let both_nan =
                        f32::from_bits(x[lane]).is_nan() && f32::from_bits(y[lane]).is_nan();
                    assert!(
                        x[lane] == y[lane] || both_nan,
                        "operation {op}, lane {lane}"
                    );
                }
            }
        }
    }

    struct Columns([[f32; 4]; WIDTH]);

    impl LaneKernel for Columns {
        type Output = [[f32; WIDTH]; 3];
        #[inline(always)]
        fn run<V: Lanes>(self) -> Self::Output {
            store_rows(V::columns(self.0.each_ref()))
        }
    }

    #[test]
    fn columns_have_the_rows_in_their_order() {
        let rows = std::array::from_fn(|i| std::array::from_fn(|k| (10 * i + k) as f32));
        let expected = std::array::from_fn(|k| std::array::from_fn(|i| (10 * i + k) as f32));
        assert_eq!(dispatch(Columns(rows)), expected);
        assert_eq!(Columns(rows).run::<Portable>(), expected);
    }

    struct NearZero([f32; WIDTH]);

    impl LaneKernel for NearZero {
        type Output = ([f32; WIDTH], [f32; 3], [i32; WIDTH]);
        #[inline(always)]
        fn run<V: Lanes>(self) -> Self::Output {
            let a = V::load(&self.0);
            (
                a.near_mul_add(V::splat(3.0), V::splat(-1.0)).store(),
                [a.least(), a.most(), a.sum()],
                a.integers(),
            )
        }
    }

    #[test]
    fn fused_or_not_small_integers_are_exact() {
        let a = [4.0, 2.0, 3.0, 8.0, -5.0, 6.0, -7.0, 9.0];
        let expected = (
            a.map(|a| 3.0 * a - 1.0),
            [-7.0, 9.0, 20.0],
            [4, 2, 3, 8, -5, 6, -7, 9],
        );
        assert_eq!(dispatch(NearZero(a)), expected);
        assert_eq!(NearZero(a).run::<Portable>(), expected);
    }

    #[test]
    fn lanes_mean_what_they_say() {
        let (values, [lt, le, negative]) = Everything(
            [1.0, 2.0, 3.0, 4.0, -5.0, 6.0, 7.0, 9.0],
            [4.0, 2.0, 1.0, 8.0, -5.0, 3.0, 8.0, f32::NAN],
        )
        .run::<Portable>();
        let lanes = |op: usize| values[op].map(f32::from_bits);
        assert_eq!((lt, le, negative), (0b0100_1001, 0b0101_1011, 0b0001_0000));
        assert_eq!(lanes(0)[..7], [5.0, 4.0, 4.0, 12.0, -10.0, 9.0, 15.0]);
        assert_eq!(lanes(5)[..7], [1.0, 2.0, 1.0, 4.0, -5.0, 3.0, 7.0]);
        assert_eq!(lanes(14)[..7], [1.0, 2.0, 1.0, 4.0, -5.0, 3.0, 7.0]);
        assert_eq!(lanes(7)[3], 2.0);
        assert_eq!(lanes(19)[..2], [4.0, 1.0]);
        assert_eq!(lanes(19)[2..], [9.0, 7.0, -5.0, 6.0, 1.0, 4.0]);
    }
}
