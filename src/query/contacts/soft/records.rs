//! From what kernels list to soft contacts in the world, in the order of bodies and features.

use super::{MOST_BODIES, MOST_SOFT_CONTACTS, SoftContactsQuery};
use crate::error::Result;
use crate::gpu::shader::blocks::SoftRecord;
use crate::memory;
use crate::query::body::ContactBody;
use crate::query::contacts::{ContactFeature, Sampling};
use glam::{DMat3, DVec3, Vec3};

/// A point of the mesh near a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftContact {
    /// The point in the world.
    pub point: DVec3,
    /// Unit vector out of the body, along the world's axes, or zero where the field does not tell.
    pub normal: DVec3,
    /// The signed distance less the rest offsets; negative where the point is inside.
    pub separation: f32,
    /// The exact signed distance less the rest offsets lies between these.
    pub bounds: [f32; 2],
    /// Which of the bodies.
    pub body: u32,
    /// What it lies on.
    pub feature: ContactFeature,
    /// The vertices of the feature, ascending for an edge and in the order of the triangle for a face; the last one fills the places that are
    /// left.
    pub vertices: [u32; 3],
    /// Their weights.
    pub weights: [f32; 3],
    /// The triangle; `u32::MAX` for a vertex.
    pub triangle: u32,
}

/// Sorts contacts that ascend by body, kind and first vertex by the rest of their names. An edge of more than two triangles was listed once
/// for each, and stays once.
pub(super) fn sort_features(contacts: &mut Vec<SoftContact>) {
    let name = |c: &SoftContact| (c.body, c.feature, c.vertices);
    let first = |c: &SoftContact| (c.body, c.feature, c.vertices[0]);
    for run in contacts.chunk_by_mut(|a, b| first(a) == first(b)) {
        run.sort_unstable_by_key(|c| (name(c), c.triangle));
    }
    contacts.dedup_by(|b, a| a.feature == ContactFeature::Edge && name(a) == name(b));
}

/// Where a body is, ready for many points.
pub(super) struct BodyTurn {
    position: DVec3,
    turn: DMat3,
    unit: f32,
    /// What is taken from distances to it.
    rest: f32,
}

impl SoftContactsQuery {
    pub(super) fn place(&self, body: &ContactBody) -> BodyTurn {
        BodyTurn {
            position: body.position,
            turn: body.matrix(),
            unit: body.scale,
            rest: self.limits(body).0,
        }
    }

    /// The records by body, kind and first vertex: kernels list in any order. Numbers are sorted sooner than contacts, which are many times
    /// as large; where not just a few vertices of a mesh are near one body, each has its own place, and nothing is compared.
    pub(super) fn order(
        &self,
        count: u32,
        record: impl Fn(usize) -> SoftRecord,
    ) -> Result<Vec<u32>> {
        let vertices = self.mesh.vertices;
        let is_dense = self.sides.len() == 1 && count >= vertices / 64;
        if self.options.sampling == Sampling::Vertices && is_dense {
            let mut places: Vec<u32> = memory::with_room(vertices as usize, "soft contacts")?;
            places.resize(vertices as usize, u32::MAX);
            (0..count).for_each(|at| places[record(at as usize).feature as usize] = at);
            places.retain(|&at| at != u32::MAX);
            return Ok(places);
        }
        let keys = (0..count).map(|at| self.order_key(&record(at as usize), at));
        let mut keys = memory::collect(keys, "the order of soft contacts")?;
        keys.sort_unstable();
        let place = |key: &u64| (key & u64::from(MOST_SOFT_CONTACTS - 1)) as u32;
        memory::collect(keys.iter().map(place), "the order of soft contacts")
    }

    /// Body, kind and first vertex of a record, and below them its place in the list.
    fn order_key(&self, record: &SoftRecord, at: u32) -> u64 {
        const PLACE_BITS: u32 = MOST_SOFT_CONTACTS.ilog2();
        const { assert!(MOST_SOFT_CONTACTS.is_power_of_two() && MOST_BODIES <= 256) };
        let corners = |triangle: u32| {
            let triangle = self.mesh.clusters.order[triangle as usize];
            self.mesh.triangles[triangle as usize]
        };
        let vertex = match record.kind {
            0 => record.feature,
            1 => {
                let (corners, from) = (corners(record.feature / 3), record.feature as usize % 3);
                corners[from].min(corners[(from + 1) % 3])
            }
            _ => corners(record.feature)[0],
        };
        // 8, 2, 32 and 20 bits.
        let named = u64::from(record.body) << 34 | u64::from(record.kind) << 32 | u64::from(vertex);
        named << PLACE_BITS | u64::from(at)
    }

    /// A record in the world.
    pub(super) fn contact(&self, record: &SoftRecord, body: &BodyTurn) -> SoftContact {
        let vector = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
        let BodyTurn { unit, rest, .. } = *body;
        let corners = |triangle: u32| self.mesh.triangles[triangle as usize];
        let of_order = |at: u32| self.mesh.clusters.order[at as usize];
        let [second, third] = record.weights;
        let weights = [1.0 - second - third, second, third];
        let (feature, vertices, weights, triangle) = match record.kind {
            0 => {
                let v = record.feature;
                (ContactFeature::Vertex, [v; 3], [1.0, 0.0, 0.0], u32::MAX)
            }
            1 => {
                let (triangle, from) = (of_order(record.feature / 3), record.feature as usize % 3);
                let to = (from + 1) % 3;
                let ends = [from, to].map(|k| (corners(triangle)[k], weights[k]));
                let [low, high] = match ends[0].0 <= ends[1].0 {
                    true => ends,
                    false => [ends[1], ends[0]],
                };
                let vertices = [low.0, high.0, high.0];
                (
                    ContactFeature::Edge,
                    vertices,
                    [low.1, high.1, 0.0],
                    triangle,
                )
            }
            _ => {
                let triangle = of_order(record.feature);
                (ContactFeature::Face, corners(triangle), weights, triangle)
            }
        };
        SoftContact {
            point: body.position + body.turn * (f64::from(unit) * vector(record.point)),
            normal: body.turn * vector(record.normal),
            separation: unit * record.distance - rest,
            bounds: [
                (unit * record.lower - rest).next_down(),
                (unit * record.upper - rest).next_up(),
            ],
            body: record.body,
            feature,
            vertices,
            weights,
            triangle,
        }
    }
}
