//! The first time at which two features share a point, decided in integers.

use super::super::{FeatureKind, MovingPair};
use super::polynomial::{Polynomial, Root};
use glam::DVec3;
use num_bigint::BigInt;

type MovingPoint = [Polynomial; 3];

fn minus(a: &MovingPoint, b: &MovingPoint) -> MovingPoint {
    [0, 1, 2].map(|k| a[k].minus(&b[k]))
}

fn cross(a: &MovingPoint, b: &MovingPoint) -> MovingPoint {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].times(&b[j]).minus(&a[j].times(&b[i])))
}

fn dot(a: &MovingPoint, b: &MovingPoint) -> Polynomial {
    let [x, y, z] = [0, 1, 2].map(|k| a[k].times(&b[k]));
    x.plus(&y).plus(&z)
}

/// Positions in units of 2^-149, in which every float is an integer.
fn moving(start: DVec3, end: DVec3) -> MovingPoint {
    let integer = |x: f64| {
        let (mut x, mut shift) = (x, 0u32);
        // Exact: a float is below 2^128, and what is left of it has 24 bits.
        while shift < 149 && x.fract() != 0.0 {
            x *= 2.0;
            shift += 1;
        }
        BigInt::from(x as i128) << (149 - shift)
    };
    [0, 1, 2].map(|k| {
        let (from, to) = (integer(start[k]), integer(end[k]));
        let way = to - &from;
        Polynomial::new(vec![from, way])
    })
}

/// The first touch, or none.
pub fn first_touch(pair: &MovingPair) -> Option<Root> {
    let p = [0, 1, 2, 3].map(|k| moving(pair.start[k], pair.end[k]));
    let features = match pair.kind {
        FeatureKind::VertexFace => ExactFeatures::VertexFace(&p[0], [&p[1], &p[2], &p[3]]),
        FeatureKind::EdgeEdge => ExactFeatures::EdgeEdge([&p[0], &p[1]], [&p[2], &p[3]]),
    };
    let start = Polynomial::new(vec![BigInt::from(0), BigInt::from(1)]);
    let mut candidates = start.roots();
    // In one plane all the time, contact begins on an edge; in one line, at a corner.
    let volume = dot(
        &cross(&minus(&p[1], &p[0]), &minus(&p[2], &p[0])),
        &minus(&p[3], &p[0]),
    );
    let mut events = vec![volume];
    if events[0].is_zero() {
        events.clear();
        for (point, edge) in features.incidences() {
            let line = cross(&minus(edge[1], edge[0]), &minus(point, edge[0]));
            if line.iter().all(Polynomial::is_zero) {
                events.extend(edge.iter().flat_map(|end| minus(point, end)));
            }
            events.extend(line);
        }
    }
    candidates.extend(
        events
            .iter()
            .filter(|e| !e.is_zero())
            .flat_map(Polynomial::roots),
    );
    candidates.sort_by(|a, b| a.value().total_cmp(&b.value()));
    candidates
        .into_iter()
        .find_map(|mut root| features.touch(&mut root).then_some(root))
}

enum ExactFeatures<'a> {
    VertexFace(&'a MovingPoint, [&'a MovingPoint; 3]),
    EdgeEdge([&'a MovingPoint; 2], [&'a MovingPoint; 2]),
}

impl<'a> ExactFeatures<'a> {
    /// Corners of one with edges of the other.
    fn incidences(&self) -> Vec<(&'a MovingPoint, [&'a MovingPoint; 2])> {
        match *self {
            Self::VertexFace(p, [a, b, c]) => vec![(p, [a, b]), (p, [b, c]), (p, [c, a])],
            Self::EdgeEdge([a, b], [c, d]) => {
                vec![(a, [c, d]), (b, [c, d]), (c, [a, b]), (d, [a, b])]
            }
        }
    }

    /// Whether they share a point at a time.
    fn touch(&self, time: &mut Root) -> bool {
        self.cross_inside(time)
            || self.incidences().iter().any(|(p, [a, b])| {
                let (u, v) = (minus(p, a), minus(p, b));
                cross(&u, &v).iter().all(|c| time.sign(c) == 0) && time.sign(&dot(&u, &v)) <= 0
            })
    }

    /// Whether they are in one plane and cross inside of both.
    fn cross_inside(&self, time: &mut Root) -> bool {
        match *self {
            Self::VertexFace(p, [a, b, c]) => {
                let normal = cross(&minus(b, a), &minus(c, a));
                if time.sign(&dot(&normal, &minus(p, a))) != 0
                    || normal.iter().all(|n| time.sign(n) == 0)
                {
                    return false;
                }
                [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| {
                    let side = cross(&minus(to, from), &minus(p, from));
                    time.sign(&dot(&normal, &side)) >= 0
                })
            }
            Self::EdgeEdge([a, b], [c, d]) => {
                let (u, v, r) = (minus(b, a), minus(d, c), minus(c, a));
                let normal = cross(&u, &v);
                if time.sign(&dot(&normal, &r)) != 0 || normal.iter().all(|n| time.sign(n) == 0) {
                    return false;
                }
                let whole = dot(&normal, &normal);
                [dot(&cross(&r, &v), &normal), dot(&cross(&r, &u), &normal)]
                    .iter()
                    .all(|part| time.sign(part) >= 0 && time.sign(&whole.minus(part)) >= 0)
            }
        }
    }
}
