//! The first contact of two rigid bodies, the second on a screw motion between two poses.
//!
//! Conservative advancement (Mirtich 1996) for each pair of subtrees: a direction separates two boxes now, and how fast their own points
//! come closer along it bounds for how long it does. A pair is opened at the time until which it is proved apart, the larger of both
//! first, and pairs that a contact is known before are dropped. So each pair takes the steps that its own size and motion ask for.

// A comparison with NaN proves nothing: what is not known to be greater counts as not greater.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use super::closest::Closest;
use super::impacts::{Features, Impact};
use super::rigid_shape::{Course, HalfBox, MovedPart, StillPart};
use super::screw::Screw;
use super::vector::Vector;
use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::hierarchy::dual::{Branch, FittedSurface};
use crate::geometry::simd::WIDTH;
use crate::geometry::triangle::Triangle;
use crate::geometry::triangle::distance::triangle_distance;
use crate::interrupt;
use crate::memory;
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What a sweep found, and the work it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct RigidSweep {
    /// The first impact, in the frame of the first body; None is a proof.
    pub impact: Option<Impact>,
    /// How often a pair of boxes or triangles was looked at. Depends on the threads.
    pub steps: u64,
}

/// The first impact while the second body moves on the screw from pose `from` to pose `to` in the frame of the first.
///
/// Features at most `tolerance` apart meet. A hit is not late; the features are at most 1.2 times the tolerance apart then.
pub fn sweep_rigid(
    a: FittedSurface,
    b: FittedSurface,
    from: &DAffine3,
    to: &DAffine3,
    tolerance: f64,
) -> RigidSweep {
    if a.surface.triangles.is_empty() || b.surface.triangles.is_empty() {
        return RigidSweep::default();
    }
    let search = RigidSearch::new(a, b, from, to, tolerance);
    let parts = search.parts();
    let (next, soonest) = (AtomicUsize::new(0), AtomicU64::new(1.0f64.to_bits()));
    // Not a broadcast: of an engine's threads, some may never come.
    let searchers = (0..rayon::current_num_threads()).into_par_iter();
    let search_on = |_| {
        let mut part = RigidPart {
            search: &search,
            soonest: &soonest,
            first: None,
            steps: 0,
        };
        while let Some(&pair) = parts.open.get(next.fetch_add(1, Ordering::Relaxed)) {
            part.below(pair);
        }
        (part.first, part.steps)
    };
    let found: Vec<_> = searchers.with_max_len(1).map(search_on).collect();
    RigidSweep {
        impact: found
            .iter()
            .filter_map(|(first, _)| *first)
            .reduce(Impact::sooner),
        steps: found.iter().map(|(_, steps)| steps).sum::<u64>() + parts.steps,
    }
}

/// A subtree or a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Element {
    Branch(Branch),
    Triangle(u32),
}

/// Two elements, the first of the body that stays, that are proved apart until a time.
#[derive(Clone, Copy, Debug)]
struct ElementPair {
    still: Element,
    moving: Element,
    time: f64,
}

impl ElementPair {
    /// By time; the order of the trees decides between equals.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let key = |p: &Self| (p.time.to_bits(), p.still, p.moving);
        key(self).cmp(&key(other))
    }
}

/// What all threads of a search share.
struct RigidSearch<'a> {
    still: FittedSurface<'a>,
    moving: FittedSurface<'a>,
    /// Whether the body that stays is the second. The smaller one moves, so that bounds on its motion are tight.
    swapped: bool,
    screw: Screw,
    from: DAffine3,
    course: Course,
    /// Triangles this close have met. More than what is kept, so that every step leads on.
    enough: f64,
}

/// Pairs to begin with.
#[derive(Default)]
struct FirstPairs {
    open: Vec<ElementPair>,
    steps: u64,
}

/// Pairs that a search is cut into: enough for many cores.
const PARTS: usize = 256;

/// Steps that a pair of elements takes before it is opened.
const STEPS_UNOPENED: usize = 8;

/// Steps that two triangles take before they count as met. Only bodies that slide along each other for thousands of tolerances, hardly
/// farther apart than that, come near it.
const MOST_STEPS: usize = 20_000;

impl<'a> RigidSearch<'a> {
    fn new(
        a: FittedSurface<'a>,
        b: FittedSurface<'a>,
        from: &DAffine3,
        to: &DAffine3,
        tolerance: f64,
    ) -> Self {
        let screw = Screw::between(from, to);
        let size = |body: &FittedSurface| body.bvh.bounds().size().max_element();
        let swapped = size(&b) > size(&a);
        let velocities = screw.velocities();
        let radius = |body: &FittedSurface| {
            let bounds = body.bvh.bounds();
            bounds.min.abs().max(bounds.max.abs()).as_dvec3().length()
        };
        let reach = radius(&b) + from.translation.length();
        let farthest = radius(&a) + reach + screw.longest_path(reach);
        // A place is off by a few roundings of the farthest, its height by a few more.
        let slack = 64.0 * f64::EPSILON * farthest + f64::MIN_POSITIVE;
        let separation = tolerance.max(64.0 * slack);
        let (still, moving) = if swapped { (b, a) } else { (a, b) };
        Self {
            still,
            moving,
            swapped,
            screw,
            from: *from,
            course: Course {
                velocities: if swapped {
                    velocities.seen_from(from)
                } else {
                    velocities
                },
                keep: separation + slack,
            },
            enough: 1.125 * separation,
        }
    }

    /// Where the moving body stands in the frame of the other.
    fn place(&self, time: f64) -> DAffine3 {
        let there = self.screw.at(time) * self.from;
        if !self.swapped {
            return there;
        }
        let back = there.matrix3.transpose();
        DAffine3::from_mat3_translation(back, -(back * there.translation))
    }

    fn still_part(&self, element: Element) -> StillPart {
        match element {
            Element::Triangle(t) => StillPart::Triangle(self.still.surface.corners_f64(t)),
            Element::Branch(branch) => StillPart::HalfBox(block(self.still.bvh, branch)),
        }
    }

    fn moved_part(&self, element: Element, place: &DAffine3) -> MovedPart {
        match element {
            Element::Triangle(t) => MovedPart::triangle(&self.moving.surface.corners_f64(t), place),
            Element::Branch(branch) => MovedPart::block(&block(self.moving.bvh, branch), place),
        }
    }

    /// Pairs to begin with, earliest first. They do not depend on the number of threads.
    fn parts(&self) -> FirstPairs {
        let root = Element::Branch(Branch::ROOT);
        let mut parts = FirstPairs {
            open: vec![ElementPair {
                still: root,
                moving: root,
                time: 0.0,
            }],
            steps: 0,
        };
        let is_leaf = |p: &ElementPair| {
            matches!(p.still, Element::Triangle(_)) && matches!(p.moving, Element::Triangle(_))
        };
        while parts.open.len() < PARTS && !parts.open.iter().all(is_leaf) {
            let mut next = Vec::new();
            for pair in parts.open {
                if is_leaf(&pair) {
                    memory::add(&mut next, pair);
                } else {
                    self.open(&pair, 1.0, &mut next, &mut parts.steps);
                }
            }
            parts.open = next;
        }
        parts.open.sort_unstable_by(ElementPair::order);
        parts
    }

    /// Adds the pairs that a pair falls into, without those that are apart until after `limit`.
    fn open(&self, pair: &ElementPair, limit: f64, out: &mut Vec<ElementPair>, steps: &mut u64) {
        let radius = |bvh: &Bvh, element: Element| match element {
            Element::Triangle(_) => None,
            Element::Branch(branch) => Some(block(bvh, branch).radius()),
        };
        let place = self.place(pair.time);
        let mut offer = |still: Element, moving: Element, parts: (StillPart, MovedPart)| {
            let time = self.advanced(moving, parts, pair.time, limit, steps);
            if let Some(time) = time {
                let pair = ElementPair {
                    still,
                    moving,
                    time,
                };
                memory::add(out, pair);
            }
        };
        // None is less than any radius.
        if radius(self.still.bvh, pair.still) >= radius(self.moving.bvh, pair.moving) {
            let moved = self.moved_part(pair.moving, &place);
            children(self.still.bvh, pair.still, |child| {
                offer(child, pair.moving, (self.still_part(child), moved));
            });
        } else {
            let still = self.still_part(pair.still);
            children(self.moving.bvh, pair.moving, |child| {
                offer(pair.still, child, (still, self.moved_part(child, &place)));
            });
        }
    }

    /// Until when two elements are proved apart, as far as pays before they are opened; None if that is after `limit`.
    fn advanced(
        &self,
        moving: Element,
        (still, mut moved): (StillPart, MovedPart),
        from: f64,
        limit: f64,
        steps: &mut u64,
    ) -> Option<f64> {
        // What steps shorter than this gain, opening gains too.
        let size = match (&still, &moved) {
            (StillPart::Triangle(_), MovedPart::Triangle(_)) => return Some(from),
            (StillPart::HalfBox(block), MovedPart::Triangle(_))
            | (StillPart::Triangle(_), MovedPart::HalfBox(block, _)) => block.radius(),
            (StillPart::HalfBox(a), MovedPart::HalfBox(b, _)) => a.radius().max(b.radius()),
        };
        let mut time = from;
        for _ in 0..STEPS_UNOPENED {
            *steps += 1;
            let duration = self.course.separated_for(&still, &moved, limit - time);
            time += duration;
            if time > limit {
                return None;
            }
            if duration * self.course.speed(&moved) < size {
                break;
            }
            moved = self.moved_part(moving, &self.place(time));
        }
        Some(time)
    }
}

/// What one thread does of a search.
struct RigidPart<'a> {
    search: &'a RigidSearch<'a>,
    /// Bits of the earliest contact found by any thread. Only pairs that are apart until after it are dropped, so the answer does not
    /// depend on who found it.
    soonest: &'a AtomicU64,
    first: Option<Impact>,
    steps: u64,
}

impl RigidPart<'_> {
    fn limit(&self) -> f64 {
        f64::from_bits(self.soonest.load(Ordering::Relaxed))
    }

    /// Searches below a pair, the earliest first.
    fn below(&mut self, start: ElementPair) {
        let mut stack = vec![start];
        while let Some(pair) = stack.pop() {
            interrupt::check();
            let limit = self.limit();
            if pair.time > limit {
                continue;
            }
            if let (Element::Triangle(i), Element::Triangle(j)) = (pair.still, pair.moving) {
                self.meet(i, j, pair.time);
                continue;
            }
            let first = stack.len();
            self.search.open(&pair, limit, &mut stack, &mut self.steps);
            stack[first..].sort_unstable_by(|p, q| q.order(p));
        }
    }

    /// Advances two triangles until they meet.
    fn meet(&mut self, i: u32, j: u32, from: f64) {
        let search = self.search;
        let still = search.still.surface.corners_f64(i);
        let corners = search.moving.surface.corners_f64(j);
        let mut time = from;
        for step in 1.. {
            interrupt::check();
            self.steps += 1;
            let place = search.place(time);
            let moved = corners.map(|p| place.transform_point3(p));
            let closest = triangle_distance(&still, &moved);
            let duration = if closest.distance <= search.enough || step == MOST_STEPS {
                0.0
            } else {
                let n = (closest.b - closest.a) / closest.distance;
                let parts = (StillPart::Triangle(still), MovedPart::Triangle(moved));
                search.course.separated_along(n, &parts.0, &parts.1)
            };
            let next = time + duration;
            if next > self.limit() {
                return;
            }
            if !(next > time) {
                let started = time == 0.0 && closest.distance == 0.0;
                self.offer(search.impact([i, j], [&still, &moved], time, started));
                return;
            }
            time = next;
        }
    }

    fn offer(&mut self, impact: Impact) {
        self.soonest
            .fetch_min(impact.time.to_bits(), Ordering::Relaxed);
        self.first = Some(self.first.map_or(impact, |first| first.sooner(impact)));
    }
}

impl RigidSearch<'_> {
    /// The impact of two triangles that have met, in the frame of the first body: by their closest features.
    fn impact(
        &self,
        [i, j]: [u32; 2],
        [still, moved]: [&Triangle; 2],
        time: f64,
        started: bool,
    ) -> Impact {
        let one = NamedTriangle::new(&self.still, i, still);
        let other = NamedTriangle::new(&self.moving, j, moved);
        let (a, b) = if self.swapped {
            (other, one)
        } else {
            (one, other)
        };
        let mut impact = a.closest_features(&b, time);
        if started {
            impact.features = Features::Start([a.index, b.index]);
            impact.weights = [0.0; 4];
            impact.normal = DVec3::ZERO;
        }
        if self.swapped {
            let there = self.screw.at(time) * self.from;
            impact.points = impact.points.map(|p| there.transform_point3(p));
            impact.normal = there.transform_vector3(impact.normal);
        }
        impact
    }
}

/// A triangle, its place, and what its parts are called.
struct NamedTriangle<'a> {
    index: u32,
    names: [u32; 3],
    corners: &'a Triangle,
}

impl<'a> NamedTriangle<'a> {
    fn new(body: &FittedSurface, index: u32, corners: &'a Triangle) -> Self {
        Self {
            index,
            names: body.surface.triangles[index as usize],
            corners,
        }
    }

    /// The corners of a side, the lower vertex first.
    fn side(&self, k: usize) -> [usize; 2] {
        let next = (k + 1) % 3;
        if self.names[k] < self.names[next] {
            [k, next]
        } else {
            [next, k]
        }
    }

    /// The closest features of two triangles as an impact; the lowest of those that are equally close.
    fn closest_features(&self, other: &Self, time: f64) -> Impact {
        let mut nearest = f64::INFINITY;
        let mut best = Impact {
            time,
            features: Features::Start([self.index, other.index]),
            points: [self.corners[0], other.corners[0]],
            weights: [0.0; 4],
            normal: DVec3::ZERO,
        };
        let mut offer = |closest: Closest<f64>, features, points| {
            if nearest.is_infinite() || (closest.squared, features) < (nearest, best.features) {
                let apart = DVec3::from_array(closest.apart).normalize_or_zero();
                nearest = closest.squared;
                best.features = features;
                best.points = points;
                best.weights = closest.weights;
                best.normal = match features {
                    Features::FaceVertex(..) => apart,
                    _ => -apart,
                };
            }
        };
        let from = |origin: DVec3, p: DVec3| -> Vector<f64> { (p - origin).to_array() };
        for k in 0..3 {
            for (of, face, first) in [(self, other, true), (other, self, false)] {
                let p = of.corners[k];
                let closest = Closest::to_triangle(&face.corners.map(|q| from(p, q)));
                let foot = p - DVec3::from_array(closest.apart);
                if first {
                    offer(
                        closest,
                        Features::VertexFace(of.names[k], face.index),
                        [p, foot],
                    );
                } else {
                    offer(
                        closest,
                        Features::FaceVertex(face.index, of.names[k]),
                        [foot, p],
                    );
                }
            }
            for m in 0..3 {
                let (e, f) = (self.side(k), other.side(m));
                let [p, q] = e.map(|k| self.corners[k]);
                let [r, s] = f.map(|m| other.corners[m]);
                let closest = Closest::of_edges(&[from(p, q), from(p, r), from(p, s)]);
                let [wp, wq, wr, ws] = closest.weights;
                let features =
                    Features::EdgeEdge(e.map(|k| self.names[k]), f.map(|m| other.names[m]));
                offer(closest, features, [p * wp + q * wq, r * wr + s * ws]);
            }
        }
        best
    }
}

fn block(bvh: &Bvh, branch: Branch) -> HalfBox {
    let (node, slot) = branch.place();
    HalfBox::of(&bvh.nodes()[node], slot)
}

/// What is directly below an element: the children of a node, the triangles of a leaf.
fn children(bvh: &Bvh, element: Element, mut visit: impl FnMut(Element)) {
    let Element::Branch(branch) = element else {
        return;
    };
    let (index, slot) = branch.place();
    if slot.is_some() {
        branch
            .items(bvh)
            .iter()
            .for_each(|&t| visit(Element::Triangle(t)));
        return;
    }
    let node = &bvh.nodes()[index];
    for slot in 0..WIDTH {
        let child = node.child(slot);
        if child != Child::Unused {
            visit(Element::Branch(Branch::below(index as u32, slot, child)));
        }
    }
}

#[cfg(test)]
mod tests;
