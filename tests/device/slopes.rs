//! What every signed distance has, held to on values that the device sampled, with their intervals: no two differ by more than
//! their points are apart, and the gradient has length one.

use crate::support::ask::AskNow;
use crate::support::kinds::{KINDS, bake};
use crate::support::{Checked, times};
use fixtures::shapes::{self, Shape};
use glam::{DVec3, Vec3, Vec3Swizzles};
use proxel::field::data::Storage;
use proxel::field::grid::Grid;
use proxel::field::shape::Shape as Formula;
use proxel::geometry::random::Random;
use proxel::geometry::triangle::closest;
use proxel::query::sample::SampleResult;
use proxel::scene::pose::Pose;

fn anywhere(random: &mut Random, grid: &Grid) -> Vec3 {
    let domain = grid.domain();
    domain.min + (0.5 + 0.5 * random.in_cube_f32()) * domain.size()
}

/// How far the exact distance may be from the sampled one.
fn error(sample: &SampleResult) -> f64 {
    f64::from((sample.upper - sample.distance).max(sample.distance - sample.lower))
}

/// The exact distances differ by at most `|p - q|`, so no interval is farther than that from another.
fn assert_lipschitz(pair: [(&SampleResult, Vec3); 2]) {
    let [(s, p), (t, q)] = pair;
    let apart = p.as_dvec3().distance(q.as_dvec3());
    let gap =
        (f64::from(s.lower) - f64::from(t.upper)).max(f64::from(t.lower) - f64::from(s.upper));
    assert!(gap <= apart, "{s:?} at {p}, {t:?} at {q}: {gap} > {apart}");
}

#[test]
fn no_two_samples_differ_by_more_than_their_points_are_apart() {
    let checked = Checked::open();
    let context = &checked.context;
    let shapes = [
        shapes::torus(1.0, 0.4, 40, 20),
        shapes::knot(0.4, 120, 12),
        shapes::cuboid(Vec3::new(1.0, 0.3, 0.6), 3),
    ];
    for shape in &shapes {
        for kind in KINDS {
            let field = bake(&checked, shape, kind, 40);
            let grid = context.field(field).unwrap().data.grid;
            let mut random = Random::new(7);
            let mut points = Vec::new();
            for _ in 0..20_000 * times() {
                // A point, and another within three cells of it, to both sides of faces of cells and bricks.
                let p = anywhere(&mut random, &grid);
                points.extend([p, p + 3.0 * grid.spacing * random.in_cube_f32()]);
            }
            let samples = context
                .sample_field((field, Pose::default()), &points)
                .unwrap();
            let mut telling = 0;
            for i in 0..points.len() - 2 {
                // Its partner, and a stranger.
                for j in [i ^ 1, i + 2] {
                    assert_lipschitz([(&samples[i], points[i]), (&samples[j], points[j])]);
                    let apart = f64::from(points[i].distance(points[j]));
                    telling += usize::from(error(&samples[i]) + error(&samples[j]) < 0.5 * apart);
                }
            }
            assert!(
                2 * telling > points.len(),
                "{kind:?}: intervals too wide to tell in all but {telling} pairs"
            );
            context.destroy_field(field).unwrap();
        }
    }
}

/// The nearest point of all triangles.
fn nearest(shape: &Shape, p: DVec3) -> DVec3 {
    let surface = crate::support::surface(shape);
    (0..shape.triangles.len() as u32)
        .map(|t| closest::on_triangle(p, surface.corners_f64(t)).0)
        .min_by(|a, b| p.distance(*a).total_cmp(&p.distance(*b)))
        .unwrap()
}

/// Ways from random points towards the nearest of all triangles, and where they would end; half of them start close by, where
/// sparse fields are fine.
fn ways(shape: &Shape, grid: &Grid) -> (Vec<Vec3>, Vec<DVec3>) {
    let mut random = Random::new(11);
    let (mut points, mut ends) = (Vec::new(), Vec::new());
    for i in 0..1500 * times() {
        let mut start = anywhere(&mut random, grid);
        if i % 2 == 0 {
            let way = nearest(shape, start.as_dvec3()) - start.as_dvec3();
            let rest = 2.5 * f64::from(grid.spacing) / way.length();
            start = (start.as_dvec3() + way * (1.0 - rest).max(0.0)).as_vec3();
        }
        let end = nearest(shape, start.as_dvec3());
        points.extend([start, start.as_dvec3().lerp(end, 0.9).as_vec3()]);
        ends.push(end);
    }
    (points, ends)
}

/// On the way from a point to its nearest point that stays the nearest: there the distance falls by as much as one moves, on any
/// surface and on both its sides.
#[test]
fn on_the_way_to_the_surface_the_slope_is_one() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::knot(0.4, 240, 24);
    let mut found = None;
    for kind in KINDS {
        let field = bake(&checked, &shape, kind, 96);
        let grid = context.field(field).unwrap().data.grid;
        let (points, ends) = found.get_or_insert_with(|| ways(&shape, &grid));
        let samples = context
            .sample_field((field, Pose::default()), points)
            .unwrap();
        let mut telling = 0;
        for ((pair, at), end) in samples.chunks(2).zip(points.chunks(2)).zip(ends.iter()) {
            let ([s, t], [p, q]) = ([&pair[0], &pair[1]], [at[0], at[1]]);
            let outside = s.lower > 0.0;
            if !outside && s.upper >= 0.0 {
                continue;
            }
            let [p, q] = [p, q].map(|p| p.as_dvec3());
            let fallen = p.distance(*end) - q.distance(*end);
            // The second point was rounded: it is this far from the straight way.
            let aside = p.distance(q) - fallen + 1e-12;
            let fall = |from: f32, to: f32| f64::from(from) - f64::from(to);
            let (least, most) = if outside {
                (fall(s.lower, t.upper), fall(s.upper, t.lower))
            } else {
                (fall(t.lower, s.upper), fall(t.upper, s.lower))
            };
            assert!(
                least <= fallen + aside && fallen - aside <= most,
                "{fallen} is not in [{least}, {most}] from {p} to {q}, {kind:?}"
            );
            telling += usize::from(most - least < 0.7 * fallen);
        }
        assert!(telling > 150, "{kind:?}: only {telling} ways tell");
        context.destroy_field(field).unwrap();
    }
}

/// Points away from the medial axis of a torus around z: the circle in its tube, and the z axis. Half of them are within half a cell
/// of its surface.
fn off_the_axis(grid: &Grid, count: usize) -> Vec<(Vec3, bool)> {
    let mut random = Random::new(13);
    let mut points = Vec::new();
    while points.len() < count {
        let mut p = anywhere(&mut random, grid);
        let is_near = points.len() % 2 == 0;
        let circle = p.with_z(0.0).normalize();
        if is_near {
            let reach = 0.4 + 0.5 * grid.spacing * random.signed() as f32;
            p = circle + (p - circle).normalize() * reach;
        }
        let clear = 6.0 * grid.spacing;
        if p.distance(circle) > clear && p.xy().length() > clear {
            points.push((p, is_near));
        }
    }
    points
}

#[test]
fn the_gradient_has_length_one_away_from_the_medial_axis() {
    let checked = Checked::open();
    let context = &checked.context;
    let shape = shapes::torus(1.0, 0.4, 200, 100);
    // The formula's torus lies around y; the mesh's chords are this far below its circles at most.
    let formula = Formula::Torus {
        major: 1.0,
        minor: 0.4,
    };
    let exact = |p: Vec3| formula.distance(p.as_dvec3().xzy());
    let sagitta = |radius: f64, n: f64| radius * (1.0 - (std::f64::consts::PI / n).cos());
    let facet = sagitta(1.4, 200.0) + sagitta(0.4, 100.0);
    for kind in KINDS {
        let field = bake(&checked, &shape, kind, 64);
        let grid = context.field(field).unwrap().data.grid;
        let chosen = off_the_axis(&grid, 4000 * times());
        let mut points = Vec::new();
        for &(p, is_near) in &chosen {
            // Near the surface so short that no value is beyond one cell, where a sparse field blends.
            let step = if is_near { 0.5 } else { 2.0 } * grid.spacing;
            points.extend(Vec3::AXES.map(|axis| [p + step * axis, p - step * axis]));
        }
        let samples = context
            .sample_field((field, Pose::default()), points.as_flattened())
            .unwrap();
        let mut checked = 0;
        for ((samples, points), (p, is_near)) in samples.chunks(6).zip(points.chunks(3)).zip(chosen)
        {
            if samples.iter().any(|s| s.in_domain == 0) {
                continue;
            }
            let [mut sampled, mut by_formula, mut off] = [DVec3::ZERO; 3];
            for k in 0..3 {
                let (s, t) = (&samples[2 * k], &samples[2 * k + 1]);
                let [above, below] = points[k];
                let apart = f64::from(above[k]) - f64::from(below[k]);
                sampled[k] = (f64::from(s.distance) - f64::from(t.distance)) / apart;
                by_formula[k] = (exact(above) - exact(below)) / apart;
                off[k] = (error(s) + error(t) + 2.0 * facet) / apart;
            }
            let (length, truth) = (sampled.length(), by_formula.length());
            let what = format!("{kind:?}: a slope of {length}, by the formula {truth}, at {p}");
            assert!((length - truth).abs() <= off.length(), "{what}");
            // Far from the surface a sparse field's cells are eight times as large.
            if is_near || kind.0 != Storage::Sparse {
                assert!((length - 1.0).abs() < 0.05, "{what}");
                checked += 1;
            }
        }
        assert!(checked > 1000, "{kind:?}: only {checked} points");
        context.destroy_field(field).unwrap();
    }
}
