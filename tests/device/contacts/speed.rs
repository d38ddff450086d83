use super::{near, solid};
use crate::support::Checked;
use fixtures::shapes;
use glam::{DVec3, Vec3};
use proxel::field::data::Storage;
use proxel::query::body::ContactBody;
use proxel::query::meeting::Meeting;
use proxel::query::penalty::PenaltyOptions;
use proxel::scene::pose::Pose;
use std::time::Instant;

#[test]
#[ignore]
fn speed() {
    let checked = Checked::open();
    let context = &checked.context;
    let knot = shapes::knot(0.3, 700, 50).map(|p| p / 3.0);
    let ball = shapes::sphere(0.6, 264, 133);
    let cells: u32 = std::env::var("CELLS").map_or(128, |c| c.parse().unwrap());
    let a = solid(context, &knot, Storage::Distance, cells);
    let mut b = solid(context, &ball, Storage::Distance, cells);
    b.position = DVec3::new(0.7, 0.3, 0.0);
    let bare = ContactBody {
        field: None,
        ..b.clone()
    };
    let median = |mut f: Box<dyn FnMut()>| {
        f();
        f();
        let mut times: Vec<f64> = (0..21)
            .map(|_| {
                let start = Instant::now();
                f();
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[10]
    };
    let meeting = || Meeting {
        field: a.field.clone().unwrap(),
        field_pose: Pose::default(),
        mesh: b.mesh.clone().unwrap(),
        mesh_pose: Pose {
            position: Vec3::new(0.7, 0.3, 0.0),
            ..Pose::default()
        },
    };
    let one = context
        .contacts([a.clone(), bare.clone()], near(0.01))
        .unwrap();
    let both = context
        .contacts([a.clone(), b.clone()], near(0.01))
        .unwrap();
    println!(
        "one-sided {} raw {} kept, both {} raw {} kept",
        one.raw,
        one.contacts.len(),
        both.raw,
        both.contacts.len()
    );
    for _ in 0..3 {
        let p = median(Box::new(|| {
            context
                .penalty(meeting(), PenaltyOptions::default())
                .unwrap();
        }));
        let c = median(Box::new(|| {
            context
                .contacts([a.clone(), bare.clone()], near(0.0))
                .unwrap();
        }));
        let d = median(Box::new(|| {
            context.contacts([a.clone(), b.clone()], near(0.0)).unwrap();
        }));
        println!(
            "penalty {p:.2} one-sided {c:.2} ({:.2}) both {d:.2} ({:.2})",
            c / p,
            d / p
        );
    }
}
