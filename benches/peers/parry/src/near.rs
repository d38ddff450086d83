//! All vertex-face and edge-edge pairs closer than a thickness, of one mesh that deforms or of two of which one does. The tree over triangles, refitted
//! each turn, gives pairs of near boxes; parry3d's own projections measure what their triangles answer for, in single precision.

use crate::contest::{self, Arguments, Mesh};
use crate::{Deforming, poses, vectors};
use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::Vector;
use parry3d::query::PointQuery;
use parry3d::query::details::closest_points_segment_segment_with_locations_nD;
use std::collections::HashSet;

/// Which corners and sides each triangle answers for: those that no triangle before it has.
fn representatives(triangles: &[[u32; 3]]) -> Vec<[[bool; 3]; 2]> {
    let (mut vertices, mut edges) = (HashSet::new(), HashSet::new());
    let of = |t: &[u32; 3]| {
        let corner = |k: usize, seen: &mut HashSet<u32>| seen.insert(t[k]);
        let side = |k: usize, seen: &mut HashSet<[u32; 2]>| {
            let (p, q) = (t[k], t[(k + 1) % 3]);
            seen.insert([p.min(q), p.max(q)])
        };
        let corners = [0, 1, 2].map(|k| corner(k, &mut vertices));
        [corners, [0, 1, 2].map(|k| side(k, &mut edges))]
    };
    triangles.iter().map(of).collect()
}

struct Pair {
    /// Vertex and face, face and vertex or two edges, and their names.
    key: (u8, [u32; 2], [u32; 2]),
    /// The nearest points.
    points: [Vector; 2],
}

struct Search<'a> {
    bodies: [&'a Deforming; 2],
    answers: &'a [[[bool; 3]; 2]],
    alone: bool,
    thickness: f32,
    found: Vec<Pair>,
}

impl Search<'_> {
    fn vertices(&mut self, of: usize, i: u32, j: u32) {
        let (a, b) = (self.bodies[of], self.bodies[1 - of]);
        let face = b.triangles[j as usize];
        let kind = if self.alone { 0 } else { of as u8 };
        for k in (0..3).filter(|&k| self.answers[i as usize][0][k]) {
            let v = a.triangles[i as usize][k];
            if self.alone && face.contains(&v) {
                continue;
            }
            let p = a.points[v as usize];
            let foot = b.triangle(j).project_local_point(p, true).point;
            if (foot - p).length_squared() < self.thickness * self.thickness {
                let key = (kind, [v, 0], [j, 0]);
                let points = [p, foot];
                self.found.push(Pair { key, points });
            }
        }
    }

    fn edges(&mut self, i: u32, j: u32) {
        let [a, b] = self.bodies;
        let side = |of: &Deforming, t: u32, k: usize| {
            let corners = of.triangles[t as usize];
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            [p.min(q), p.max(q)]
        };
        for k in (0..3).filter(|&k| self.answers[i as usize][1][k]) {
            let e = side(a, i, k);
            for m in (0..3).filter(|&m| self.answers[j as usize][1][m]) {
                let f = side(b, j, m);
                if self.alone && e.iter().any(|v| f.contains(v)) {
                    continue;
                }
                let at = |of: &Deforming, v: [u32; 2]| v.map(|v| of.points[v as usize]);
                let ([p, q], [r, s]) = (at(a, e), at(b, f));
                let (on_e, on_f) =
                    closest_points_segment_segment_with_locations_nD((&p, &q), (&r, &s));
                let (we, wf) = (
                    on_e.barycentric_coordinates(),
                    on_f.barycentric_coordinates(),
                );
                let points = [p * we[0] + q * we[1], r * wf[0] + s * wf[1]];
                if (points[1] - points[0]).length_squared() < self.thickness * self.thickness {
                    let key = if self.alone && f < e {
                        (2, f, e)
                    } else {
                        (2, e, f)
                    };
                    self.found.push(Pair { key, points });
                }
            }
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mesh = Mesh::read(arguments.text("mesh")?)?;
    let alone = arguments.text("mode")? == "self";
    let text = arguments.text("thickness")?;
    let part: f64 = text
        .parse()
        .map_err(|_| format!("thickness={text} is no number"))?;
    let thickness = (part * mesh.longest()) as f32;
    let answers = representatives(&mesh.triangles);
    let a = Deforming::new(vectors(&mesh.points), mesh.triangles.clone());
    let mut b = Deforming::new(vectors(&mesh.points), mesh.triangles.clone());
    contest::compete("parry3d, refit, pairs of leaves", |turn| {
        let motion = if alone { "same" } else { "through" };
        let placed = poses::placement(motion, &mesh, turn);
        let moved = vectors(&poses::deformed(&mesh, &placed, turn, 0.02));
        let begin = contest::now();
        b.refit(moved);
        let mut search = Search {
            bodies: [if alone { &b } else { &a }, &b],
            answers: &answers,
            alone,
            thickness,
            found: Vec::new(),
        };
        let [first, second] = search.bodies;
        let near = |m: &parry3d::partitioning::BvhNode, n: &parry3d::partitioning::BvhNode| {
            m.aabb().loosened(thickness).intersects(&n.aabb())
        };
        // Of one tree with itself, leaves come in both orders.
        for (i, j) in first.bvh.leaf_pairs(&second.bvh, near) {
            search.vertices(0, i, j);
            if !alone {
                search.vertices(1, j, i);
            }
            if !alone || i < j {
                search.edges(i, j);
            }
        }
        search.found.sort_unstable_by_key(|pair| pair.key);
        let seconds = contest::now() - begin;
        std::hint::black_box(search.found.iter().map(|pair| pair.points[0]).next());
        Ok((seconds, Vec::new()))
    })
}
