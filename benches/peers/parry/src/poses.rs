//! Where mesh B is in a turn, and how it deforms: the same as `benches/poses.hpp`.

use crate::contest::{Mesh, Turn};
use std::f64::consts::TAU;

/// A quaternion (x y z w) and a translation.
pub struct Placement {
    pub rotation: [f64; 4],
    pub translation: [f64; 3],
}

impl Placement {
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.rotation;
        let t = [
            2.0 * (y * p[2] - z * p[1]),
            2.0 * (z * p[0] - x * p[2]),
            2.0 * (x * p[1] - y * p[0]),
        ];
        [
            p[0] + w * t[0] + y * t[2] - z * t[1] + self.translation[0],
            p[1] + w * t[1] + z * t[0] - x * t[2] + self.translation[1],
            p[2] + w * t[2] + x * t[1] - y * t[0] + self.translation[2],
        ]
    }
}

/// "sweep": from one to two box lengths along x. "at_X": a random rotation (Shoemake) about B's centre, X longest extents
/// away; "rotate": the same, 1.5 extents away. "through": twelve places where two bodies overlap. "same": B is where A is.
/// "closing" and "parting": twelve steps along x with 720 orientations each, in 8640 turns.
pub fn placement(motion: &str, mesh: &Mesh, turn: &Turn) -> Placement {
    let mut placed = Placement {
        rotation: [0.0, 0.0, 0.0, 1.0],
        translation: [0.0; 3],
    };
    if motion == "same" {
        return placed;
    }
    if motion == "sweep" {
        placed.translation[0] = (1.0 + turn.fraction) * (mesh.high[0] as f64 - mesh.low[0] as f64);
        return placed;
    }
    if motion == "through" {
        let step = (12.0 * turn.fraction).floor() / 12.0;
        let half = 0.05 + 0.3 * step;
        placed.rotation = [
            half.sin() * 0.36,
            half.sin() * 0.48,
            half.sin() * 0.8,
            half.cos(),
        ];
        placed.translation[0] = (0.1 + 0.7 * step) * (mesh.high[0] as f64 - mesh.low[0] as f64);
        return placed;
    }
    if motion == "closing" || motion == "parting" {
        let (step, orientation) = (turn.round % 12, turn.round / 12 * 277 % 720);
        let half = TAU / 720.0 * (orientation % 360) as f64;
        placed.rotation[if orientation < 360 { 1 } else { 2 }] = half.sin();
        placed.rotation[3] = half.cos();
        let first = if motion == "closing" { 0.0 } else { 1.0 };
        return about_centre(placed, mesh, first + (step as f64 + 0.5) / 12.0);
    }
    let round = turn.round as f64;
    let (u, v, w) = (
        turn.fraction,
        round * 0.7548776662466927 % 1.0,
        round * 0.5698402909980532 % 1.0,
    );
    let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
    placed.rotation = [
        a * (TAU * v).sin(),
        a * (TAU * v).cos(),
        b * (TAU * w).sin(),
        b * (TAU * w).cos(),
    ];
    let extents = motion.strip_prefix("at_").map_or(Ok(1.5), str::parse);
    about_centre(placed, mesh, extents.expect("motion=at_X has a number"))
}

/// A rotation about a mesh's centre, then so many of its longest extents along x.
fn about_centre(mut placed: Placement, mesh: &Mesh, extents: f64) -> Placement {
    let centre: [f64; 3] =
        std::array::from_fn(|i| (mesh.low[i] as f64 + mesh.high[i] as f64) / 2.0);
    let turned = placed.apply(centre);
    placed.translation = std::array::from_fn(|i| centre[i] - turned[i]);
    placed.translation[0] += extents * mesh.longest();
    placed
}

/// B's positions when it deforms: a wave of this part of its size runs through it, then the pose is applied.
pub fn deformed(mesh: &Mesh, placed: &Placement, turn: &Turn, amount: f64) -> Vec<[f32; 3]> {
    let (size, phase) = (mesh.longest(), TAU * turn.fraction);
    let wave = |p: &[f32; 3]| {
        let moved = std::array::from_fn(|axis| {
            p[axis] as f64 + amount * size * (12.0 * p[(axis + 1) % 3] as f64 / size + phase).sin()
        });
        placed.apply(moved).map(|x| x as f32)
    };
    mesh.points.iter().map(wave).collect()
}

/// Body `k` of several: each turns at random about its centre, on the corners of squares 1.5 extents wide, and waves.
pub fn body(mesh: &Mesh, turn: &Turn, k: usize, wave: f64) -> Vec<[f32; 3]> {
    let own = Turn {
        round: 7 * turn.round + k as u64,
        fraction: (turn.fraction + 0.38 * k as f64) % 1.0,
    };
    let mut placed = placement("rotate", mesh, &own);
    placed.translation[0] += 1.5 * mesh.longest() * (k as f64 % 2.0 - 1.0);
    placed.translation[1] += 1.5 * mesh.longest() * (k / 2) as f64;
    deformed(mesh, &placed, &own, wave)
}
