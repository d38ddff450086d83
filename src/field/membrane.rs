//! Where the sign of an open surface jumps: the membrane on which its winding number is one half.
//!
//! Across the surface the winding number `w` jumps by one; everywhere else off the border it is smooth. So its fraction is
//! continuous off the border, and changes no faster than the Biot-Savart integral over the border allows, `sum L / 4 pi d^2` over
//! pieces of length `L` at distance `d`. The sign can jump off the surface only where `w` is half-integer: a box is clear of
//! the membrane if at one of its points `w` is farther from that than it can change within the box.
//!
//! A gap that is closed to the eye, as at a T-junction, is a loop of next to no area `A` and width `b` that a fan closes. At a
//! distance `r` from the fan it adds at most `A / 4 pi r^2` to the winding number, and at most `b / 2 r`, what an endless strip of twice
//! that width does; nearer than that the distance itself is next to nothing.

use crate::field::grid::Grid;
use crate::geometry::nearest::{Nearest, Scratch};
use crate::geometry::sign::winding::Winding;
use crate::geometry::topology::rim::{self, Rim};
use crate::memory::{self, Gather};
use glam::{DVec3, UVec3};
use std::f64::consts::PI;

/// The membrane of an open surface, for a grid of a certain fineness.
pub struct Membrane<'a> {
    winding: &'a Winding,
    nearest: &'a Nearest,
    pieces: Vec<Piece>,
    /// How near to the surface gaps may turn its sign.
    gap: f64,
}

/// A few edges of the border that lie together.
struct Piece {
    centre: DVec3,
    radius: f64,
    length: f64,
    edges: Vec<[DVec3; 2]>,
}

/// Edges in a piece.
const PIECE: usize = 16;

/// What gaps may add to the winding number.
const GAPS: f64 = 0.02;

/// How exactly winding numbers are computed here, as far as it takes to decide.
const TOLERANCES: [f64; 2] = [0.1, 0.01];

/// Gaps may turn signs this far from the surface, in cells; wider ones are holes.
const NARROW: f64 = 0.005;

impl<'a> Membrane<'a> {
    /// The membrane, or nothing if the surface has no border.
    pub fn of(winding: &'a Winding, nearest: &'a Nearest, rim: &Rim, spacing: f32) -> Option<Self> {
        if rim.loops.is_empty() {
            return None;
        }
        let narrow = NARROW * f64::from(spacing);
        let gaps = rim.loops.iter().filter(|l| l.width <= 0.5 * narrow);
        let (area, width) = gaps.fold((0.0, 0.0), |(area, width), l| {
            (area + l.area, width + l.width)
        });
        let gap = width + (area / (4.0 * PI * GAPS)).sqrt().min(width / (2.0 * GAPS));
        let are_gaps = gap <= narrow;
        let holes = rim
            .loops
            .iter()
            .filter(|l| !(are_gaps && l.width <= 0.5 * narrow));
        let pieces = holes.flat_map(|l| {
            let edges: Vec<_> = l.edges().gather();
            edges.chunks(PIECE).map(Piece::of).gather()
        });
        Some(Self {
            winding,
            nearest,
            pieces: pieces.gather(),
            gap: if are_gaps { gap } else { 0.0 },
        })
    }

    /// What gaps may add to the error of interpolation: near them the sign of a node, of the truth and of the closed surface
    /// may all differ, and each distance is at most `gap` then.
    pub fn slack(&self) -> f32 {
        (6.0 * self.gap) as f32
    }

    /// The cells of a brick, or of a part of one, that the membrane may cross.
    pub fn crossed(&self, grid: &Grid, start: UVec3, size: UVec3) -> CellSet {
        let mut crossed = CellSet::default();
        if !self.pieces.is_empty() {
            self.mark(
                grid,
                start,
                [UVec3::ZERO, size],
                &mut crossed,
                &mut Scratch::default(),
            );
        }
        crossed
    }

    /// Marks the cells between two corners, counted from `start`.
    fn mark(
        &self,
        grid: &Grid,
        start: UVec3,
        [low, high]: [UVec3; 2],
        crossed: &mut CellSet,
        scratch: &mut Scratch,
    ) {
        let corners = [grid.position(start + low), grid.position(start + high)];
        if self.is_clear(corners, scratch) {
            return;
        }
        let size = high - low;
        if size == UVec3::ONE {
            crossed.insert(low);
            return;
        }
        let axis = size.max_position();
        let mut middle = high;
        middle[axis] = low[axis] + size[axis] / 2;
        let mut rest = low;
        rest[axis] = middle[axis];
        self.mark(grid, start, [low, middle], crossed, scratch);
        self.mark(grid, start, [rest, high], crossed, scratch);
    }

    /// Whether the membrane stays off the border of the domain. Outside, the winding number is harmonic and vanishes at infinity, so
    /// it is nowhere larger than on the border: then all beyond has the sign of the border.
    pub fn is_inside(&self, grid: &Grid) -> bool {
        let (low, high) = (DVec3::ZERO, (grid.nodes - 1).as_dvec3());
        let mut scratch = Scratch::default();
        (0..6).all(|face| {
            let (mut from, mut to) = (low, high);
            let at = if face < 3 { low } else { high };
            (from[face % 3], to[face % 3]) = (at[face % 3], at[face % 3]);
            self.is_clear_down_to_cells(grid, [from, to], &mut scratch)
        })
    }

    fn is_clear_down_to_cells(
        &self,
        grid: &Grid,
        [low, high]: [DVec3; 2],
        scratch: &mut Scratch,
    ) -> bool {
        let place = |at: DVec3| grid.origin.as_dvec3() + f64::from(grid.spacing) * at;
        if self.pieces.is_empty() || self.is_clear([place(low), place(high)], scratch) {
            return true;
        }
        let size = high - low;
        let axis = size.max_position();
        if size[axis] <= 1.0 {
            return false;
        }
        let (mut middle, mut rest) = (high, low);
        middle[axis] = 0.5 * (low[axis] + high[axis]);
        rest[axis] = middle[axis];
        self.is_clear_down_to_cells(grid, [low, middle], scratch)
            && self.is_clear_down_to_cells(grid, [rest, high], scratch)
    }

    /// Whether the membrane is certain not to enter a box, other than where gaps let it.
    fn is_clear(&self, [low, high]: [DVec3; 2], scratch: &mut Scratch) -> bool {
        let (middle, radius) = (0.5 * (low + high), 0.5 * low.distance(high));
        // On the surface itself the winding number has no value: another point of the box has to do.
        for (at, within) in [(middle, radius), (low, 2.0 * radius), (high, 2.0 * radius)] {
            let gaps = if self.gap > 0.0 { 2.0 * GAPS } else { 0.0 };
            let change = self.steepest(at, within) * within + gaps;
            if change >= 0.5 {
                return false;
            }
            let off = self.nearest.query(at, f64::INFINITY, scratch);
            if off.is_none_or(|hit| hit.distance <= self.gap + 1e-6 * radius) {
                continue;
            }
            for tolerance in TOLERANCES {
                let fraction = (self.winding.number(at, tolerance) - 0.5).rem_euclid(1.0);
                let from_half = fraction.min(1.0 - fraction);
                if from_half > change + tolerance {
                    return true;
                }
                if from_half + tolerance < change {
                    return false;
                }
            }
            return false;
        }
        false
    }

    /// The most that the winding number changes per length, off the surface, `within` a distance of a point.
    fn steepest(&self, at: DVec3, within: f64) -> f64 {
        // Along an edge the distance grows from its least `d` as `sqrt(d^2 + l^2)` or faster.
        let of = |length: f64, gap: f64| {
            if gap > 0.0 {
                2.0 * (0.5 * length / gap).atan() / (4.0 * PI * gap)
            } else {
                f64::INFINITY
            }
        };
        let mut sum = 0.0;
        for piece in &self.pieces {
            let gap = at.distance(piece.centre) - piece.radius - within;
            if gap > 2.0 * piece.radius {
                sum += piece.length / (4.0 * PI * gap * gap);
            } else {
                for edge in &piece.edges {
                    let gap = rim::distance_to_segment(at, *edge) - within;
                    sum += of(edge[0].distance(edge[1]), gap);
                }
            }
        }
        sum
    }
}

impl Piece {
    fn of(edges: &[[DVec3; 2]]) -> Self {
        let ends = || edges.iter().flatten();
        let centre = ends().sum::<DVec3>() / (2 * edges.len()) as f64;
        Self {
            centre,
            radius: ends().map(|p| p.distance(centre)).fold(0.0, f64::max),
            length: edges.iter().map(|[a, b]| a.distance(*b)).sum(),
            edges: memory::copied(edges),
        }
    }
}

/// Some of the cells of a brick of up to 8 x 8 x 8.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellSet([u64; 8]);

impl CellSet {
    /// Whether a cell is in it.
    pub fn contains(&self, cell: UVec3) -> bool {
        self.0[cell.z as usize] >> (8 * cell.y + cell.x) & 1 == 1
    }

    fn insert(&mut self, cell: UVec3) {
        self.0[cell.z as usize] |= 1 << (8 * cell.y + cell.x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::grid::Resolution;
    use crate::geometry::surface::AsSurface;
    use crate::geometry::topology::{Connectivity, Vertices};
    use fixtures::shapes::{self, Shape};
    use glam::Vec3;

    fn open_cube() -> Shape {
        let cube = shapes::cuboid(Vec3::ONE, 3);
        let mut open = cube.clone();
        open.triangles
            .retain(|t| !t.iter().all(|&v| cube.positions[v as usize].z == 1.0));
        open
    }

    #[test]
    fn the_membrane_of_a_square_hole_is_the_square() {
        let cube = open_cube();
        let surface = cube.surface();
        let (winding, nearest) = (Winding::build(surface), Nearest::build(surface));
        let rim = Rim::of(surface, &Connectivity::of(surface, Vertices::AsIndexed));
        let grid = Grid::around(surface.bounds(), 0.2, Resolution::Cells(30), 1).unwrap();
        let membrane = Membrane::of(&winding, &nearest, &rim, grid.spacing).unwrap();
        assert_eq!(membrane.slack(), 0.0);
        assert!(membrane.is_inside(&grid));
        let mut scratch = Scratch::default();
        let is_clear = |low: Vec3, high: Vec3, scratch: &mut Scratch| {
            membrane.is_clear([low.as_dvec3(), high.as_dvec3()], scratch)
        };
        let half = Vec3::splat(0.04);
        for (p, clear) in [
            (Vec3::new(0.3, 0.4, 1.0), false),
            (Vec3::new(0.0, 0.0, 0.97), false),
            (Vec3::new(0.97, 0.97, 1.0), false),
            (Vec3::new(0.0, 0.0, 0.6), true),
            (Vec3::new(0.0, 0.0, -1.0), true),
            (Vec3::new(1.0, 0.2, 0.3), true),
            (Vec3::new(0.1, 0.2, 1.4), true),
        ] {
            assert_eq!(is_clear(p - half, p + half, &mut scratch), clear, "{p}");
        }
    }
}
