//! One side of a pair: the surface of one body's mesh in the field of the other. Kernels list every local minimum of the signed distance
//! below the contact distance: on a vertex, on an edge, in a face.

use super::Sampling;
use crate::error::Result;
use crate::field::Field;
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{self, RawContact, SidesPush, TouchingFeatures};
use crate::gpu::shader::kernels::{
    ContactClusters, ContactEdges, ContactFaces, ContactFeatures, ContactLarge, ContactList,
    ContactValues, ContactVertices, MeetingBindings, SideBindings,
};
use crate::memory::Gather;
use crate::query::dispatches::{Dispatches, Member};
use crate::query::meeting::{mesh_bindings, placed_mesh, rows};
use crate::query::workspace::{ALIGNMENT, Extent, Place};
use crate::scene::mesh::Mesh;
use bytemuck::Zeroable;
use glam::DAffine3;
use std::mem::offset_of;
use std::sync::Arc;

/// What the kernels of a side do.
#[derive(Debug, Clone, Copy)]
pub enum SideStep {
    /// Finds the clusters that may touch.
    Clusters,
    /// Samples their vertices.
    Values,
    /// Finds which corners the surface descends from, and what may have a minimum of its own.
    Features,
    /// Searches edges.
    Edges,
    /// Searches faces, and compares what was found in a triangle.
    Faces,
    /// Gathers the vertices that it does not descend from.
    Vertices,
    /// Lists all that it does not descend from, and the minima of large faces.
    List,
}

/// A mesh that is sampled, and the field it is sampled in.
pub struct ContactSide {
    /// The field.
    pub field: Arc<Field>,
    /// World units per field unit.
    pub unit: f64,
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// Which features stand for which: see `contact_tables.glsl`.
    pub tables: Arc<Buffer>,
    /// World units per unit of the mesh.
    pub mesh_unit: f64,
    /// From the mesh body's axes and origin to the field body's, in world units.
    pub motion: DAffine3,
    /// From the field body's axes and origin to the pair's frame, in world units.
    pub to_pair: DAffine3,
    /// 0 when the field is of body A, 1 when it is of body B.
    pub number: u32,
    /// Its place in a dispatch, since it was last submitted.
    pub(super) member: Option<Member>,
}

/// Parts of the working memory that each side has.
pub(super) const PARTS: usize = 3;
const PARAMS: usize = 0;
pub(super) const TOUCHING: usize = 1;
const WORK: usize = 2;
/// After them, the contacts of the pair.
const RAW: usize = 3;

const QUERY_BYTES: u64 = size_of::<blocks::ContactsQuery>() as u64;
// Where parts start, there are elements of the kernels' arrays.
const _: () = assert!(
    ALIGNMENT.is_multiple_of(QUERY_BYTES)
        && ALIGNMENT.is_multiple_of(size_of::<TouchingFeatures>() as u64)
        && ALIGNMENT.is_multiple_of(size_of::<RawContact>() as u64)
);
pub(super) const WORD: u64 = 4;

/// Samples along the longest side of a field's domain, on edges and large faces; no more than there are cells.
const SAMPLES_ALONG: f32 = 64.0;
/// Part of the domain's size by which values may differ and count as equal: some roundings of a position in it.
const NOISE: f32 = 1e-6;
/// The largest area of a triangle in fixed point.
const MOST_AREA: f32 = 67_108_864.0;
/// Every device allows this many workgroups.
const MAX_GROUPS: u32 = 65_535;

impl ContactSide {
    /// Bytes of the parts.
    pub(super) fn parts(&self) -> [u64; PARTS] {
        let (vertices, triangles) = (u64::from(self.mesh.vertices), self.triangles());
        [
            size_of::<blocks::ContactsQuery>() as u64,
            size_of::<TouchingFeatures>() as u64,
            // Four of the words of a vertex are for the host, behind all others.
            WORD * (self.mesh.clusters.len() as u64 + 11 * vertices + 31 * triangles),
        ]
    }

    /// How far a vertex is at most from where the device has it, in world units.
    pub(super) fn rounding(&self) -> f64 {
        self.mesh.rounding() * self.mesh_unit
    }

    fn triangles(&self) -> u64 {
        self.mesh.triangles.len() as u64
    }

    /// The length of the longest side of the field's domain, and of a cell, in the world.
    pub(super) fn sizes(&self) -> [f32; 2] {
        let grid = &self.field.data.grid;
        [grid.domain().size().max_element(), grid.spacing].map(|size| size * self.unit as f32)
    }

    /// From one sample on an edge or a large face to the next, in field units.
    fn spacing(&self) -> f32 {
        let grid = &self.field.data.grid;
        (grid.domain().size().max_element() / SAMPLES_ALONG).max(grid.spacing)
    }

    /// Takes its place in a dispatch; `first` is the number of its first part, `raw` is where the pair's contacts lie.
    pub(super) fn join(
        &mut self,
        first: usize,
        raw: Extent,
        place: &Place,
        dispatches: &mut Dispatches,
    ) {
        let common = [
            Arc::as_ptr(&self.mesh) as usize,
            Arc::as_ptr(&self.field) as usize,
        ];
        let parts = extents(first, raw, place);
        self.member = Some(dispatches.join(common, parts, QUERY_BYTES));
    }

    /// Takes a dispatch of its own; `raw` is where its contacts lie.
    pub(super) fn stay_alone(&mut self, first: usize, raw: Extent, place: &Place) {
        self.member = Some(Member::alone(extents(first, raw, place)));
    }

    fn member(&self) -> &Member {
        (self.member.as_ref()).expect("a side joins a dispatch before it is recorded")
    }

    /// Records that the side starts; `first` is the number of its first part.
    pub(super) fn start(
        &self,
        [distance, capacity]: [f64; 2],
        sampling: Sampling,
        first: usize,
        place: &Place,
        recorder: &mut Recorder,
    ) {
        let params = self.params(distance, capacity as u32, sampling, recorder.device());
        place.write(recorder, first + PARAMS, &params);
        let none = TouchingFeatures {
            cluster_command: [0, 1, 1],
            edge_command: [0, 1, 1],
            face_command: [0, 1, 1],
            list_command: [0, 1, 1],
            large_command: [0, 1, 1],
            ..TouchingFeatures::zeroed()
        };
        place.write(recorder, first + TOUCHING, &none);
    }

    fn params(
        &self,
        distance: f64,
        capacity: u32,
        sampling: Sampling,
        device: &Device,
    ) -> blocks::ContactsQuery {
        let extent = self.field.data.grid.domain().size().max_element();
        let shift = self.motion.translation / self.unit;
        let (ratio, member) = (self.mesh_unit / self.unit, self.member());
        blocks::ContactsQuery {
            meeting: placed_mesh(&self.mesh, &self.motion, (ratio, shift), device),
            to_pair: rows(&self.to_pair, self.unit, self.to_pair.translation),
            distance: (distance / self.unit) as f32,
            ratio: ratio as f32 * 1.000_001,
            unit: self.unit as f32,
            spacing: self.spacing(),
            noise: NOISE * extent,
            area_scale: MOST_AREA / (extent * extent),
            side: self.number,
            sampling: sampling as u32,
            vertices: self.mesh.vertices,
            triangles: self.triangles() as u32,
            capacity,
            touching_at: member.offset(TOUCHING, size_of::<TouchingFeatures>() as u64),
            list_at: member.offset(WORK, WORD),
            work_at: member.offset(WORK, WORD) + self.mesh.clusters.len() as u32,
            raw_at: member.offset(RAW, size_of::<RawContact>() as u64),
            ..blocks::ContactsQuery::zeroed()
        }
    }

    /// Records a step of all sides of its dispatch; `first` is the number of the side's first part, `raw` that of its contacts.
    pub(super) fn record(
        &self,
        step: SideStep,
        first: usize,
        raw: usize,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let member = self.member();
        if !member.is_first() {
            return Ok(());
        }
        member.begin_part(recorder);
        let push = self.push();
        let meeting = self.bindings(recorder.device());
        let fetch = meeting.fetch();
        let side = self.memory(first, place);
        let (field, tables) = (
            self.field.bindings(recorder.device()),
            Bound::whole(&self.tables),
        );
        let raw = place.stretch(raw, 0, member.bytes(RAW));
        let (commands, start) = place.buffer(first + TOUCHING);
        let clusters = start + offset_of!(TouchingFeatures, cluster_command) as u64;
        let edges = start + offset_of!(TouchingFeatures, edge_command) as u64;
        let faces = start + offset_of!(TouchingFeatures, face_command) as u64;
        let listed = start + offset_of!(TouchingFeatures, list_command) as u64;
        let large = start + offset_of!(TouchingFeatures, large_command) as u64;
        macro_rules! run {
            ($kernel:ident, $command:expr $(, $more:ident)?) => {{
                let kernel = $kernel {
                    fetch,
                    meeting,
                    side,
                    tables,
                    field,
                    $($more,)?
                };
                recorder.dispatch_indirect(&kernel, &push, commands, $command)
            }};
        }
        match step {
            SideStep::Clusters => self.find_clusters(first, place, recorder),
            SideStep::Values => run!(ContactValues, clusters),
            SideStep::Features => run!(ContactFeatures, clusters),
            SideStep::Edges => run!(ContactEdges, edges, raw),
            SideStep::Faces => run!(ContactFaces, faces),
            SideStep::Vertices => run!(ContactVertices, clusters),
            SideStep::List => {
                run!(ContactList, listed, raw)?;
                run!(ContactLarge, large, raw)
            }
        }
    }

    /// Records that the clusters that may touch are found.
    pub(super) fn find_clusters(
        &self,
        first: usize,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let meeting = self.bindings(recorder.device());
        let kernel = ContactClusters {
            fetch: meeting.fetch(),
            meeting,
            side: self.memory(first, place),
            field: self.field.bindings(recorder.device()),
        };
        let lanes = ContactClusters::WORKGROUP[0];
        let groups = (self.mesh.clusters.len() as u32).div_ceil(lanes);
        let groups = [groups.min(MAX_GROUPS), self.member().count(), 1];
        recorder.dispatch(&kernel, &self.push(), groups)
    }

    /// The sides of its dispatch.
    pub(super) fn push(&self) -> SidesPush {
        SidesPush {
            sides: self.member().places(),
            count: self.member().count(),
        }
    }

    /// The memory of all sides of its dispatch, of which it is the first.
    pub(super) fn memory<'a>(&self, first: usize, place: &Place<'a>) -> SideBindings<'a> {
        let of = |part| place.stretch(first + part, 0, self.member().bytes(part));
        SideBindings {
            query: of(PARAMS),
            touching: of(TOUCHING),
            work: of(WORK),
        }
    }

    pub(super) fn bindings(&self, device: &Device) -> MeetingBindings<'_> {
        mesh_bindings(&self.mesh, device)
    }
}

/// Where the parts of a side lie, and the contacts.
fn extents(first: usize, raw: Extent, place: &Place) -> Vec<Extent> {
    let own = [PARAMS, TOUCHING, WORK].map(|part| place.extent(first + part));
    own.into_iter().chain([raw]).gather()
}
