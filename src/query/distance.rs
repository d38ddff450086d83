//! Distance: how far two placed meshes are apart, with the interval that holds it in spite of all rounding.

use super::exact::{ExactQuery, MeshesAt, StandingMesh};
use super::placed::{Placed, PlacedMoment, PlacedTriangles};
use crate::error::{Result, invalid};
use crate::geometry::comparators::margin_hash;
use crate::geometry::distance::{Distance, DistanceOptions, distance, surface_bounds};
use crate::geometry::surface::Surface;
use crate::memory::Gather;
use crate::scene::mesh::Mesh;
use glam::{DAffine3, DVec3, Vec3};
use std::sync::Arc;

/// What a distance query is asked for.
#[derive(Clone, Copy, Debug)]
pub enum DistanceRequest {
    /// The distance itself.
    Distance(DistanceOptions),
    /// The distance itself, by the comparator of [`crate::geometry::comparators::margin_hash`].
    ByMarginHash(DistanceOptions),
    /// Bounds from the convex hulls alone.
    Bounds,
}

impl DistanceRequest {
    /// Refuses what is no distance.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Distance(options) | Self::ByMarginHash(options)
                if options.within.is_nan() || options.within < 0.0 =>
            {
                Err(invalid(format!(
                    "within is {}; it is a distance, infinite for any",
                    options.within
                )))
            }
            _ => Ok(()),
        }
    }

    /// What is left to do for two meshes.
    pub fn prepare(
        &self,
        [a, b]: &[StandingMesh; 2],
        source: &MeshesAt,
    ) -> Result<PreparedDistance> {
        let bare = || -> Result<[PlacedMoment; 2]> {
            Ok([source.placed_moment(a)?, source.placed_moment(b)?])
        };
        let options = match self {
            Self::Distance(options) => options,
            Self::ByMarginHash(options) => {
                for of in [a, b] {
                    of.mesh.check_single_precision("the margin hash")?;
                }
                let [a, b] = bare()?;
                let hashed = source
                    .workers()
                    .run(|| run_by_margin_hash(&a, &b, options))?;
                if let Some(answer) = hashed {
                    return Ok(PreparedDistance::Found(answer));
                }
                options
            }
            Self::Bounds => {
                let [a, b] = bare()?;
                let found = source.workers().run(|| bounds(&a, &b))?;
                return Ok(PreparedDistance::Found(found));
            }
        };
        let placed = [source.placed(a)?, source.placed(b)?];
        Ok(PreparedDistance::Fitted(Box::new(placed), *options))
    }
}

/// A distance that was found without anything prepared, or meshes with the hierarchies that will find it.
pub enum PreparedDistance {
    /// The answer.
    Found(DistanceAnswer),
    /// The meshes.
    Fitted(Box<[Placed; 2]>, DistanceOptions),
}

impl PreparedDistance {
    /// The answer.
    pub fn run(&self) -> DistanceAnswer {
        match self {
            Self::Found(answer) => *answer,
            Self::Fitted(bodies, options) => run(&bodies[0], &bodies[1], options),
        }
    }
}

/// A planned distance of two meshes.
pub struct DistanceQuery {
    bodies: [StandingMesh; 2],
    request: DistanceRequest,
}

impl DistanceQuery {
    /// Refuses what is no distance.
    pub fn plan(bodies: [StandingMesh; 2], request: DistanceRequest) -> Result<Self> {
        request.check()?;
        Ok(Self { bodies, request })
    }
}

impl ExactQuery for DistanceQuery {
    type Answer = DistanceAnswer;
    type Prepared = PreparedDistance;
    const NAME: &'static str = "distance";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        self.bodies.iter().map(|body| &body.mesh).collect()
    }

    /// One thread walks the hierarchies; what needs none was found before.
    fn is_shared(&self) -> bool {
        false
    }

    fn prepare(&self, source: &MeshesAt) -> Result<PreparedDistance> {
        self.request.prepare(&self.bodies, source)
    }

    fn run(&self, prepared: PreparedDistance) -> Result<DistanceAnswer> {
        Ok(prepared.run())
    }
}

/// Two points of the surfaces in the world, and the triangles they are on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldWitness {
    /// Triangle of the first and of the second mesh.
    pub triangles: [u32; 2],
    /// A point of each.
    pub points: [DVec3; 2],
}

/// How far apart two surfaces are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceAnswer {
    /// Of the witness points; infinite without them.
    pub distance: f64,
    /// The surfaces are at least this far apart.
    pub lower: f64,
    /// The surfaces are at most this far apart.
    pub upper: f64,
    /// Whether they share a point.
    pub intersecting: bool,
    /// The nearest points; None when they are farther apart than was asked for.
    pub witness: Option<WorldWitness>,
}

/// Roundings, relative to the sizes of both meshes, that stand between the distance and the truth: a motion to the other's frame is
/// eight, and the distance of two triangles a few more.
const ROUNDINGS: f64 = 64.0;

pub(super) fn slack(radii: [f64; 2], motion: &DAffine3) -> f64 {
    ROUNDINGS * f64::EPSILON * (radii[0] + radii[1] + motion.translation.length())
}

/// The distance of two meshes.
pub fn run(a: &Placed, b: &Placed, options: &DistanceOptions) -> DistanceAnswer {
    let (placement, motion) = a.relative(b);
    let found = distance(a.fitted_surface(), b.fitted_surface(), &placement, options);
    answer(a, b, &found, &motion)
}

/// The same by the margin hash, which exists to be compared, without a hierarchy; None where there is no margin.
fn run_by_margin_hash(
    a: &PlacedMoment,
    b: &PlacedMoment,
    options: &DistanceOptions,
) -> Option<DistanceAnswer> {
    let of_a = a.triangles();
    let (placement, motion) = of_a.relative(&b.triangles());
    let found = margin_hash::distance(of_a.surface, b.triangles().surface, &placement, options)?;
    let slack = slack([a.radius(), b.radius()], &motion);
    Some(in_world(&of_a, &found, &motion, slack))
}

/// What was found in the frame of the first mesh, in the world, with room for all rounding; `motion` is that of the second.
pub(super) fn answer(
    a: &Placed,
    b: &Placed,
    found: &Distance,
    motion: &DAffine3,
) -> DistanceAnswer {
    let mut slack = slack([a.radius(), b.radius()], motion);
    if *motion == DAffine3::IDENTITY {
        // Only differences of positions were rounded, wherever the meshes are.
        let [box_a, box_b] = [a, b].map(|of| of.fitted.bvh().bounds());
        let across = box_a.union(box_b).size().as_dvec3().length();
        slack = slack.min(ROUNDINGS * f64::EPSILON * across);
    }
    in_world(&a.triangles(), found, motion, slack)
}

pub(super) fn in_world(
    a: &PlacedTriangles,
    found: &Distance,
    motion: &DAffine3,
    slack: f64,
) -> DistanceAnswer {
    let intersecting = found.witness.is_some() && found.upper == 0.0;
    // Without a motion, whether triangles meet is decided without rounding.
    let certain = intersecting && *motion == DAffine3::IDENTITY;
    DistanceAnswer {
        distance: found.upper,
        lower: (found.lower - slack).max(0.0),
        upper: if certain { 0.0 } else { found.upper + slack },
        intersecting,
        witness: found.witness.map(|w| WorldWitness {
            triangles: w.triangles,
            points: w.points.map(|p| a.world(p)),
        }),
    }
}

/// Bounds from the convex hulls alone. The points are vertices.
fn bounds(a: &PlacedMoment, b: &PlacedMoment) -> DistanceAnswer {
    let (of_a, of_b) = (a.triangles(), b.triangles());
    let (placement, motion) = of_a.relative(&of_b);
    let (surface_a, surface_b) = (of_a.surface, of_b.surface);
    let moved: Option<Vec<Vec3>> = (!placement.is_identity()).then(|| {
        let there = |v: u32| placement.point(surface_b.positions.at(v)).as_vec3();
        (0..surface_b.positions.len() as u32).map(there).gather()
    });
    let standing = Surface {
        positions: (moved.as_deref())
            .unwrap_or(surface_b.positions.rounded())
            .into(),
        triangles: surface_b.triangles,
    };
    let (radius_a, radius_b) = (a.radius(), b.radius());
    let mut slack = slack([radius_a, radius_b], &motion);
    let Some(hulls) = surface_bounds(surface_a, standing) else {
        return DistanceAnswer {
            distance: f64::INFINITY,
            lower: 0.0,
            upper: f64::INFINITY,
            intersecting: false,
            witness: None,
        };
    };
    let (first, second) = (
        corner_at(&surface_a, hulls.nearest[0]),
        corner_at(&surface_b, hulls.nearest[1]),
    );
    let points = [first.1, placement.point(second.1)];
    let distance = points[0].distance(points[1]);
    let upper = distance + slack;
    // Moved vertices and those in double precision were rounded to single precision, by half a step on each axis.
    if surface_a.positions.are_doubles() {
        slack += f64::from(f32::EPSILON) * radius_a;
    }
    if moved.is_some() || surface_b.positions.are_doubles() {
        slack += f64::from(f32::EPSILON) * (radius_b + motion.translation.length());
    }
    DistanceAnswer {
        distance,
        lower: (hulls.lower - slack).clamp(0.0, upper),
        upper,
        intersecting: false,
        witness: Some(WorldWitness {
            triangles: [first.0, second.0],
            points: points.map(|p| of_a.world(p)),
        }),
    }
}

/// A triangle at a vertex, and the place. Vertices without one were replaced by the first triangle's first corner.
fn corner_at(surface: &Surface, vertex: u32) -> (u32, DVec3) {
    let at = |v: u32| surface.positions.at(v);
    match surface.triangles.iter().position(|t| t.contains(&vertex)) {
        Some(triangle) => (triangle as u32, at(vertex)),
        None => (0, at(surface.triangles[0][0])),
    }
}
