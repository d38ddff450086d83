//! Overlap, first: the triangles that can touch the field's body, and their box. Partner: `shaders/overlap/overlap_cull.comp`; here the
//! list has the order of the triangles.

use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{Meeting, OverlapQuery};
use crate::gpu::shader::kernels::OverlapCull;
use crate::host::field::Field;
use crate::host::meeting::{MeetingMesh, lane_placed, lane_places, placed, placing_error};
use crate::host::ordered::ordered;
use crate::host::runs::gather_runs;
use crate::memory;
use glam::{Vec3, Vec4};
use std::ops::Range;

/// Clusters that are worth a thread.
const RUN: usize = 64;

impl Native for OverlapCull<'_> {
    fn run(&self, (): &(), _: [u32; 3]) {
        let state = self.query.array::<OverlapQuery>();
        let mut query = state.get(0);
        let meeting = query.meeting;
        let culling = Culling {
            field: &Field::of(&self.field),
            mesh: &MeetingMesh::of(&self.meeting, &meeting),
            meeting: &meeting,
        };
        let all = gather_runs(meeting.clusters as usize, RUN, |run| culling.cull(run));
        let drawn = self.drawn.array::<Vec4>();
        for found in all {
            for corner in found.corners {
                drawn.set(query.vertices as usize, corner);
                query.vertices += 1;
            }
            query.inside = query.inside.min(found.inside);
            for axis in 0..3 {
                let low = &mut query.views.low[axis];
                *low = (*low).min(ordered(found.least[axis]));
                let high = &mut query.views.high[axis];
                *high = (*high).min(!ordered(found.most[axis]));
            }
        }
        state.set(0, query);
    }
}

struct Culling<'a> {
    field: &'a Field<'a>,
    mesh: &'a MeetingMesh<'a>,
    meeting: &'a Meeting,
}

/// What a run of clusters has.
struct Touching {
    /// Three corners of each triangle, in the field's frame; with the first how far they can be off.
    corners: Vec<Vec4>,
    /// The first triangle that is surely inside as a whole.
    inside: u32,
    least: Vec3,
    most: Vec3,
}

impl Culling<'_> {
    fn cull(&self, run: Range<usize>) -> Touching {
        let mut found = Touching {
            corners: Vec::new(),
            inside: u32::MAX,
            least: Vec3::INFINITY,
            most: Vec3::NEG_INFINITY,
        };
        for first in run.clone().step_by(WIDTH) {
            let last = (first + WIDTH).min(run.end) - 1;
            let touching = dispatch(Clusters {
                culling: self,
                first,
                last,
            });
            for cluster in first..=last {
                if touching >> (cluster - first) & 1 == 1 {
                    self.look_at(cluster, &mut found);
                }
            }
        }
        found
    }

    fn look_at(&self, cluster: usize, found: &mut Touching) {
        let slack = placing_error(self.meeting, self.mesh.cluster_sphere(cluster));
        let range = &self.mesh.ranges[cluster];
        let last = range.first_triangle + range.triangle_count - 1;
        for first in (range.first_triangle..=last).step_by(WIDTH) {
            let [touching, inside] = dispatch(Triangles {
                culling: self,
                first,
                last,
                slack,
            });
            for triangle in first..=last.min(first + WIDTH as u32 - 1) {
                if touching >> (triangle - first) & 1 == 0 {
                    continue;
                }
                if inside >> (triangle - first) & 1 == 1 {
                    found.inside = found.inside.min(triangle);
                }
                self.list(triangle, slack, found);
            }
        }
    }

    fn list(&self, triangle: u32, slack: f32, found: &mut Touching) {
        let t = self.mesh.load_triangle(triangle);
        let [a, b, c] = [t.a, t.b, t.c].map(|p| placed(self.meeting, p));
        memory::add(&mut found.corners, a.extend(slack));
        memory::add(&mut found.corners, b.extend(0.0));
        memory::add(&mut found.corners, c.extend(0.0));
        // Beyond the domain nothing touches: the surface lies within it.
        let low = self.field.origin();
        let high = low + self.field.cells() * self.field.params.cell;
        found.least = found.least.min(a.min(b.min(c)).max(low).min(high));
        found.most = found.most.max(a.max(b.max(c)).max(low).min(high));
    }
}

/// Which of eight clusters can touch.
struct Clusters<'a> {
    culling: &'a Culling<'a>,
    first: usize,
    last: usize,
}

impl LaneKernel for Clusters<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<V: Lanes>(self) -> u8 {
        let Culling {
            field,
            mesh,
            meeting,
        } = self.culling;
        let (mut middles, mut reach) = ([[0.0; WIDTH]; 3], [0.0; WIDTH]);
        for lane in 0..WIDTH {
            let sphere = mesh.cluster_sphere((self.first + lane).min(self.last));
            for axis in 0..3 {
                middles[axis][lane] = sphere[axis];
            }
            reach[lane] = sphere.w + placing_error(meeting, sphere);
        }
        let lower = field.lane_bounds(lane_placed::<V>(meeting, &middles)).lower;
        lower.le(V::load(&reach)).bits()
    }
}

/// Which of eight triangles can touch, and which are surely inside as a whole.
struct Triangles<'a> {
    culling: &'a Culling<'a>,
    first: u32,
    last: u32,
    slack: f32,
}

impl LaneKernel for Triangles<'_> {
    type Output = [u8; 2];

    #[inline(always)]
    fn run<V: Lanes>(self) -> [u8; 2] {
        let culling = self.culling;
        let (middles, radius) = culling.mesh.lane_triangles::<V>(self.first, self.last);
        let bounds = culling
            .field
            .lane_bounds(lane_places(culling.meeting, middles));
        let around = radius + V::splat(self.slack);
        let zero = V::splat(0.0);
        // A bound that is no number clears nothing.
        let clear = zero.lt(bounds.lower - around).bits();
        [!clear, (bounds.upper + around).le(zero).bits()]
    }
}
