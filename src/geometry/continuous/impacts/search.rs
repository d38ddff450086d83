//! The search of one slice of time: pairs of leaves whose boxes meet, dealt out to threads.

use super::super::moving::{Moving, Slice};
use super::super::velocity_bounds::VelocityBounds;
use super::MeetingRule;
use super::collectors::ImpactCollector;
use super::search_part::SearchPart;
use super::swept::Swept;
use crate::geometry::hierarchy::dual::{split, walk};
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::rounding::round_up;
use crate::geometry::self_collision::{NODES, Neighbourhoods, sibling_pairs};
use crate::interrupt;
use crate::memory::ParallelGather;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// What the threads that search one slice share.
pub(super) struct ImpactSearch<'a> {
    pub(super) surfaces: [&'a Moving<'a>; 2],
    pub(super) slices: [&'a Slice; 2],
    /// Both are the same surface.
    pub(super) itself: bool,
    pub(super) rule: MeetingRule,
    /// How far apart boxes may be that hold features that meet, and its square.
    pub(super) margin: f32,
    pub(super) limit_squared: f32,
    pub(super) from: f64,
    /// Boxes hold the ways until here; times are found as if they held all until `to`, so that they do not depend on it.
    pub(super) until: f64,
    pub(super) to: f64,
    /// An impact before this makes it worth to search again with smaller boxes.
    pub(super) give_up: f64,
    /// How far vertices move until then at most, in sizes of triangles.
    sizes_moved: f64,
}

/// Boxes around shorter ways are hardly larger than those of their parts at one time.
const FAR: f64 = 1.0;

/// Of so many parts of a surface one is looked at first.
pub(super) const SAMPLED: usize = 16;

/// The part of the boxes' time that a search begins again with.
const SHORTER: f64 = 1.0 / 8.0;

impl<'a> ImpactSearch<'a> {
    pub(super) fn new(
        surfaces: [&'a Moving<'a>; 2],
        slices: [&'a Slice; 2],
        itself: bool,
        rule: MeetingRule,
        drift: Vec3,
        [from, until, to]: [f64; 3],
        sizes_moved: f64,
    ) -> Self {
        let farthest =
            surfaces[0].magnitude().max(surfaces[1].magnitude()) + drift.abs().max_element();
        let margin = round_up(rule.separation * 1.001) + 32.0 * f32::EPSILON * farthest;
        let squared = f64::from(margin) * f64::from(margin);
        Self {
            surfaces,
            slices,
            itself,
            rule,
            margin,
            limit_squared: round_up(squared * (1.0 + 2e-6) + f64::from(f32::MIN_POSITIVE)),
            from,
            until,
            to,
            give_up: from + SHORTER * (until - from),
            sizes_moved: sizes_moved * (until - from),
        }
    }

    /// Whether one of a few directions separates two triangles at both ends of what is searched, and so in between.
    #[inline(always)]
    pub(super) fn always_apart(&self, a: &Swept, b: &Swept) -> bool {
        let at = |p: &[DVec3; 3], q: &[DVec3; 3], time: f64| {
            [
                p[0].lerp(q[0], time),
                p[1].lerp(q[1], time),
                p[2].lerp(q[2], time),
            ]
        };
        let [a, b] = [a, b].map(|t| [self.from, self.until].map(|time| at(&t.start, &t.end, time)));
        let middle = |t: &[DVec3; 3]| t[0] + t[1] + t[2];
        let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]);
        // The margin covers a thousand times what doubles lose of any coordinate.
        let needed = f64::from(self.margin);
        let separates = |d: DVec3| {
            let range = |t: &[DVec3; 3]| {
                let [x, y, z] = [d.dot(t[0]), d.dot(t[1]), d.dot(t[2])];
                (x.min(y).min(z), x.max(y).max(z))
            };
            let (a, b) = (a.each_ref().map(range), b.each_ref().map(range));
            let gap = (a[0].0 - b[0].1)
                .min(a[1].0 - b[1].1)
                .max((b[0].0 - a[0].1).min(b[1].0 - a[1].1));
            gap > 0.0 && gap * gap > needed * needed * d.length_squared()
        };
        separates(middle(&a[0]) - middle(&b[0]))
            || separates(normal(&a[0]))
            || separates(normal(&b[0]))
            || separates(middle(&a[1]) - middle(&b[1]))
    }

    /// Searches between two surfaces, in parts that do not depend on the number of threads.
    pub(super) fn between<C: ImpactCollector>(
        &self,
        [a, b]: [&Slice; 2],
        collector: impl Fn() -> C + Sync,
    ) -> Vec<C> {
        let still = Placement::default();
        split(&a.bvh, &b.bvh, &still, self.limit_squared, 256)
            .par_chunks(8)
            .map(|parts| {
                let mut part = SearchPart {
                    search: self,
                    cleared: None,
                    velocities: None,
                    collector: collector(),
                };
                walk(&a.bvh, &b.bvh, &still, parts, &mut part);
                part.collector
            })
            .par_gather()
    }

    /// Searches inside of one surface; with `sampled` only every so many parts.
    pub(super) fn inside<C: ImpactCollector>(
        &self,
        slice: &Slice,
        known: Option<&Neighbourhoods>,
        sampled: Option<usize>,
        collector: impl Fn() -> C + Sync,
    ) -> Vec<C> {
        let nodes = slice.bvh.nodes();
        // The first part has the root, which is work of another size.
        let is_sampled = |chunk: usize| sampled.is_none_or(|every| chunk % every == every / 2);
        // What does not touch itself may still come closer than a separation.
        let cleared = known.filter(|_| self.rule.separation == 0.0).map(|known| {
            let [moving, _] = self.surfaces;
            known.cleared(&moving.from, moving.to, [self.from, self.until], &slice.bvh)
        });
        let triangles = self.surfaces[0].from.triangles;
        let velocities = (sampled.is_none() && self.sizes_moved > FAR)
            .then(|| VelocityBounds::new(triangles, slice, self.margin));
        nodes
            .par_chunks(NODES)
            .enumerate()
            .map(|(chunk, run)| {
                let mut part = SearchPart {
                    search: self,
                    cleared: cleared.as_ref(),
                    velocities: velocities.as_ref(),
                    collector: collector(),
                };
                let mut starts = Vec::new();
                interrupt::check();
                for (k, node) in run.iter().enumerate() {
                    if part.gives_up() || !is_sampled(chunk) {
                        return part.collector;
                    }
                    let index = (chunk * NODES + k) as u32;
                    if cleared.as_ref().is_some_and(|c| c.node(index as usize)) {
                        continue;
                    }
                    sibling_pairs(node, index, self.limit_squared, &mut starts);
                    part.inside_leaves(&slice.bvh, node);
                }
                let still = Placement::default();
                walk(&slice.bvh, &slice.bvh, &still, &starts, &mut part);
                part.collector
            })
            .par_gather()
    }
}
