//! Whether the surface of a solid is where an inside meets an outside: then pseudonormals give the sign of every point.
//!
//! Angle-weighted pseudonormals tell the sides of a surface that does not meet itself (Baerentzen & Aanaes 2005). Of several shells,
//! each must also have the outside of all on its own outside: not so where one lies within another and both face outwards.

use super::winding::Winding;
use crate::geometry::hierarchy::dual::FittedSurface;
use crate::geometry::nearest::Nearest;
use crate::geometry::self_collision::{Neighbourhoods, self_intersections};
use crate::geometry::surface::Surface;
use crate::memory::{self, Gather};

/// Whether a solid surface is embedded. `winding` is asked for only if there are several shells.
pub fn is_embedded<'w>(
    surface: Surface,
    nearest: &Nearest,
    winding: impl FnOnce() -> &'w Winding,
) -> bool {
    let body = FittedSurface {
        surface,
        bvh: nearest.bvh(),
    };
    let known = Neighbourhoods::for_once(&surface);
    if self_intersections(body, &known, 0).is_err() {
        return false;
    }
    let shells = one_triangle_a_shell(surface);
    shells.len() <= 1 || faces_one_way(surface, &shells, winding())
}

/// On a shell the winding number of all but the touched triangle is the mean of both sides: one half, or minus one half when all is
/// inside out.
fn faces_one_way(surface: Surface, shells: &[u32], winding: &Winding) -> bool {
    let mut numbers = shells.iter().map(|&t| {
        let [a, b, c] = surface.corners_f64(t);
        winding.number_without(t, (a + b + c) / 3.0, 0.05)
    });
    let Some(first) = numbers.next() else {
        return true;
    };
    let is_half = |number: f64| (number.abs() - 0.5).abs() < 0.25;
    is_half(first) && numbers.all(|number| is_half(number) && (number > 0.0) == (first > 0.0))
}

/// The largest triangle of each connected part.
fn one_triangle_a_shell(surface: Surface) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..surface.positions.len() as u32).gather();
    for &[a, b, c] in surface.triangles {
        join(&mut parent, a, b);
        join(&mut parent, b, c);
    }
    let mut largest = memory::filled(None::<(f64, u32)>, parent.len());
    for (t, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = surface.corners_f64(t as u32);
        let area = (b - a).cross(c - a).length_squared();
        let shell = root(&mut parent, triangle[0]) as usize;
        if largest[shell].is_none_or(|(most, _)| area > most) {
            largest[shell] = Some((area, t as u32));
        }
    }
    largest.into_iter().flatten().map(|(_, t)| t).gather()
}

fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};
    use glam::Vec3;

    fn embedded(shape: &Shape) -> bool {
        let winding = Winding::build(shape.surface());
        is_embedded(shape.surface(), &Nearest::build(shape.surface()), || {
            &winding
        })
    }

    #[test]
    fn shells_are_embedded_when_they_are_apart_or_nest_with_alternate_sides() {
        let cube = shapes::cuboid(Vec3::ONE, 2);
        let small = shapes::cuboid(Vec3::splat(0.5), 3);
        assert!(embedded(&cube) && embedded(&cube.clone().flipped()));
        assert!(embedded(&cube.clone().with(&cube.clone().map(|p| p + 3.0))));
        assert!(embedded(&cube.clone().with(&small.clone().flipped())));
        assert!(embedded(&cube.clone().flipped().with(&small)));
        assert!(embedded(&shapes::knot(0.4, 100, 12)));
    }

    #[test]
    fn shells_are_not_embedded_when_they_cross_touch_nest_or_disagree() {
        let cube = shapes::cuboid(Vec3::ONE, 2);
        assert!(!embedded(
            &cube.clone().with(&shapes::cuboid(Vec3::splat(0.5), 3))
        ));
        assert!(!embedded(
            &cube.clone().with(&cube.clone().map(|p| p + 0.7))
        ));
        assert!(!embedded(
            &cube.clone().with(&cube.clone().map(|p| p + Vec3::X * 2.0))
        ));
        assert!(!embedded(
            &cube.clone().with(&cube.clone().flipped().map(|p| p + 3.0))
        ));
        // A tube so thick that it meets itself.
        assert!(!embedded(&shapes::knot(1.2, 100, 12)));
    }
}
