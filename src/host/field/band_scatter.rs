//! Squared distances, in cells, of the nodes in the band, by the part of the surface that is closest: inside a triangle, inside an edge,
//! or a vertex (Sigg, Peikert, Gross 2003: prisms, wedges and cones). Partner: `shaders/field/band_scatter.comp`, which walks columns where
//! this walks rows, eight nodes at a time.

use super::band::BandGrid;
use super::band_region::{Region, find_edge, find_face, find_vertex};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::BandPush;
use crate::gpu::shader::kernels::{BandScatter, BandScatterFeature};
use crate::host::runs::each_run;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Features that are worth a thread.
const RUN: usize = 64;
/// A plane this steep does not bound a row, in cells a cell.
const STEEP: f32 = 1e-3;

impl Native for BandScatter<'_> {
    fn run(&self, push: &BandPush, [_, slices, _]: [u32; 3]) {
        let grid = BandGrid::new(push, self.positions);
        let band = push.band_cells;
        let squares = self.squares.words();
        let scatter_all = |find: &(dyn Fn(usize) -> Region + Sync)| {
            // Where there are few features, several runs share each: then they are likely to be large.
            let slices = slices as usize;
            each_run(push.count as usize * slices, RUN, |run| {
                for item in run {
                    let region = find(item / slices);
                    if region.from.cmple(region.to).all() {
                        dispatch(Scatter {
                            grid: &grid,
                            region: &region,
                            limit: band * band * 1.000_01,
                            squares,
                            slice: (item % slices) as i32,
                            slices: slices as i32,
                        });
                    }
                }
            });
        };
        match self.feature {
            BandScatterFeature::Face { indices } => {
                let indices: &[[u32; 3]] = indices.values();
                scatter_all(&|i| find_face(&grid, indices[i].map(|v| grid.corner(v)), band));
            }
            BandScatterFeature::Edge { features } => {
                let edges: &[[u32; 4]] = features.values();
                scatter_all(&|i| find_edge(&grid, edges[i].map(|v| grid.corner(v)), band));
            }
            BandScatterFeature::Vertex { features } => {
                let vertices: &[[u32; 4]] = features.values();
                scatter_all(&|i| find_vertex(&grid, vertices[i].map(|v| grid.corner(v)), band));
            }
        }
    }
}

/// Scatters the distances of a region to its nodes, in every `slices`-th slice from `slice` on.
struct Scatter<'a> {
    grid: &'a BandGrid<'a>,
    region: &'a Region,
    limit: f32,
    squares: &'a [AtomicU32],
    slice: i32,
    slices: i32,
}

const COUNTING: [f32; WIDTH] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

impl LaneKernel for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let region = self.region;
        let mut z = region.from.z + self.slice;
        while z <= region.to.z {
            for y in region.from.y..=region.to.y {
                let (py, pz) = (y as f32 - region.anchor.y, z as f32 - region.anchor.z);
                let (from, to) = clip_row(self.grid, region, py, pz);
                let row = self.grid.node_at(0, y, z);
                let mut x = from;
                while x <= to {
                    let px = V::splat(x as f32 - region.anchor.x) + V::load(&COUNTING);
                    let square = region.lane_squared_distance(px, V::splat(py), V::splat(pz));
                    let near = square.le(V::splat(self.limit)).bits();
                    let found = square.store();
                    let count = ((to - x + 1) as usize).min(WIDTH);
                    let words = &self.squares[row + x as usize..][..count];
                    for (lane, word) in words.iter().enumerate() {
                        let bits = found[lane].to_bits();
                        // Asked before: few are nearer, and an atomic minimum waits.
                        if near >> lane & 1 == 1 && bits < word.load(Relaxed) {
                            word.fetch_min(bits, Relaxed);
                        }
                    }
                    x += WIDTH as i32;
                }
            }
            z += self.slices;
        }
    }
}

/// The first and the last node of a row that the region may hold, for a row at `y` and `z` cells from the anchor.
#[inline(always)]
fn clip_row(grid: &BandGrid, region: &Region, y: f32, z: f32) -> (i32, i32) {
    let mut least = region.from.x as f32 - region.anchor.x;
    let mut most = region.to.x as f32 - region.anchor.x;
    let width = least.abs().max(most.abs());
    for plane in region.planes() {
        let room = plane.w - plane.y * y - plane.z * z;
        let slope = plane.x;
        if slope > STEEP {
            most = most.min(room / slope);
        } else if slope < -STEEP {
            least = least.max(room / slope);
        } else if room + STEEP * width < 0.0 {
            most = least - 1.0;
        }
    }
    let [least, most] = [
        least + region.anchor.x - region.margin,
        most + region.anchor.x + region.margin,
    ];
    let last = grid.nodes.x as f32;
    (
        region.from.x.max(least.max(0.0).min(last).ceil() as i32),
        region
            .to
            .x
            .min(most.max(-1.0).min(last - 1.0).floor() as i32),
    )
}
