//! Discs are discs, sound surfaces are proved, and overlaps that face one way are not.

use super::*;
use crate::geometry::random::{Random, cases};
use crate::geometry::surface::AsSurface;
use crate::geometry::triangle::predicates::area_sign;
use fixtures::shapes::{self, Shape};
use std::collections::{HashMap, HashSet};

fn grow(shape: &Shape) -> Regions {
    let adjacency = Adjacency::of(&shape.triangles, shape.positions.len());
    Regions::new(&shape.surface(), &adjacency)
}

/// Every disc has one closed contour of different vertices and the Euler characteristic of a disc.
fn assert_discs(shape: &Shape) -> Regions {
    let regions = grow(shape);
    for layer in &regions.layers {
        let mut taken = HashSet::new();
        for disc in 0..layer.starts.len() - 1 {
            let corners = layer.corners(disc);
            let vertices: HashSet<u32> = corners.iter().flatten().copied().collect();
            let mut uses: HashMap<[u32; 2], i32> = HashMap::new();
            for &[a, b, c] in corners {
                for [p, q] in [[a, b], [b, c], [c, a]] {
                    *uses.entry([p.min(q), p.max(q)]).or_default() += 1;
                }
            }
            let euler = vertices.len() as i64 - uses.len() as i64 + corners.len() as i64;
            assert_eq!(euler, 1);
            let contour = layer.contour(disc);
            let different: HashSet<u32> = contour.iter().copied().collect();
            assert_eq!(different.len(), contour.len());
            let rim = uses.values().filter(|&&n| n == 1).count();
            assert_eq!(rim, contour.len());
            for k in 0..contour.len() {
                let (p, q) = (contour[k], contour[(k + 1) % contour.len()]);
                assert_eq!(uses[&[p.min(q), p.max(q)]], 1);
            }
            let inner = layer.starts[disc][2]..layer.starts[disc + 1][2];
            assert_eq!(inner.len() + contour.len(), vertices.len());
            let members = (0..shape.triangles.len()).filter(|&t| layer.discs[t] == disc as u32);
            for t in members {
                assert!(taken.insert(t) && corners.contains(&shape.triangles[t]));
            }
        }
        assert_eq!(taken.len(), layer.corners.len());
    }
    regions
}

/// The share of triangles in proved discs of some layer.
fn proved(regions: &Regions, shape: &Shape) -> f64 {
    let surface = shape.surface();
    let inside = regions.prove(&surface).of_triangles();
    let there = inside.iter().filter(|i| !i.is_nowhere()).count();
    there as f64 / inside.len() as f64
}

#[test]
fn smooth_surfaces_are_proved_almost_everywhere() {
    for shape in [
        shapes::sphere(1.0, 60, 40),
        shapes::torus(1.0, 0.4, 80, 40),
        shapes::cuboid(Vec3::ONE, 12),
        shapes::knot(0.3, 300, 30),
    ] {
        let regions = assert_discs(&shape);
        let share = proved(&regions, &shape);
        assert!(share > 0.9, "{share}");
    }
}

/// A ramp that winds around its axis: all of it faces up, and every turn is above the one before.
fn ramp(turns: f32, rise: f32) -> Shape {
    let (along, across) = (60, 4u32);
    let positions = (0..=along)
        .flat_map(|k| (0..=across).map(move |r| (k, r)))
        .map(|(k, r)| {
            let angle = turns * std::f32::consts::TAU * k as f32 / along as f32;
            let radius = 1.0 + r as f32 / across as f32;
            Vec3::new(radius * angle.cos(), radius * angle.sin(), rise * angle)
        })
        .collect();
    let side = across + 1;
    let corner = (0..along as u32).flat_map(|k| (0..across).map(move |r| k * side + r));
    let triangles = corner
        .flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]])
        .collect();
    Shape {
        positions,
        triangles,
    }
}

#[test]
fn facing_one_way_is_not_enough() {
    let below_one = ramp(0.9, 0.01);
    let regions = assert_discs(&below_one);
    assert_eq!(proved(&regions, &below_one), 1.0);
    // The same discs on a ramp of two turns: each still faces up. Those that go around more than once must not pass.
    let twice = ramp(2.0, 0.01);
    let surface = twice.surface();
    let upwards = surface.triangles.iter().all(|t| {
        let [a, b, c] = t.map(|v| surface.positions.at(v));
        area_sign(2, a, b, c) > 0
    });
    assert!(upwards);
    let proof = regions.prove(&surface);
    for (layer, proved) in regions.layers.iter().zip(&proof.proved) {
        for disc in (0..proved.len()).filter(|&d| proved[d]) {
            // One turn has half of the triangles.
            assert!(layer.corners(disc).len() <= twice.triangles.len() / 2);
        }
    }
    assert!(proof.proved[0].contains(&false));
}

#[test]
fn soups_grow_discs_only() {
    let mut random = Random::new(63);
    for _ in 0..cases(200) {
        let vertices = 6 + random.below(20);
        let positions = (0..vertices).map(|_| random.in_cube_f32()).collect();
        let triangles = (0..60)
            .map(|_| [0; 3].map(|_| random.below(vertices) as u32))
            .collect();
        assert_discs(&Shape {
            positions,
            triangles,
        });
    }
    assert_discs(&Shape::default());
}
