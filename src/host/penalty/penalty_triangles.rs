//! Penalty, second: the sums of the forces on each cluster, or on a share of it where clusters are few (Morvan et al. 2008, section
//! 3.4). Partner: `shaders/penalty/penalty_triangles.comp`, which says how triangles are sampled and culled.

mod eight;
mod errors;
mod samples;

use super::{Motion, Sum, Total};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{self, ClusterRange, PenaltyQuery};
use crate::gpu::shader::kernels::{PenaltyTriangles, Springs};
use crate::host::field::Field;
use crate::host::meeting::{Corners, MeetingMesh, placed, placing_error};
use crate::host::runs::each_run;
use crate::interrupt;
use eight::LARGE;
use errors::CellCorners;
use glam::{Vec3, Vec4, Vec4Swizzles};
use samples::{Cell, LaneSums, Waiting};
use std::ops::Range;

/// Cells along the edge of a triangle that is sampled whole; those with more are cut into patches that the shares divide.
const MOST_CELLS: f32 = 16.0;
/// Cells along the edge of a patch.
const PATCH: f32 = 8.0;
/// Samples of large triangles per lane of a workgroup of the shader; beyond, they are farther apart than the spacing.
const MOST_TURNS: f32 = 30_000.0;
const LANES: f32 = 64.0;
/// Samples whose sums floats hold well; more are carried on in doubles.
const MOST_IN_FLOATS: u32 = 1 << 15;
/// Samples that are taken on one thread before another pays.
const SAMPLES_PER_RUN: f32 = 1024.0;

impl Native for PenaltyTriangles<'_> {
    fn run(&self, (): &(), [groups, shares, _]: [u32; 3]) {
        let query = &self.query.values::<PenaltyQuery>()[0];
        let meeting = &query.meeting;
        let clusters = meeting.clusters as usize;
        let touching = &self.touching.values::<u32>()[..clusters];
        let waiting = touching.iter().filter(|touches| **touches != 0).count();
        let sampling = Sampling {
            query,
            motion: Motion::of(query),
            bounded: self.springs == Springs::Bounded,
            centre: Vec4::from(query.centre).xyz(),
            mesh: MeetingMesh::of(&self.meeting, meeting),
            field: Field::of(&self.field),
            velocities: (query.has_velocities != 0).then(|| self.velocities.values()),
            shares,
            turns: MOST_TURNS / (waiting as f32 / groups as f32).ceil().max(1.0),
        };
        let sums = self.sums.array::<blocks::PenaltySum>();
        let touched = |cluster: &usize| touching[*cluster] != 0;
        let samples: f32 = (0..clusters)
            .filter(touched)
            .map(|cluster| sampling.samples(cluster))
            .sum();
        let tasks = clusters * shares as usize;
        let run = SAMPLES_PER_RUN * tasks as f32 / samples.max(1.0);
        each_run(tasks, run as usize + 1, |run| {
            for task in run {
                let (cluster, share) = (task / shares as usize, task as u32 % shares);
                if touching[cluster] != 0 {
                    let share = Share {
                        sampling: &sampling,
                        cluster,
                        number: share,
                    };
                    sums.set(task, dispatch(share).into());
                }
            }
        });
    }
}

/// What is sampled, and how.
struct Sampling<'a> {
    query: &'a PenaltyQuery,
    motion: Motion,
    /// Whether it is found what sums can be off by.
    bounded: bool,
    centre: Vec3,
    mesh: MeetingMesh<'a>,
    field: Field<'a>,
    velocities: Option<&'a [[f32; 3]]>,
    shares: u32,
    /// Samples of large triangles per lane.
    turns: f32,
}

/// A share of a cluster.
struct Share<'a> {
    sampling: &'a Sampling<'a>,
    cluster: usize,
    number: u32,
}

impl LaneKernel for Share<'_> {
    type Output = Sum;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Sum {
        interrupt::check();
        let sampling = self.sampling;
        let sphere = sampling.mesh.cluster_sphere(self.cluster);
        let mut work = Work {
            sampling,
            number: self.number,
            slack: placing_error(&sampling.query.meeting, sphere),
            total: Total::default(),
            sums: LaneSums::<V>::nothing(),
            waiting: Waiting::default(),
        };
        let range = sampling.mesh.ranges[self.cluster];
        let triangles = range.first_triangle..range.first_triangle + range.triangle_count;
        let mut larges = 0;
        for first in triangles.clone().step_by(WIDTH) {
            larges += work.add_triangles(first..triangles.end.min(first + WIDTH as u32), range);
        }
        if larges != 0 {
            work.add_larges(triangles, larges);
        }
        work.finish()
    }
}

/// A share under way.
struct Work<'a, V> {
    sampling: &'a Sampling<'a>,
    number: u32,
    /// How far placed points of the cluster can be from their exact places.
    slack: f32,
    total: Total,
    sums: LaneSums<V>,
    waiting: Waiting,
}

impl<V: Lanes> Work<'_, V> {
    /// Adds up to eight triangles, but for large ones: gives how many those are.
    #[inline(always)]
    fn add_triangles(&mut self, triangles: Range<u32>, range: ClusterRange) -> u32 {
        let sampling = self.sampling;
        let eight = sampling.look_at::<V>(triangles.clone(), self.slack);
        let mut larges = 0;
        for (lane, triangle) in triangles.enumerate() {
            let cells = eight.cells[lane];
            if cells == LARGE {
                larges += 1;
            } else if cells != 0
                && (triangle - range.first_triangle) % sampling.shares == self.number
            {
                let corners = eight.corners(lane);
                let velocities = sampling.corner_velocities(triangle);
                self.add_patch(&corners, velocities, cells, &eight.cell(lane));
            }
        }
        larges
    }

    /// Adds this share of the large triangles.
    #[inline(always)]
    fn add_larges(&mut self, triangles: Range<u32>, larges: u32) {
        let sampling = self.sampling;
        // Enough even if all patches penetrate.
        let samples = sampling.turns * LANES * sampling.shares as f32;
        let most = (samples / (larges as f32 * (PATCH * PATCH + 1.0))).sqrt();
        for triangle in triangles {
            let t = sampling.mesh.load_triangle(triangle);
            if sampling.cells_along(&t) > MOST_CELLS {
                self.add_large(triangle, &t, most.floor().max(1.0));
            }
        }
    }

    /// This share's patches of a large triangle, of which there are at most `most` along its edge.
    #[inline(always)]
    fn add_large(&mut self, triangle: u32, t: &Corners, most: f32) {
        let sampling = self.sampling;
        let velocities = sampling.corner_velocities(triangle);
        let wanted = sampling.cells_along(t);
        let count = (wanted / PATCH).ceil().min(most);
        self.total.add(&Sum {
            coarsened: (wanted / PATCH).ceil() > most,
            ..Sum::default()
        });
        let cells = (wanted / count).ceil().clamp(1.0, PATCH);
        let count = count as u32;
        for part in (self.number..count * count).step_by(sampling.shares as usize) {
            if part % 4096 == self.number {
                interrupt::check();
            }
            let piece = cut(t, part, count);
            let needed = sampling.cells_needed(&piece, cells, self.slack);
            if needed != 0 {
                let velocities = velocities.map(|v| cut(&v, part, count));
                let placed = sampling.placed_corners(&piece);
                self.add_patch(&placed, velocities, needed, &cell_of(&piece));
            }
            if self.sums.samples > MOST_IN_FLOATS {
                self.carry();
            }
        }
    }

    /// Samples the cells of a patch of a placed triangle: `cells` along each edge of the patch.
    #[inline(always)]
    fn add_patch(&mut self, t: &Corners, v: Option<Corners>, cells: u32, whole: &Cell) {
        let inverse = 1.0 / cells as f32;
        let cell = Cell {
            area: whole.area * inverse * inverse,
            radius: whole.radius * inverse,
            spread: whole.spread * inverse,
        };
        let corners = CellCorners::of(t, inverse, self.slack);
        for row in 0..cells {
            for i in 0..=2 * row {
                // Cells that point as the triangle have their middle a third of the way, the others two thirds.
                let third = if i % 2 == 0 { 1.0 / 3.0 } else { 2.0 / 3.0 };
                let down = (row as f32 + 1.0 - third) * inverse;
                let along = ((i / 2) as f32 + third) * inverse;
                let at = |t: &Corners| t.a + down * (t.b - t.a) + along * (t.c - t.b);
                let extra = v.as_ref().map_or(Vec3::ZERO, at);
                let (sums, waiting) = (&mut self.sums, &mut self.waiting);
                if self.sampling.bounded {
                    waiting.add_corners(corners.turned(i % 2 == 1));
                }
                let sample = (at(t), &cell, extra);
                (self.sampling).add_sample(sums, waiting, sample, self.slack);
            }
        }
    }

    /// Adds the sums of the lanes to the total.
    #[inline(always)]
    fn carry(&mut self) {
        let mut sum = self.sums.sum();
        if self.sampling.bounded {
            sum.errors += self.sampling.lost(&sum);
        }
        self.total.add(&sum);
        self.sums = LaneSums::nothing();
    }

    #[inline(always)]
    fn finish(mut self) -> Sum {
        (self.sampling).add_rest(&mut self.sums, &mut self.waiting, self.slack);
        self.carry();
        self.total.sum()
    }
}

impl Sampling<'_> {
    /// About how many samples a cluster takes at most.
    fn samples(&self, cluster: usize) -> f32 {
        let across = self.mesh.clusters[cluster].radius / self.query.spacing;
        self.mesh.ranges[cluster].triangle_count as f32 + 16.0 * across * across
    }

    /// The velocities of a triangle's corners beyond those of its body, in the field's frame.
    fn corner_velocities(&self, triangle: u32) -> Option<Corners> {
        let velocities = self.velocities?;
        let [a, b, c] = self.mesh.indices[triangle as usize]
            .map(|vertex| self.turned(Vec3::from(velocities[vertex as usize])));
        Some(Corners { a, b, c })
    }

    fn turned(&self, v: Vec3) -> Vec3 {
        let row = |row: [f32; 4]| Vec4::from(row).xyz().dot(v);
        Vec3::from(self.query.meeting.rows.map(row))
    }

    /// Where points of the mesh are in the field's frame.
    fn placed_corners(&self, t: &Corners) -> Corners {
        let [a, b, c] = [t.a, t.b, t.c].map(|p| placed(&self.query.meeting, p));
        Corners { a, b, c }
    }

    /// Cells along an edge that bring the longest below the spacing.
    fn cells_along(&self, t: &Corners) -> f32 {
        (t.longest_edge() / self.query.spacing).ceil()
    }

    /// As many of the `wanted` cells along an edge as are needed: none where the triangle cannot penetrate. Off the surface the field is
    /// as good as linear over half a cell of its own, so that the middle stands for all of it.
    fn cells_needed(&self, t: &Corners, wanted: f32, slack: f32) -> u32 {
        let s = self.field.bounds(placed(&self.query.meeting, t.middle()));
        let near = t.radius();
        if s.lower > near + slack {
            return 0;
        }
        let enough = match s.distance.abs() > near && !self.bounded {
            true => (t.longest_edge() / (0.5 * self.field.params.cell)).ceil(),
            false => f32::INFINITY,
        };
        wanted.min(enough).max(1.0) as u32
    }
}

/// What all of a triangle stands for.
fn cell_of(t: &Corners) -> Cell {
    let (u, w, uw) = (t.b - t.a, t.c - t.b, t.c - t.a);
    Cell {
        area: 0.5 * u.cross(w).length(),
        radius: t.radius(),
        spread: ((u.dot(u) + w.dot(w) + uw.dot(uw)) / 36.0).sqrt() * 1.000_002,
    }
}

/// One of `count` * `count` equal parts of a triangle, row by row from corner a.
fn cut(t: &Corners, part: u32, count: u32) -> Corners {
    let row = part.isqrt();
    let along = part - row * row;
    let (u, w) = ((t.b - t.a) / count as f32, (t.c - t.b) / count as f32);
    let corner = t.a + row as f32 * u + (along / 2) as f32 * w;
    let [a, b, c] = match along % 2 {
        0 => [corner, corner + u, corner + u + w],
        _ => [corner + u + w, corner + w, corner],
    };
    Corners { a, b, c }
}
