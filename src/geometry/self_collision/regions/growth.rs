//! Growing discs: a triangle joins when the disc stays one and all of it still faces about the same way.

use super::DiscLayer;
use crate::geometry::surface::Surface;
use crate::geometry::topology::adjacency::{Adjacency, NONE, end, is_collapsed, start};
use crate::memory;
use glam::Vec3;
use std::collections::VecDeque;

/// Fewer triangles are not worth a disc.
const LEAST: usize = 6;

/// Triangles of a disc are within 60 degrees of its mean normal when it is grown.
const FACING: f32 = 0.5;

/// Discs of at most `size` triangles and their notches over a whole surface, begun at its first triangle or at its last.
pub(super) fn layer(
    surface: &Surface,
    normals: &[Vec3],
    adjacency: &Adjacency,
    size: usize,
    backwards: bool,
) -> DiscLayer {
    let (triangles, vertices) = (surface.triangles, surface.positions.len());
    let mut growth = Growth {
        triangles,
        normals,
        adjacency,
        layer: DiscLayer::empty(triangles.len()),
        reached: memory::filled(0, vertices),
        next: memory::filled(NONE, vertices),
        attempt: 0,
        members: Vec::new(),
        mean: Vec3::ZERO,
    };
    // The next disc begins beside those that are there; layers begin at opposite ends, so that contours differ.
    let mut beside = VecDeque::new();
    for k in 0..triangles.len() as u32 {
        let seed = if backwards {
            triangles.len() as u32 - 1 - k
        } else {
            k
        };
        memory::add_to_queue(&mut beside, seed);
        while let Some(seed) = beside.pop_front() {
            growth.disc(seed, size, &mut beside);
        }
    }
    let mut layer = growth.layer;
    // What was taken by discs too small to keep.
    let kept = layer.starts.len() as u32 - 1;
    layer
        .discs
        .iter_mut()
        .filter(|disc| **disc >= kept)
        .for_each(|disc| *disc = NONE);
    layer
}

/// Growing the discs of a layer.
struct Growth<'a> {
    triangles: &'a [[u32; 3]],
    normals: &'a [Vec3],
    adjacency: &'a Adjacency,
    layer: DiscLayer,
    /// Which attempt reached each vertex last; they count from 1.
    reached: Vec<u32>,
    attempt: u32,
    /// The next vertex along a contour, or [`NONE`] off it.
    next: Vec<u32>,
    members: Vec<u32>,
    /// The sum of the members' normals.
    mean: Vec3,
}

impl Growth<'_> {
    /// Grows a disc of at most `size` triangles around `seed` and keeps it if it is worth it. Where it stops others may begin.
    fn disc(&mut self, seed: u32, size: usize, beside: &mut VecDeque<u32>) {
        if self.layer.discs[seed as usize] != NONE || is_collapsed(self.triangles[seed as usize]) {
            return;
        }
        let disc = self.layer.starts.len() as u32 - 1;
        self.members.clear();
        self.mean = Vec3::ZERO;
        self.attempt += 1;
        let mut near = VecDeque::from([seed]);
        while let Some(t) = near.pop_front() {
            if self.layer.discs[t as usize] != NONE || !self.keeps_disc(t, disc) {
                continue;
            }
            let facing = self.normals[t as usize].dot(self.mean) >= FACING * self.mean.length();
            // Beyond the size only notches are filled, which makes the contour shorter.
            if !facing || self.members.len() >= size && self.sides_of(t, disc) < 2 {
                memory::add_to_queue(beside, t);
                continue;
            }
            self.mean += self.normals[t as usize];
            self.layer.discs[t as usize] = disc;
            memory::add(&mut self.members, t);
            for (k, &v) in self.triangles[t as usize].iter().enumerate() {
                self.reached[v as usize] = self.attempt;
                if let Some(other) = self.across(3 * t + k as u32) {
                    memory::add_to_queue(&mut near, other);
                }
            }
        }
        if self.members.len() >= LEAST {
            self.keep(disc);
        } else {
            // What is left between discs is not worth one, and not worth another try.
            for &t in &self.members {
                self.layer.discs[t as usize] = NONE - 1;
            }
        }
    }

    /// The triangle across a side, when both run along it in opposite directions.
    fn across(&self, side: u32) -> Option<u32> {
        let twin = self.adjacency.twins[side as usize];
        (twin != NONE && start(self.triangles, twin) == end(self.triangles, side))
            .then_some(twin / 3)
    }

    fn sides_of(&self, t: u32, disc: u32) -> usize {
        (3 * t..3 * t + 3)
            .filter(|&side| {
                self.across(side)
                    .is_some_and(|o| self.layer.discs[o as usize] == disc)
            })
            .count()
    }

    /// Whether the disc stays one with this triangle: what they share must be one piece of the contour.
    fn keeps_disc(&self, t: u32, disc: u32) -> bool {
        if self.members.is_empty() {
            return true;
        }
        let known = |v: &&u32| self.reached[**v as usize] == self.attempt;
        match self.sides_of(t, disc) {
            1 => self.triangles[t as usize].iter().filter(known).count() == 2,
            2 => true,
            _ => false,
        }
    }

    /// Adds the disc that was grown to the layer.
    fn keep(&mut self, disc: u32) {
        let (mut first, mut count) = (NONE, 0);
        for &t in &self.members {
            memory::add(&mut self.layer.corners, self.triangles[t as usize]);
            for side in 3 * t..3 * t + 3 {
                let neighbour = self.across(side).map(|o| self.layer.discs[o as usize]);
                if neighbour != Some(disc) {
                    first = start(self.triangles, side);
                    self.next[first as usize] = end(self.triangles, side);
                    count += 1;
                }
            }
        }
        let layer = &mut self.layer;
        for t in &self.members {
            for &v in &self.triangles[*t as usize] {
                if self.next[v as usize] == NONE && self.reached[v as usize] == self.attempt {
                    memory::add(&mut layer.inner, v);
                    self.reached[v as usize] = 0;
                }
            }
        }
        for _ in 0..count {
            memory::add(&mut layer.contours, first);
            first = std::mem::replace(&mut self.next[first as usize], NONE);
        }
        let ends = [&layer.contours, &layer.inner].map(|list| list.len() as u32);
        layer
            .starts
            .push([layer.corners.len() as u32, ends[0], ends[1]]);
    }
}
