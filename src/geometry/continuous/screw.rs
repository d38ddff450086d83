//! The first contact of two rigid bodies, the second on a screw motion between two poses.
//!
//! A screw turns about an axis and slides along it at constant speed. Over a short time a vertex stays within the
//! sagitta of its chord, so a linear sweep whose tolerance is larger by that much is a proof. Intervals without a hit
//! are done; the others are halved until the sagitta is below the tolerance (Redon et al. 2002 motivate screws).

use super::impacts::{Impact, MeetingRule, first_impact};
use super::moving::Moving;
use crate::geometry::rounding::magnitude;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// A turn about an axis through a point, with a slide along it.
#[derive(Clone, Copy, Debug)]
pub struct Screw {
    axis: DVec3,
    angle: f64,
    point: DVec3,
    slide: f64,
}

impl Screw {
    /// The screw that carries pose `from` to pose `to`, by the shorter turn. Poses are rotations and translations.
    pub fn between(from: &DAffine3, to: &DAffine3) -> Self {
        let motion = *to * from.inverse();
        let turn = DQuat::from_mat3(&motion.matrix3).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let (sine, shift) = (turn.xyz().length(), motion.translation);
        let angle = 2.0 * sine.atan2(turn.w);
        if angle < 1e-12 {
            let slide = shift.length();
            let axis = if slide > 0.0 { shift / slide } else { DVec3::Z };
            return Self {
                axis,
                angle: 0.0,
                point: DVec3::ZERO,
                slide,
            };
        }
        let axis = turn.xyz() / sine;
        let slide = axis.dot(shift);
        let across = shift - axis * slide;
        // The fixed point of the motion across the axis.
        let point = 0.5 * (across + axis.cross(across) / (0.5 * angle).tan());
        Self {
            axis,
            angle,
            point,
            slide,
        }
    }

    /// The motion from time 0 to `time`.
    pub fn at(&self, time: f64) -> DAffine3 {
        let turn = DMat3::from_axis_angle(self.axis, self.angle * time);
        let shift = self.point - turn * self.point + self.axis * (self.slide * time);
        DAffine3::from_mat3_translation(turn, shift)
    }

    /// How far a point leaves its chord while `duration` passes, if it is `radius` from the axis.
    fn sagitta(&self, radius: f64, duration: f64) -> f64 {
        radius
            * (1.0
                - (0.5 * self.angle * duration)
                    .min(std::f64::consts::PI)
                    .cos())
    }
}

/// FirstImpact impact while the second body moves from pose `from` to pose `to` in the frame of the first; None is a proof.
///
/// `a.to` and `b.to` are not looked at: both bodies are rigid. A hit is not late; the features are then within twice the
/// tolerance on the true path.
pub fn sweep_screw(
    a: Moving,
    b: Moving,
    from: &DAffine3,
    to: &DAffine3,
    tolerance: f64,
) -> Option<Impact> {
    let screw = Screw::between(from, to);
    let start: Vec<DVec3> = b
        .from
        .positions
        .iter()
        .map(|p| from.transform_point3(p.as_dvec3()))
        .collect();
    let radius = start.iter().fold(0.0, |r: f64, p| {
        r.max(
            (*p - screw.point)
                .reject_from_normalized(screw.axis)
                .length(),
        )
    });
    let farthest = magnitude(start.iter().copied()) + screw.slide.abs() + 2.0 * radius;
    let still = Moving {
        to: a.from.positions,
        ..a
    };
    // Positions between the poses are rounded to f32.
    let rounding = 2.0 * f64::from(f32::EPSILON) * farthest;
    let tolerance = tolerance.max(4.0 * rounding);
    // Earliest interval last, so that it is taken first.
    let mut intervals = vec![(0.0, 1.0)];
    while let Some((t0, t1)) = intervals.pop() {
        let place = |t: f64| -> Vec<Vec3> {
            let motion = screw.at(t);
            start
                .iter()
                .map(|&p| motion.transform_point3(p).as_vec3())
                .collect()
        };
        let (begin, end) = (place(t0), place(t1));
        let moving = Moving {
            from: crate::geometry::surface::Surface {
                positions: &begin,
                ..b.from
            },
            to: &end,
            ..b
        };
        let sagitta = screw.sagitta(radius, t1 - t0);
        let rule = MeetingRule {
            separation: tolerance + sagitta + rounding,
            start: true,
        };
        let Some(impact) = first_impact(still, moving, rule) else {
            continue;
        };
        if sagitta <= 0.5 * tolerance || t1 - t0 < 1e-6 {
            return Some(Impact {
                time: t0 + impact.time * (t1 - t0),
                ..impact
            });
        }
        let middle = 0.5 * (t0 + t1);
        intervals.extend([(middle, t1), (t0, middle)]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hierarchy::bvh::Bvh;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use crate::geometry::topology::representatives::Representatives;
    use fixtures::shapes::{self, Shape};

    #[test]
    fn a_screw_joins_its_poses_at_constant_distance_from_its_axis() {
        let mut random = Random::new(95);
        for _ in 0..300 {
            let mut pose = || {
                let turn = DQuat::from_scaled_axis(random.in_cube() * 3.0);
                DAffine3::from_rotation_translation(turn, random.in_cube() * 5.0)
            };
            let (from, to) = (pose(), pose());
            let screw = Screw::between(&from, &to);
            let p = random.in_cube();
            let arrived = screw.at(1.0).transform_point3(from.transform_point3(p));
            assert!(arrived.distance(to.transform_point3(p)) < 1e-9);
            let radius = |q: DVec3| {
                (q - screw.point)
                    .reject_from_normalized(screw.axis)
                    .length()
            };
            let start = from.transform_point3(p);
            for k in 0..=8 {
                let q = screw.at(f64::from(k) / 8.0).transform_point3(start);
                assert!((radius(q) - radius(start)).abs() < 1e-9);
            }
        }
    }

    fn ask(a: &Shape, b: &Shape, from: &DAffine3, to: &DAffine3) -> Option<Impact> {
        let trees = [a, b].map(|s| Bvh::build(&s.surface().triangle_boxes()));
        let of = [a, b].map(|s| Representatives::new(&s.triangles, s.positions.len()));
        let ma = Moving {
            from: a.surface(),
            to: &a.positions,
            bvh: &trees[0],
            representatives: &of[0],
        };
        let mb = Moving {
            from: b.surface(),
            to: &b.positions,
            bvh: &trees[1],
            representatives: &of[1],
        };
        sweep_screw(ma, mb, from, to, 1e-5)
    }

    #[test]
    fn a_swinging_bar_hits_a_ball_at_the_right_angle() {
        // A thin bar along x from the origin turns about z by 90 degrees; a ball of radius 0.5 waits at (0, 2, 0) or beside it.
        let bar = shapes::cuboid(Vec3::new(2.0, 1e-3, 0.1), 1).map(|p| p + Vec3::X * 2.0);
        let ball = shapes::sphere(0.5, 48, 24).map(|p| p + Vec3::Y * 3.0);
        let turned = DAffine3::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let impact = ask(&ball, &bar, &DAffine3::IDENTITY, &turned).unwrap();
        // The bar's face touches the ball when it is asin(0.5 / 3) short of the y axis; the facets are inside the ball.
        let expected = 1.0 - (0.5f64 / 3.0).asin() / std::f64::consts::FRAC_PI_2;
        assert!(
            (impact.time - expected).abs() < 2e-3,
            "{impact:?} {expected}"
        );
        // Chords cut corners, the screw does not: the tip passes a ball just beyond it.
        let beyond =
            shapes::sphere(0.5, 48, 24).map(|p| p + Vec3::new(1.0, 1.0, 0.0).normalize() * 4.6);
        assert_eq!(ask(&beyond, &bar, &DAffine3::IDENTITY, &turned), None);
        let within =
            shapes::sphere(0.5, 48, 24).map(|p| p + Vec3::new(1.0, 1.0, 0.0).normalize() * 4.4);
        assert!(ask(&within, &bar, &DAffine3::IDENTITY, &turned).is_some());
    }
}
