//! Host memory that is refused: every allocation that is sized by input is failed once, in every query, and each time the answer is an error.
//!
//! An allocation that nothing catches ends the process, and this program with it; the last line it printed names the query.

use fixtures::shapes;
use glam::Vec3;
use proxel::context::Context;
use proxel::context::culling::CullMethod;
use proxel::context::exact::DistanceRequest;
use proxel::context::hierarchies::{Arity, HierarchyOptions, TreeKind};
use proxel::context::tracking::Allowance;
use proxel::error::{Error, Result};
use proxel::geometry::comparators::tree::Update;
use proxel::geometry::continuous::impacts::MeetingRule;
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::tetrahedra::TetrahedralBody;
use proxel::geometry::time_critical::tracker::Tracking;
use proxel::geometry::topology::Vertices;
use proxel::gpu::device::Options;
use proxel::gpu::paths::Choices;
use proxel::gpu::physical::DeviceRequest;
use proxel::log::{Log, Severity};
use proxel::panics;
use proxel::query::ldi::LdiOptions;
use proxel::scene::mesh::MeshInput;
use proxel::scene::pose::Pose;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

/// What is smaller is not sized by the input of these tests.
const LARGE: usize = 48 << 10;

/// Large allocations until one fails; at zero or below none does.
static UNTIL: AtomicI64 = AtomicI64::new(0);

struct Failing;

fn fails(size: usize) -> bool {
    size >= LARGE && UNTIL.load(Ordering::Relaxed) > 0 && UNTIL.fetch_sub(1, Ordering::Relaxed) == 1
}

// SAFETY: the system's allocator does the work; null is an answer that it may give.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: by the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && fails(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: by the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: by the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Asks again and again, each time with another allocation that fails, until all have had their turn. Gives how many there were.
fn fail_each<T>(name: &str, mut ask: impl FnMut() -> Result<T>) -> i64 {
    println!("{name}");
    for nth in 1.. {
        UNTIL.store(nth, Ordering::Relaxed);
        // As the C boundary does.
        let outcome = panics::caught(&mut ask).and_then(|answer| answer);
        let left = UNTIL.swap(0, Ordering::Relaxed);
        match outcome {
            Ok(_) if left > 0 => return nth - 1,
            // The memory was not needed after all, or another thread's failure was not its own.
            Ok(_) => {}
            Err(Error::OutOfHostMemory(_)) => assert!(left <= 0, "{name}: nothing failed"),
            Err(error) => panic!("{name}: {error}"),
        }
        assert!(nth < 500, "{name} allocates without end");
    }
    unreachable!("the loop returns");
}

fn open() -> Context {
    let options = Options {
        wanted: DeviceRequest::default(),
        choices: Choices::default(),
        validation: false,
        pipeline_cache: Vec::new(),
        filter_steps: 0,
        log: Log::new(Severity::Error, |_, text| eprintln!("{text}")),
    };
    Context::open(options, 2).expect("these tests need a Vulkan device: run scripts/setup")
}

fn input(shape: &shapes::Shape) -> MeshInput {
    MeshInput {
        label: "shape".into(),
        triangles: shape.triangles.clone(),
        vertices: shape.positions.len() as u32,
        positions: Some(shape.positions.clone()),
        engine: None,
        deforming: true,
    }
}

#[test]
fn no_refused_allocation_ends_the_host() {
    let context = open();
    let shape = shapes::torus(1.0, 0.4, 120, 60);
    let aside = shape.clone().map(|p| p + Vec3::new(0.9, 0.3, 0.2));
    let mut refusals = 0;
    // A mesh of its own for each, so that its hierarchy is built in the query.
    let fresh = || {
        let one = context.create_mesh(input(&shape)).unwrap();
        (one, context.create_mesh(input(&aside)).unwrap())
    };
    let still = Pose::default();
    let mut made = input(&shape);
    refusals += fail_each("create", || {
        let again = input(&shape);
        context.create_mesh(std::mem::replace(&mut made, again))
    });
    for (name, vertices) in [
        ("indexed", Vertices::AsIndexed),
        ("welded", Vertices::Welded),
    ] {
        let (a, _) = fresh();
        refusals += fail_each(name, || context.mesh_facts(a, vertices));
    }
    let (a, b) = fresh();
    let request = DistanceRequest::Distance(DistanceOptions::default());
    refusals += fail_each("distance", || {
        context.distance((a, still), (b, still), &request)
    });
    for (name, request) in [
        ("bounds", DistanceRequest::Bounds),
        (
            "margin hash",
            DistanceRequest::ByMarginHash(DistanceOptions::default()),
        ),
    ] {
        refusals += fail_each(name, || context.distance((a, still), (b, still), &request));
    }
    let many = vec![([(a, still), (b, still)], request); 2000];
    refusals += fail_each("distances", || context.distances(&many));
    for (name, within) in [("pairs", 0.0), ("near pairs", 0.05)] {
        let (a, b) = fresh();
        refusals += fail_each(name, || {
            context.pairs((a, still), (b, still), within, u64::MAX)
        });
    }
    let (a, b) = fresh();
    refusals += fail_each("self", || context.self_pairs(a, u64::MAX));
    let rule = MeetingRule {
        separation: 0.01,
        start: true,
    };
    let (c, _) = fresh();
    refusals += fail_each("sweep", || context.sweep([a, b], [c, c], None));
    refusals += fail_each("impacts", || context.impacts([a, b], [c, c], rule));
    refusals += fail_each("impacts of itself", || {
        context.impacts_of_itself([a, b], rule)
    });
    let (a, b) = fresh();
    let away = Pose {
        position: Vec3::X * 4.0,
        ..still
    };
    refusals += fail_each("screw", || {
        context.sweep_poses((a, [still, still]), (b, [away, still]), None)
    });
    let tetrahedra: Vec<[u32; 4]> = (0..8000)
        .map(|i| [i % 900, i % 901, i % 902, i % 903])
        .collect();
    let body = TetrahedralBody {
        positions: &shape.positions,
        tetrahedra: &tetrahedra,
    };
    refusals += fail_each("tetrahedra", || {
        context.vertices_inside(&[body, body], u64::MAX)
    });
    let (a, b) = fresh();
    let budget = Allowance {
        microseconds: f64::INFINITY,
        steps: 10_000,
    };
    refusals += fail_each("chance", || {
        context.collision_chance((a, still), (b, still), 2.0, budget)
    });
    let tracking = Tracking {
        pairs: 64,
        fresh: 16,
        within: f64::INFINITY,
    };
    refusals += fail_each("tracker", || {
        let tracker = context.create_tracker([a, b], tracking, 1)?;
        let step = context.track(tracker, [still; 2], budget);
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
                    .and_then(|()| context.hierarchy_pairs(one, other, u64::MAX));
                context.destroy_hierarchy(other).and(found)
            });
            context.destroy_hierarchy(one).and(found)
        });
    }
    let scene = context.create_scene().unwrap();
    let small = context
        .create_mesh(input(&shapes::cuboid(Vec3::ONE, 1)))
        .unwrap();
    let objects: Vec<u64> = (0..3000)
        .map(|i| {
            let at = Vec3::new((i % 60) as f32 * 1.5, (i / 60) as f32 * 1.5, 0.0);
            let pose = Pose {
                position: at,
                ..still
            };
            context.add_object(scene, small, pose).unwrap()
        })
        .collect();
    let poses = vec![still; objects.len()];
    refusals += fail_each("objects", || context.object_pairs(scene, 0.1, u64::MAX));
    refusals += fail_each("scene", || context.scene_pairs(scene, 0.0, u64::MAX));
    refusals += fail_each("colliding", || {
        context.colliding_objects(scene, 0.0, CullMethod::Hierarchy)
    });
    refusals += fail_each("every object", || {
        context.colliding_objects(scene, 0.0, CullMethod::Nothing)
    });
    refusals += fail_each("move", || context.move_objects(scene, &objects, &poses));
    let (a, b) = fresh();
    let points: Vec<Vec3> = shape.positions.iter().map(|p| *p * 1.01).collect();
    let rays = LdiOptions::default();
    refusals += fail_each("contains", || {
        context.contains((a, still), &points, rays, true)
    });
    refusals += fail_each("volume", || context.volume((a, still), (b, still), rays));
    refusals += fail_each("gradients", || {
        context.volume_gradients((a, still), (b, still), rays)
    });
    println!("{refusals} refusals");
    assert!(refusals > 200, "only {refusals}: the allocator is not used");
}
