//! Certificates of proximity against an exact oracle, over random poses of meshes against baked fields.
//!
//! `PROXEL_SWEEP=N` asks N times as many poses.

use crate::support::ask::AskNow;
use crate::support::contact::request;
use crate::support::{Checked, input, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::field::data::Storage;
use proxel::geometry::nearest::{Nearest, Scratch};
use proxel::geometry::random::Random;
use proxel::geometry::sign::winding::Winding;
use proxel::query::meeting::Meeting;
use proxel::query::proximity::{Proximity, ProximityOptions};
use proxel::scene::pose::Pose;
use std::collections::BinaryHeap;

/// A lumpy body, as scanned ones are.
pub fn lumpy(slices: u32, stacks: u32) -> Shape {
    shapes::sphere(1.0, slices, stacks).map(|p| {
        let bump = 0.2 * (4.0 * p.x).sin() * (3.0 * p.y + 1.0).cos() + 0.15 * (5.0 * p.z).sin();
        p * (1.0 + bump) * Vec3::new(1.0, 0.8, 1.2)
    })
}

/// The exact signed distance to a closed mesh.
pub struct Truth {
    nearest: Nearest,
    winding: Winding,
    scratch: Scratch,
}

/// A piece of a triangle that may hold a smaller distance, the most promising first.
struct Piece {
    lower: f64,
    corners: [DVec3; 3],
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.lower == other.lower
    }
}
impl Eq for Piece {}
impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Piece {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.lower.total_cmp(&self.lower)
    }
}

impl Truth {
    pub fn of(shape: &Shape) -> Self {
        Self {
            nearest: Nearest::build(crate::support::surface(shape)),
            winding: Winding::build(crate::support::surface(shape)),
            scratch: Scratch::default(),
        }
    }

    pub fn distance(&mut self, p: DVec3) -> f64 {
        let hit = self.nearest.query(p, f64::INFINITY, &mut self.scratch);
        let distance = hit.unwrap().distance;
        if self.winding.encloses(p) {
            -distance
        } else {
            distance
        }
    }

    /// Adds a piece, and returns the distance at its middle.
    fn push(&mut self, heap: &mut BinaryHeap<Piece>, corners: [DVec3; 3]) -> f64 {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let reach = corners.map(|c| c.distance(middle));
        let distance = self.distance(middle);
        let lower = distance - reach.into_iter().fold(0.0, f64::max);
        heap.push(Piece { lower, corners });
        distance
    }

    /// Bounds on the smallest signed distance over the triangles, `within` of each other.
    pub fn smallest(
        &mut self,
        triangles: impl Iterator<Item = [DVec3; 3]>,
        within: f64,
    ) -> [f64; 2] {
        let (mut heap, mut best) = (BinaryHeap::new(), f64::INFINITY);
        for corners in triangles {
            best = best.min(self.push(&mut heap, corners));
        }
        loop {
            let piece = heap.pop().expect("what is split leaves pieces");
            if piece.lower >= best - within {
                return [piece.lower.min(best), best];
            }
            let [a, b, c] = piece.corners;
            let (ab, bc, ca) = ((a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0);
            for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
                best = best.min(self.push(&mut heap, part));
            }
        }
    }
}

fn random_pose(random: &mut Random, reach: f64) -> Pose {
    let turn = Quat::from_xyzw(
        random.signed() as f32,
        random.signed() as f32,
        random.signed() as f32,
        random.signed() as f32 + 0.01,
    );
    Pose {
        position: (random.in_cube() * reach).as_vec3(),
        rotation: turn.normalize(),
        ..Pose::default()
    }
}

fn moved(shape: &Shape, meeting: &Meeting) -> Vec<[DVec3; 3]> {
    let motion = meeting.motion();
    let place = |v: u32| motion.transform_point3(shape.positions[v as usize].as_dvec3());
    shape.triangles.iter().map(|t| t.map(place)).collect()
}

fn assert_holds(answer: &Proximity, truth: [f64; 2], label: &str) {
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    assert!(
        lower <= truth[1] && truth[0] <= upper,
        "{truth:?} is not in [{lower}, {upper}]: {label}, {answer:?}"
    );
}

#[test]
fn certificates_hold_the_exact_distance() {
    let devices = Checked::spreads();
    let bodies = [
        lumpy(40, 30),
        shapes::knot(0.35, 80, 12),
        shapes::cuboid(Vec3::new(1.0, 0.6, 0.8), 4),
    ];
    let others = [
        lumpy(24, 18).map(|p| 0.6 * p),
        shapes::knot(0.35, 60, 8).map(|p| 0.35 * p),
        shapes::cuboid(Vec3::new(0.3, 0.8, 0.2), 1),
    ];
    let meshes = devices
        .each_ref()
        .map(|device| (others.each_ref()).map(|s| device.context.create_mesh(input(s)).unwrap()));
    let (mut random, mut width, mut cells) = (Random::new(7), 0.0, 0.0);
    for (i, body) in bodies.iter().enumerate() {
        let mut truth = Truth::of(body);
        let storage = [Storage::Direction, Storage::Distance, Storage::Sparse][i];
        let fields = devices.each_ref().map(|Checked { context, .. }| {
            let id = context.create_mesh(input(body)).unwrap();
            let field = context.bake_field(id, request(storage, 48)).unwrap();
            context.wait_field(field, u64::MAX).unwrap();
            field
        });
        let grid = devices[0].context.field(fields[0]).unwrap().data.grid;
        let cell = f64::from(grid.spacing);
        for round in 0..66 * times() {
            let other = round % others.len();
            let (a, b) = (random_pose(&mut random, 5.0), random_pose(&mut random, 1.6));
            let b = Pose {
                position: a.position + b.position,
                ..b
            };
            let meetings = [0, 1].map(|d| {
                let (field, mesh) = (fields[d], meshes[d][other]);
                (devices[d].context.meeting((field, a), (mesh, b))).unwrap()
            });
            let triangles = moved(&others[other], &meetings[0]);
            let exact = truth.smallest(triangles.into_iter(), 1e-3);
            for (device, meeting) in devices.iter().zip(meetings) {
                let options = ProximityOptions::default();
                let answer = device.context.proximity(meeting, options).unwrap();
                let label = format!("body {i}, mesh {other}, pose {round}");
                assert_holds(&answer, exact, &label);
                if answer.in_domain {
                    width += f64::from(answer.upper - answer.lower) / cell;
                    cells += 1.0;
                    let value = f64::from(answer.distance);
                    assert!(
                        (value - exact[1]).abs() < 2.0 * cell || storage == Storage::Sparse,
                        "{exact:?} {label}, {answer:?}"
                    );
                }
            }
        }
    }
    // A certificate that is true but says nothing would hold as well.
    assert!(width / cells < 6.0, "{} cells wide", width / cells);
}
