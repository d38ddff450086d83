//! All intersecting pairs of triangles of two meshes: parry3d's trees give pairs of boxes, and the test of `exact_pair.hpp` decides the
//! triangles. Rigid: B's tree is built at its place beforehand. Refit: it is refitted to new positions in the time.

use crate::contest::{self, Arguments, Mesh};
use crate::{Deforming, poses, vectors};
use parry3d::math::Vector;
use parry3d::shape::Triangle;

fn volume(a: Vector, b: Vector, c: Vector, d: Vector) -> f64 {
    let way = |p: Vector| [p.x, p.y, p.z].map(f64::from);
    let (a, b, c, d) = (way(a), way(b), way(c), way(d));
    let from_a = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v, w) = (from_a(b), from_a(c), from_a(d));
    u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
}

fn crosses(p: Vector, q: Vector, t: &Triangle) -> bool {
    if volume(t.a, t.b, t.c, p) * volume(t.a, t.b, t.c, q) > 0.0 {
        return false;
    }
    let (a, b, c) = (
        volume(p, q, t.a, t.b),
        volume(p, q, t.b, t.c),
        volume(p, q, t.c, t.a),
    );
    (a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0)
}

fn cross(s: &Triangle, t: &Triangle) -> bool {
    let edges = |t: &Triangle| [(t.a, t.b), (t.b, t.c), (t.c, t.a)];
    edges(s)
        .into_iter()
        .zip(edges(t))
        .any(|(of_s, of_t)| crosses(of_s.0, of_s.1, t) || crosses(of_t.0, of_t.1, s))
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mesh = Mesh::read(arguments.text("mesh")?)?;
    let deforms = arguments.text("mode")? == "pairs_refit";
    let motion = arguments.text("motion").unwrap_or("through");
    let a = Deforming::new(vectors(&mesh.points), mesh.triangles.clone());
    let mut b = Deforming::new(vectors(&mesh.points), mesh.triangles.clone());
    contest::compete("parry3d, pairs of leaves", |turn| {
        let placed = poses::placement(motion, &mesh, turn);
        let wave = if deforms { 0.02 } else { 0.0 };
        let moved = vectors(&poses::deformed(&mesh, &placed, turn, wave));
        if !deforms {
            b = Deforming::new(moved.clone(), mesh.triangles.clone());
        }
        let (mut best, mut found) = (f64::INFINITY, 0u32);
        for _ in 0..4 {
            let fresh = moved.clone();
            let begin = contest::now();
            if deforms {
                b.refit(fresh);
            }
            found = 0;
            for (i, j) in a.bvh.leaf_pairs(&b.bvh, |m, n| m.intersects(n)) {
                found += u32::from(cross(&a.triangle(i), &b.triangle(j)));
            }
            best = best.min(contest::now() - begin);
        }
        Ok((best, vec![f64::from(found)]))
    })
}
