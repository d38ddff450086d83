//! Whole numbers of any size, for the few decisions that no float can make.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// A whole number: a sign and its magnitude, lowest limb first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    negative: bool,
    limbs: Vec<u32>,
}

impl Integer {
    /// `value` times two to the power `-unit`, which must be whole: `unit` is at most [`lowest_bit`].
    pub(super) fn scaled(value: f64, unit: i32) -> Self {
        let (mantissa, exponent) = parts(value);
        let shift = (exponent - unit).max(0) as usize;
        let mut limbs = vec![0; shift / 32];
        let wide = u128::from(mantissa) << (shift % 32);
        limbs.extend((0..3).map(|k| (wide >> (32 * k)) as u32));
        Self::new(value < 0.0, limbs)
    }

    fn new(negative: bool, mut limbs: Vec<u32>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self {
            negative: negative && !limbs.is_empty(),
            limbs,
        }
    }

    /// Less than, equal to or greater than zero.
    pub(super) fn sign(&self) -> Ordering {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// `self <= other`.
    pub(super) fn at_most(&self, other: &Self) -> bool {
        (self - other).sign() != Ordering::Greater
    }

    fn signed_sum(&self, other: &Self, flip: bool) -> Self {
        let other_negative = other.negative != flip;
        if self.negative == other_negative {
            return Self::new(self.negative, sum(&self.limbs, &other.limbs));
        }
        match compare(&self.limbs, &other.limbs) {
            Ordering::Less => Self::new(other_negative, difference(&other.limbs, &self.limbs)),
            _ => Self::new(self.negative, difference(&self.limbs, &other.limbs)),
        }
    }
}

impl Add for &Integer {
    type Output = Integer;
    fn add(self, other: Self) -> Integer {
        self.signed_sum(other, false)
    }
}

impl Sub for &Integer {
    type Output = Integer;
    fn sub(self, other: Self) -> Integer {
        self.signed_sum(other, true)
    }
}

impl Mul for &Integer {
    type Output = Integer;
    fn mul(self, other: Self) -> Integer {
        let mut limbs = vec![0u32; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &b) in other.limbs.iter().enumerate() {
                let t = u64::from(a) * u64::from(b) + u64::from(limbs[i + j]) + carry;
                limbs[i + j] = t as u32;
                carry = t >> 32;
            }
            limbs[i + other.limbs.len()] = carry as u32;
        }
        Integer::new(self.negative != other.negative, limbs)
    }
}

/// The power of two of the lowest bit of a finite number; large for zero.
pub(super) fn lowest_bit(value: f64) -> i32 {
    let (mantissa, exponent) = parts(value);
    if mantissa == 0 {
        return i32::MAX;
    }
    exponent + mantissa.trailing_zeros() as i32
}

/// Mantissa and exponent of the magnitude: mantissa times two to the power exponent.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        normal => (fraction | 1 << 52, normal as i32 - 1075),
    };
    if mantissa == 0 {
        return (0, 0);
    }
    // The lowest bit is set, so that a shift by the exponent is never to the right.
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

fn compare(a: &[u32], b: &[u32]) -> Ordering {
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut carry = 0u64;
    let at = |limbs: &[u32], i: usize| u64::from(limbs.get(i).copied().unwrap_or(0));
    (0..=a.len().max(b.len()))
        .map(|i| {
            let t = at(a, i) + at(b, i) + carry;
            carry = t >> 32;
            t as u32
        })
        .collect()
}

/// `a - b` for `a >= b`.
fn difference(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut borrow = 0i64;
    a.iter()
        .enumerate()
        .map(|(i, &limb)| {
            let t = i64::from(limb) - i64::from(b.get(i).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(t < 0);
            t as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    fn value(n: &Integer) -> i128 {
        let magnitude = n
            .limbs
            .iter()
            .rev()
            .fold(0i128, |all, &limb| all << 32 | i128::from(limb));
        if n.negative { -magnitude } else { magnitude }
    }

    #[test]
    fn arithmetic_is_that_of_wide_integers() {
        let mut random = Random::new(90);
        for _ in 0..20_000 {
            let mut any = || {
                let kept = random.below(53) as u32;
                let whole = (random.bits() >> 11 >> kept) as f64;
                if random.below(2) == 0 { whole } else { -whole }
            };
            let (a, b) = (any(), any());
            let (x, y) = (Integer::scaled(a, 0), Integer::scaled(b, 0));
            assert_eq!((value(&x), value(&y)), (a as i128, b as i128));
            assert_eq!(value(&(&x + &y)), a as i128 + b as i128);
            assert_eq!(value(&(&x - &y)), a as i128 - b as i128);
            assert_eq!(value(&(&x * &y)), a as i128 * b as i128);
            assert_eq!(x.at_most(&y), a <= b);
            assert_eq!(x.is_zero(), a == 0.0);
            assert_eq!(x.is_negative(), a < 0.0);
        }
    }

    #[test]
    fn any_float_is_whole_in_the_unit_of_its_lowest_bit() {
        for x in [1.0, 0.75, -3.5e300, 5e-324, f64::MIN_POSITIVE, 1e15 + 0.125] {
            let unit = lowest_bit(x);
            let odd = Integer::scaled(x, unit);
            assert_eq!(odd.limbs[0] & 1, 1, "{x}");
            let four = Integer::scaled(x, unit - 2);
            assert_eq!(four, &odd * &Integer::scaled(4.0, 0), "{x}");
        }
        assert!(Integer::scaled(0.0, -1000).is_zero());
    }
}
