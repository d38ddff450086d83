//! parry3d as a contestant: the distance of two triangle meshes, rigid, refitted or rebuilt, pairs of triangles and of boxes, and near lists; on
//! one thread.

mod boxes;
mod contest;
mod near;
mod pairs;
mod poses;

use contest::{Arguments, Mesh};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::details::{
    NormalConstraints, distance_composite_shape_shape, distance_shape_composite_shape,
};
use parry3d::query::{self, DefaultQueryDispatcher};
use parry3d::shape::{CompositeShape, Shape, TriMesh, Triangle, TypedCompositeShape};

fn vectors(points: &[[f32; 3]]) -> Vec<Vector> {
    points
        .iter()
        .map(|&[x, y, z]| Vector::new(x, y, z))
        .collect()
}

/// Triangles whose tree is refitted: `TriMesh` itself can only be rebuilt, but the tree and the query are public.
struct Deforming {
    points: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    bvh: Bvh,
}

impl Deforming {
    fn triangle(&self, id: u32) -> Triangle {
        let [a, b, c] = self.triangles[id as usize];
        Triangle::new(
            self.points[a as usize],
            self.points[b as usize],
            self.points[c as usize],
        )
    }

    fn aabb(&self, id: u32) -> Aabb {
        self.triangle(id).local_aabb()
    }

    fn new(points: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        let mut made = Self {
            points,
            triangles,
            bvh: Bvh::new(),
        };
        let leaves: Vec<Aabb> = (0..made.triangles.len() as u32)
            .map(|id| made.aabb(id))
            .collect();
        made.bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        made
    }

    fn refit(&mut self, points: Vec<Vector>) {
        self.points = points;
        for id in 0..self.triangles.len() as u32 {
            let aabb = self.aabb(id);
            self.bvh.insert_or_update_partially(aabb, id, 0.0);
        }
        self.bvh.refit_without_opt();
    }
}

impl CompositeShape for Deforming {
    fn map_part_at(
        &self,
        id: u32,
        f: &mut dyn FnMut(Option<&Pose>, &dyn Shape, Option<&dyn NormalConstraints>),
    ) {
        f(None, &self.triangle(id), None);
    }

    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

impl TypedCompositeShape for Deforming {
    type PartShape = Triangle;
    type PartNormalConstraints = dyn NormalConstraints;

    fn map_typed_part_at<T>(
        &self,
        id: u32,
        mut f: impl FnMut(Option<&Pose>, &Triangle, Option<&dyn NormalConstraints>) -> T,
    ) -> Option<T> {
        Some(f(None, &self.triangle(id), None))
    }

    fn map_untyped_part_at<T>(
        &self,
        id: u32,
        mut f: impl FnMut(Option<&Pose>, &dyn Shape, Option<&dyn NormalConstraints>) -> T,
    ) -> Option<T> {
        Some(f(None, &self.triangle(id), None))
    }
}

/// parry searches the first shape's tree, and for each of its triangles the second's, so the order matters. With our triangles
/// second it has no such call; this is that call, from its public parts.
fn distance_to(bvh: &Bvh, triangle: impl Fn(u32) -> Triangle, b: &Deforming) -> Option<f32> {
    let whole = b.bvh.root_aabb();
    let found = bvh.find_best(
        f32::MAX,
        |node, _| {
            let gap = (whole.mins - node.maxs()).max(node.mins() - whole.maxs);
            gap.max(Vector::ZERO).length()
        },
        |id, _| {
            let triangle = triangle(id);
            Some(distance_shape_composite_shape(
                &DefaultQueryDispatcher,
                &Pose::IDENTITY,
                &triangle,
                b,
            ))
        },
    );
    found.map(|(_, distance)| distance)
}

/// All pairs of several bodies, each refitted to new positions in every turn.
fn among_bodies(arguments: &Arguments, mesh: &Mesh) -> Result<(), String> {
    let number = |key: &str| -> Result<f64, String> {
        let text = arguments.text(key)?;
        text.parse()
            .map_err(|_| format!("{key}={text} is no number"))
    };
    let (count, wave) = (number("bodies")? as usize, number("wave")?);
    let mut bodies: Vec<Deforming> = (0..count)
        .map(|_| Deforming::new(vectors(&mesh.points), mesh.triangles.clone()))
        .collect();
    contest::compete("parry3d, refit", |turn| {
        let moved: Vec<Vec<Vector>> = (0..count)
            .map(|k| vectors(&poses::body(mesh, turn, k, wave)))
            .collect();
        let begin = contest::now();
        for (body, points) in bodies.iter_mut().zip(moved) {
            body.refit(points);
        }
        let mut found = Vec::new();
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[i + 1..] {
                let distance = distance_to(&a.bvh, |id| a.triangle(id), b);
                found.push(f64::from(distance.ok_or("parry3d found no distance")?));
            }
        }
        Ok((contest::now() - begin, found))
    })
}

fn run() -> Result<(), String> {
    let arguments = Arguments::given();
    if arguments.text("mode")? == "boxes" {
        return boxes::run(&arguments);
    }
    if arguments.text("thickness").is_ok() {
        return near::run(&arguments);
    }
    if arguments.text("mode")?.starts_with("pairs") {
        return pairs::run(&arguments);
    }
    let mesh = Mesh::read(arguments.text("mesh")?)?;
    let (mode, motion) = (arguments.text("mode")?, arguments.text("motion")?);
    if motion == "bodies" {
        return among_bodies(&arguments, &mesh);
    }
    let first = arguments.text("first").unwrap_or("a");
    let build = |points: Vec<Vector>| {
        TriMesh::new(points, mesh.triangles.clone()).map_err(|e| e.to_string())
    };
    let a = build(vectors(&mesh.points))?;
    let b = build(vectors(&mesh.points))?;
    let mut deforming = Deforming::new(vectors(&mesh.points), mesh.triangles.clone());
    contest::compete(&format!("parry3d, {mode}"), |turn| {
        let placed = poses::placement(motion, &mesh, turn);
        if mode == "rigid" {
            let [x, y, z, w] = placed.rotation.map(|v| v as f32);
            let [tx, ty, tz] = placed.translation.map(|v| v as f32);
            let pose = Pose::from_parts(Vector::new(tx, ty, tz), Rotation::from_xyzw(x, y, z, w));
            let begin = contest::now();
            let distance =
                query::distance(&Pose::IDENTITY, &a, &pose, &b).map_err(|e| e.to_string())?;
            return Ok((contest::now() - begin, vec![distance as f64]));
        }
        let moved = vectors(&poses::deformed(&mesh, &placed, turn, 0.02));
        let begin = contest::now();
        let distance = if mode == "refit" {
            deforming.refit(moved);
            if first == "a" {
                distance_to(a.bvh(), |id| a.triangle(id), &deforming)
                    .ok_or("parry3d found no distance")?
            } else {
                distance_composite_shape_shape(
                    &DefaultQueryDispatcher,
                    &Pose::IDENTITY,
                    &deforming,
                    &a,
                )
            }
        } else {
            let b = build(moved)?;
            let (one, two) = if first == "a" { (&a, &b) } else { (&b, &a) };
            query::distance(&Pose::IDENTITY, one, &Pose::IDENTITY, two)
                .map_err(|e| e.to_string())?
        };
        Ok((contest::now() - begin, vec![distance as f64]))
    })
}

fn main() {
    if let Err(problem) = run() {
        println!("{{\"error\": \"{}\"}}", problem.replace('"', "'"));
        std::process::exit(1);
    }
}
