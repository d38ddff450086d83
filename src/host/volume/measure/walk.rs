//! Along a ray of a mesh with more spans than are kept beside its list.

use super::{Images, Sums, share};
use crate::host::volume::rays::{NIL, Rays};
use crate::host::volume::spans::is_long;
use glam::Vec2;
use std::sync::atomic::Ordering::Relaxed;

/// A place on the way along a ray of one mesh: in its list, or in its spans.
#[derive(Clone, Copy)]
pub(in crate::host::volume) struct Walk<'a> {
    rays: Rays<'a>,
    rest: [f32; 4],
    node: u32,
    in_list: bool,
    pub(in crate::host::volume) inside: bool,
}

impl<'a> Walk<'a> {
    pub(in crate::host::volume) fn of(rays: Rays<'a>, spans: &[[f32; 4]], ray: usize) -> Self {
        let rest = spans[ray];
        let in_list = is_long(&rest);
        let head = rays.heads[ray].load(Relaxed);
        Self {
            rays,
            rest,
            node: head >> 1,
            in_list,
            inside: in_list && head & 1 == 1,
        }
    }

    pub(in crate::host::volume) fn next_depth(&self) -> f32 {
        match (self.in_list, self.node) {
            (false, _) => self.rest[0],
            (true, NIL) => f32::INFINITY,
            (true, node) => self.rays.depth(node),
        }
    }

    fn is_over(&self) -> bool {
        !self.inside && self.next_depth() == f32::INFINITY
    }

    pub(in crate::host::volume) fn pass(&mut self) {
        self.inside = !self.inside;
        if self.in_list {
            self.node = self.rays.next(self.node);
        } else {
            let [_, a, b, c] = self.rest;
            self.rest = [a, b, c, f32::INFINITY];
        }
    }
}

/// A step along two rays.
struct Step {
    from: f32,
    to: f32,
    was_both: bool,
    both: bool,
    next: [f32; 2],
}

impl Images<'_> {
    /// Steps along two rays from crossing to crossing of either.
    fn walk_both(&self, mut a: Walk, mut b: Walk, mut seen: impl FnMut(Step)) {
        let mut from = 0.0;
        while !a.is_over() && !b.is_over() && from < self.end() {
            let was_both = a.inside && b.inside;
            let next = [a.next_depth(), b.next_depth()];
            let to = next[0].min(next[1]).max(from).min(self.end());
            // One of them moves on in every turn, whatever the depths are: the walk ends.
            if next[0] <= next[1] && next[0] < f32::INFINITY {
                a.pass();
            }
            if next[1] <= next[0] && next[1] < f32::INFINITY {
                b.pass();
            }
            let both = a.inside && b.inside;
            seen(Step {
                from,
                to,
                was_both,
                both,
                next,
            });
            from = to;
        }
    }

    /// Length and first moment in depth of what is inside both.
    pub(super) fn overlap_walks(&self, a: Walk, b: Walk) -> Vec2 {
        let mut sum = Vec2::ZERO;
        self.walk_both(a, b, |step| {
            if step.was_both {
                let length = step.to - step.from;
                sum += length * Vec2::new(1.0, 0.5 * (step.from + step.to));
            }
        });
        sum
    }

    /// What is inside both on one ray. Gives the push of the first mesh's faces along the ray.
    pub(super) fn measure_walks(
        &self,
        sums: &mut Sums,
        a: Walk,
        b: Walk,
        at: Vec2,
        pixel: u32,
    ) -> f32 {
        let (mut start, mut push_of_a) = (0.0, 0.0);
        self.walk_both(a, b, |step| {
            if step.was_both {
                sums.add_stretch(step.from, step.to, at);
            }
            let [next_a, next_b] = step.next;
            if step.both != step.was_both {
                let share = share(next_a, next_b);
                push_of_a += if step.both { -share } else { share };
            }
            if step.both && !step.was_both {
                start = step.to;
            }
            if step.was_both && (!step.both || step.to == self.end()) {
                sums.keep_deepest(start, step.to, pixel);
            }
        });
        push_of_a
    }
}
