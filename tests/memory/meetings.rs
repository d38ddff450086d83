//! A field and a mesh, and what else kernels answer of them.

use crate::failing::fail_each;
use crate::fields::request;
use crate::{Bodies, STILL};
use proxel::field::data::Storage;
use proxel::query::bounds::BoundsQuery;
use proxel::query::clusters::ClustersQuery;
use proxel::query::meeting::Meeting;
use proxel::query::overlap::{OverlapOptions, OverlapQuery};
use proxel::query::penalty::{PenaltyOptions, PenaltyQuery};
use proxel::query::proximity::{ProximityOptions, ProximityQuery};
use proxel::query::sample::SampleQuery;

pub fn meetings(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let mesh = || context.mesh(b);
    let mut refusals = fail_each("bounds", || context.ask(BoundsQuery::plan(mesh()?, STILL)?));
    refusals += fail_each("clusters", || context.ask(ClustersQuery::plan(mesh()?)));
    for storage in [Storage::Distance, Storage::Direction, Storage::Sparse] {
        let id = context.bake_field(a, request(storage)).unwrap();
        context.wait_field(id, u64::MAX).unwrap();
        let field = context.field(id).unwrap();
        let resources = context.resources();
        let meeting = || {
            mesh().map(|mesh| Meeting {
                field: field.clone(),
                field_pose: STILL,
                mesh,
                mesh_pose: STILL,
            })
        };
        refusals += fail_each("sample", || {
            let points = &bodies.shape.positions;
            context.ask(SampleQuery::plan(
                resources,
                (field.clone(), STILL),
                points,
            )?)
        });
        refusals += fail_each("proximity", || {
            let options = ProximityOptions::default();
            context.ask(ProximityQuery::plan(resources, meeting()?, options)?)
        });
        refusals += fail_each("penalty", || {
            let options = PenaltyOptions::default();
            context.ask(PenaltyQuery::plan(resources, meeting()?, options)?)
        });
        refusals += fail_each("overlap", || {
            let options = OverlapOptions::default();
            context.ask(OverlapQuery::plan(resources, meeting()?, options)?)
        });
    }
    refusals
}
