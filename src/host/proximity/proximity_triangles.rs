//! Proximity, second and third: the field at the middle of each triangle, in the clusters that can hold the nearest point. First for the
//! best upper bound; then, with all of them known, the triangles that can still hold a nearer point are settled if they are small, or
//! listed to be split; fused, they are split at once and their parts listed. Partner: `shaders/proximity/proximity_triangles.comp`.

use super::parts::{bound_parts, is_small};
use super::{Found, NOTHING, PARTS};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Piece, ProximityQuery, TrianglesPush};
use crate::gpu::shader::kernels::{Form, ProximityTriangles};
use crate::host::field::Field;
use crate::host::meeting::{MeetingMesh, lane_placed, placed, placing_error};
use crate::host::ordered::{ordered, unordered};
use crate::host::runs::gather_runs;
use crate::memory::Gather;

/// Clusters that are worth a thread.
const RUN: usize = 16;

impl Native for ProximityTriangles<'_> {
    fn run(&self, push: &TrianglesPush, _: [u32; 3]) {
        let state = self.query.array::<ProximityQuery>();
        let mut query = state.get(0);
        let given = query;
        let search = Search {
            field: &Field::of(&self.field),
            mesh: &MeetingMesh::of(&self.meeting, &given.meeting),
            query: &given,
            bounds: self.bounds.array(),
            form: self.form,
        };
        let listing = push.listing == 1;
        let near = search.near(listing);
        let all = gather_runs(near.len(), RUN, |run| {
            let mut found = Found::nothing();
            for &cluster in &near[run] {
                match listing {
                    true => search.list(cluster, &mut found),
                    false => search.look_at(cluster, &mut found),
                }
            }
            found
        });
        let upper = all
            .iter()
            .fold(NOTHING, |upper, found| upper.min(found.upper));
        let level = usize::from(self.form == Form::Fused);
        match listing {
            false => query.best = query.best.min(upper),
            true => query.uppers[level] = query.uppers[level].min(upper),
        }
        Found::store(&all, level, &mut query, self.pieces.array(), 0);
        state.set(0, query);
    }
}

struct Search<'a> {
    field: &'a Field<'a>,
    mesh: &'a MeetingMesh<'a>,
    query: &'a ProximityQuery,
    bounds: Array<'a, [u32; 2]>,
    form: Form,
}

impl Search<'_> {
    /// The clusters that can hold the nearest point.
    fn near(&self, listing: bool) -> Vec<u32> {
        let query = self.query;
        let best = if listing { query.best } else { query.ceiling };
        let can = |c: &u32| {
            let [lower, of_triangles] = self.bounds.get(*c as usize);
            lower <= best && (!listing || of_triangles <= best)
        };
        (0..query.meeting.clusters).filter(can).gather()
    }

    /// Finds the best upper bound of a cluster's triangles, and the smallest lower bound of those that can hold a nearer point.
    fn look_at(&self, cluster: u32, found: &mut Found) {
        let best = self.query.ceiling;
        let (mut upper, mut of_best, mut smallest) = (NOTHING, NOTHING, NOTHING);
        self.triangles(cluster, |triangle| {
            if triangle.upper < upper {
                (upper, of_best) = (triangle.upper, triangle.lower);
            }
            if triangle.lower <= best {
                smallest = smallest.min(triangle.lower);
            }
        });
        // The one with the best upper bound counts whatever its lower one is, so that listing comes by here and finds it.
        let [lower, _] = self.bounds.get(cluster as usize);
        self.bounds
            .set(cluster as usize, [lower, smallest.min(of_best)]);
        found.upper = found.upper.min(upper);
    }

    /// Settles a cluster's triangles that can hold a nearer point, or lists them.
    fn list(&self, cluster: u32, found: &mut Found) {
        let (best, room) = (self.query.best, self.query.capacity as usize);
        self.triangles(cluster, |triangle| {
            if triangle.upper == best {
                found.winner = found.winner.min(triangle.index);
            }
            if triangle.lower > best {
                return;
            }
            if triangle.small {
                found.settled = found.settled.min(triangle.lower);
            } else if self.form == Form::Fused {
                self.split(&triangle, found);
            } else {
                let piece = Piece {
                    triangle: triangle.index,
                    path: 0,
                    lower: unordered(triangle.lower),
                    upper: unordered(triangle.upper),
                };
                found.list(piece, triangle.lower, room);
            }
        });
    }

    /// Settles or lists the parts of a triangle.
    fn split(&self, triangle: &Triangle, found: &mut Found) {
        let query = self.query;
        let bounds = bound_parts(
            self.field,
            self.mesh,
            &query.meeting,
            query.tolerance,
            (triangle.index, 0, 0),
            unordered(triangle.lower),
        );
        for part in 0..PARTS {
            let piece = Piece {
                triangle: triangle.index,
                path: part as u32,
                lower: bounds.lower[part],
                upper: bounds.upper[part],
            };
            found.take(
                piece,
                bounds.small >> part & 1 == 1,
                query.best,
                query.capacity,
            );
        }
    }

    /// Calls `look` with each triangle of a cluster.
    fn triangles(&self, cluster: u32, mut look: impl FnMut(Triangle)) {
        let c = cluster as usize;
        let range = &self.mesh.ranges[c];
        let meeting = &self.query.meeting;
        let slack = placing_error(meeting, self.mesh.cluster_sphere(c));
        let [least, _] = self.bounds.get(c);
        for first in (0..range.triangle_count).step_by(WIDTH) {
            let bounds = dispatch(Eight {
                search: self,
                first: range.first_triangle + first,
                last: range.first_triangle + range.triangle_count - 1,
                slack,
                least: unordered(least),
            });
            for lane in 0..(range.triangle_count - first).min(WIDTH as u32) as usize {
                let mut upper = ordered(bounds.upper[lane]);
                if first == 0 && lane == 0 {
                    // The corner that the clusters were sampled at.
                    let [a, ..] = self.mesh.indices[range.first_triangle as usize];
                    let p = placed(meeting, self.mesh.positions.load(a));
                    let at_corner = self.field.upper(&self.field.bounds(p), p) + slack;
                    upper = upper.min(ordered(at_corner));
                }
                look(Triangle {
                    index: range.first_triangle + first + lane as u32,
                    lower: least.max(ordered(bounds.lower[lane])),
                    upper,
                    small: bounds.small >> lane & 1 == 1,
                });
            }
        }
    }
}

/// What is known of a triangle.
struct Triangle {
    index: u32,
    lower: u32,
    upper: u32,
    small: bool,
}

/// Bounds of eight triangles, from `first` on; the last one again where there are no more.
struct Eight<'a> {
    search: &'a Search<'a>,
    first: u32,
    last: u32,
    slack: f32,
    least: f32,
}

struct EightBounds {
    lower: [f32; WIDTH],
    upper: [f32; WIDTH],
    small: u8,
}

impl LaneKernel for Eight<'_> {
    type Output = EightBounds;

    #[inline(always)]
    fn run<V: Lanes>(self) -> EightBounds {
        let query = self.search.query;
        let (middles, radius) = self.search.mesh.lane_triangles::<V>(self.first, self.last);
        let slack = V::splat(self.slack);
        let bounds = self
            .search
            .field
            .lane_bounds(lane_placed::<V>(&query.meeting, &middles));
        let lower = bounds.lower - slack - radius;
        let upper = bounds.upper + slack;
        let known = V::splat(self.least).max(lower);
        let small = is_small(&bounds, known, upper, radius, V::splat(query.tolerance));
        EightBounds {
            lower: lower.store(),
            upper: upper.store(),
            small: small.bits(),
        }
    }
}
