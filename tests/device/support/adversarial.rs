//! Small bodies on an integer grid, made to be hard: what floats round and screens do not resolve, with exact answers.

use fixtures::integer_oracle::{Cell, triangles_meet, within};
use fixtures::shapes::Shape;
use glam::{Quat, Vec3};
use proxel::geometry::random::Random;
use proxel::scene::pose::Pose;

type Corners = [Cell; 3];

/// Two bodies, where the second stands, and how near is near.
#[derive(Debug)]
pub struct Configuration {
    a: Vec<Corners>,
    b: Vec<Corners>,
    /// The axis of a half turn of the second body, if any: one that floats can do exactly.
    turn: Option<usize>,
    shift: Cell,
    /// The grid's spacing, as a power of two.
    spacing: i32,
    /// Near is at most `reach / unit` cells; 0 for sharing a point.
    reach: i128,
    unit: i128,
}

/// Kinds of configurations.
pub const KINDS: usize = 10;

impl Configuration {
    /// The configuration of a number; kinds come in turns.
    pub fn new(number: u64) -> Self {
        let mut random = Random::new(number.wrapping_mul(0x9e37) ^ 0x5eed);
        let r = &mut random;
        let kind = number as usize % KINDS;
        let spread = [3, 20, 900, 40, 6, 6, 30, 200, 2, 500][kind];
        let count = 2 + r.below(7);
        let mut a: Vec<Corners> = (0..count).map(|_| some(r, kind, spread)).collect();
        let mut b: Vec<Corners> = (0..2 + r.below(7)).map(|_| some(r, kind, spread)).collect();
        match kind {
            // Corners of one on faces of the other, corners that touch edges, edges through edges.
            4 | 5 => {
                a = a.iter().map(|t| t.map(|p| p.map(|x| 12 * x))).collect();
                b = b.iter().map(|t| t.map(|p| p.map(|x| 12 * x))).collect();
                for (t, from) in b.iter_mut().zip(&a) {
                    t[0] = weighted(
                        from,
                        [[4, 4, 4], [6, 6, 0], [12, 0, 0], [3, 4, 5]][r.below(4)],
                    );
                    if kind == 5 {
                        t[1] = weighted(
                            from,
                            [[0, 6, 6], [2, 2, 8], [0, 12, 0], [-6, 6, 12]][r.below(4)],
                        );
                    }
                }
            }
            // Far smaller than the whole: below any pixel.
            2 => {
                for t in a.iter_mut().chain(&mut b) {
                    let small = some(r, 0, 2);
                    *t = small.map(|p| add(p, t[0].map(|x| 300 * x / 900 * 1000)));
                }
                for (t, near) in b.iter_mut().zip(&a) {
                    if r.below(2) == 0 {
                        let small = some(r, 0, 2);
                        *t = small.map(|p| add(p, near[0]));
                    }
                }
            }
            _ => {}
        }
        let turn = [None, None, Some(0), Some(1), Some(2)][r.below(5)];
        let step = |r: &mut Random| r.below(9) as i128 - 4;
        let shift = match r.below(3) {
            0 => [0; 3],
            _ => [step(r), step(r), step(r)],
        };
        let (reach, unit) = match (number / KINDS as u64) % 3 {
            0 => (0, 1),
            1 => (1 + r.below(6) as i128, 1),
            // As near to a tie as the grid lets the oracle decide.
            _ => (
                ((1 + r.below(6) as i128) << 20) + r.below(3) as i128 - 1,
                1 << 20,
            ),
        };
        Self {
            a,
            b: b.into_iter()
                .map(|t| t.map(|p| turned(minus(p, shift), turn)))
                .collect(),
            turn,
            shift,
            spacing: [0, -130, 22, -40][r.below(4)],
            reach,
            unit,
        }
    }

    fn cell(&self) -> f32 {
        2f64.powi(self.spacing) as f32
    }

    /// Both bodies as meshes, the second in its own frame.
    pub fn shapes(&self) -> [Shape; 2] {
        [&self.a, &self.b].map(|triangles| Shape {
            positions: triangles
                .iter()
                .flatten()
                .map(|p| Vec3::from(p.map(|x| x as f32)) * self.cell())
                .collect(),
            triangles: (0..triangles.len() as u32)
                .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
                .collect(),
        })
    }

    /// Where the second body stands.
    pub fn pose(&self) -> Pose {
        let mut axis = [0.0, 0.0, 0.0, 1.0];
        if let Some(k) = self.turn {
            axis = [0.0; 4];
            axis[k] = 1.0;
        }
        Pose {
            position: Vec3::from(self.shift.map(|x| x as f32)) * self.cell(),
            rotation: Quat::from_array(axis),
            ..Pose::default()
        }
    }

    /// How near is near, in length.
    pub fn within(&self) -> f64 {
        self.reach as f64 / self.unit as f64 * f64::from(self.cell())
    }

    /// The pairs that share a point or are near, from integers alone.
    pub fn truth(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (i, a) in self.a.iter().enumerate() {
            for (j, b) in self.b.iter().enumerate() {
                let b = b.map(|p| add(turned(p, self.turn), self.shift));
                if triangles_meet(a, &b) || (self.reach > 0 && within(a, &b, self.reach, self.unit))
                {
                    pairs.push([i as u32, j as u32]);
                }
            }
        }
        pairs
    }
}

/// A triangle of a kind, with corners at most `spread` from the origin on each axis.
fn some(r: &mut Random, kind: usize, spread: i128) -> Corners {
    let point = |r: &mut Random, spread: i128| -> Cell {
        [0; 3].map(|_: i128| r.below(2 * spread as usize + 1) as i128 - spread)
    };
    let any = [point(r, spread), point(r, spread), point(r, spread)];
    match kind {
        // In a plane along two axes, or in a slanted one.
        1 => any.map(|p| [p[0], p[1], 3]),
        3 => any.map(|p| [p[0], p[1], 2 * p[0] - p[1]]),
        // Slivers: three corners nearly in line.
        6 | 9 => {
            let (from, way) = (any[0], point(r, spread / 3 + 1));
            let at = |k: i128, off: Cell| add(add(from, way.map(|x| k * x)), off);
            [
                from,
                at(2, point(r, 1)),
                at(1, if kind == 9 { [0; 3] } else { point(r, 1) }),
            ]
        }
        // Repeated corners: segments and points.
        8 => [any[0], any[r.below(2)], any[r.below(3)]],
        _ => any,
    }
}

fn add(a: Cell, b: Cell) -> Cell {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: Cell, b: Cell) -> Cell {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A half turn is its own inverse.
fn turned(p: Cell, turn: Option<usize>) -> Cell {
    let sign = |k: usize| {
        if turn.is_some_and(|axis| axis != k) {
            -1
        } else {
            1
        }
    };
    [sign(0) * p[0], sign(1) * p[1], sign(2) * p[2]]
}

/// A point with weights that add up to 12, of corners that are multiples of 12.
fn weighted(t: &Corners, weights: [i128; 3]) -> Cell {
    let along = |k: usize| (0..3).map(|c| weights[c] * t[c][k]).sum::<i128>() / 12;
    [along(0), along(1), along(2)]
}
