//! Contacts, fifth: the smallest value inside each face that is searched, and which corners and edges the surface descends from in triangles
//! that have more than their corners to compare: minima on edges or inside, or a large face, whose own minima are listed later.

use super::contact_work::{FACE_ASKED, Work};
use super::eight::{Waiting, places_of};
use super::{
    Bindings, FACE_CELLS, INFINITE, LARGE_FACES, LISTED_FACES, SAMPLING_ALL, Side, cell_middle,
    moved_along, point_of,
};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactFaces;
use crate::host::meeting::Corners;
use glam::{Vec3, Vec4};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Faces that are worth a task.
const GRAIN: usize = 64;
/// Corners, minima of edges, minimum of the face.
const SPOTS: usize = 7;
const FACE_SPOT: usize = 6;

impl Native for ContactFaces<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let count = |side: &Side| side.count(LISTED_FACES);
        super::bindings!(self).for_all(push, GRAIN, count, compare_all);
    }
}

fn compare_all(side: &Side, part: Range<usize>) {
    let work = Work::of(side);
    let mut refined = Waiting::new();
    for triangle in &work.listed_faces[part] {
        let mut face = Face::of(side, &work, triangle.load(Relaxed));
        if work.marks[face.triangle as usize].load(Relaxed) & FACE_ASKED != 0 {
            face.sample();
        }
        // Only what is below the rim is a minimum of its own.
        match face.best.w < face.lowest - side.query.noise {
            true => refined.add(face, refine_all),
            false => face.compare(),
        }
    }
    refined.finish(refine_all);
}

/// Refines the minima of up to eight faces: along the edges, in ever smaller steps.
fn refine_all(faces: &mut [Face]) {
    let side = faces[0].side;
    let most = faces.iter().map(|face| face.refinements).max().unwrap_or(0);
    let mut part = 0.5;
    for turn in 0..most {
        for way in 0..6 {
            let moved = |face: &Face| moved_along(face.best.truncate(), way, part / face.count);
            let values = side.values_of(&places_of(faces, |face| point_of(&face.t, moved(face))));
            for (face, value) in faces.iter_mut().zip(values) {
                if turn < face.refinements && value < face.best.w {
                    face.best = moved(face).extend(value);
                }
            }
        }
        part *= 0.5;
    }
    for face in faces {
        face.add_face();
        face.compare();
    }
}

/// A triangle with the places where it may be lowest.
struct Face<'a> {
    side: &'a Side<'a>,
    work: &'a Work<'a>,
    triangle: u32,
    vertices: [u32; 3],
    t: Corners,
    places: [Vec3; SPOTS],
    values: [f32; SPOTS],
    /// The lowest value at corners and on edges.
    lowest: f32,
    /// Cells along an edge, and halvings of a step.
    count: f32,
    refinements: u32,
    /// The weights of the smallest value inside, and in w that value.
    best: Vec4,
}

impl<'a> Face<'a> {
    /// With corners and the minima on edges as its spots.
    fn of(side: &'a Side<'a>, work: &'a Work<'a>, triangle: u32) -> Self {
        let vertices = side.mesh.indices[triangle as usize];
        let t = side.placed_triangle(triangle);
        let corners = [t.a, t.b, t.c];
        let (mut places, mut values) = ([t.a; SPOTS], [INFINITE; SPOTS]);
        for k in 0..3 {
            let half_edge = 3 * triangle + k as u32;
            let owner = side.edge_owner(half_edge);
            places[k] = corners[k];
            // An edge that is nearly near may lead to a triangle of a cluster that is not: its other corner has no value.
            if work.is_started(vertices[k]) {
                values[k] = work.value(vertices[k]);
            }
            values[3 + k] = work.edge_value(owner);
            places[3 + k] = corners[k];
            if values[3 + k] < INFINITE {
                let along = work.edge_along(owner, 2);
                let along = if owner == half_edge {
                    along
                } else {
                    1.0 - along
                };
                places[3 + k] = corners[k].lerp(corners[(k + 1) % 3], along);
            }
        }
        let size = t.longest_edge();
        let count = (size / side.query.spacing).ceil().clamp(1.0, FACE_CELLS);
        Self {
            side,
            work,
            triangle,
            vertices,
            t,
            places,
            values,
            lowest: values.into_iter().fold(INFINITE, f32::min),
            count,
            refinements: work.refinements(size / count),
            best: Vec3::splat(1.0 / 3.0).extend(INFINITE),
        }
    }

    /// Samples the middles of its cells.
    fn sample(&mut self) {
        let mut waiting = Waiting::new();
        let (side, t, best) = (self.side, &self.t, &mut self.best);
        let mut take = |all: &mut [Vec3]| {
            let values = side.values_of(&places_of(all, |weights| point_of(t, *weights)));
            for (weights, value) in all.iter().zip(values) {
                if value < best.w {
                    *best = weights.extend(value);
                }
            }
        };
        for row in 0..self.count as u32 {
            for cell in 0..=2 * row {
                waiting.add(cell_middle(row, cell, 1.0 / self.count), &mut take);
            }
        }
        waiting.finish(take);
    }

    fn compare(&self) {
        let (side, work, triangle) = (self.side, self.work, self.triangle);
        let large = side.is_large(self.t.longest_edge());
        for spot in 0..FACE_SPOT {
            // A value that is no number is not below either.
            if !(self.values[spot] <= side.query.distance) {
                continue;
            }
            let (vertex, owner) = (
                self.vertices[spot % 3],
                side.edge_owner(3 * triangle + spot as u32 % 3),
            );
            let (node, veto) = match spot < 3 {
                true => (vertex, &work.vetoes[vertex as usize]),
                false => (work.face_node(owner / 3), &work.edge_vetoes[owner as usize]),
            };
            work.link(work.face_node(triangle), node);
            if self.descends_to_spot(spot) || (large && self.descends_inwards(spot)) {
                veto.store(1, Relaxed);
            }
        }
        if large && side.query.sampling == SAMPLING_ALL {
            work.large_faces[side.add(LARGE_FACES)].store(triangle, Relaxed);
        }
    }

    /// The minimum inside, if it is one of its own, joins the spots and the candidates.
    fn add_face(&mut self) {
        let rim = &self.values[..FACE_SPOT];
        let face = self.best;
        let p = point_of(&self.t, face.truncate());
        let below = |(&value, place): (&f32, &Vec3)| {
            value == INFINITE || self.side.descends(value, face.w, place.distance(p))
        };
        if !(face.w <= self.side.query.distance && rim.iter().zip(&self.places).all(below)) {
            return;
        }
        self.places[FACE_SPOT] = p;
        self.values[FACE_SPOT] = face.w;
        self.work.set_face(self.triangle, [face.y, face.z]);
        self.work
            .add_candidate(self.work.face_number(self.triangle));
    }

    /// Whether the surface descends from a spot to another.
    fn descends_to_spot(&self, spot: usize) -> bool {
        let (value, place) = (self.values[spot], self.places[spot]);
        (self.values.iter().zip(&self.places)).any(|(&other, there)| {
            other < value && self.side.descends(value, other, place.distance(*there))
        })
    }

    /// Whether the surface descends from a spot into a large face, whose own minima are not among the spots.
    fn descends_inwards(&self, spot: usize) -> bool {
        let (side, t) = (self.side, &self.t);
        let corners = [t.a, t.b, t.c];
        let corner = |k: usize| corners[(spot + k) % 3];
        // A step inwards: from an edge square to it, from a corner along the line that halves its angle.
        let from = corner(0);
        let next = (corner(1) - from).normalize();
        let inwards = match spot >= 3 {
            true => {
                let inwards = t.middle() - from;
                inwards - inwards.dot(next) * next
            }
            false => next + (corner(2) - from).normalize(),
        };
        let (size, step) = (inwards.length(), 0.5 * side.query.spacing);
        size > 0.0 && {
            let there = side.value_of(self.places[spot] + inwards * (step / size));
            side.descends(self.values[spot], there, step)
        }
    }
}
