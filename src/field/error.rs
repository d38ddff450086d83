//! How far trilinear interpolation may be from the exact distance: bounds that hold everywhere, not estimates.
//!
//! In a cell of side `h` let `D` be the exact distance, `D_i` its value at corner `x_i`, `T` the interpolant with weights `w_i`
//! at `p`, and `V = sum w_i |x_i - p|^2 <= 3 h^2 / 4`. Four facts bound `T - D`, and the best is taken:
//!
//! 1. `D` is 1-Lipschitz, so `|T - D| <= sum w_i |x_i - p| <= sqrt(3)/2 h`.
//! 2. Where the sign does not change `|D|^2 - |p|^2` is concave, being a minimum of affine functions. Hence
//!    `|D|^2 >= sum w_i D_i^2 - V >= T^2 - V`, and `|T| - |D| <= m - sqrt(m^2 - V)` with `m = min |D_i|`.
//! 3. There also `|D| <= |p - q_i|` for the closest point `q_i = x_i + |D_i| u_i` of each corner, which is at most
//!    `|D_i| - u_i . (p - x_i) + |p - x_i|^2 / 2 |D_i|`. Weighted, with any `u`, because `sum w_i (p - x_i) = 0`:
//!    `|D| - |T| <= max |u_i - u| sqrt(3)/2 h + V / 2 m`.
//! 4. On a solid the gradient of `D` lies in the cone of the normals of the faces that can be closest to some point of the
//!    cell (see `spread`). If that cone has half-angle `a` about `n`, `D - n . p` has slopes of at most `2 sin(a / 2)`, and
//!    `|T - D| <= 2 sin(a / 2) sqrt(3)/2 h`. This is the one that helps where the surface crosses the cell.
//!
//! All of that supposes that the sign changes on the surface only. An open surface's changes on a membrane, too: in a cell that the
//! membrane may cross `|T - D| <= |T| + |D| <= 2 max |D_i| + sqrt(3)/2 h` is all that is left.

use crate::field::data::{Outside, error_bricks};
use crate::field::grid::{Grid, place, places};
use crate::field::membrane::{CellSet, Membrane};
use crate::field::sides::FieldTexel;
use crate::geometry::aabb::Aabb;
use crate::geometry::nearest::Nearest;
use crate::geometry::nearest::patch::Patch;
use crate::geometry::simd::{self, LaneKernel, Lanes, WIDTH};
use crate::interrupt;
use crate::memory::{Gather, ParallelGather};
use bytemuck::{Pod, Zeroable};
use glam::{UVec3, Vec3};
use rayon::prelude::*;

/// Bounds on `|interpolated - exact|`, in the units of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorBound {
    /// The largest slope of the interpolant: it may exceed 1.
    pub lipschitz: f32,
    /// For each brick of 8 x 8 x 8 cells, x fastest.
    pub bricks: Vec<BrickError>,
}

/// Bounds on `|interpolated - exact|` in a brick of cells.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct BrickError {
    /// In cells that are not along the brick's faces.
    pub inner: f32,
    /// In the cells along its faces, where a sparse field blends into the coarse grid.
    pub outer: f32,
}

impl BrickError {
    /// The same everywhere.
    pub fn even(error: f32) -> Self {
        Self {
            inner: error,
            outer: error,
        }
    }

    /// The worse of the two.
    pub fn worst(self) -> f32 {
        self.inner.max(self.outer)
    }
}

/// Cells along a side of a brick.
pub const BRICK: u32 = 8;

/// What is known of the cells of one brick, the worst of each.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellBounds {
    /// Over all cells.
    pub error: BrickError,
    /// The largest slope.
    pub lipschitz: f32,
}

impl CellBounds {
    fn worst(self, other: Self) -> Self {
        Self {
            error: BrickError {
                inner: self.error.inner.max(other.error.inner),
                outer: self.error.outer.max(other.error.outer),
            },
            lipschitz: self.lipschitz.max(other.lipschitz),
        }
    }
}

impl ErrorBound {
    /// Collects the bounds of all bricks.
    pub fn over(bricks: &[CellBounds]) -> Self {
        let worst = bricks
            .iter()
            .copied()
            .fold(CellBounds::default(), CellBounds::worst);
        Self {
            lipschitz: worst.lipschitz,
            bricks: bricks.iter().map(|b| b.error).gather(),
        }
    }
}

/// What the bounds of cells come from.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The nodes.
    pub grid: &'a Grid,
    /// The surface, if pseudonormals gave the signs: then the faces' normals bound the gradients of the distance.
    pub surface: Option<&'a Nearest>,
    /// Where the sign jumps, if the surface is open.
    pub membrane: Option<&'a Membrane<'a>>,
}

/// The stored values of a box of nodes, from its first node on.
#[derive(Clone, Copy)]
pub struct Stored<'a> {
    /// The texels, of this box or of a larger one.
    pub texels: &'a [FieldTexel],
    /// How far each texel's distance is from the exact one; empty if none is.
    pub offsets: &'a [f32],
    /// From a node to the next along y, and along z.
    pub strides: [usize; 2],
}

/// From a node of a grid to the next along y, and along z.
pub(super) fn strides(nodes: UVec3) -> [usize; 2] {
    let row = nodes.x as usize;
    [row, row * nodes.y as usize]
}

/// The bounds of a whole grid.
pub fn of_dense(evidence: Evidence, texels: &[FieldTexel]) -> ErrorBound {
    let grid = evidence.grid;
    let cells = grid.nodes - 1;
    let lattice = error_bricks(grid);
    let count = lattice.element_product() as usize;
    let bricks: Vec<_> = (0..count)
        .into_par_iter()
        .map_init(Patch::default, |patch, i| {
            let start = place(i, lattice) * BRICK;
            let size = (cells - start).min(UVec3::splat(BRICK));
            let stored = Stored {
                texels: &texels[grid.index(start)..],
                offsets: &[],
                strides: strides(grid.nodes),
            };
            evidence.of_cells(start, size, stored, patch)
        })
        .par_gather();
    ErrorBound::over(&bricks)
}

impl Evidence<'_> {
    /// What is known beyond the domain, whose first node has this texel.
    pub fn outside(&self, first: FieldTexel) -> Outside {
        match self.membrane {
            Some(membrane) if !(first[3] > 0.0 && membrane.is_inside(self.grid)) => {
                Outside::Unsigned
            }
            _ => Outside::Clear,
        }
    }

    /// The bounds of a brick of cells, or a part of one, with a patch to gather in.
    pub fn of_cells(
        &self,
        start: UVec3,
        size: UVec3,
        stored: Stored,
        patch: &mut Patch,
    ) -> CellBounds {
        simd::dispatch(OfCells {
            evidence: *self,
            start,
            size,
            stored,
            patch,
        })
    }
}

struct OfCells<'a> {
    evidence: Evidence<'a>,
    start: UVec3,
    size: UVec3,
    stored: Stored<'a>,
    patch: &'a mut Patch,
}

impl LaneKernel for OfCells<'_> {
    type Output = CellBounds;

    #[inline(always)]
    fn run<V: Lanes>(self) -> CellBounds {
        interrupt::check();
        let Self {
            evidence,
            start,
            size,
            stored,
            patch,
        } = self;
        let grid = evidence.grid;
        let (crossed, slack) = evidence
            .membrane
            .map_or((CellSet::default(), 0.0), |membrane| {
                (membrane.crossed(grid, start, size), membrane.slack())
            });
        let mut worst = CellBounds::default();
        let mut gathered = false;
        for local in places(size) {
            let (corners, moved) = Corners::<V>::load(grid.spacing, &stored, local);
            let mut bound = corners.bound();
            if crossed.contains(local) {
                bound = corners.unsigned_bound();
            } else if corners.is_near()
                && bound > 0.02 * grid.spacing
                && let Some(surface) = evidence.surface
            {
                if !gathered {
                    let brick = cell_box(grid, start, size);
                    patch.gather(surface, brick.expanded(corners.farthest_near()));
                    gathered = true;
                }
                let centre = cell_box(grid, start + local, UVec3::ONE).centre();
                let worth = bound / corners.half_diagonal();
                let spread = spread(patch, centre, corners.radius(), corners.gradient(), worth);
                bound = bound.min(spread * corners.half_diagonal());
            }
            bound += moved + slack + corners.rounding();
            // As the sampling code sees it, which takes a brick at the end of the grid for a whole one.
            let last = UVec3::splat(BRICK - 1);
            let is_inner = local.cmpgt(UVec3::ZERO).all() && local.cmplt(last).all();
            let (inner, outer) = if is_inner { (bound, 0.0) } else { (0.0, bound) };
            worst = worst.worst(CellBounds {
                error: BrickError { inner, outer },
                lipschitz: corners.lipschitz(),
            });
        }
        worst
    }
}

fn cell_box(grid: &Grid, cell: UVec3, size: UVec3) -> Aabb {
    Aabb {
        min: grid.position(cell).as_vec3(),
        max: grid.position(cell + size).as_vec3(),
    }
}

/// How far the gradient of the distance may be from the unit vector `n`, over all points whose closest triangles come within
/// `radius` of `centre`; 2, which is always right, if that is more than `worth`.
///
/// At a point the gradient is the unit vector `g` from its closest point `q`, or to it from inside. In a face it is the normal.
/// At an edge or a vertex of a closed manifold all faces around `q` are closest too, so they are in the set. If their
/// normals are within `a < 90` degrees of `n`, they form a graph over the plane across `n`, with slopes of at most `tan a`;
/// were `g` farther than `a` from `n`, the surface would come closer in the direction in which `g` leans.
fn spread(patch: &Patch, centre: Vec3, radius: f32, n: Vec3, worth: f32) -> f32 {
    let useless = 1.0 - 0.5 * worth * worth;
    let cosine = patch.least_cosine(centre, radius, n, useless) - 4.0 * f32::EPSILON;
    // 2 sin(a / 2)
    (2.0 - 2.0 * cosine).max(0.0).sqrt()
}

/// The eight corners of a cell, one per lane: x changes fastest.
struct Corners<V> {
    h: f32,
    towards: [V; 3],
    distances: V,
    least: f32,
    most: f32,
}

impl<V: Lanes> Corners<V> {
    /// The corners of a cell of a box of nodes, and how far the farthest of them is from its exact distance.
    #[inline(always)]
    fn load(h: f32, stored: &Stored, cell: UVec3) -> (Self, f32) {
        let [row, layer] = stored.strides;
        let first = cell.z as usize * layer + cell.y as usize * row + cell.x as usize;
        let mut lanes = [[0.0; WIDTH]; 4];
        let mut moved = 0.0f32;
        for i in 0..WIDTH {
            let place = first + (i & 1) + (i >> 1 & 1) * row + (i >> 2) * layer;
            let texel = stored.texels[place];
            for (row, value) in lanes.iter_mut().zip(texel) {
                row[i] = value;
            }
            if let Some(&offset) = stored.offsets.get(place) {
                moved = moved.max(offset);
            }
        }
        let distances = V::load(&lanes[3]);
        let corners = Self {
            h,
            towards: [V::load(&lanes[0]), V::load(&lanes[1]), V::load(&lanes[2])],
            distances,
            least: distances.abs().least(),
            most: distances.abs().most(),
        };
        (corners, moved)
    }

    #[inline(always)]
    fn half_diagonal(&self) -> f32 {
        0.866_025_5 * self.h
    }

    #[inline(always)]
    fn changes_sign(&self) -> bool {
        !matches!(self.distances.bits(), 0 | u8::MAX)
    }

    /// Whether the interpolant comes within one cell of 0: only if a corner does, or if it changes sign.
    #[inline(always)]
    fn is_near(&self) -> bool {
        self.least <= self.h || self.changes_sign()
    }

    /// No triangle that is closest to a point of the cell is farther from the centre `c`: with `r` half a diagonal it is
    /// within `|D(p)| + r <= |D(c)| + 2 r` of it, and `|D(c)|` is at most the distance to each corner's closest point.
    #[inline(always)]
    fn radius(&self) -> f32 {
        const SIDES: [[f32; WIDTH]; 3] = [
            [-0.5, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5],
            [-0.5, -0.5, 0.5, 0.5, -0.5, -0.5, 0.5, 0.5],
            [-0.5, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5],
        ];
        let (h, distance) = (V::splat(self.h), self.distances.abs());
        let mut squared = V::splat(0.0);
        for (side, &towards) in SIDES.iter().zip(&self.towards) {
            let closest = V::load(side) * h + distance * towards;
            squared = squared + closest * closest;
        }
        squared.least().sqrt() + 2.0 * self.half_diagonal() + self.rounding()
    }

    /// No triangle that matters to a near cell is farther from it: a point of it is within a cell of the surface, and so all
    /// are within a cell and a diagonal.
    #[inline(always)]
    fn farthest_near(&self) -> f32 {
        2.8 * self.h
    }

    /// A unit vector close to the gradients at the corners; any would be right, a good one gives a tight bound.
    #[inline(always)]
    fn gradient(&self) -> Vec3 {
        let sign = V::splat(1.0).with_sign_of(self.distances);
        let [x, y, z] = self.towards;
        let sum = Vec3::new((x * sign).sum(), (y * sign).sum(), (z * sign).sum());
        (-sum).normalize_or(Vec3::X)
    }

    /// Facts 1 to 3.
    #[inline(always)]
    fn bound(&self) -> f32 {
        let whole = self.half_diagonal();
        let (m, v) = (self.least, whole * whole);
        if m * m <= v || self.changes_sign() {
            return whole;
        }
        let above = m - (m * m - v).sqrt();
        let mut leaning = V::splat(0.0);
        for k in 0..3 {
            let off = self.towards[k] - V::splat(self.towards[k].sum() / 8.0);
            leaning = leaning + off * off;
        }
        let below = leaning.most().sqrt() * whole + v / (2.0 * m);
        whole.min(above.max(below))
    }

    /// Where the sign is not known: see above.
    #[inline(always)]
    fn unsigned_bound(&self) -> f32 {
        2.0 * self.most + self.half_diagonal()
    }

    /// What the stored values, and the bound itself, may lose to rounding.
    #[inline(always)]
    fn rounding(&self) -> f32 {
        4.0 * f32::EPSILON * (self.most + self.h)
    }

    /// The largest slope of the interpolant. Along each axis its square is convex (the partial derivatives are linear along
    /// the other axes), so it is largest at a corner, where the three edges give the gradient.
    #[inline(always)]
    fn lipschitz(&self) -> f32 {
        let d = self.distances.store();
        let mut steepest = 0.0f32;
        for i in 0..WIDTH {
            let [x, y, z] = [1, 2, 4].map(|bit| d[i | bit] - d[i & !bit]);
            steepest = steepest.max(x * x + y * y + z * z);
        }
        steepest.sqrt() / self.h
    }
}
