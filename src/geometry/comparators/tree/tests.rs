use super::*;
use crate::geometry::comparators::dop::Dop18;
use crate::geometry::random::Random;
use crate::geometry::surface::AsSurface;
use fixtures::shapes::{self, Shape};

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
        let mut still = Tree::<V, ARITY>::build(&self.sphere.surface(), margin);
        for (shape, expected) in &self.moments {
            bending.update(&shape.surface(), update);
            let found = crossing_pairs(
                (&mut bending, &shape.surface()),
                (&mut still, &self.sphere.surface()),
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
        let [mut tree, mut other] = [(); 2].map(|()| {
            let mut tree = Tree::<Aabb, 8>::build(&shape.surface(), 0.0);
            tree.update(&shape.surface(), Update::Hybrid);
            tree
        });
        let found = crossing_pairs(
            (&mut tree, &shape.surface()),
            (&mut other, &shape.surface()),
            usize::MAX,
        )
        .expect("there is room");
        assert_eq!(found, brute(&shape, &shape));
    }
}
