//! The exact volume that two placed meshes share, in the world.

use super::placed::Placed;
use crate::geometry::bounded::TooMany;
use crate::geometry::volume::{ChainSums, Intersection, IntersectionRegion, SharedVolume};
use glam::{DMat3, DVec3};

/// What two closed meshes share. Positions and directions are in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactVolume {
    /// The volume.
    pub volume: f64,
    /// The exact volume lies between these.
    pub bounds: [f64; 2],
    /// Its centre; zero where there is no volume.
    pub centroid: DVec3,
    /// The integral of the square of the position about the centre: a matrix.
    pub second_moment: DMat3,
    /// Over the part of each surface inside the other body: the integral of the outward normal.
    pub area_vectors: [DVec3; 2],
    /// The integral of position times outward normal, about each mesh's own position.
    pub torques: [DVec3; 2],
    /// The areas of those parts.
    pub areas: [f64; 2],
    /// The length of the curve where the surfaces cross.
    pub curve_length: f64,
    /// Pairs of triangles that cross.
    pub crossings: u64,
    /// Edges of each mesh along which inside and outside do not agree: the other mesh is not closed.
    pub disagreeing: [u64; 2],
}

/// A connected part of what two meshes share, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactRegion {
    /// Its volume.
    pub volume: f64,
    /// Its centre; zero where there is no volume.
    pub centroid: DVec3,
    /// The integral of the outward normal over its part of the first mesh's surface.
    pub area_vector: DVec3,
    /// How far it extends along that.
    pub depth: f64,
    /// Its least and its largest coordinates.
    pub bounds: [DVec3; 2],
}

/// The connected parts of what `a` and `b` share, the largest first.
pub fn regions(a: &Placed, b: &Placed) -> Result<Vec<ExactRegion>, TooMany> {
    let (placement, _) = a.relative(b);
    let intersection = Intersection::of(a.fitted_surface(), b.fitted_surface(), &placement)?;
    let (origin, turn) = (intersection.origin(), a.pose.matrix());
    let told = |region: IntersectionRegion| {
        let [first, second] = &region.sums;
        let volume = region.volume();
        let middle = (first.first_moment + second.first_moment) / volume;
        ExactRegion {
            volume,
            centroid: if volume > 0.0 {
                a.world(origin + middle)
            } else {
                DVec3::ZERO
            },
            area_vector: turn * first.area_vector,
            depth: region.depth,
            bounds: region.bounds,
        }
    };
    let found = intersection.regions(|p| a.world(p));
    Ok(found.into_iter().map(told).collect())
}

/// What `a` and `b` share.
pub fn run(a: &Placed, b: &Placed) -> Result<ExactVolume, TooMany> {
    let (placement, _) = a.relative(b);
    let shared =
        Intersection::of(a.fitted_surface(), b.fitted_surface(), &placement)?.shared_volume();
    Ok(in_world(a, b, &shared))
}

fn in_world(a: &Placed, b: &Placed, shared: &SharedVolume) -> ExactVolume {
    let (volume, error) = shared.volume();
    let turn = a.pose.matrix();
    let both = |of: fn(&ChainSums) -> DVec3| of(&shared.sums[0]) + of(&shared.sums[1]);
    let middle = if volume > error {
        both(|sums| sums.first_moment) / volume
    } else {
        DVec3::ZERO
    };
    let outer = DMat3::from_cols(middle * middle.x, middle * middle.y, middle * middle.z);
    let second = shared.sums[0].second_moment + shared.sums[1].second_moment - outer * volume;
    let origin = a.world(shared.origin);
    let torque = |own: usize, placed: &Placed| {
        let sums = &shared.sums[own];
        let arm = origin - placed.world(DVec3::ZERO);
        let area = turn * sums.area_vector;
        turn * sums.torque + arm.cross(area)
    };
    ExactVolume {
        volume,
        bounds: [volume - error, volume + error],
        centroid: if volume > error {
            a.world(shared.origin + middle)
        } else {
            DVec3::ZERO
        },
        second_moment: turn * second * turn.transpose(),
        area_vectors: [0, 1].map(|own| turn * shared.sums[own].area_vector),
        torques: [torque(0, a), torque(1, b)],
        areas: shared.areas,
        curve_length: shared.curve_length,
        crossings: shared.crossings,
        disagreeing: shared.disagreeing,
    }
}
