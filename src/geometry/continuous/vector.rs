//! Vectors of any real numbers: only what the proofs of this folder need.

use super::real::Real;

/// Three coordinates.
pub type Vector<T> = [T; 3];

/// `a - b`.
#[inline(always)]
pub fn minus<T: Real>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a + b`.
#[inline(always)]
pub fn plus<T: Real>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a` times a number.
#[inline(always)]
pub fn times<T: Real>(a: Vector<T>, by: T) -> Vector<T> {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// The inner product.
#[inline(always)]
pub fn dot<T: Real>(a: Vector<T>, b: Vector<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[inline(always)]
pub fn cross<T: Real>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The inner product with itself.
#[inline(always)]
pub fn length_squared<T: Real>(a: Vector<T>) -> T {
    dot(a, a)
}
