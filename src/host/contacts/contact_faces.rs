//! Contacts, fifth: the smallest value inside each face that is searched, and which corners and edges the surface descends from in triangles
//! that have more than their corners to compare: minima on edges or inside, or a large face, whose own minima are listed later.

use super::contact_work::{FACE_ASKED, Work};
use super::{
    Bindings, FACE_CELLS, INFINITE, LARGE_FACES, LISTED_FACES, SAMPLING_ALL, Side, cell_middle,
    moved_along,
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
    for triangle in &work.listed_faces[part] {
        Face::of(side, &work, triangle.load(Relaxed)).compare();
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
            values[k] = work.value(vertices[k]);
            values[3 + k] = work.edge_value(owner);
            places[3 + k] = corners[k];
            if values[3 + k] < INFINITE {
                let along = work.edge_along(owner, 2);
                let along = if owner == half_edge { along } else { 1.0 - along };
                places[3 + k] = corners[k].lerp(corners[(k + 1) % 3], along);
            }
        }
        Self {
            side,
            work,
            triangle,
            vertices,
            t,
            places,
            values,
        }
    }

    fn compare(&mut self) {
        let (side, work, triangle) = (self.side, self.work, self.triangle);
        let large = side.is_large(self.t.longest_edge());
        if work.marks[triangle as usize].load(Relaxed) & FACE_ASKED != 0 {
            self.add_face();
        }
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
        let lowest = rim.iter().copied().fold(INFINITE, f32::min);
        let face = self.minimum(lowest);
        let p = face.x * self.t.a + face.y * self.t.b + face.z * self.t.c;
        let below = |(&value, place): (&f32, &Vec3)| {
            value == INFINITE || self.side.descends(value, face.w, place.distance(p))
        };
        if !(face.w <= self.side.query.distance && rim.iter().zip(&self.places).all(below)) {
            return;
        }
        self.places[FACE_SPOT] = p;
        self.values[FACE_SPOT] = face.w;
        self.work.set_face(self.triangle, [face.y, face.z]);
        self.work.add_candidate(self.work.face_number(self.triangle));
    }

    /// The weights of the smallest value inside a small triangle, and in w that value.
    fn minimum(&self, lowest: f32) -> Vec4 {
        let (side, t) = (self.side, &self.t);
        let size = t.longest_edge();
        let count = (size / side.query.spacing).ceil().max(1.0).min(FACE_CELLS);
        let mut best = Vec3::splat(1.0 / 3.0).extend(INFINITE);
        let value_at =
            |weights: Vec3| side.value_of(weights.x * t.a + weights.y * t.b + weights.z * t.c);
        for row in 0..count as u32 {
            for cell in 0..=2 * row {
                let weights = cell_middle(row, cell, 1.0 / count);
                let value = value_at(weights);
                if value < best.w {
                    best = weights.extend(value);
                }
            }
        }
        // Only what is below the rim is a minimum of its own.
        if !(best.w < lowest - side.query.noise) {
            return best;
        }
        let mut step = 0.5 / count;
        for _ in 0..self.work.refinements(size / count) {
            for way in 0..6 {
                let weights = moved_along(best.truncate(), way, step);
                let value = value_at(weights);
                if value < best.w {
                    best = weights.extend(value);
                }
            }
            step *= 0.5;
        }
        best
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
