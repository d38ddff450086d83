//! Every exact value is within its error of what doubles add up to. The exact ones are fractions, of convex bodies whose corners are whole numbers.

use super::rational::{
    ExactFace, ExactVector, Fraction, corners_of, cross, dot, minus, normal, plus, shared_faces,
    times, vector,
};
use super::*;

/// Exact integrals over the parts of both surfaces, about a place.
struct ExactSums {
    volume: Fraction,
    first_moment: ExactVector,
    /// xx, yy, zz, yz, zx, xy.
    second_moment: [Fraction; 6],
    area_vectors: [ExactVector; 2],
    torques: [ExactVector; 2],
    /// Of each face: its body, and the square of its area.
    squared_areas: Vec<(usize, Fraction)>,
}

fn zero() -> ExactVector {
    [0; 3].map(Fraction::whole)
}

/// The triangles of a face: corners from its first.
fn fan(face: &ExactFace) -> impl Iterator<Item = [&ExactVector; 3]> {
    (2..face.corners.len()).map(|i| [&face.corners[0], &face.corners[i - 1], &face.corners[i]])
}

impl ExactSums {
    fn of(faces: &[ExactFace], origin: DVec3) -> Self {
        let origin = vector(origin);
        let part = |n: i64| Fraction::whole(1).over(Fraction::whole(n));
        let mut sums = Self {
            volume: Fraction::whole(0),
            first_moment: zero(),
            second_moment: [0; 6].map(Fraction::whole),
            area_vectors: [zero(), zero()],
            torques: [zero(), zero()],
            squared_areas: Vec::new(),
        };
        for face in faces {
            let mut whole = zero();
            for corners in fan(face) {
                let [p, q, r] = corners.map(|p| minus(p, &origin));
                let area = times(&cross(&minus(&q, &p), &minus(&r, &p)), &part(2));
                let volume = dot(&p, &area) * part(3);
                let sum = plus(&plus(&p, &q), &r);
                let moment = times(&sum, &(volume.clone() * part(4)));
                sums.first_moment = plus(&sums.first_moment, &moment);
                for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)]
                    .into_iter()
                    .enumerate()
                {
                    let each = [&p, &q, &r, &sum].map(|v| v[i].clone() * v[j].clone());
                    let all = each.into_iter().reduce(|a, b| a + b).unwrap();
                    sums.second_moment[k] =
                        sums.second_moment[k].clone() + all * volume.clone() * part(20);
                }
                sums.volume = sums.volume + volume;
                let turn = times(&cross(&sum, &area), &part(3));
                sums.torques[face.body] = plus(&sums.torques[face.body], &turn);
                whole = plus(&whole, &area);
            }
            sums.area_vectors[face.body] = plus(&sums.area_vectors[face.body], &whole);
            sums.squared_areas.push((face.body, dot(&whole, &whole)));
        }
        sums
    }
}

/// How far a vector is from the exact one, squared, against a bound; returns the part of the bound that was needed.
fn assert_near(found: DVec3, exact: &ExactVector, error: f64, context: &str) -> f64 {
    let off = minus(&vector(found), exact);
    let squared = dot(&off, &off);
    let bound = Fraction::of(error);
    assert!(
        squared <= bound.clone() * bound,
        "{context}: {found} is off by {} > {error}",
        squared.rounded().sqrt()
    );
    squared.rounded().sqrt() / error
}

fn is_flat(round: usize) -> bool {
    round % 3 == 2
}

/// A tetrahedron with whole corners, in some rounds as flat as a leaf.
fn body(random: &mut Random, round: usize) -> Shape {
    let size = [6.0, 40.0, 1000.0, 1e6][round % 4];
    let height = if is_flat(round) { 0.01 * size } else { size };
    let size = DVec3::new(size, size, height.max(2.0));
    loop {
        let mut point = || (random.in_cube() * size).round().as_vec3();
        let positions: Vec<Vec3> = (0..4).map(|_| point()).collect();
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| positions[k].as_dvec3());
        let volume = (b - a).cross(c - a).dot(d - a);
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let shape = Shape {
            positions,
            triangles,
        };
        if volume > 0.0 {
            return shape;
        } else if volume < 0.0 {
            return shape.flipped();
        }
    }
}

#[test]
fn exact_values_are_within_their_errors() {
    let mut random = Random::new(31);
    let (mut shares, mut most) = (0, 0.0f64);
    for round in 0..240 {
        let (a, b) = (body(&mut random, round), body(&mut random, round));
        let Some(faces) = shared_faces(&a, &b) else {
            continue;
        };
        let ready = crossed(&a, &b, DAffine3::IDENTITY);
        let found = ready.shared_volume();
        let exact = ExactSums::of(&faces, found.origin);
        let (volume, error) = found.volume();
        let context = format!("{round}");
        let off = (Fraction::of(volume) - exact.volume.clone()).abs();
        assert!(
            off <= Fraction::of(error),
            "{round}: {volume} +- {error}, not {}",
            exact.volume.rounded()
        );
        let (first, first_error) = found.of_both(|s| s.first_moment, |e| e.first_moment);
        most = most.max(assert_near(
            first,
            &exact.first_moment,
            first_error,
            &context,
        ));
        let (second, second_error) = found.of_both(|s| s.second_moment(), |e| e.second_moment);
        let columns = [second.x_axis, second.y_axis, second.z_axis];
        let mut squared = Fraction::whole(0);
        for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)]
            .into_iter()
            .enumerate()
        {
            let off = Fraction::of(columns[i][j]) - exact.second_moment[k].clone();
            squared = squared + off.clone() * off * Fraction::whole(if i == j { 1 } else { 2 });
        }
        assert!(
            squared <= Fraction::of(second_error) * Fraction::of(second_error),
            "{round}"
        );
        for own in 0..2 {
            let (sums, errors) = (&found.sums[own], &found.errors[own]);
            let area = &exact.area_vectors[own];
            most = most.max(assert_near(sums.area_vector, area, errors.area, &context));
            assert_near(sums.torque, &exact.torques[own], errors.torque, &context);
            let own_faces = exact.squared_areas.iter().filter(|(body, _)| *body == own);
            // Roots of fractions round.
            let area: f64 = own_faces.map(|(_, squared)| squared.rounded().sqrt()).sum();
            assert!(
                (sums.area - area).abs() <= errors.area + 1e-14 * area,
                "{round}"
            );
        }
        if exact.volume.rounded() > 0.0 {
            shares += 1;
            // Narrow beside the box of a body; faces that are large beside what is shared, and edges that almost lie in faces, cost digits.
            let size = [&a, &b].map(|body| {
                let [low, high] = body
                    .positions
                    .iter()
                    .fold([Vec3::MAX, Vec3::MIN], |[l, h], p| [l.min(*p), h.max(*p)]);
                f64::from((high - low).element_product())
            });
            let part = if is_flat(round) { 1e-8 } else { 1e-11 };
            assert!(
                error <= part * size[0].max(size[1]),
                "{round}: {error} {size:?}"
            );
        }
    }
    // The errors are bounds, and some are needed to a part in ten thousand at least.
    assert!(shares > 60 && most > 1e-4, "{shares} {most}");
}

#[test]
fn exact_gradients_are_within_their_errors() {
    let mut random = Random::new(32);
    let mut checked = 0;
    for round in 0..120 {
        let (a, b) = (body(&mut random, round), body(&mut random, round));
        let Some(faces) = shared_faces(&a, &b) else {
            continue;
        };
        let ready = crossed(&a, &b, DAffine3::IDENTITY);
        let gradients = ready.gradients([&a.triangles, &b.triangles]);
        for (own, shape) in [&a, &b].into_iter().enumerate() {
            let mut exact = vec![zero(); shape.positions.len()];
            for face in faces.iter().filter(|face| face.body == own) {
                let triangle = corners_of(shape, face.triangle);
                let up = normal(&triangle);
                for [p, q, r] in fan(face) {
                    let half = Fraction::whole(1).over(Fraction::whole(2));
                    let area = times(&cross(&minus(q, p), &minus(r, p)), &half);
                    let third = Fraction::whole(1).over(Fraction::whole(3));
                    let middle = times(&plus(&plus(p, q), r), &third);
                    for (k, vertex) in shape.triangles[face.triangle].into_iter().enumerate() {
                        let (next, last) = (&triangle[(k + 1) % 3], &triangle[(k + 2) % 3]);
                        let opposite = cross(&minus(next, &middle), &minus(last, &middle));
                        let share = dot(&opposite, &up).over(dot(&up, &up));
                        let sum = &mut exact[vertex as usize];
                        *sum = plus(sum, &times(&area, &share));
                    }
                }
            }
            let mut told = vec![(DVec3::ZERO, 0.0); exact.len()];
            for found in &gradients[own] {
                told[found.vertex as usize] = (found.gradient, found.error);
                let size = found.gradient.length();
                checked += usize::from(size > 0.0 && found.error < 1e-9 * size);
            }
            for ((gradient, error), exact) in told.into_iter().zip(&exact) {
                if dot(exact, exact) == Fraction::whole(0) && error == 0.0 {
                    assert_eq!(gradient, DVec3::ZERO, "{round}");
                } else {
                    assert_near(gradient, exact, error, &format!("{round}"));
                }
            }
        }
    }
    assert!(checked > 150, "{checked}");
}
