//! Where the vertices of a surface are, in single or in double precision.
//!
//! Positions in double precision come with their roundings: filters and boxes begin from those, with room for what rounding does, and
//! every decision is about the doubles.

use crate::error::{Error, Result};
use crate::geometry::aabb::Aabb;
use crate::geometry::rounding::{round_down_each, round_up_each};
use crate::memory::{self, Gather};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A smaller coordinate in double precision counts as 0. All others are multiples of the least float then, as floats are, so that what
/// is exact for floats underflows for neither.
pub const SMALLEST_COORDINATE: f64 = 1e-28;

/// A position in double precision, with small coordinates counted as 0.
#[inline]
pub fn settled(p: DVec3) -> DVec3 {
    DVec3::select(
        p.abs().cmplt(DVec3::splat(SMALLEST_COORDINATE)),
        DVec3::ZERO,
        p,
    )
}

/// Borrowed positions, one per vertex.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'a> {
    rounded: &'a [Vec3],
    exact: Option<&'a [DVec3]>,
}

impl<'a> From<&'a SharedPositions> for Positions<'a> {
    #[inline]
    fn from(shared: &'a SharedPositions) -> Self {
        shared.all()
    }
}

impl<'a> From<&'a [Vec3]> for Positions<'a> {
    #[inline]
    fn from(floats: &'a [Vec3]) -> Self {
        Self {
            rounded: floats,
            exact: None,
        }
    }
}

impl<'a> From<&'a Vec<Vec3>> for Positions<'a> {
    #[inline]
    fn from(floats: &'a Vec<Vec3>) -> Self {
        floats[..].into()
    }
}

impl<'a> Positions<'a> {
    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        self.rounded.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.rounded.is_empty()
    }

    /// All in single precision, rounded to nearest where they are doubles.
    #[inline(always)]
    pub fn rounded(self) -> &'a [Vec3] {
        self.rounded
    }

    /// Whether they are doubles.
    #[inline(always)]
    pub fn are_doubles(self) -> bool {
        self.exact.is_some()
    }

    /// The doubles, where they are.
    #[inline(always)]
    pub fn doubles(self) -> Option<&'a [DVec3]> {
        self.exact
    }

    /// One of them, exactly.
    #[inline(always)]
    pub fn at(self, vertex: u32) -> DVec3 {
        match self.exact {
            None => self.rounded[vertex as usize].as_dvec3(),
            Some(exact) => exact[vertex as usize],
        }
    }

    /// A box that holds some of them.
    #[inline(always)]
    pub fn box_of(self, vertices: [u32; 3]) -> Aabb {
        let Some(exact) = self.exact else {
            let [a, b, c] = vertices;
            let at = self.rounded;
            return Aabb::of([at[a as usize], at[b as usize], at[c as usize]]);
        };
        let [a, b, c] = vertices.map(|v| exact[v as usize]);
        Aabb {
            min: round_down_each(a.min(b).min(c)),
            max: round_up_each(a.max(b).max(c)),
        }
    }
}

/// Positions that several share; an update leaves those alone who still look at them.
#[derive(Clone, Debug)]
pub struct SharedPositions {
    rounded: Arc<Vec<Vec3>>,
    exact: Option<Arc<Vec<DVec3>>>,
}

impl From<Vec<Vec3>> for SharedPositions {
    fn from(floats: Vec<Vec3>) -> Self {
        Self {
            rounded: Arc::new(floats),
            exact: None,
        }
    }
}

impl SharedPositions {
    /// Doubles, and room for their roundings.
    pub fn of_doubles(mut doubles: Vec<DVec3>) -> Result<Self> {
        doubles.iter_mut().for_each(|p| *p = settled(*p));
        let rounded = memory::collect(doubles.iter().map(|p| p.as_vec3()), "positions")?;
        Ok(Self {
            rounded: Arc::new(rounded),
            exact: Some(Arc::new(doubles)),
        })
    }

    /// As geometry takes them.
    #[inline]
    pub fn all(&self) -> Positions<'_> {
        Positions {
            rounded: &self.rounded,
            exact: self.exact.as_ref().map(|exact| &exact[..]),
        }
    }

    /// Puts floats in the place of those from `first` on; doubles become these floats.
    pub fn update(&mut self, first: usize, new: &[Vec3]) -> Result<()> {
        let places = first..first + new.len();
        let rounded = memory::make_mut(&mut self.rounded, "positions")?;
        if let Some(exact) = &mut self.exact {
            let exact = &mut memory::make_mut(exact, "positions")?[places.clone()];
            let wide = |(p, new): (&mut DVec3, &Vec3)| *p = new.as_dvec3();
            exact.iter_mut().zip(new).for_each(wide);
        }
        rounded[places].copy_from_slice(new);
        Ok(())
    }

    /// Puts doubles in the place of those from `first` on. Floats have no room for them.
    pub fn update_doubles(&mut self, first: usize, new: &Self) -> Result<()> {
        let (Some(exact), Some(doubles)) = (&mut self.exact, &new.exact) else {
            return Err(Error::Internal("positions are floats".into()));
        };
        let rounded = memory::make_mut(&mut self.rounded, "positions")?;
        let exact = memory::make_mut(exact, "positions")?;
        let places = first..first + doubles.len();
        exact[places.clone()].copy_from_slice(doubles);
        rounded[places].copy_from_slice(&new.rounded);
        Ok(())
    }

    /// How far the rounding of a coordinate moves a vertex at most: 0 of floats.
    pub fn rounding(&self) -> f64 {
        let all = self.all();
        let moved = |(exact, rounded): (&DVec3, &Vec3)| exact.distance_squared(rounded.as_dvec3());
        let pairs = all.doubles().unwrap_or_default().iter().zip(all.rounded());
        // A little more, for the rounding of this sum.
        pairs.map(moved).fold(0.0, f64::max).sqrt() * (1.0 + 1e-12)
    }

    /// All after a motion, in the precision that they have.
    pub fn moved(&self, motion: impl Fn(DVec3) -> DVec3) -> Self {
        let all = self.all();
        match all.doubles() {
            None => {
                let there = |p: &Vec3| motion(p.as_dvec3()).as_vec3();
                all.rounded().iter().map(there).gather().into()
            }
            Some(exact) => {
                let exact: Vec<DVec3> = exact.iter().map(|p| settled(motion(*p))).gather();
                Self {
                    rounded: Arc::new(exact.iter().map(|p| p.as_vec3()).gather()),
                    exact: Some(Arc::new(exact)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    #[test]
    fn boxes_hold_the_doubles_and_the_rounding_is_the_farthest_move() {
        let mut random = Random::new(4);
        for scale in [1.0, 1e7, 1e-20, 9e14] {
            let places: Vec<DVec3> = (0..60).map(|_| random.in_cube() * scale).collect();
            let shared = SharedPositions::of_doubles(places.clone()).unwrap();
            let all = shared.all();
            let mut moved = 0.0f64;
            for t in 0..20 {
                let bounds = all.box_of([3 * t, 3 * t + 1, 3 * t + 2]);
                for v in 3 * t..3 * t + 3 {
                    let p = places[v as usize];
                    assert_eq!(all.at(v), p);
                    assert!(bounds.min.as_dvec3().cmple(p).all());
                    assert!(bounds.max.as_dvec3().cmpge(p).all());
                    moved = moved.max(p.distance(all.rounded()[v as usize].as_dvec3()));
                }
            }
            assert!(moved > 0.0 && moved <= shared.rounding());
            assert!(shared.rounding() <= moved * (1.0 + 1e-9));
            // Half a step on each axis at most.
            assert!(moved <= 0.87 * f64::from(f32::EPSILON) * scale);
        }
    }

    #[test]
    fn an_update_leaves_others_what_they_look_at_and_floats_are_themselves() {
        let mut shared = SharedPositions::of_doubles(vec![DVec3::splat(0.1); 3]).unwrap();
        let before = shared.clone();
        shared.update(1, &[Vec3::splat(0.1)]).unwrap();
        let small = vec![DVec3::new(0.3, 1e-29, -1e-300)];
        let small = SharedPositions::of_doubles(small).unwrap();
        shared.update_doubles(2, &small).unwrap();
        let (now, then) = (shared.all(), before.all());
        assert_eq!(now.at(0), DVec3::splat(0.1));
        assert_eq!(now.at(1), DVec3::splat(f64::from(0.1f32)));
        assert_eq!(now.at(2), DVec3::new(0.3, 0.0, 0.0));
        assert_eq!(now.rounded()[2], Vec3::new(0.3, 0.0, 0.0));
        assert!((0..3).all(|v| then.at(v) == DVec3::splat(0.1)));
        let floats = SharedPositions::from(vec![Vec3::splat(0.1)]);
        assert_eq!(floats.rounding(), 0.0);
        assert!(floats.clone().update_doubles(0, &small).is_err());
    }
}
