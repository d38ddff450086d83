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

use crate::field::bake::Baker;
use crate::field::data::Outside;
use crate::field::grid::{self, Grid};
use crate::field::membrane::{CellSet, Membrane};
use crate::field::sides::Texel;
use crate::geometry::aabb::Aabb;
use crate::geometry::patch::Patch;
use bytemuck::{Pod, Zeroable};
use glam::{UVec3, Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

/// Bounds on `|interpolated - exact|`, in the units of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorBound {
    /// Anywhere in the domain.
    pub everywhere: f32,
    /// Wherever the interpolated distance is at most one cell.
    pub near: f32,
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
    /// Over cells that hold interpolated distances of at most one cell.
    pub near: f32,
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
            near: self.near.max(other.near),
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
            everywhere: worst.error.worst(),
            near: worst.near,
            lipschitz: worst.lipschitz,
            bricks: bricks.iter().map(|b| b.error).collect(),
        }
    }
}

/// What the bounds of cells come from.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The surface.
    pub baker: &'a Baker<'a>,
    /// The nodes.
    pub grid: &'a Grid,
    /// Where the sign jumps, if the surface is open.
    pub membrane: Option<&'a Membrane<'a>>,
    /// Whether pseudonormals gave the signs: then the faces' normals bound the gradients of the distance.
    pub by_normals: bool,
}

/// The bounds of a whole grid.
pub fn of_dense(evidence: Evidence, texels: &[Texel]) -> ErrorBound {
    let grid = evidence.grid;
    let cells = grid.nodes - 1;
    let lattice = (cells + (BRICK - 1)) / BRICK;
    let count = lattice.element_product();
    let bricks: Vec<_> = (0..count)
        .into_par_iter()
        .map_init(Patch::default, |patch, i| {
            let brick = UVec3::new(
                i % lattice.x,
                i / lattice.x % lattice.y,
                i / lattice.x / lattice.y,
            );
            let start = brick * BRICK;
            let size = (cells - start).min(UVec3::splat(BRICK));
            let texel = |node| texels[grid.index(node)];
            evidence.of_cells(start, size, texel, |_| 0.0, Some(patch))
        })
        .collect();
    ErrorBound::over(&bricks)
}

impl Evidence<'_> {
    /// What is known beyond the domain, whose first node has this texel.
    pub fn outside(&self, first: Texel) -> Outside {
        match self.membrane {
            Some(membrane) if !(first[3] > 0.0 && membrane.is_inside(self.grid)) => {
                Outside::Unsigned
            }
            _ => Outside::Clear,
        }
    }

    /// The bounds of a brick of cells, or a part of one, whose stored values are `offset` away from the exact ones. Fact 4
    /// needs a patch to gather in.
    pub fn of_cells(
        &self,
        start: UVec3,
        size: UVec3,
        texel: impl Fn(UVec3) -> Texel,
        offset: impl Fn(UVec3) -> f32,
        mut patch: Option<&mut Patch>,
    ) -> CellBounds {
        let Self { baker, grid, .. } = *self;
        let (crossed, slack) = self.membrane.map_or((CellSet::default(), 0.0), |membrane| {
            (membrane.crossed(grid, start, size), membrane.slack())
        });
        let mut worst = CellBounds::default();
        let mut gathered = false;
        for k in 0..size.element_product() {
            let local = UVec3::new(k % size.x, k / size.x % size.y, k / size.x / size.y);
            let cell = start + local;
            let nodes = grid::corners(cell);
            let corners = Corners {
                h: grid.spacing,
                texels: nodes.map(|n| Vec4::from(texel(n))),
            };
            let mut bound = corners.bound();
            if crossed.contains(local) {
                bound = corners.unsigned_bound();
            } else if corners.is_near() && self.by_normals && bound > 0.02 * grid.spacing {
                if !gathered && let Some(patch) = patch.as_deref_mut() {
                    let brick = cell_box(grid, start, size);
                    patch.gather(baker.nearest(), brick.expanded(corners.farthest_near()));
                    gathered = true;
                }
                if let Some(patch) = patch.as_deref() {
                    let centre = cell_box(grid, cell, UVec3::ONE).centre();
                    let spread = spread(patch, centre, corners.reach(), corners.gradient());
                    bound = bound.min(spread * corners.half_diagonal());
                }
            }
            let moved = nodes.iter().fold(0.0f32, |most, &n| most.max(offset(n)));
            bound += moved + slack + corners.rounding();
            let is_inner = local.cmpgt(UVec3::ZERO).all() && (local + 1).cmplt(size).all();
            let (inner, outer) = if is_inner { (bound, 0.0) } else { (0.0, bound) };
            worst = worst.worst(CellBounds {
                error: BrickError { inner, outer },
                near: if corners.is_near() { bound } else { 0.0 },
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
/// `reach` of `centre`.
///
/// At a point the gradient is the unit vector `g` from its closest point `q`, or to it from inside. In a face it is the normal.
/// At an edge or a vertex of a closed manifold all faces around `q` are closest too, so they are in the set. If their
/// normals are within `a < 90` degrees of `n`, they form a graph over the plane across `n`, with slopes of at most `tan a`;
/// were `g` farther than `a` from `n`, the surface would come closer in the direction in which `g` leans.
fn spread(patch: &Patch, centre: Vec3, reach: f32, n: Vec3) -> f32 {
    let cosine = patch.least_cosine(centre, reach, n) - 4.0 * f32::EPSILON;
    // 2 sin(a / 2)
    (2.0 - 2.0 * cosine).max(0.0).sqrt()
}

/// The eight corners of a cell.
struct Corners {
    h: f32,
    texels: [Vec4; 8],
}

impl Corners {
    fn half_diagonal(&self) -> f32 {
        0.866_025_5 * self.h
    }

    fn least(&self) -> f32 {
        self.texels
            .iter()
            .fold(f32::INFINITY, |m, t| m.min(t.w.abs()))
    }

    fn most(&self) -> f32 {
        self.texels.iter().fold(0.0, |m, t| m.max(t.w.abs()))
    }

    fn changes_sign(&self) -> bool {
        let negative = self
            .texels
            .iter()
            .filter(|t| t.w.is_sign_negative())
            .count();
        negative % 8 != 0
    }

    /// Whether the interpolant comes within one cell of 0: only if a corner does, or if it changes sign.
    fn is_near(&self) -> bool {
        self.least() <= self.h || self.changes_sign()
    }

    /// No triangle that is closest to a point of the cell is farther from the centre `c`: with `r` half a diagonal it is
    /// within `|D(p)| + r <= |D(c)| + 2 r` of it, and `|D(c)|` is at most the distance to each corner's closest point.
    fn reach(&self) -> f32 {
        let half = 0.5 * self.h;
        let to_closest = |i: usize, t: &Vec4| {
            let corner = Vec3::from(
                [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 1 { half } else { -half }),
            );
            (corner + t.w.abs() * t.xyz()).length()
        };
        let nearest = self
            .texels
            .iter()
            .enumerate()
            .fold(f32::INFINITY, |d, (i, t)| d.min(to_closest(i, t)));
        nearest + 2.0 * self.half_diagonal() + self.rounding()
    }

    /// No triangle that matters to a near cell is farther from it: a point of it is within a cell of the surface, and so all
    /// are within a cell and a diagonal.
    fn farthest_near(&self) -> f32 {
        2.8 * self.h
    }

    /// A unit vector close to the gradients at the corners; any would be right, a good one gives a tight bound.
    fn gradient(&self) -> Vec3 {
        let sum = self
            .texels
            .iter()
            .fold(Vec3::ZERO, |sum, t| sum - t.xyz() * t.w.signum());
        sum.normalize_or(Vec3::X)
    }

    /// Facts 1 to 3.
    fn bound(&self) -> f32 {
        let whole = self.half_diagonal();
        let (m, v) = (self.least(), whole * whole);
        if m * m <= v || self.changes_sign() {
            return whole;
        }
        let above = m - (m * m - v).sqrt();
        let mean = self.texels.iter().fold(Vec3::ZERO, |sum, t| sum + t.xyz()) / 8.0;
        let leaning = self
            .texels
            .iter()
            .fold(0.0f32, |most, t| most.max(t.xyz().distance_squared(mean)));
        let below = leaning.sqrt() * whole + v / (2.0 * m);
        whole.min(above.max(below))
    }

    /// Where the sign is not known: see above.
    fn unsigned_bound(&self) -> f32 {
        2.0 * self.most() + self.half_diagonal()
    }

    /// What the stored values, and the bound itself, may lose to rounding.
    fn rounding(&self) -> f32 {
        4.0 * f32::EPSILON * (self.most() + self.h)
    }

    /// The largest slope of the interpolant. Along each axis its square is convex (the partial derivatives are linear along
    /// the other axes), so it is largest at a corner, where the three edges give the gradient.
    fn lipschitz(&self) -> f32 {
        let d = |i: usize, bit: usize| self.texels[i | bit].w - self.texels[i & !bit].w;
        let squared = |i: usize| {
            let (x, y, z) = (d(i, 1), d(i, 2), d(i, 4));
            x * x + y * y + z * z
        };
        (0..8).map(squared).fold(0.0, f32::max).sqrt() / self.h
    }
}
