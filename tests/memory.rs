//! Host memory that is refused: every allocation that is sized by input is failed once, in meshes, distances and pairs, near
//! lists, budgets and hierarchies, and volumes, and each time the answer is an error. Other queries have allocations left that end the process.
//!
//! An allocation that nothing catches ends the process, and this program with it; the last line it printed names the query.

use fixtures::shapes;
use glam::{Quat, Vec3};
use proxel::context::Context;
use proxel::context::comparators::hierarchies::{Arity, HierarchyOptions, TreeKind};
use proxel::context::exact::DistanceRequest;
use proxel::context::tracking::Allowance;
use proxel::error::{Error, Result};
use proxel::geometry::comparators::tree::Update;
use proxel::geometry::distance::DistanceOptions;
use proxel::geometry::tetrahedra::TetrahedralBody;
use proxel::geometry::time_critical::tracker::Tracking;
use proxel::geometry::topology::Vertices;
use proxel::gpu::device::{Options, Trial};
use proxel::gpu::paths::Choices;
use proxel::gpu::physical::DeviceRequest;
use proxel::log::{Log, Severity};
use proxel::panics;
use proxel::query::gradients::GradientsQuery;
use proxel::query::ldi::LdiOptions;
use proxel::query::near::{NearRequest, NearSide};
use proxel::query::volume::VolumeQuery;
use proxel::scene::mesh::MeshInput;
use proxel::scene::pose::Pose;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

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
    fail_each_of(name, || (), |()| ask())
}

/// The same for what takes something over, which `give` makes before any allocation fails.
fn fail_each_of<P, T>(
    name: &str,
    mut give: impl FnMut() -> P,
    mut ask: impl FnMut(P) -> Result<T>,
) -> i64 {
    println!("{name}");
    for nth in 1.. {
        let given = give();
        UNTIL.store(nth, Ordering::Relaxed);
        // As the C boundary does.
        let outcome = panics::caught(|| ask(given)).and_then(|answer| answer);
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
        trial: Trial::default(),
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

const STILL: Pose = Pose {
    position: Vec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
};

/// Two bodies that cross each other, and where they live.
struct Bodies {
    context: Context,
    shape: shapes::Shape,
    aside: shapes::Shape,
}

impl Bodies {
    /// Meshes of their own for a query, so that their hierarchies are built in it.
    fn fresh(&self) -> (u64, u64) {
        let mesh = |shape| self.context.create_mesh(input(shape)).unwrap();
        (mesh(&self.shape), mesh(&self.aside))
    }
}

fn meshes(bodies: &Bodies) -> i64 {
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
    let body = TetrahedralBody {
        positions: &shape.positions,
        tetrahedra: &tetrahedra,
    };
    refusals
        + fail_each("tetrahedra", || {
            context.vertices_inside(&[body, body], u64::MAX)
        })
}

fn distances_and_pairs(bodies: &Bodies) -> i64 {
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
    refusals + fail_each("self", || context.self_pairs(a, u64::MAX))
}

fn near_lists(bodies: &Bodies) -> i64 {
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
    let mut refusals = fail_each("near", || {
        context.near_pairs(pair[0], pair[1], &request, u64::MAX)
    });
    refusals += fail_each("safe distances", || {
        context.safe_distances(pair, &request, 0.001)
    });
    let (a, rest) = bodies.fresh();
    refusals += fail_each("near itself", || {
        context.near_pairs_self(a, &of_itself, Some(rest), u64::MAX)
    });
    refusals += fail_each("safe distances of itself", || {
        context.safe_distances_self(a, &of_itself, None, 0.001)
    });
    let list = context
        .near_pairs(pair[0], pair[1], &request, u64::MAX)
        .unwrap();
    let list: Vec<_> = list.iter().map(|p| (p.features, p.distance)).collect();
    assert!(list.len() > 1000);
    refusals
        + fail_each("by vertex", || {
            context.near_per_vertex(a, NearSide::A, &list)
        })
}

fn budgets_and_hierarchies(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let budget = Allowance {
        microseconds: f64::INFINITY,
        steps: 10_000,
    };
    let mut refusals = fail_each("chance", || {
        context.collision_chance((a, STILL), (b, STILL), 2.0, budget)
    });
    let tracking = Tracking {
        pairs: 64,
        fresh: 16,
        within: f64::INFINITY,
    };
    refusals += fail_each("tracker", || {
        let tracker = context.create_tracker([a, b], tracking, 1)?;
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
                    .and_then(|()| context.hierarchy_pairs(one, other, u64::MAX));
                context.destroy_hierarchy(other).and(found)
            });
            context.destroy_hierarchy(one).and(found)
        });
    }
    refusals
}

fn volumes(bodies: &Bodies) -> i64 {
    let Bodies { context, shape, .. } = bodies;
    let (a, b) = bodies.fresh();
    let points: Vec<Vec3> = shape.positions.iter().map(|p| *p * 1.01).collect();
    let rays = LdiOptions::default();
    let mut refusals = fail_each("contains", || {
        context.contains((a, STILL), &points, rays, true)
    });
    let placed = || Ok::<_, Error>([(context.mesh(a)?, STILL), (context.mesh(b)?, STILL)]);
    refusals += fail_each("volume", || {
        let [a, b] = placed()?;
        context.ask(VolumeQuery::plan(context.resources(), a, b, rays)?)
    });
    refusals
        + fail_each("gradients", || {
            let [a, b] = placed()?;
            context.ask(GradientsQuery::plan(context.resources(), a, b, rays)?)
        })
}

/// Allocations fail for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The query, by its topic, is refused at least so many times, and never ends the process.
fn check(topic: fn(&Bodies) -> i64, least: i64) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let shape = shapes::torus(1.0, 0.4, 120, 60);
    let refusals = topic(&Bodies {
        context: open(),
        aside: shape.clone().map(|p| p + Vec3::new(0.9, 0.3, 0.2)),
        shape,
    });
    println!("{refusals} refusals");
    assert!(
        refusals >= least,
        "only {refusals}: the allocator is not used"
    );
}

#[test]
fn meshes_without_memory_are_refused() {
    check(meshes, 20);
}

#[test]
fn distances_and_pairs_without_memory_are_refused() {
    check(distances_and_pairs, 20);
}

#[test]
fn near_lists_without_memory_are_refused() {
    check(near_lists, 20);
}

#[test]
fn budgets_and_hierarchies_without_memory_are_refused() {
    check(budgets_and_hierarchies, 20);
}

#[test]
fn volumes_without_memory_are_refused() {
    check(volumes, 3);
}
