//! A signed distance field on the host: samples on a grid and what is known about their error.

use crate::error::{Result, invalid};
use glam::{DVec3, Vec3};
use half::f16;

/// A regular grid: node (i, j, k) is at origin + cell * (i, j, k).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The first node.
    pub origin: DVec3,
    /// From one node to the next.
    pub cell: f64,
    /// Nodes along each axis, at least two.
    pub nodes: [u32; 3],
}

impl Grid {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.iter().map(|n| *n as usize).product()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a node is.
    pub fn node(&self, at: [u32; 3]) -> DVec3 {
        self.origin + self.cell * DVec3::new(at[0].into(), at[1].into(), at[2].into())
    }

    /// The last node.
    pub fn end(&self) -> DVec3 {
        self.node(self.nodes.map(|n| n - 1))
    }

    /// The positions of all nodes, x fastest.
    pub fn positions(&self) -> impl Iterator<Item = DVec3> + '_ {
        let [x, y, z] = self.nodes;
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| self.node([i, j, k]))))
    }
}

/// How the sign was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// By angle-weighted pseudonormals (Baerentzen & Aanaes): closed, manifold, oriented meshes.
    Pseudonormal = 1,
    /// By the generalised winding number: anything else that encloses something.
    Winding = 2,
    /// It came with the samples.
    Given = 3,
}

/// How a sample is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats.
    Single = 0,
    /// 16-bit floats; the error bound covers their rounding.
    Half = 1,
}

/// The samples of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// One at every node, x fastest.
    Dense {
        /// Signed distances.
        distances: Vec<f32>,
        /// Unit vectors towards the closest point, where they were asked for.
        directions: Option<Vec<Vec3>>,
    },
    /// Bricks near the surface over a coarse grid everywhere.
    Sparse(Bricks),
}

/// Bricks of full resolution over a coarse grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Bricks {
    /// Cells along the side of a brick.
    pub cells: u32,
    /// Bricks along each axis; the grid's cells are a multiple of `cells`.
    pub count: [u32; 3],
    /// Signed distances at the bricks' corners, x fastest: one more than bricks along each axis.
    pub coarse: Vec<f32>,
    /// For each brick 0, or its number + 1 in `fine`.
    pub table: Vec<u32>,
    /// `(cells + 1)^3` signed distances a brick. On a face towards a place without a brick they are interpolated from
    /// `coarse`, so that the field has no seam.
    pub fine: Vec<f32>,
    /// Bound on the interpolation error where there is no brick.
    pub coarse_error: f32,
}

/// A field on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldData {
    /// Where the samples are.
    pub grid: Grid,
    /// The samples.
    pub samples: Samples,
    /// How a sample is stored.
    pub precision: Precision,
    /// How the sign was found.
    pub sign: Sign,
    /// Bound on |interpolated - exact| anywhere in the domain (in bricks, for a sparse field).
    pub error: f32,
    /// How fast the interpolated value can change: at least 1 where the field is exact.
    pub lipschitz: f32,
    /// Distances stop here: a larger one is stored as this. Infinite for a whole field.
    pub band: f32,
}

impl FieldData {
    /// Rounds the samples to half precision, and widens the error bound by what that does.
    pub fn halve(&mut self) -> Result<()> {
        let mut worst = 0.0f32;
        let mut round = |value: &mut f32| {
            let rounded = f16::from_f32(*value).to_f32();
            worst = worst.max((rounded - *value).abs());
            *value = rounded;
        };
        match &mut self.samples {
            Samples::Dense { distances, directions } => {
                distances.iter_mut().for_each(&mut round);
                // A direction is normalised after sampling: its rounding does not touch distances.
                for direction in directions.iter_mut().flatten() {
                    *direction = Vec3::from_array(direction.to_array().map(|c| f16::from_f32(c).to_f32()));
                }
            }
            Samples::Sparse(bricks) => bricks.coarse.iter_mut().chain(&mut bricks.fine).for_each(&mut round),
        }
        if !worst.is_finite() {
            return Err(invalid("the distances are beyond what 16-bit floats hold (65504); use a 32-bit format"));
        }
        self.error = (self.error + worst).next_up();
        if let Samples::Sparse(bricks) = &mut self.samples {
            bricks.coarse_error = (bricks.coarse_error + worst).next_up();
        }
        // Two neighbours may be rounded apart.
        self.lipschitz += 2.0 * 3f32.sqrt() * worst / self.grid.cell as f32;
        self.precision = Precision::Half;
        Ok(())
    }

    /// Whether directions are stored.
    pub fn has_directions(&self) -> bool {
        matches!(&self.samples, Samples::Dense { directions: Some(_), .. })
    }

    /// Signed distances at every node, x fastest; bricks are spread out.
    pub fn dense_distances(&self) -> Vec<f32> {
        match &self.samples {
            Samples::Dense { distances, .. } => distances.clone(),
            Samples::Sparse(bricks) => {
                let [x, y, z] = self.grid.nodes;
                let mut out = Vec::with_capacity(self.grid.len());
                for k in 0..z {
                    for j in 0..y {
                        out.extend((0..x).map(|i| bricks.node([i, j, k])));
                    }
                }
                out
            }
        }
    }
}

impl Bricks {
    /// The value at a node of the full grid.
    pub fn node(&self, at: [u32; 3]) -> f32 {
        let brick: [u32; 3] = std::array::from_fn(|a| (at[a] / self.cells).min(self.count[a] - 1));
        let local: [u32; 3] = std::array::from_fn(|a| at[a] - brick[a] * self.cells);
        let [bx, by, _] = self.count.map(|n| n as usize);
        match self.table[brick[0] as usize + bx * (brick[1] as usize + by * brick[2] as usize)] {
            0 => self.coarse_between(brick, local),
            slot => {
                let side = self.cells as usize + 1;
                let first = (slot as usize - 1) * side * side * side;
                self.fine[first + local[0] as usize + side * (local[1] as usize + side * local[2] as usize)]
            }
        }
    }

    /// The coarse grid's trilinear value inside a brick.
    fn coarse_between(&self, brick: [u32; 3], local: [u32; 3]) -> f32 {
        let weight = local.map(|l| l as f32 / self.cells as f32);
        let [x, y, _] = self.count.map(|n| n as usize + 1);
        let mut value = 0.0;
        for corner in 0..8u32 {
            let offset = [corner & 1, (corner >> 1) & 1, corner >> 2];
            let node: [usize; 3] = std::array::from_fn(|a| (brick[a] + offset[a]) as usize);
            let share: f32 =
                (0..3).map(|a| if offset[a] == 1 { weight[a] } else { 1.0 - weight[a] }).product();
            value += share * self.coarse[node[0] + x * (node[1] + y * node[2])];
        }
        value
    }
}
