//! The integrals over what two bodies share: sums over whole faces, and what crossings change of them.

use super::Intersection;
use super::body::WeldedBody;
use super::chain::{BoundaryCorner, ChainErrors, ChainSums, FaceNormal};
use super::crossings::CrossedPair;
use crate::geometry::PORTION;
use crate::geometry::triangle::Triangle;
use crate::interrupt;
use crate::memory::ParallelGather;
use glam::DVec3;
use rayon::prelude::*;

/// What two bodies share. Positions are from `origin`.
#[derive(Clone, Debug)]
pub struct SharedVolume {
    /// What positions are relative to, in the frame of the first body.
    pub origin: DVec3,
    /// Over the parts of the first and of the second surface inside the other body; together they are the boundary.
    pub sums: [ChainSums; 2],
    /// How far these can be off.
    pub errors: [ChainErrors; 2],
    /// The length of the curve where the surfaces cross.
    pub curve_length: f64,
    /// How far that can be off.
    pub curve_error: f64,
    /// Pairs of triangles that cross.
    pub crossings: u64,
    /// Edges of the first and of the second body along which inside and outside do not agree: the other body is not closed.
    pub disagreeing: [u64; 2],
    /// Edges of each body that its own triangles do not pass as often one way as the other: it is not closed.
    pub unbalanced_edges: [u64; 2],
}

impl SharedVolume {
    /// The volume, and how far the exact one can be from it.
    pub fn volume(&self) -> (f64, f64) {
        self.of_both(|sums| sums.volume, |errors| errors.volume)
    }

    /// A sum over the whole boundary, and how far it can be off.
    pub fn of_both<T: std::ops::Add<Output = T>>(
        &self,
        sum: impl Fn(&ChainSums) -> T,
        error: impl Fn(&ChainErrors) -> f64,
    ) -> (T, f64) {
        let ([a, b], [error_a, error_b]) = (&self.sums, &self.errors);
        (sum(a) + sum(b), error(error_a) + error(error_b))
    }
}

impl Intersection {
    /// What the bodies share.
    pub fn shared_volume(&self) -> SharedVolume {
        let mut sums = <[ChainSums; 2]>::default();
        let (mut curve_length, mut curve_error) = (0.0, 0.0);
        for part in in_order(&self.crossed, |part: &mut CrossedSums, crossed| {
            crossed.add_to(part, &self.sides, self.origin)
        }) {
            for (sums, more) in sums.iter_mut().zip(part.sums) {
                *sums += more;
            }
            curve_length += part.curve_length;
            curve_error += part.curve_error;
        }
        for (own, sums) in sums.iter_mut().enumerate() {
            for part in self.uncut_sums(own) {
                *sums += part;
            }
        }
        // In a row: a portion of pairs, with up to two pieces each, or of faces, then all portions.
        let row = |count: usize, each: usize| each * count.min(PORTION) + count / PORTION;
        let faces = [0, 1].map(|own| row(self.sides[own].triangles.len(), 1));
        let additions = (row(self.crossed.len(), 2) + faces[0].max(faces[1]) + 8) as f64;
        SharedVolume {
            origin: self.origin,
            errors: [0, 1].map(|own| sums[own].errors(additions, self.size)),
            sums,
            curve_length,
            curve_error: curve_error + additions * f64::EPSILON * curve_length,
            crossings: self.crossed.len() as u64,
            disagreeing: self.disagreeing(),
            unbalanced_edges: self.unbalanced_edges(),
        }
    }

    /// Over whole faces, as often as their second corner is enclosed. What is too much or too little of faces that are crossed, their
    /// crossings mend.
    fn uncut_sums(&self, own: usize) -> Vec<ChainSums> {
        let (side, levels) = (&self.sides[own], &self.levels[own].of_vertices);
        in_order(&side.triangles, |part: &mut ChainSums, corners| {
            let level = levels[corners[1] as usize];
            if level != 0 {
                let corners = corners.map(|v| side.points[v as usize] - self.origin);
                part.add_face(f64::from(level), corners);
            }
        })
    }
}

/// Adds up items in portions on all threads; the sums of the portions in their order.
fn in_order<T: Sync, S: Default + Send>(
    items: &[T],
    add: impl Fn(&mut S, &T) + Sync + Send,
) -> Vec<S> {
    (items.par_chunks(PORTION))
        .map(|portion| {
            interrupt::check();
            let mut sum = S::default();
            portion.iter().for_each(|item| add(&mut sum, item));
            sum
        })
        .par_gather()
}

/// A triangle in the plane of a face, and how often it counts.
type FacePiece = (f64, [BoundaryCorner; 3]);

#[derive(Default)]
struct CrossedSums {
    sums: [ChainSums; 2],
    curve_length: f64,
    curve_error: f64,
}

impl CrossedPair {
    /// What the triangles' segment, and the edges that it ends at, add to the inner part of a face: triangles from its first corner, in the face's plane,
    /// and how often each counts.
    pub(super) fn pieces(
        &self,
        own: usize,
        corners: &Triangle,
        origin: DVec3,
    ) -> impl Iterator<Item = FacePiece> {
        let [first, _, third] = corners.map(|p| BoundaryCorner::vertex(p, origin));
        let segment = self.segment().map(|segment| {
            let [start, end] = segment.map(|corner| corner.seen_from(origin));
            let [from, to] = if own == 0 { [start, end] } else { [end, start] };
            (1.0, [first, from, to])
        });
        // Only the side opposite to the first corner makes a triangle with it.
        let piercings = self.piercings[own].iter().flatten();
        let opposite = piercings.filter(|piercing| piercing.side == 1);
        segment.into_iter().chain(opposite.map(move |piercing| {
            let at = piercing.at.seen_from(origin);
            (f64::from(piercing.change), [first, at, third])
        }))
    }

    fn add_to(&self, part: &mut CrossedSums, sides: &[WeldedBody; 2], origin: DVec3) {
        if let Some([start, end]) = self.segment() {
            let length = start.at.distance(end.at);
            part.curve_length += length;
            part.curve_error += start.error + end.error + 4.0 * f64::EPSILON * length;
        }
        for (own, side) in sides.iter().enumerate() {
            let corners = side.corners(self.triangles[own]);
            let normal = FaceNormal::of(&corners);
            for (times, piece) in self.pieces(own, &corners, origin) {
                part.sums[own].add(times, piece, &normal);
            }
        }
    }
}
