//! Contacts of random poses against an exact oracle: what their intervals hold, how deep the deepest is, and that none is missed.
//!
//! `PROXEL_SWEEP=N` asks N times as many poses, of which there are 24.

use crate::contacts::{near, solid};
use crate::proximity_truth::Truth;
use crate::support::ask::AskNow;
use crate::support::contact::turned;
use crate::support::{Checked, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Quat, Vec3};
use proxel::context::Context;
use proxel::field::data::Storage;
use proxel::geometry::random::Random;
use proxel::query::body::ContactBody;
use proxel::query::contacts::{Contact, ContactOptions};

/// How near contacts are asked for.
pub const DISTANCE: f64 = 0.02;
/// What rounding does to a distance.
const ROUNDING: f64 = 4e-6;
/// How exactly the oracle knows the deepest point.
const WITHIN: f64 = 1e-3;

struct Kind {
    shape: Shape,
    body: ContactBody,
}

/// A body as it lies, and its shape.
struct Placed<'a> {
    shape: &'a Shape,
    body: ContactBody,
}

impl Placed<'_> {
    fn to_world(&self, p: Vec3) -> DVec3 {
        let scaled = f64::from(self.body.scale) * p.as_dvec3();
        self.body.position + self.body.matrix() * scaled
    }

    fn to_own(&self, p: DVec3) -> DVec3 {
        self.body.matrix().transpose() * (p - self.body.position) / f64::from(self.body.scale)
    }

    /// By how much its field may be off.
    fn error(&self) -> f64 {
        let field = self.body.field.as_ref().unwrap();
        f64::from(self.body.scale) * f64::from(field.data.error()) + ROUNDING
    }

    /// From one sample on an edge or a large face to the next.
    fn spacing(&self) -> f64 {
        let grid = &self.body.field.as_ref().unwrap().data.grid;
        let sample = (grid.domain().size().max_element() / 64.0).max(grid.spacing);
        f64::from(self.body.scale) * f64::from(sample)
    }
}

/// A knot, a rabbit, a box and a torus.
pub fn shapes_to_meet() -> [Shape; 4] {
    [
        shapes::knot(0.3, 60, 10).map(|p| 0.4 * p),
        shapes::rabbit(28, 20).map(|p| 0.7 * p),
        shapes::cuboid(Vec3::new(0.5, 0.3, 0.4), 1),
        shapes::torus(0.6, 0.2, 24, 12),
    ]
}

/// Where a body lies.
pub struct Lying {
    rotation: Quat,
    scale: f32,
    position: DVec3,
}

/// Anywhere near others.
pub fn any_pose(random: &mut Random) -> Lying {
    Lying {
        rotation: turned(random),
        scale: if random.below(2) == 0 { 1.0 } else { 0.75 },
        position: random.in_cube() * 0.5 + DVec3::splat(3.0),
    }
}

impl Lying {
    /// A body that lies so.
    pub fn of(&self, body: &ContactBody) -> ContactBody {
        ContactBody {
            rotation: self.rotation,
            scale: self.scale,
            position: self.position,
            ..body.clone()
        }
    }
}

fn kinds(context: &Context, storage: Storage) -> Vec<Kind> {
    let kind = |shape: Shape| Kind {
        body: solid(context, &shape, storage, 40),
        shape,
    };
    shapes_to_meet().into_iter().map(kind).collect()
}

/// All contacts of two bodies, unreduced.
pub fn all_contacts(context: &Context, bodies: [ContactBody; 2]) -> Vec<Contact> {
    let options = ContactOptions {
        points: 0,
        budget: 8192,
        ..near(DISTANCE as f32)
    };
    context.contacts(bodies, options).unwrap().contacts
}

#[test]
fn contacts_of_random_poses_hold_the_truth_and_none_is_missed() {
    let checked = Checked::open();
    let context = &checked.context;
    let mut random = Random::new(15);
    let mut seen = 0;
    for storage in [Storage::Distance, Storage::Direction, Storage::Sparse] {
        let kinds = kinds(context, storage);
        let mut truths: Vec<Truth> = kinds.iter().map(|kind| Truth::of(&kind.shape)).collect();
        for round in 0..8 * times() {
            let numbers = [0; 2].map(|_| random.below(kinds.len()));
            let [a, b] = numbers.map(|number| Placed {
                shape: &kinds[number].shape,
                body: any_pose(&mut random).of(&kinds[number].body),
            });
            let label = format!("{storage:?} {round}, {numbers:?}");
            let found = all_contacts(context, [a.body.clone(), b.body.clone()]);
            for c in &found {
                let (field, truth, point) = match c.on_b {
                    true => (&a, &mut truths[numbers[0]], c.world_b),
                    false => (&b, &mut truths[numbers[1]], c.world_a),
                };
                assert_holds(c, field, truth, point, &label);
            }
            seen += found.len();
            let surface = ContactBody {
                field: None,
                ..b.body.clone()
            };
            let side = all_contacts(context, [a.body.clone(), surface]);
            assert_nothing_is_missed(&side, &a, &b, &mut truths[numbers[0]], &label);
        }
    }
    assert!(seen > 100, "{seen}");
}

/// The interval holds the exact signed distance, and the normal is one.
fn assert_holds(c: &Contact, field: &Placed, truth: &mut Truth, point: DVec3, label: &str) {
    let exact = f64::from(field.body.scale) * truth.distance(field.to_own(point));
    let [lower, upper] = c.bounds.map(f64::from);
    assert!(
        lower - ROUNDING <= exact && exact <= upper + ROUNDING,
        "{label}: {exact}, {c:?}"
    );
    assert!((c.normal.length() - 1.0).abs() < 1e-5, "{label}: {c:?}");
}

/// Of B's surface in A's field: each connected part of it that is below the distance has a contact as deep as its deepest vertex, and the
/// deepest contact is as deep as any point of the surface, both but for what the field is off by. Between samples of edges and faces a minimum
/// can be as much lower as they are apart.
fn assert_nothing_is_missed(
    contacts: &[Contact],
    a: &Placed,
    b: &Placed,
    truth: &mut Truth,
    label: &str,
) {
    let (scale, error) = (f64::from(a.body.scale), a.error());
    let own = |p: &Vec3| a.to_own(b.to_world(*p));
    let places: Vec<DVec3> = b.shape.positions.iter().map(own).collect();
    let values: Vec<f64> = (places.iter())
        .map(|p| scale * truth.distance(*p))
        .collect();
    for (part, deepest) in parts_below(b.shape, &values, DISTANCE - error) {
        if deepest >= DISTANCE - 3.0 * error {
            continue;
        }
        // Down from a vertex it can go through a face into the next, where no other vertex is as deep.
        let touches = |t: &&[u32; 3], part: &[u32]| t.iter().any(|v| part.contains(v));
        let around = b.shape.triangles.iter().filter(|t| touches(t, &part));
        let around: Vec<u32> = around.flatten().copied().collect();
        let is_near = |c: &&Contact| touches(&&b.shape.triangles[c.triangle as usize], &around);
        let found = (contacts.iter().filter(is_near)).map(|c| f64::from(c.bounds[0]));
        let found = found.fold(f64::INFINITY, f64::min);
        assert!(
            found <= deepest + error,
            "{label}: {found} for {deepest}, {error}, {part:?}"
        );
    }
    let triangles = b
        .shape
        .triangles
        .iter()
        .map(|t| t.map(|v| places[v as usize]));
    let exact = truth.smallest(triangles, WITHIN).map(|d| scale * d);
    if exact[1] >= DISTANCE - error {
        return;
    }
    let deepest = contacts.iter().map(|c| f64::from(c.separation));
    let deepest = deepest.fold(f64::INFINITY, f64::min);
    assert!(
        deepest >= exact[0] - 2.0 * error,
        "{label}: {deepest} for {exact:?}"
    );
    assert!(
        deepest <= exact[1] + 2.0 * error + a.spacing(),
        "{label}: {deepest} for {exact:?}, {error}"
    );
}

/// The vertices of each connected part of a surface whose values are below a limit, and its smallest value.
fn parts_below(shape: &Shape, values: &[f64], limit: f64) -> Vec<(Vec<u32>, f64)> {
    let mut first: Vec<u32> = (0..values.len() as u32).collect();
    let is_below = |v: u32| values[v as usize] < limit;
    loop {
        let mut changed = false;
        for &[u, v, w] in &shape.triangles {
            for (p, q) in [(u, v), (v, w), (w, u)] {
                let least = first[p as usize].min(first[q as usize]);
                if is_below(p) && is_below(q) && first[p as usize] != first[q as usize] {
                    (first[p as usize], first[q as usize]) = (least, least);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut parts: Vec<(u32, Vec<u32>, f64)> = Vec::new();
    for v in (0..values.len() as u32).filter(|&v| is_below(v)) {
        let (root, value) = (first[v as usize], values[v as usize]);
        match parts.iter_mut().find(|(of, ..)| *of == root) {
            Some((_, all, least)) => {
                all.push(v);
                *least = least.min(value);
            }
            None => parts.push((root, vec![v], value)),
        }
    }
    parts
        .into_iter()
        .map(|(_, all, least)| (all, least))
        .collect()
}
