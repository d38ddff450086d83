//! Meshes, distances and pairs, near lists, motions, budgets and hierarchies: what the host answers alone.

use crate::failing::{fail_each, fail_each_of};
use crate::{Bodies, STILL, input};
use glam::Vec3;
use proxel::context::Context;
use proxel::context::comparators::hierarchies::{Arity, HierarchyOptions, TreeKind};
use proxel::context::exact::DistanceRequest;
use proxel::context::tracking::{Allowance, TrackerPlan};
use proxel::error::Result;
use proxel::geometry::comparators::tree::Update;
use proxel::geometry::continuous::impacts::MeetingRule;
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::time_critical::tracker::Tracking;
use proxel::geometry::topology::Vertices;
use proxel::query::near::{NearRequest, NearSide};
use proxel::query::tetrahedra::TetrahedraCopy;
use proxel::scene::pose::Pose;

pub fn meshes(bodies: &Bodies) -> i64 {
    let Bodies { context, shape, .. } = bodies;
    let give = || input(shape);
    let mut refusals = fail_each_of("create", give, |made| context.create_mesh(made));
    for (name, vertices) in [
        ("indexed", Vertices::AsIndexed),
        ("welded", Vertices::Welded),
    ] {
        let (a, _) = bodies.fresh();
        refusals += fail_each(name, || context.mesh_facts(a, vertices));
    }
    let tetrahedra: Vec<[u32; 4]> = (0..8000)
        .map(|i| [i % 900, i % 901, i % 902, i % 903])
        .collect();
    let body = || TetrahedraCopy {
        positions: shape.positions.clone(),
        tetrahedra: tetrahedra.clone(),
    };
    let two = || vec![body(), body()];
    refusals
        + fail_each_of("tetrahedra", two, |bodies| {
            context.vertices_inside(bodies, u64::MAX)
        })
}

pub fn distances_and_pairs(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let request = DistanceRequest::Distance(DistanceOptions::default());
    let hashed = DistanceRequest::ByMarginHash(DistanceOptions::default());
    let mut refusals = 0;
    for (name, request) in [
        ("distance", request),
        ("bounds", DistanceRequest::Bounds),
        ("margin hash", hashed),
    ] {
        refusals += fail_each(name, || context.distance((a, STILL), (b, STILL), &request));
    }
    let many = vec![([(a, STILL), (b, STILL)], request); 2000];
    refusals += fail_each("distances", || context.distances(&many));
    for (name, within) in [("pairs", 0.0), ("pairs within", 0.05)] {
        let (a, b) = bodies.fresh();
        refusals += fail_each(name, || {
            context.pairs((a, STILL), (b, STILL), within, u64::MAX)
        });
    }
    let (a, _) = bodies.fresh();
    refusals += fail_each("self", || context.self_pairs(a, u64::MAX));
    let (a, b) = bodies.fresh();
    refusals + fail_each("pairs in a batch", || pairs_in_a_batch(context, [a, b]))
}

fn pairs_in_a_batch(context: &Context, [a, b]: [u64; 2]) -> Result<()> {
    let batch = context.create_batch()?;
    let pairs = context.plan_pairs((a, STILL), (b, STILL), 0.05, u64::MAX)?;
    let (pairs, itself) = (
        batch.add_exact(pairs)?,
        batch.add_exact(context.plan_self_pairs(a, u64::MAX)?)?,
    );
    // SAFETY: no semaphores are passed, and no engine's buffers are read.
    unsafe { batch.submit(&[], &[]) }?;
    batch.wait(u64::MAX)?;
    // One of them may have its answer where the other has none.
    let answers = (batch.exact_answer(pairs), batch.exact_answer(itself));
    answers.0.map(drop).and(answers.1.map(drop))
}

pub fn near_lists(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let request = NearRequest {
        thickness: 0.05,
        mark_repeats: true,
        ..NearRequest::default()
    };
    let of_itself = NearRequest {
        rings: 2,
        ..request.clone()
    };
    let pair = [(a, STILL), (b, STILL)];
    let two = || context.near_bodies(pair, request.clone()).unwrap();
    let mut refusals = fail_each_of("near", two, |two| context.near_pairs(two, u64::MAX));
    refusals += fail_each_of("safe distances", two, |two| {
        context.safe_distances(two, 0.001)
    });
    let (a, rest) = bodies.fresh();
    let one = |rest| {
        let request = of_itself.clone();
        context.near_body(a, rest, request).unwrap()
    };
    let resting = || one(Some(rest));
    refusals += fail_each_of("near itself", resting, |one| {
        context.near_pairs(one, u64::MAX)
    });
    let alone = || one(None);
    refusals += fail_each_of("safe distances of itself", alone, |one| {
        context.safe_distances(one, 0.001)
    });
    let list = context.near_pairs(two(), u64::MAX).unwrap();
    let list: Vec<_> = list.iter().map(|p| (p.features, p.distance)).collect();
    assert!(list.len() > 1000);
    refusals
        + fail_each("by vertex", || {
            context.near_per_vertex(a, NearSide::A, &list)
        })
}

pub fn motions(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let rule = MeetingRule {
        separation: 0.01,
        start: true,
    };
    let moved = |way| {
        let shape = bodies.shape.clone().map(|p| p + way);
        context.create_mesh(input(&shape)).unwrap()
    };
    // Reached on the way from `a` to `b`.
    let [a, b, c] = [0.0, 0.05, 2.82].map(|x| moved(Vec3::X * x));
    let mut refusals = fail_each("sweep", || context.sweep([a, b], [c, c], None));
    refusals += fail_each("sweep of itself", || context.sweep_self([a, b], None));
    refusals += fail_each("impacts", || context.impacts([a, b], [c, c], rule));
    refusals += fail_each("impacts of itself", || {
        context.impacts_of_itself([a, b], rule)
    });
    let (a, b) = bodies.fresh();
    let away = Pose {
        position: Vec3::X * 4.0,
        ..STILL
    };
    refusals
        + fail_each("screw", || {
            context.sweep_poses((a, [STILL, STILL]), (b, [away, STILL]), None)
        })
}

pub fn budgets_and_hierarchies(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let budget = Allowance {
        microseconds: f64::INFINITY,
        steps: 10_000,
    };
    let mut refusals = fail_each("chance", || {
        context.collision_chance((a, STILL), (b, STILL), 2.0, budget)
    });
    let plan = TrackerPlan {
        tracking: Tracking {
            pairs: 64,
            fresh: 16,
            within: f64::INFINITY,
            colliding: 0.0,
        },
        levels: 4,
        itself: false,
        seed: 1,
    };
    refusals += fail_each("tracker", || {
        let tracker = context.create_tracker([a, b], plan)?;
        let step = context.track(tracker, [STILL; 2], budget);
        context.destroy_tracker(tracker)?;
        step
    });
    for kind in [TreeKind::Boxes(Arity::Eight), TreeKind::Dops(Arity::Two)] {
        let choice = HierarchyOptions {
            kind,
            update: Update::BottomUp,
            margin: 0.01,
            rebuild_above: 2.0,
        };
        refusals += fail_each("hierarchies", || {
            let (one, other) = (
                context.create_hierarchy(a, choice)?,
                context.create_hierarchy(b, choice),
            );
            let found = other.and_then(|other| {
                let found = context
                    .update_hierarchy(one)
                    .and_then(|_| context.set_targets(one, &[a, b]))
                    .and_then(|()| context.blend_hierarchy(one, &[0.5, 0.5]))
                    .and_then(|()| context.hierarchy_pairs((one, STILL), (other, STILL), u64::MAX));
                context.destroy_hierarchy(other).and(found)
            });
            context.destroy_hierarchy(one).and(found)
        });
    }
    refusals
}
