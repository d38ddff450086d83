//! Queries as batches of one, as the C API asks them.

use glam::Vec3;
use proxel::context::Context;
use proxel::error::Result;
use proxel::query::body::ContactBody;
use proxel::query::bounds::{Bounds, BoundsQuery};
use proxel::query::contacts::{ContactOptions, ContactsQuery, Manifold};
use proxel::query::gradients::{Gradients, GradientsQuery};
use proxel::query::ldi::LdiOptions;
use proxel::query::meeting::Meeting;
use proxel::query::overlap::{Overlap, OverlapOptions, OverlapQuery};
use proxel::query::penalty::{Penalty, PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{Proximity, ProximityOptions, ProximityQuery};
use proxel::query::sample::{SampleQuery, SampleResult};
use proxel::query::volume::{IntersectionVolume, VolumeQuery};
use proxel::scene::pose::Pose;

/// Plans a query of a context, and asks it at once.
pub trait AskNow {
    fn bounds(&self, mesh: u64, pose: Pose) -> Result<Bounds>;
    fn sample_field(&self, field: (u64, Pose), points: &[Vec3]) -> Result<Vec<SampleResult>>;
    fn proximity(&self, meeting: Meeting, options: ProximityOptions) -> Result<Proximity>;
    fn penalty(&self, meeting: Meeting, options: PenaltyOptions) -> Result<Penalty>;
    fn overlap(&self, meeting: Meeting, options: OverlapOptions) -> Result<Overlap>;
    fn contacts(&self, bodies: [ContactBody; 2], options: ContactOptions) -> Result<Manifold>;
    fn volume(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        options: LdiOptions,
    ) -> Result<IntersectionVolume>;
    fn volume_gradients(
        &self,
        a: (u64, Pose),
        b: (u64, Pose),
        options: LdiOptions,
    ) -> Result<Gradients>;
}

impl AskNow for Context {
    fn bounds(&self, mesh: u64, pose: Pose) -> Result<Bounds> {
        self.ask(BoundsQuery::plan(self.mesh(mesh)?, pose)?)
    }

    fn sample_field(
        &self,
        (field, pose): (u64, Pose),
        points: &[Vec3],
    ) -> Result<Vec<SampleResult>> {
        let field = (self.field(field)?, pose);
        self.ask(SampleQuery::plan(self.resources(), field, points)?)
    }

    fn proximity(&self, meeting: Meeting, options: ProximityOptions) -> Result<Proximity> {
        self.ask(ProximityQuery::plan(self.resources(), meeting, options)?)
    }

    fn penalty(&self, meeting: Meeting, options: PenaltyOptions) -> Result<Penalty> {
        self.ask(PenaltyQuery::plan(self.resources(), meeting, options)?)
    }

    fn overlap(&self, meeting: Meeting, options: OverlapOptions) -> Result<Overlap> {
        self.ask(OverlapQuery::plan(self.resources(), meeting, options)?)
    }

    fn contacts(&self, bodies: [ContactBody; 2], options: ContactOptions) -> Result<Manifold> {
        self.ask(ContactsQuery::plan(self.resources(), bodies, options)?)
    }

    fn volume(
        &self,
        (a, pose_a): (u64, Pose),
        (b, pose_b): (u64, Pose),
        options: LdiOptions,
    ) -> Result<IntersectionVolume> {
        let (a, b) = ((self.mesh(a)?, pose_a), (self.mesh(b)?, pose_b));
        self.ask(VolumeQuery::plan(self.resources(), a, b, options)?)
    }

    fn volume_gradients(
        &self,
        (a, pose_a): (u64, Pose),
        (b, pose_b): (u64, Pose),
        options: LdiOptions,
    ) -> Result<Gradients> {
        let (a, b) = ((self.mesh(a)?, pose_a), (self.mesh(b)?, pose_b));
        self.ask(GradientsQuery::plan(self.resources(), a, b, options)?)
    }
}
