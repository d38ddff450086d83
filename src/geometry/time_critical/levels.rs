//! A surface at several resolutions, for pairs of features that are followed at the one that suits their distance (Teschner et
//! al., section 3.2.1, after Debunne and Guy).
//!
//! A level is a part of the triangles of the one below, such that each of those is one of them or lies next to one: the nearest
//! such is its representative. Two of a level are neighbours where triangles that they represent are. All of it follows from the
//! indices, so it outlives any deformation, and what a level says of distances is said of true triangles.

use crate::geometry::surface::Surface;
use crate::geometry::topology::incidence::Incidence;
use crate::memory::{self, Gather};

/// The triangles of a surface from all of them to a few.
#[derive(Debug)]
pub struct Resolutions {
    /// Of the triangles of each level below the coarsest, the representative on the next.
    representatives: Vec<Vec<u32>>,
    /// The levels above the finest, which is the surface itself.
    coarse: Vec<Level>,
    /// How far apart neighbours of each level are, in mesh units, where the surface was when this was made.
    spacing: Vec<f64>,
}

/// A part of the triangles.
#[derive(Debug)]
struct Level {
    /// The triangles, ascending.
    members: Vec<u32>,
    /// Where the neighbours of each start, and the end.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

/// A level of fewer triangles than this has none above it.
const FEWEST: usize = 16;

/// No surface has as many levels: each but the finest has at most half as many triangles as the one below.
pub const MOST_LEVELS: usize = 32;

const NONE: u32 = u32::MAX;

/// Calls back for each triangle beside one.
type Neighbours<'a> = dyn Fn(u32, &mut dyn FnMut(u32)) + 'a;

impl Resolutions {
    /// At most `count` levels of a surface, one at least.
    pub fn new(surface: &Surface, incidence: &Incidence, count: usize) -> Self {
        let mut levels = Self {
            representatives: Vec::new(),
            coarse: Vec::new(),
            spacing: vec![mean_edge(surface)],
        };
        let mut members: Vec<u32> = (0..surface.triangles.len() as u32).gather();
        while levels.count() < count.min(MOST_LEVELS) && members.len() >= FEWEST {
            let below = levels.coarse.last();
            let around = |t: u32, visit: &mut dyn FnMut(u32)| match below {
                None => incidence
                    .around(surface.triangles[t as usize])
                    .for_each(visit),
                Some(level) => level.around(t).iter().copied().for_each(visit),
            };
            let (level, representatives) = Level::above(&members, &around);
            if 2 * level.members.len() > members.len() {
                break;
            }
            members = memory::copied(&level.members);
            // Each represents as much area more as there are fewer of them.
            let fewer = surface.triangles.len() as f64 / members.len() as f64;
            levels.spacing.push(levels.spacing[0] * fewer.sqrt());
            levels.representatives.push(representatives);
            levels.coarse.push(level);
        }
        levels
    }

    /// The surface alone.
    pub fn finest() -> Self {
        Self {
            representatives: Vec::new(),
            coarse: Vec::new(),
            spacing: vec![0.0],
        }
    }

    /// How many levels there are.
    pub fn count(&self) -> usize {
        1 + self.coarse.len()
    }

    /// The triangles of a level; None for the finest, which has all.
    pub fn members(&self, level: usize) -> Option<&[u32]> {
        level.checked_sub(1).map(|k| &*self.coarse[k].members)
    }

    /// The triangles of a level beside one of it, itself too; None for the finest, whose neighbours share a vertex.
    pub fn around(&self, level: usize, triangle: u32) -> Option<&[u32]> {
        level
            .checked_sub(1)
            .map(|k| self.coarse[k].around(triangle))
    }

    /// The triangle that stands on level `to` for one of level `from`, which is not above it.
    pub fn raised(&self, triangle: u32, from: usize, to: usize) -> u32 {
        (from..to).fold(triangle, |t, level| {
            let at = match level.checked_sub(1) {
                None => t as usize,
                Some(k) => self.coarse[k].index(t),
            };
            self.representatives[level][at]
        })
    }

    /// The coarsest level whose neighbours are nearer to each other than a part of `distance`.
    pub fn fit_for(&self, distance: f64) -> usize {
        let fine = |&spacing: &f64| spacing <= NEARNESS * distance;
        self.spacing.iter().take_while(|s| fine(s)).count().max(1) - 1
    }
}

/// Features at most this part of their distance apart from their neighbours are fine enough.
const NEARNESS: f64 = 0.25;

impl Level {
    /// Some of `members` that are no neighbours of each other and have all others as such; for each of `members` one of these.
    fn above(members: &[u32], around: &Neighbours) -> (Self, Vec<u32>) {
        let index = |t: u32| members.binary_search(&t).unwrap_or(0);
        let mut of = memory::filled(NONE, members.len());
        let mut chosen = Vec::new();
        for (at, &t) in members.iter().enumerate() {
            if of[at] != NONE {
                continue;
            }
            memory::add(&mut chosen, t);
            around(t, &mut |other| {
                let other = &mut of[index(other)];
                if *other == NONE {
                    *other = t;
                }
            });
            of[at] = t;
        }
        // Neighbours are those of whom they represent, each once; sorted, so that their order follows from the indices alone.
        let mut pairs = Vec::new();
        for (&t, &own) in members.iter().zip(&of) {
            around(t, &mut |other| {
                memory::add(&mut pairs, [own, of[index(other)]])
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = memory::filled(0u32, chosen.len() + 1);
        for [own, _] in &pairs {
            let at = chosen.binary_search(own).unwrap_or(0);
            starts[at + 1] += 1;
        }
        for at in 0..chosen.len() {
            starts[at + 1] += starts[at];
        }
        let level = Self {
            members: chosen,
            starts,
            neighbours: pairs.iter().map(|pair| pair[1]).gather(),
        };
        (level, of)
    }

    fn index(&self, triangle: u32) -> usize {
        self.members.binary_search(&triangle).unwrap_or(0)
    }

    fn around(&self, triangle: u32) -> &[u32] {
        let at = self.index(triangle);
        &self.neighbours[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

fn mean_edge(surface: &Surface) -> f64 {
    let around = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| surface.positions.at(v));
        a.distance(b) + b.distance(c) + c.distance(a)
    };
    let sum: f64 = surface.triangles.iter().map(around).sum();
    sum / (3 * surface.triangles.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes;
    use glam::Vec3;
    use std::collections::HashSet;

    #[test]
    fn every_triangle_is_beside_its_representative_and_no_two_of_those_touch() {
        let knot = shapes::knot(0.4, 120, 12);
        let surface = knot.surface();
        let incidence = Incidence::new(surface.triangles, surface.positions.len());
        let levels = Resolutions::new(&surface, &incidence, MOST_LEVELS);
        assert!(levels.count() >= 4, "{}", levels.count());
        let members: HashSet<u32> = levels.members(1).unwrap().iter().copied().collect();
        assert!(members.len() * 4 < surface.triangles.len());
        let touch = |s: u32, t: u32| {
            let of = surface.triangles[t as usize];
            surface.triangles[s as usize].iter().any(|v| of.contains(v))
        };
        for t in 0..surface.triangles.len() as u32 {
            let own = levels.raised(t, 0, 1);
            assert!(members.contains(&own) && touch(own, t), "{t}");
            assert!(!members.contains(&t) || own == t, "{t} stands for itself");
            let beside = members.iter().filter(|&&m| m != t && touch(m, t)).count();
            assert!(!members.contains(&t) || beside == 0, "{t} has a neighbour");
        }
    }

    /// Whatever level it is, one can go everywhere on it: the knot is in one piece.
    #[test]
    fn levels_are_connected_where_the_surface_is_and_nested() {
        let knot = shapes::knot(0.4, 120, 12);
        let surface = knot.surface();
        let incidence = Incidence::new(surface.triangles, surface.positions.len());
        let levels = Resolutions::new(&surface, &incidence, MOST_LEVELS);
        for level in 1..levels.count() {
            let members = levels.members(level).unwrap();
            let mut seen = HashSet::from([members[0]]);
            let mut ahead = vec![members[0]];
            while let Some(t) = ahead.pop() {
                for &next in levels.around(level, t).unwrap() {
                    assert!(levels.around(level, next).unwrap().contains(&t));
                    if seen.insert(next) {
                        ahead.push(next);
                    }
                }
            }
            assert_eq!(seen.len(), members.len(), "level {level}");
            let below = levels.members(level - 1);
            assert!(below.is_none_or(|below| members.iter().all(|m| below.contains(m))));
        }
    }

    #[test]
    fn far_pairs_are_coarse_and_near_ones_fine() {
        let knot = shapes::knot(0.4, 120, 12);
        let surface = knot.surface();
        let incidence = Incidence::new(surface.triangles, surface.positions.len());
        let levels = Resolutions::new(&surface, &incidence, 3);
        assert_eq!(levels.count(), 3);
        let at: Vec<_> = [0.0, 1e-3, 1.0, 1e6].map(|d| levels.fit_for(d)).into();
        assert!(at.is_sorted() && at[1] == 0 && at[3] == 2, "{at:?}");
        let nothing: [Vec3; 0] = [];
        let none = Surface {
            positions: (&nothing[..]).into(),
            triangles: &[],
        };
        let empty = Resolutions::new(&none, &Incidence::new(&[], 0), 8);
        assert_eq!(empty.count(), 1);
    }
}
