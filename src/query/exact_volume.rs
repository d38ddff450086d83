//! The exact volume that two placed meshes share, in the world.

use super::placed::Placed;
use crate::geometry::bounded::TooMany;
use crate::geometry::volume::{
    BodyTopology, BooleanOperation, BoundaryMesh, BoundaryTriangle, ChainSums, ConnectedParts,
    Intersection, IntersectionCurve, IntersectionRegion, SharedVolume,
};
use crate::memory::{self, Gather};
use glam::{DMat3, DVec3};
use std::sync::OnceLock;

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

/// A corner of a curve where two surfaces cross, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactCurvePoint {
    /// Where it is.
    pub position: DVec3,
    /// The triangles of both meshes that share the segment from there on.
    pub triangles: [u32; 2],
}

/// Such a curve: which of all points are its corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactCurve {
    /// The first of its points.
    pub first: u32,
    /// How many there are.
    pub points: u32,
    /// Whether the last is joined to the first.
    pub is_closed: bool,
    /// The region that it bounds.
    pub region: u32,
}

/// How the volume changes as a vertex moves, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexGradient {
    /// 0 for the first mesh, 1 for the second.
    pub mesh: u32,
    /// The vertex.
    pub vertex: u32,
    /// The change of the volume per length.
    pub gradient: DVec3,
}

/// What two placed meshes have in common, at the moment when it was asked for. The bodies' crossings are found once; what follows from them is made when it is first asked for.
pub struct ExactIntersection {
    a: Placed,
    b: Placed,
    of: Intersection,
    regions: OnceLock<ConnectedParts>,
    curves: OnceLock<Vec<IntersectionCurve>>,
    boundaries: [OnceLock<Option<BoundaryMesh>>; 3],
}

/// What is kept, or made without keeping anybody waiting: two threads may make the same.
fn kept<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    match cell.get() {
        Some(value) => value,
        None => {
            let value = make();
            cell.get_or_init(|| value)
        }
    }
}

impl ExactIntersection {
    /// Of `a` and `b`; `closed` is known of meshes that their indices close.
    pub fn of(a: Placed, b: Placed, closed: [Option<BodyTopology>; 2]) -> Result<Self, TooMany> {
        let (placement, _) = a.relative(&b);
        let of = Intersection::of(a.fitted_surface(), b.fitted_surface(), &placement, closed)?;
        Ok(Self {
            a,
            b,
            of,
            regions: OnceLock::new(),
            curves: OnceLock::new(),
            boundaries: Default::default(),
        })
    }

    /// Volume, moments and derivatives.
    pub fn volume(&self) -> ExactVolume {
        in_world(&self.a, &self.b, &self.of.shared_volume())
    }

    /// Edges of each mesh along which inside and outside of the other do not agree.
    pub fn disagreeing(&self) -> [u64; 2] {
        self.of.disagreeing()
    }

    fn parts(&self) -> &ConnectedParts {
        kept(&self.regions, || self.of.regions(|p| self.a.world(p)))
    }

    /// The connected parts, the largest first.
    pub fn regions(&self) -> Vec<ExactRegion> {
        let (origin, turn) = (self.of.origin(), self.a.pose.matrix());
        let told = |region: &IntersectionRegion| {
            let [first, second] = &region.sums;
            let volume = region.volume();
            let middle = (first.first_moment + second.first_moment) / volume;
            ExactRegion {
                volume,
                centroid: if volume > 0.0 {
                    self.a.world(origin + middle)
                } else {
                    DVec3::ZERO
                },
                area_vector: turn * first.area_vector,
                depth: region.depth,
                bounds: region.bounds,
            }
        };
        self.parts().regions.iter().map(told).gather()
    }

    fn polylines(&self) -> &Vec<IntersectionCurve> {
        kept(&self.curves, || self.of.curves(self.parts()))
    }

    /// The curves where the surfaces cross.
    pub fn curves(&self) -> Vec<ExactCurve> {
        let mut first = 0;
        let told = |curve: &IntersectionCurve| {
            let points = curve.points.len() as u32;
            first += points;
            ExactCurve {
                first: first - points,
                points,
                is_closed: curve.is_closed,
                region: curve.region,
            }
        };
        self.polylines().iter().map(told).gather()
    }

    /// The corners of all curves.
    pub fn curve_points(&self) -> Vec<ExactCurvePoint> {
        let all = self.polylines().iter().flat_map(|curve| &curve.points);
        all.map(|point| ExactCurvePoint {
            position: self.a.world(point.at),
            triangles: point.triangles,
        })
        .gather()
    }

    /// For every vertex whose moves change the volume, those of the first mesh first.
    pub fn gradients(&self) -> Vec<VertexGradient> {
        let turn = self.a.pose.matrix();
        let triangles = [&self.a, &self.b].map(|placed| placed.fitted_surface().surface.triangles);
        let found = self.of.gradients(triangles);
        let of_both = (0..).zip(found).flat_map(|(mesh, gradients)| {
            (gradients.into_iter()).map(move |(vertex, gradient)| VertexGradient {
                mesh,
                vertex,
                gradient: turn * gradient,
            })
        });
        of_both.gather()
    }

    /// The boundary of a Boolean operation, in the frame of the first mesh; none when a mesh is not closed.
    fn boundary(&self, operation: BooleanOperation) -> Option<&BoundaryMesh> {
        let cell = &self.boundaries[operation as usize];
        let regions = (operation == BooleanOperation::Intersection).then(|| self.parts());
        kept(cell, || self.of.boundary(operation, regions)).as_ref()
    }

    /// The corners of the boundary of a Boolean operation, in the world.
    pub fn boundary_vertices(&self, operation: BooleanOperation) -> Option<Vec<DVec3>> {
        let positions = &self.boundary(operation)?.positions;
        Some(positions.iter().map(|p| self.a.world(*p)).gather())
    }

    /// The triangles of the boundary of a Boolean operation.
    pub fn boundary_triangles(&self, operation: BooleanOperation) -> Option<Vec<BoundaryTriangle>> {
        Some(memory::copied(&self.boundary(operation)?.triangles))
    }
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
