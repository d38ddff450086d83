//! Penalty by kernels. Partners: `shaders/penalty`, `shaders/include/penalty.glsl` and `penalty_force.glsl`.

pub mod penalty_clusters;
pub mod penalty_sum;
pub mod penalty_triangles;
mod vectors;

use crate::geometry::simd::{Lanes, WIDTH, load_rows};
use crate::gpu::shader::blocks::{self, PenaltyQuery};
use glam::{Vec3, Vec4, Vec4Swizzles};
use vectors::{cross, dot};

/// Sums over samples, and the deepest of them: few enough that floats add them up well.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sum {
    pub(crate) force_area: Vec4,
    pub(crate) torque_pressure: Vec4,
    /// Of the points on the field's surface, weighted by area; then the bound on the pressure's error.
    pub(crate) centroid_error: Vec4,
    /// What force, torque and the torque on the mesh can be off by, at a stiffness of 1.
    pub(crate) errors: Vec3,
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
    sums: [f64; 17],
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
            sum.errors.x,
            sum.errors.y,
            sum.errors.z,
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
            errors: Vec3::from_slice(&s[14..]),
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
            errors: sum.errors.extend(0.0).into(),
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
            errors: Vec4::from(sum.errors).xyz(),
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

    /// The forces on the field's body at q, for samples at p with their own velocities (Morvan et al. 2008, equations 4 to 6).
    #[inline(always)]
    pub fn lane_force_at<V: Lanes>(
        &self,
        p: [V; 3],
        q: [V; 3],
        towards: [V; 3],
        depth: V,
        own: &[[f32; WIDTH]; 3],
    ) -> [V; 3] {
        let mut force = towards;
        let spring = V::splat(-self.stiffness) * depth;
        for axis in &mut force {
            *axis = *axis * spring;
        }
        if !self.moves {
            return force;
        }
        let own = load_rows::<V>(own);
        let (vp, vq) = (velocity(self.mesh, p), velocity(self.field, q));
        let (mut relative, mut tangential) = (vp, vp);
        for i in 0..3 {
            relative[i] = vp[i] + own[i] - vq[i];
        }
        let along = dot(relative, towards);
        let damping = V::splat(self.damping) * along;
        for i in 0..3 {
            tangential[i] = relative[i] - along * towards[i];
            force[i] = force[i] + damping * towards[i];
        }
        let speed = dot(tangential, tangential).sqrt();
        let friction = V::splat(self.friction) * dot(force, force).sqrt() / speed;
        let friction = V::splat(0.0).lt(speed) & friction;
        for i in 0..3 {
            force[i] = force[i] + friction * tangential[i];
        }
        force
    }
}

/// The velocities of points of a body.
#[inline(always)]
fn velocity<V: Lanes>([linear, angular]: [Vec3; 2], p: [V; 3]) -> [V; 3] {
    let turn = [
        V::splat(angular.x),
        V::splat(angular.y),
        V::splat(angular.z),
    ];
    let mut velocity = cross(turn, p);
    for (axis, linear) in velocity.iter_mut().zip(linear.to_array()) {
        *axis = *axis + V::splat(linear);
    }
    velocity
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::simd::{LaneKernel, dispatch};

    /// The force on a sample at the origin, a depth of 2 below a surface whose way out is along z.
    struct Force(Motion, [f32; 3]);

    impl LaneKernel for Force {
        type Output = [f32; 3];

        #[inline(always)]
        fn run<V: Lanes>(self) -> [f32; 3] {
            let (zero, one) = (V::splat(0.0), V::splat(1.0));
            let depth = V::splat(2.0);
            let own = self.1.map(|axis| [axis; WIDTH]);
            let (p, q, towards) = ([zero; 3], [zero, zero, depth], [zero, zero, one]);
            let force = self.0.lane_force_at(p, q, towards, depth, &own);
            [
                force[0].store()[0],
                force[1].store()[0],
                force[2].store()[0],
            ]
        }
    }

    fn motion(stiffness: f32, damping: f32, friction: f32) -> Motion {
        Motion {
            field: [Vec3::new(0.0, 0.0, 0.5), Vec3::ZERO],
            mesh: [Vec3::ZERO; 2],
            stiffness,
            damping,
            friction,
            moves: true,
        }
    }

    #[test]
    fn springs_dampers_and_friction_are_those_of_the_equations() {
        // Equation 4: the field's body is pressed with k d against the way out, here while the sample slides at 3, 4 and comes out at 1.
        let own = [3.0, 4.0, 1.5];
        assert_eq!(
            dispatch(Force(motion(10.0, 0.0, 0.0), own)),
            [0.0, 0.0, -20.0]
        );
        // b v: the sample leaves at 1.5 - 0.5.
        assert_eq!(
            dispatch(Force(motion(10.0, 6.0, 0.0), own)),
            [0.0, 0.0, -14.0]
        );
        // Equation 5: friction of mu |F| drags the field's body along with the sample.
        let [x, y, z] = dispatch(Force(motion(10.0, 0.0, 0.5), own));
        assert!((x - 6.0).abs() < 1e-5 && (y - 8.0).abs() < 1e-5 && z == -20.0);
        // Without sliding there is none.
        let still = [0.0, 0.0, 1.5];
        assert_eq!(
            dispatch(Force(motion(10.0, 0.0, 0.5), still)),
            [0.0, 0.0, -20.0]
        );
    }

    #[test]
    fn many_small_terms_are_not_lost_beside_a_large_one() {
        let sum = |area: f32| Sum {
            outer_area: area,
            samples: 1,
            ..Sum::default()
        };
        let mut total = Total::default();
        total.add(&sum(16_777_216.0));
        (0..1000).for_each(|_| total.add(&sum(1.0)));
        assert_eq!(total.sum().outer_area, 16_778_216.0);
        assert_eq!(total.sum().samples, 1001);
    }
}
