//! Contacts, fourth: the smallest value on each edge that is searched. If it is a minimum of its own, the surface descends from both ends to
//! it, and both triangles of the edge have more than their corners to compare.

use super::contact_work::{FACE_LISTED, Work};
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
        super::bindings!(self).for_all(push, GRAIN, count, search_all);
    }
}

fn search_all(side: &Side, part: Range<usize>) {
    let (work, reach) = (Work::of(side), side.reach());
    for half_edge in &work.edge_searches[part] {
        search(side, &work, reach, half_edge.load(Relaxed));
    }
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

/// The minimum between p and q: samples at equal steps, then to both sides of the best at half the step each time, or outwards from both ends of what
/// is level.
fn edge_minimum(
    side: &Side,
    work: &Work,
    [p, q]: [Vec3; 2],
    [first, last]: [f32; 2],
    lower_end: f32,
) -> EdgeMinimum {
    let mut best = EdgeMinimum {
        along: 0.5,
        value: INFINITE,
        begin: 0.5,
        end: 0.5,
    };
    let size = p.distance(q) * (last - first);
    let is_plain = side.query.sampling == SAMPLING_EDGE_CENTRES;
    let count = match is_plain {
        true => 1.0,
        false => (size / side.query.spacing).ceil().max(1.0).min(EDGE_SAMPLES),
    };
    let step = (last - first) / count;
    let level = super::LEVEL_SLOPE * size / count + side.query.noise;
    let value_at = |along: f32| side.value_of(p + (q - p) * along);
    for turn in 0..count as u32 {
        let along = first + (turn as f32 + 0.5) * step;
        if best.take(along, value_at(along), level) {
            best.end = along;
        }
    }
    // Only what is below both ends is a minimum of its own.
    let mut is_level = false;
    if !is_plain && best.value < lower_end - side.query.noise {
        is_level = best.end - best.begin > 1.5 * step;
        let mut fine = step;
        for _ in 0..work.refinements(size / count) {
            fine *= 0.5;
            let from = if is_level { best.end } else { best.along };
            let along = (from + fine).clamp(0.0, 1.0);
            if best.take(along, value_at(along), level) && is_level {
                best.end = along;
            }
            let from = if is_level { best.begin } else { best.along };
            let along = (from - fine).clamp(0.0, 1.0);
            if best.take(along, value_at(along), level) && is_level {
                best.begin = along;
            }
        }
    }
    if !is_level {
        (best.begin, best.end) = (best.along, best.along);
    }
    best
}

fn search(side: &Side, work: &Work, reach: [Vec3; 2], half_edge: u32) {
    let (triangle, from) = (half_edge / 3, half_edge as usize % 3);
    let vertices = side.mesh.indices[triangle as usize];
    let ends = [vertices[from], vertices[(from + 1) % 3]];
    let [p, q] = ends.map(|vertex| side.placed(side.mesh.positions.load(vertex)));
    let [at_p, at_q] = ends.map(|vertex| work.value(vertex));
    let part = near_part(p, q, reach);
    if !(part[0] < part[1]) {
        return;
    }
    let found = edge_minimum(side, work, [p, q], part, at_p.min(at_q));
    let size = p.distance(q);
    let own = found.value <= side.query.distance
        && side.descends(at_p, found.value, found.along * size)
        && side.descends(at_q, found.value, (1.0 - found.along) * size);
    if !own {
        return;
    }
    let EdgeMinimum {
        along,
        value,
        begin,
        end,
    } = found;
    work.set_edge(half_edge, [begin, end, along, value]);
    work.add_candidate(work.edge_number(half_edge));
    if begin != end {
        work.add_candidate(work.edge_number(half_edge) + 1);
    }
    list_face(work, triangle);
    let twin = side.edge_twin(half_edge);
    if twin != NONE {
        list_face(work, twin / 3);
    }
}

fn list_face(work: &Work, triangle: u32) {
    let mark = &work.marks[triangle as usize];
    if mark.fetch_or(FACE_LISTED, Relaxed) & FACE_LISTED == 0 {
        work.add_listed_face(triangle);
    }
}
