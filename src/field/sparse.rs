//! A field that is fine only near the surface: bricks of 8 x 8 x 8 cells over a coarse grid everywhere.
//!
//! The coarse nodes are the corners of the bricks. Where a fine brick borders on a coarse cell, the fine nodes on their common
//! face take the coarse cell's values, so the field is continuous: the last layer of fine cells blends one into the other. Bricks
//! are kept up to `BAND` cells from the surface, so the blend never touches a value of at most one cell.

use crate::field::bake::{Baker, Progress};
use crate::field::data::{Bricks, Sign};
use crate::field::error::{BRICK, BrickError, CellBounds, ErrorBound, Evidence, Stored, strides};
use crate::field::grid::{Grid, corners, index, place, places, trilinear};
use crate::field::sides::FieldTexel;
use crate::geometry::nearest::Scratch;
use crate::geometry::nearest::patch::Patch;
use crate::memory::{self, Gather, ParallelGather};
use glam::{IVec3, UVec3};
use rayon::prelude::*;

/// Nodes along the sides of a brick: neighbours repeat the nodes on their common face.
const BRICK_NODES: UVec3 = UVec3::splat(BRICK + 1);

/// Nodes in a brick.
const BRICK_LEN: usize = (BRICK as usize + 1).pow(3);

/// Nodes of a brick that no neighbour on a nearer side has.
const OWN_LEN: usize = (BRICK as usize).pow(3);

/// Bricks are kept that have a node within this many cells of the surface. A point is within `sqrt(3)/2` cells of a node, so
/// the surface itself is in kept bricks only; and a value of at most one cell is never in the layer that blends.
const BAND: f32 = 2.75;

/// A brick that is not kept, in [`Bricks::table`].
const ABSENT: u32 = 0;

/// A brick, and the texels of some of its nodes.
type BrickTexels = (UVec3, Vec<FieldTexel>);

/// The grid of the corners of all bricks.
pub(super) fn coarse(fine: &Grid) -> Grid {
    Grid {
        origin: fine.origin,
        spacing: fine.spacing * BRICK as f32,
        nodes: lattice(fine) + 1,
    }
}

/// How many bricks there are along each axis.
fn lattice(fine: &Grid) -> UVec3 {
    (fine.nodes - 1) / BRICK
}

/// The table of the given bricks.
fn table(lattice: UVec3, bricks: &[BrickTexels]) -> Vec<u32> {
    let mut table = memory::filled(ABSENT, lattice.element_product() as usize);
    for (slot, (brick, _)) in (1..).zip(bricks) {
        table[index(*brick, lattice)] = slot;
    }
    table
}

/// Bakes the bricks near the surface over the texels of the coarse grid, whose signs were found as `sign` says. The grid of the
/// evidence is the fine one.
pub(super) fn bricks(
    baker: &Baker,
    evidence: Evidence,
    sign: Sign,
    coarse: &[FieldTexel],
    progress: Progress,
) -> (Bricks, ErrorBound) {
    let fine = evidence.grid;
    let lattice = lattice(fine);
    let mut bricks = Bricks {
        cells: BRICK,
        count: lattice,
        coarse: coarse.iter().map(|t| t[3]).gather(),
        table: Vec::new(),
        fine: Vec::new(),
    };
    let mut own = near_surface(baker, fine, &bricks);
    progress.run(own.par_iter_mut(), |(brick, texels)| {
        *texels = memory::filled([0.0; 4], OWN_LEN);
        let size = UVec3::splat(BRICK);
        baker.fill(fine, *brick * BRICK, size, texels, &mut Scratch::default());
    });
    let candidates = table(lattice, &own);
    let whole = |(brick, _): &BrickTexels| {
        let mut texels = with_far_faces(baker, fine, *brick, &own, &candidates);
        // What was asked for by the distance of its middle may turn out to be too far.
        let is_near = texels.iter().any(|t| t[3].abs() <= BAND * fine.spacing);
        if is_near && sign == Sign::Winding {
            let grid = Grid {
                origin: fine.position(*brick * BRICK).as_vec3(),
                nodes: BRICK_NODES,
                ..*fine
            };
            baker.winding().sign(&grid, &mut texels);
        }
        is_near.then_some((*brick, texels))
    };
    let baked: Vec<BrickTexels> = own
        .par_iter()
        .map(whole)
        .par_gather()
        .into_iter()
        .flatten()
        .gather();
    bricks.table = table(lattice, &baked);
    let blended: Vec<(Vec<f32>, CellBounds)> = baked
        .into_par_iter()
        .map_init(Patch::default, |patch, (brick, mut texels)| {
            let offsets = blend(&bricks, brick, &mut texels);
            let stored = Stored {
                texels: &texels,
                offsets: &offsets,
                strides: strides(BRICK_NODES),
            };
            let size = UVec3::splat(BRICK);
            let bounds = evidence.of_cells(brick * BRICK, size, stored, patch);
            (texels.iter().map(|t| t[3]).gather(), bounds)
        })
        .par_gather();
    let error = of_levels(evidence, coarse, &bricks, &blended);
    bricks.fine = blended.into_iter().flat_map(|(fine, _)| fine).gather();
    (bricks, error)
}

/// All nodes of a brick: its own, and those on its far faces, which belong to its neighbours where those are candidates.
fn with_far_faces(
    baker: &Baker,
    fine: &Grid,
    brick: UVec3,
    own: &[BrickTexels],
    candidates: &[u32],
) -> Vec<FieldTexel> {
    let lattice = lattice(fine);
    let mut texels = memory::filled([0.0; 4], BRICK_LEN);
    let mut scratch = Scratch::default();
    let mut computed = Vec::new();
    for far in corners(UVec3::ZERO) {
        // The nodes that are last along the axes of `far`, and not last along the others.
        let size = UVec3::splat(BRICK) - (BRICK - 1) * far;
        let neighbour = brick + far;
        let slot = if neighbour.cmplt(lattice).all() {
            candidates[index(neighbour, lattice)]
        } else {
            ABSENT
        };
        let (source, source_size) = if slot == ABSENT {
            computed.clear();
            computed.resize(size.element_product() as usize, [0.0; 4]);
            baker.fill(fine, neighbour * BRICK, size, &mut computed, &mut scratch);
            (&computed, size)
        } else {
            (&own[slot as usize - 1].1, UVec3::splat(BRICK))
        };
        for at in places(size) {
            texels[index(at + far * BRICK, BRICK_NODES)] = source[index(at, source_size)];
        }
    }
    texels
}

/// The bricks that may have a node within the band, without texels: no node is farther from the middle than half a diagonal, and
/// the middle no farther than that from the corners.
fn near_surface(baker: &Baker, fine: &Grid, bricks: &Bricks) -> Vec<BrickTexels> {
    let h = f64::from(fine.spacing);
    let half = 0.8661 * f64::from(BRICK) * h;
    let within = half + f64::from(BAND) * h;
    let is_near = |scratch: &mut Scratch, brick: UVec3| {
        let distances = bricks.coarse_corners(brick).map(f32::abs);
        let farthest = f64::from(distances.into_iter().fold(0.0, f32::max));
        let middle = fine.position(brick * BRICK) + 0.5 * f64::from(BRICK) * h;
        farthest <= within + half && baker.nearest().query(middle, within, scratch).is_some()
    };
    (0..bricks.count.element_product() as usize)
        .into_par_iter()
        .with_min_len(256)
        .map_init(Scratch::default, |scratch, i| {
            let brick = place(i, bricks.count);
            is_near(scratch, brick).then(|| (brick, Vec::new()))
        })
        .par_gather()
        .into_iter()
        .flatten()
        .gather()
}

/// The bounds of the level in use in each brick.
fn of_levels(
    evidence: Evidence,
    coarse: &[FieldTexel],
    bricks: &Bricks,
    blended: &[(Vec<f32>, CellBounds)],
) -> ErrorBound {
    let grid = self::coarse(evidence.grid);
    // Normals are of no help to cells as coarse as bricks.
    let evidence = Evidence {
        grid: &grid,
        surface: None,
        ..evidence
    };
    let bounds: Vec<_> = bricks
        .table
        .par_iter()
        .enumerate()
        .map(|(i, &slot)| {
            if slot != ABSENT {
                return blended[slot as usize - 1].1;
            }
            let cell = place(i, bricks.count);
            let stored = Stored {
                texels: &coarse[grid.index(cell)..],
                offsets: &[],
                strides: strides(grid.nodes),
            };
            let bounds = evidence.of_cells(cell, UVec3::ONE, stored, &mut Patch::default());
            // It is one cell to its bounds, and a brick to whoever reads them.
            CellBounds {
                error: BrickError::even(bounds.error.worst()),
                ..bounds
            }
        })
        .par_gather();
    ErrorBound::over(&bounds)
}

/// Gives the nodes that a brick shares with an absent one the values of the coarse grid. Returns by how much each changed.
fn blend(bricks: &Bricks, brick: UVec3, texels: &mut [FieldTexel]) -> Vec<f32> {
    let lattice = bricks.count;
    let present = |side: UVec3| {
        let other = brick.as_ivec3() + side.as_ivec3() - 1;
        let inside = other.cmpge(IVec3::ZERO).all() && other.cmplt(lattice.as_ivec3()).all();
        // Beyond the domain there is nothing to agree with.
        !inside || bricks.table[index(other.as_uvec3(), lattice)] != ABSENT
    };
    // For each of the 27 neighbours whether it is there; a node on a face, edge or corner looks at those that share it.
    let neighbours: Vec<bool> = places(UVec3::splat(3)).map(present).collect();
    let sides = |at: u32| match at {
        0 => 0..=1,
        BRICK => 1..=2,
        _ => 1..=1usize,
    };
    let coarse = bricks.coarse_corners(brick);
    let mut offsets = vec![0.0; texels.len()];
    for ((node, texel), offset) in places(BRICK_NODES).zip(texels).zip(&mut offsets) {
        let alone = sides(node.z).any(|z| {
            sides(node.y).any(|y| sides(node.x).any(|x| !neighbours[(z * 3 + y) * 3 + x]))
        });
        if alone {
            let value = trilinear(coarse, node.as_dvec3() / f64::from(BRICK)) as f32;
            *offset = (value - texel[3]).abs();
            texel[3] = value;
        }
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::bake::Signing;
    use crate::field::bake::tests::{assert_holds, dense as distances, random_point, sample};
    use crate::field::data::{FieldData, Samples, Storage};
    use crate::field::grid::Resolution;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use crate::geometry::surface::Surface;
    use fixtures::shapes::{self, Shape};
    use glam::{DVec3, Vec3};

    fn fine(surface: Surface, cells: u32) -> Grid {
        let bounds = surface.bounds();
        Grid::around(
            bounds,
            0.1 * bounds.size().max_element(),
            Resolution::Cells(cells),
            BRICK,
        )
        .unwrap()
    }

    fn bake(shape: &Shape, cells: u32, storage: Storage) -> FieldData {
        let surface = shape.surface();
        Baker::new(surface)
            .bake(
                fine(surface, cells),
                storage,
                Signing::Auto,
                Progress::default(),
            )
            .unwrap()
    }

    fn bricks(field: &FieldData) -> &Bricks {
        match &field.samples {
            Samples::Sparse(bricks) => bricks,
            Samples::Dense { .. } => panic!("a dense field"),
        }
    }

    #[test]
    fn kept_nodes_that_do_not_blend_have_the_values_of_a_dense_field() {
        let knot = shapes::knot(0.4, 200, 24);
        let field = bake(&knot, 48, Storage::Sparse);
        let sparse = bricks(&field);
        let (dense, grid) = (bake(&knot, 48, Storage::Distance), field.grid);
        let (dense, _) = distances(&dense);
        let mut compared = 0;
        for brick in places(sparse.count) {
            let Some(samples) = sparse.brick(brick) else {
                continue;
            };
            for (node, &sample) in places(BRICK_NODES).zip(samples) {
                if node.cmpgt(UVec3::ZERO).all() && node.cmplt(UVec3::splat(BRICK)).all() {
                    assert_eq!(sample, dense[grid.index(brick * BRICK + node)]);
                    compared += 1;
                }
            }
        }
        assert!(compared > 10_000);
        // No node near the surface is missing.
        for (node, distance) in places(grid.nodes).zip(dense) {
            if distance.abs() <= BAND * grid.spacing {
                let brick = (node / BRICK).min(sparse.count - 1);
                assert!(sparse.brick(brick).is_some(), "{node}");
            }
        }
    }

    #[test]
    fn the_field_has_no_seams() {
        let sparse = bake(&shapes::torus(1.0, 0.4, 100, 50), 64, Storage::Sparse);
        let h = f64::from(sparse.grid.spacing);
        let mut random = Random::new(11);
        for _ in 0..200_000 {
            // Points on the faces between bricks, seen from both sides.
            let mut p = random_point(&sparse.grid, &mut random);
            let axis = random.below(3);
            let step = 8.0 * h;
            let origin = f64::from(sparse.grid.origin[axis]);
            p[axis] = origin + ((p[axis] - origin) / step).round() * step;
            let mut q = p;
            q[axis] += 1e-9;
            p[axis] -= 1e-9;
            assert!(
                (sample(&sparse, p) - sample(&sparse, q)).abs() < 1e-6,
                "{p}"
            );
        }
    }

    #[test]
    fn the_exact_distance_is_never_outside_the_error_bound() {
        for (shape, seed) in [
            shapes::knot(0.4, 300, 32),
            shapes::cuboid(Vec3::new(1.0, 0.4, 0.7), 4),
        ]
        .iter()
        .zip(1u64..)
        {
            let sparse = bake(shape, 64, Storage::Sparse);
            let dense = bake(shape, 64, Storage::Distance);
            // Within a cell of the surface nothing blends: the field is the dense one.
            assert_holds(&sparse, shape, seed, 40_000, |p, value| {
                if value.abs() <= f64::from(sparse.grid.spacing) {
                    assert_eq!(value, sample(&dense, p), "at {p}");
                }
            });
        }
    }

    #[test]
    fn bytes_grow_with_the_surface_and_not_with_the_volume() {
        let sphere = shapes::sphere(1.0, 100, 60);
        let [coarse, fine] = [96, 192].map(|cells| bake(&sphere, cells, Storage::Sparse));
        let bytes = |field| {
            let bricks = bricks(field);
            4 * (bricks.coarse.len() + bricks.table.len() + bricks.fine.len())
        };
        let growth = bytes(&fine) as f64 / bytes(&coarse) as f64;
        // Twice the resolution: four times the surface, eight times the volume.
        assert!(growth < 4.8, "{growth}");
        assert!(bytes(&fine) < 4 * fine.grid.len() / 2);
    }

    #[test]
    fn open_surfaces_are_signed_alike_in_every_brick() {
        let mut cube = shapes::cuboid(Vec3::ONE, 4);
        cube.triangles
            .retain(|t| !t.iter().all(|&v| cube.positions[v as usize].z == 1.0));
        let sparse = bake(&cube, 48, Storage::Sparse);
        assert_eq!(sparse.sign, Sign::Winding);
        assert!(sample(&sparse, DVec3::new(0.1, 0.2, -0.95)) < 0.0);
        assert!(sample(&sparse, DVec3::new(0.1, 0.2, -1.05)) > 0.0);
        assert!(sample(&sparse, DVec3::new(0.95, 0.2, -0.3)) < 0.0);
        assert!(sample(&sparse, DVec3::new(1.05, 0.2, -0.3)) > 0.0);
    }
}
