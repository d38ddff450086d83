//! Volumes, by rays on the device and exactly on the host.

use crate::failing::fail_each;
use crate::{Bodies, STILL};
use glam::Vec3;
use proxel::error::{Error, Result};
use proxel::geometry::volume::BooleanOperation;
use proxel::query::gradients::GradientsQuery;
use proxel::query::ldi::LdiOptions;
use proxel::query::region_contacts::RegionContactOptions;
use proxel::query::volume::VolumeQuery;

pub fn volumes(bodies: &Bodies) -> i64 {
    let Bodies { context, shape, .. } = bodies;
    let (a, b) = bodies.fresh();
    let points: Vec<Vec3> = shape.positions.iter().map(|p| *p * 1.01).collect();
    let rays = LdiOptions::default();
    let mut refusals = fail_each("contains", || {
        context.contains((a, STILL), &points, rays, true)
    });
    let placed = || Ok::<_, Error>([(context.mesh(a)?, STILL), (context.mesh(b)?, STILL)]);
    refusals += fail_each("volume", || {
        let [a, b] = placed()?;
        context.ask(VolumeQuery::plan(context.resources(), a, b, rays)?)
    });
    refusals
        + fail_each("gradients", || {
            let [a, b] = placed()?;
            context.ask(GradientsQuery::plan(context.resources(), a, b, rays)?)
        })
}

pub fn exact_volumes(bodies: &Bodies) -> i64 {
    let context = &bodies.context;
    let (a, b) = bodies.fresh();
    let refusals = fail_each("exact volume", || {
        context.exact_volume((a, STILL), (b, STILL))
    });
    let asked = |what: &str, ask: &dyn Fn(u64) -> Result<usize>| {
        fail_each(what, || {
            let made = context.create_intersection((a, STILL), (b, STILL))?;
            let found = ask(made);
            context.destroy_intersection(made)?;
            found
        })
    };
    let union = BooleanOperation::Union;
    let region_contacts = RegionContactOptions {
        points: 0,
        patches: 0,
        previous: Vec::new(),
    };
    refusals
        + asked("regions", &|id| Ok(context.intersection_regions(id)?.len()))
        + asked("region contacts", &|id| {
            Ok(context
                .intersection_contacts(id, &region_contacts)?
                .contacts
                .len())
        })
        + asked("curves", &|id| Ok(context.intersection_curves(id)?.len()))
        + asked("curve points", &|id| {
            Ok(context.intersection_curve_points(id)?.len())
        })
        + asked("vertex gradients", &|id| {
            Ok(context.intersection_gradients(id)?.len())
        })
        + asked("boundary", &|id| {
            Ok(context.boundary_vertices(id, union)?.len()
                + context.boundary_triangles(id, union)?.len())
        })
}
