//! The exact volume that two placed meshes share, in the world.

use super::contacts::Manifold;
use super::placed::Placed;
use super::region_contacts::{RegionContactOptions, RegionContacts};
use crate::error::{Error, Result};
use crate::geometry::bounded::TooMany;
use crate::geometry::volume::{
    BodyTopology, BooleanOperation, BoundaryMesh, BoundaryTriangle, ConnectedParts, Intersection,
    IntersectionCurve, IntersectionRegion, NotClosed, PlacedPair, RegionPatch, SharedVolume,
};
use crate::memory::{self, Gather};
use crate::scene::on_demand::OnDemand;
use crate::scene::pose::world;
use glam::{DMat3, DVec3};
use std::sync::Arc;

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
    /// Edges that each mesh's own triangles do not pass as often one way as the other: it is not closed.
    pub unbalanced_edges: [u64; 2],
    /// How far exact values can be from these.
    pub errors: ExactErrors,
}

/// How far exact values can be from those of an [`ExactVolume`]: vectors and matrices in length. For volume, centroid and moments this holds of closed meshes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactErrors {
    /// Of the centroid; infinite where there is no volume.
    pub centroid: f64,
    /// Of the second moment; infinite where there is no volume.
    pub second_moment: f64,
    /// Of the area vectors.
    pub area_vectors: [f64; 2],
    /// Of the torques.
    pub torques: [f64; 2],
    /// Of the areas.
    pub areas: [f64; 2],
    /// Of the length of the curve.
    pub curve_length: f64,
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
    /// How far the exact one can be from it.
    pub error: f64,
}

/// What two placed meshes have in common, at the moment when it was asked for. The bodies' crossings are found once; what follows from them is made when it is first asked for.
pub struct ExactIntersection {
    a: Placed,
    b: Placed,
    of: Intersection,
    regions: OnDemand<ConnectedParts>,
    patches: OnDemand<Vec<Option<RegionPatch>>>,
    curves: OnDemand<Vec<IntersectionCurve>>,
    boundaries: [OnDemand<BoundaryMesh>; 3],
}

impl ExactIntersection {
    /// Of `a` and `b`; `closed` is known of meshes that their indices close.
    pub fn of(
        a: Placed,
        b: Placed,
        closed: [Option<BodyTopology>; 2],
    ) -> std::result::Result<Self, TooMany> {
        let of = Intersection::of(&pair(&a, &b), closed)?;
        Ok(Self {
            a,
            b,
            of,
            regions: OnDemand::default(),
            patches: OnDemand::default(),
            curves: OnDemand::default(),
            boundaries: Default::default(),
        })
    }

    /// Volume, moments and derivatives.
    pub fn volume(&self) -> ExactVolume {
        in_world(&self.a, &self.b, &self.of.shared_volume())
    }

    fn parts(&self) -> Result<Arc<ConnectedParts>> {
        self.regions.kept(|| {
            let pair = pair(&self.a, &self.b);
            Ok(self.of.regions(&pair, |p| self.a.world(p)))
        })
    }

    /// The connected parts, the largest first.
    pub fn regions(&self) -> Result<Vec<ExactRegion>> {
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
        Ok(self.parts()?.regions.iter().map(told).gather())
    }

    /// The regions as contacts that a solver takes.
    pub fn contacts(&self, options: &RegionContactOptions) -> Result<Manifold> {
        options.validate()?;
        let parts = self.parts()?;
        let patches = self.patches.kept(|| Ok(self.of.patches(&parts)))?;
        let regions = parts.regions.iter();
        let wrench = regions.fold([DVec3::ZERO; 2], |[force, torque], region| {
            let sums = &region.sums[0];
            [force + sums.area_vector, torque + sums.torque]
        });
        let contacts = RegionContacts {
            places: [world(&self.a.pose), world(&self.b.pose)],
            origin: self.of.origin(),
            patches: &patches,
            wrench,
        };
        Ok(contacts.manifold(options))
    }

    fn polylines(&self) -> Result<Arc<Vec<IntersectionCurve>>> {
        let parts = self.parts()?;
        self.curves.kept(|| Ok(self.of.curves(&parts)))
    }

    /// The curves where the surfaces cross.
    pub fn curves(&self) -> Result<Vec<ExactCurve>> {
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
        Ok(self.polylines()?.iter().map(told).gather())
    }

    /// The corners of all curves.
    pub fn curve_points(&self) -> Result<Vec<ExactCurvePoint>> {
        let curves = self.polylines()?;
        let all = curves.iter().flat_map(|curve| &curve.points);
        let told = all.map(|point| ExactCurvePoint {
            position: self.a.world(point.at),
            triangles: point.triangles,
        });
        Ok(told.gather())
    }

    /// For every vertex whose moves change the volume, those of the first mesh first.
    pub fn gradients(&self) -> Vec<VertexGradient> {
        let turn = self.a.pose.matrix();
        let triangles = [&self.a, &self.b].map(|placed| placed.fitted_surface().surface.triangles);
        let found = self.of.gradients(triangles);
        let of_both = (0..).zip(found).flat_map(|(mesh, gradients)| {
            (gradients.into_iter()).map(move |found| VertexGradient {
                mesh,
                vertex: found.vertex,
                gradient: turn * found.gradient,
                error: turned(found.gradient.length(), found.error),
            })
        });
        of_both.gather()
    }

    /// The boundary of a Boolean operation, in the frame of the first mesh.
    fn boundary(&self, operation: BooleanOperation) -> Result<Arc<BoundaryMesh>> {
        let regions = match operation {
            BooleanOperation::Intersection => Some(self.parts()?),
            _ => None,
        };
        self.boundaries[operation as usize].kept(|| {
            let made = self.of.boundary(operation, regions.as_deref());
            made.map_err(|NotClosed { disagreeing: [a, b] }| Error::Unsupported(format!(
                "there is no boundary: along {a} edges of the first mesh and {b} of the second, inside and outside of the other do not agree; close the meshes"
            )))
        })
    }

    /// The corners of the boundary of a Boolean operation, in the world.
    pub fn boundary_vertices(&self, operation: BooleanOperation) -> Result<Vec<DVec3>> {
        let positions = &self.boundary(operation)?.positions;
        Ok(positions.iter().map(|p| self.a.world(*p)).gather())
    }

    /// The triangles of the boundary of a Boolean operation.
    pub fn boundary_triangles(&self, operation: BooleanOperation) -> Result<Vec<BoundaryTriangle>> {
        Ok(memory::copied(&self.boundary(operation)?.triangles))
    }
}

fn pair<'a>(a: &'a Placed, b: &'a Placed) -> PlacedPair<'a> {
    let (placement, _) = a.relative(b);
    PlacedPair::new(a.fitted_surface(), b.fitted_surface(), placement)
}

/// How far a vector or matrix of this length, off by this much, can be off after it was turned into the world: once or from both sides, which rounds.
fn turned(length: f64, error: f64) -> f64 {
    (1.0 + 1e-9) * error + 32.0 * f64::EPSILON * length
}

fn in_world(a: &Placed, b: &Placed, shared: &SharedVolume) -> ExactVolume {
    let (volume, error) = shared.volume();
    let turn = a.pose.matrix();
    let (middle, middle_error) = centre(shared);
    let (second_moment, second_error) = second_moment(shared, middle, middle_error);
    let origin = a.world(shared.origin);
    let has_centre = middle_error.is_finite();
    let centroid = if has_centre {
        a.world(shared.origin + middle)
    } else {
        DVec3::ZERO
    };
    let [torque_a, torque_b] = [(0, a), (1, b)].map(|(own, placed)| {
        let (sums, errors) = (&shared.sums[own], &shared.errors[own]);
        let position = placed.world(DVec3::ZERO);
        let arm = origin - position;
        let area = turn * sums.area_vector;
        let torque = turn * sums.torque + arm.cross(area);
        let arm_error = 16.0 * f64::EPSILON * (origin.length() + position.length());
        let moved = arm.length() * errors.area + arm_error * (area.length() + errors.area);
        let length = sums.torque.length() + arm.length() * area.length();
        (torque, turned(length, errors.torque + moved))
    });
    let far = shared.origin.length() + middle.length() + centroid.length();
    ExactVolume {
        volume,
        bounds: [volume - error, volume + error],
        centroid,
        second_moment: turn * second_moment * turn.transpose(),
        area_vectors: [0, 1].map(|own| turn * shared.sums[own].area_vector),
        torques: [torque_a.0, torque_b.0],
        areas: [0, 1].map(|own| shared.sums[own].area),
        curve_length: shared.curve_length,
        crossings: shared.crossings,
        disagreeing: shared.disagreeing,
        unbalanced_edges: shared.unbalanced_edges,
        errors: ExactErrors {
            centroid: turned(far, middle_error),
            second_moment: turned(length(&second_moment), second_error),
            area_vectors: [0, 1].map(|own| {
                turned(
                    shared.sums[own].area_vector.length(),
                    shared.errors[own].area,
                )
            }),
            torques: [torque_a.1, torque_b.1],
            areas: [0, 1].map(|own| shared.errors[own].area),
            curve_length: shared.curve_error,
        },
    }
}

/// The centre of what is shared, from the origin, and how far it can be off; infinitely far where there may be no volume.
fn centre(shared: &SharedVolume) -> (DVec3, f64) {
    let (volume, error) = shared.volume();
    if volume <= error {
        return (DVec3::ZERO, f64::INFINITY);
    }
    let (moment, moment_error) = shared.of_both(|sums| sums.first_moment, |e| e.first_moment);
    let middle = moment / volume;
    let off = (moment_error + middle.length() * error) / (volume - error);
    (middle, off + 4.0 * f64::EPSILON * middle.length())
}

/// The second moment about the centre, and how far it can be off.
fn second_moment(shared: &SharedVolume, middle: DVec3, middle_error: f64) -> (DMat3, f64) {
    let (volume, error) = shared.volume();
    let (about_origin, off) = shared.of_both(|sums| sums.second_moment(), |e| e.second_moment);
    if !middle_error.is_finite() {
        return (about_origin, f64::INFINITY);
    }
    let outer = DMat3::from_cols(middle * middle.x, middle * middle.y, middle * middle.z);
    let far = middle.length();
    let moved = volume.abs() * middle_error * (2.0 * far + middle_error)
        + (far + middle_error).powi(2) * error
        + 8.0 * f64::EPSILON * (volume.abs() * far * far + length(&about_origin));
    (about_origin - outer * volume, off + moved)
}

/// The root of the sum of all squares.
fn length(matrix: &DMat3) -> f64 {
    DVec3::from_array(
        matrix
            .to_cols_array_2d()
            .map(|column| DVec3::from_array(column).length()),
    )
    .length()
}
