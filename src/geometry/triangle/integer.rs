//! Floats as whole numbers of any size, for the few decisions that no float can make.

use num_bigint::BigInt;

/// `value` times two to the power `-unit`, which must be whole: `unit` is at most [`lowest_bit`].
pub(super) fn scaled(value: f64, unit: i32) -> BigInt {
    let (mantissa, exponent) = parts(value);
    let magnitude = BigInt::from(mantissa) << (exponent - unit).max(0);
    if value < 0.0 { -magnitude } else { magnitude }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_float_is_whole_in_the_unit_of_its_lowest_bit() {
        for x in [1.0, 0.75, -3.5e300, 5e-324, f64::MIN_POSITIVE, 1e15 + 0.125] {
            let unit = lowest_bit(x);
            let odd = scaled(x, unit);
            assert!(odd.bit(0), "{x}");
            assert_eq!(scaled(x, unit - 2), odd * 4, "{x}");
        }
        assert_eq!(scaled(0.0, -1000), BigInt::ZERO);
        assert_eq!(scaled(-12.0, 0), BigInt::from(-12));
        assert_eq!(scaled(0.375, -3), BigInt::from(3));
    }
}
