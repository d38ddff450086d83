//! Proximity, second and third: the field at the middle of each triangle, in the clusters that can hold the nearest point. First for the
//! best upper bound; then, with all of them known, the triangles that can still hold a nearer point are settled if they are small, or
//! listed to be split; fused, they are split at once and their parts listed. Partner: `shaders/proximity/proximity_triangles.comp`.

use super::parts::{Split, is_small};
use super::{Found, NOTHING};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Piece, ProximityQuery, TrianglesPush};
use crate::gpu::shader::kernels::{Form, ProximityTriangles};
use crate::host::field::Field;
use crate::host::meeting::{MeetingMesh, lane_places, placing_error};
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
            dispatch(Run {
                search: &search,
                clusters: &near[run],
                listing,
            })
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
    /// The clusters that can hold the nearest point, those first that can hold a nearer one.
    fn near(&self, listing: bool) -> Vec<u32> {
        let query = self.query;
        let best = if listing { query.best } else { query.ceiling };
        let can = |c: &u32| {
            let [lower, of_triangles] = self.bounds.get(*c as usize);
            lower <= best && (!listing || of_triangles <= best)
        };
        let mut near = (0..query.meeting.clusters).filter(can).gather();
        near.sort_unstable_by_key(|c| (self.bounds.get(*c as usize)[0], *c));
        near
    }

    /// Finds the best upper bound of a cluster's triangles, and the smallest lower bound of those that can hold a nearer point. A corner of
    /// the first has the upper bound `corner`.
    #[inline(always)]
    fn look_at<V: Lanes>(&self, cluster: u32, corner: f32, found: &mut Found) {
        let c = cluster as usize;
        // Where all of a cluster is above the best, listing does not come by.
        if self.bounds.get(c)[0] > found.upper {
            return;
        }
        let ceiling = V::splat(unordered(self.query.ceiling));
        let infinity = V::splat(f32::INFINITY);
        let (mut upper, mut of_best, mut smallest) = (infinity, infinity, infinity);
        for first in (0..self.mesh.ranges[c].triangle_count).step_by(WIDTH) {
            let eight = self.eight::<V>(c, first, corner);
            of_best = eight.upper.lt(upper).select(eight.lower, of_best);
            upper = eight.upper.min(upper);
            let near = eight.lower.le(ceiling).select(eight.lower, infinity);
            smallest = near.min(smallest);
        }
        // The one with the best upper bound counts whatever its lower one is, so that listing comes by here and finds it.
        let least = upper.least();
        let of_best = upper.le(V::splat(least)).select(of_best, infinity);
        let [lower, _] = self.bounds.get(c);
        let smallest = ordered(of_best.min(smallest).least());
        self.bounds.set(c, [lower, smallest]);
        found.upper = found.upper.min(ordered(least));
    }

    /// Settles a cluster's triangles that can hold a nearer point, or lists them.
    #[inline(always)]
    fn list<V: Lanes>(&self, cluster: u32, corner: f32, found: &mut Found) {
        let (c, range) = (cluster as usize, self.mesh.ranges[cluster as usize]);
        let best = V::splat(unordered(self.query.best));
        for first in (0..range.triangle_count).step_by(WIDTH) {
            let eight = self.eight::<V>(c, first, corner);
            let there = u8::MAX >> (WIDTH as u32).saturating_sub(range.triangle_count - first);
            let winning = eight.upper.le(best).bits() & there;
            let index = range.first_triangle + first;
            if winning != 0 {
                found.winner = found.winner.min(index + winning.trailing_zeros());
            }
            let mut near = eight.lower.le(best).bits() & there;
            if near == 0 {
                continue;
            }
            let small = self.smallness(&eight);
            let (lower, upper) = (eight.lower.store(), eight.upper.store());
            while near != 0 {
                let lane = near.trailing_zeros();
                near &= near - 1;
                let piece = Piece {
                    triangle: index + lane,
                    path: 0,
                    lower: lower[lane as usize],
                    upper: upper[lane as usize],
                };
                self.take(piece, small >> lane & 1 == 1, found);
            }
        }
    }

    /// Settles a triangle that can hold a nearer point, or lists it.
    fn take(&self, triangle: Piece, small: bool, found: &mut Found) {
        let (query, lower) = (self.query, ordered(triangle.lower));
        if small {
            found.settled = found.settled.min(lower);
        } else if self.form == Form::Levels {
            found.list(triangle, query.capacity);
        } else {
            let split = Split {
                field: self.field,
                mesh: self.mesh,
                query,
                best: query.best,
                room: query.capacity,
            };
            split.piece(&triangle, 0, found);
        }
    }

    /// Bounds of eight of a cluster's triangles, from `first` on; the last one again where there are no more.
    #[inline(always)]
    fn eight<V: Lanes>(&self, cluster: usize, first: u32, corner: f32) -> Eight<V> {
        let range = &self.mesh.ranges[cluster];
        let (begin, end) = (
            range.first_triangle + first,
            range.first_triangle + range.triangle_count - 1,
        );
        let (middles, radius) = self.mesh.lane_triangles::<V>(begin, end);
        let meeting = &self.query.meeting;
        let slack = V::splat(placing_error(meeting, self.mesh.cluster_sphere(cluster)));
        let bounds = self.field.lane_bounds(lane_places(meeting, middles));
        let least = V::splat(unordered(self.bounds.get(cluster)[0]));
        let mut upper = bounds.upper + slack;
        if first == 0 {
            let mut of_first = [f32::INFINITY; WIDTH];
            of_first[0] = corner;
            upper = upper.min(V::load(&of_first));
        }
        Eight {
            lower: least.max(bounds.lower - slack - radius),
            upper,
            radius,
            beyond: bounds.beyond,
        }
    }

    /// Which of eight triangles would gain too little by being split.
    #[inline(always)]
    fn smallness<V: Lanes>(&self, eight: &Eight<V>) -> u8 {
        let tolerance = V::splat(self.query.tolerance);
        is_small(
            eight.beyond,
            eight.lower,
            eight.upper,
            eight.radius,
            tolerance,
        )
        .bits()
    }

    /// Upper bounds of the corners, one of each of these clusters, that the clusters were sampled at.
    #[inline(always)]
    fn corners<V: Lanes>(&self, clusters: &[u32]) -> [f32; WIDTH] {
        let (mut vertices, mut slacks) = ([0; WIDTH], [0.0; WIDTH]);
        let meeting = &self.query.meeting;
        for lane in 0..WIDTH {
            let cluster = clusters[lane.min(clusters.len() - 1)] as usize;
            let first = self.mesh.ranges[cluster].first_triangle;
            vertices[lane] = self.mesh.indices[first as usize][0];
            slacks[lane] = placing_error(meeting, self.mesh.cluster_sphere(cluster));
        }
        let p = lane_places(meeting, self.mesh.positions.lane_load::<V>(&vertices));
        (self.field.lane_bounds(p).upper + V::load(&slacks)).store()
    }
}

struct Eight<V> {
    lower: V,
    upper: V,
    radius: V,
    beyond: V,
}

/// A run of clusters.
struct Run<'a> {
    search: &'a Search<'a>,
    clusters: &'a [u32],
    listing: bool,
}

impl LaneKernel for Run<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Found {
        let (search, mut found) = (self.search, Found::nothing());
        for clusters in self.clusters.chunks(WIDTH) {
            let corners = search.corners::<V>(clusters);
            for (lane, &cluster) in clusters.iter().enumerate() {
                match self.listing {
                    true => search.list::<V>(cluster, corners[lane], &mut found),
                    false => search.look_at::<V>(cluster, corners[lane], &mut found),
                }
            }
        }
        found
    }
}
