//! What a batch is asked of layered depth images: volumes, containment, layers.

use super::{Batch, Query, Ticket};
use crate::error::Result;
use crate::gpu::buffer::Buffer;
use crate::gpu::recorder::Recorder;
use crate::query::contains::{Containment, ContainsQuery};
use crate::query::gradients::{Gradients, GradientsQuery};
use crate::query::layers::{Layers, LayersQuery, Stretches};
use crate::query::ldi::LdiOptions;
use crate::query::volume::{Volume, VolumeQuery};
use crate::scene::mesh::Mesh;
use crate::scene::pose::Pose;
use glam::Vec3;
use std::sync::{Arc, PoisonError};

/// A query by rays.
pub(super) enum RayQuery {
    Volume(VolumeQuery),
    Gradients(GradientsQuery),
    Contains(ContainsQuery),
    Layers(LayersQuery),
}

impl RayQuery {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Volume(_) => "volume",
            Self::Gradients(_) => "volume gradients",
            Self::Contains(_) => "contains",
            Self::Layers(_) => "layers",
        }
    }

    pub(super) fn result_bytes(&self) -> u64 {
        match self {
            Self::Volume(query) => query.result_bytes(),
            Self::Gradients(query) => query.result_bytes(),
            Self::Contains(query) => query.result_bytes(),
            Self::Layers(query) => query.result_bytes(),
        }
    }

    pub(super) fn record(
        &self,
        recorder: &mut Recorder,
        results: &Buffer,
        offset: u64,
    ) -> Result<()> {
        match self {
            Self::Volume(query) => query.record(recorder, results, offset),
            Self::Gradients(query) => query.record(recorder, results, offset),
            Self::Contains(query) => query.record(recorder, results, offset),
            Self::Layers(query) => query.record(recorder, results, offset),
        }
    }
}

impl Batch {
    /// Records the volume that two closed meshes have in common.
    pub fn volume(
        &self,
        a: (Arc<Mesh>, Pose),
        b: (Arc<Mesh>, Pose),
        options: LdiOptions,
    ) -> Result<Ticket> {
        let query = VolumeQuery::plan(&self.device, a, b, options)?;
        self.add(Query::Rays(Box::new(RayQuery::Volume(query))))
    }

    /// Records how that volume changes as each vertex moves.
    pub fn volume_gradients(
        &self,
        a: (Arc<Mesh>, Pose),
        b: (Arc<Mesh>, Pose),
        options: LdiOptions,
    ) -> Result<Ticket> {
        let query = GradientsQuery::plan(&self.device, a, b, options)?;
        self.add(Query::Rays(Box::new(RayQuery::Gradients(query))))
    }

    /// Records which points of the world are inside a closed mesh.
    pub fn contains(
        &self,
        mesh: (Arc<Mesh>, Pose),
        points: &[Vec3],
        options: LdiOptions,
    ) -> Result<Ticket> {
        let query = {
            let mut staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
            ContainsQuery::plan(&self.device, &mut staging, mesh, points, options)?
        };
        self.add(Query::Rays(Box::new(RayQuery::Contains(query))))
    }

    /// Records stretches of the rays through a closed mesh, at most `room` of them.
    pub fn layers(
        &self,
        mesh: (Arc<Mesh>, Pose),
        stretches: Stretches,
        options: LdiOptions,
        room: u32,
    ) -> Result<Ticket> {
        let query = LayersQuery::plan(&self.device, mesh, stretches, options, room)?;
        self.add(Query::Rays(Box::new(RayQuery::Layers(query))))
    }

    /// The answer of a volume query; an error with the memory it needs when it had too little.
    pub fn volume_answer(&self, ticket: Ticket) -> Result<Volume> {
        self.ray_answer(ticket, "volume", |query, bytes| match query {
            RayQuery::Volume(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of a query for a volume's gradients; an error with the memory it needs when it had too little.
    pub fn volume_gradients_answer(&self, ticket: Ticket) -> Result<Gradients> {
        self.ray_answer(ticket, "volume gradients", |query, bytes| match query {
            RayQuery::Gradients(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of a containment query, in the order of the points.
    pub fn contains_answer(&self, ticket: Ticket) -> Result<Vec<Containment>> {
        self.ray_answer(ticket, "contains", |query, bytes| match query {
            RayQuery::Contains(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    /// The answer of a layers query; an error with the room it needs when it had too little.
    pub fn layers_answer(&self, ticket: Ticket) -> Result<Layers> {
        self.ray_answer(ticket, "layers", |query, bytes| match query {
            RayQuery::Layers(query) => Some(query.answer(bytes)),
            _ => None,
        })
    }

    fn ray_answer<T>(
        &self,
        ticket: Ticket,
        wanted: &str,
        read: impl FnOnce(&RayQuery, &[u8]) -> Option<Result<T>>,
    ) -> Result<T> {
        self.answer(ticket, wanted, |query, bytes| match query {
            Query::Rays(query) => read(query, bytes),
            _ => None,
        })?
    }
}
