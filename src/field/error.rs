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

use crate::field::bake::Baker;
use crate::field::grid::{self, Grid};
use crate::field::sides::Texel;
use crate::geometry::aabb::Aabb;
use crate::geometry::patch::Patch;
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
    /// For each brick of 8 x 8 x 8 cells, x fastest: anywhere in it.
    pub bricks: Vec<f32>,
}

/// Cells along a side of a brick.
pub const BRICK: u32 = 8;

/// What is known of the cells of one brick, the worst of each.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellBounds {
    /// Over all cells.
    pub everywhere: f32,
    /// Over cells that hold interpolated distances of at most one cell.
    pub near: f32,
    /// The largest slope.
    pub lipschitz: f32,
}

impl CellBounds {
    fn worst(self, other: Self) -> Self {
        Self {
            everywhere: self.everywhere.max(other.everywhere),
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
            everywhere: worst.everywhere,
            near: worst.near,
            lipschitz: worst.lipschitz,
            bricks: bricks.iter().map(|b| b.everywhere).collect(),
        }
    }
}

/// The bounds of a whole grid; without fact 4 if it is too coarse for cones of normals to help.
pub fn of_dense(baker: &Baker, grid: &Grid, texels: &[Texel], cones: bool) -> ErrorBound {
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
            let patch = cones.then_some(patch);
            of_cells(
                baker,
                grid,
                start,
                size,
                |node| texels[grid.index(node)],
                |_| 0.0,
                patch,
            )
        })
        .collect();
    ErrorBound::over(&bricks)
}

/// The bounds of a box of cells, whose stored values are `offset` away from the exact ones. Fact 4 needs a patch to gather in.
pub fn of_cells(
    baker: &Baker,
    grid: &Grid,
    start: UVec3,
    size: UVec3,
    texel: impl Fn(UVec3) -> Texel,
    offset: impl Fn(UVec3) -> f32,
    mut patch: Option<&mut Patch>,
) -> CellBounds {
    let mut worst = CellBounds::default();
    let mut gathered = false;
    for k in 0..size.element_product() {
        let cell = start + UVec3::new(k % size.x, k / size.x % size.y, k / size.x / size.y);
        let nodes = grid::corners(cell);
        let corners = Corners {
            h: grid.spacing,
            texels: nodes.map(|n| Vec4::from(texel(n))),
        };
        let mut bound = corners.bound();
        if corners.is_near() && baker.is_solid() && bound > 0.02 * grid.spacing {
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
        bound += moved + corners.rounding();
        let near = if corners.is_near() { bound } else { 0.0 };
        worst = worst.worst(CellBounds {
            everywhere: bound,
            near,
            lipschitz: corners.lipschitz(),
        });
    }
    worst
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
