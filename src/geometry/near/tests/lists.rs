//! Lists as a whole: threads, room, and rows per vertex.

use super::*;
use fixtures::shapes;
use glam::{DAffine3, Vec3};

#[test]
fn threads_do_not_change_the_list_and_too_little_room_tells_the_number() {
    let a = Ready::new(shapes::knot(0.3, 300, 20));
    let b = Ready::new(shapes::torus(2.0, 0.5, 80, 40).map(|p| p + Vec3::X));
    let with = |threads, capacity| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let rule = plain(0.1);
            let placement = Placement::default();
            (
                near_pairs(a.body(), b.body(), &placement, &rule, capacity),
                near_pairs_of_itself(a.body(), &rule, capacity),
            )
        })
    };
    let (two, one) = with(1, u64::MAX);
    let (two, one) = (two.unwrap(), one.unwrap());
    assert!(
        two.len() > 1000 && one.len() > 1000,
        "{} {}",
        two.len(),
        one.len()
    );
    let (again, alone) = with(3, u64::MAX);
    assert_eq!((&two, &one), (&again.unwrap(), &alone.unwrap()));
    for capacity in [0, 1, 900] {
        let (few, alone) = with(2, capacity);
        for (refusal, count) in [(few, two.len()), (alone, one.len())] {
            match refusal {
                Err(crate::error::Error::BufferTooSmall { needed, given, .. }) => {
                    assert_eq!((needed, given), (count as u64, capacity));
                }
                other => panic!("{:?}", other.map(|p| p.len())),
            }
        }
    }
}

#[test]
fn nothing_is_near_nothing() {
    let nothing = Ready::new(Shape::default());
    let ball = Ready::new(shapes::sphere(1.0, 8, 6));
    let (rule, placement) = (plain(10.0), Placement::default());
    for (a, b) in [(&nothing, &ball), (&ball, &nothing), (&nothing, &nothing)] {
        let pairs = near_pairs(a.body(), b.body(), &placement, &rule, 0);
        assert_eq!(pairs.unwrap(), Vec::new());
        let distances = smallest_distances(a.body(), b.body(), &placement, &rule).unwrap();
        assert!(distances.iter().flatten().all(|&d| d == f64::INFINITY));
    }
    assert_eq!(
        near_pairs_of_itself(nothing.body(), &rule, 0).unwrap(),
        Vec::new()
    );
}

/// Around each pole a thousand triangles have one corner, and nothing else of two balls is as near.
#[test]
fn a_million_triangles_are_near_where_their_poles_are() {
    let around = 1000;
    let ball = shapes::sphere(1.0, around, 501);
    assert_eq!(ball.triangles.len(), 1_000_000);
    let above = Ready::new(ball.clone().map(|p| p + Vec3::Z * 3.0));
    let ball = Ready::new(ball);
    // The next ring is 2e-5 farther.
    let rule = plain(1.0 + 5e-6);
    let pairs = near_pairs(
        ball.body(),
        above.body(),
        &Placement::default(),
        &rule,
        u64::MAX,
    );
    let pairs = pairs.unwrap();
    // Each pole and the other's faces, and all edges that begin at one and all that begin at the other.
    let around = around as usize;
    assert_eq!(pairs.len(), 2 * around + around * around);
    assert!(
        pairs
            .windows(2)
            .all(|two| two[0].features < two[1].features)
    );
    let is_between_poles = |pair: &FeaturePair| {
        (pair.distance - 1.0).abs() < 1e-6 && pair.direction.distance(Vec3::Z) < 1e-6
    };
    assert!(pairs.iter().all(is_between_poles));
    // Vertices of the first ring are neighbours, 3.9e-5 apart, and nothing else is closer.
    let alone = near_pairs_of_itself(ball.body(), &plain(3.5e-5), u64::MAX);
    assert_eq!(alone.unwrap(), Vec::new());
}

#[test]
fn distances_per_vertex_are_the_least_of_its_pairs() {
    let a = Ready::new(shapes::knot(0.3, 60, 10));
    let b = Ready::new(shapes::torus(2.0, 0.5, 30, 12).map(|p| p + Vec3::X));
    let rule = plain(0.2);
    let placement = Placement::new(DAffine3::from_translation(DVec3::new(0.1, 0.2, 0.3)));
    let pairs = near_pairs(a.body(), b.body(), &placement, &rule, u64::MAX).unwrap();
    let smallest = smallest_distances(a.body(), b.body(), &placement, &rule).unwrap();
    for (side, of) in [&a, &b].into_iter().enumerate() {
        let corners = |k: u32| corners_of(&pairs[k as usize], [&a, &b])[side].clone();
        let count = of.shape.positions.len();
        let distance = |k: u32| pairs[k as usize].distance;
        let by =
            per_vertex::pairs_per_vertex(pairs.len() as u32, count, corners, distance).unwrap();
        assert_eq!(by.distances, smallest[side]);
        for v in 0..count {
            let run = by.starts[v] as usize..by.starts[v + 1] as usize;
            let has = |k: &u32| corners(*k).contains(&(v as u32));
            let expected: Vec<u32> = (0..pairs.len() as u32).filter(has).collect();
            assert_eq!(by.pairs[run], expected);
        }
    }
    let alone = near_pairs_of_itself(a.body(), &rule, u64::MAX).unwrap();
    let smallest = smallest_distances_of_itself(a.body(), &rule).unwrap();
    for (v, &smallest) in smallest.iter().enumerate() {
        let has = |p: &&FeaturePair| corners_of(p, [&a, &a]).concat().contains(&(v as u32));
        let own = alone.iter().filter(has).map(|p| p.distance);
        assert_eq!(smallest, own.fold(f64::INFINITY, f64::min));
    }
}

/// The corners of a pair that are of the first and of the second body.
fn corners_of(pair: &FeaturePair, of: [&Ready; 2]) -> [Vec<u32>; 2] {
    let face = |side: usize, t: u32| of[side].shape.triangles[t as usize].to_vec();
    match pair.features {
        Features::VertexFace(v, t) => [vec![v], face(1, t)],
        Features::FaceVertex(t, v) => [face(0, t), vec![v]],
        Features::EdgeEdge(e, f) => [e.to_vec(), f.to_vec()],
        Features::Start(_) => unreachable!(),
    }
}
