//! A field and a mesh of a context, followers of such pairs, and proximity to a mesh without a field.

use super::Context;
use crate::error::{Result, invalid};
use crate::geometry::rounding::below;
use crate::geometry::sign::deepest::{Solid, deepest};
use crate::lock::lock;
use crate::query::follower::{FollowInput, Follower, Following};
use crate::query::meeting::Meeting;
use crate::query::penalty::PenaltyOptions;
use crate::query::proximity::{Proximity, ProximityOptions};
use crate::scene::pose::Pose;
use crate::scene::slots::Slots;
use std::sync::{Arc, MutexGuard};

impl Context {
    /// A field and a mesh of this context, each with its pose.
    pub fn meeting(&self, field: (u64, Pose), mesh: (u64, Pose)) -> Result<Meeting> {
        Ok(Meeting {
            field: self.field(field.0)?,
            field_pose: field.1,
            mesh: self.mesh(mesh.0)?,
            mesh_pose: mesh.1,
        })
    }

    /// Creates a follower and names it.
    pub fn create_follower(
        &self,
        proximity: ProximityOptions,
        penalty: PenaltyOptions,
    ) -> Result<u64> {
        let follower = Arc::new(Follower::new(proximity, penalty));
        self.followers().insert(follower)
    }

    /// The newest finished answer of a follower, which asks for a pair anew.
    ///
    /// # Safety
    /// As for [`Follower::ask`].
    pub unsafe fn follow(
        &self,
        id: u64,
        meeting: Meeting,
        input: FollowInput,
    ) -> Result<Following> {
        let follower = self.followers().get(id)?.clone();
        // SAFETY: by the caller's promise.
        unsafe { follower.ask(meeting, input, || self.create_batch()) }
    }

    /// Destroys a follower; what is under way is waited for.
    pub fn destroy_follower(&self, id: u64) -> Result<()> {
        let removed = self.followers().remove(id);
        removed.map(drop)
    }

    fn followers(&self) -> MutexGuard<'_, Slots<Arc<Follower>>> {
        lock(&self.followers)
    }

    /// Proximity against the triangles of a closed mesh instead of a field. Both meshes are taken as they are now.
    pub fn exact_proximity(&self, solid: (u64, Pose), mesh: (u64, Pose)) -> Result<Proximity> {
        let (solid, mesh) = (self.placed(solid)?, self.placed(mesh)?);
        for of in [&solid, &mesh] {
            of.mesh.check_single_precision("exact proximity")?;
        }
        let found = self.workers.run(|| {
            let around = solid.fitted_surface().surface;
            let within = REFINED_WITHIN * f64::from(around.bounds().size().length());
            let (_, motion) = solid.relative(&mesh);
            let groups = mesh.mesh.clusters.iter();
            deepest(
                &Solid::build(around),
                mesh.fitted_surface().surface,
                motion,
                groups,
                within,
            )
        })?;
        let found = found.ok_or_else(|| invalid("the solid has no triangles"))?;
        let towards = (found.closest - found.point).normalize_or_zero();
        Ok(Proximity {
            distance: found.distance as f32,
            lower: below(found.lower),
            upper: -below(-found.distance),
            triangle: found.triangle,
            barycentric: found.weights.as_vec3(),
            point_mesh: solid.world(found.point),
            point_field: solid.world(found.closest),
            direction: solid.pose.matrix() * towards,
            in_domain: true,
        })
    }
}

/// How far apart the bounds of a refined answer are at most, unless it would take too long, as a part of the solid's box.
const REFINED_WITHIN: f64 = 1e-4;
