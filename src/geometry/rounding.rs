//! Doubles to floats, rounded in a known direction, and what roundings are relative to.

use glam::{DVec3, Vec3};

/// The smallest `f32` that is not below `x`.
pub fn round_up(x: f64) -> f32 {
    -round_down(-x)
}

/// The largest `f32` that is not above `x`.
#[inline]
pub fn round_down(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) > x {
        rounded.next_down()
    } else {
        rounded
    }
}

/// [`round_up`] on each axis.
pub fn round_up_each(v: DVec3) -> Vec3 {
    -round_down_each(-v)
}

/// [`round_down`] on each axis.
pub fn round_down_each(v: DVec3) -> Vec3 {
    Vec3::from(v.to_array().map(round_down))
}

/// An `f32` below `x` by enough to cover the rounding of `x` itself.
#[inline]
pub fn below(x: f64) -> f32 {
    (x as f32).next_down()
}

/// An interval that is wider by so much on each side; what is not wider stays what it is.
pub fn widened([low, high]: [f32; 2], by: f64) -> [f32; 2] {
    if by == 0.0 {
        return [low, high];
    }
    [
        round_down(f64::from(low) - by),
        round_up(f64::from(high) + by),
    ]
}

/// The largest coordinate, by magnitude: rounding errors are relative to it.
pub fn magnitude(points: impl IntoIterator<Item = DVec3>) -> f64 {
    let largest = |most: f64, p: DVec3| most.max(p.abs().max_element());
    points.into_iter().fold(0.0, largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_outwards_never_rounds_inwards_and_keeps_what_is_exact() {
        for x in [1.0 / 3.0, -1.0 / 3.0, 1e-50, -1e-50, 5e14 + 0.3] {
            let (low, high) = (round_down(x), round_up(x));
            assert!(f64::from(low) < x && x < f64::from(high), "{x}");
            assert_eq!(low.next_up(), high, "{x}");
            assert!(below(x) <= low, "{x}");
        }
        for x in [0.0f32, -1.5, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY] {
            let v = DVec3::splat(f64::from(x));
            assert_eq!(
                (round_down_each(v), round_up_each(v)),
                (Vec3::splat(x), Vec3::splat(x))
            );
        }
    }
}
