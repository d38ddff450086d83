//! What queries answer: contacts, near pairs, impacts, and the regions of an intersection.

use super::super::Context;
use super::{Color, DebugDrawing, color_of, corners_of, out_of_range};
use crate::error::{Result, invalid};
use crate::geometry::continuous::impacts::Features;
use crate::interrupt;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, world};
use glam::{DAffine3, DVec3, Vec3};
use std::sync::Arc;

/// Contacts of bodies that touch and did so before.
const PERSISTS: Color = 0xd55e00ff;
/// Contacts that are new.
const BEGAN: Color = 0x009e73ff;
/// Contacts of bodies that are still apart.
const APART: Color = 0x8797a5ff;

/// What is drawn of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactMark {
    /// The points on both bodies.
    pub points: [DVec3; 2],
    /// From the first to the second.
    pub normal: DVec3,
    /// Negative where they penetrate.
    pub separation: f32,
    /// Whether it continues one of the last step.
    pub persists: bool,
}

/// What is drawn of a near pair.
#[derive(Clone, Copy, Debug)]
pub struct NearMark {
    /// What is near.
    pub features: Features,
    /// The shares of corners.
    pub weights: [f64; 4],
}

/// What is drawn of an impact.
#[derive(Clone, Copy, Debug)]
pub struct ImpactMark {
    /// What meets.
    pub features: Features,
    /// The shares of corners.
    pub weights: [f64; 4],
    /// From 0 to 1.
    pub time: f64,
    /// From the first feature to the second.
    pub normal: DVec3,
}

impl DebugDrawing {
    /// Draws both points of each contact, what is between them, and the normal.
    pub fn draw_contacts(&mut self, contacts: &[ContactMark]) -> Result<()> {
        for contact in contacts {
            interrupt::verify()?;
            let color = match (contact.separation > 0.0, contact.persists) {
                (true, _) => APART,
                (false, true) => PERSISTS,
                (false, false) => BEGAN,
            };
            let [a, b] = contact.points;
            self.line(a, b, color)?;
            self.vector(b, contact.normal, color)?;
            self.point(a, color)?;
            self.point(b, color)?;
            self.text(b, || format!("{:.4}", contact.separation), color)?;
        }
        Ok(())
    }
}

/// A mesh at one moment, placed in the world.
struct Posed {
    mesh: Arc<Mesh>,
    positions: Vec<Vec3>,
    placement: DAffine3,
}

impl Posed {
    fn vertex(&self, vertex: u32) -> Option<DVec3> {
        let position = self.positions.get(vertex as usize)?;
        Some(self.placement.transform_point3(position.as_dvec3()))
    }

    /// The point of a feature that its corners' shares give; `feature` names it in messages.
    fn point(&self, corners: &[u32], shares: &[f64], at: usize) -> Result<DVec3> {
        let mut point = DVec3::ZERO;
        for (&corner, &share) in corners.iter().zip(shares) {
            let vertex = self
                .vertex(corner)
                .ok_or_else(|| out_of_range("list", at, "vertex", corner, self.positions.len()))?;
            point += vertex * share;
        }
        Ok(point)
    }

    fn face(&self, triangle: u32, at: usize) -> Result<[u32; 3]> {
        let triangles = &self.mesh.triangles;
        let found = triangles.get(triangle as usize).copied();
        found.ok_or_else(|| out_of_range("list", at, "triangle", triangle, triangles.len()))
    }
}

/// The nearest points of two features.
fn nearest(
    [a, b]: [&Posed; 2],
    features: Features,
    weights: &[f64; 4],
    at: usize,
) -> Result<[DVec3; 2]> {
    Ok(match features {
        Features::VertexFace(vertex, face) => [
            a.point(&[vertex], &weights[..1], at)?,
            b.point(&b.face(face, at)?, &weights[1..], at)?,
        ],
        Features::FaceVertex(face, vertex) => [
            a.point(&a.face(face, at)?, &weights[1..], at)?,
            b.point(&[vertex], &weights[..1], at)?,
        ],
        Features::EdgeEdge(edge, other) => [
            a.point(&edge, &weights[..2], at)?,
            b.point(&other, &weights[2..], at)?,
        ],
        Features::Start([i, j]) => {
            let middle = [1.0 / 3.0; 3];
            [
                a.point(&a.face(i, at)?, &middle, at)?,
                b.point(&b.face(j, at)?, &middle, at)?,
            ]
        }
    })
}

fn color_of_features(features: Features) -> Color {
    match features {
        Features::Start(_) => color_of(5),
        Features::VertexFace(..) => color_of(0),
        Features::FaceVertex(..) => color_of(4),
        Features::EdgeEdge(..) => color_of(1),
    }
}

impl Context {
    fn posed(&self, (id, pose): (u64, Pose)) -> Result<Posed> {
        let mesh = self.mesh(id)?;
        pose.validate()?;
        Ok(Posed {
            positions: self.current_positions(&mesh)?,
            mesh,
            placement: world(&pose),
        })
    }

    /// Draws near pairs: the nearest points and what is between them.
    pub fn draw_near(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        pairs: &[NearMark],
        into: &mut DebugDrawing,
    ) -> Result<()> {
        let (a, b) = (self.posed(a)?, self.posed(b)?);
        for (at, pair) in pairs.iter().enumerate() {
            interrupt::verify()?;
            let color = color_of_features(pair.features);
            let [p, q] = nearest([&a, &b], pair.features, &pair.weights, at)?;
            into.line(p, q, color)?;
            into.point(p, color)?;
            into.point(q, color)?;
        }
        Ok(())
    }

    /// Draws impacts: the ways of the points that meet, from the start of the step to the impact, the place, the normal and the time. Meshes
    /// are those at the start and at the end, of the first body and of the second.
    pub fn draw_impacts(
        &self,
        [a0, a1, b0, b1]: [u64; 4],
        impacts: &[ImpactMark],
        into: &mut DebugDrawing,
    ) -> Result<()> {
        let here = |id| self.posed((id, Pose::default()));
        let (a0, a1, b0, b1) = (here(a0)?, here(a1)?, here(b0)?, here(b1)?);
        for (at, impact) in impacts.iter().enumerate() {
            interrupt::verify()?;
            let color = color_of_features(impact.features);
            let [p0, q0] = nearest([&a0, &b0], impact.features, &impact.weights, at)?;
            let [p1, q1] = nearest([&a1, &b1], impact.features, &impact.weights, at)?;
            let (p, q) = (p0.lerp(p1, impact.time), q0.lerp(q1, impact.time));
            into.line(p0, p, color)?;
            into.line(q0, q, color)?;
            into.point(p, color)?;
            into.vector(p, impact.normal, color)?;
            into.text(p, || format!("{:.4}", impact.time), color)?;
        }
        Ok(())
    }

    /// Draws the connected parts of an intersection: box, centre, the normal as long as the part is deep, and the curves around it.
    pub fn draw_regions(&self, id: u64, into: &mut DebugDrawing) -> Result<()> {
        for (number, region) in self.intersection_regions(id)?.iter().enumerate() {
            interrupt::verify()?;
            let color = color_of(number);
            let [min, max] = region.bounds;
            into.box_edges(corners_of(min, max), color)?;
            into.point(region.centroid, color)?;
            let half = region.area_vector.normalize_or_zero() * (region.depth / 2.0);
            into.line(region.centroid - half, region.centroid + half, color)?;
            let told = || format!("{:.4e}, {:.4} deep", region.volume, region.depth);
            into.text(region.centroid, told, color)?;
        }
        let points = self.intersection_curve_points(id)?;
        for curve in self.intersection_curves(id)? {
            interrupt::verify()?;
            let range = curve.first as usize..(curve.first + curve.points) as usize;
            let corners = (points.get(range))
                .ok_or_else(|| invalid("the curve has points that are not there"))?;
            let color = color_of(curve.region as usize);
            let next = corners.iter().skip(1).chain(match curve.is_closed {
                true => corners.first(),
                false => None,
            });
            for (from, to) in corners.iter().zip(next) {
                into.line(from.position, to.position, color)?;
            }
        }
        Ok(())
    }
}
