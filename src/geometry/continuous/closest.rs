//! The closest points of a vertex and a face, and of two edges, over any real numbers.
//!
//! The first corner is the origin, as in [`super::pair`].

// A comparison with NaN proves nothing: what is not known to be greater counts as not greater.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use super::real::Real;
use super::vector::{Vector, cross, dot, length_squared, minus, plus, times};

/// What the closest points can move along without the distance changing: a separating direction is at right angles to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// Nothing: two vertices.
    Point,
    /// The edge between two corners, by number: a vertex and an edge.
    Line(usize, usize),
    /// A plane: a vertex and a face, or two edges.
    Plane,
}

/// The closest points of two features.
#[derive(Clone, Copy, Debug)]
pub struct Closest<T> {
    /// From the point of the second feature to that of the first.
    pub apart: Vector<T>,
    /// The square of its length.
    pub squared: T,
    /// How much of each corner.
    pub weights: [T; 4],
    /// Which parts of the features are closest.
    pub span: Span,
}

impl<T: Real> Closest<T> {
    #[inline(always)]
    fn new(apart: Vector<T>, weights: [T; 4], span: Span) -> Self {
        Self {
            apart,
            squared: length_squared(apart),
            weights,
            span,
        }
    }

    /// The origin and a triangle, by the Voronoi regions of its features (Ericson 2005, section 5.1.5).
    #[inline(always)]
    pub fn to_triangle(&[a, b, c]: &[Vector<T>; 3]) -> Self {
        let (nothing, one) = (T::from(0.0), T::from(1.0));
        let back = |v: Vector<T>| times(v, T::from(-1.0));
        let at = |p: Vector<T>, weights| Self::new(back(p), weights, Span::Point);
        let (ab, ac) = (minus(b, a), minus(c, a));
        let (d1, d2) = (-dot(ab, a), -dot(ac, a));
        if d1 <= nothing && d2 <= nothing {
            return at(a, [one, one, nothing, nothing]);
        }
        let (d3, d4) = (-dot(ab, b), -dot(ac, b));
        if d3 >= nothing && d4 <= d3 {
            return at(b, [one, nothing, one, nothing]);
        }
        let (d5, d6) = (-dot(ab, c), -dot(ac, c));
        if d6 >= nothing && d5 <= d6 {
            return at(c, [one, nothing, nothing, one]);
        }
        let normal = cross(ab, ac);
        let size = length_squared(normal);
        // An edge without length has no inside. Which side of each edge, by the normal: the products of dots that Ericson uses cancel on slivers.
        let outside =
            |edge: Vector<T>, from: Vector<T>| !(dot(normal, cross(edge, back(from))) > nothing);
        let on_edge = |from: Vector<T>, edge: Vector<T>, k: T| back(plus(from, times(edge, k)));
        if d1 >= nothing && d3 <= nothing && d1 > d3 && outside(ab, a) {
            let k = d1 / (d1 - d3);
            return Self::new(
                on_edge(a, ab, k),
                [one, one - k, k, nothing],
                Span::Line(1, 2),
            );
        }
        if d2 >= nothing && d6 <= nothing && d2 > d6 && outside(back(ac), c) {
            let k = d2 / (d2 - d6);
            return Self::new(
                on_edge(a, ac, k),
                [one, one - k, nothing, k],
                Span::Line(1, 3),
            );
        }
        let (along, beyond) = (d4 - d3, d5 - d6);
        let bc = minus(c, b);
        if along >= nothing && beyond >= nothing && along + beyond > nothing && outside(bc, b) {
            let k = along / (along + beyond);
            return Self::new(
                on_edge(b, bc, k),
                [one, nothing, one - k, k],
                Span::Line(2, 3),
            );
        }
        if !(size > nothing) {
            return Self::to_sides(&[a, b, c]);
        }
        // Areas of the parts that the foot cuts the triangle into.
        let part = |p: Vector<T>, q: Vector<T>| dot(normal, cross(p, q)) / size;
        let (v, w) = (part(c, a), part(a, b));
        Self::new(
            times(normal, -(dot(normal, a) / size)),
            [one, one - v - w, v, w],
            Span::Plane,
        )
    }

    /// The origin and the nearest side of a triangle without area.
    #[cold]
    fn to_sides(corners: &[Vector<T>; 3]) -> Self {
        let (nothing, one) = (T::from(0.0), T::from(1.0));
        let side = |k: usize| {
            let m = (k + 1) % 3;
            let (from, edge) = (corners[k], minus(corners[m], corners[k]));
            let (along, length) = (-dot(edge, from), length_squared(edge));
            let (part, span) = if !(along > nothing) {
                (nothing, Span::Point)
            } else if along >= length {
                (one, Span::Point)
            } else {
                (along / length, Span::Line(k + 1, m + 1))
            };
            let mut weights = [one, nothing, nothing, nothing];
            weights[k + 1] = one - part;
            weights[m + 1] = weights[m + 1] + part;
            let foot = plus(from, times(edge, part));
            Self::new(times(foot, T::from(-1.0)), weights, span)
        };
        let nearer = |p: Self, q: Self| if q.squared < p.squared { q } else { p };
        nearer(nearer(side(0), side(1)), side(2))
    }

    /// The edge from the origin to `a` and that from `b` to `c`.
    #[inline(always)]
    pub fn of_edges(&[a, b, c]: &[Vector<T>; 3]) -> Self {
        let (nothing, one) = (T::from(0.0), T::from(1.0));
        let clamp = |x: T| {
            if x > nothing {
                if x < one { x } else { one }
            } else {
                nothing
            }
        };
        let v = minus(c, b);
        let (uu, vv, ub, vb) = (length_squared(a), length_squared(v), dot(a, b), dot(v, b));
        let normal = cross(a, v);
        // From the vector product, and not from uu vv - uv^2, which cancels.
        let sine = length_squared(normal);
        let mut s = nothing;
        if sine > nothing {
            s = clamp(dot(cross(b, v), normal) / sine);
        }
        let uv = dot(a, v);
        let mut t = nothing;
        if vv > nothing {
            t = clamp((uv * s - vb) / vv);
        }
        if uu > nothing {
            s = clamp((uv * t + ub) / uu);
        }
        // The normal of edges that are parallel within the rounding is without digits.
        let plane = if sine.to_f64() > 4.0 * T::ROUNDING * (uu * vv).to_f64() {
            Span::Plane
        } else {
            Span::Line(0, 1)
        };
        let mut best = Self::between(a, b, v, s, t, plane);
        // Nearly parallel: where the lines cross is uncertain, the ends are not.
        if sine.to_f64() < 1e-10 * (uu * vv).to_f64() {
            let mut offer = |s: T, t: T| {
                let other = Self::between(a, b, v, s, t, plane);
                if other.squared < best.squared {
                    best = other;
                }
            };
            for s in [nothing, one] {
                if vv > nothing {
                    offer(s, clamp((uv * s - vb) / vv));
                }
            }
            for t in [nothing, one] {
                if uu > nothing {
                    offer(clamp((uv * t + ub) / uu), t);
                }
            }
        }
        best
    }

    #[inline(always)]
    fn between(a: Vector<T>, b: Vector<T>, v: Vector<T>, s: T, t: T, plane: Span) -> Self {
        let (nothing, one) = (T::from(0.0), T::from(1.0));
        let inside = |x: T| x > nothing && x < one;
        let apart = minus(times(a, s), plus(b, times(v, t)));
        let span = match (inside(s), inside(t)) {
            (true, true) => plane,
            (true, false) => Span::Line(0, 1),
            (false, true) => Span::Line(2, 3),
            (false, false) => Span::Point,
        };
        Self::new(apart, [one - s, s, one - t, t], span)
    }
}
