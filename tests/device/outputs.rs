//! Results in buffers of the engine's: records say what the host reads, the head says how many there are, and what cannot be is refused with
//! numbers.

use crate::support::contact::{at, sphere_field};
use crate::support::{Checked, input, on_host};
use bytemuck::Pod;
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::error::{Error, Result};
use proxel::field::data::Storage;
use proxel::gpu::buffer::{Buffer, Role};
use proxel::gpu::paths::Choice;
use proxel::gpu::recorder::ForeignBuffer;
use proxel::gpu::shader::blocks;
use proxel::query::batch::{Batch, Ticket};
use proxel::query::body::ContactBody;
use proxel::query::bounds::BoundsQuery;
use proxel::query::contacts::soft::{SoftContactOptions, SoftContactsQuery};
use proxel::query::contacts::{ContactFeature, ContactOptions, ContactsQuery};
use proxel::query::contains::ContainsQuery;
use proxel::query::gradients::GradientsQuery;
use proxel::query::layers::{Layer, LayersQuery, Stretches};
use proxel::query::ldi::{LdiOptions, RayResolution, Rays};
use proxel::query::output::{CUT, HEAD_BYTES, OutputBuffer, OutputHead};
use proxel::query::penalty::{PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{ProximityOptions, ProximityQuery};
use proxel::query::sample::SampleQuery;
use proxel::query::volume::VolumeQuery;
use proxel::scene::mesh::Mesh;
use proxel::scene::pose::Pose;
use std::sync::Arc;

pub const STORAGE: u32 = 0x20;
const UNTOUCHED: u8 = 0x5a;

/// What the engine has for records, with bytes behind them that nobody may touch.
pub struct Target {
    buffer: Arc<Buffer>,
    pub to: OutputBuffer,
}

impl Target {
    pub fn of<T>(checked: &Checked, capacity: u32) -> Self {
        let device = checked.context.device();
        let size = 256 + HEAD_BYTES + u64::from(capacity + 1) * size_of::<T>() as u64;
        let mut buffer = Buffer::new(device, Role::Readback, size, "records").unwrap();
        buffer.bytes_mut().fill(UNTOUCHED);
        let to = OutputBuffer {
            buffer: ForeignBuffer::of(&buffer),
            bytes: size,
            usage: STORAGE,
            offset: 256,
            capacity,
            record_bytes: size_of::<T>() as u32,
            group_size: 4,
            vertices: 3,
        };
        Self {
            buffer: Arc::new(buffer),
            to,
        }
    }

    pub fn head(&self) -> OutputHead {
        bytemuck::pod_read_unaligned(&self.buffer.bytes()[256..][..HEAD_BYTES as usize])
    }

    /// The records that the head tells of, after a look at it and at what is around them.
    pub fn records<T: Pod>(&self) -> Vec<T> {
        let head = self.head();
        assert_eq!(head.written, head.count.min(self.to.capacity));
        assert_eq!(head.dispatch, [head.written.div_ceil(4), 1, 1]);
        assert_eq!(head.draw, [3, head.written, 0, 0]);
        let bytes = self.buffer.bytes();
        let records = &bytes[256 + HEAD_BYTES as usize..];
        let (records, behind) = records.split_at(head.written as usize * size_of::<T>());
        assert!(bytes[..256].iter().chain(behind).all(|b| *b == UNTOUCHED));
        (records
            .chunks_exact(size_of::<T>())
            .map(bytemuck::pod_read_unaligned))
        .collect()
    }
}

fn v(p: [f32; 3]) -> DVec3 {
    Vec3::from_array(p).as_dvec3()
}

fn assert_near(found: [f32; 3], expected: DVec3, within: f64) {
    assert!(
        v(found).distance(expected) <= within,
        "{found:?} is not {expected}"
    );
}

fn pixels(side: u32) -> LdiOptions {
    LdiOptions {
        resolution: RayResolution::Pixels(side),
        rays: Rays::Best,
        ..LdiOptions::default()
    }
}

/// Away from the origin and turned, so that frames are told apart.
fn tilted() -> Pose {
    at(
        Vec3::new(3.0, -2.0, 1.0),
        Quat::from_rotation_y(0.7) * Quat::from_rotation_x(1.3),
    )
}

/// The same, with the body moved along its own axes.
fn beside(x: f32) -> Pose {
    let pose = tilted();
    at(
        pose.position + pose.rotation * Vec3::new(x, 0.0, 0.0),
        pose.rotation,
    )
}

struct Scene {
    checked: Checked,
    /// A ball of radius 0.5 with its field.
    field: u64,
    id: u64,
    mesh: Arc<Mesh>,
    batch: Batch,
}

impl Scene {
    fn new(beside: Choice) -> Self {
        let checked = Checked::beside(beside);
        let context = &checked.context;
        let field = sphere_field(context, 0.5, Storage::Distance, 48);
        let shape = shapes::cuboid(Vec3::new(0.3, 0.2, 0.2), 3);
        let id = context.create_mesh(input(&shape)).unwrap();
        let mesh = context.mesh(id).unwrap();
        let batch = context.create_batch().unwrap();
        Self {
            checked,
            field,
            id,
            mesh,
            batch,
        }
    }

    fn write<Q, T>(&self, ticket: Ticket<Q>, array: u32, capacity: u32) -> Target {
        let target = Target::of::<T>(&self.checked, capacity);
        self.batch
            .write_to(ticket.id(), array, target.to, true)
            .unwrap();
        target
    }

    fn contacts(&self) -> ContactsQuery {
        let field = self.checked.context.field(self.field).unwrap();
        let mut ball = ContactBody::new(None, Some(field));
        let mut block = ContactBody::new(Some(self.mesh.clone()), None);
        let (a, b) = (tilted(), beside(0.75));
        (ball.position, ball.rotation) = (a.position.as_dvec3(), a.rotation);
        (block.position, block.rotation) = (b.position.as_dvec3(), b.rotation);
        (ball.rest_offset, ball.contact_offset) = (0.01, 0.1);
        let options = ContactOptions {
            points: 0,
            ..ContactOptions::default()
        };
        ContactsQuery::plan(self.checked.context.resources(), [ball, block], options).unwrap()
    }
}

#[test]
fn contacts_and_forces_in_a_buffer_are_those_that_the_host_reads() {
    for choice in [Choice::Off, Choice::Require] {
        let scene = Scene::new(choice);
        let (context, batch) = (&scene.checked.context, &scene.batch);
        let resources = context.resources();
        let meeting = context.meeting((scene.field, tilted()), (scene.id, beside(0.75)));
        let meeting = meeting.unwrap();
        let near = ProximityQuery::plan(resources, meeting.clone(), ProximityOptions::default());
        let springs = PenaltyOptions {
            mesh_centre: Vec3::new(0.1, 0.0, 0.0),
            ..PenaltyOptions::default()
        };
        let near = batch.add(near.unwrap()).unwrap();
        let pushed = batch
            .add(PenaltyQuery::plan(resources, meeting, springs).unwrap())
            .unwrap();
        let touching = batch.add(scene.contacts()).unwrap();
        let near_record = scene.write::<_, blocks::ProximityRecord>(near, 0, 1);
        let pushed_record = scene.write::<_, blocks::PenaltyRecord>(pushed, 0, 1);
        let contacts = scene.write::<_, blocks::ContactRecord>(touching, 0, 1000);
        let patches = scene.write::<_, blocks::PatchRecord>(touching, 1, 64);
        batch.run().unwrap();

        let read = batch.answer(near).unwrap();
        let [record] = near_record.records::<blocks::ProximityRecord>()[..] else {
            panic!("one record");
        };
        // The near face is 0.45 from the ball's middle.
        assert!(f64::from(record.lower) <= -0.05 && -0.05 <= f64::from(record.upper));
        assert_eq!(record.triangle, read.triangle);
        assert_eq!(record.penetrating, 1);
        assert_near(record.point_mesh, read.point_mesh, 1e-6);
        assert_near(record.point_field, read.point_field, 1e-6);
        assert_near(record.direction, read.direction, 1e-6);

        let read = batch.answer(pushed).unwrap();
        let [record] = pushed_record.records::<blocks::PenaltyRecord>()[..] else {
            panic!("one record");
        };
        let size = read.force_sum.length();
        // The ball is pushed away from the block, along its own x.
        assert!(
            read.force_sum
                .dot(tilted().rotation.as_dquat() * DVec3::NEG_X)
                > 0.99 * size
        );
        assert_near(record.force_sum, read.force_sum, 1e-5 * size);
        assert_near(record.mesh_force_sum, -read.force_sum, 1e-5 * size);
        assert_near(record.mesh_torque_sum, read.mesh_torque_sum, 1e-5 * size);
        assert_near(
            record.force,
            read.force_sum / read.area,
            1e-5 * size / read.area,
        );
        assert_near(record.centre, read.centroid, 1e-5);
        assert_eq!(
            (record.sample_count, record.depth),
            (read.samples, read.depth)
        );

        let read = batch.answer(touching).unwrap();
        let records = contacts.records::<blocks::ContactRecord>();
        assert!(!records.is_empty());
        assert_eq!(records.len(), read.contacts.len());
        for (record, contact) in records.iter().zip(&read.contacts) {
            let key = u64::from(record.key_high) << 32 | u64::from(record.key_low);
            assert_eq!((key, record.triangle), (contact.key, contact.triangle));
            assert_eq!(record.on, u32::from(contact.on_b));
            assert_eq!(record.feature, contact.feature as u32);
            assert_near(record.point_a, contact.point_a, 1e-6);
            assert_near(record.point_b, contact.point_b, 1e-6);
            assert_near(record.world_a, contact.world_a, 1e-6);
            assert_near(record.world_b, contact.world_b, 1e-6);
            assert_near(record.normal, contact.normal, 1e-6);
            assert_eq!(record.separation, contact.separation);
            assert_eq!([record.lower, record.upper], contact.bounds);
        }
        assert!(
            records
                .iter()
                .any(|r| r.feature != ContactFeature::Vertex as u32)
        );
        let records = patches.records::<blocks::PatchRecord>();
        assert_eq!(records.len(), read.patches.len());
        for (record, patch) in records.iter().zip(&read.patches) {
            assert_near(record.normal, patch.normal, 1e-6);
            assert_near(record.center, patch.centre, 1e-6);
            assert_eq!((record.raw, record.kept), (patch.raw, patch.kept));
        }
    }
}

#[test]
fn samples_boxes_and_rays_in_a_buffer_are_those_that_the_host_reads() {
    for choice in [Choice::Off, Choice::Require] {
        let scene = Scene::new(choice);
        let (context, batch, mesh) = (&scene.checked.context, &scene.batch, &scene.mesh);
        let resources = context.resources();
        let field = (context.field(scene.field).unwrap(), tilted());
        let points: Vec<Vec3> = (0..100)
            .map(|i| beside(0.02 * i as f32 - 1.0).position)
            .collect();
        let (placed, other) = ((mesh.clone(), tilted()), (mesh.clone(), beside(0.4)));
        let sampled = SampleQuery::plan(resources, field, &points).unwrap();
        let within = ContainsQuery::plan(resources, placed.clone(), &points, pixels(32)).unwrap();
        let rays = LayersQuery::plan(
            resources,
            placed.clone(),
            Stretches::Inside,
            pixels(24),
            4096,
        );
        let shared = LdiOptions {
            narrow: true,
            ..pixels(64)
        };
        let both = [placed.clone(), other.clone()];
        let common = LayersQuery::shared(resources, both, pixels(24), 4096).unwrap();
        let boxed = BoundsQuery::plan(mesh.clone(), tilted()).unwrap();
        let shared = VolumeQuery::plan(resources, placed.clone(), other.clone(), shared).unwrap();
        let grown = GradientsQuery::plan(resources, placed, other, pixels(32)).unwrap();
        let (boxed, sampled) = (batch.add(boxed).unwrap(), batch.add(sampled).unwrap());
        let (within, rays) = (
            batch.add(within).unwrap(),
            batch.add(rays.unwrap()).unwrap(),
        );
        let common = batch.add(common).unwrap();
        let (shared, grown) = (batch.add(shared).unwrap(), batch.add(grown).unwrap());
        let boxes = scene.write::<_, blocks::BoundsRecord>(boxed, 0, 1);
        let samples = scene.write::<_, blocks::SampleRecord>(sampled, 0, 100);
        let bits = scene.write::<_, u32>(within, 0, 100);
        let layers = scene.write::<_, blocks::LayerRecord>(rays, 0, 4096);
        let stretches = scene.write::<_, blocks::LayerRecord>(common, 0, 4096);
        let volumes = scene.write::<_, blocks::VolumeRecord>(shared, 0, 1);
        let vertices = mesh.vertices;
        let gradients =
            [0, 1].map(|of| scene.write::<_, blocks::GradientRecord>(grown, of, vertices));
        batch.run().unwrap();

        let read = batch.answer(boxed).unwrap();
        let record = boxes.records::<blocks::BoundsRecord>()[0];
        for vertex in &shapes::cuboid(Vec3::new(0.3, 0.2, 0.2), 3).positions {
            let exact = tilted().apply(vertex.as_dvec3());
            assert!((v(record.min).cmple(exact) & exact.cmple(v(record.max))).all());
        }
        assert_near(record.min, read.min.as_dvec3(), 1e-5);
        assert_near(record.max, read.max.as_dvec3(), 1e-5);

        let read = batch.answer(sampled).unwrap();
        for (i, record) in samples.records::<blocks::SampleRecord>().iter().enumerate() {
            let exact = points[i].as_dvec3().distance(tilted().position.as_dvec3()) - 0.5;
            assert!(
                f64::from(record.lower) <= exact && exact <= f64::from(record.upper),
                "{i}"
            );
            assert!(
                record.lower <= read[i].lower && read[i].upper <= record.upper,
                "{i}"
            );
            assert!(read[i].lower - record.lower <= 1e-5, "{i}");
            assert_near(record.direction, v(read[i].direction), 1e-6);
            assert_near(record.normal, v(read[i].normal()), 1e-6);
        }

        let read = batch.answer(within).unwrap();
        let expected: Vec<u32> = (read.iter())
            .map(|c| u32::from(c.inside) | u32::from(c.near) << 1)
            .collect();
        assert_eq!(bits.records::<u32>(), expected);
        assert!(read.iter().any(|c| c.inside) && read.iter().any(|c| !c.inside));

        for (read, output, meshes) in [(rays, layers, 1), (common, stretches, 2)] {
            let read = batch.answer(read).unwrap();
            let records = output.records::<blocks::LayerRecord>();
            assert!(!records.is_empty());
            assert_eq!(records.len(), read.layers.len());
            for (record, layer) in records.iter().zip(&read.layers) {
                assert_eq!([record.column, record.row], layer.pixel);
                assert_eq!(
                    [record.triangle_start, record.triangle_end],
                    layer.triangles
                );
                let bits = layer.meshes[0] | layer.meshes[1] << 1;
                assert_eq!((record.winding, record.meshes), (layer.winding, bits));
                assert!(layer.meshes.iter().all(|mesh| *mesh < meshes));
                assert_near(record.start, layer.ends[0], 1e-5);
                assert_near(record.end, layer.ends[1], 1e-5);
            }
            let is_mixed = |l: &Layer| l.meshes[0] != l.meshes[1];
            assert_eq!(read.layers.iter().any(is_mixed), meshes == 2);
        }

        let read = batch.answer(shared).unwrap();
        let record = volumes.records::<blocks::VolumeRecord>()[0];
        let exact = 0.2 * 0.4 * 0.4;
        assert!(f64::from(record.lower) <= exact && exact <= f64::from(record.upper));
        let [lower, upper] = [record.lower, record.upper].map(f64::from);
        assert!(lower <= read.lower && read.upper <= upper);
        assert!(read.lower - lower <= 1e-5 * exact && upper - read.upper <= 1e-5 * exact);
        assert_near(record.centre, read.centroid, 1e-5);
        assert_near(record.gradient_a, read.gradient, 1e-5);
        assert_near(record.torque_a, read.torque[0], 1e-5);
        assert_near(record.torque_b, read.torque[1], 1e-5);
        assert!((v(record.min).cmple(read.min) & read.max.cmple(v(record.max))).all());
        assert_eq!(
            (record.axis, u64::from(record.rays)),
            (read.axis, read.rays)
        );

        let read = batch.answer(grown).unwrap();
        for (records, read) in gradients.iter().zip(&read.0) {
            for (record, gradient) in records.records::<blocks::GradientRecord>().iter().zip(read) {
                assert_near(record.gradient, *gradient, 1e-6);
            }
        }
        assert!(read.0[0].iter().any(|g| g.length() > 1e-3));
    }
}

#[test]
fn what_has_no_room_is_counted_and_reported() {
    let scene = Scene::new(Choice::Off);
    let touching = scene.batch.add(scene.contacts()).unwrap();
    let whole = scene.write::<_, blocks::ContactRecord>(touching, 0, 1000);
    scene.batch.run().unwrap();
    let all: Vec<blocks::ContactRecord> = whole.records();
    let (head, outcome) = scene.batch.written(touching.id(), 0).unwrap();
    assert_eq!((head, head.status), (whole.head(), 0));
    outcome.unwrap();
    assert!(all.len() > 5);
    for room in [0, 1, 5] {
        scene.batch.reset().unwrap();
        let touching = scene.batch.add(scene.contacts()).unwrap();
        let cut = Target::of::<blocks::ContactRecord>(&scene.checked, room);
        scene
            .batch
            .write_to(touching.id(), 0, cut.to, false)
            .unwrap();
        scene.batch.run().unwrap();
        assert_eq!(cut.records::<blocks::ContactRecord>(), all[..room as usize]);
        let (head, outcome) = scene.batch.written(touching.id(), 0).unwrap();
        assert_eq!((head.count as usize, head.status), (all.len(), CUT));
        let Err(Error::BufferTooSmall { given, needed, .. }) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((given, needed), (room.into(), all.len() as u64));
        // Nobody asked for the answer.
        let unread = scene.batch.answer(touching);
        assert!(matches!(unread, Err(Error::WrongState(_))), "{unread:?}");
    }
}

pub fn assert_refused(result: Result<()>, words: &[&str]) {
    let message = result.unwrap_err().to_string();
    for word in words {
        assert!(message.contains(word), "{message:?} has no {word:?}");
    }
}

#[test]
fn what_cannot_be_written_is_refused_with_numbers() {
    let scene = Scene::new(Choice::Off);
    let touching = scene.batch.add(scene.contacts()).unwrap();
    let to = Target::of::<blocks::ContactRecord>(&scene.checked, 10).to;
    let ask = |to: OutputBuffer| scene.batch.write_to(touching.id(), 0, to, false);
    if on_host() {
        return assert_refused(ask(to), &["contacts", "host device"]);
    }
    let alignment = scene.checked.context.device().storage_alignment();
    let record = size_of::<blocks::ContactRecord>() as u64;
    let needed = HEAD_BYTES + 12 * record;
    let with = |change: fn(&mut OutputBuffer)| {
        let mut changed = to;
        change(&mut changed);
        ask(changed)
    };
    assert_refused(
        with(|to| to.capacity = 12),
        &[&to.bytes.to_string(), &needed.to_string(), "256"],
    );
    assert_refused(with(|to| to.offset = 258), &["258", &alignment.to_string()]);
    assert_refused(with(|to| to.offset = u64::MAX - 255), &["bytes"]);
    assert_refused(
        with(|to| to.usage = 0x102),
        &["0x102", "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT"],
    );
    assert_refused(
        with(|to| to.record_bytes = 64),
        &["64", &record.to_string()],
    );
    assert_refused(with(|to| to.group_size = 0), &["group_size"]);
    assert_refused(
        scene.batch.write_to(touching.id(), 2, to, false),
        &["array is 2", "2"],
    );
    assert_refused(
        scene.batch.write_to(touching.id() + 7, 0, to, false),
        &["not of this batch"],
    );
    assert_refused(
        scene.batch.written(touching.id(), 0).map(|_| ()),
        &["not been submitted"],
    );
    scene.batch.run().unwrap();
    assert_refused(ask(to), &["reset it"]);
    assert_refused(
        scene.batch.written(touching.id(), 0).map(|_| ()),
        &["was not asked"],
    );
    scene.batch.answer(touching).unwrap();
}

/// It was taken to the device, whose tables it does not have.
#[test]
fn a_query_that_uses_no_buffers_stays_where_it_was_planned() {
    let scene = Scene::new(Choice::Require);
    let context = &scene.checked.context;
    let field = sphere_field(context, 1.0, Storage::Distance, 32);
    let ball = ContactBody::new(None, Some(context.field(field).unwrap()));
    let mesh = context
        .create_mesh(input(&shapes::sphere(1.0, 24, 12)))
        .unwrap();
    let skin = ContactBody::new(Some(context.mesh(mesh).unwrap()), None);
    let options = SoftContactOptions {
        distance: 0.05,
        ..SoftContactOptions::default()
    };
    let query = || {
        let bodies = vec![ball.clone()];
        SoftContactsQuery::plan(context.resources(), skin.clone(), bodies, options.clone()).unwrap()
    };
    let alone = context.ask(query()).unwrap().contacts;
    assert!(!alone.is_empty());
    let ticket = scene.batch.add(query()).unwrap();
    let to = Target::of::<u32>(&scene.checked, 4).to;
    assert_refused(
        scene.batch.write_to(ticket.id(), 0, to, false),
        &["soft contacts"],
    );
    scene.batch.run().unwrap();
    assert_eq!(scene.batch.answer(ticket).unwrap().contacts, alone);
}
