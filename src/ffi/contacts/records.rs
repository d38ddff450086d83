//! Contacts, patches and manifolds as the header has them.

use super::{PrxContact, PrxContactFeature, PrxContactSampling, PrxManifold, PrxPatch};
use crate::query::contacts::{
    Contact, ContactFeature, Manifold, ManifoldPatch, PreviousContact, Sampling,
};
use glam::Vec3;

impl From<PrxContactSampling> for Sampling {
    fn from(sampling: PrxContactSampling) -> Self {
        match sampling {
            PrxContactSampling::All => Self::All,
            PrxContactSampling::Vertices => Self::Vertices,
            PrxContactSampling::EdgeCenters => Self::EdgeCentres,
        }
    }
}

impl From<ContactFeature> for PrxContactFeature {
    fn from(feature: ContactFeature) -> Self {
        match feature {
            ContactFeature::Vertex => Self::Vertex,
            ContactFeature::Edge => Self::Edge,
            ContactFeature::Face => Self::Face,
        }
    }
}

/// A place in a list of the last step, or -1.
fn place_of(previous: Option<u32>) -> i32 {
    previous.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1)
}

impl From<&PrxContact> for PreviousContact {
    fn from(c: &PrxContact) -> Self {
        let own = if c.on == 0 { c.point_a } else { c.point_b };
        Self {
            key: c.key,
            user: c.user,
            point: Vec3::from_array(own).as_dvec3(),
            patch: c.patch,
        }
    }
}

impl From<Contact> for PrxContact {
    fn from(c: Contact) -> Self {
        Self {
            world_a: c.world_a.to_array(),
            world_b: c.world_b.to_array(),
            key: c.key,
            user: c.user,
            point_a: c.point_a.as_vec3().to_array(),
            point_b: c.point_b.as_vec3().to_array(),
            normal: c.normal.as_vec3().to_array(),
            separation: c.separation,
            lower: c.bounds[0],
            upper: c.bounds[1],
            barycentric: c.barycentric.to_array(),
            triangle: c.triangle,
            on: c.on_b.into(),
            feature: PrxContactFeature::from(c.feature).into(),
            area: c.area,
            patch: c.patch,
            previous: place_of(c.previous),
            reserved: 0,
        }
    }
}

impl From<ManifoldPatch> for PrxPatch {
    fn from(p: ManifoldPatch) -> Self {
        Self {
            center: p.centre.to_array(),
            normal: p.normal.as_vec3().to_array(),
            tangent: p.tangent.as_vec3().to_array(),
            area: p.area as f32,
            moments: p.moments.map(|m| m as f32),
            raw: p.raw,
            kept: p.kept,
            hull_distance: p.hull_distance,
            previous: place_of(p.previous),
        }
    }
}

impl From<&Manifold> for PrxManifold {
    fn from(m: &Manifold) -> Self {
        Self {
            contacts: m.contacts.len() as u32,
            patches: m.patches.len() as u32,
            raw: m.raw,
            left_out: m.left_out,
            ended: m.ended.len() as u32,
            force: m.wrench[0].as_vec3().to_array(),
            torque: m.wrench[1].as_vec3().to_array(),
            residual_force: m.residual[0] as f32,
            residual_torque: m.residual[1] as f32,
            reserved: 0,
        }
    }
}

impl From<Manifold> for PrxManifold {
    fn from(m: Manifold) -> Self {
        Self::from(&m)
    }
}
