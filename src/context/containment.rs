//! Containment of a context: a batch of one, and exact answers near the surface.

use super::Context;
use crate::error::Result;
use crate::geometry::sign::ray_crossings::winding_numbers;
use crate::memory::{Gather, ParallelGather};
use crate::query::contains::{Containment, ContainsQuery};
use crate::query::ldi::{ImageOfMesh, ImageQuery, LdiOptions};
use crate::scene::pose::Pose;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

impl Context {
    /// Which points are inside a mesh: a batch of one. With `exact`, points near the surface are decided by their winding
    /// number on the CPU, and none of them is near any more. Of a closed mesh it is counted by a ray; else solid angles are added up, and the index for that
    /// stays with the mesh until its positions change. Where an image is to be kept, it is made first.
    pub fn contains(
        &self,
        (id, pose): (u64, Pose),
        points: &[Vec3],
        options: LdiOptions,
        exact: bool,
    ) -> Result<Vec<Containment>> {
        let mesh = self.mesh(id)?;
        if options.kept && ImageOfMesh::kept(&mesh, &options).is_none() {
            let image = ImageQuery::plan(&self.resources, mesh.clone(), options)?;
            self.ask(image)?.keep(&mesh);
        }
        let query = ContainsQuery::plan(&self.resources, (mesh.clone(), pose), points, options)?;
        let mut answers = self.ask(query)?;
        if !exact || answers.iter().all(|answer| !answer.near) {
            return Ok(answers);
        }
        let fitted = self.fitted(&mesh)?;
        let (near, places): (Vec<u32>, Vec<DVec3>) = self.workers.run(|| {
            let near = (0..).zip(&answers).filter(|(_, answer)| answer.near);
            let near = near.map(|(at, _)| at).gather();
            let place = |at: &u32| pose.unapply(points[*at as usize].as_dvec3());
            let places = near.iter().map(place).gather();
            (near, places)
        })?;
        let inside = if mesh.is_closed(&fitted, |work| self.workers.run(work))? {
            self.workers.run(|| {
                let numbers = winding_numbers(fitted.fitted_surface(&mesh), &places);
                numbers.iter().map(|number| *number != 0).gather()
            })?
        } else {
            self.workers.run(|| {
                let winding = fitted.winding(&mesh);
                places
                    .par_iter()
                    .map(|place| winding.encloses(*place))
                    .par_gather()
            })?
        };
        for (at, inside) in near.into_iter().zip(inside) {
            answers[at as usize] = Containment {
                inside,
                near: false,
            };
        }
        Ok(answers)
    }
}
