//! Culling before the exact tests: which triangles of which bodies are worth comparing.
//!
//! FAR, section 4.2, in three steps: the potentially colliding set of bodies, and sweep and prune for their pairs; the potentially
//! colliding clusters of those; exact tests of the triangles that are left.

use super::pairs::{WorldPair, any_among, run_among};
use super::placed::Placed;
use super::visibility::{Region, Suspect, Visibility};
use crate::error::Result;
use crate::geometry::aabb::Aabb;
use crate::geometry::bounded::TooMany;
use crate::geometry::broad_phase::sweep_and_prune::{SweepAndPrune, grown};
use crate::geometry::hierarchy::leaf::placed_box;
use crate::geometry::hierarchy::placement::moved_bounds;
use crate::geometry::pairs::{Among, Found};
use crate::geometry::rounding::round_up;
use crate::memory::{self, Gather, ParallelGather};
use crate::scene::pose::world;
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

/// Groups of the triangles of two bodies that may meet.
pub struct Groups {
    /// For each pair, a part of the cluster order of each body.
    pairs: Vec<[Vec<u32>; 2]>,
}

impl Groups {
    fn slices(&self) -> Vec<[&[u32]; 2]> {
        self.pairs
            .iter()
            .map(|[a, b]| [a.as_slice(), b.as_slice()])
            .gather()
    }
}

/// Where the boxes of two bodies come within a distance of each other; None when they do not.
fn common_region(a: Aabb, b: Aabb, within: f64) -> Option<Region> {
    let margin = 0.5 * within * (1.0 + 1e-6);
    let corners = |b: Aabb| (b.min.as_dvec3() - margin, b.max.as_dvec3() + margin);
    let ((low_a, high_a), (low_b, high_b)) = (corners(a), corners(b));
    let (min, max) = (low_a.max(low_b), high_a.min(high_b));
    min.cmple(max).all().then_some(Region { min, max })
}

fn world_box(placed: &Placed) -> Aabb {
    moved_bounds(&placed.fitted.bvh().nodes()[0], &world(&placed.pose))
}

/// All pairs of triangles of two bodies at most `within` apart, those worth comparing found by visibility.
pub fn visible_pairs(
    visibility: &mut Visibility,
    a: &Placed,
    b: &Placed,
    within: f64,
    capacity: usize,
    run: impl Fn(&mut (dyn FnMut() + Send)) -> Result<()>,
) -> Result<(std::result::Result<Vec<WorldPair>, TooMany>, Stats)> {
    let mut stats = Stats::default();
    let Some(region) = common_region(world_box(a), world_box(b), within) else {
        return Ok((Ok(Vec::new()), stats));
    };
    stats.box_pairs = 1;
    let margin = 0.5 * within * (1.0 + 1e-6);
    let mut suspects = [a, b].map(|body| Suspect::by_clusters(body, &[region], margin));
    stats.fattening = visibility.cull(&mut suspects, &region, within)?;
    let mut answer = Ok(Vec::new());
    run(&mut || {
        let groups = close_groups(&suspects[0], &suspects[1], within);
        let found = run_among(a, b, within, Among::Groups(&groups.slices()), capacity);
        answer = found.map(|Found { pairs, candidates }| {
            stats.candidates = candidates;
            stats.body_pairs = u64::from(candidates > 0);
            pairs
        });
    })?;
    Ok((answer, stats))
}

/// The pairs of groups, one of each body, that are left and whose boxes are at most `within` apart.
fn close_groups(a: &Suspect, b: &Suspect, within: f64) -> Groups {
    let (placement, _) = a.placed.relative(b.placed);
    let survivors = [a, b].map(|s| s.survivors().gather());
    let of = |s: &Suspect, g: usize| -> Vec<u32> {
        let range = &s.groups[g];
        memory::copied(&s.placed.mesh.clusters.order[range.start as usize..range.end as usize])
    };
    let (surface_a, surface_b) = (
        a.placed.fitted_surface().surface,
        b.placed.fitted_surface().surface,
    );
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
        })
        .gather();
    Groups { pairs }
}

/// Which of the pairs of bodies in `near` come within a distance: by visibility if it is given, else by comparing `among`.
pub fn colliding_bodies(
    visibility: Option<&mut Visibility>,
    among: Among,
    bodies: &[Option<Placed>],
    near: &[[u32; 2]],
    within: f64,
    run: impl Fn(&mut (dyn FnMut() + Send)) -> Result<()>,
) -> Result<(Vec<[u32; 2]>, Stats)> {
    let mut stats = Stats {
        box_pairs: near.len() as u64,
        ..Stats::default()
    };
    let Some(visibility) = visibility else {
        let mut colliding = Vec::new();
        run(&mut || {
            colliding = exact(&mut stats, near, |[i, j]| {
                let (Some(a), Some(b)) = (&bodies[i as usize], &bodies[j as usize]) else {
                    return (false, 0);
                };
                any_among(a, b, within, among)
            });
        })?;
        return Ok((colliding, stats));
    };
    let mut parts = memory::filled(Vec::new(), bodies.len());
    let Some(region) = region_of(bodies, near, within, &mut parts) else {
        return Ok((Vec::new(), stats));
    };
    let margin = 0.5 * within * (1.0 + 1e-6);
    // Only bodies whose boxes overlap another's come on the screen.
    let mut places: Vec<u32> = near.iter().flatten().copied().gather();
    places.sort_unstable();
    places.dedup();
    let placed: Vec<(u32, &Placed)> = places
        .iter()
        .filter_map(|&p| Some((p, bodies[p as usize].as_ref()?)))
        .gather();
    let mut suspects: Vec<Suspect> = placed
        .iter()
        .map(|(place, p)| Suspect::whole(p, &parts[*place as usize], margin))
        .gather();
    stats.fattening = visibility.cull(&mut suspects, &region, within)?;
    let mut alive = memory::filled(false, bodies.len());
    for ((place, _), suspect) in placed.iter().zip(&suspects) {
        alive[*place as usize] = suspect.is_alive();
    }
    let left: Vec<[u32; 2]> = near
        .iter()
        .filter(|pair| pair.iter().all(|&p| alive[p as usize]))
        .copied()
        .gather();
    parts.iter_mut().for_each(Vec::clear);
    let Some(region) = region_of(bodies, &left, within, &mut parts) else {
        return Ok((Vec::new(), stats));
    };
    let mut at = memory::filled(usize::MAX, bodies.len());
    let mut suspects = Vec::new();
    for (place, p) in placed {
        let parts = &parts[place as usize];
        if !parts.is_empty() {
            at[place as usize] = suspects.len();
            suspects.push(Suspect::by_clusters(p, parts, margin));
        }
    }
    // Of bodies of one cluster all was asked already.
    if suspects.iter().any(|s| s.survivors().nth(1).is_some()) {
        let fattening = visibility.cull(&mut suspects, &region, within)?;
        stats.fattening = stats.fattening.max(fattening);
    }
    let both = |[i, j]: [u32; 2]| [i, j].map(|p| &suspects[at[p as usize]]);
    let left: Vec<[u32; 2]> = left
        .into_iter()
        .filter(|&pair| both(pair).iter().all(|s| s.is_alive()))
        .gather();
    let mut colliding = Vec::new();
    run(&mut || {
        colliding = exact(&mut stats, &left, |pair| {
            let [a, b] = both(pair);
            let groups = close_groups(a, b, within);
            any_among(a.placed, b.placed, within, Among::Groups(&groups.slices()))
        });
    })?;
    Ok((colliding, stats))
}

/// The pairs for which `test` holds; it also says how many pairs of triangles it compared.
fn exact(
    stats: &mut Stats,
    pairs: &[[u32; 2]],
    test: impl Fn([u32; 2]) -> (bool, u64) + Sync,
) -> Vec<[u32; 2]> {
    let results: Vec<(bool, u64)> = pairs.par_iter().map(|&pair| test(pair)).par_gather();
    stats.body_pairs = results.iter().filter(|r| r.1 > 0).count() as u64;
    stats.candidates = results.iter().map(|r| r.1).sum();
    let hits = pairs.iter().zip(&results).filter(|(_, r)| r.0);
    hits.map(|(&pair, _)| pair).gather()
}

/// A box around all places where boxes of the pairs come within a distance; `parts` gets those of each body.
fn region_of(
    bodies: &[Option<Placed>],
    pairs: &[[u32; 2]],
    within: f64,
    parts: &mut [Vec<Region>],
) -> Option<Region> {
    let mut boxes = memory::filled(None, bodies.len());
    let mut box_at = |place: u32| {
        *boxes[place as usize].get_or_insert_with(|| bodies[place as usize].as_ref().map(world_box))
    };
    let mut whole: Option<Region> = None;
    for &[i, j] in pairs {
        let (Some(a), Some(b)) = (box_at(i), box_at(j)) else {
            continue;
        };
        if let Some(part) = common_region(a, b, within) {
            [i, j].iter().for_each(|&p| parts[p as usize].push(part));
            whole = Some(whole.map_or(part, |w| w.union(&part)));
        }
    }
    whole
}
