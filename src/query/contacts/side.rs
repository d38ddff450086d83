//! One side of a pair: the surface of one body's mesh in the field of the other. Kernels list every local minimum of the signed distance
//! below the contact distance: on a vertex, on an edge, in a face.

use super::Sampling;
use crate::error::Result;
use crate::field::Field;
use crate::gpu::buffer::Buffer;
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::gpu::shader::blocks::{self, TouchingFeatures};
use crate::gpu::shader::kernels::{
    ContactClusters, ContactEdges, ContactFaces, ContactFeatures, ContactList, ContactValues,
    ContactVertices, MeetingBindings,
};
use crate::query::meeting::{mesh_bindings, placed_mesh, rows};
use crate::query::workspace::Place;
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
    /// Lists all that it does not descend from.
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
}

/// Parts of the working memory that each side has.
pub(super) const PARTS: usize = 3;
const PARAMS: usize = 0;
const TOUCHING: usize = 1;
const WORK: usize = 2;

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
            size_of::<TouchingFeatures>() as u64 + 4 * self.mesh.clusters.len() as u64,
            4 * (7 * vertices + 31 * triangles),
        ]
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
        let ratio = self.mesh_unit / self.unit;
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
            ..blocks::ContactsQuery::zeroed()
        }
    }

    /// Records a step; `first` is the number of the side's first part.
    pub(super) fn record(
        &self,
        step: SideStep,
        first: usize,
        raw: Bound,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let meeting = self.bindings(recorder.device());
        let fetch = meeting.fetch();
        let [query, touching, work] = [PARAMS, TOUCHING, WORK].map(|part| place.part(first + part));
        let (field, tables) = (self.field.texture.bindings(), Bound::whole(&self.tables));
        let (commands, start) = place.buffer(first + TOUCHING);
        let clusters = start + offset_of!(TouchingFeatures, cluster_command) as u64;
        let edges = start + offset_of!(TouchingFeatures, edge_command) as u64;
        let faces = start + offset_of!(TouchingFeatures, face_command) as u64;
        let listed = start + offset_of!(TouchingFeatures, list_command) as u64;
        match step {
            SideStep::Clusters => {
                let kernel = ContactClusters {
                    fetch,
                    meeting,
                    query,
                    touching,
                    field,
                };
                let lanes = ContactClusters::WORKGROUP[0];
                let groups = (self.mesh.clusters.len() as u32).div_ceil(lanes);
                recorder.dispatch(&kernel, &(), [groups.min(MAX_GROUPS), 1, 1])
            }
            SideStep::Values => {
                let kernel = ContactValues {
                    fetch,
                    meeting,
                    query,
                    touching,
                    work,
                    tables,
                    field,
                };
                recorder.dispatch_indirect(&kernel, &(), commands, clusters)
            }
            SideStep::Features => {
                let kernel = ContactFeatures {
                    fetch,
                    meeting,
                    query,
                    touching,
                    work,
                    tables,
                    field,
                };
                recorder.dispatch_indirect(&kernel, &(), commands, clusters)
            }
            SideStep::Edges => {
                let kernel = ContactEdges {
                    fetch,
                    meeting,
                    query,
                    touching,
                    work,
                    tables,
                    field,
                };
                recorder.dispatch_indirect(&kernel, &(), commands, edges)
            }
            SideStep::Faces => {
                let kernel = ContactFaces {
                    fetch,
                    meeting,
                    query,
                    touching,
                    work,
                    tables,
                    field,
                };
                recorder.dispatch_indirect(&kernel, &(), commands, faces)
            }
            SideStep::Vertices => {
                let kernel = ContactVertices {
                    fetch,
                    meeting,
                    query,
                    touching,
                    work,
                    tables,
                    field,
                };
                recorder.dispatch_indirect(&kernel, &(), commands, clusters)
            }
            SideStep::List => {
                let kernel = ContactList {
                    fetch,
                    meeting,
                    query,
                    touching,
                    work,
                    raw,
                    tables,
                    field,
                };
                recorder.dispatch_indirect(&kernel, &(), commands, listed)
            }
        }
    }

    pub(super) fn bindings(&self, device: &Device) -> MeetingBindings<'_> {
        mesh_bindings(&self.mesh, device)
    }
}
