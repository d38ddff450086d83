//! Sorts the crossings of every ray and leaves those where it enters or leaves the mesh: where the winding number becomes, or stops being,
//! zero. Partner: `shaders/volume/spans.comp`.

use super::grid::{Grid, summary_of};
use super::rays::{Crossing, NIL, Rays, SLOTS, Slots, change_of, nodes_of, words_of};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Frame, SpansPush, Summary};
use crate::gpu::shader::kernels::Spans;
use crate::host::runs::merge_runs;
use crate::memory;
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Rays that are worth a thread.
const RUN: usize = 8192;
/// More than two spans: see [`is_long`].
const LONG: [f32; 4] = [1.0, 0.0, 1.0, 0.0];
/// Before everything: where a span starts on a ray that starts inside.
const START: f32 = -1e30;

/// Whether a ray has more than two spans, and is walked along its list. Others are (enters, leaves) twice; what there is not is at
/// infinity.
#[inline]
pub fn is_long(spans: &[f32; 4]) -> bool {
    spans[0] > spans[1]
}

impl Native for Spans<'_> {
    fn run(&self, push: &SpansPush, _groups: [u32; 3]) {
        let frame = summary_of(&self.summaries).frame;
        let grid = Grid::of(&frame);
        let settling = Settling {
            push,
            frame: &frame,
            grid,
            rays: Rays::of(&self.rays),
            slots: Slots::of(&self.slots),
            spans: self.spans.array(),
            nodes: nodes_of(&self.summaries),
        };
        for mesh in 0..push.meshes as usize {
            let seen = merge_runs(
                grid.pixels(),
                RUN,
                Seen::default,
                |run| settling.settle(mesh, run),
                Seen::merge,
            );
            let add = |member: usize| &words_of(&self.summaries, member)[mesh];
            add(offset_of!(Summary, layers)).fetch_max(seen.layers as u32, Relaxed);
            add(offset_of!(Summary, flawed)).fetch_add(seen.flaws, Relaxed);
            add(offset_of!(Summary, turned)).fetch_or(seen.turned, Relaxed);
        }
    }
}

struct Settling<'a> {
    push: &'a SpansPush,
    frame: &'a Frame,
    grid: Grid,
    rays: Rays<'a>,
    slots: Slots<'a>,
    spans: Array<'a, [f32; 4]>,
    nodes: &'a AtomicU32,
}

/// What is seen of the rays of a mesh: the most crossings of one, how many are flawed, and which ways it is wound around.
#[derive(Default)]
struct Seen {
    layers: usize,
    flaws: u32,
    turned: u32,
}

impl Seen {
    fn merge(self, other: Self) -> Self {
        Self {
            layers: self.layers.max(other.layers),
            flaws: self.flaws + other.flaws,
            turned: self.turned | other.turned,
        }
    }
}

/// On the way along the crossings of a ray.
struct Winding {
    winding: i32,
    since: f32,
    flawed: bool,
    turned: u32,
}

/// The bit of a way to be wound around: see `Summary`.
#[inline]
fn turn_of(winding: i32) -> u32 {
    match winding {
        0 => 0,
        1.. => 1,
        _ => 2,
    }
}

impl Winding {
    /// Passes a crossing; gives whether it enters or leaves the mesh. The ray is flawed where parity and signed crossings do not tell the
    /// same: there the mesh is open, not manifold, not consistently oriented, or winds around something more than once.
    #[inline]
    fn pass(&mut self, crossing: Crossing, parity: &mut bool, slack: f32) -> bool {
        let depth = crossing.depth();
        let was_inside = self.winding != 0;
        if depth - self.since > slack {
            self.flawed |= *parity != was_inside;
            self.turned |= turn_of(self.winding);
        }
        self.winding += change_of(crossing.tag());
        *parity = !*parity;
        self.since = depth;
        was_inside != (self.winding != 0)
    }
}

impl Settling<'_> {
    /// Settles rays of a mesh.
    fn settle(&self, mesh: usize, pixels: std::ops::Range<usize>) -> Seen {
        let from_above = self.frame.from_above[mesh] == 1;
        let keep_all = self.push.keep_all == 1;
        // A ray that starts inside has one end more.
        let most = if from_above && !keep_all {
            SLOTS - 1
        } else {
            SLOTS
        };
        let mut seen = Seen::default();
        let mut sorted = Vec::new();
        for pixel in pixels {
            let ray = mesh * self.grid.pixels() + pixel;
            let count = self.slots.count(ray);
            if count == 0 {
                continue;
            }
            seen.layers = seen.layers.max(count);
            let way = match count > most {
                true => self.settle_list(ray, count, from_above, &mut sorted),
                false => {
                    let few = self.slots.sorted(ray, count);
                    let (ends, way) = self.settle_few(&few[..count], from_above);
                    if !keep_all {
                        self.spans.set(ray, ends);
                    }
                    way
                }
            };
            seen.turned |= way.turned | turn_of(way.winding);
            let flawed = way.flawed || (self.is_whole(from_above) && way.winding != 0);
            if flawed && !self.grid.is_border(self.grid.pixel(pixel)) {
                seen.flaws += 1;
            }
        }
        seen
    }

    /// Before the first crossing. From above, what a ray crosses tells where it starts.
    #[inline]
    fn start(&self, crossings: &[Crossing], from_above: bool) -> Winding {
        let changes = crossings.iter().map(|crossing| change_of(crossing.tag()));
        Winding {
            winding: if from_above { -changes.sum::<i32>() } else { 0 },
            since: -3e38,
            flawed: false,
            turned: 0,
        }
    }

    /// Whether a ray that followed the mesh from end to end must have left it.
    fn is_whole(&self, from_above: bool) -> bool {
        !from_above && self.frame.keep_to.iter().all(|to| *to > 3e38)
    }

    /// The spans of up to four sorted crossings, three where a ray may start inside, and what was seen on the way.
    #[inline]
    fn settle_few(&self, few: &[Crossing], from_above: bool) -> ([f32; 4], Winding) {
        let mut way = self.start(few, from_above);
        let mut ends = [f32::INFINITY; 4];
        let mut found = 0;
        if way.winding != 0 {
            ends[0] = START;
            found = 1;
        }
        let mut parity = way.winding % 2 != 0;
        for crossing in few {
            if way.pass(*crossing, &mut parity, self.frame.slack[2]) && found < 4 {
                ends[found] = crossing.depth();
                found += 1;
            }
        }
        (ends, way)
    }

    /// Sorts and filters the crossings of a ray into its list. Where there is no room nothing is reported of any ray, and the host learns
    /// how much is needed.
    fn settle_list(
        &self,
        ray: usize,
        count: usize,
        from_above: bool,
        sorted: &mut Vec<(Crossing, u32)>,
    ) -> Winding {
        let moved = count.min(SLOTS);
        let at = self.nodes.fetch_add(moved as u32, Relaxed);
        if at as usize + moved > self.push.capacity as usize {
            return self.start(&[], false);
        }
        sorted.clear();
        memory::ensure_more(sorted, count);
        let listed = self.rays.list(self.rays.first(ray));
        sorted.extend(listed.map(|node| {
            let crossing = Crossing::new(self.rays.depth(node), self.rays.tag(node));
            (crossing, node)
        }));
        for slot in 0..moved {
            let (crossing, node) = (self.slots.get(ray, slot), at + slot as u32);
            self.rays.set(node, crossing.depth(), crossing.tag(), NIL);
            sorted.push((crossing, node));
        }
        sorted.sort_unstable();
        let changes = sorted.iter().map(|(crossing, _)| change_of(crossing.tag()));
        let mut way = Winding {
            winding: if from_above { -changes.sum::<i32>() } else { 0 },
            ..self.start(&[], false)
        };
        let starts_inside = way.winding != 0 && self.push.keep_all == 0;
        let mut parity = way.winding % 2 != 0;
        sorted.retain(|(crossing, _)| {
            let kept = way.pass(*crossing, &mut parity, self.frame.slack[2]);
            kept || self.push.keep_all == 1
        });
        self.link(ray, sorted, starts_inside);
        if self.push.keep_all == 0 {
            self.spans.set(ray, LONG);
        }
        way
    }

    /// Makes crossings the list of a ray.
    fn link(&self, ray: usize, sorted: &[(Crossing, u32)], starts_inside: bool) {
        let mut next = NIL;
        for (_, node) in sorted.iter().rev() {
            self.rays.set_next(*node, next);
            next = *node;
        }
        self.rays.heads[ray].store(next << 1 | u32::from(starts_inside), Relaxed);
    }
}
