//! Regions of a surface that are proved not to cross themselves, so that no triangle in them is compared with another.
//!
//! Volino and Magnenat-Thalmann, with the normal cones of Provot (Teschner et al., section 2.4), whole: the contour too. A
//! region is a disc of triangles. Look along a direction. If every triangle faces it, and the contour as it is seen
//! does not touch itself, then the region is seen without overlap: facing triangles cover each point as often as the
//! contour winds around it, and a simple contour winds once or not at all. So its triangles share nothing but the corners
//! and edges that they have in common.
//!
//! Discs are grown once, over triangles that face about the same way then; a surface that deforms keeps most of them. There are several layers of different sizes, because the
//! triangles on both sides of one layer's contours are inside a disc of another. Signs that rounding might change count as
//! failures: what is proved is exact, and what is not proved is compared as ever.

use crate::geometry::hierarchy::bvh::{Bvh, Child};
use crate::geometry::hierarchy::dual::Branch;
use crate::geometry::positions::Positions;
use crate::geometry::simd::WIDTH;
use crate::geometry::surface::Surface;
use crate::geometry::topology::adjacency::{Adjacency, NONE};
use crate::memory::{self, Gather, ParallelGather};
use contour::{Projection, Seen};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

mod contour;
mod growth;

/// Triangles in a disc of each layer.
const SIZES: [usize; LAYERS] = [256, 128, 64];

const LAYERS: usize = 3;

/// Discs of triangles, in layers. They hold for any positions; the better the nearer those are to the ones they were grown at.
pub struct Regions {
    layers: [DiscLayer; LAYERS],
    vertices: usize,
}

/// Discs of about one size; no triangle is in two.
#[derive(Default)]
struct DiscLayer {
    /// The disc of each triangle, or [`NONE`].
    discs: Vec<u32>,
    /// Corners of the triangles, disc after disc.
    corners: Vec<[u32; 3]>,
    /// Vertices along the contours, disc after disc, with the disc on the left.
    contours: Vec<u32>,
    /// Vertices inside the contours, disc after disc.
    inner: Vec<u32>,
    /// Where each disc starts in `corners`, `contours` and `inner`, and the ends.
    starts: Vec<[u32; 3]>,
}

impl Regions {
    /// Grows discs over the triangles of a surface with this adjacency.
    pub fn new(surface: &Surface, adjacency: &Adjacency) -> Self {
        let normal = |t: usize| {
            let [a, b, c] = surface.rounded_corners(t as u32);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let normals: Vec<Vec3> = (0..surface.triangles.len())
            .into_par_iter()
            .with_min_len(4096)
            .map(normal)
            .par_gather();
        let grow = |k: usize| growth::layer(surface, &normals, adjacency, SIZES[k], k % 2 == 1);
        let ((first, second), third) =
            rayon::join(|| rayon::join(|| grow(0), || grow(1)), || grow(2));
        Self {
            layers: [first, second, third],
            vertices: surface.positions.len(),
        }
    }

    /// No discs: for a surface that is looked at once, growing them costs more than they save.
    pub fn none(surface: &Surface) -> Self {
        Self {
            layers: [(); LAYERS].map(|()| DiscLayer::empty(surface.triangles.len())),
            vertices: surface.positions.len(),
        }
    }

    /// Which discs do not cross themselves as the surface is now.
    pub fn prove(&self, surface: &Surface) -> Proof<'_> {
        self.prove_seen(|v| surface.positions.at(v), 0.0)
    }

    /// Which discs do not cross themselves while each vertex goes straight from its place on the surface, at time 0, to that in `to`, at time
    /// 1, from one of these times to the other: what holds at an instant, at each of them.
    pub fn prove_motion(&self, surface: &Surface, to: Positions, times: [f64; 2]) -> Proof<'_> {
        let way = |v: u32| {
            let (p, q) = (surface.positions.at(v), to.at(v));
            times.map(|time| p.lerp(q, time))
        };
        let ways: Vec<[DVec3; 2]> = (0..to.len() as u32)
            .into_par_iter()
            .with_min_len(4096)
            .map(way)
            .par_gather();
        let largest = |points: &[Vec3]| {
            points
                .iter()
                .fold(0.0, |r: f32, p| r.max(p.abs().max_element()))
        };
        let largest = largest(surface.positions.rounded()).max(largest(to.rounded()));
        // Two products and a sum, of two coordinates at most.
        self.prove_seen(
            |v| ways[v as usize],
            4.0 * f64::EPSILON * f64::from(largest),
        )
    }

    /// Which discs do not cross themselves with vertices that are off by `slack` at most.
    fn prove_seen<P: Seen + Send>(&self, at: impl Fn(u32) -> P + Sync, slack: f64) -> Proof<'_> {
        let proved = self.layers.each_ref().map(|layer| {
            (0..layer.starts.len() - 1)
                .into_par_iter()
                .with_min_len(4)
                .map(|disc| layer.is_proved(&at, slack, disc))
                .par_gather()
        });
        Proof {
            regions: self,
            proved,
        }
    }
}

/// Which discs are proved not to cross themselves.
pub struct Proof<'a> {
    regions: &'a Regions,
    proved: [Vec<bool>; LAYERS],
}

/// The proved disc of each layer that something is wholly inside, or [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside([u32; LAYERS]);

impl Inside {
    const NOWHERE: Self = Self([NONE; LAYERS]);

    /// Whether both are inside the same proved disc.
    #[inline]
    pub fn shares(self, other: Self) -> bool {
        (0..LAYERS).any(|k| self.0[k] == other.0[k] && self.0[k] != NONE)
    }

    /// Where both are.
    #[inline]
    fn and(self, other: Self) -> Self {
        let both = |k: usize| {
            if self.0[k] == other.0[k] {
                self.0[k]
            } else {
                NONE
            }
        };
        Self([0, 1, 2].map(both))
    }

    fn is_nowhere(self) -> bool {
        self == Self::NOWHERE
    }
}

impl Proof<'_> {
    /// The proved discs of a triangle.
    #[inline]
    fn of_triangle(&self, triangle: usize) -> Inside {
        Inside([0, 1, 2].map(|k| {
            let disc = self.regions.layers[k].discs[triangle];
            if disc != NONE && self.proved[k][disc as usize] {
                disc
            } else {
                NONE
            }
        }))
    }

    /// The proved discs of every triangle.
    pub fn of_triangles(&self) -> Vec<Inside> {
        (0..self.regions.layers[0].discs.len())
            .into_par_iter()
            .with_min_len(8192)
            .map(|t| self.of_triangle(t))
            .par_gather()
    }

    /// For each vertex whether its triangles may have to be compared: it is inside no proved disc.
    pub fn open_vertices(&self) -> Vec<bool> {
        let mut open = memory::filled(true, self.regions.vertices);
        for (layer, proved) in self.regions.layers.iter().zip(&self.proved) {
            for disc in (0..proved.len()).filter(|&d| proved[d]) {
                let inner = layer.starts[disc][2] as usize..layer.starts[disc + 1][2] as usize;
                layer.inner[inner]
                    .iter()
                    .for_each(|&v| open[v as usize] = false);
            }
        }
        open
    }

    /// The proved discs of every subtree.
    pub fn of_branches(&self, bvh: &Bvh, triangles: &[Inside]) -> Branches {
        let nodes = bvh.nodes();
        let mut slots = memory::filled([Inside::NOWHERE; WIDTH], nodes.len());
        slots
            .par_iter_mut()
            .zip(nodes)
            .with_min_len(256)
            .for_each(|(slots, node)| {
                for (slot, inside) in slots.iter_mut().enumerate() {
                    if let Child::Leaf(start, count) = node.child(slot) {
                        let items = bvh.leaf(start, count).iter();
                        let each = items.map(|&t| triangles[t as usize]);
                        *inside = each.reduce(Inside::and).unwrap_or(Inside::NOWHERE);
                    }
                }
            });
        let mut whole = memory::filled(Inside::NOWHERE, nodes.len());
        // Children come after their parents.
        for (index, node) in nodes.iter().enumerate().rev() {
            let used = (0..WIDTH).filter(|&slot| node.child(slot) != Child::Unused);
            let each = used.map(|slot| match node.child(slot) {
                Child::Node(child) => whole[child as usize],
                _ => slots[index][slot],
            });
            whole[index] = each.reduce(Inside::and).unwrap_or(Inside::NOWHERE);
        }
        Branches { slots, whole }
    }
}

/// The proved discs of the subtrees of a hierarchy.
pub struct Branches {
    /// Of the leaves in a node's slots.
    slots: Vec<[Inside; WIDTH]>,
    /// Of all triangles below a node.
    whole: Vec<Inside>,
}

impl Branches {
    /// Whether no triangle of one subtree can cross one of the other.
    #[inline]
    pub fn share(&self, a: Branch, b: Branch) -> bool {
        self.of(a).shares(self.of(b))
    }

    /// Whether all triangles below a node are in one proved disc.
    pub fn is_proved(&self, node: usize) -> bool {
        !self.whole[node].is_nowhere()
    }

    #[inline]
    fn of(&self, branch: Branch) -> Inside {
        match branch.place() {
            (node, None) => self.whole[node],
            (node, Some(slot)) => self.slots[node][slot],
        }
    }
}

impl DiscLayer {
    fn empty(triangles: usize) -> Self {
        Self {
            discs: memory::filled(NONE, triangles),
            starts: vec![[0; 3]],
            ..Self::default()
        }
    }

    fn corners(&self, disc: usize) -> &[[u32; 3]] {
        &self.corners[self.starts[disc][0] as usize..self.starts[disc + 1][0] as usize]
    }

    fn contour(&self, disc: usize) -> &[u32] {
        &self.contours[self.starts[disc][1] as usize..self.starts[disc + 1][1] as usize]
    }

    /// Whether all triangles of a disc face the mean normal and the contour seen along it is simple.
    fn is_proved<P: Seen>(&self, at: &impl Fn(u32) -> P, slack: f64, disc: usize) -> bool {
        let contour: Vec<P> = self.contour(disc).iter().map(|&v| at(v)).gather();
        // The contour alone gives the sum of the normals.
        let from_origin = |k: usize| contour[k].middle() - contour[0].middle();
        let normal: DVec3 = (1..contour.len() - 1)
            .map(|k| from_origin(k).cross(from_origin(k + 1)))
            .sum();
        let view = Projection::along(normal, slack);
        let facing = |&[a, b, c]: &[u32; 3]| P::turn(&view, at(a), at(b), at(c)) > 0;
        self.corners(disc).iter().all(facing) && contour::is_simple(&contour, &view)
    }
}

#[cfg(test)]
mod tests;
