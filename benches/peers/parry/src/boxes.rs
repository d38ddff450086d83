//! Pairs of overlapping boxes that all move: parry3d's tree, refitted and improved each step as its broad phase does. The
//! boxes are those of `boxes.hpp`.

use crate::contest::{self, Arguments, Turn};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhWorkspace};
use std::f64::consts::TAU;

const SIZES: usize = 16;

fn part(i: usize, axis: usize) -> f64 {
    let steps = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703];
    (0.5 + steps[axis] * (i + 1) as f64).fract()
}

fn half(i: usize) -> Vector {
    let one = |k: usize| 0.2 + 0.02 * ((i % SIZES * 7 + k * 5) % SIZES) as f32;
    Vector::new(one(0), one(1), one(2))
}

/// The boxes of a step of a turn.
fn moved(places: &[[f32; 3]], turn: &Turn, step: usize) -> Vec<Aabb> {
    let each = |(i, place): (usize, &[f32; 3])| {
        let angle = TAU * (turn.fraction + part(i, 0)) + 0.1 * step as f64;
        let centre = Vector::new(
            place[0] + angle.cos() as f32,
            place[1] + angle.sin() as f32,
            place[2] + 0.5 * (2.0 * angle).sin() as f32,
        );
        Aabb::new(centre - half(i), centre + half(i))
    };
    places.iter().enumerate().map(each).collect()
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let count: usize = arguments
        .text("boxes")?
        .parse()
        .map_err(|_| "boxes= is no number".to_owned())?;
    let side = (count as f64).cbrt();
    let places: Vec<[f32; 3]> = (0..count)
        .map(|i| std::array::from_fn(|axis| (side * part(i, axis)) as f32))
        .collect();
    let (mut bvh, mut workspace) = (Bvh::new(), BvhWorkspace::default());
    contest::compete("parry3d, refitted and improved", |turn| {
        let steps: Vec<Vec<Aabb>> = (0..6).map(|step| moved(&places, turn, step)).collect();
        let (mut best, mut pairs) = (f64::INFINITY, 0);
        for (step, boxes) in steps.iter().enumerate() {
            let begin = contest::now();
            for (i, &aabb) in boxes.iter().enumerate() {
                bvh.insert_or_update_partially(aabb, i as u32, 0.0);
            }
            bvh.refit(&mut workspace);
            bvh.optimize_incremental(&mut workspace);
            pairs = 0;
            bvh.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
                pairs += u32::from(boxes[a as usize].intersects(&boxes[b as usize]));
            });
            // The first step comes from far away, and is not counted.
            if step > 0 {
                best = best.min(contest::now() - begin);
            }
        }
        Ok((best, vec![f64::from(pairs)]))
    })
}
