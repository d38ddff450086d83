//! Two bodies at one moment, or one and itself, and the way to the next local minimum of the distance of their triangles.

use super::budget::Budget;
use super::levels::Resolutions;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::random::Random;
use crate::geometry::surface::Surface;
use crate::geometry::topology::incidence::Incidence;
use crate::geometry::triangle::distance::triangle_distance;

/// What a tracker follows, where it is now. Nothing here needs a hierarchy.
#[derive(Clone, Copy)]
pub struct TrackedBodies<'a> {
    /// Both surfaces; of one and itself that twice.
    pub surfaces: [Surface<'a>; 2],
    /// Their triangles at vertices.
    pub incidence: [&'a Incidence; 2],
    /// Their resolutions.
    pub levels: [&'a Resolutions; 2],
    /// Where the second is in the frame of the first.
    pub placement: &'a Placement,
    /// Whether they are one surface, whose own neighbours do not count.
    pub itself: bool,
}

/// A pair of triangles at a local minimum of their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivePair {
    /// Triangle of the first and of the second body; of one body the lower number first.
    pub triangles: [u32; 2],
    /// How far apart they are.
    pub distance: f64,
}

/// Tries for a random pair, of which the nearest is taken: pairs that begin close have less far to go.
const TRIES: usize = 4;

impl TrackedBodies<'_> {
    /// Whether there is any pair.
    pub fn are_empty(&self) -> bool {
        self.surfaces.iter().any(|s| s.triangles.is_empty())
    }

    /// Whether there is more than the finest level.
    pub fn have_levels(&self) -> bool {
        self.levels.iter().any(|levels| levels.count() > 1)
    }

    /// How far two triangles are apart.
    pub fn distance(&self, [i, j]: [u32; 2]) -> f64 {
        let [a, b] = &self.surfaces;
        triangle_distance(&a.corners_f64(i), &self.placement.corners(b, j)).distance
    }

    /// Whether two triangles are of one body and share a vertex: their distance, 0, says nothing.
    pub fn are_neighbours(&self, [i, j]: [u32; 2]) -> bool {
        let corners = |t: u32| self.surfaces[0].triangles[t as usize];
        self.itself && corners(i).iter().any(|v| corners(j).contains(v))
    }

    /// A pair as it is listed: of one body each comes once.
    pub fn ordered(&self, pair: [u32; 2]) -> [u32; 2] {
        if self.itself && pair[0] > pair[1] {
            [pair[1], pair[0]]
        } else {
            pair
        }
    }

    /// The triangles of a body around one of its, itself too.
    pub fn around(&self, side: usize, level: usize, triangle: u32, visit: &mut dyn FnMut(u32)) {
        match self.levels[side].around(level, triangle) {
            Some(around) => around.iter().copied().for_each(visit),
            None => {
                let corners = self.surfaces[side].triangles[triangle as usize];
                self.incidence[side].around(corners).for_each(visit);
            }
        }
    }

    /// A pair to begin with: of the coarsest features, so that samples are from everywhere.
    pub fn random_pair(&self, random: &mut Random) -> [u32; 2] {
        let mut nearest = ([0, 0], f64::INFINITY);
        for _ in 0..TRIES {
            let pair = [0, 1].map(|side| {
                let levels = self.levels[side];
                match levels.members(levels.count() - 1) {
                    Some(members) => members[random.below(members.len())],
                    None => random.below(self.surfaces[side].triangles.len()) as u32,
                }
            });
            let [a, b] = &self.surfaces;
            let squared =
                a.corners_f64(pair[0])[0].distance_squared(self.placement.corners(b, pair[1])[0]);
            if squared < nearest.1 {
                nearest = (pair, squared);
            }
        }
        nearest.0
    }

    /// Slides a pair to a local minimum: first one triangle moves among its neighbours, then the other, which looks at n + m pairs
    /// and not at n m (section 3.2.2). It begins at the level that suits the distance, and goes to a finer one where it has come
    /// nearer (3.2.1). None for a pair of one body that slides together: it is on one fold, and of no interest.
    pub fn descend(&self, pair: [u32; 2], budget: &mut Budget) -> Option<ActivePair> {
        if self.are_neighbours(pair) {
            return None;
        }
        let mut at = self.distance(pair);
        let mut level = [0, 1].map(|side| self.levels[side].fit_for(at));
        let mut pair = [0, 1].map(|side| self.levels[side].raised(pair[side], 0, level[side]));
        if level != [0, 0] {
            at = self.distance(pair);
        }
        loop {
            let settled = self.slide(&mut pair, &mut at, level, budget)?;
            let finer = [0, 1].map(|side| self.levels[side].fit_for(at).min(level[side]));
            if !settled || finer == level {
                break;
            }
            level = finer;
        }
        Some(ActivePair {
            triangles: self.ordered(pair),
            distance: at,
        })
    }

    /// Slides a pair on the finest level, whatever its distance.
    pub fn refine(&self, from: ActivePair, budget: &mut Budget) -> Option<ActivePair> {
        let ActivePair {
            mut triangles,
            mut distance,
        } = from;
        self.slide(&mut triangles, &mut distance, [0, 0], budget)?;
        Some(ActivePair {
            triangles: self.ordered(triangles),
            distance,
        })
    }

    /// To a local minimum on one level of each body; false where the budget ended before. None where a pair of one body slides together.
    fn slide(
        &self,
        pair: &mut [u32; 2],
        distance: &mut f64,
        level: [usize; 2],
        budget: &mut Budget,
    ) -> Option<bool> {
        let (mut side, mut stuck) = (0, 0);
        while stuck < 2 && *distance > 0.0 {
            let from = *pair;
            let (mut lasts, mut together) = (true, false);
            self.around(side, level[side], from[side], &mut |t| {
                lasts = lasts && !together && budget.spend(1);
                if !lasts {
                    return;
                }
                let mut moved = from;
                moved[side] = t;
                if self.are_neighbours(moved) {
                    together = true;
                    return;
                }
                let there = self.distance(moved);
                if there < *distance {
                    (*pair, *distance) = (moved, there);
                }
            });
            if together {
                return None;
            }
            if !lasts {
                return Some(false);
            }
            stuck = if *pair == from { stuck + 1 } else { 0 };
            side = 1 - side;
        }
        Some(true)
    }
}
