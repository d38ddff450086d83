//! The truth is exact: polynomials over the integers, whose roots are isolated by Sturm's theorem.

mod exact;
mod polynomial;

use super::*;
use crate::geometry::random::{Random, cases};
use exact::first_touch;
use glam::dvec3;

/// A number from a family of numbers that make degenerate cases.
struct Numbers<'a> {
    random: &'a mut Random,
    style: usize,
}

impl Numbers<'_> {
    fn vector(&mut self) -> DVec3 {
        let mut small = || self.random.below(5) as f64 - 2.0;
        let v = match self.style {
            0 => dvec3(small(), small(), small()),
            1 => dvec3(small(), small(), small()) * 0.1,
            2 => dvec3(small(), small(), 0.0),
            _ => self.random.in_cube(),
        };
        v.as_vec3().as_dvec3()
    }
}

/// A random pair: general, on a small grid, in a plane, parallel, sliding, touching, with tiny, huge or common motions.
fn any_pair(random: &mut Random, round: usize) -> MovingPair {
    let kind = [FeatureKind::VertexFace, FeatureKind::EdgeEdge][round % 2];
    let mut numbers = Numbers {
        style: random.below(6),
        random,
    };
    let mut start = [0; 4].map(|_| numbers.vector());
    let travel = [0; 4].map(|_| numbers.vector());
    let drift = numbers.vector();
    let random = numbers.random;
    let one_of = |random: &mut Random, all: &[f64]| all[random.below(all.len())];
    let mut ways = match random.below(8) {
        // Different motions.
        0..=2 => travel,
        // All alike but one: sliding.
        3 => [drift, drift, drift, travel[3]],
        // The first feature moves as one.
        4 => [travel[0], drift, drift, drift],
        // Nothing but a common motion.
        5 => [drift; 4],
        6 => travel.map(|v| v * one_of(random, &[1e-7, 1e-12])),
        _ => travel.map(|v| v + drift * one_of(random, &[100.0, 1e4])),
    };
    match random.below(6) {
        // Begin, or nearly begin, together.
        0 => {
            start[0] = match kind {
                FeatureKind::VertexFace => 0.25 * start[1] + 0.25 * start[2] + 0.5 * start[3],
                FeatureKind::EdgeEdge => start[2],
            };
            start[0] += DVec3::Z * one_of(random, &[0.0, 1e-7]);
        }
        // Parallel edges.
        1 => start[1] = start[0] + (start[3] - start[2]) * one_of(random, &[1.0, 0.5, -1.0]),
        // A face without area.
        2 => start[3] = 0.5 * (start[1] + start[2]),
        _ => {}
    }
    if random.below(4) == 0 {
        ways = ways.map(|v| v * one_of(random, &[1e-3, 10.0, 1e4]));
    }
    let scale = one_of(random, &[1.0, 1.0, 1.0, 1e-6, 1e6, 1e-30]);
    let float = |p: DVec3| (p * scale).as_vec3().as_dvec3();
    let start = start.map(float);
    let end = [0, 1, 2, 3].map(|k| float(start[k] / scale + ways[k]));
    MovingPair { kind, start, end }
}

/// No contact is missed, none is late, and none is early by more than the tolerances say.
#[test]
fn meetings_are_those_of_exact_arithmetic() {
    let mut random = Random::new(700);
    let (mut touching, mut later, mut apart) = (0, 0, 0);
    for round in 0..cases(4000) {
        let pair = any_pair(&mut random, round);
        let found = pair.first_meeting(0.0, [0.0, 1.0], 1.0);
        let Some(truth) = first_touch(&pair) else {
            apart += 1;
            assert!(found.is_none(), "round {round}: {pair:?} {found:?}");
            continue;
        };
        let found = found.unwrap_or_else(|| panic!("round {round}: missed {pair:?} {truth:?}"));
        assert!(
            truth.is_not_before(found.time),
            "round {round}: late {pair:?} {found:?}"
        );
        let exact = truth.value();
        let early = exact - found.time;
        let bound = (RELATIVE_TOLERANCE * exact).max(ABSOLUTE_TOLERANCE);
        assert!(
            early <= bound,
            "round {round}: early {early} {pair:?} {found:?} {exact}"
        );
        assert_eq!(
            found.time == 0.0,
            exact == 0.0,
            "round {round}: {pair:?} {found:?}"
        );
        if exact == 0.0 {
            touching += 1
        } else {
            later += 1
        }
        assert!((found.normal.length() - 1.0).abs() < 1e-12);
    }
    let least = cases(4000) / 20;
    assert!(
        touching > least && later > least && apart > least,
        "{touching} {later} {apart}"
    );
}
