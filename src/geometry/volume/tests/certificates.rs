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

/// How far a vector is from the exact one, squared, against a bound.
fn assert_near(found: DVec3, exact: &ExactVector, error: f64, context: &str) {
    let off = minus(&vector(found), exact);
    let squared = dot(&off, &off);
    let bound = Fraction::of(error);
    assert!(
        squared <= bound.clone() * bound,
        "{context}: {found} is off by {} > {error}",
        squared.rounded().sqrt()
    );
}

/// A tetrahedron with whole corners, in some rounds as flat as a leaf.
fn body(random: &mut Random, round: usize) -> Shape {
    let size = [6.0, 40.0, 1000.0, 1e6][round % 4];
    let height = if round % 3 == 2 { 0.01 * size } else { size };
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

/// Six times the signed volume of a tetrahedron with whole corners, exactly.
fn whole_volume(corners: [Vec3; 4]) -> i128 {
    let [a, b, c, d] = corners.map(|p| p.to_array().map(|x| x as i128));
    let from = |p: [i128; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let [u, v, w] = [b, c, d].map(from);
    u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
}

/// Of the edges of one body that cross or touch a face of another: one over the sine of the angle between them, and over that of the face at its
/// first corner, at most.
fn steepest(edges: &Shape, faces: &Shape) -> f64 {
    let mut most = 1.0f64;
    for t in &faces.triangles {
        let [a, b, c] = t.map(|v| faces.positions[v as usize]);
        for pair in edges
            .triangles
            .iter()
            .flat_map(|[i, j, k]| [[i, j], [j, k], [k, i]])
        {
            let [p, q] = pair.map(|v| edges.positions[*v as usize]);
            let heights = [p, q].map(|end| whole_volume([a, b, c, end]));
            let sides = [[a, b], [b, c], [c, a]].map(|[x, y]| whole_volume([p, q, x, y]).signum());
            if heights[0].signum() * heights[1].signum() > 0
                || (sides.contains(&1) && sides.contains(&-1))
            {
                continue;
            }
            let [u, v, w] = [b - a, c - a, q - p].map(|side| side.as_dvec3().length());
            most = most.max(u * v * w / (heights[0] - heights[1]).abs() as f64);
        }
    }
    most
}

/// What the error of the volume that two tetrahedra share follows to be at most.
///
/// Let d be the largest distance between corners, s the largest of that and of coordinates, and k what edges and faces that cross are steep. Then
/// `place` puts a crossing off by e <= eps (6 k d + 4 d + 4 s), and eps d more from the origin. A face has at most four segments, and at most two
/// crossings on each of its three edges: 80 triangles in all, with sides of at most d, so that what moves is at most 80 e (d^2 / 2 + e (2 d + 2 e)).
/// With eight whole faces beside them, 88 triangles have areas of at most 44 d^2 and squared sides of 88 d^2, and `ChainSums::errors` adds: for vertices
/// 2 eps d 45 d^2; for slivers eps 6 s 80 d / 3; for rounding 132 eps d^2; for adding up, sixteen pairs with two pieces each, four faces and eight
/// more, 44 eps 44 d^2 / 3; the last three times d.
fn widest(a: &Shape, b: &Shape, origin: DVec3) -> f64 {
    let corners: Vec<DVec3> = [a, b]
        .into_iter()
        .flat_map(|body| &body.positions)
        .map(|p| p.as_dvec3())
        .collect();
    let far = |p: &DVec3| corners.iter().map(|q| p.distance(*q)).fold(0.0, f64::max);
    let d = corners.iter().map(far).fold(far(&origin), f64::max);
    let s = corners
        .iter()
        .map(|p| p.abs().max_element())
        .fold(d, f64::max);
    let k = steepest(a, b).max(steepest(b, a));
    let eps = f64::EPSILON;
    let e = (eps * (6.0 * k * d + 5.0 * d + 4.0 * s)).min(d + eps * (9.0 * s));
    let moved = 80.0 * e * (0.5 * d * d + e * (2.0 * d + 2.0 * e)) + 2.0 * eps * d * 45.0 * d * d;
    let summed = eps * (160.0 * s * d + (132.0 + 44.0 * 44.0 / 3.0) * d * d);
    (1.0 + 1e-5) * (moved + d * summed)
}

#[test]
fn exact_values_are_within_their_errors() {
    let mut random = Random::new(31);
    let mut shares = 0;
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
        assert_near(first, &exact.first_moment, first_error, &context);
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
            assert_near(sums.area_vector, area, errors.area, &context);
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
            let most = widest(&a, &b, found.origin);
            assert!(error <= most, "{round}: {error} {most}");
        }
    }
    assert!(shares > 60, "{shares}");
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
