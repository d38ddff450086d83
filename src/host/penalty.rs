//! Penalty by kernels. Partners: `shaders/penalty`, `shaders/include/penalty.glsl` and `penalty_force.glsl`.

pub mod penalty_clusters;
pub mod penalty_sum;
pub mod penalty_triangles;

use crate::gpu::shader::blocks::{self, PenaltyQuery};
use glam::{Vec3, Vec4, Vec4Swizzles};

/// Sums over samples, and the deepest of them: few enough that floats add them up well.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sum {
    pub(crate) force_area: Vec4,
    pub(crate) torque_pressure: Vec4,
    /// Of the points on the field's surface, weighted by area; then the bound on the pressure's error.
    pub(crate) centroid_error: Vec4,
    /// The deepest sample and the field's value there.
    pub(crate) deepest: Vec4,
    /// Areas: surely and possibly inside.
    pub(crate) inner_area: f32,
    pub(crate) outer_area: f32,
    /// No point is deeper than this, and one is at least that deep.
    pub(crate) depth_upper: f32,
    pub(crate) depth_lower: f32,
    pub(crate) samples: u32,
    /// Whether a triangle was sampled farther apart than the spacing.
    pub(crate) coarsened: bool,
}

/// Sums of many sums, in doubles.
#[derive(Debug, Clone, Copy, Default)]
pub struct Total {
    sums: [f64; 14],
    greatest: Sum,
}

impl Total {
    /// Adds a sum.
    pub fn add(&mut self, sum: &Sum) {
        let greatest = &mut self.greatest;
        if sum.deepest.w > greatest.deepest.w {
            greatest.deepest = sum.deepest;
        }
        greatest.depth_upper = greatest.depth_upper.max(sum.depth_upper);
        greatest.depth_lower = greatest.depth_lower.max(sum.depth_lower);
        greatest.samples = greatest.samples.saturating_add(sum.samples);
        greatest.coarsened |= sum.coarsened;
        let (f, t, c) = (sum.force_area, sum.torque_pressure, sum.centroid_error);
        let terms = [
            f.x,
            f.y,
            f.z,
            f.w,
            t.x,
            t.y,
            t.z,
            t.w,
            c.x,
            c.y,
            c.z,
            c.w,
            sum.inner_area,
            sum.outer_area,
        ];
        for (total, term) in self.sums.iter_mut().zip(terms) {
            *total += f64::from(term);
        }
    }

    /// The sum of all, rounded once.
    pub fn sum(&self) -> Sum {
        let s = self.sums.map(|sum| sum as f32);
        Sum {
            force_area: Vec4::from_slice(&s[0..]),
            torque_pressure: Vec4::from_slice(&s[4..]),
            centroid_error: Vec4::from_slice(&s[8..]),
            inner_area: s[12],
            outer_area: s[13],
            ..self.greatest
        }
    }
}

impl From<Sum> for blocks::PenaltySum {
    fn from(sum: Sum) -> Self {
        Self {
            force_area: sum.force_area.into(),
            torque_pressure: sum.torque_pressure.into(),
            centroid_error: sum.centroid_error.into(),
            deepest: sum.deepest.into(),
            inner_area: sum.inner_area,
            outer_area: sum.outer_area,
            depth_upper: sum.depth_upper,
            depth_lower: sum.depth_lower,
            samples: sum.samples,
            coarsened: sum.coarsened.into(),
            pad1: 0,
            pad2: 0,
        }
    }
}

impl From<&blocks::PenaltySum> for Sum {
    fn from(sum: &blocks::PenaltySum) -> Self {
        Self {
            force_area: sum.force_area.into(),
            torque_pressure: sum.torque_pressure.into(),
            centroid_error: sum.centroid_error.into(),
            deepest: sum.deepest.into(),
            inner_area: sum.inner_area,
            outer_area: sum.outer_area,
            depth_upper: sum.depth_upper,
            depth_lower: sum.depth_lower,
            samples: sum.samples,
            coarsened: sum.coarsened != 0,
        }
    }
}

/// How the bodies move and what that costs them.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    field: [Vec3; 2],
    mesh: [Vec3; 2],
    stiffness: f32,
    damping: f32,
    friction: f32,
    /// Whether the velocities matter at all.
    moves: bool,
}

impl Motion {
    /// That of a query.
    pub fn of(query: &PenaltyQuery) -> Self {
        let vector = |v: [f32; 4]| Vec4::from(v).xyz();
        Self {
            field: [vector(query.field_linear), vector(query.field_angular)],
            mesh: [vector(query.mesh_linear), vector(query.mesh_angular)],
            stiffness: query.stiffness,
            damping: query.damping,
            friction: query.friction,
            moves: query.damping != 0.0 || query.friction != 0.0,
        }
    }

    /// The force on the field's body at q, for a sample at p with its own velocity (Morvan et al. 2008, equations 4 to 6).
    #[inline(always)]
    pub fn force_at(&self, p: Vec3, q: Vec3, towards: Vec3, depth: f32, own: Vec3) -> Vec3 {
        let spring = -self.stiffness * depth * towards;
        if !self.moves {
            return spring;
        }
        let vp = self.mesh[0] + self.mesh[1].cross(p) + own;
        let vq = self.field[0] + self.field[1].cross(q);
        let relative = vp - vq;
        let normal = relative.dot(towards) * towards;
        let tangential = relative - normal;
        let penalty = spring + self.damping * normal;
        let speed = tangential.length();
        if speed > 0.0 {
            penalty + self.friction * penalty.length() / speed * tangential
        } else {
            penalty
        }
    }
}
