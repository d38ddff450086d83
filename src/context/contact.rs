//! Contact queries of a context: a field against a mesh, as a batch of one.

use super::{Context, run};
use crate::error::Result;
use crate::query::meeting::Meeting;
use crate::query::overlap::{Overlap, OverlapOptions};
use crate::query::penalty::{Penalty, PenaltyOptions};
use crate::query::proximity::{Proximity, ProximityOptions};
use crate::scene::pose::Pose;

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

    /// The point of a mesh with the smallest signed distance to a field.
    pub fn proximity(&self, meeting: Meeting, options: ProximityOptions) -> Result<Proximity> {
        let batch = self.create_batch()?;
        let ticket = batch.proximity(meeting, options)?;
        run(&batch)?;
        batch.proximity_answer(ticket)
    }

    /// The force and torque that push a field's body and a mesh apart.
    pub fn penalty(&self, meeting: Meeting, options: PenaltyOptions) -> Result<Penalty> {
        let batch = self.create_batch()?;
        let ticket = batch.penalty(meeting, options)?;
        run(&batch)?;
        batch.penalty_answer(ticket)
    }

    /// Whether a mesh touches or enters a field's body.
    pub fn overlap(&self, meeting: Meeting, options: OverlapOptions) -> Result<Overlap> {
        let batch = self.create_batch()?;
        let ticket = batch.overlap(meeting, options)?;
        run(&batch)?;
        batch.overlap_answer(ticket)
    }
}
