//! The end of every path of proximity: a short descent from the best sample within its triangle, and the answer. Partners:
//! `shaders/include/proximity_answer.glsl` and `descend_alone.glsl`.

use crate::gpu::native::Array;
use crate::gpu::shader::blocks::{Meeting, ProximityAnswer};
use crate::host::field::Field;
use crate::host::meeting::{Corners, MeetingMesh, placed, placing_error};
use glam::Vec3;

/// Halvings of the step.
const STEPS: u32 = 12;

/// Where the descent starts: a triangle, the weights of its corners, and the first step.
pub(super) struct Sample {
    pub triangle: u32,
    pub weights: Vec3,
    pub step: f32,
}

/// A triangle in the field's frame, as points are found on it.
struct Placed<'a> {
    field: &'a Field<'a>,
    meeting: &'a Meeting,
    corners: Corners,
}

impl Placed<'_> {
    fn point_at(&self, weights: Vec3) -> Vec3 {
        let t = &self.corners;
        placed(
            self.meeting,
            weights.x * t.a + weights.y * t.b + weights.z * t.c,
        )
    }

    fn upper_at(&self, weights: Vec3) -> f32 {
        let p = self.point_at(weights);
        self.field.upper(&self.field.bounds(p), p)
    }

    /// From the best corner or `weights`, downhill by ever smaller steps along the edges.
    fn descend(&self, mut weights: Vec3, mut step: f32) -> Vec3 {
        let mut best = self.upper_at(weights);
        let mut take = |tried: Vec3, weights: &mut Vec3| {
            let upper = self.upper_at(tried);
            if upper < best {
                best = upper;
                *weights = tried;
            }
        };
        for corner in Vec3::AXES {
            take(corner, &mut weights);
        }
        for _ in 0..STEPS {
            for way in 0..6 {
                let from = way / 2;
                let to = (from + 1 + way % 2) % 3;
                let mut moved = weights;
                let by = step.min(moved[from]);
                moved[from] -= by;
                moved[to] += by;
                take(moved, &mut weights);
            }
            step *= 0.5;
        }
        weights
    }
}

/// Writes the answer: no point has a smaller distance than `lower`, and one has no larger one than `upper`.
pub(super) fn answer(
    (field, mesh, meeting): (&Field, &MeetingMesh, &Meeting),
    start: Sample,
    lower: f32,
    upper: f32,
    answers: Array<ProximityAnswer>,
) {
    let t = Placed {
        field,
        meeting,
        corners: mesh.load_triangle(start.triangle),
    };
    let weights = t.descend(start.weights, start.step);
    let p = t.point_at(weights);
    let s = field.sample(p);
    let corners = &t.corners;
    let slack = placing_error(meeting, corners.middle().extend(corners.radius()));
    let upper = upper.min(field.upper(&s, p) + slack);
    // From outside the domain, the surface as seen from the nearest point of the domain.
    let g = field.clamp(p);
    let seen_from = if s.in_domain {
        p
    } else {
        field.origin() + g * field.params.cell
    };
    let q = seen_from + s.direction * field.value(g).abs();
    let direction = if s.in_domain {
        s.direction
    } else {
        (q - p).normalize_or_zero()
    };
    answers.set(
        0,
        ProximityAnswer {
            distance: s.distance,
            lower: lower.min(upper),
            upper,
            triangle: start.triangle,
            barycentric: weights.to_array(),
            in_domain: s.in_domain.into(),
            point: p.to_array(),
            closest: q.to_array(),
            direction: direction.to_array(),
        },
    );
}
