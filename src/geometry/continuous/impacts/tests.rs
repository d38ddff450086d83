use super::*;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::surface::AsSurface;
use crate::geometry::topology::representatives::Representatives;
use fixtures::shapes::Shape;
use glam::Vec3;

mod first;
mod lists;

fn rule(separation: f64) -> MeetingRule {
    MeetingRule {
        separation,
        start: true,
    }
}

fn prepare(from: &Shape) -> (Bvh, Representatives) {
    (
        Bvh::build(&from.surface().triangle_boxes()),
        Representatives::new(&from.triangles, from.positions.len()),
    )
}

fn ask(a: (&Shape, &[Vec3]), b: (&Shape, &[Vec3]), tolerance: f64) -> Option<Impact> {
    let (prepared_a, prepared_b) = (prepare(a.0), prepare(b.0));
    let ma = Moving {
        from: a.0.surface(),
        to: a.1.into(),
        bvh: &prepared_a.0,
        representatives: &prepared_a.1,
    };
    let mb = Moving {
        from: b.0.surface(),
        to: b.1.into(),
        bvh: &prepared_b.0,
        representatives: &prepared_b.1,
    };
    first_impact(ma, mb, rule(tolerance))
}

fn moved(shape: &Shape, by: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    shape.positions.iter().map(|&p| by(p)).collect()
}

fn moving<'a>(
    shape: &'a Shape,
    to: &'a [Vec3],
    (bvh, representatives): &'a (Bvh, Representatives),
) -> Moving<'a> {
    Moving {
        from: shape.surface(),
        to: to.into(),
        bvh,
        representatives,
    }
}
