//! The forces of a penalty law on the vertices of a soft body.

use super::{SoftContact, SoftContactsQuery};
use crate::error::Result;
use crate::memory;
use glam::{DVec3, Vec3};

/// A force on each contact: Morvan et al. 2008, equations 4 and 5, for a point instead of an area.
#[derive(Debug, Clone, Default)]
pub struct PenaltyLaw {
    /// Force per depth below `distance`; 0 for no forces.
    pub stiffness: f32,
    /// Force per velocity along the normal; contacts never pull.
    pub damping: f32,
    /// The friction coefficient.
    pub friction: f32,
    /// For each vertex its velocity in the world; empty for a mesh at rest.
    pub velocities: Vec<Vec3>,
}

impl SoftContactsQuery {
    /// The force of the law on each vertex, added in the order of the contacts.
    pub(super) fn forces(&self, contacts: &[SoftContact]) -> Result<Vec<Vec3>> {
        let law = &self.options.law;
        let vertices = self.mesh.vertices as usize;
        let mut sums: Vec<DVec3> = memory::with_room(vertices, "forces")?;
        sums.resize(vertices, DVec3::ZERO);
        for contact in contacts {
            let depth = f64::from(self.options.distance) - f64::from(contact.separation);
            let parts = || {
                let count = contact.feature as usize + 1;
                contact
                    .vertices
                    .into_iter()
                    .zip(contact.weights)
                    .take(count)
            };
            let velocity: DVec3 = match law.velocities.is_empty() {
                true => DVec3::ZERO,
                false => parts()
                    .map(|(v, weight)| f64::from(weight) * law.velocities[v as usize].as_dvec3())
                    .sum(),
            };
            let along = velocity.dot(contact.normal);
            // Equation 4; what is above the distance, or leaves fast enough, is not pulled back.
            let push = f64::from(law.stiffness) * depth - f64::from(law.damping) * along;
            let push = if depth > 0.0 { push.max(0.0) } else { 0.0 };
            let sliding = velocity - along * contact.normal;
            // Equation 5. What is less than a thousandth of the velocity may be rounding of the normal, and fades.
            let speed = sliding.length().max(1e-3 * velocity.length());
            let friction = match speed > 0.0 {
                true => sliding * (-f64::from(law.friction) * push / speed),
                false => DVec3::ZERO,
            };
            let force = push * contact.normal + friction;
            for (vertex, weight) in parts() {
                sums[vertex as usize] += f64::from(weight) * force;
            }
        }
        memory::collect(sums.iter().map(|sum| sum.as_vec3()), "forces")
    }
}
