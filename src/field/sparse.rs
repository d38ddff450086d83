//! A field that is fine only near the surface: bricks of 8 x 8 x 8 cells over a coarse grid everywhere.
//!
//! The coarse nodes are the corners of the bricks. Where a fine brick borders on a coarse cell, the fine nodes on their common
//! face take the coarse cell's values, so the field is continuous: the last layer of fine cells blends one into the other. Bricks
//! are kept up to [`BAND`] cells from the surface, so the blend never touches a value of at most one cell.

use crate::field::bake::{self, BakeError, Baker, Control, Nodes, Signing};
use crate::field::data::{Outside, nodes};
use crate::field::error::{BRICK, BrickError, CellBounds, ErrorBound, Evidence, Stored};
use crate::field::grid::{self, Grid};
use crate::field::sides::FieldTexel;
use crate::geometry::nearest::Scratch;
use crate::geometry::nearest::patch::Patch;
use glam::{DVec3, UVec3};
use rayon::prelude::*;

/// Nodes along a side of a brick: neighbours repeat the nodes on their common face.
pub const BRICK_NODES: u32 = BRICK + 1;

/// Nodes in a brick.
pub const BRICK_LEN: usize = (BRICK_NODES * BRICK_NODES * BRICK_NODES) as usize;

/// Nodes of a brick that no neighbour on a nearer side has.
const OWN_LEN: usize = (BRICK * BRICK * BRICK) as usize;

/// Bricks are kept that have a node within this many cells of the surface. A point is within `sqrt(3)/2` cells of a node, so
/// the surface itself is in kept bricks only; and a value of at most one cell is never in the layer that blends.
pub const BAND: f32 = 2.75;

/// A brick that is not kept.
pub const ABSENT: u32 = u32::MAX;

/// A sparse field.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The grid that the field would have everywhere if it were dense: a multiple of 8 cells along each axis.
    pub fine: Grid,
    /// Distances and directions at the corners of all bricks.
    pub coarse: Nodes,
    /// For each brick, x fastest, where its distances are in `distances`, in bricks; or [`ABSENT`].
    pub index: Vec<u32>,
    /// The distances of the kept bricks, [`BRICK_LEN`] each, x fastest.
    pub distances: Vec<f32>,
    /// How far interpolation may be off; `bricks` holds for each brick of the level in use there.
    pub error: ErrorBound,
    /// What is known beyond the domain.
    pub outside: Outside,
}

impl Sparse {
    /// How many bricks there are along each axis.
    pub fn lattice(&self) -> UVec3 {
        lattice(&self.fine)
    }

    /// Bytes of distances and index; the coarse directions do not count, a sampler takes gradients.
    pub fn bytes(&self) -> usize {
        4 * (self.coarse.texels.len() + self.index.len() + self.distances.len())
    }

    /// The interpolated distance; outside the domain that of the nearest border point.
    pub fn sample(&self, p: DVec3) -> f64 {
        let (cell, at) = self.fine.locate(p);
        let brick = cell / BRICK;
        match self.index[brick_index(self.lattice(), brick)] {
            ABSENT => bake::sample(&self.coarse.grid, &self.coarse.texels, p),
            slot => {
                let values = &self.distances[slot as usize * BRICK_LEN..][..BRICK_LEN];
                let corners = grid::corners(cell - brick * BRICK);
                grid::trilinear(corners.map(|node| values[local(node)]), at)
            }
        }
    }
}

fn lattice(fine: &Grid) -> UVec3 {
    (fine.nodes - 1) / BRICK
}

fn brick_index(lattice: UVec3, brick: UVec3) -> usize {
    (brick.z as usize * lattice.y as usize + brick.y as usize) * lattice.x as usize
        + brick.x as usize
}

/// For each brick of the lattice which of the given ones it is, or [`ABSENT`].
fn slots(lattice: UVec3, bricks: impl Iterator<Item = UVec3>) -> Vec<u32> {
    let mut slots = vec![ABSENT; lattice.element_product() as usize];
    for (slot, brick) in bricks.enumerate() {
        slots[brick_index(lattice, brick)] = slot as u32;
    }
    slots
}

fn local(node: UVec3) -> usize {
    ((node.z * BRICK_NODES + node.y) * BRICK_NODES + node.x) as usize
}

fn local_node(i: usize) -> UVec3 {
    let (i, n) = (i as u32, BRICK_NODES);
    UVec3::new(i % n, i / n % n, i / n / n)
}

impl Baker<'_> {
    /// Bakes bricks near the surface only. `fine` must have a multiple of 8 cells along each axis.
    pub fn bake_sparse(
        &self,
        fine: Grid,
        signing: Signing,
        control: Control,
    ) -> Result<Sparse, BakeError> {
        let lattice = lattice(&fine);
        let coarse_grid = Grid {
            origin: fine.origin,
            spacing: fine.spacing * BRICK as f32,
            nodes: lattice + 1,
        };
        let quiet = Control {
            progress: None,
            ..control
        };
        let coarse = self.nodes(coarse_grid, signing, quiet)?;
        let mut own: Vec<(UVec3, Vec<FieldTexel>)> = self
            .bricks_near_surface(&fine, &coarse)
            .into_iter()
            .map(|brick| (brick, Vec::new()))
            .collect();
        control.run(own.par_iter_mut(), |(brick, texels)| {
            texels.resize(OWN_LEN, [0.0; 4]);
            let size = UVec3::splat(BRICK);
            self.fill(&fine, *brick * BRICK, size, texels, &mut Scratch::default());
        })?;
        let slots = slots(lattice, own.iter().map(|(brick, _)| *brick));
        let whole = |(brick, _): &(UVec3, Vec<FieldTexel>)| {
            let mut texels = self.with_far_faces(&fine, *brick, &own, &slots);
            // What was wanted by the distance of its middle may turn out to be too far.
            let is_near = texels.iter().any(|t| t[3].abs() <= BAND * fine.spacing);
            if is_near && coarse.signed_by == Signing::WindingNumbers {
                let grid = Grid {
                    origin: fine.position(*brick * BRICK).as_vec3(),
                    nodes: UVec3::splat(BRICK_NODES),
                    ..fine
                };
                self.winding().sign(&grid, &mut texels);
            }
            is_near.then_some((*brick, texels))
        };
        let baked = own.par_iter().filter_map(whole).collect();
        Ok(self.assemble(fine, coarse, baked))
    }

    /// All nodes of a brick: its own, and those on its far faces, which belong to its neighbours where those are wanted.
    fn with_far_faces(
        &self,
        fine: &Grid,
        brick: UVec3,
        own: &[(UVec3, Vec<FieldTexel>)],
        slots: &[u32],
    ) -> Vec<FieldTexel> {
        let lattice = lattice(fine);
        let mut texels = vec![[0.0; 4]; BRICK_LEN];
        let mut scratch = Scratch::default();
        let mut computed = Vec::new();
        for far in grid::corners(UVec3::ZERO) {
            // The nodes that are last along the axes of `far`, and not last along the others.
            let size = UVec3::splat(BRICK) - (BRICK - 1) * far;
            let neighbour = brick + far;
            let slot = if neighbour.cmplt(lattice).all() {
                slots[brick_index(lattice, neighbour)]
            } else {
                ABSENT
            };
            let (source, stride) = match own.get(slot as usize) {
                Some((_, texels)) => (texels, UVec3::splat(BRICK)),
                None => {
                    computed.clear();
                    computed.resize(size.element_product() as usize, [0.0; 4]);
                    let start = brick * BRICK + far * BRICK;
                    self.fill(fine, start, size, &mut computed, &mut scratch);
                    (&computed, size)
                }
            };
            for at in nodes(size) {
                let from = (at.z * stride.y + at.y) * stride.x + at.x;
                texels[local(at + far * BRICK)] = source[from as usize];
            }
        }
        texels
    }

    /// The bricks that may have a node within the band: no node is farther from the middle than half a diagonal, and the middle
    /// no farther than that from the corners.
    fn bricks_near_surface(&self, fine: &Grid, coarse: &Nodes) -> Vec<UVec3> {
        let h = f64::from(fine.spacing);
        let half = 0.8661 * f64::from(BRICK) * h;
        let within = half + f64::from(BAND) * h;
        let is_near = |scratch: &mut Scratch, brick: &UVec3| {
            let distance = |node| f64::from(coarse.texels[coarse.grid.index(node)][3].abs());
            let farthest = grid::corners(*brick)
                .map(distance)
                .into_iter()
                .fold(0.0, f64::max);
            let middle = fine.position(*brick * BRICK) + 0.5 * f64::from(BRICK) * h;
            farthest <= within + half && self.nearest().query(middle, within, scratch).is_some()
        };
        let all: Vec<_> = nodes(lattice(fine)).collect();
        all.into_par_iter()
            .with_min_len(256)
            .map_init(Scratch::default, |scratch, brick| {
                is_near(scratch, &brick).then_some(brick)
            })
            .flatten()
            .collect()
    }

    fn assemble(&self, fine: Grid, coarse: Nodes, baked: Vec<(UVec3, Vec<FieldTexel>)>) -> Sparse {
        let lattice = lattice(&fine);
        let index = slots(lattice, baked.iter().map(|(brick, _)| *brick));
        let membrane = self.membrane(coarse.signed_by, fine.spacing);
        let evidence = Evidence {
            grid: &fine,
            surface: self.normal_surface(coarse.signed_by),
            membrane: membrane.as_ref(),
        };
        let blended: Vec<(Vec<f32>, CellBounds)> = baked
            .into_par_iter()
            .map_init(Patch::default, |patch, (brick, mut texels)| {
                let offsets = blend(&fine, &coarse, &index, brick, &mut texels);
                let stored = Stored {
                    texels: &texels,
                    offsets: &offsets,
                    strides: [BRICK_NODES as usize, (BRICK_NODES * BRICK_NODES) as usize],
                };
                let size = UVec3::splat(BRICK);
                let bounds = evidence.of_cells(brick * BRICK, size, stored, patch);
                (texels.iter().map(|t| t[3]).collect(), bounds)
            })
            .collect();
        // Normals are of no help to cells as coarse as bricks.
        let error = Evidence {
            grid: &coarse.grid,
            surface: None,
            ..evidence
        }
        .of_levels(&coarse, &index, &blended);
        let distances = blended
            .into_iter()
            .flat_map(|(distances, _)| distances)
            .collect();
        Sparse {
            outside: evidence.outside(coarse.texels[0]),
            fine,
            coarse,
            index,
            distances,
            error,
        }
    }
}

impl Evidence<'_> {
    /// The bounds of the level in use in each brick; the coarse one is that of the evidence.
    fn of_levels(
        &self,
        coarse: &Nodes,
        index: &[u32],
        blended: &[(Vec<f32>, CellBounds)],
    ) -> ErrorBound {
        let lattice = coarse.grid.nodes - 1;
        let bounds: Vec<_> = index
            .par_iter()
            .enumerate()
            .map(|(i, &slot)| {
                if slot != ABSENT {
                    return blended[slot as usize].1;
                }
                let i = i as u32;
                let cell = UVec3::new(
                    i % lattice.x,
                    i / lattice.x % lattice.y,
                    i / lattice.x / lattice.y,
                );
                let row = coarse.grid.nodes.x as usize;
                let stored = Stored {
                    texels: &coarse.texels[coarse.grid.index(cell)..],
                    offsets: &[],
                    strides: [row, row * coarse.grid.nodes.y as usize],
                };
                let bounds = self.of_cells(cell, UVec3::ONE, stored, &mut Patch::default());
                // A coarse cell that is not kept is farther from the surface than the near bound is about. It is one cell
                // to its bounds, and a brick to whoever reads them.
                CellBounds {
                    near: 0.0,
                    error: BrickError::even(bounds.error.worst()),
                    ..bounds
                }
            })
            .collect();
        ErrorBound::over(&bounds)
    }
}

/// Gives the nodes that a brick shares with an absent one the values of the coarse grid. Returns by how much each changed.
fn blend(
    fine: &Grid,
    coarse: &Nodes,
    index: &[u32],
    brick: UVec3,
    texels: &mut [FieldTexel],
) -> Vec<f32> {
    let lattice = lattice(fine);
    let present = |dx: i32, dy: i32, dz: i32| {
        let other = brick.as_ivec3() + glam::IVec3::new(dx, dy, dz);
        let inside = other.cmpge(glam::IVec3::ZERO).all() && other.cmplt(lattice.as_ivec3()).all();
        // Beyond the domain there is nothing to agree with.
        !inside || index[brick_index(lattice, other.as_uvec3())] != ABSENT
    };
    // For each of the 27 neighbours whether it is there; a node on a face, edge or corner looks at those that share it.
    let neighbours: Vec<bool> = (0..27)
        .map(|i| present(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1))
        .collect();
    let sides = |at: u32| match at {
        0 => 0..=1,
        BRICK => 1..=2,
        _ => 1..=1usize,
    };
    let corners = grid::corners(brick).map(|node| coarse.texels[coarse.grid.index(node)][3]);
    let mut offsets = vec![0.0; texels.len()];
    for (i, texel) in texels.iter_mut().enumerate() {
        let node = local_node(i);
        let alone = sides(node.z).any(|z| {
            sides(node.y).any(|y| sides(node.x).any(|x| !neighbours[(z * 3 + y) * 3 + x]))
        });
        if alone {
            let value = grid::trilinear(corners, node.as_dvec3() / f64::from(BRICK)) as f32;
            offsets[i] = (value - texel[3]).abs();
            texel[3] = value;
        }
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::bake::tests::random_point;
    use crate::field::grid::Resolution;
    use crate::geometry::random::Random;
    use crate::geometry::sign::pseudonormal::Pseudonormals;
    use crate::geometry::surface::AsSurface;
    use crate::geometry::surface::Surface;
    use fixtures::shapes::{self, Shape};
    use glam::Vec3;

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

    fn bake(shape: &Shape, cells: u32) -> Sparse {
        let surface = shape.surface();
        Baker::new(surface)
            .bake_sparse(fine(surface, cells), Signing::Auto, Control::default())
            .unwrap()
    }

    #[test]
    fn kept_nodes_that_do_not_blend_have_the_values_of_a_dense_field() {
        let knot = shapes::knot(0.4, 200, 24);
        let sparse = bake(&knot, 48);
        let dense = Baker::new(knot.surface())
            .bake(sparse.fine, Signing::Auto, Control::default())
            .unwrap();
        let mut compared = 0;
        for (i, &slot) in sparse
            .index
            .iter()
            .enumerate()
            .filter(|(_, s)| **s != ABSENT)
        {
            let lattice = sparse.lattice();
            let i = i as u32;
            let brick = UVec3::new(
                i % lattice.x,
                i / lattice.x % lattice.y,
                i / lattice.x / lattice.y,
            );
            for k in 0..BRICK_LEN {
                let node = local_node(k);
                if node.cmpgt(UVec3::ZERO).all() && node.cmplt(UVec3::splat(BRICK)).all() {
                    let exact = dense.texels[dense.grid.index(brick * BRICK + node)][3];
                    assert_eq!(sparse.distances[slot as usize * BRICK_LEN + k], exact);
                    compared += 1;
                }
            }
        }
        assert!(compared > 10_000);
        // No node near the surface is missing.
        let near = (0..dense.grid.nodes.element_product())
            .filter(|&i| dense.texels[i as usize][3].abs() <= BAND * dense.grid.spacing);
        for i in near {
            let n = dense.grid.nodes;
            let node = UVec3::new(i % n.x, i / n.x % n.y, i / n.x / n.y);
            let brick = (node / BRICK).min(sparse.lattice() - 1);
            assert_ne!(sparse.index[brick_index(sparse.lattice(), brick)], ABSENT);
        }
    }

    #[test]
    fn the_field_has_no_seams() {
        let sparse = bake(&shapes::torus(1.0, 0.4, 100, 50), 64);
        let h = f64::from(sparse.fine.spacing);
        let mut random = Random::new(11);
        for _ in 0..200_000 {
            // Points on the faces between bricks, seen from both sides.
            let mut p = random_point(&sparse.fine, &mut random);
            let axis = random.below(3);
            let step = 8.0 * h;
            let origin = f64::from(sparse.fine.origin[axis]);
            p[axis] = origin + ((p[axis] - origin) / step).round() * step;
            let mut q = p;
            q[axis] += 1e-9;
            p[axis] -= 1e-9;
            assert!((sparse.sample(p) - sparse.sample(q)).abs() < 1e-6, "{p}");
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
            let sparse = bake(shape, 64);
            let baker = Baker::new(shape.surface());
            let normals = Pseudonormals::of(shape.surface(), shape.triangles.clone());
            let (mut random, mut scratch) = (Random::new(seed), Scratch::default());
            let mut last: Option<(DVec3, f64)> = None;
            for round in 0..40_000 {
                let mut p = random_point(&sparse.fine, &mut random);
                if round % 2 == 0 {
                    let hit = baker
                        .nearest()
                        .query(p, f64::INFINITY, &mut scratch)
                        .unwrap();
                    p = hit.point
                        + (p - hit.point) * (0.9 * f64::from(sparse.fine.spacing) / hit.distance);
                }
                let hit = baker
                    .nearest()
                    .query(p, f64::INFINITY, &mut scratch)
                    .unwrap();
                let truth = if normals.is_behind(p, &hit) {
                    -hit.distance
                } else {
                    hit.distance
                };
                let sample = sparse.sample(p);
                let off = (sample - truth).abs();
                let brick = sparse.fine.locate(p).0 / BRICK;
                let bound = sparse.error.bricks[brick_index(sparse.lattice(), brick)].worst();
                assert!(off <= f64::from(bound), "{off} {bound} at {p}");
                if sample.abs() <= f64::from(sparse.fine.spacing) {
                    assert!(off <= f64::from(sparse.error.near), "{off} at {p}");
                }
                if let Some((q, other)) = last {
                    let slope = (sample - other).abs() / p.distance(q);
                    assert!(
                        slope <= f64::from(sparse.error.lipschitz) * (1.0 + 1e-6),
                        "slope {slope}"
                    );
                }
                last = Some((p, sample));
            }
            // The near bound is that of the dense field: blending does not come near it.
            let dense = baker
                .bake(sparse.fine, Signing::Auto, Control::default())
                .unwrap();
            assert!(sparse.error.near <= dense.error.near * (1.0 + 1e-6));
        }
    }

    #[test]
    fn bytes_grow_with_the_surface_and_not_with_the_volume() {
        let sphere = shapes::sphere(1.0, 100, 60);
        let (coarse, fine) = (bake(&sphere, 96), bake(&sphere, 192));
        let growth = fine.bytes() as f64 / coarse.bytes() as f64;
        // Twice the resolution: four times the surface, eight times the volume.
        assert!(growth < 4.8, "{growth}");
        assert!(fine.bytes() < 4 * fine.fine.len() / 2);
    }

    #[test]
    fn open_surfaces_are_signed_alike_in_every_brick() {
        let mut cube = shapes::cuboid(Vec3::ONE, 4);
        cube.triangles
            .retain(|t| !t.iter().all(|&v| cube.positions[v as usize].z == 1.0));
        let sparse = bake(&cube, 48);
        assert_eq!(sparse.coarse.signed_by, Signing::WindingNumbers);
        assert!(sparse.sample(DVec3::new(0.1, 0.2, -0.95)) < 0.0);
        assert!(sparse.sample(DVec3::new(0.1, 0.2, -1.05)) > 0.0);
        assert!(sparse.sample(DVec3::new(0.95, 0.2, -0.3)) < 0.0);
        assert!(sparse.sample(DVec3::new(1.05, 0.2, -0.3)) > 0.0);
    }
}
