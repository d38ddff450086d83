//! A body: a mesh, optionally with a field, placed in a world of any size.

use crate::error::{Result, invalid};
use crate::field::Field;
use crate::scene::mesh::Mesh;
use glam::{DAffine3, DMat3, DVec3, Quat};
use std::sync::Arc;

/// A place in a world of any size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyPlace {
    /// The local origin in the world.
    pub position: DVec3,
    /// A unit quaternion.
    pub rotation: Quat,
}

impl BodyPlace {
    /// Refuses what is no place; `name` is what the caller calls it.
    pub fn validate(&self, name: &str) -> Result<()> {
        let Self { position, rotation } = self;
        if !(position.is_finite() && position.abs().max_element() <= MOST_POSITION) {
            return Err(invalid(format!(
                "{name}.position is {position}; it must be finite and at most {MOST_POSITION:e}"
            )));
        }
        let length = rotation.as_dquat().length();
        if !(0.999..=1.001).contains(&length) {
            return Err(invalid(format!(
                "{name}.rotation {rotation} has length {length}; it must be a unit quaternion (x, y, z, w): normalise it"
            )));
        }
        Ok(())
    }

    /// The rotation as a matrix, from the quaternion normalised in double precision.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation.as_dquat().normalize())
    }
}

/// A mesh, a field or both, under a pose in double precision and a uniform scale. World = position + rotation * (scale * local).
#[derive(Clone)]
pub struct ContactBody {
    /// The surface whose points can touch other bodies.
    pub mesh: Option<Arc<Mesh>>,
    /// What other bodies' points are tested against.
    pub field: Option<Arc<Field>>,
    /// The local origin in the world.
    pub position: DVec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// World units per unit of the mesh and of the field.
    pub scale: f32,
    /// Added to the distance up to which contacts are reported.
    pub contact_offset: f32,
    /// Thickness around the surface: taken from every separation.
    pub rest_offset: f32,
}

/// The most by which a body may be scaled up or down.
const MOST_SCALE: f32 = 1e6;
/// The largest coordinate of a body in the world: double precision leaves a thousandth of a unit there.
const MOST_POSITION: f64 = 1e13;

impl ContactBody {
    /// A body at the origin, as large as its mesh.
    pub fn new(mesh: Option<Arc<Mesh>>, field: Option<Arc<Field>>) -> Self {
        Self {
            mesh,
            field,
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: 1.0,
            contact_offset: 0.0,
            rest_offset: 0.0,
        }
    }

    /// Refuses what is no place or no size; `name` is what the caller calls the body.
    pub fn validate(&self, name: &str) -> Result<()> {
        if self.mesh.is_none() && self.field.is_none() {
            return Err(invalid(format!(
                "{name} has neither a mesh nor a field; give it at least one"
            )));
        }
        self.place().validate(name)?;
        if !(self.scale >= 1.0 / MOST_SCALE && self.scale <= MOST_SCALE) {
            return Err(invalid(format!(
                "{name}.scale is {}; it must be from {} to {MOST_SCALE}",
                self.scale,
                1.0 / MOST_SCALE
            )));
        }
        for (what, offset) in [
            ("contact_offset", self.contact_offset),
            ("rest_offset", self.rest_offset),
        ] {
            if !(offset.is_finite() && offset.abs() <= 1e15) {
                return Err(invalid(format!(
                    "{name}.{what} is {offset}; it must be finite and at most 1e15"
                )));
            }
        }
        Ok(())
    }

    /// Where it is.
    pub fn place(&self) -> BodyPlace {
        BodyPlace {
            position: self.position,
            rotation: self.rotation,
        }
    }

    /// The rotation as a matrix.
    pub fn matrix(&self) -> DMat3 {
        self.place().matrix()
    }

    /// Takes this body's axes and origin to those of another; lengths stay those of the world. Only differences of positions enter, so
    /// that a pair far from the world's origin meets as it would there.
    pub fn motion_to(&self, other: &Self) -> DAffine3 {
        let back = other.matrix().transpose();
        let turn = if self.rotation == other.rotation {
            DMat3::IDENTITY
        } else {
            back * self.matrix()
        };
        DAffine3::from_mat3_translation(turn, back * (self.position - other.position))
    }
}
