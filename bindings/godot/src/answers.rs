//! Answers as GDScript has them: dictionaries for one, packed arrays in a dictionary for many.

use crate::native::{
    PrxContact, PrxDistance, PrxExactIntersection, PrxNearPair, PrxPenalty, PrxProximity,
};
use godot::prelude::*;

pub fn vector([x, y, z]: [f32; 3]) -> Vector3 {
    Vector3::new(x, y, z)
}

fn narrowed(at: [f64; 3]) -> Vector3 {
    vector(at.map(|at| at as f32))
}

pub fn contacts(found: &[PrxContact]) -> VarDictionary {
    fn each<T, A: FromIterator<T>>(found: &[PrxContact], of: impl Fn(&PrxContact) -> T) -> A {
        found.iter().map(of).collect()
    }
    let points_a: PackedVector3Array = each(found, |it| narrowed(it.world_a));
    let points_b: PackedVector3Array = each(found, |it| narrowed(it.world_b));
    let normals: PackedVector3Array = each(found, |it| vector(it.normal));
    let separations: PackedFloat32Array = each(found, |it| it.separation);
    let lower: PackedFloat32Array = each(found, |it| it.lower);
    let upper: PackedFloat32Array = each(found, |it| it.upper);
    let areas: PackedFloat32Array = each(found, |it| it.area);
    let patches: PackedInt32Array = each(found, |it| it.patch as i32);
    let keys: PackedInt64Array = each(found, |it| it.key as i64);
    let previous: PackedInt32Array = each(found, |it| it.previous);
    vdict! {
        "count" => found.len() as i64, "points_a" => &points_a, "points_b" => &points_b, "normals" => &normals, "separations" => &separations,
        "lower" => &lower, "upper" => &upper, "areas" => &areas, "patches" => &patches, "keys" => &keys, "previous" => &previous,
    }
}

pub fn proximity(found: &PrxProximity) -> VarDictionary {
    vdict! {
        "distance" => found.distance, "lower" => found.lower, "upper" => found.upper, "point_a" => vector(found.point_field),
        "point_b" => vector(found.point_mesh), "direction" => vector(found.direction), "triangle" => i64::from(found.triangle),
        "in_domain" => found.in_domain != 0, "penetrating" => found.penetrating != 0,
    }
}

pub fn penalty(found: &PrxPenalty) -> VarDictionary {
    vdict! {
        "force_a" => vector(found.force_sum), "torque_a" => vector(found.torque_sum), "force_b" => vector(found.mesh_force_sum),
        "torque_b" => vector(found.mesh_torque_sum), "area" => found.area, "depth" => found.depth, "depth_lower" => found.depth_lower,
        "depth_upper" => found.depth_upper, "center" => vector(found.centroid),
    }
}

pub fn distance(found: &PrxDistance) -> VarDictionary {
    vdict! {
        "distance" => found.distance, "lower" => found.lower, "upper" => found.upper, "point_a" => vector(found.point_a),
        "point_b" => vector(found.point_b), "intersecting" => found.intersecting != 0,
    }
}

pub fn volume(found: &PrxExactIntersection) -> VarDictionary {
    vdict! {
        "volume" => found.volume, "lower" => found.lower, "upper" => found.upper, "center" => narrowed(found.centroid),
        "area_vector_a" => narrowed(found.area_vector_a), "area_vector_b" => narrowed(found.area_vector_b), "area_a" => found.area_a,
        "area_b" => found.area_b,
        "closed" => found.unbalanced_edges_a == 0 && found.unbalanced_edges_b == 0,
    }
}

pub fn near(found: &[PrxNearPair]) -> VarDictionary {
    let index = |at: u32| at as i32;
    let kinds: PackedInt32Array = found.iter().map(|it| it.kind as i32).collect();
    let features_a: PackedInt32Array = found
        .iter()
        .flat_map(|it| it.feature_a.map(index))
        .collect();
    let features_b: PackedInt32Array = found
        .iter()
        .flat_map(|it| it.feature_b.map(index))
        .collect();
    let distances: PackedFloat64Array = found.iter().map(|it| it.distance).collect();
    let directions: PackedVector3Array = found.iter().map(|it| vector(it.direction)).collect();
    let weights: PackedFloat64Array = found.iter().flat_map(|it| it.weights).collect();
    vdict! {
        "count" => found.len() as i64, "kinds" => &kinds, "features_a" => &features_a, "features_b" => &features_b,
        "distances" => &distances, "directions" => &directions, "weights" => &weights,
    }
}
