//! Boundaries of intersections, unions and differences, and the curves where surfaces cross.

use super::*;

#[test]
fn each_region_has_a_closed_boundary_of_its_own() {
    let (a, b) = (comb(5, 0), comb(4, 1));
    let cut = crossed(&a, &b, moved(0.1 * DVec3::Z));
    let regions = cut.regions();
    let all = cut.boundary(BooleanOperation::Intersection, Some(&regions));
    let all = all.unwrap();
    for (number, region) in (0..).zip(&regions.regions) {
        let own = all.triangles.iter().filter(|t| t.region == number);
        let part = BoundaryMesh {
            positions: all.positions.clone(),
            triangles: own.copied().collect(),
        };
        let volume = enclosed(&part, "region");
        assert!((volume - region.volume()).abs() < 1e-12, "{number}");
    }
}

/// The volume that a boundary encloses; it must be closed.
fn enclosed(mesh: &BoundaryMesh, context: &str) -> f64 {
    let mut lines = std::collections::HashMap::new();
    let mut sum = 0.0;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.corners;
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *lines.entry([from.min(to), from.max(to)]).or_insert(0) +=
                if from < to { 1 } else { -1 };
        }
        let [p, q, r] = triangle.corners.map(|v| mesh.positions[v as usize]);
        sum += p.dot(q.cross(r)) / 6.0;
    }
    let open = lines.values().filter(|count| **count != 0).count();
    assert_eq!(open, 0, "{context}: open edges");
    sum
}

/// Checks the boundaries of all operations against the exact volume, and that each triangle lies in its face.
fn assert_boundaries(a: &Shape, b: &Shape, pose: DAffine3, context: &str) {
    let cut = crossed(a, b, pose);
    let (both, _) = cut.shared_volume().volume();
    let alone = [a, b].map(whole);
    for (operation, expected) in [
        (BooleanOperation::Intersection, both),
        (BooleanOperation::Union, alone[0] + alone[1] - both),
        (BooleanOperation::Difference, alone[0] - both),
    ] {
        let mesh = cut.boundary(operation, None).unwrap();
        let found = enclosed(&mesh, &format!("{context} {operation:?}"));
        assert!(
            (found - expected).abs() < 1e-10 * (1.0 + expected),
            "{context} {operation:?}: {found} {expected}"
        );
        for triangle in &mesh.triangles {
            let [p, q, r] = cut.sides[triangle.body as usize].corners(triangle.face);
            let normal = (q - p).cross(r - p).normalize_or_zero();
            for corner in triangle.corners {
                let height = normal.dot(mesh.positions[corner as usize] - p);
                assert!(height.abs() < 1e-12, "{context}: {height} off its face");
            }
        }
    }
}

#[test]
fn boundaries_are_closed_and_enclose_the_volume() {
    let mut random = Random::new(16);
    let bodies = [
        shapes::knot(0.5, 60, 9),
        shapes::torus(1.5, 0.6, 24, 12),
        shapes::cuboid(Vec3::new(1.2, 1.0, 0.7), 1),
    ];
    for round in 0..30 {
        let (a, b) = (&bodies[round % 3], &bodies[(round / 3) % 3]);
        assert_boundaries(a, b, pose(&mut random, 1.0), &format!("{round}"));
    }
    // Faces in one plane, edges on edges, holes in faces.
    let cube = shapes::cuboid(Vec3::ONE, 2);
    for offset in [
        DVec3::ZERO,
        DVec3::X,
        DVec3::new(1.0, 1.0, 0.0),
        DVec3::new(2.0, 0.5, 0.0),
        DVec3::new(0.5, 0.5, 0.5),
    ] {
        assert_boundaries(&cube, &cube, moved(offset), &format!("{offset}"));
    }
    let slab = shapes::cuboid(Vec3::new(4.0, 4.0, 0.2), 1);
    assert_boundaries(
        &bodies[1],
        &slab,
        moved(DVec3::new(0.03, 0.02, 0.01)),
        "ring",
    );
    assert_boundaries(&comb(5, 0), &comb(4, 1), moved(0.1 * DVec3::Z), "combs");
}

#[test]
fn an_open_body_has_no_boundary() {
    let mut open = shapes::sphere(1.0, 16, 10);
    open.triangles.truncate(open.triangles.len() / 2);
    let ball = shapes::sphere(1.0, 12, 9);
    let cut = crossed(&open, &ball, moved(DVec3::new(0.4, 0.1, 0.2)));
    let refused = cut.boundary(BooleanOperation::Union, None).unwrap_err();
    assert_eq!(refused.disagreeing, cut.disagreeing());
}

#[test]
fn curves_are_closed_and_as_long_as_the_sum_of_segments() {
    let mut random = Random::new(17);
    let (a, b) = (shapes::knot(0.5, 60, 9), shapes::torus(1.5, 0.6, 24, 12));
    let mut most = 0;
    for round in 0..20 {
        let cut = crossed(&a, &b, pose(&mut random, 1.0));
        let regions = cut.regions();
        let curves = cut.curves(&regions);
        let mut length = 0.0;
        let mut segments = 0;
        for curve in &curves {
            assert!(curve.is_closed, "{round}");
            let count = curve.points.len();
            segments += count;
            for (i, point) in curve.points.iter().enumerate() {
                length += point.at.distance(curve.points[(i + 1) % count].at);
                let region = &regions.regions[curve.region as usize];
                let inside = point.at.cmpge(region.bounds[0]).all()
                    && point.at.cmple(region.bounds[1]).all();
                assert!(inside, "{round}: a curve outside its region");
            }
        }
        let shared = cut.shared_volume();
        assert_eq!(segments as u64, shared.crossings, "{round}");
        assert!((length - shared.curve_length).abs() < 1e-11, "{round}");
        most = curves.len().max(most);
    }
    assert!(most > 2, "{most}");
    // A torus lying in a slab is cut along two circles above and two below.
    let slab = shapes::cuboid(Vec3::new(4.0, 4.0, 0.2), 1);
    let torus = shapes::torus(1.5, 0.5, 40, 20);
    let cut = crossed(&torus, &slab, moved(DVec3::new(0.03, 0.02, 0.01)));
    assert_eq!(cut.curves(&cut.regions()).len(), 4);
}
