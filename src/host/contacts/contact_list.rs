//! Contacts, seventh: the vertices, edges and faces from which the surface does not descend.

use super::contact_work::Work;
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
            for number in &work.candidates[part] {
                if let Some(found) = candidate(side, &work, number.load(Relaxed)) {
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
    })
}

/// Where a minimum on an edge begins, or ends.
fn at_edge(side: &Side, work: &Work, half_edge: u32, end: u32) -> Found {
    let (triangle, from) = (half_edge / 3, half_edge as usize % 3);
    let [begins, ends] = [0, 1].map(|which| work.edge_along(half_edge, which));
    let weights_at = |along: f32| {
        let mut weights = Vec3::ZERO;
        weights[from] = 1.0 - along;
        weights[(from + 1) % 3] = along;
        weights
    };
    let area = area_of(&side.placed_triangle(triangle)) * (2.0 / 3.0);
    Found {
        kind: Kind::Edge,
        feature: half_edge,
        place: end,
        triangle,
        weights: weights_at(if end == 0 { begins } else { ends }),
        level: weights_at(0.5 * (begins + ends)),
        area: area.min(side.query.spacing * side.query.spacing),
        node: work.face_node(triangle),
    }
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
    }
}

/// What a candidate adds to the list, unless the surface descends from it.
fn candidate(side: &Side, work: &Work, number: u32) -> Option<Found> {
    let (edges, faces) = (work.edge_number(0), work.face_number(0));
    if number < edges {
        let is_vetoed = work.vetoes[number as usize].load(Relaxed) != 0;
        return (!is_vetoed).then(|| at_vertex(side, work, number))?;
    }
    if number < faces {
        let (half_edge, end) = ((number - edges) / 2, (number - edges) % 2);
        let is_vetoed = work.edge_vetoes[half_edge as usize].load(Relaxed) != 0;
        return (!is_vetoed).then(|| at_edge(side, work, half_edge, end));
    }
    Some(at_face(side, work, number - faces))
}
