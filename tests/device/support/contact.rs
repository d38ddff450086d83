//! What the tests of a field against a mesh share: fields, poses, and exact distances to a point.

use fixtures::shapes::Shape;
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::bake::Signing;
use proxel::field::data::{Precision, Storage};
use proxel::field::grid::Resolution;
use proxel::field::request::{BakeRequest, GridPlacement};
use proxel::field::shape::Shape as FieldShape;
use proxel::geometry::random::Random;
use proxel::geometry::triangle::closest;
use proxel::gpu::paths::DeviceFeature;
use proxel::query::proximity::SamplingPath;
use proxel::scene::pose::Pose;

/// A field of so many cells along the longest side.
pub fn request(storage: Storage, cells: u32) -> BakeRequest {
    BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(cells),
            padding: None,
        },
        storage,
        precision: Precision::Single,
        signing: Signing::Auto,
    }
}

/// The field of a shape with a closed form.
pub fn shape_field(context: &Context, shape: FieldShape, storage: Storage, cells: u32) -> u64 {
    let data = request(storage, cells).of_shape(&shape).unwrap();
    context.add_field(data).unwrap()
}

/// The field of a sphere around the origin.
pub fn sphere_field(context: &Context, radius: f64, storage: Storage, cells: u32) -> u64 {
    shape_field(context, FieldShape::Sphere { radius }, storage, cells)
}

/// A pose at rest.
pub fn at(position: Vec3, rotation: Quat) -> Pose {
    Pose {
        position,
        rotation,
        ..Pose::default()
    }
}

/// Any rotation.
pub fn turned(random: &mut Random) -> Quat {
    let [a, b, c, d] = [0; 4].map(|_| random.signed() as f32);
    Quat::from_xyzw(a, b, c, d).normalize()
}

/// The exact smallest distance of a mesh to a point. Less the radius, it is the one to a sphere.
pub fn to_point(shape: &Shape, pose: &Pose, centre: DVec3) -> f64 {
    let nearest = shape.triangles.iter().map(|t| {
        let corners = t.map(|v| pose.apply(shape.positions[v as usize].as_dvec3()));
        closest::on_triangle(centre, corners).0.distance(centre)
    });
    nearest.fold(f64::INFINITY, f64::min)
}

/// The paths of this device that draw.
pub fn drawing_paths(context: &Context) -> Vec<SamplingPath> {
    let mut paths = vec![SamplingPath::ThreePass, SamplingPath::Binned];
    if context.device().paths.on(DeviceFeature::GeometryShader) {
        paths.push(SamplingPath::GeometryShader);
    }
    paths
}
