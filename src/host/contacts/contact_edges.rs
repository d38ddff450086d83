//! Contacts, fourth: the smallest value on each edge that is searched. If it is a minimum of its own, the surface descends from both ends to
//! it, and both triangles of the edge have more than their corners to compare.

use super::contact_work::{FACE_LISTED, LEVEL_BEFORE, LEVEL_BEYOND, Work};
use super::edge_lines::{FLAT_COSINE, Lines, face_normal};
use super::eight::{Waiting, places_of};
use super::{Bindings, EDGE_SEARCHES, INFINITE, NONE, SAMPLING_EDGE_CENTRES, Side};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactEdges;
use glam::Vec3;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Edges that are worth a task.
const GRAIN: usize = 128;
/// The most samples along an edge before its minimum is refined.
const EDGE_SAMPLES: f32 = 32.0;

impl Native for ContactEdges<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let count = |side: &Side| side.count(EDGE_SEARCHES);
        super::bindings!(self).for_all(push, GRAIN, count, |side, part| {
            search_all(side, &Lines::of(side, &self.raw), part);
        });
    }
}

fn search_all(side: &Side, lines: &Lines, part: Range<usize>) {
    let (work, reach) = (Work::of(side), side.reach());
    let (mut sampled, mut refined) = (Waiting::new(), Waiting::new());
    let mut refine = |edge: Edge| {
        if edge.is_plain(side) {
            edge.finish(side, &work, lines);
        } else if edge.best.value < edge.end_to_be_below() - side.query.noise {
            refined.add(edge, |edges| refine_all(side, &work, lines, edges));
        }
    };
    for half_edge in &work.edge_searches[part] {
        if let Some(edge) = Edge::of(side, &work, reach, half_edge.load(Relaxed)) {
            sampled.add(edge, |edges| sample_all(side, edges, &mut refine));
        }
    }
    sampled.finish(|edges| sample_all(side, edges, &mut refine));
    refined.finish(|edges| refine_all(side, &work, lines, edges));
}

/// The part of a segment that can be within the contact distance.
fn near_part(p: Vec3, q: Vec3, [low, high]: [Vec3; 2]) -> [f32; 2] {
    let mut part = [0.0_f32, 1.0_f32];
    for axis in 0..3 {
        let way = q[axis] - p[axis];
        if way.abs() < 1e-30 {
            if p[axis] < low[axis] || p[axis] > high[axis] {
                return [1.0, 0.0];
            }
            continue;
        }
        let (first, last) = ((low[axis] - p[axis]) / way, (high[axis] - p[axis]) / way);
        part = [part[0].max(first.min(last)), part[1].min(first.max(last))];
    }
    part
}

/// Where on an edge the field is smallest, and its value there; and where it is level around, from where to where.
#[derive(Clone, Copy)]
struct EdgeMinimum {
    along: f32,
    value: f32,
    begin: f32,
    end: f32,
}

impl EdgeMinimum {
    /// Compares with a sample. Returns whether it is as low as what was known, as far as what is level goes.
    fn take(&mut self, along: f32, value: f32, level: f32) -> bool {
        let joins = value <= self.value + level;
        if value < self.value - level {
            self.begin = along;
        }
        if value < self.value {
            self.value = value;
            self.along = along;
        }
        joins
    }
}

/// An edge whose minimum is searched.
#[derive(Clone, Copy)]
struct Edge {
    half_edge: u32,
    p: Vec3,
    q: Vec3,
    /// The values at p and q.
    ends: [f32; 2],
    /// Where the part of it that is searched starts, the steps in which it is sampled, and how many.
    first: f32,
    step: f32,
    count: u32,
    /// Values that differ by less are level.
    level: f32,
    is_level: bool,
    /// Halvings of the step.
    refinements: u32,
    best: EdgeMinimum,
}

impl Edge {
    fn of(side: &Side, work: &Work, reach: [Vec3; 2], half_edge: u32) -> Option<Self> {
        let (triangle, from) = (half_edge / 3, half_edge as usize % 3);
        let vertices = side.mesh.indices[triangle as usize];
        let vertices = [vertices[from], vertices[(from + 1) % 3]];
        let [p, q] = vertices.map(|vertex| work.place(vertex));
        let [first, last] = near_part(p, q, reach);
        if first >= last {
            return None;
        }
        let size = p.distance(q) * (last - first);
        let samples = (size / side.query.spacing).ceil().min(EDGE_SAMPLES);
        let count = match side.query.sampling == SAMPLING_EDGE_CENTRES {
            true => 1,
            false => (samples as u32).max(1),
        };
        Some(Self {
            half_edge,
            p,
            q,
            ends: vertices.map(|vertex| work.value(vertex)),
            first,
            step: (last - first) / count as f32,
            count,
            level: super::LEVEL_SLOPE * size / count as f32 + side.query.noise,
            is_level: false,
            refinements: work.refinements(size / count as f32),
            best: EdgeMinimum {
                along: 0.5,
                value: INFINITE,
                begin: 0.5,
                end: 0.5,
            },
        })
    }

    fn is_plain(&self, side: &Side) -> bool {
        side.query.sampling == SAMPLING_EDGE_CENTRES
    }

    /// Only what is below both ends is a minimum of its own, and what is level and below one of them ends on its way there.
    fn end_to_be_below(&self) -> f32 {
        match self.is_level {
            true => self.ends[0].max(self.ends[1]),
            false => self.ends[0].min(self.ends[1]),
        }
    }

    fn at(&self, along: f32) -> Vec3 {
        self.p + (self.q - self.p) * along
    }

    fn sampled_along(&self, turn: u32) -> f32 {
        self.first + (turn as f32 + 0.5) * self.step
    }

    /// Where it is looked at next: to one side of the best, or outwards from what is level.
    fn refined_along(&self, fine: f32, upwards: bool) -> f32 {
        let from = match (self.is_level, upwards) {
            (false, _) => self.best.along,
            (true, true) => self.best.end,
            (true, false) => self.best.begin,
        };
        (if upwards { from + fine } else { from - fine }).clamp(0.0, 1.0)
    }

    /// Makes what was found a candidate, if it is a minimum of its own.
    fn finish(&self, side: &Side, work: &Work, lines: &Lines) {
        let EdgeMinimum {
            along,
            value,
            mut begin,
            mut end,
        } = self.best;
        if !self.is_level {
            (begin, end) = (along, along);
        }
        // Between nodes an edge of the other body may be nearer than the field tells.
        if !(value <= side.query.distance + side.field.params.error) {
            return;
        }
        let (half_edge, size) = (self.half_edge, self.p.distance(self.q));
        let own_normal = face_normal(&side.placed_triangle(half_edge / 3));
        let is_sharp = own_normal.dot(side.normal_beyond(half_edge)) <= FLAT_COSINE;
        let begins = side.descends(self.ends[0], value, along * size);
        let ends = side.descends(self.ends[1], value, (1.0 - along) * size);
        let is_level = begin != end;
        if !(begins && ends) && !((begins || ends) && is_level && is_sharp) {
            return;
        }
        if !begins {
            begin = LEVEL_BEFORE;
        }
        if !ends {
            end = LEVEL_BEYOND;
        }
        work.set_edge(half_edge, [begin, end, along], value);
        if begins {
            work.add_candidate(work.edge_number(half_edge));
        }
        if ends && is_level {
            work.add_candidate(work.edge_number(half_edge) + 1);
        }
        list_face(work, half_edge / 3);
        if is_sharp {
            lines.add([self.p, self.q]);
        }
        let twin = side.edge_twin(half_edge);
        if twin != NONE {
            list_face(work, twin / 3);
        }
    }
}

/// Samples of up to eight edges, at equal steps.
fn sample_all(side: &Side, edges: &mut [Edge], mut then: impl FnMut(Edge)) {
    let most = edges.iter().map(|edge| edge.count).max().unwrap_or(0);
    for turn in 0..most {
        let values = side.values_of(&places_of(edges, |edge| edge.at(edge.sampled_along(turn))));
        for (edge, value) in edges.iter_mut().zip(values) {
            let along = edge.sampled_along(turn);
            if turn < edge.count && edge.best.take(along, value, edge.level) {
                edge.best.end = along;
            }
        }
    }
    for edge in edges {
        edge.is_level = edge.best.end - edge.best.begin > 1.5 * edge.step;
        then(*edge);
    }
}

/// Refines the minima of up to eight edges: to both sides of the best at half the step each time, or outwards from both ends of what is level.
fn refine_all(side: &Side, work: &Work, lines: &Lines, edges: &mut [Edge]) {
    let most = edges.iter().map(|edge| edge.refinements).max().unwrap_or(0);
    let mut part = 1.0;
    for turn in 0..most {
        part *= 0.5;
        for upwards in [true, false] {
            let along = |edge: &Edge| edge.refined_along(part * edge.step, upwards);
            let values = side.values_of(&places_of(edges, |edge| edge.at(along(edge))));
            for (edge, value) in edges.iter_mut().zip(values) {
                let along = along(edge);
                let joins = turn < edge.refinements && edge.best.take(along, value, edge.level);
                if joins && edge.is_level {
                    match upwards {
                        true => edge.best.end = along,
                        false => edge.best.begin = along,
                    }
                }
            }
        }
    }
    edges.iter().for_each(|edge| edge.finish(side, work, lines));
}

fn list_face(work: &Work, triangle: u32) {
    let mark = &work.marks[triangle as usize];
    if mark.fetch_or(FACE_LISTED, Relaxed) & FACE_LISTED == 0 {
        work.add_listed_face(triangle);
    }
}
