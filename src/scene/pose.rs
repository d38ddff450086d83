//! Rigid poses.

use crate::error::{Error, Result, invalid};
use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};

/// Where a body is and how it moves. World = rotation * local + position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The local origin in the world.
    pub position: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Velocity of the local origin, world axes, per second.
    pub linear_velocity: Vec3,
    /// Angular velocity, world axes, radians per second.
    pub angular_velocity: Vec3,
}

impl Default for Pose {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
        }
    }
}

/// How far from one a quaternion's length may be; what is left is normalised away.
const UNIT_TOLERANCE: f64 = 1e-3;
const LEAST_SQUARE: f64 = (1.0 - UNIT_TOLERANCE) * (1.0 - UNIT_TOLERANCE);
const MOST_SQUARE: f64 = (1.0 + UNIT_TOLERANCE) * (1.0 + UNIT_TOLERANCE);

/// The largest coordinate of a position: squares and their sums stay finite in f32.
pub const MAX_COORDINATE: f32 = 1e15;

/// The largest distance that a query takes: no two points of posed meshes are farther apart, and its square is finite in f32.
pub const MAX_DISTANCE: f64 = 1e16;

/// Whether a vector can be squared; false for what is not a number, too.
#[inline]
fn moderate(v: Vec3) -> bool {
    v.abs().cmple(Vec3::splat(MAX_COORDINATE)).all()
}

/// Refuses a vector that is not finite or too large to square.
pub fn check_vector(name: &str, v: Vec3) -> Result<()> {
    check_vectors(&[v], |_| name.into())
}

/// [`check_vector`] for many; `name` is asked for the first that is refused.
pub fn check_vectors(vectors: &[Vec3], name: impl Fn(usize) -> String) -> Result<()> {
    match vectors.iter().position(|&v| !moderate(v)) {
        None => Ok(()),
        Some(at) => Err(invalid(format!(
            "{} is {}; it must be finite and at most {MAX_COORDINATE:e}",
            name(at),
            vectors[at]
        ))),
    }
}

/// Refuses a distance by which boxes cannot be grown.
pub fn check_distance(name: &str, distance: f64) -> Result<()> {
    if (0.0..=MAX_DISTANCE).contains(&distance) {
        return Ok(());
    }
    Err(invalid(format!(
        "{name} is {distance}; it must be from 0 to {MAX_DISTANCE:e}, which no two meshes are apart"
    )))
}

impl Pose {
    /// Refuses what is not a rigid pose.
    #[inline]
    pub fn validate(&self) -> Result<()> {
        let square = self.rotation.as_dquat().length_squared();
        if moderate(self.position)
            && moderate(self.linear_velocity)
            && moderate(self.angular_velocity)
            && (LEAST_SQUARE..=MOST_SQUARE).contains(&square)
        {
            return Ok(());
        }
        Err(self.refusal())
    }

    /// What is wrong with a pose that is not rigid.
    #[cold]
    fn refusal(&self) -> Error {
        let vectors = [
            ("position", self.position),
            ("linear_velocity", self.linear_velocity),
            ("angular_velocity", self.angular_velocity),
        ];
        for (name, v) in vectors {
            if let Err(refusal) = check_vector(&format!("pose.{name}"), v) {
                return refusal;
            }
        }
        let length = self.rotation.as_dquat().length();
        invalid(format!(
            "pose.rotation {} has length {length}; it must be a unit quaternion (x, y, z, w): normalise it",
            self.rotation
        ))
    }

    /// The rotation as a matrix, from the quaternion normalised in double precision.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation.as_dquat().normalize())
    }

    /// The pose as kernels take it: a row of the matrix and the position, for each axis of the world.
    pub(crate) fn rows(&self) -> [[f32; 4]; 3] {
        let matrix = self.matrix().transpose();
        // Adding zero leaves one kind of zero, so that no kernel can find the other.
        let position = self.position + Vec3::ZERO;
        [
            matrix.x_axis.as_vec3().extend(position.x).to_array(),
            matrix.y_axis.as_vec3().extend(position.y).to_array(),
            matrix.z_axis.as_vec3().extend(position.z).to_array(),
        ]
    }

    /// The world position of a local point, in double precision.
    pub fn apply(&self, local: DVec3) -> DVec3 {
        let rotation: DQuat = self.rotation.as_dquat().normalize();
        rotation * local + self.position.as_dvec3()
    }

    /// The local point of a world position, in double precision.
    pub fn unapply(&self, world: DVec3) -> DVec3 {
        let rotation: DQuat = self.rotation.as_dquat().normalize();
        rotation.conjugate() * (world - self.position.as_dvec3())
    }

    /// Takes the frame of this pose to that of another, in double precision. Nothing moves between equal poses.
    pub fn relative_to(&self, other: &Self) -> DAffine3 {
        if (self.position, self.rotation) == (other.position, other.rotation) {
            return DAffine3::IDENTITY;
        }
        let back = other.matrix().transpose();
        let turn = if self.rotation == other.rotation {
            DMat3::IDENTITY
        } else {
            back * self.matrix()
        };
        let shift = back * (self.position.as_dvec3() - other.position.as_dvec3());
        DAffine3::from_mat3_translation(turn, shift)
    }

    /// Whether points stay exactly where they are.
    pub fn is_identity(&self) -> bool {
        self.position == Vec3::ZERO && !self.turns()
    }

    /// Whether points are turned at all.
    #[inline]
    pub fn turns(&self) -> bool {
        self.rotation.xyz() != Vec3::ZERO
    }
}

/// The motion from the body's frame to the world.
pub fn world(pose: &Pose) -> DAffine3 {
    if pose.is_identity() {
        return DAffine3::IDENTITY;
    }
    DAffine3::from_mat3_translation(pose.matrix(), pose.position.as_dvec3())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_that_is_not_rigid_is_refused_with_its_value() {
        let bent = Pose {
            rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0),
            ..Pose::default()
        };
        assert!(
            bent.validate()
                .unwrap_err()
                .to_string()
                .contains("length 2")
        );
        let nowhere = Pose {
            position: Vec3::new(0.0, f32::NAN, 0.0),
            ..Pose::default()
        };
        assert!(nowhere.validate().unwrap_err().to_string().contains("NaN"));
        let zero = Pose {
            rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            ..Pose::default()
        };
        assert!(zero.validate().is_err());
        assert!(Pose::default().validate().is_ok());
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let pose = Pose {
            rotation: Quat::from_xyzw(0.0, 0.0, half, half),
            ..Pose::default()
        };
        assert!((pose.apply(DVec3::X) - DVec3::Y).length() < 1e-7);
        assert!((pose.matrix() * DVec3::X - DVec3::Y).length() < 1e-7);
    }
}
