//! Numbers that a proof can be made with: doubles, and pairs of doubles for what doubles cannot resolve.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Real numbers with a known rounding.
pub trait Real:
    Copy
    + PartialOrd
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The relative error of one operation is at most this.
    const ROUNDING: f64;
    /// The nearest double.
    fn to_f64(self) -> f64;
    /// The square root of a number that is not negative.
    fn sqrt(self) -> Self;
}

impl Real for f64 {
    const ROUNDING: f64 = 0.5 * f64::EPSILON;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

/// The unevaluated sum of two doubles, the second at most half a unit in the last place of the first (Dekker 1971).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// `a + b` exactly (Knuth).
    #[inline]
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        Self {
            high,
            low: (a - (high - part)) + (b - part),
        }
    }

    /// `a + b` exactly, when `a` is the larger by magnitude.
    #[inline]
    fn normal(a: f64, b: f64) -> Self {
        let high = a + b;
        Self {
            high,
            low: b - (high - a),
        }
    }
}

impl From<f64> for DoubleDouble {
    #[inline]
    fn from(value: f64) -> Self {
        Self {
            high: value,
            low: 0.0,
        }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (high, low) = (
            Self::sum(self.high, other.high),
            Self::sum(self.low, other.low),
        );
        let first = Self::normal(high.high, high.low + low.high);
        Self::normal(first.high, first.low + low.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let error = self.high.mul_add(other.high, -high);
        Self::normal(
            high,
            error + (self.high * other.low + self.low * other.high),
        )
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::normal(first, second) + Self::from(rest.high / other.high)
    }
}

impl Real for DoubleDouble {
    /// Some operations lose a few of the 106 bits (Joldes, Muller and Popescu 2017).
    const ROUNDING: f64 = 16.0 * 0.25 * f64::EPSILON * f64::EPSILON;

    #[inline]
    fn to_f64(self) -> f64 {
        self.high
    }

    fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::from(0.0);
        }
        // One step of Newton's method from the double's root.
        let root = Self::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use num_bigint::BigInt;

    /// The value as an integer in units of 2^-400.
    fn exact(x: DoubleDouble) -> BigInt {
        let of = |x: f64| {
            let bits = x.abs().to_bits();
            let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
            if exponent == 0 {
                return BigInt::from(0);
            }
            let size = BigInt::from(fraction | (1 << 52)) << (exponent - 1075 + 400) as u64;
            if x < 0.0 { -size } else { size }
        };
        of(x.high) + of(x.low)
    }

    #[test]
    fn operations_are_as_exact_as_promised() {
        let mut random = Random::new(41);
        let unit = BigInt::from(1) << 400u32;
        for _ in 0..20_000 {
            let mut any = || {
                let high = random.signed() * 2f64.powi(random.below(21) as i32 - 10);
                DoubleDouble::from(high)
                    + DoubleDouble::from(high * random.signed() * 0.5 * f64::EPSILON)
            };
            let (a, b) = (any(), any());
            let (x, y) = (exact(a), exact(b));
            // Each value against the truth, both in the same units; `ROUNDING` is 2^-102.
            for (value, truth, size) in [
                (exact(a + b), &x + &y, (&x + &y).magnitude().clone()),
                (exact(a - b), &x - &y, (&x - &y).magnitude().clone()),
                (
                    exact(a * b),
                    (&x * &y) >> 400u32,
                    ((&x * &y) >> 400u32).magnitude().clone(),
                ),
                (
                    exact(a / b),
                    (&x * &unit) / &y,
                    ((&x * &unit) / &y).magnitude().clone(),
                ),
            ] {
                let error = (value - truth).magnitude().clone();
                assert!(error <= (size >> 102u32) + 2u32, "{a:?} {b:?}");
            }
            let square = a * a;
            let root = exact(square.sqrt());
            let error = (root.magnitude() - x.magnitude().clone().min(root.magnitude().clone()))
                .max(x.magnitude() - root.magnitude().clone().min(x.magnitude().clone()));
            assert!(error <= (x.magnitude() >> 101u32) + 2u32, "{a:?}");
        }
        assert_eq!(DoubleDouble::ROUNDING, 2f64.powi(-102));
    }
}
