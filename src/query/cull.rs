//! Culling before the exact tests: which triangles of which bodies are worth comparing.
//!
//! By hierarchies, by nothing, or by visibility as FAR, section 4.2: the potentially colliding set of bodies, and sweep and prune for
//! their pairs; the potentially colliding clusters of those; exact tests of the triangles that are left.

use super::objects::{ObjectsPair, PairsOfPairs};
use super::pairs::{WorldPair, any_among, pairs_among};
use super::placed::{Placed, PlacedTriangles};
use super::visibility::{Drawn, Region, Suspect, Visibility};
use crate::error::Result;
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::geometry::broad_phase::sweep_and_prune::{SweepAndPrune, grown};
use crate::geometry::hierarchy::leaf::placed_box;
use crate::geometry::pairs::{Among, Found, Wanted};
use crate::geometry::rounding::{round_down_each, round_up, round_up_each};
use crate::memory::{self, Gather, ParallelGather};
use rayon::prelude::*;

/// What was culled, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Pairs of bodies whose boxes overlap.
    pub box_pairs: u64,
    /// Pairs of bodies of which triangles were compared.
    pub body_pairs: u64,
    /// Pairs of triangles that came to the exact test.
    pub candidates: u64,
    /// FAR's p in world units; 0 without visibility.
    pub fattening: f64,
}

/// What is asked of bodies.
#[derive(Clone, Copy, Debug)]
pub struct CullQuestion {
    /// How far apart triangles count.
    pub within: f64,
    /// Whether the search ends at the first.
    pub first_only: bool,
}

/// Bodies of which some triangles are to be compared.
pub trait Comparable: Sync {
    /// Looks at two bodies, and at what of them is to be compared; None where there is nothing.
    fn look<R>(
        &self,
        pair: [u32; 2],
        look: impl FnOnce([PlacedTriangles; 2], Among) -> R,
    ) -> Option<R>;
}

/// Bodies by their hierarchies, or all of their triangles.
pub struct FittedBodies<'a> {
    /// By place.
    pub bodies: &'a [Option<Placed>],
    /// Whether all triangles are compared with all.
    pub everything: bool,
}

impl Comparable for FittedBodies<'_> {
    fn look<R>(
        &self,
        [i, j]: [u32; 2],
        look: impl FnOnce([PlacedTriangles; 2], Among) -> R,
    ) -> Option<R> {
        let [a, b] = [
            self.bodies[i as usize].as_ref()?,
            self.bodies[j as usize].as_ref()?,
        ];
        let among = match self.everything {
            true => Among::Everything,
            false => Among::Hierarchies([a.fitted.bvh(), b.fitted.bvh()]),
        };
        Some(look([a.triangles(), b.triangles()], among))
    }
}

/// Bodies by what of them is visible to others: FAR, section 4.2.
pub struct VisibleBodies<'a> {
    suspects: Vec<Suspect<'a>>,
    /// Where in `suspects` the body in a place is.
    at: Vec<usize>,
    within: f64,
    /// The pairs of bodies that may touch.
    pub pairs: Vec<[u32; 2]>,
    /// FAR's p in world units.
    pub fattening: f64,
}

impl Comparable for VisibleBodies<'_> {
    fn look<R>(
        &self,
        pair: [u32; 2],
        look: impl FnOnce([PlacedTriangles; 2], Among) -> R,
    ) -> Option<R> {
        let [a, b] = pair.map(|place| &self.suspects[self.at[place as usize]]);
        let groups = close_groups(a, b, self.within);
        let groups: Vec<[&[u32]; 2]> = groups.iter().map(|[a, b]| [&a[..], &b[..]]).gather();
        let bodies = [a.drawn.triangles(), b.drawn.triangles()];
        Some(look(bodies, Among::Groups(&groups)))
    }
}

impl<'a> VisibleBodies<'a> {
    /// What of the pairs of bodies in `near` may be at most `within` apart.
    pub fn new(
        visibility: &mut Visibility,
        bodies: &'a [Option<Drawn>],
        near: &[[u32; 2]],
        within: f64,
    ) -> Result<Self> {
        let mut left = Self {
            suspects: Vec::new(),
            at: memory::filled(usize::MAX, bodies.len()),
            within,
            pairs: Vec::new(),
            fattening: 0.0,
        };
        let mut parts = memory::filled(Vec::new(), bodies.len());
        let Some(region) = region_of(bodies, near, within, &mut parts) else {
            return Ok(left);
        };
        let margin = 0.5 * within * (1.0 + 1e-6);
        // Only bodies whose boxes overlap another's come on the screen.
        let mut places: Vec<u32> = near.iter().flatten().copied().gather();
        places.sort_unstable();
        places.dedup();
        let drawn: Vec<(u32, &Drawn)> = places
            .iter()
            .filter_map(|&p| Some((p, bodies[p as usize].as_ref()?)))
            .gather();
        let mut alive = memory::filled(true, bodies.len());
        // Of two bodies both or none are left, and their clusters will tell.
        if drawn.len() > 2 {
            let mut suspects: Vec<Suspect> = drawn
                .iter()
                .map(|(place, d)| Suspect::whole(d, &parts[*place as usize], margin))
                .gather();
            left.fattening = visibility.cull(&mut suspects, &region, within)?;
            for ((place, _), suspect) in drawn.iter().zip(&suspects) {
                alive[*place as usize] = suspect.is_alive();
            }
        }
        let both = |pair: &&[u32; 2]| pair.iter().all(|&p| alive[p as usize]);
        left.pairs = near.iter().filter(both).copied().gather();
        parts.iter_mut().for_each(Vec::clear);
        let Some(region) = region_of(bodies, &left.pairs, within, &mut parts) else {
            left.pairs.clear();
            return Ok(left);
        };
        for (place, d) in &drawn {
            let parts = &parts[*place as usize];
            if !parts.is_empty() {
                left.at[*place as usize] = left.suspects.len();
                memory::add(&mut left.suspects, Suspect::by_clusters(d, parts, margin));
            }
        }
        // Of bodies of one cluster all was asked already.
        let unasked = |s: &Suspect| drawn.len() == 2 || s.survivors().nth(1).is_some();
        if left.suspects.iter().any(unasked) {
            let fattening = visibility.cull(&mut left.suspects, &region, within)?;
            left.fattening = left.fattening.max(fattening);
        }
        let (at, suspects) = (&left.at, &left.suspects);
        let is_alive = |place: &u32| {
            suspects
                .get(at[*place as usize])
                .is_some_and(Suspect::is_alive)
        };
        left.pairs.retain(|pair| pair.iter().all(is_alive));
        Ok(left)
    }
}

/// Where two regions come within a distance of each other; None when they do not.
fn common_region(a: &Region, b: &Region, within: f64) -> Option<Region> {
    let margin = 0.5 * within * (1.0 + 1e-6);
    let (min, max) = (a.min.max(b.min) - margin, a.max.min(b.max) + margin);
    min.cmple(max).all().then_some(Region { min, max })
}

/// The pairs of groups, one of each body, that are left and whose boxes are at most `within` apart: parts of the cluster orders.
fn close_groups(a: &Suspect, b: &Suspect, within: f64) -> Vec<[Vec<u32>; 2]> {
    let (triangles_a, triangles_b) = (a.drawn.triangles(), b.drawn.triangles());
    let (placement, _) = triangles_a.relative(&triangles_b);
    let survivors = [a, b].map(|s| s.survivors().gather());
    let of = |s: &Suspect, g: usize| -> Vec<u32> {
        let range = &s.groups[g];
        memory::copied(&s.drawn.mesh.clusters.order[range.start as usize..range.end as usize])
    };
    let (surface_a, surface_b) = (triangles_a.surface, triangles_b.surface);
    let margin = round_up(0.5 * within * (1.0 + 1e-6));
    let box_of = |triangles: &[u32], one: &dyn Fn(u32) -> Aabb| {
        let all = triangles.iter().fold(Aabb::EMPTY, |b, &t| b.union(one(t)));
        grown(all, margin)
    };
    let mut boxes: Vec<Aabb> = memory::room(survivors[0].len() + survivors[1].len());
    for &g in &survivors[0] {
        boxes.push(box_of(&of(a, g), &|t| surface_a.triangle_box(t)));
    }
    for &g in &survivors[1] {
        boxes.push(box_of(&of(b, g), &|t| {
            placed_box(&surface_b, &placement, t)
        }));
    }
    let first = survivors[0].len() as u32;
    let pairs = SweepAndPrune::default()
        .pairs(&boxes, usize::MAX)
        .unwrap_or_default();
    let pairs = pairs
        .into_iter()
        .filter(|&[i, j]| i < first && j >= first)
        .map(|[i, j]| {
            let (g, h) = (survivors[0][i as usize], survivors[1][(j - first) as usize]);
            [of(a, g), of(b, h)]
        });
    pairs.gather()
}

/// Pairs of bodies that are looked at together where one will do.
const AT_ONCE: usize = 16;

/// Which of some pairs of bodies come within a distance, and what it took.
pub fn colliding(
    bodies: &impl Comparable,
    pairs: &[[u32; 2]],
    question: CullQuestion,
) -> (Vec<[u32; 2]>, Stats) {
    let (mut hits, mut stats) = (Vec::new(), Stats::default());
    let at_once = match question.first_only {
        true => AT_ONCE,
        false => pairs.len().max(1),
    };
    for some in pairs.chunks(at_once) {
        let test = |&pair: &[u32; 2]| {
            let tested = bodies.look(pair, |[a, b], among| {
                any_among(&a, &b, question.within, among)
            });
            tested.unwrap_or((false, 0))
        };
        let results: Vec<(bool, u64)> = some.par_iter().map(test).par_gather();
        stats.body_pairs += results.iter().filter(|r| r.1 > 0).count() as u64;
        stats.candidates += results.iter().map(|r| r.1).sum::<u64>();
        for (&pair, _) in some.iter().zip(&results).filter(|(_, r)| r.0) {
            memory::add(&mut hits, pair);
        }
        if question.first_only && !hits.is_empty() {
            hits.truncate(1);
            break;
        }
    }
    (hits, stats)
}

/// The pairs of triangles of some pairs of bodies within a distance, and what it took.
pub fn triangle_pairs(
    bodies: &impl Comparable,
    pairs: &[[u32; 2]],
    question: CullQuestion,
    capacity: usize,
) -> (std::result::Result<Vec<ObjectsPair>, TooMany>, Stats) {
    let mut found = PairsOfPairs::new(capacity);
    for some in pairs.chunks(AT_ONCE) {
        let wanted = match question.first_only {
            true => Wanted::Some,
            false => Wanted::All(found.room()),
        };
        let list = |&pair: &[u32; 2]| {
            let found = bodies.look(pair, |[a, b], among| {
                pairs_among(&a, &b, question.within, among, wanted)
            });
            found.unwrap_or_else(|| Ok(Found::nothing()))
        };
        let lists: Vec<_> = some.par_iter().map(list).par_gather();
        for (&objects, list) in some.iter().zip(lists) {
            let some = |mut list: Found<WorldPair>| {
                if question.first_only {
                    list.pairs.truncate(1);
                }
                list
            };
            found.take(objects, list.map(some));
        }
        if question.first_only && found.needed > 0 {
            found.keep_first();
            break;
        }
    }
    let stats = Stats {
        body_pairs: found.body_pairs,
        candidates: found.candidates,
        ..Stats::default()
    };
    (found.end(), stats)
}

/// The boxes of bodies in the world, rounded outwards.
pub fn drawn_boxes(bodies: &[Option<Drawn>]) -> Vec<Aabb> {
    let one = |body: &Option<Drawn>| {
        body.as_ref().map_or(Aabb::EMPTY, |body| {
            let Region { min, max } = body.region();
            Aabb {
                min: round_down_each(min),
                max: round_up_each(max),
            }
        })
    };
    bodies.iter().map(one).gather()
}

/// A box around all places where boxes of the pairs come within a distance; `parts` gets those of each body.
fn region_of(
    bodies: &[Option<Drawn>],
    pairs: &[[u32; 2]],
    within: f64,
    parts: &mut [Vec<Region>],
) -> Option<Region> {
    let mut regions = memory::filled(None, bodies.len());
    let mut region_at = |place: u32| {
        *regions[place as usize]
            .get_or_insert_with(|| bodies[place as usize].as_ref().map(Drawn::region))
    };
    let mut whole: Option<Region> = None;
    for &[i, j] in pairs {
        let (Some(a), Some(b)) = (region_at(i), region_at(j)) else {
            continue;
        };
        if let Some(part) = common_region(&a, &b, within) {
            [i, j].iter().for_each(|&p| parts[p as usize].push(part));
            whole = Some(whole.map_or(part, |w| w.union(&part)));
        }
    }
    whole
}
