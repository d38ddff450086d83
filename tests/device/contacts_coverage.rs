//! How far a point of a level surface can be from the nearest contact: the longest edge, or on large faces four samples.

use crate::contacts::{near, solid};
use crate::support::Checked;
use crate::support::ask::AskNow;
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::field::data::Storage;
use proxel::query::body::ContactBody;
use proxel::query::contacts::ContactOptions;

/// Half of the box that lies on a floor.
const HALF: Vec3 = Vec3::new(0.4, 0.3, 0.2);

/// The largest distance from a point under the box to the nearest of these points, both seen from above.
fn largest_gap(points: &[DVec3]) -> f64 {
    let count = 60;
    let along = |i: i32, half: f32| f64::from(half) * (2.0 * f64::from(i) / f64::from(count) - 1.0);
    let gap = |p: DVec3| {
        let off = |q: &DVec3| (*q - p).truncate().length();
        points.iter().map(off).fold(f64::INFINITY, f64::min)
    };
    (0..=count)
        .flat_map(|i| (0..=count).map(move |j| (i, j)))
        .map(|(i, j)| gap(DVec3::new(along(i, HALF.x), along(j, HALF.y), 0.0)))
        .fold(0.0, f64::max)
}

#[test]
fn no_point_of_a_level_surface_is_far_from_all_contacts() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut floor = solid(
        context,
        &shapes::cuboid(Vec3::new(2.0, 2.0, 0.25), 1),
        Storage::Distance,
        64,
    );
    floor.position.z = -0.25;
    let all = ContactOptions {
        points: 0,
        budget: 8192,
        ..near(0.01)
    };
    // Level to the last bit, and tilted by less than what counts as level.
    for tilt in [0.0, 0.003] {
        for cells in [5, 12] {
            let slider = shapes::cuboid(HALF, cells);
            let mut slider = solid(context, &slider, Storage::Distance, 48);
            slider.position.z = f64::from(HALF.z) + 0.001;
            slider.rotation = Quat::from_rotation_x(tilt);
            let grid = &slider.field.as_ref().unwrap().data.grid;
            let sample = (grid.domain().size().max_element() / 64.0).max(grid.spacing);
            let edge = 2.0 / cells as f32 * HALF.truncate().length();
            let bare = |body: &ContactBody| ContactBody {
                field: None,
                ..body.clone()
            };
            for (name, pair, bound) in [
                ("the box's vertices", [floor.clone(), bare(&slider)], edge),
                (
                    "the floor's face",
                    [bare(&floor), slider.clone()],
                    4.0 * sample,
                ),
            ] {
                let found = context.contacts(pair, all.clone()).unwrap();
                let points: Vec<DVec3> = found.contacts.iter().map(|c| c.world_b).collect();
                let gap = largest_gap(&points);
                assert!(
                    gap <= f64::from(bound),
                    "{name}, {cells}, {tilt}: {gap} for {bound}, {}",
                    points.len()
                );
            }
        }
    }
}
