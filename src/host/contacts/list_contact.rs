//! How a contact is listed. Partner: `shaders/include/list_contact.glsl`, whose names these are.

use super::contact_work::Work;
use super::edge_lines::{Crossing, FLAT_COSINE, axis, face_normal};
use super::{LEVEL_SLOPE, NONE, Side, point_of};
use crate::gpu::native::Array;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::RawContact;
use crate::host::field::FieldSample;
use crate::host::meeting::Corners;
use glam::{Vec2, Vec3};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Kinds of features, in the order in which contacts are preferred.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Vertex = 0,
    Edge = 1,
    Face = 2,
}

/// What is to be listed. `feature` and `place` name it for the key; it is at the point of a triangle with these weights.
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) feature: u32,
    pub(super) place: u32,
    pub(super) triangle: u32,
    pub(super) weights: Vec3,
    /// The weights of a point on the same level, whose normal and separation it has; its own where there is none.
    pub(super) level: Vec3,
    pub(super) area: f32,
    pub(super) node: u32,
    /// The other body's edge that crosses it there.
    pub(super) crossing: Option<Crossing>,
}

/// What is square to two edges that cross is what the field says roughly, or they are not what meets.
const LIKELY_COSINE: f32 = 0.7;

/// Between its nodes a field is lowest up to a cell beside where it should be, because a round bottom rises by less than interpolation errs. A
/// parabola through points this many cells to both sides tells better.
const BOWL_CELLS: f32 = 4.0;

/// Faces are in one plane with a vertex where what rises between them counts as level.
const LEVEL_COSINE: f32 = 1.0 - 0.5 * LEVEL_SLOPE * LEVEL_SLOPE;
/// The most triangles around a vertex that are looked at.
const MOST_AROUND: u32 = 32;

/// Weights after a step in the plane of a triangle: by x along its first edge and y towards its third corner, square to that.
fn moved_in_plane(weights: Vec3, t: &Corners, step: Vec2) -> Vec3 {
    let (ab, ac) = (t.b - t.a, t.c - t.a);
    let (along, height) = (
        ac.dot(ab) / ab.length(),
        ab.cross(ac).length() / ab.length(),
    );
    let third = step.y / height;
    let second = (step.x - third * along) / ab.length();
    weights + Vec3::new(-second - third, second, third)
}

/// Lists the contacts of a side.
pub(super) struct Lister<'a> {
    side: &'a Side<'a>,
    work: &'a Work<'a>,
    count: &'a AtomicU32,
    raw: Array<'a, RawContact>,
}

impl<'a> Lister<'a> {
    pub(super) fn new(side: &'a Side<'a>, work: &'a Work<'a>, raw: &Bound<'a>) -> Self {
        let head = size_of::<RawContact>() * side.query.raw_at as usize;
        Self {
            side,
            work,
            count: &raw.words()[(head + offset_of!(RawContact, region)) / 4],
            raw: raw.array(),
        }
    }

    pub(super) fn list(&self, found: &Found) {
        let query = self.side.query;
        let slot = self.count.fetch_add(1, Relaxed);
        if slot < query.capacity {
            let at = query.raw_at as usize + 1 + slot as usize;
            self.raw.set(at, self.contact(found));
        }
    }

    fn contact(&self, found: &Found) -> RawContact {
        let (side, query) = (self.side, self.side.query);
        let triangle = found.triangle;
        let t = side.placed_triangle(triangle);
        let mut weights = found.weights;
        let mut p = point_of(&t, weights);
        let mut s = side.field.sample(p);
        // Where what is level ends, the other body does, and the direction of its field leans.
        let (out_of_body, mut separation) = match found.level == weights {
            true => (self.outwards(&s, p, &t), side.field.estimate(&s, p)),
            false => {
                let place = point_of(&t, found.level);
                let level = side.field.sample(place);
                let separation = side.field.estimate(&level, place);
                (self.outwards(&level, place, &t), separation)
            }
        };
        if found.kind == Kind::Face
            && let Some((moved, lowest)) = self.bottom_near(weights, s.distance, &t)
        {
            (weights, p, s) = (moved, point_of(&t, moved), lowest);
            separation = side.field.estimate(&s, p);
        }
        let normal = self.squared_to_feature(out_of_body, found, &t);
        let mut turned = Vec3::from(query.to_pair.map(|row| axis(row).dot(normal)));
        if let Some(Crossing { apart, across, .. }) = found.crossing
            && turned.dot(across).abs() > LIKELY_COSINE * query.unit
        {
            // Samples near an edge of the other body tell neither which side they are on nor how far it is; the edges do.
            let out_of_edge = face_normal(&t) + side.normal_beyond(found.feature);
            let out_of_edge = Vec3::from(query.to_pair.map(|row| axis(row).dot(out_of_edge)));
            let is_out = out_of_edge.dot(across) > 0.0;
            turned = if is_out { -across } else { across };
            separation = if is_out { apart } else { -apart } / query.unit;
        }
        let own_size = side.mesh.load_triangle(triangle).a.length();
        let slack = 1.2e-6 * (p.length() + 2.0 * query.meeting.shift + query.ratio * own_size);
        let (lower, upper) = (s.lower - slack, side.field.upper(&s, p) + slack);
        RawContact {
            point: side.to_pair(p).into(),
            separation: query.unit * separation.max(lower).min(upper),
            normal: if query.side == 0 { turned } else { -turned }
                .normalize()
                .into(),
            area: found.area * query.unit * query.unit,
            lower: query.unit * lower,
            upper: query.unit * upper,
            key_high: query.side << 31 | (found.kind as u32) << 29 | found.place,
            key_low: found.feature,
            weights: [weights.y, weights.z],
            triangle,
            region: self.work.region_of(found.node),
        }
    }

    /// The weights of the bottom of a bowl around a point of a face that has this value, and what is sampled there.
    fn bottom_near(&self, weights: Vec3, value: f32, t: &Corners) -> Option<(Vec3, FieldSample)> {
        let (field, query) = (&self.side.field, self.side.query);
        let reach = BOWL_CELLS * field.params.cell;
        let sampled = |weights: Vec3| field.sample(point_of(t, weights));
        // Where a parabola is lowest that rises by so much to both sides. What rises very differently is no bowl.
        let rises = |axis: Vec2| {
            [axis, -axis]
                .map(|way| sampled(moved_in_plane(weights, t, reach * way)).distance - value)
        };
        let bottom = |[up, down]: [f32; 2]| {
            let is_bowl = up.min(down) > query.noise && up.max(down) < 4.0 * up.min(down);
            match is_bowl {
                true => 0.5 * reach * (down - up) / (up + down),
                false => 0.0,
            }
        };
        let rises = [rises(Vec2::X), rises(Vec2::Y)];
        let step = Vec2::from(rises.map(bottom));
        let moved = moved_in_plane(weights, t, step);
        if step == Vec2::ZERO || !moved.cmpge(Vec3::ZERO).all() {
            return None;
        }
        // What rises by more than interpolation errs, an eighth of a cell's square times the bends, is no bottom.
        let lowest = sampled(moved);
        let rises: f32 = rises.as_flattened().iter().sum();
        let most = rises / (8.0 * BOWL_CELLS * BOWL_CELLS) + query.noise;
        (lowest.distance <= value + most).then_some((moved, lowest))
    }

    /// The unit vector out of the field's body at a sample; the mesh's own normal where the field does not tell.
    fn outwards(&self, s: &FieldSample, p: Vec3, t: &Corners) -> Vec3 {
        let towards = self.side.field.towards_surface(s, p);
        let out_of_body = if s.interior { towards } else { -towards };
        if out_of_body.length_squared() > 0.0 {
            return out_of_body;
        }
        let face = face_normal(t);
        match face.length_squared() > 0.0 {
            true => -face,
            false => Vec3::Z,
        }
    }

    /// The normal of the plane that all triangles around the vertex of a contact lie in.
    fn plane_around(&self, found: &Found, plane: Vec3) -> Option<Vec3> {
        let side = self.side;
        let corner = found.weights.max_position() as u32;
        let start = 3 * found.triangle + corner;
        let mut half_edge = start;
        for _ in 0..MOST_AROUND {
            half_edge = side.edge_twin(3 * (half_edge / 3) + (half_edge + 2) % 3);
            if half_edge == start {
                return Some(plane);
            }
            // At a border, or where neighbours do not run in opposite directions, nobody knows.
            let triangle = half_edge / 3;
            if half_edge == NONE
                || side.mesh.indices[triangle as usize][half_edge as usize % 3] != found.feature
                || plane.dot(face_normal(&side.placed_triangle(triangle))) < LEVEL_COSINE
            {
                break;
            }
        }
        None
    }

    /// At a minimum inside a face the field changes square to the face, on an edge square to the edge, and where all faces are in one plane
    /// square to them: what else the field's direction has is interpolation between nodes, and taken out. On an edge where that would be
    /// most of it, the minimum is at a crease of the field, and nothing is taken out.
    fn squared_to_feature(&self, normal: Vec3, found: &Found, t: &Corners) -> Vec3 {
        let mut plane = face_normal(t);
        if found.kind == Kind::Vertex {
            let plane = self.plane_around(found, plane).unwrap_or(Vec3::ZERO);
            let across = normal.dot(plane);
            return match across == 0.0 {
                true => normal,
                false => plane * across.signum(),
            };
        }
        let mut is_flat = found.kind == Kind::Face;
        if found.kind == Kind::Edge {
            let other = self.side.normal_beyond(found.feature);
            is_flat = plane.dot(other) > FLAT_COSINE;
            if is_flat {
                plane = (plane + other).normalize();
            }
        }
        let across = normal.dot(plane);
        if is_flat && across != 0.0 {
            return if across < 0.0 { -plane } else { plane };
        }
        let along = match (found.weights.x == 0.0, found.weights.y == 0.0) {
            (true, _) => t.c - t.b,
            (false, true) => t.a - t.c,
            (false, false) => t.b - t.a,
        };
        let squared = match along.length_squared() > 0.0 && !is_flat {
            true => normal - along * (normal.dot(along) / along.length_squared()),
            false => normal,
        };
        let size = squared.length();
        if size > 0.5 { squared / size } else { normal }
    }
}
