//! A screw motion: a turn about an axis and a slide along it, both at constant speed (Redon et al. 2002 motivate screws).

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A rigid motion between two poses. A motion with hardly any turn has its axis far away, so the axis has no place here: all is said by
/// what happens to points.
#[derive(Clone, Copy, Debug)]
pub struct Screw {
    /// The unit direction of the axis.
    axis: DVec3,
    /// The turn from time 0 to time 1, from 0 to pi.
    angle: f64,
    /// How far the origin goes across the axis from time 0 to time 1.
    across: DVec3,
    /// How far all points slide along the axis.
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
            return Self {
                axis: if slide > 0.0 { shift / slide } else { DVec3::Z },
                angle: 0.0,
                across: DVec3::ZERO,
                slide,
            };
        }
        let axis = turn.xyz() / sine;
        let slide = axis.dot(shift);
        Self {
            axis,
            angle,
            across: shift - axis * slide,
            slide,
        }
    }

    /// The motion from time 0 to `time`.
    pub fn at(&self, time: f64) -> DAffine3 {
        if self.angle == 0.0 {
            return DAffine3::from_translation(self.axis * (self.slide * time));
        }
        let turn = DMat3::from_axis_angle(self.axis, self.angle * time);
        // What the origin does on a circle through its places at time 0 and 1, without the centre, which may be far away.
        let (done, left) = (0.5 * self.angle * time, 0.5 * self.angle * (1.0 - time));
        let part = done.sin() / (0.5 * self.angle).sin();
        let shift = self.across * (part * left.cos())
            - self.axis.cross(self.across) * (part * left.sin())
            + self.axis * (self.slide * time);
        DAffine3::from_mat3_translation(turn, shift)
    }

    /// The velocities of all points. They do not depend on the time.
    pub fn velocities(&self) -> Velocities {
        let half = 0.5 * self.angle;
        let straight = if self.angle == 0.0 {
            DVec3::ZERO
        } else {
            self.across * (half / half.tan()) - self.axis.cross(self.across) * half
        };
        Velocities {
            turn: self.axis * self.angle,
            speed: self.angle,
            across: straight,
            along: self.axis * self.slide,
        }
    }

    /// No point is farther from where it started at any time, if it started at most `radius` from the origin.
    pub fn longest_path(&self, radius: f64) -> f64 {
        // On a half circle the way is longer than the chord by pi / 2.
        2.0 * (self.across.length() + self.slide.abs()) + self.angle * radius
    }
}

/// Where points go: a point at `p` has the velocity `turn x p + across + along`.
#[derive(Clone, Copy, Debug)]
pub struct Velocities {
    /// Of the turn, in radians per unit of time.
    pub turn: DVec3,
    /// Its length.
    pub speed: f64,
    /// Of the origin, across the axis.
    pub across: DVec3,
    /// Of all points, along the axis.
    pub along: DVec3,
}

impl Velocities {
    /// The same motion as the moving body sees it, in its own frame: `from` is where it stands at time 0. Everything else goes the other
    /// way then.
    pub fn seen_from(&self, from: &DAffine3) -> Self {
        let back = from.matrix3.transpose();
        let turn = -(back * self.turn);
        Self {
            turn,
            speed: self.speed,
            across: turn.cross(back * from.translation) - back * self.across,
            along: -(back * self.along),
        }
    }

    /// The velocity at a place, without the slide along the axis.
    #[inline]
    pub fn across_at(&self, p: DVec3) -> DVec3 {
        self.turn.cross(p) + self.across
    }
}

/// For how long a height stays positive that is `gap` now, falls at the rate `closing`, and whose rate changes by at most `bend` per
/// unit of time.
#[inline]
pub fn positive_for(gap: f64, closing: f64, bend: f64) -> f64 {
    let root = (closing * closing + 2.0 * bend * gap).sqrt();
    // Both are the same number; each cancels where the other does not.
    if closing > 0.0 {
        2.0 * gap / (closing + root)
    } else if bend > 0.0 {
        (root - closing) / bend
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    fn poses(random: &mut Random, turn: f64) -> [DAffine3; 2] {
        let from = DAffine3::from_rotation_translation(
            DQuat::from_scaled_axis(random.in_cube() * 3.0),
            random.in_cube() * 5.0,
        );
        let motion = DAffine3::from_rotation_translation(
            DQuat::from_scaled_axis(random.in_cube() * turn),
            random.in_cube() * 5.0,
        );
        [from, motion * from]
    }

    #[test]
    fn a_screw_joins_its_poses_at_constant_distance_from_its_axis() {
        let mut random = Random::new(95);
        for round in 0..300 {
            let [from, to] = poses(&mut random, [3.0, 1e-3][round % 2]);
            let screw = Screw::between(&from, &to);
            let p = random.in_cube();
            let start = from.transform_point3(p);
            assert!(start.distance(screw.at(0.0).transform_point3(start)) < 1e-12);
            let arrived = screw.at(1.0).transform_point3(start);
            assert!(arrived.distance(to.transform_point3(p)) < 1e-12);
            let speed = |q: DVec3| screw.velocities().across_at(q).length();
            for k in 0..=8 {
                let q = screw.at(f64::from(k) / 8.0).transform_point3(start);
                assert!((speed(q) - speed(start)).abs() < 1e-11);
            }
        }
    }

    /// The axis of a turn by a millionth is a million times as far away as bodies go: places lost six digits, and contacts were found a
    /// whole unit away.
    #[test]
    fn a_motion_that_hardly_turns_is_as_exact_as_one_that_does_not() {
        let mut random = Random::new(96);
        for turn in [1e-4, 1e-7, 1e-10, 1e-12, 0.0] {
            let [from, to] = poses(&mut random, turn);
            let screw = Screw::between(&from, &to);
            let start = from.translation;
            for k in 0..=4 {
                let time = f64::from(k) / 4.0;
                let place = screw.at(time).transform_point3(start);
                let straight = start.lerp(to.translation, time);
                assert!(place.distance(straight) < 10.0 * turn + 1e-14, "{turn}");
            }
        }
    }

    #[test]
    fn velocities_are_those_of_the_motion() {
        let mut random = Random::new(97);
        for _ in 0..100 {
            let [from, to] = poses(&mut random, 3.0);
            let screw = Screw::between(&from, &to);
            let start = from.translation;
            let at = |time: f64| screw.at(time).transform_point3(start);
            let time = random.unit();
            let step = 1e-5;
            let measured = (at(time + step) - at(time - step)) / (2.0 * step);
            let all = screw.velocities();
            let known = all.across_at(at(time)) + all.along;
            assert!(measured.distance(known) < 1e-8, "{measured} {known}");
            let there = |time: f64| (screw.at(time) * from).inverse().transform_point3(DVec3::X);
            let measured = (there(time + step) - there(time - step)) / (2.0 * step);
            let seen = all.seen_from(&from);
            let known = seen.across_at(there(time)) + seen.along;
            assert!(measured.distance(known) < 1e-8, "{measured} {known}");
            let farthest = (0..=32)
                .map(|k| at(f64::from(k) / 32.0).distance(start))
                .fold(0.0, f64::max);
            assert!(farthest <= screw.longest_path(start.length()));
        }
    }

    #[test]
    fn a_gap_is_positive_until_it_is_used_up() {
        for (gap, closing, bend) in [
            (1.0, 2.0, 0.0),
            (1.0, 2.0, 3.0),
            (1.0, -2.0, 3.0),
            (1e-9, 1.0, 1e6),
            (1.0, 0.0, 2.0),
        ] {
            let until = positive_for(gap, closing, bend);
            let left = gap - closing * until - 0.5 * bend * until * until;
            assert!(left.abs() < 1e-12 * (gap + closing.abs() * until), "{left}");
        }
        assert_eq!(positive_for(1.0, -1.0, 0.0), f64::INFINITY);
        assert_eq!(positive_for(1.0, 0.0, 0.0), f64::INFINITY);
    }
}
