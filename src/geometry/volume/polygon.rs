//! Triangles for a flat polygon with holes that have exactly its corners: those that lie on a straight line or in one place too, so that neighbours across
//! its sides keep the same corners. (Libraries for this leave such corners out.)
//!
//! Holes are joined to the rim around them by a bridge, then ears are cut off one by one. Where rounding leaves no ear, the flattest corner goes: what
//! is sewn together stays so, and only slivers can overlap.

use super::outline::encloses;
use crate::interrupt;
use crate::memory::{self, Gather};
use glam::DVec2;
use std::collections::HashMap;

/// Closed loops that go through all of these directed lines, each once. Loops of two lines, to and fro, are left out. None when the lines do not close.
pub(super) fn loops(lines: &[[u32; 2]]) -> Option<Vec<Vec<u32>>> {
    let mut leaving: HashMap<u32, Vec<u32>> = HashMap::new();
    for [from, to] in lines {
        memory::ensure_map(&mut leaving, 1);
        memory::add(leaving.entry(*from).or_default(), *to);
    }
    let mut found = Vec::new();
    let mut on_path: HashMap<u32, usize> = HashMap::new();
    for [start, _] in lines {
        let mut path = Vec::new();
        let mut at = *start;
        while let Some(next) = leaving.get_mut(&at).and_then(Vec::pop) {
            memory::ensure_map(&mut on_path, 1);
            on_path.insert(at, path.len());
            memory::add(&mut path, at);
            at = next;
            // Back at a corner of the path: what lies between is a loop for itself.
            if let Some(&first) = on_path.get(&at) {
                let closed = memory::copied(&path[first..]);
                path.truncate(first);
                for corner in &closed {
                    on_path.remove(corner);
                }
                if closed.len() > 2 {
                    memory::add(&mut found, closed);
                }
            }
        }
        if !path.is_empty() {
            return None;
        }
    }
    Some(found)
}

/// Triangles of what the loops enclose, which have it on their left.
pub(super) fn triangles(loops: Vec<Vec<u32>>, at: impl Fn(u32) -> DVec2) -> Vec<[u32; 3]> {
    let area = |rim: &[u32]| -> f64 { sides(rim).map(|[a, b]| at(a).perp_dot(at(b))).sum() };
    let (mut polygons, mut holes) = (Vec::new(), Vec::new());
    for closed in loops {
        match area(&closed) {
            size if size < 0.0 => memory::add(&mut holes, closed),
            size => memory::add(&mut polygons, (size, closed, Vec::new())),
        }
    }
    // The smallest rim around a hole is its own.
    polygons.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut lone = Vec::new();
    for hole in holes {
        let inside = at(hole[0]);
        let around = polygons.iter_mut().find(|(_, rim, _)| {
            let lines = sides(rim).map(|ends| (ends.map(&at), 1.0));
            encloses(lines, inside)
        });
        match around {
            Some((_, _, within)) => memory::add(within, hole),
            None => memory::add(&mut lone, (0.0, hole, Vec::new())),
        }
    }
    let mut found = Vec::new();
    for (_, rim, holes) in polygons.into_iter().chain(lone) {
        interrupt::check();
        cut_ears(&bridged(rim, holes, &at), &at, &mut found);
    }
    found
}

fn sides(rim: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..rim.len()).map(|i| [rim[i], rim[(i + 1) % rim.len()]])
}

/// Above zero when the turn from a to b to c is to the left.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - b)
}

/// One loop around everything, with two lines in one place where a hole is joined on.
fn bridged(mut rim: Vec<u32>, mut holes: Vec<Vec<u32>>, at: &impl Fn(u32) -> DVec2) -> Vec<u32> {
    // The rightmost first: to its right there are only the rim and holes that are joined on (D. Eberly, Triangulation by Ear Clipping).
    let rightmost = |hole: &[u32]| {
        let places = hole.iter().enumerate();
        let last = places.max_by(|a, b| at(*a.1).x.total_cmp(&at(*b.1).x));
        last.map_or(0, |(i, _)| i)
    };
    for hole in &mut holes {
        let first = rightmost(hole);
        hole.rotate_left(first);
    }
    holes.sort_unstable_by(|a, b| at(b[0]).x.total_cmp(&at(a[0]).x).then(a.cmp(b)));
    for (next, hole) in holes.iter().enumerate() {
        let from = at(hole[0]);
        let mut nearest = (0..rim.len()).gather();
        nearest.sort_unstable_by(|a, b| {
            let far = |i: usize| at(rim[i]).distance_squared(from);
            far(*a).total_cmp(&far(*b)).then(a.cmp(b))
        });
        let is_free = |to: DVec2| {
            let waiting = holes[next..].iter().flat_map(|hole| sides(hole));
            !(sides(&rim).chain(waiting)).any(|ends| cross(ends.map(at), [from, to]))
        };
        let is_seen = |i: &usize| opens_to(&rim, *i, from, at) && is_free(at(rim[*i]));
        let end = nearest.iter().copied().find(is_seen);
        let end = end.unwrap_or(nearest[0]);
        let mut joined = memory::room(rim.len() + hole.len() + 2);
        for part in [&rim[..=end], hole, &[hole[0]], &rim[end..]] {
            joined.extend_from_slice(part);
        }
        rim = joined;
    }
    rim
}

/// Whether a corner of a loop has a point within the angle between its sides.
fn opens_to(rim: &[u32], i: usize, point: DVec2, at: &impl Fn(u32) -> DVec2) -> bool {
    let count = rim.len();
    let [before, corner, after] = [i + count - 1, i, i + 1].map(|i| at(rim[i % count]));
    let left_of_both = [
        turn(before, corner, point) > 0.0,
        turn(corner, after, point) > 0.0,
    ];
    if turn(before, corner, after) > 0.0 {
        left_of_both == [true, true]
    } else {
        left_of_both != [false, false]
    }
}

/// Whether two lines pass through each other; not when they only touch.
fn cross([a, b]: [DVec2; 2], [p, q]: [DVec2; 2]) -> bool {
    let apart = |x: f64, y: f64| (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
    apart(turn(a, b, p), turn(a, b, q)) && apart(turn(p, q, a), turn(p, q, b))
}

/// Adds the triangles of one loop: two fewer than it has corners.
fn cut_ears(rim: &[u32], at: &impl Fn(u32) -> DVec2, found: &mut Vec<[u32; 3]>) {
    let count = rim.len();
    let places = rim.iter().map(|corner| at(*corner)).gather();
    let mut next = (1..=count).map(|i| i % count).gather();
    let mut before = (0..count).map(|i| (i + count - 1) % count).gather();
    let (mut left, mut i, mut tries) = (count, 0, 0);
    // The turn of each corner that is left, and, after a round without an ear, the flattest.
    while left > 2 {
        let [a, b] = [before[i], next[i]];
        let is_flattest = tries > left && {
            let mut corners = std::iter::successors(Some(next[i]), |j| Some(next[*j])).take(left);
            let flat = |j: usize| turn(places[before[j]], places[j], places[next[j]]).abs();
            corners.all(|j| flat(i) <= flat(j))
        };
        if is_flattest || is_ear(&places, &next, &before, i) {
            memory::add(found, [rim[a], rim[i], rim[b]]);
            (next[a], before[b]) = (b, a);
            left -= 1;
            // Not the neighbour at once: fans of slivers come from that.
            (i, tries) = (next[b], 0);
        } else {
            (i, tries) = (b, tries + 1);
        }
    }
}

/// Whether a corner turns left and no corner that turns right is in its triangle.
fn is_ear(places: &[DVec2], next: &[usize], before: &[usize], i: usize) -> bool {
    let [a, b, c] = [before[i], i, next[i]].map(|j| places[j]);
    if turn(a, b, c) <= 0.0 {
        return false;
    }
    let mut others = std::iter::successors(Some(next[next[i]]), |j| Some(next[*j]));
    !(others.by_ref().take_while(|j| *j != before[i])).any(|j| {
        let p = places[j];
        let is_inside = turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
        is_inside && ![a, b, c].contains(&p) && turn(places[before[j]], p, places[next[j]]) <= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_of(found: &[[u32; 3]], places: &[DVec2]) -> (f64, f64) {
        let areas = found.iter().map(|corners| {
            let [a, b, c] = corners.map(|i| places[i as usize]);
            0.5 * turn(a, b, c)
        });
        areas.fold((0.0, 0.0), |(sum, size), area| {
            (sum + area, size + area.abs())
        })
    }

    /// How often each line is there, less how often it is there the other way.
    fn boundary(found: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let mut counts: HashMap<[u32; 2], i32> = HashMap::new();
        for [a, b, c] in found {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *counts.entry([*from, *to]).or_default() += 1;
                *counts.entry([*to, *from]).or_default() -= 1;
            }
        }
        let mut lines: Vec<_> = counts.into_iter().filter(|(_, n)| *n > 0).collect();
        assert!(lines.iter().all(|(_, n)| *n == 1), "{lines:?}");
        lines.sort_unstable();
        lines.into_iter().map(|(line, _)| line).collect()
    }

    fn check(loops: &[Vec<u32>], places: &[DVec2], area: f64) {
        let found = triangles(loops.to_vec(), |i| places[i as usize]);
        let (sum, size) = area_of(&found, places);
        assert!((sum - area).abs() < 1e-12, "{sum} {area}");
        assert!((size - area).abs() < 1e-12, "{size}: triangles overlap");
        let mut lines: Vec<_> = loops.iter().flat_map(|l| sides(l)).collect();
        lines.sort_unstable();
        assert_eq!(boundary(&found), lines);
    }

    #[test]
    fn corners_on_straight_sides_stay() {
        let places: Vec<_> = [
            (0., 0.),
            (1., 0.),
            (2., 0.),
            (2., 2.),
            (1., 2.),
            (0., 2.),
            (0., 1.),
        ]
        .map(|(x, y)| DVec2::new(x, y))
        .to_vec();
        check(&[(0..7).collect()], &places, 4.0);
        // A triangle with corners on all of its sides.
        let places: Vec<_> = [(0., 0.), (1., 0.), (2., 0.), (1., 1.), (0., 2.), (0., 1.)]
            .map(|(x, y)| DVec2::new(x, y))
            .to_vec();
        check(&[(0..6).collect()], &places, 2.0);
    }

    #[test]
    fn a_square_with_many_holes() {
        let mut places: Vec<_> = [(0., 0.), (10., 0.), (10., 10.), (0., 10.)]
            .map(|(x, y)| DVec2::new(x, y))
            .to_vec();
        let mut loops = vec![vec![0, 1, 2, 3]];
        for x in 0..6 {
            for y in 0..6 {
                let first = places.len() as u32;
                for (dx, dy) in [(0., 0.), (0., 0.7), (0.9, 0.7), (0.9, 0.)] {
                    places.push(DVec2::new(
                        1.0 + 1.4 * f64::from(x) + dx,
                        1.0 + 1.4 * f64::from(y) + dy,
                    ));
                }
                loops.push((first..first + 4).collect());
            }
        }
        check(&loops, &places, 100.0 - 36.0 * 0.63);
    }

    #[test]
    fn spirals_and_random_stars() {
        let mut random = crate::geometry::random::Random::new(3);
        for corners in [5, 17, 60] {
            let mut places = Vec::new();
            for i in 0..corners {
                let angle = std::f64::consts::TAU * f64::from(i) / f64::from(corners);
                let radius = 1.0 + 0.8 * random.signed();
                places.push(radius * DVec2::from_angle(angle));
            }
            let rim: Vec<u32> = (0..corners as u32).collect();
            let area = 0.5
                * sides(&rim)
                    .map(|[a, b]| places[a as usize].perp_dot(places[b as usize]))
                    .sum::<f64>();
            check(&[rim], &places, area);
        }
    }

    #[test]
    fn lines_close_to_loops_or_are_refused() {
        let found = loops(&[
            [2, 0],
            [0, 1],
            [1, 2],
            [5, 6],
            [6, 5],
            [7, 8],
            [8, 9],
            [9, 7],
        ]);
        let mut found = found.unwrap();
        for corners in &mut found {
            let least = (0..3).min_by_key(|i| corners[*i]).unwrap();
            corners.rotate_left(least);
        }
        assert_eq!(found, [vec![0, 1, 2], vec![7, 8, 9]]);
        assert!(loops(&[[0, 1], [1, 2]]).is_none());
    }
}
