//! Contacts of a pair of bodies, and soft contacts. What the kernels share that look for contacts of one side: the surface of a mesh in the
//! field of the other body. Places and distances are in the field's frame and units until a contact is listed. Partners:
//! `shaders/include/contacts.glsl` and `contact_tables.glsl`, whose names these are.

mod contact_clusters;
mod contact_edges;
mod contact_faces;
mod contact_features;
mod contact_large;
mod contact_list;
pub mod contact_reduce;
mod contact_values;
mod contact_vertices;
mod contact_work;
mod edge_lines;
mod eight;
mod feature_lanes;
mod list_contact;
mod soft_contacts;

use super::field::Field;
use super::meeting::{Corners, MeetingMesh, placed};
use super::runs::each_run;
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::{ClusterRange, ContactsQuery, SidesPush, TouchingFeatures};
use crate::gpu::shader::kernels::{FieldBindings, MeetingBindings, SideBindings};
use glam::{Vec3, Vec4};
use std::mem::offset_of;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const NONE: u32 = u32::MAX;

/// More than any distance.
const INFINITE: f32 = 3.0e38;

/// Whose surface descends by less than this per length is as good as level: see docs/contacts.md.
const LEVEL_SLOPE: f32 = 0.005;

// How sampling stops: partner `Sampling` in query/contacts.rs.
const SAMPLING_ALL: u32 = 0;
const SAMPLING_VERTICES: u32 = 1;
const SAMPLING_EDGE_CENTRES: u32 = 2;

/// Samples along the edge of a face that is looked through at once; larger faces have a lattice.
const FACE_CELLS: f32 = 6.0;

/// Features that a workgroup of the shaders takes, and the most workgroups of a side: what commands count.
const LANES: u32 = 64;
const MOST_GROUPS: u32 = 4096;

fn groups_for(count: u32) -> u32 {
    count.div_ceil(LANES).min(MOST_GROUPS)
}

/// A list of a side: where in `TouchingFeatures` its count is and the command that works on it, and how many workgroups that has.
#[derive(Clone, Copy)]
struct Counter {
    count: usize,
    command: usize,
    groups: fn(u32) -> u32,
}

macro_rules! counter {
    ($count:ident, $command:ident, $groups:expr) => {
        Counter {
            count: offset_of!(TouchingFeatures, $count) / 4,
            command: offset_of!(TouchingFeatures, $command) / 4,
            groups: $groups,
        }
    };
}

const CLUSTERS: Counter = counter!(clusters, cluster_command, |count| count.min(MOST_GROUPS));
const EDGE_SEARCHES: Counter = counter!(edge_searches, edge_command, groups_for);
const LISTED_FACES: Counter = counter!(listed_faces, face_command, groups_for);
const CANDIDATES: Counter = counter!(candidates, list_command, groups_for);
const LARGE_FACES: Counter = counter!(large_faces, large_command, |count| count.min(MOST_GROUPS));

/// Clusters that are worth a task, where each of their triangles is sampled.
const CLUSTER_GRAIN: usize = 8;

/// What a kernel of contacts binds.
macro_rules! bindings {
    ($kernel:expr) => {
        Bindings {
            meeting: &$kernel.meeting,
            side: &$kernel.side,
            tables: super::tables(&$kernel.tables),
            field: &$kernel.field,
        }
    };
}
use bindings;

/// What the kernels of a dispatch bind.
struct Bindings<'a> {
    meeting: &'a MeetingBindings<'a>,
    side: &'a SideBindings<'a>,
    tables: &'a [u32],
    field: &'a FieldBindings<'a>,
}

/// A side, as kernels see it.
struct Side<'a> {
    query: &'a ContactsQuery,
    field: Field<'a>,
    mesh: MeetingMesh<'a>,
    tables: &'a [u32],
    /// The side's `TouchingFeatures`, and those of the dispatch's first side, whose commands are for all.
    touching: &'a [AtomicU32],
    commands: &'a [AtomicU32],
    /// The memory of all sides, in words.
    work: &'a [AtomicU32],
}

impl<'a> Bindings<'a> {
    fn side(&self, number: u32) -> Side<'a> {
        let query = &self.side.query.values::<ContactsQuery>()[number as usize];
        let words = size_of::<TouchingFeatures>() / 4;
        let features = self.side.touching.words();
        Side {
            query,
            field: Field::of(self.field),
            mesh: MeetingMesh::of(self.meeting, &query.meeting),
            tables: self.tables,
            touching: &features[query.touching_at as usize * words..][..words],
            commands: &features[..words],
            work: self.side.work.words(),
        }
    }

    /// Runs `work` on stretches of the items of all sides, of which a side has `count`: on several threads where there are more than `grain`
    /// of them.
    fn for_all(
        &self,
        push: &SidesPush,
        grain: usize,
        count: impl Fn(&Side) -> u32 + Sync,
        work: impl Fn(&Side, Range<usize>) + Sync,
    ) {
        let numbers = &push.sides[..push.count as usize];
        let total: u32 = (numbers.iter())
            .map(|&number| count(&self.side(number)))
            .sum();
        let together = if total as usize > grain {
            1
        } else {
            numbers.len()
        };
        each_run(numbers.len(), together, |sides| {
            for side in numbers[sides].iter().map(|&number| self.side(number)) {
                each_run(count(&side) as usize, grain, |part| work(&side, part));
            }
        });
    }
}

/// The weights of the middle of a cell of a triangle whose sides are cut in `1 / inverse`: those that point as the triangle have it a third of
/// the way, the others two thirds.
fn cell_middle(row: u32, cell: u32, inverse: f32) -> Vec3 {
    let third = if cell.is_multiple_of(2) {
        1.0 / 3.0
    } else {
        2.0 / 3.0
    };
    let down = (row as f32 + 1.0 - third) * inverse;
    let along = ((cell / 2) as f32 + third) * inverse;
    Vec3::new(1.0 - down, down - along, along)
}

/// The point of a triangle with these weights.
fn point_of(t: &Corners, weights: Vec3) -> Vec3 {
    weights.x * t.a + weights.y * t.b + weights.z * t.c
}

/// Weights after a step along an edge of the triangle, one of six ways.
fn moved_along(mut weights: Vec3, way: usize, step: f32) -> Vec3 {
    let from = way / 2;
    let by = step.min(weights[from]);
    weights[from] -= by;
    weights[(from + 1 + way % 2) % 3] += by;
    weights
}

/// The tables of a mesh, as kernels bind them.
fn tables<'a>(bound: &Bound<'a>) -> &'a [u32] {
    bound.values()
}

impl Side<'_> {
    fn count(&self, counter: Counter) -> u32 {
        self.touching[counter.count].load(Relaxed)
    }

    /// Room for one more item of a list; its place in it.
    fn add(&self, counter: Counter) -> usize {
        let slot = self.touching[counter.count].fetch_add(1, Relaxed);
        if (counter.groups)(slot + 1) > (counter.groups)(slot) {
            self.commands[counter.command].fetch_add(1, Relaxed);
        }
        slot as usize
    }

    /// A place in the list of clusters that may touch.
    fn touching_cluster(&self, i: usize) -> &AtomicU32 {
        &self.work[self.query.list_at as usize + i]
    }

    /// The vertices and triangles of a cluster that may touch.
    fn touching_range(&self, i: usize) -> ClusterRange {
        self.mesh.ranges[self.touching_cluster(i).load(Relaxed) as usize]
    }

    fn edge_twin(&self, half_edge: u32) -> u32 {
        self.tables[half_edge as usize]
    }

    /// The half-edge that stands for an edge.
    fn edge_owner(&self, half_edge: u32) -> u32 {
        half_edge.min(self.edge_twin(half_edge))
    }

    /// The vertices of a cluster, each with a mark where the cluster stands for it.
    fn cluster_vertices(&self, range: &ClusterRange) -> impl Iterator<Item = (u32, bool)> {
        let first = 3 * self.query.triangles as usize + range.first_vertex as usize;
        (self.tables[first..][..range.vertex_count as usize].iter())
            .map(|word| (word & 0x7fff_ffff, word >> 31 == 1))
    }

    /// How far a placed point of a cluster can be from its exact place: `placing_error` of meeting.rs, for a scaled mesh.
    fn scaled_placing_error(&self, sphere: Vec4) -> f32 {
        let size = sphere.truncate().length() + sphere.w;
        1.2e-6 * (self.query.ratio * size + self.query.meeting.shift)
    }

    fn placed(&self, p: Vec3) -> Vec3 {
        placed(&self.query.meeting, p)
    }

    fn placed_triangle(&self, t: u32) -> Corners {
        let own = self.mesh.load_triangle(t);
        Corners {
            a: self.placed(own.a),
            b: self.placed(own.b),
            c: self.placed(own.c),
        }
    }

    /// The size of the field's domain.
    fn domain_size(&self) -> Vec3 {
        self.field.cells() * self.field.params.cell
    }

    /// How far a point is out of the field's domain. No difference of rounded places inside: it may be anything but zero.
    fn outside(&self, p: Vec3) -> f32 {
        let from = p - self.field.origin();
        let beyond = (-from).max(from - self.domain_size());
        let beyond = beyond.max(Vec3::ZERO);
        match beyond == Vec3::ZERO {
            true => 0.0,
            false => beyond.length(),
        }
    }

    /// What values are compared by: the field's, without the certificate; outside of the domain, as far as the surface is at least.
    fn value_of(&self, p: Vec3) -> f32 {
        let value = self.field.value(self.field.clamp(p));
        let outside = self.outside(p);
        match outside > 0.0 {
            true => (outside * outside + value.max(0.0) * value.max(0.0)).sqrt(),
            false => value,
        }
    }

    /// Whether the surface goes down from one value to another, this far away, by more than what counts as level.
    fn descends(&self, from: f32, to: f32, size: f32) -> bool {
        to < from - LEVEL_SLOPE * size - self.query.noise
    }

    /// Whether a face of this longest edge has a lattice.
    fn is_large(&self, size: f32) -> bool {
        size > FACE_CELLS * self.query.spacing
    }

    /// The box that holds all within the contact distance: the field's domain, grown.
    fn reach(&self) -> [Vec3; 2] {
        let (origin, far) = (self.field.origin(), self.query.distance);
        [origin - far, origin + self.domain_size() + far]
    }
}
