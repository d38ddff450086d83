//! A box that slides over a triangulated floor meets no edge of it: all normals stay upright, whoever has the field.

use crate::contacts::{near, solid};
use crate::support::ask::AskNow;
use crate::support::{Checked, times};
use fixtures::shapes;
use glam::{DVec3, Quat, Vec3};
use proxel::field::data::Storage;
use proxel::query::body::ContactBody;

/// The angle between a contact's normal and the floor's that is promised.
const MOST_ANGLE: f64 = 0.01;

#[test]
fn normals_stay_upright_while_a_box_slides_over_the_inner_edges_of_a_floor() {
    let checked = Checked::open();
    let context = &checked.context;
    for storage in [Storage::Distance, Storage::Direction] {
        for floor_cells in [1, 7, 60] {
            let floor = shapes::cuboid(Vec3::new(1.5, 1.5, 0.25), floor_cells);
            let mut floor = solid(context, &floor, storage, 48);
            floor.position.z = -0.25;
            for box_cells in [1, 9] {
                let half = DVec3::new(0.3, 0.25, 0.2);
                let slider = shapes::cuboid(half.as_vec3(), box_cells);
                let slider = solid(context, &slider, storage, 48);
                let bare = |body: &ContactBody| ContactBody {
                    field: None,
                    ..body.clone()
                };
                for (name, floor, slider) in [
                    ("both fields", floor.clone(), slider.clone()),
                    ("the floor's field", floor.clone(), bare(&slider)),
                    ("the box's field", bare(&floor), slider.clone()),
                ] {
                    for step in (0..12).step_by(if times() > 1 { 1 } else { 3 }) {
                        let mut slider = slider.clone();
                        let along = -0.5 + 0.083 * f64::from(step);
                        let gap = [-0.002, 0.0005][step as usize % 2];
                        slider.position = DVec3::new(along, 0.37 * along + 0.03, half.z + gap);
                        slider.rotation = Quat::from_rotation_z(0.17 * step as f32);
                        let pair = [floor.clone(), slider.clone()];
                        let manifold = context.contacts(pair, near(0.01)).unwrap();
                        let name = format!(
                            "{name}, {storage:?}, floor {floor_cells}, box {box_cells}, step {step}"
                        );
                        assert!(manifold.contacts.len() >= 3, "{name}: {manifold:?}");
                        assert_eq!(manifold.patches.len(), 1, "{name}: {manifold:#?}");
                        for c in &manifold.contacts {
                            let angle = c.normal.angle_between(DVec3::Z);
                            assert!(angle <= MOST_ANGLE, "{name}: {angle} {c:?}");
                            let off = (f64::from(c.separation) - gap).abs();
                            assert!(off <= 1e-3, "{name}: {off} {c:?}");
                        }
                    }
                }
            }
        }
    }
}
