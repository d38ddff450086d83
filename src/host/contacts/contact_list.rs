//! Contacts, seventh: the vertices, edges and faces from which the surface does not descend.

use super::contact_work::{LEVEL_BEFORE, LEVEL_BEYOND, Work};
use super::edge_lines::{Crossing, Lines};
use super::list_contact::{Found, Kind, Lister};
use super::{Bindings, CANDIDATES, NONE, Side};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactList;
use crate::host::meeting::Corners;
use glam::Vec3;
use std::sync::atomic::Ordering::Relaxed;

/// Candidates that are worth a task.
const GRAIN: usize = 256;

impl Native for ContactList<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let count = |side: &Side| side.count(CANDIDATES);
        super::bindings!(self).for_all(push, GRAIN, count, |side, part| {
            let work = Work::of(side);
            let lister = Lister::new(side, &work, &self.raw);
            let lines = Lines::of(side, &self.raw);
            for number in &work.candidates[part] {
                if let Some(found) = candidate(side, &work, &lines, number.load(Relaxed)) {
                    lister.list(&found);
                }
            }
        });
    }
}

fn area_of(t: &Corners) -> f32 {
    0.5 * (t.b - t.a).cross(t.c - t.a).length()
}

fn at_vertex(side: &Side, work: &Work, vertex: u32) -> Option<Found> {
    let home = work.homes[vertex as usize].load(Relaxed);
    if home == NONE {
        return None;
    }
    let corners = side.mesh.indices[home as usize];
    let own = corners.iter().position(|&v| v == vertex).unwrap_or(2);
    Some(Found {
        kind: Kind::Vertex,
        feature: vertex,
        place: 0,
        triangle: home,
        weights: Vec3::AXES[own],
        level: Vec3::AXES[own],
        area: work.areas[vertex as usize].load(Relaxed) as f32 / side.query.area_scale,
        node: vertex,
        crossing: None,
    })
}

/// Where a minimum on an edge begins, or ends.
fn at_edge(side: &Side, work: &Work, lines: &Lines, half_edge: u32, end: u32) -> Option<Found> {
    let (triangle, from) = (half_edge / 3, half_edge as usize % 3);
    let t = side.placed_triangle(triangle);
    let corners = [t.a, t.b, t.c];
    let (p, q) = (corners[from], corners[(from + 1) % 3]);
    let [begins, ends] = [0, 1].map(|which| work.edge_along(half_edge, which));
    let between = 0.5 * (begins.max(0.0) + ends.min(1.0));
    let value = work.edge_value(half_edge);
    let is_level = begins != ends;
    let mut along = if end == 0 { begins } else { ends };
    let mut crossing = lines.crossing_near([p, q], along, value);
    // What is level up to an end of the edge is a contact there. Where else it ends is one where the other body's edge says so.
    if crossing.is_none() && (begins == LEVEL_BEFORE || ends == LEVEL_BEYOND) {
        return None;
    }
    // What is too far by the field's interpolation may not be by the edges.
    let query = side.query;
    let is_near = |found: &Crossing| found.apart.abs() <= query.unit * query.distance;
    if value > query.distance && (is_level || !crossing.as_ref().is_some_and(is_near)) {
        return None;
    }
    if let Some(found) = &crossing {
        along = found.along;
    }
    if let Some(found) = crossing.take_if(|_| is_level) {
        // What is level ends as far inside of the other body's edge as it is deep.
        let inside = (-value).max(0.0) / (found.sine * p.distance(q));
        along = match end {
            0 => (along + inside).min(between),
            _ => (along - inside).max(between),
        };
    }
    let weights_at = |along: f32| {
        let mut weights = Vec3::ZERO;
        weights[from] = 1.0 - along;
        weights[(from + 1) % 3] = along;
        weights
    };
    Some(Found {
        kind: Kind::Edge,
        feature: half_edge,
        place: end,
        triangle,
        weights: weights_at(along),
        level: weights_at(if is_level { between } else { along }),
        area: (area_of(&t) * (2.0 / 3.0)).min(side.query.spacing * side.query.spacing),
        node: work.face_node(triangle),
        crossing,
    })
}

fn at_face(side: &Side, work: &Work, triangle: u32) -> Found {
    let [second, third] = work.face(triangle);
    let weights = Vec3::new(1.0 - second - third, second, third);
    Found {
        kind: Kind::Face,
        feature: triangle,
        place: 0,
        triangle,
        weights,
        level: weights,
        area: area_of(&side.placed_triangle(triangle)),
        node: work.face_node(triangle),
        crossing: None,
    }
}

/// What a candidate adds to the list, unless the surface descends from it.
fn candidate(side: &Side, work: &Work, lines: &Lines, number: u32) -> Option<Found> {
    let (edges, faces) = (work.edge_number(0), work.face_number(0));
    if number < edges {
        let is_vetoed = work.vetoes[number as usize].load(Relaxed) != 0;
        return (!is_vetoed).then(|| at_vertex(side, work, number))?;
    }
    if number < faces {
        let (half_edge, end) = ((number - edges) / 2, (number - edges) % 2);
        let is_vetoed = work.edge_vetoes[half_edge as usize].load(Relaxed) != 0;
        return (!is_vetoed).then(|| at_edge(side, work, lines, half_edge, end))?;
    }
    Some(at_face(side, work, number - faces))
}
