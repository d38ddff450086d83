use super::*;
use crate::geometry::comparators::dop::Dop18;
use crate::geometry::random::Random;
use crate::geometry::surface::AsSurface;
use fixtures::shapes::{self, Shape};
use glam::{DAffine3, DQuat};

/// All pairs, by looking at all of them.
fn brute(a: &Shape, b: &Shape) -> Vec<[u32; 2]> {
    let (a, b) = (a.surface(), b.surface());
    let mut pairs = Vec::new();
    for s in 0..a.triangles.len() as u32 {
        for t in 0..b.triangles.len() as u32 {
            if triangles_intersect(&a.corners_f64(s), &b.corners_f64(t)) {
                pairs.push([s, t]);
            }
        }
    }
    pairs
}

fn bent(shape: &Shape, amount: f32) -> Shape {
    shape.clone().map(|p| {
        let (sine, cosine) = (amount * p.z).sin_cos();
        Vec3::new(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y, p.z)
    })
}

/// A torus that bends more and more through a sphere, and what meets each time.
struct Bending {
    torus: Shape,
    sphere: Shape,
    moments: Vec<(Shape, Vec<[u32; 2]>)>,
}

impl Bending {
    fn new() -> Self {
        let torus = shapes::torus(1.2, 0.4, 26, 13);
        let sphere = shapes::sphere(1.0, 22, 15).map(|p| p + Vec3::new(0.9, 0.2, 0.1));
        let moments = (0..6)
            .map(|k| {
                let bent = bent(&torus, 0.2 * k as f32);
                let pairs = brute(&bent, &sphere);
                assert!(!pairs.is_empty());
                (bent, pairs)
            })
            .collect();
        Self {
            torus,
            sphere,
            moments,
        }
    }

    fn check<V: BoundingVolume, const ARITY: usize>(&self, update: Update, margin: f32) {
        let mut bending = Tree::<V, ARITY>::build(&self.torus.surface(), margin);
        let still = Tree::<V, ARITY>::build(&self.sphere.surface(), margin);
        for (shape, expected) in &self.moments {
            bending.update(&shape.surface(), update);
            let found = crossing_pairs(
                (&bending, &shape.surface()),
                (&still, &self.sphere.surface()),
                &Placement::default(),
                usize::MAX,
            );
            let found = found.expect("there is room");
            assert_eq!(
                &found, expected,
                "{ARITY} children, {update:?}, margin {margin}"
            );
        }
    }
}

#[test]
fn every_tree_and_every_update_finds_every_pair() {
    let bending = Bending::new();
    for update in [Update::BottomUp, Update::TopDown, Update::Hybrid] {
        for margin in [0.0, 0.15] {
            bending.check::<Aabb, 2>(update, margin);
            bending.check::<Aabb, 4>(update, margin);
            bending.check::<Aabb, 8>(update, margin);
            bending.check::<Dop18, 2>(update, margin);
            bending.check::<Dop18, 4>(update, margin);
            bending.check::<Dop18, 8>(update, margin);
        }
    }
}

#[test]
fn a_margin_saves_updates_until_a_vertex_leaves_it() {
    let torus = shapes::torus(1.2, 0.4, 26, 13);
    let mut tree = Tree::<Aabb, 4>::build(&torus.surface(), 0.1);
    let moved = |by: f32| torus.clone().map(|p| p + Vec3::new(by, 0.0, 0.0));
    assert!(!tree.update(&moved(0.05).surface(), Update::BottomUp));
    assert!(!tree.update(&moved(0.09).surface(), Update::BottomUp));
    assert!(tree.update(&moved(0.11).surface(), Update::BottomUp));
    assert!(!tree.update(&moved(0.2).surface(), Update::BottomUp));
}

/// Volumes are found when a query comes to them, here with the vertices at one end of the margin; the next query has them at the other end.
#[test]
fn volumes_found_at_one_end_of_the_margin_hold_the_other() {
    let torus = shapes::torus(1.2, 0.4, 26, 13);
    let moved = |by: f32| torus.clone().map(|p| p + Vec3::new(by, 0.0, 0.0));
    let sphere = shapes::sphere(1.0, 22, 15).map(|p| p - Vec3::new(2.7, 0.0, 0.0));
    let stands = sphere.surface();
    let still = Tree::<Aabb, 4>::build(&stands, 0.0);
    for update in [Update::TopDown, Update::Hybrid] {
        let mut tree = Tree::<Aabb, 4>::build(&moved(9.0).surface(), 0.15);
        assert!(tree.update(&torus.surface(), update));
        let mut ask = |shape: Shape| {
            let surface = shape.surface();
            assert!(!tree.update(&surface, update));
            let (first, second) = ((&tree, &surface), (&still, &stands));
            let found = crossing_pairs(first, second, &Placement::default(), usize::MAX);
            assert_eq!(found.expect("there is room"), brute(&shape, &sphere));
        };
        ask(moved(0.14));
        assert!(!brute(&moved(-0.14), &sphere).is_empty());
        ask(moved(-0.14));
    }
}

#[test]
fn a_shuffled_mesh_decays_and_a_moved_one_does_not() {
    let sphere = shapes::sphere(1.0, 30, 20);
    let mut tree = Tree::<Dop18, 2>::build(&sphere.surface(), 0.0);
    assert!((tree.decay() - 1.0).abs() < 1e-9);
    let moved = sphere.clone().map(|p| p + Vec3::ONE);
    tree.update(&moved.surface(), Update::BottomUp);
    assert!((tree.decay() - 1.0).abs() < 1e-3);
    let mut random = Random::new(2);
    let mut shuffled = sphere;
    for k in (1..shuffled.positions.len()).rev() {
        let other = random.below(k + 1);
        shuffled.positions.swap(k, other);
    }
    tree.update(&shuffled.surface(), Update::BottomUp);
    assert!(tree.decay() > 3.0, "{}", tree.decay());
}

#[test]
fn empty_and_tiny_surfaces_have_trees() {
    for count in [0, 1, 4, 5, 9] {
        let mut shape = shapes::sphere(1.0, 8, 6);
        shape.triangles.truncate(count);
        let [tree, other] = [(); 2].map(|()| {
            let mut tree = Tree::<Aabb, 8>::build(&shape.surface(), 0.0);
            tree.update(&shape.surface(), Update::Hybrid);
            tree
        });
        let found = crossing_pairs(
            (&tree, &shape.surface()),
            (&other, &shape.surface()),
            &Placement::default(),
            usize::MAX,
        )
        .expect("there is room");
        assert_eq!(found, brute(&shape, &shape));
    }
}

fn check_poses<V: BoundingVolume, const ARITY: usize>(update: Update) {
    let (a, b) = (shapes::torus(1.2, 0.4, 26, 13), shapes::sphere(1.0, 22, 15));
    let mut trees = [&a, &b].map(|shape| Tree::<V, ARITY>::build(&shape.surface(), 0.0));
    let mut random = Random::new(6);
    let mut some = 0;
    for _ in 0..12 {
        let axis = random.in_cube().normalize();
        let turn = DQuat::from_axis_angle(axis, 3.0 * random.signed());
        let motion = DAffine3::from_rotation_translation(turn, 1.5 * random.in_cube());
        let placement = Placement::new(motion);
        for (tree, shape) in trees.iter_mut().zip([&a, &b]) {
            tree.update(&shape.surface(), update);
        }
        let mut truth = Vec::new();
        for s in 0..a.triangles.len() as u32 {
            for t in 0..b.triangles.len() as u32 {
                // Moved here, and not by what is tested.
                let there = b
                    .surface()
                    .corners_f64(t)
                    .map(|p| motion.transform_point3(p));
                if triangles_intersect(&a.surface().corners_f64(s), &there) {
                    truth.push([s, t]);
                }
            }
        }
        some += truth.len();
        let [first, second] = &trees;
        let (one, two) = ((first, &a.surface()), (second, &b.surface()));
        assert_eq!(
            crossing_pairs(one, two, &placement, usize::MAX).unwrap(),
            truth
        );
        let few = crossing_pairs(one, two, &placement, truth.len().saturating_sub(1));
        assert_eq!(few.is_err(), !truth.is_empty());
    }
    assert!(some > 500, "{some}");
}

#[test]
fn trees_under_poses_find_every_pair() {
    check_poses::<Aabb, 2>(Update::BottomUp);
    check_poses::<Aabb, 8>(Update::TopDown);
    check_poses::<Dop18, 2>(Update::Hybrid);
    check_poses::<Dop18, 4>(Update::TopDown);
}

#[test]
fn any_number_of_threads_gives_the_same_pairs_and_volumes() {
    let (a, b) = (shapes::torus(1.2, 0.4, 60, 30), shapes::sphere(1.0, 60, 30));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let [mut first, second] =
                [&a, &b].map(|shape| Tree::<Dop18, 4>::build(&shape.surface(), 0.0));
            let moved = a.clone().map(|p| p + Vec3::new(0.3, 0.1, 0.0));
            first.update(&moved.surface(), Update::Hybrid);
            let (one, two) = ((&first, &moved.surface()), (&second, &b.surface()));
            let pairs = crossing_pairs(one, two, &Placement::default(), usize::MAX).unwrap();
            (pairs, first.known_volumes(), first.decay())
        })
    };
    let alone = run(1);
    assert!(alone.0.len() > 50);
    assert_eq!(alone, run(4));
}
