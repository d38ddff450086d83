//! Going by clusters finds the bits that reading every vertex finds, in every variant of the kernels.

use super::*;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::{Device, Options, Trial};
use crate::gpu::paths::{Choice, Choices, DeviceFeature};
use crate::gpu::physical::DeviceRequest;
use crate::gpu::recorder::ForeignBuffer;
use crate::gpu::staging::Staging;
use crate::log::{Log, Severity};
use crate::scene::mesh::{EnginePositions, MeshInput, PreparedMesh};
use fixtures::shapes::{self, Shape};
use glam::Quat;

/// Where the engine keeps positions: off the alignment, and not packed.
const ENGINE_OFFSET: u64 = 8;
const ENGINE_STRIDE: u64 = 20;

fn open(subgroups: Choice) -> Arc<Device> {
    let mut choices = Choices::default();
    choices[DeviceFeature::Subgroups as usize] = subgroups;
    let log = Log::new(Severity::Warning, |_, text| panic!("not clean: {text}"));
    Device::open(&Options {
        wanted: DeviceRequest::default(),
        choices,
        beside: Choice::Off,
        validation: true,
        pipeline_cache: Vec::new(),
        trial: Trial::default(),
        log,
    })
    .expect("this test needs a Vulkan device and the validation layer: run scripts/setup")
}

fn mesh(
    device: &Arc<Device>,
    staging: &mut Staging,
    shape: &Shape,
    engine: Option<&Arc<Buffer>>,
) -> Arc<Mesh> {
    let input = MeshInput {
        label: "shape".into(),
        triangles: shape.triangles.clone(),
        vertices: shape.positions.len() as u32,
        positions: Some(shape.positions.clone().into()),
        engine: engine.map(|buffer| EnginePositions {
            buffer: ForeignBuffer(buffer.raw),
            offset: ENGINE_OFFSET,
            stride: ENGINE_STRIDE,
        }),
        deforming: false,
    };
    let prepared = PreparedMesh::new(input).unwrap();
    Arc::new(Mesh::new(device, staging, prepared).unwrap())
}

/// The positions in a buffer like an engine's; the rest of it is not a number.
fn engine_buffer(device: &Arc<Device>, staging: &mut Staging, shape: &Shape) -> Arc<Buffer> {
    let bytes = ENGINE_OFFSET + ENGINE_STRIDE * shape.positions.len() as u64;
    let buffer = Arc::new(Buffer::new(device, Role::Device, bytes, "engine").unwrap());
    staging
        .upload(device, &buffer, 0, bytes, |out| {
            out.fill(0xff);
            let vertices = out[ENGINE_OFFSET as usize..].chunks_exact_mut(ENGINE_STRIDE as usize);
            for (out, p) in vertices.zip(&shape.positions) {
                out[..12].copy_from_slice(bytemuck::bytes_of(p));
            }
        })
        .unwrap();
    buffer
}

fn shapes() -> Vec<Shape> {
    let flat = |p: Vec3| Vec3::new(p.x, p.y, 0.0);
    let mut triangle = shapes::cuboid(Vec3::ONE, 1);
    triangle.triangles = vec![[0, 1, 2]];
    triangle.positions.truncate(3);
    vec![
        triangle,
        shapes::sphere(1.0, 90, 70),
        shapes::torus(2.0, 0.5, 65, 33).map(|p| p + Vec3::new(1e4, -3.0, 0.0)),
        shapes::knot(0.2, 300, 30).map(|p| p * 1e6),
        shapes::knot(0.2, 100, 12).map(|p| p * 1e-36),
        shapes::cuboid(Vec3::new(1e-6, 3e-6, 2e-6), 20),
        shapes::cuboid(Vec3::ONE, 30).map(|p| p * 1e14),
        shapes::sphere(1.0, 40, 30).map(flat),
        shapes::sphere(1.0, 40, 30).map(|_| Vec3::splat(0.3)),
    ]
}

fn poses() -> Vec<Pose> {
    let turned = |position: Vec3, rotation: Quat| Pose {
        position,
        rotation,
        ..Pose::default()
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut poses = vec![
        Pose::default(),
        turned(Vec3::new(-0.0, 0.1, 1e15), Quat::IDENTITY),
        turned(Vec3::ZERO, Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
        turned(Vec3::ONE, Quat::from_xyzw(0.0, 0.0, half, half)),
        turned(Vec3::X, Quat::from_rotation_z(0.785)),
        turned(Vec3::ZERO, Quat::from_rotation_x(1e-7)),
    ];
    poses.extend((1..20).map(|i| {
        let t = i as f32;
        turned(
            Vec3::new(t, -0.3 * t * t, 1000.0 / t),
            Quat::from_rotation_y(0.7 * t) * Quat::from_rotation_x(1.3 * t),
        )
    }));
    poses
}

/// The words of both ways for each pose: reading every vertex, by clusters.
fn both_ways(
    device: &Arc<Device>,
    staging: &mut Staging,
    mesh: &Arc<Mesh>,
) -> Vec<(BoundsQuery, [[u32; WORDS]; 2])> {
    let queries: Vec<_> = poses()
        .into_iter()
        .flat_map(|pose| [false, true].map(|by_clusters| (pose, by_clusters)))
        .map(|(pose, by_clusters)| BoundsQuery {
            by_clusters,
            ..BoundsQuery::plan(mesh.clone(), pose).unwrap()
        })
        .collect();
    let bytes = RESULT_BYTES * queries.len() as u64;
    let results = Buffer::new(device, Role::Readback, bytes, "answers").unwrap();
    let mut recorder = Recorder::new(device).unwrap();
    recorder.begin().unwrap();
    staging.record(&mut recorder);
    recorder.fill(&results, 0, bytes, u32::MAX);
    let mut refits = Refits::new(device);
    refits.ask(mesh);
    refits.record(&mut recorder).unwrap();
    for step in [Step::Scan, Step::Certain, Step::Expand] {
        for (i, query) in queries.iter().enumerate() {
            if query.steps().contains(&step) {
                let (answers, at) = (Bound::whole(&results), (WORDS * i) as u32);
                query.record_at(step, answers, at, &mut recorder).unwrap();
            }
        }
        recorder.order();
    }
    recorder.hand_to_host();
    // SAFETY: no semaphores; everything recorded is alive until the wait is over.
    let moment = unsafe { recorder.submit(&[], &[]) }.unwrap();
    staging.submitted(moment);
    device.wait(moment, u64::MAX).unwrap();
    let words: Vec<[u32; WORDS]> = bytemuck::pod_collect_to_vec(&results.bytes()[..bytes as usize]);
    let pairs = words.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    queries.into_iter().step_by(2).zip(pairs).collect()
}

fn assert_holds(bounds: Bounds, shape: &Shape, pose: &Pose) {
    for p in &shape.positions {
        let world = pose.apply(p.as_dvec3());
        assert!(
            bounds.min.as_dvec3().cmple(world).all() && bounds.max.as_dvec3().cmpge(world).all(),
            "{world} is outside {bounds:?} under {pose:?}"
        );
    }
}

fn check(subgroups: Choice) {
    let device = open(subgroups);
    let mut staging = Staging::default();
    for (number, shape) in shapes().iter().enumerate() {
        let engine = engine_buffer(&device, &mut staging, shape);
        for engine in [None, Some(&engine)] {
            let mesh = mesh(&device, &mut staging, shape, engine);
            assert!(mesh.uses_every_vertex);
            for (query, [scanned, by_clusters]) in both_ways(&device, &mut staging, &mesh) {
                assert_eq!(
                    scanned.map(|w| format!("{w:08x}")),
                    by_clusters.map(|w| format!("{w:08x}")),
                    "shape {number}, engine's: {}, {:?}",
                    engine.is_some(),
                    query.pose
                );
                let answer = query.answer(bytemuck::bytes_of(&by_clusters)).unwrap();
                assert_holds(answer, shape, &query.pose);
            }
        }
    }
}

#[test]
fn with_subgroups_it_has_the_bits_of_the_scan() {
    check(Choice::Auto);
}

#[test]
fn through_shared_memory_it_has_the_bits_of_the_scan() {
    check(Choice::Off);
}
