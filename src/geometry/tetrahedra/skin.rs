//! The surface of a body of tetrahedra, and where edges leave through it.

use super::TetrahedralBody;
use crate::geometry::aabb::Aabb;
use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::simd::WIDTH;
use crate::geometry::triangle::intersection::segment_meets_triangle;
use crate::geometry::triangle::predicates::{normal_of, volume_sign};
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::DVec3;

/// The faces that only one tetrahedron of a body has.
pub(super) struct Skin<'a> {
    body: TetrahedralBody<'a>,
    faces: Vec<SkinFace>,
    bvh: Bvh,
}

/// A face, and the corner of its tetrahedron that it lies opposite to.
struct SkinFace {
    corners: [u32; 3],
    opposite: u32,
}

/// Where an edge leaves a body.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    /// The part of the edge that is before it.
    pub(super) fraction: f64,
    /// Unit normal of the face, outwards.
    pub(super) normal: DVec3,
    face: u32,
}

impl<'a> Skin<'a> {
    pub(super) fn of(body: TetrahedralBody<'a>) -> Self {
        let faces = lone_faces(&body);
        let box_of = |face: &SkinFace| Aabb::of(face.corners.map(|v| body.positions[v as usize]));
        let boxes = faces.iter().map(box_of).gather();
        Self {
            bvh: Bvh::build(&boxes),
            body,
            faces,
        }
    }

    /// Where the edge from `p`, which is inside, first leaves. Faces at one of the vertices `own` are left out.
    pub(super) fn first_exit(&self, [p, q]: [DVec3; 2], own: &[u32]) -> Option<Exit> {
        let around = Aabb::of([p.as_vec3(), q.as_vec3()]);
        let mut first: Option<Exit> = None;
        let mut stack = vec![0u32];
        while let Some(index) = stack.pop() {
            let node = &self.bvh.nodes()[index as usize];
            for slot in 0..WIDTH {
                if !node.child_box(slot).overlaps(around) {
                    continue;
                }
                match node.child(slot) {
                    Child::Unused => {}
                    Child::Node(below) => stack.push(below),
                    Child::Leaf(start, count) => {
                        for &face in self.bvh.leaf(start, count) {
                            let exit = self.exit(face, [p, q], own);
                            first = sooner(first, exit);
                        }
                    }
                }
            }
        }
        first
    }

    fn exit(&self, index: u32, [p, q]: [DVec3; 2], own: &[u32]) -> Option<Exit> {
        let face = &self.faces[index as usize];
        if face.corners.iter().any(|v| own.contains(v)) {
            return None;
        }
        let at = |v: u32| self.body.positions[v as usize].as_dvec3();
        let [a, b, c] = face.corners.map(at);
        let side = |p: DVec3| volume_sign(a, b, c, p);
        let (of_p, of_q) = (side(p), side(q));
        // The face of a flat tetrahedron has no inside of its own: what comes from either side leaves.
        let inside = match side(at(face.opposite)) {
            0 if of_p != 0 => of_p,
            0 => -of_q,
            inside => inside,
        };
        let leaves = of_p * inside >= 0 && of_q * inside <= 0 && of_p != of_q;
        if !leaves || !segment_meets_triangle(p, q, &[a, b, c]) {
            return None;
        }
        let outwards = normal_of(b - a, c - a) * f64::from(-inside);
        let (height_p, height_q) = (outwards.dot(a - p).abs(), outwards.dot(q - a).abs());
        let fraction = match (of_p, of_q) {
            (0, _) => 0.0,
            (_, 0) => 1.0,
            _ if height_p + height_q > 0.0 => height_p / (height_p + height_q),
            _ => 0.5,
        };
        Some(Exit {
            fraction,
            normal: outwards.normalize_or_zero(),
            face: index,
        })
    }
}

/// The one nearer to the edge's beginning, of two at one place the lower face.
fn sooner(a: Option<Exit>, b: Option<Exit>) -> Option<Exit> {
    let (Some(one), Some(other)) = (a, b) else {
        return a.or(b);
    };
    let key = |exit: &Exit| (exit.fraction.to_bits(), exit.face);
    Some(if key(&other) < key(&one) { other } else { one })
}

/// Faces by their lowest vertex, so that those of two tetrahedra lie together.
fn lone_faces(body: &TetrahedralBody) -> Vec<SkinFace> {
    let mut starts = memory::filled(0u32, body.positions.len() + 1);
    let each = |visit: &mut dyn FnMut([u32; 3], u32)| {
        for corners in body.tetrahedra {
            interrupt::check();
            for k in 0..4 {
                let mut face = [1, 2, 3].map(|step| corners[(k + step) % 4]);
                face.sort_unstable();
                if face[0] != face[1] && face[1] != face[2] {
                    visit(face, corners[k]);
                }
            }
        }
    };
    each(&mut |face, _| starts[face[0] as usize + 1] += 1);
    for v in 0..body.positions.len() {
        starts[v + 1] += starts[v];
    }
    let mut entries = memory::filled([0u32; 3], starts[body.positions.len()] as usize);
    let mut next = memory::copied(&starts);
    each(&mut |[low, middle, high], opposite| {
        let at = &mut next[low as usize];
        entries[*at as usize] = [middle, high, opposite];
        *at += 1;
    });
    let mut faces = Vec::new();
    for low in 0..body.positions.len() {
        let run = &mut entries[starts[low] as usize..starts[low + 1] as usize];
        run.sort_unstable();
        for alike in run.chunk_by(|a, b| a[..2] == b[..2]) {
            if let [[middle, high, opposite]] = *alike {
                let face = SkinFace {
                    corners: [low as u32, middle, high],
                    opposite,
                };
                memory::add(&mut faces, face);
            }
        }
    }
    faces
}
