//! What is left out, against its definition.

use super::brute_force::BruteForce;
use super::*;
use crate::geometry::random::Random;
use crate::geometry::topology::edges::{Edges, VertexNeighbours};
use fixtures::shapes;

/// How many edges lead from a vertex to others, from the definition: rows of distances that shrink until nothing changes.
fn edge_distances(shape: &Shape) -> Vec<Vec<u32>> {
    let count = shape.positions.len();
    let mut steps = vec![vec![u32::MAX / 4; count]; count];
    for [u, v] in BruteForce::edges(shape) {
        steps[u as usize][v as usize] = 1;
        steps[v as usize][u as usize] = 1;
    }
    (0..count).for_each(|v| steps[v][v] = 0);
    for via in 0..count {
        for u in 0..count {
            for v in 0..count {
                steps[u][v] = steps[u][v].min(steps[u][via] + steps[via][v]);
            }
        }
    }
    steps
}

/// Whether a pair with these corners is left out.
type Excluding<'a> = dyn Fn(&[u32], &[u32], &FeaturePair) -> bool + 'a;

#[test]
fn rings_rest_groups_and_lists_take_away_what_they_name_and_no_more() {
    let mut random = Random::new(93);
    for round in 0..40 {
        let mut shape = match round % 2 {
            0 => shapes::torus(1.0, 0.4, 10, 7),
            _ => shapes::sphere(1.0, 9, 7),
        };
        let rest = shape.positions.clone();
        for p in &mut shape.positions {
            *p += random.in_cube_f32() * 0.2;
        }
        let steps = edge_distances(&shape);
        let ready = Ready::new(shape);
        let rule = plain(0.3 + 0.3 * random.unit());
        let all = near_pairs_of_itself(ready.body(), &rule, u64::MAX).unwrap();
        let ask = |exclusions: Exclusions| {
            let rule = NearRule { exclusions, ..rule };
            let found = near_pairs_of_itself(ready.body(), &rule, u64::MAX).unwrap();
            found.iter().map(|p| p.features).collect::<Vec<_>>()
        };
        let without = |gone: &Excluding| -> Vec<Features> {
            let stays = |p: &&FeaturePair| match p.features {
                Features::VertexFace(v, t) => !gone(&[v], &ready.shape.triangles[t as usize], p),
                Features::EdgeEdge(e, f) => !gone(&e, &f, p),
                _ => unreachable!(),
            };
            all.iter().filter(stays).map(|p| p.features).collect()
        };

        let edges = Edges::new(&ready.shape.triangles, ready.shape.positions.len());
        let neighbours = VertexNeighbours::new(&edges, ready.shape.positions.len());
        for rings in 1..4 {
            let near = |a: &[u32], b: &[u32], _: &FeaturePair| {
                let joined = |u: &u32| b.iter().any(|&v| steps[*u as usize][v as usize] <= rings);
                a.iter().any(joined)
            };
            let found = ask(Exclusions {
                rings: Some((rings, &neighbours)),
                ..Exclusions::default()
            });
            assert_eq!(found, without(&near));
        }

        let resting = Ready::new(Shape {
            positions: rest.clone(),
            triangles: ready.shape.triangles.clone(),
        });
        let there = near_pairs_of_itself(resting.body(), &rule, u64::MAX).unwrap();
        let found = ask(Exclusions {
            rest: Some((&rest).into()),
            ..Exclusions::default()
        });
        let near_there = |p: &FeaturePair| there.iter().any(|q| q.features == p.features);
        assert_eq!(found, without(&|_, _, p| near_there(p)));

        let groups: Vec<u32> = (0..rest.len()).map(|_| random.below(16) as u32).collect();
        let common = |a: &[u32], b: &[u32], _: &FeaturePair| {
            let both = a.iter().chain(b).map(|&v| groups[v as usize]);
            both.fold(u32::MAX, |bits, own| bits & own) != 0
        };
        let found = ask(Exclusions {
            groups: [Some(&groups), Some(&groups)],
            ..Exclusions::default()
        });
        assert_eq!(found, without(&common));

        let listed: Vec<Features> = all.iter().step_by(3).map(|p| p.features).collect();
        let found = ask(Exclusions {
            listed: &listed,
            ..Exclusions::default()
        });
        assert_eq!(found, without(&|_, _, p| listed.contains(&p.features)));
    }
}
