//! What two convex bodies share, in fractions of whole numbers: one is cut by the planes of the other, and nothing is rounded.

use fixtures::shapes::Shape;
use glam::DVec3;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// A fraction in lowest terms; the denominator is above zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    top: BigInt,
    bottom: BigInt,
}

impl Fraction {
    fn new(top: BigInt, bottom: BigInt) -> Self {
        let (mut a, mut b) = (top.clone(), bottom.clone());
        while b != BigInt::ZERO {
            (a, b) = (b.clone(), a % b);
        }
        let shared = if (a.sign() == Sign::Minus) == (bottom.sign() == Sign::Minus) {
            a
        } else {
            -a
        };
        Self {
            top: top / &shared,
            bottom: bottom / shared,
        }
    }

    pub(super) fn whole(value: i64) -> Self {
        Self::new(value.into(), 1.into())
    }

    /// Exactly what a double is.
    pub(super) fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let (exponent, low) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        let (mantissa, power) = match exponent {
            0 => (low, -1074),
            _ => (low | 1 << 52, exponent - 1075),
        };
        let top = BigInt::from(mantissa) * if value < 0.0 { -1 } else { 1 };
        if power < 0 {
            Self::new(top, BigInt::from(1) << -power)
        } else {
            Self::new(top << power, 1.into())
        }
    }

    pub(super) fn over(self, other: Self) -> Self {
        Self::new(self.top * other.bottom, self.bottom * other.top)
    }

    fn sign(&self) -> Ordering {
        self.top.cmp(&BigInt::ZERO)
    }

    pub(super) fn abs(self) -> Self {
        if self.sign().is_lt() { -self } else { self }
    }

    /// The nearest double, to a unit or so.
    pub(super) fn rounded(&self) -> f64 {
        let shift = 80 + self.bottom.bits() as i64 - self.top.bits() as i64;
        let scaled = if shift > 0 {
            (&self.top << shift) / &self.bottom
        } else {
            &self.top / (&self.bottom << -shift)
        };
        let (sign, digits) = scaled.to_u64_digits();
        let value = (digits.iter().rev()).fold(0.0, |sum, d| sum * 2f64.powi(64) + *d as f64);
        let value = value * 2f64.powi(-shift as i32);
        if sign == Sign::Minus { -value } else { value }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some((&self.top * &other.bottom).cmp(&(&other.top * &self.bottom)))
    }
}

impl Add for Fraction {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let top = self.top * &other.bottom + other.top * &self.bottom;
        Self::new(top, self.bottom * other.bottom)
    }
}
impl Neg for Fraction {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            top: -self.top,
            bottom: self.bottom,
        }
    }
}
impl Sub for Fraction {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
impl Mul for Fraction {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.top * other.top, self.bottom * other.bottom)
    }
}

pub(super) type ExactVector = [Fraction; 3];

pub(super) fn vector(p: DVec3) -> ExactVector {
    p.to_array().map(Fraction::of)
}

fn each(
    a: &ExactVector,
    b: &ExactVector,
    of: impl Fn(Fraction, Fraction) -> Fraction,
) -> ExactVector {
    [0, 1, 2].map(|k| of(a[k].clone(), b[k].clone()))
}

pub(super) fn plus(a: &ExactVector, b: &ExactVector) -> ExactVector {
    each(a, b, |a, b| a + b)
}

pub(super) fn minus(a: &ExactVector, b: &ExactVector) -> ExactVector {
    each(a, b, |a, b| a - b)
}

pub(super) fn times(a: &ExactVector, by: &Fraction) -> ExactVector {
    a.clone().map(|x| x * by.clone())
}

pub(super) fn dot(a: &ExactVector, b: &ExactVector) -> Fraction {
    let [x, y, z] = each(a, b, |a, b| a * b);
    x + y + z
}

pub(super) fn cross(a: &ExactVector, b: &ExactVector) -> ExactVector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone())
}

/// A flat face of a polyhedron: its corners in order, the body that it is of, and the triangle of that.
#[derive(Clone)]
pub(super) struct ExactFace {
    pub(super) corners: Vec<ExactVector>,
    pub(super) body: usize,
    pub(super) triangle: usize,
}

pub(super) fn corners_of(body: &Shape, triangle: usize) -> [ExactVector; 3] {
    body.triangles[triangle].map(|v| vector(body.positions[v as usize].as_dvec3()))
}

pub(super) fn normal([a, b, c]: &[ExactVector; 3]) -> ExactVector {
    cross(&minus(b, a), &minus(c, a))
}

/// The faces of what two convex bodies share; none where a corner lies in a plane of the other.
pub(super) fn shared_faces(a: &Shape, b: &Shape) -> Option<Vec<ExactFace>> {
    let mut faces: Vec<ExactFace> = (0..a.triangles.len())
        .map(|triangle| ExactFace {
            corners: corners_of(a, triangle).to_vec(),
            body: 0,
            triangle,
        })
        .collect();
    for triangle in 0..b.triangles.len() {
        let plane = corners_of(b, triangle);
        faces = cut(faces, &normal(&plane), &plane[0], triangle)?;
    }
    Some(faces)
}

/// What is below a plane, with a new face in it.
fn cut(
    faces: Vec<ExactFace>,
    normal: &ExactVector,
    at: &ExactVector,
    triangle: usize,
) -> Option<Vec<ExactFace>> {
    let height = |p: &ExactVector| dot(normal, &minus(p, at));
    let mut kept = Vec::new();
    let mut rim: Vec<[ExactVector; 2]> = Vec::new();
    for face in faces {
        let count = face.corners.len();
        let (mut inside, mut ends) = (Vec::new(), [None, None]);
        for (i, p) in face.corners.iter().enumerate() {
            let q = &face.corners[(i + 1) % count];
            let (from, to) = (height(p), height(q));
            if from.sign().is_eq() {
                return None;
            }
            if from.sign().is_le() {
                inside.push(p.clone());
            }
            if from.sign().is_le() != to.sign().is_le() {
                let part = from.clone().over(from.clone() - to);
                let place = plus(p, &times(&minus(q, p), &part));
                // Where the face goes out of what is kept, the new one comes in.
                ends[usize::from(from.sign().is_le())] = Some(place.clone());
                inside.push(place);
            }
        }
        if let [Some(enters), Some(leaves)] = ends {
            rim.push([enters, leaves]);
        }
        if inside.len() > 2 {
            let corners = inside;
            kept.push(ExactFace { corners, ..face });
        }
    }
    if !rim.is_empty() {
        let mut corners = vec![rim[0][0].clone()];
        while corners.len() < rim.len() {
            let last = corners.last().unwrap();
            let next = rim.iter().find(|[from, _]| from == last);
            corners.push(next.expect("the rim closes")[1].clone());
        }
        kept.push(ExactFace {
            corners,
            body: 1,
            triangle,
        });
    }
    Some(kept)
}
