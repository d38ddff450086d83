//! Penalty, second: the sums of the forces on each cluster, or on a share of it where clusters are few (Morvan et al. 2008, section
//! 3.4). Partner: `shaders/penalty/penalty_triangles.comp`, which says how triangles are sampled and culled.

use super::{Motion, Sum, Total};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::{self, PenaltyQuery};
use crate::gpu::shader::kernels::PenaltyTriangles;
use crate::host::field::Field;
use crate::host::meeting::{Corners, MeetingMesh, placed, placing_error};
use crate::host::runs::each_run;
use crate::interrupt;
use glam::{Vec3, Vec4, Vec4Swizzles};

/// Cells along the edge of a triangle that is sampled whole; those with more are cut into patches that the shares divide.
const MOST_CELLS: f32 = 16.0;
/// Cells along the edge of a patch.
const PATCH: f32 = 8.0;
/// Samples of large triangles per lane of a workgroup of the shader; beyond, they are farther apart than the spacing.
const MOST_TURNS: f32 = 30_000.0;
const LANES: f32 = 64.0;
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
                    sums.set(task, sampling.add_cluster(cluster, share).into());
                }
            }
        });
    }
}

/// What is sampled, and how.
struct Sampling<'a> {
    query: &'a PenaltyQuery,
    motion: Motion,
    centre: Vec3,
    mesh: MeetingMesh<'a>,
    field: Field<'a>,
    velocities: Option<&'a [[f32; 3]]>,
    shares: u32,
    /// Samples of large triangles per lane.
    turns: f32,
}

/// What samples of a patch have in common.
struct Cell {
    area: f32,
    radius: f32,
    /// The root of the mean square distance from the middle: no less than the mean distance.
    spread: f32,
    slack: f32,
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

    /// Where a point of the mesh is in the field's frame.
    fn placed(&self, p: Vec3) -> Vec3 {
        placed(&self.query.meeting, p)
    }

    /// The sums of a share of a cluster.
    fn add_cluster(&self, cluster: usize, share: u32) -> Sum {
        interrupt::check();
        let slack = placing_error(&self.query.meeting, self.mesh.cluster_sphere(cluster));
        let range = self.mesh.ranges[cluster];
        let (mut total, mut sum) = (Total::default(), Sum::default());
        let mut larges = 0;
        for i in 0..range.triangle_count {
            let triangle = range.first_triangle + i;
            let t = self.mesh.load_triangle(triangle);
            let wanted = self.cells_along(&t).max(1.0);
            if wanted > MOST_CELLS {
                larges += 1;
                continue;
            }
            if i % self.shares != share {
                continue;
            }
            let cells = match wanted == 1.0 {
                true => 1,
                false => self.cells_needed(&t, wanted, slack),
            };
            if cells != 0 {
                self.add_patch(&mut sum, &t, self.corner_velocities(triangle), cells, slack);
            }
        }
        total.add(&sum);
        if larges != 0 {
            // Enough even if all patches penetrate.
            let samples = self.turns * LANES * self.shares as f32;
            let most = (samples / (larges as f32 * (PATCH * PATCH + 1.0))).sqrt();
            for i in 0..range.triangle_count {
                let triangle = range.first_triangle + i;
                let t = self.mesh.load_triangle(triangle);
                if self.cells_along(&t) > MOST_CELLS {
                    self.add_large(
                        &mut total,
                        triangle,
                        &t,
                        most.floor().max(1.0),
                        share,
                        slack,
                    );
                }
            }
        }
        total.sum()
    }

    /// This share's patches of a large triangle, of which there are at most `most` along its edge.
    fn add_large(
        &self,
        total: &mut Total,
        triangle: u32,
        t: &Corners,
        most: f32,
        share: u32,
        slack: f32,
    ) {
        let velocities = self.corner_velocities(triangle);
        let wanted = self.cells_along(t);
        let count = (wanted / PATCH).ceil().min(most);
        let coarsened = (wanted / PATCH).ceil() > most;
        total.add(&Sum {
            coarsened,
            ..Sum::default()
        });
        let cells = (wanted / count).ceil().max(1.0).min(PATCH);
        let count = count as u32;
        for part in (share..count * count).step_by(self.shares as usize) {
            if part % 4096 == share {
                interrupt::check();
            }
            let piece = cut(t, part, count);
            let needed = self.cells_needed(&piece, cells, slack);
            if needed != 0 {
                let mut sum = Sum::default();
                let velocities = velocities.map(|v| cut(&v, part, count));
                self.add_patch(&mut sum, &piece, velocities, needed, slack);
                total.add(&sum);
            }
        }
    }

    /// Cells along an edge that bring the longest below the spacing.
    fn cells_along(&self, t: &Corners) -> f32 {
        (t.longest_edge() / self.query.spacing).ceil()
    }

    /// As many of the `wanted` cells along an edge as are needed: none where the triangle cannot penetrate. Off the surface the field is
    /// as good as linear over half a cell of its own, so that the middle stands for all of it.
    fn cells_needed(&self, t: &Corners, wanted: f32, slack: f32) -> u32 {
        let s = self.field.bounds(self.placed(t.middle()));
        let near = t.radius();
        if s.lower > near + slack {
            return 0;
        }
        let enough = match s.distance.abs() > near {
            true => (t.longest_edge() / (0.5 * self.field.params.cell)).ceil(),
            false => f32::INFINITY,
        };
        wanted.min(enough).max(1.0) as u32
    }

    /// Samples the cells of a patch of a triangle: `cells` along each edge of the patch.
    fn add_patch(&self, sum: &mut Sum, t: &Corners, v: Option<Corners>, cells: u32, slack: f32) {
        let inverse = 1.0 / cells as f32;
        let (u, w) = ((t.b - t.a) * inverse, (t.c - t.b) * inverse);
        let uw = u + w;
        let cell = Cell {
            area: 0.5 * u.cross(w).length(),
            radius: t.radius() * inverse,
            spread: ((u.dot(u) + w.dot(w) + uw.dot(uw)) / 36.0).sqrt() * 1.000_002,
            slack,
        };
        if cells == 1 {
            let extra = v.as_ref().map_or(Vec3::ZERO, Corners::middle);
            self.add_sample(sum, self.placed(t.middle()), &cell, extra);
            return;
        }
        // Lengths are taken in the mesh's own frame, so that placing adds to no radius.
        let t = &Corners {
            a: self.placed(t.a),
            b: self.placed(t.b),
            c: self.placed(t.c),
        };
        for row in 0..cells {
            for i in 0..=2 * row {
                // Cells that point as the triangle have their middle a third of the way, the others two thirds.
                let third = if i % 2 == 0 { 1.0 / 3.0 } else { 2.0 / 3.0 };
                let down = (row as f32 + 1.0 - third) * inverse;
                let along = ((i / 2) as f32 + third) * inverse;
                let at = |t: &Corners| t.a + down * (t.b - t.a) + along * (t.c - t.b);
                let extra = v.as_ref().map_or(Vec3::ZERO, at);
                self.add_sample(sum, at(t), &cell, extra);
            }
        }
    }

    fn add_sample(&self, sum: &mut Sum, p: Vec3, cell: &Cell, extra: Vec3) {
        let s = self.field.sample(p);
        let near = cell.slack + cell.radius;
        if s.lower - near > 0.0 {
            return;
        }
        let area = cell.area;
        sum.outer_area += area;
        sum.inner_area += if s.upper + near < 0.0 { area } else { 0.0 };
        sum.depth_upper = sum.depth_upper.max(near - s.lower);
        sum.depth_lower = sum.depth_lower.max(-s.upper - cell.slack);
        let doubt = (s.distance - s.lower).max(s.upper - s.distance);
        sum.centroid_error.w += area * (cell.spread + cell.slack + doubt);
        if s.distance < 0.0 && s.in_domain {
            self.add_force(sum, p, s.direction, -s.distance, area, extra);
        }
    }

    /// Adds the force of a sample inside; `area` is what it stands for.
    fn add_force(&self, sum: &mut Sum, p: Vec3, towards: Vec3, depth: f32, area: f32, extra: Vec3) {
        let q = p + depth * towards;
        let force = area * self.motion.force_at(p, q, towards, depth, extra);
        let torque = (q - self.centre).cross(force);
        sum.force_area += force.extend(area);
        sum.torque_pressure += torque.extend(area * depth);
        sum.centroid_error += (area * q).extend(0.0);
        sum.samples += 1;
        if depth > sum.deepest.w {
            sum.deepest = p.extend(depth);
        }
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
