use super::*;
use crate::geometry::hierarchy::bvh::Bvh;
use crate::geometry::surface::AsSurface;
use fixtures::shapes::Shape;

mod brute_force;
mod exclusions;
mod features;
mod lists;

/// A shape with what a query keeps of it.
struct Ready {
    shape: Shape,
    bvh: Bvh,
    representatives: Representatives,
}

impl Ready {
    fn new(shape: Shape) -> Self {
        Self {
            bvh: Bvh::build(&shape.surface().triangle_boxes()),
            representatives: Representatives::new(&shape.triangles, shape.positions.len()),
            shape,
        }
    }

    fn body(&self) -> NearBody<'_> {
        NearBody {
            body: FittedSurface {
                surface: self.shape.surface(),
                bvh: &self.bvh,
            },
            representatives: &self.representatives,
        }
    }
}

fn plain(thickness: f64) -> NearRule<'static> {
    NearRule {
        thickness: Thickness {
            uniform: thickness,
            per_vertex: [None; 2],
        },
        exclusions: Exclusions::default(),
    }
}
