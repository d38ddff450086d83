//! The curve where two surfaces cross, as polylines.
//!
//! Each pair of triangles that cross shares a segment, which runs along the product of their normals; where it ends, the segment of the next pair
//! starts.

use super::outline::Outline;
use super::{ConnectedParts, Intersection};
use crate::memory::{self, Gather};
use glam::DVec3;

/// A corner of a curve, and the triangles that share the segment from there to the next corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Where it is, in the first body's frame.
    pub at: DVec3,
    /// The triangles of the first and the second body; those of the segment before, for the last corner of a curve with ends.
    pub triangles: [u32; 2],
}

/// A connected piece of the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct IntersectionCurve {
    /// Its corners in order.
    pub points: Vec<CurvePoint>,
    /// Whether the last corner is joined to the first. With closed bodies it always is.
    pub is_closed: bool,
    /// The region that it bounds.
    pub region: u32,
}

impl Intersection {
    /// All curves, by the least pair of triangles on each.
    pub fn curves(&self, regions: &ConnectedParts) -> Vec<IntersectionCurve> {
        let outline = self.outline();
        let ends = outline.segments();
        let mut starting: Vec<(u32, u32)> = ((0..).zip(ends))
            .filter_map(|(pair, ends)| Some((ends.as_ref()?[0], pair)))
            .gather();
        starting.sort_unstable();
        let mut arrives = memory::filled(false, outline.corners());
        for [_, end] in ends.iter().flatten() {
            arrives[*end as usize] = true;
        }
        let mut walk = CurveWalk {
            outline,
            ends,
            taken: memory::filled(false, self.crossed.len()),
            starting,
        };
        let mut curves = Vec::new();
        // Curves with ends first: a walk from their middle would cut them.
        for from_an_end in [true, false] {
            for pair in 0..self.crossed.len() as u32 {
                let start = walk.ends[pair as usize].map(|[start, _]| start);
                let begins = start.is_some_and(|start| !from_an_end || !arrives[start as usize]);
                if begins && !walk.taken[pair as usize] {
                    memory::add(&mut curves, walk.from(pair, regions));
                }
            }
        }
        curves
    }
}

struct CurveWalk<'a> {
    outline: Outline<'a>,
    /// Where the segment of each pair starts and ends.
    ends: &'a [Option<[u32; 2]>],
    /// Pairs that are in a curve.
    taken: Vec<bool>,
    /// Corners and the pairs whose segments start there, ascending.
    starting: Vec<(u32, u32)>,
}

impl CurveWalk<'_> {
    /// A pair that no curve has yet and whose segment starts at a corner.
    fn next(&self, corner: u32) -> Option<u32> {
        let first = self.starting.partition_point(|(start, _)| *start < corner);
        (self.starting[first..].iter())
            .take_while(|(start, _)| *start == corner)
            .map(|(_, pair)| *pair)
            .find(|pair| !self.taken[*pair as usize])
    }

    fn from(&mut self, first: u32, regions: &ConnectedParts) -> IntersectionCurve {
        let mut points = Vec::new();
        let (mut pair, mut last) = (Some(first), None);
        let mut region = ConnectedParts::NONE;
        while let Some(taken) = pair {
            self.taken[taken as usize] = true;
            let triangles = self.outline.of.crossed[taken as usize].triangles;
            let Some([start, end]) = self.ends[taken as usize] else {
                break;
            };
            region = region.min(regions.of_corners[start as usize]);
            let at = self.outline.at(start).at;
            memory::add(&mut points, CurvePoint { at, triangles });
            last = Some((end, triangles));
            pair = self.next(end);
        }
        let start = self.ends[first as usize].map(|[start, _]| start);
        let is_closed = last.map(|(end, _)| end) == start;
        if let Some((end, triangles)) = last.filter(|_| !is_closed) {
            let at = self.outline.at(end).at;
            memory::add(&mut points, CurvePoint { at, triangles });
        }
        IntersectionCurve {
            points,
            is_closed,
            region,
        }
    }
}
