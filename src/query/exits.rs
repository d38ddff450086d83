//! Exits: how deep points are inside a closed mesh, and the shortest way out (the query that Heidelberger et al. 2003, section 5.2, leave to
//! the future). Ends of stretches of rays are points too: those that two meshes share end on one surface inside the other.

use super::exact::{ExactQuery, MeshesAt, StandingMesh};
use super::placed::Placed;
use crate::error::Result;
use crate::geometry::exits::{NearestPlace, nearest_places};
use crate::geometry::sign::ray_crossings::winding_numbers;
use crate::memory::{self, Gather, ParallelGather};
use crate::scene::mesh::Mesh;
use crate::scene::pose::check_vectors;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// How a point gets out of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointExit {
    /// Whether it is inside.
    pub inside: bool,
    /// How far the surface is; 0 outside.
    pub depth: f64,
    /// How far the depth can be off.
    pub error: f64,
    /// The nearest place of the surface, in the world; the point itself outside.
    pub place: DVec3,
    /// A unit vector from the point to there; for a point on the surface the normal of the triangle. Zero outside.
    pub direction: DVec3,
    /// The triangle there; None outside.
    pub triangle: Option<u32>,
}

/// Planned exits of points.
pub struct ExitsQuery {
    body: StandingMesh,
    points: Vec<Vec3>,
}

impl ExitsQuery {
    /// Of points in the world out of a mesh.
    pub fn plan(body: StandingMesh, points: &[Vec3]) -> Result<Self> {
        check_vectors(points, |at| format!("point {at}"))?;
        Ok(Self {
            body,
            points: memory::copy(points, "points")?,
        })
    }
}

/// Roundings, relative to all that is added up, between the distance to a triangle in the mesh's frame and the truth.
const ROUNDINGS: f64 = 64.0;

impl ExactQuery for ExitsQuery {
    type Answer = Vec<PointExit>;
    /// The mesh, and whether it is closed.
    type Prepared = (Placed, bool);
    const NAME: &'static str = "exits";

    fn meshes(&self) -> Vec<&Arc<Mesh>> {
        vec![&self.body.mesh]
    }

    fn prepare(&self, source: &MeshesAt) -> Result<(Placed, bool)> {
        let placed = source.placed(&self.body)?;
        let mesh = &self.body.mesh;
        let closed = mesh.is_closed(&placed.fitted, |work| source.workers().run(work))?;
        Ok((placed, closed))
    }

    fn run(&self, (mesh, closed): (Placed, bool)) -> Result<Vec<PointExit>> {
        let place = |point: &Vec3| mesh.pose.unapply(point.as_dvec3());
        let places: Vec<DVec3> = self.points.iter().map(place).gather();
        let windings = if closed {
            winding_numbers(mesh.fitted_surface(), &places)
        } else {
            let winding = mesh.fitted.winding(&mesh.mesh);
            let encloses = |place: &DVec3| i32::from(winding.encloses(*place));
            places.par_iter().map(encloses).par_gather()
        };
        let is_inside = |at: &u32| windings[*at as usize] != 0;
        let inside = (0..self.points.len() as u32).filter(is_inside).gather();
        let deep = (inside.iter()).map(|at| places[*at as usize]).gather();
        let exits = nearest_places(mesh.fitted_surface(), &deep);
        let outside = |point: &Vec3| PointExit {
            inside: false,
            depth: 0.0,
            error: 0.0,
            place: point.as_dvec3(),
            direction: DVec3::ZERO,
            triangle: None,
        };
        let mut answers = self.points.iter().map(outside).gather();
        for (at, exit) in inside.into_iter().zip(exits) {
            let at = at as usize;
            // Coordinates that are no numbers are nowhere.
            if exit.distance.is_finite() {
                answers[at] = way_out(&mesh, places[at], windings[at], &exit);
            }
        }
        Ok(answers)
    }
}

/// The way from a place in the mesh's frame to the nearest on its surface.
fn way_out(mesh: &Placed, from: DVec3, winding: i32, exit: &NearestPlace) -> PointExit {
    let size = mesh.radius() + from.length() + mesh.pose.position.as_dvec3().length();
    let error = ROUNDINGS * f64::EPSILON * size;
    let way = if exit.distance > error {
        (exit.point - from) / exit.distance
    } else {
        let corners = (mesh.fitted_surface().surface).corners_f64(exit.triangle);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        f64::from(winding.signum()) * normal.normalize_or_zero()
    };
    PointExit {
        inside: true,
        depth: exit.distance,
        error,
        place: mesh.world(exit.point),
        direction: mesh.pose.matrix() * way,
        triangle: Some(exit.triangle),
    }
}
