//! When exact queries read the positions of an engine's buffer: in every submission, or once where nothing moves.

use crate::pair_search::{Twins, finish, standing};
use crate::support::{Checked, input};
use fixtures::shapes;
use glam::Vec3;
use proxel::context::Context;
use proxel::query::batch::{Batch, Ticket};
use proxel::query::pairs::PairsQuery;
use proxel::scene::mesh::Mesh;
use proxel::scene::pose::Pose;
use std::sync::Arc;

fn ask(batch: &Batch, a: &Arc<Mesh>, b: &Arc<Mesh>) -> Ticket<PairsQuery> {
    let bodies = [a, b].map(|mesh| standing(mesh, Pose::default()));
    let query = PairsQuery::plan(bodies, 0.0, u64::MAX).unwrap();
    batch.add_exact(query).unwrap()
}

fn ball(context: &Context) -> Arc<Mesh> {
    let shape = shapes::sphere(0.9, 24, 12).map(|p| p + Vec3::X * 1.4);
    context
        .mesh(context.create_mesh(input(&shape)).unwrap())
        .unwrap()
}

#[test]
fn positions_that_stand_still_are_read_once() {
    let checked = Checked::open();
    let context = &checked.context;
    let knot = shapes::knot(0.3, 60, 12);
    let (mut twins, ball) = (Twins::of(context, &knot, false), ball(context));
    let batch = context.create_batch().unwrap();
    let ticket = ask(&batch, &twins.theirs, &ball);
    finish(&batch);
    let same = context.create_batch().unwrap();
    let on_host = ask(&same, &twins.ours, &ball);
    finish(&same);
    let pairs = same.exact_answer(on_host).unwrap();
    assert!(pairs.len() > 10);
    assert_eq!(batch.exact_answer(ticket).unwrap(), pairs);
    // The engine promised not to, so nobody looks: neither this batch nor another.
    twins.write(&vec![Vec3::ZERO; knot.positions.len()]);
    let before = context.device().counts();
    for _ in 0..3 {
        finish(&batch);
        assert_eq!(batch.exact_answer(ticket).unwrap(), pairs);
    }
    let other = context.create_batch().unwrap();
    let again = ask(&other, &twins.theirs, &ball);
    finish(&other);
    assert_eq!(other.exact_answer(again).unwrap(), pairs);
    assert_eq!(context.device().counts().since(before).dispatches, 0);
}

#[test]
fn positions_that_move_are_read_by_the_commands_of_the_first_submission() {
    let checked = Checked::open();
    let context = &checked.context;
    let knot = shapes::knot(0.3, 60, 12);
    let (mut twins, ball) = (Twins::new(context, &knot), ball(context));
    let batch = context.create_batch().unwrap();
    let ticket = ask(&batch, &twins.theirs, &ball);
    finish(&batch);
    // Uploads of the ball go with the first; the second is recorded without.
    finish(&batch);
    let before = context.device().counts();
    let mut seen = Vec::new();
    for frame in 0..100 {
        let by = Vec3::new(0.0, (0.2 * frame as f32).sin(), 0.03 * frame as f32);
        let moved: Vec<Vec3> = knot.positions.iter().map(|p| *p + by).collect();
        twins.write(&moved);
        finish(&batch);
        seen.push((moved, batch.exact_answer(ticket).unwrap()));
    }
    assert_eq!(context.device().counts().since(before).dispatches, 0);
    assert!(seen.iter().map(|(_, pairs)| pairs.len()).sum::<usize>() > 100);
    for (positions, pairs) in seen.into_iter().step_by(9) {
        let triangles = knot.triangles.clone();
        let fresh = context.create_mesh(input(&shapes::Shape {
            positions,
            triangles,
        }));
        let fresh = context.mesh(fresh.unwrap()).unwrap();
        let bodies = [&fresh, &ball].map(|mesh| standing(mesh, Pose::default()));
        let query = PairsQuery::plan(bodies, 0.0, u64::MAX).unwrap();
        assert_eq!(*pairs, context.ask_exact(&query).unwrap());
    }
}
