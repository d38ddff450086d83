//! The connected parts of what two bodies share.
//!
//! Corners of the intersection hang together along the curve where the surfaces cross and along the stretches of edges inside the other body. Pieces of
//! faces with holes have rims that may not hang together that way: the rim of a hole goes with the rim around it. The wall of a cavity goes
//! with the part around it.

use super::chain::ChainSums;
use super::outline::{FacePlane, Outline, SurfacePart, encloses};
use super::{Intersection, PlacedPair};
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::DVec3;

/// A connected part of an intersection. Positions in `sums` are from the intersection's origin.
#[derive(Clone, Debug)]
pub struct IntersectionRegion {
    /// Over its parts of the first and of the second surface.
    pub sums: [ChainSums; 2],
    /// A box around it: its least and its largest coordinates in the world.
    pub bounds: [DVec3; 2],
    /// How far it extends along the area vector of the first surface.
    pub depth: f64,
}

impl IntersectionRegion {
    fn empty() -> Self {
        Self {
            sums: Default::default(),
            bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
            depth: 0.0,
        }
    }

    /// Its volume.
    pub fn volume(&self) -> f64 {
        self.sums[0].volume + self.sums[1].volume
    }

    fn include(&mut self, place: DVec3) {
        self.bounds[0] = self.bounds[0].min(place);
        self.bounds[1] = self.bounds[1].max(place);
    }

    fn add(&mut self, other: &Self) {
        for own in 0..2 {
            self.sums[own] += other.sums[own];
        }
    }
}

/// All connected parts, the largest first.
pub struct ConnectedParts {
    /// The parts.
    pub regions: Vec<IntersectionRegion>,
    /// Which one each corner of the outline belongs to; [`ConnectedParts::NONE`] for corners outside.
    pub(super) of_corners: Vec<u32>,
}

impl ConnectedParts {
    pub(super) const NONE: u32 = u32::MAX;
}

/// Which corners hang together: each points at another one, or at itself.
struct Together(Vec<u32>);

impl Together {
    fn root(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            let next = self.0[self.0[of as usize] as usize];
            self.0[of as usize] = next;
            of = next;
        }
        of
    }

    /// The lower number stands for both, so that the order of joining does not matter.
    fn join(&mut self, [a, b]: [u32; 2]) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

impl Intersection {
    /// The connected parts; `pair` are the bodies that it is of, and `world` takes positions in the first one's frame to where bounds are wanted.
    pub fn regions(&self, pair: &PlacedPair, world: impl Fn(DVec3) -> DVec3) -> ConnectedParts {
        let outline = self.outline();
        let mut together = joined(&outline);
        for own in 0..2 {
            join_holes(&outline, &mut together, own);
        }
        let roots = (0..outline.corners() as u32)
            .map(|corner| together.root(corner))
            .gather();
        ordered(&outline, pair, gathered(&outline, roots, world))
    }
}

/// Corners joined along the curve and along edges.
fn joined(outline: &Outline) -> Together {
    let mut together = Together((0..outline.corners() as u32).gather());
    for ends in outline.segments().iter().flatten() {
        together.join(*ends);
    }
    for own in 0..2 {
        for edge in outline.of.sides[own].topology.edges() {
            for stretch in outline.stretches(own, *edge, SurfacePart::Inner) {
                together.join(stretch.corners);
            }
        }
    }
    together
}

/// Joins the rims of holes with the rims around them, face by face.
fn join_holes(outline: &Outline, together: &mut Together, own: usize) {
    for (face, pairs) in outline.faces(own) {
        interrupt::check();
        let rims = outline.rims(own, face, pairs, SurfacePart::Inner);
        let roots = (rims.iter())
            .map(|rim| together.root(rim.corners[0]))
            .gather();
        let mut distinct = memory::copied(&roots);
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < 2 {
            continue;
        }
        let flat = FacePlane::of(&outline.of.sides[own].corners(face));
        let of_root = |root: u32| {
            let parts = rims.iter().zip(&roots).filter(move |part| *part.1 == root);
            parts.map(|(rim, _)| {
                let ends = rim
                    .corners
                    .map(|c| flat.point(outline.seen_from_origin(c).at));
                (ends, f64::from(rim.level))
            })
        };
        let areas = (distinct.iter())
            .map(|root| -> f64 {
                of_root(*root)
                    .map(|(ends, level)| level * ends[0].perp_dot(ends[1]))
                    .sum()
            })
            .gather();
        for (hole, hole_area) in distinct.iter().zip(&areas) {
            let Some(([inside, _], _)) = of_root(*hole).next().filter(|_| *hole_area < 0.0) else {
                continue;
            };
            let around = (distinct.iter().zip(&areas))
                .filter(|(root, area)| **area > 0.0 && encloses(of_root(**root), inside))
                .min_by(|a, b| a.1.total_cmp(b.1));
            if let Some((root, _)) = around {
                together.join([*root, *hole]);
            }
        }
    }
}

/// What hangs together, in the order of its first corner.
struct CornerGroups {
    /// The corner that stands for each.
    roots: Vec<u32>,
    /// The group of such a corner.
    of_roots: Vec<u32>,
    regions: Vec<IntersectionRegion>,
}

impl CornerGroups {
    fn new(roots: Vec<u32>) -> Self {
        Self {
            of_roots: memory::filled(ConnectedParts::NONE, roots.len()),
            roots,
            regions: Vec::new(),
        }
    }

    fn of(&mut self, corner: u32) -> &mut IntersectionRegion {
        let group = &mut self.of_roots[self.roots[corner as usize] as usize];
        if *group == ConnectedParts::NONE {
            *group = self.regions.len() as u32;
            memory::add(&mut self.regions, IntersectionRegion::empty());
        }
        &mut self.regions[*group as usize]
    }
}

/// Sums and bounds of what hangs together.
fn gathered(outline: &Outline, roots: Vec<u32>, world: impl Fn(DVec3) -> DVec3) -> CornerGroups {
    let mut groups = CornerGroups::new(roots);
    for corner in outline.shared_corners() {
        groups.of(corner).include(world(outline.at(corner).at));
    }
    for own in 0..2 {
        outline.each_inner_piece(own, |piece| {
            let sums = &mut groups.of(piece.corner).sums[own];
            match &piece.normal {
                Some(normal) => sums.add(piece.times, piece.corners, normal),
                None => sums.add_face(piece.times, piece.corners.map(|corner| corner.at)),
            }
        });
    }
    // How far each extends along its own direction.
    let nowhere = [f64::INFINITY, f64::NEG_INFINITY];
    let mut extents = memory::filled(nowhere, groups.regions.len());
    for corner in outline.shared_corners() {
        let group = groups.of_roots[groups.roots[corner as usize] as usize] as usize;
        let direction = groups.regions[group].sums[0].area_vector;
        let along = direction.normalize_or_zero().dot(outline.at(corner).at);
        let [low, high] = &mut extents[group];
        (*low, *high) = (low.min(along), high.max(along));
    }
    for (region, [low, high]) in groups.regions.iter_mut().zip(extents) {
        region.depth = (high - low).max(0.0);
    }
    groups
}

/// The group that each belongs to: walls of cavities to the part around them, all others to themselves.
fn parts_around(outline: &Outline, pair: &PlacedPair, groups: &CornerGroups) -> Vec<u32> {
    let of_corner = |corner: u32| groups.of_roots[groups.roots[corner as usize] as usize];
    let is_wall = |group: u32| groups.regions[group as usize].volume() < 0.0;
    let mut next = (0..groups.regions.len() as u32).gather();
    if !next.iter().any(|group| is_wall(*group)) {
        return next;
    }
    let mut farthest = memory::filled((f64::NEG_INFINITY, 0), next.len());
    for corner in outline.shared_corners() {
        let most = &mut farthest[of_corner(corner) as usize];
        let x = outline.at(corner).at.x;
        if x > most.0 {
            *most = (x, corner);
        }
    }
    for group in (0..next.len() as u32).filter(|group| is_wall(*group)) {
        interrupt::check();
        let (x, corner) = farthest[group as usize];
        let around = outline.next_surface(pair, corner).map(of_corner);
        // No way leads back, whatever rounding does.
        if let Some(around) = around.filter(|around| farthest[*around as usize].0 > x) {
            next[group as usize] = around;
        }
    }
    let last = |mut group: u32| {
        while next[group as usize] != group {
            group = next[group as usize];
        }
        group
    };
    (0..next.len() as u32).map(last).gather()
}

/// The largest first. A surface that encloses less than nothing is the wall of a cavity: it goes with the part around it.
fn ordered(outline: &Outline, pair: &PlacedPair, groups: CornerGroups) -> ConnectedParts {
    let part_of = parts_around(outline, pair, &groups);
    let mut all = groups.regions;
    let by_volume = |all: &[IntersectionRegion], a: u32, b: u32| {
        let volume = |group: u32| all[group as usize].volume();
        volume(b).total_cmp(&volume(a)).then(a.cmp(&b))
    };
    for (wall, group) in (0..).zip(&part_of).filter(|(wall, group)| wall != *group) {
        let inner = all[wall as usize].clone();
        all[*group as usize].add(&inner);
    }
    let mut order = (0..all.len() as u32).gather();
    order.retain(|group| part_of[*group as usize] == *group);
    order.sort_unstable_by(|a, b| by_volume(&all, *a, *b));
    let mut places = memory::filled(ConnectedParts::NONE, all.len());
    for (place, group) in (0..).zip(&order) {
        places[*group as usize] = place;
    }
    let mut of_corners = memory::filled(ConnectedParts::NONE, groups.roots.len());
    for corner in outline.shared_corners() {
        let group = groups.of_roots[groups.roots[corner as usize] as usize];
        of_corners[corner as usize] = places[part_of[group as usize] as usize];
    }
    ConnectedParts {
        regions: (order.iter())
            .map(|group| all[*group as usize].clone())
            .gather(),
        of_corners,
    }
}
