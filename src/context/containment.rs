//! Containment of a context: a batch of one, and exact answers near the surface.

use super::Context;
use crate::error::Result;
use crate::query::contains::{Containment, ContainsQuery};
use crate::query::ldi::LdiOptions;
use crate::scene::pose::Pose;
use glam::Vec3;
use rayon::prelude::*;

impl Context {
    /// Which points are inside a mesh: a batch of one. With `exact`, points near the surface are decided by their winding
    /// number on the CPU, and none of them is near any more. The index for that stays with the mesh until its positions change.
    pub fn contains(
        &self,
        (id, pose): (u64, Pose),
        points: &[Vec3],
        options: LdiOptions,
        exact: bool,
    ) -> Result<Vec<Containment>> {
        let mesh = self.mesh(id)?;
        let query = ContainsQuery::plan(&self.resources, (mesh.clone(), pose), points, options)?;
        let mut answers = self.ask(query)?;
        if !exact || answers.iter().all(|answer| !answer.near) {
            return Ok(answers);
        }
        let fitted = self.fitted(&mesh)?;
        self.workers.run(|| {
            let winding = fitted.winding(&mesh);
            answers
                .par_iter_mut()
                .zip(points)
                .for_each(|(answer, point)| {
                    if answer.near {
                        let inside = winding.encloses(pose.unapply(point.as_dvec3()));
                        *answer = Containment {
                            inside,
                            near: false,
                        };
                    }
                });
        })?;
        Ok(answers)
    }
}
