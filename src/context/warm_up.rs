//! Warm-up: the pipelines that chosen queries need, made before they are needed.
//!
//! The queries run once on small bodies. That makes exactly the variants that they choose on this device, and it is more than making
//! pipelines: software drivers compile a kernel when it first runs.

use super::Context;
use crate::error::Result;
use crate::field::Field;
use crate::field::bake::Signing;
use crate::field::data::{Precision, Storage};
use crate::field::grid::Resolution;
use crate::field::request::{BakeRequest, GridPlacement};
use crate::geometry::surface::Surface;
use crate::query::body::ContactBody;
use crate::query::bounds::{BoundsQuery, FEWEST_BY_CLUSTERS};
use crate::query::clusters::ClustersQuery;
use crate::query::contacts::soft::{SoftContactOptions, SoftContactsQuery};
use crate::query::contacts::{ContactOptions, ContactsQuery};
use crate::query::contains::ContainsQuery;
use crate::query::gradients::GradientsQuery;
use crate::query::layers::{LayersQuery, Stretches};
use crate::query::ldi::{ImageQuery, LdiOptions, RayResolution};
use crate::query::meeting::Meeting;
use crate::query::overlap::{OverlapOptions, OverlapQuery};
use crate::query::penalty::{PenaltyOptions, PenaltyQuery};
use crate::query::proximity::{ProximityOptions, ProximityQuery};
use crate::query::rebake::RebakeQuery;
use crate::query::sample::SampleQuery;
use crate::query::volume::VolumeQuery;
use crate::scene::mesh::{Mesh, MeshInput};
use crate::scene::pose::Pose;
use glam::{DVec3, Quat, Vec3};
use std::f32::consts::{PI, TAU};
use std::sync::Arc;

/// Queries of the device that share their kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// Boxes, and boxes of clusters.
    Bounds,
    /// Samples of fields.
    Sample,
    /// Contacts of bodies, of scenes and of soft bodies.
    Contacts,
    /// The closest or deepest point.
    Proximity,
    /// Penalty forces.
    Penalty,
    /// Whether a mesh touches a field's body.
    Overlap,
    /// All that layered depth images answer.
    Volume,
    /// Live fields.
    Rebake,
}

impl QueryKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Bounds,
        Self::Sample,
        Self::Contacts,
        Self::Proximity,
        Self::Penalty,
        Self::Overlap,
        Self::Volume,
        Self::Rebake,
    ];
}

/// Stretches that the sphere may have along as many rays as usual.
const ROOM: u32 = 1 << 16;

const STORAGES: [Storage; 3] = [Storage::Distance, Storage::Direction, Storage::Sparse];

impl Context {
    /// Runs queries of each kind once. Returns how many pipelines the device has made by then, at any time.
    pub fn warm_up(&self, kinds: &[QueryKind]) -> Result<usize> {
        if !kinds.is_empty() {
            let mesh = self.make_mesh(sphere(6, 8))?;
            for kind in kinds {
                self.run_once(*kind, &mesh)?;
            }
        }
        Ok(self.device().pipelines())
    }

    fn run_once(&self, kind: QueryKind, mesh: &Arc<Mesh>) -> Result<()> {
        let resources = self.resources();
        match kind {
            QueryKind::Bounds => self.run_bounds(mesh),
            QueryKind::Volume => self.run_volumes(mesh),
            QueryKind::Rebake => {
                let (field, band) = self.make_live_field(mesh, request(Storage::Distance), 0.5)?;
                self.ask(RebakeQuery::plan(field, band))
            }
            QueryKind::Sample => self.for_each_storage(mesh, |field| {
                let points = [Vec3::ZERO, Vec3::X];
                let query = SampleQuery::plan(resources, (field, Pose::default()), &points)?;
                self.ask(query).map(drop)
            }),
            QueryKind::Contacts => {
                self.for_each_storage(mesh, |field| self.run_contacts(field, mesh))
            }
            QueryKind::Proximity => self.for_each_storage(mesh, |field| {
                let options = ProximityOptions::default();
                let query = ProximityQuery::plan(resources, touching(field, mesh), options)?;
                self.ask(query).map(drop)
            }),
            QueryKind::Penalty => self.for_each_storage(mesh, |field| {
                let options = PenaltyOptions::default();
                let query = PenaltyQuery::plan(resources, touching(field, mesh), options)?;
                self.ask(query).map(drop)
            }),
            QueryKind::Overlap => self.for_each_storage(mesh, |field| {
                let options = OverlapOptions::default();
                let query = OverlapQuery::plan(resources, touching(field, mesh), options)?;
                self.ask(query).map(drop)
            }),
        }
    }

    /// Of two bodies, and of a soft one; those of a scene are those of two bodies.
    fn run_contacts(&self, field: Arc<Field>, mesh: &Arc<Mesh>) -> Result<()> {
        let resources = self.resources();
        let body = ContactBody::new(Some(mesh.clone()), Some(field));
        let other = ContactBody {
            position: DVec3::X * 1.5,
            ..body.clone()
        };
        let bodies = [body.clone(), other.clone()];
        self.ask(ContactsQuery::plan(
            resources,
            bodies,
            ContactOptions::default(),
        )?)?;
        let options = SoftContactOptions::default();
        let soft = SoftContactsQuery::plan(resources, other, vec![body], options)?;
        self.ask(soft).map(drop)
    }

    /// Small meshes are scanned, large ones go by their clusters.
    fn run_bounds(&self, small: &Arc<Mesh>) -> Result<()> {
        self.ask(BoundsQuery::plan(small.clone(), Pose::default())?)?;
        let rings = FEWEST_BY_CLUSTERS.isqrt() + 2;
        let large = self.make_mesh(sphere(rings, rings))?;
        self.ask(ClustersQuery::plan(large.clone()))?;
        let turned = Pose {
            rotation: Quat::from_rotation_x(1.0),
            ..Pose::default()
        };
        self.ask(BoundsQuery::plan(large, turned)?).map(drop)
    }

    fn run_volumes(&self, mesh: &Arc<Mesh>) -> Result<()> {
        let resources = self.resources();
        let here = || (mesh.clone(), Pose::default());
        let beside = || (mesh.clone(), moved());
        let options = LdiOptions {
            resolution: RayResolution::Pixels(8),
            ..LdiOptions::default()
        };
        let trusting = LdiOptions {
            trusted: true,
            ..options
        };
        // As many rays as usual do not fit into texel views everywhere: other variants run then.
        for options in [options, trusting, LdiOptions::default()] {
            let narrow = LdiOptions {
                narrow: true,
                ..options
            };
            self.ask(VolumeQuery::plan(resources, here(), beside(), narrow)?)?;
            let gradients = GradientsQuery::plan(resources, here(), beside(), options)?;
            self.ask(gradients)?;
            let points = [Vec3::ZERO, Vec3::X];
            self.ask(ContainsQuery::plan(resources, here(), &points, options)?)?;
            // An image that is kept has no texel views.
            let kept = LdiOptions {
                kept: true,
                ..options
            };
            self.ask(ImageQuery::plan(resources, mesh.clone(), kept)?)?
                .keep(mesh);
            self.ask(ContainsQuery::plan(resources, here(), &points, kept)?)?;
            for stretches in [Stretches::Inside, Stretches::SelfOverlaps] {
                let layers = LayersQuery::plan(resources, here(), stretches, options, ROOM)?;
                self.ask(layers)?;
            }
            let both = [here(), beside()];
            self.ask(LayersQuery::shared(resources, both, options, ROOM)?)?;
        }
        Ok(())
    }

    fn for_each_storage(
        &self,
        mesh: &Arc<Mesh>,
        ask: impl Fn(Arc<Field>) -> Result<()>,
    ) -> Result<()> {
        for storage in STORAGES {
            let data = mesh.with_positions(|positions| {
                let triangles = &mesh.triangles;
                let surface = Surface {
                    positions: positions.into(),
                    triangles,
                };
                self.workers
                    .run(|| request(storage).of_surface(surface, &|_| ()))
            });
            let data = data.expect("the mesh has positions of its own")??;
            ask(self.make_field(data)?)?;
        }
        Ok(())
    }
}

fn request(storage: Storage) -> BakeRequest {
    BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(8),
            padding: None,
        },
        storage,
        precision: Precision::Single,
        signing: Signing::Auto,
    }
}

/// A mesh that is partly inside of a field's body.
fn touching(field: Arc<Field>, mesh: &Arc<Mesh>) -> Meeting {
    Meeting {
        field,
        field_pose: Pose::default(),
        mesh: mesh.clone(),
        mesh_pose: moved(),
    }
}

fn moved() -> Pose {
    Pose {
        position: Vec3::new(1.5, 0.1, 0.2),
        ..Pose::default()
    }
}

/// A closed unit sphere with so many vertices on each of its rings, between two poles.
fn sphere(rings: u32, sectors: u32) -> MeshInput {
    let on_ring = |ring: u32, sector: u32| {
        let (down, around) = (
            PI * (ring + 1) as f32 / (rings + 1) as f32,
            TAU * sector as f32 / sectors as f32,
        );
        Vec3::new(
            down.sin() * around.cos(),
            down.cos(),
            down.sin() * around.sin(),
        )
    };
    let mut positions = vec![Vec3::Y, -Vec3::Y];
    positions.extend((0..rings * sectors).map(|i| on_ring(i / sectors, i % sectors)));
    let vertex = |ring: u32, sector: u32| 2 + ring * sectors + sector % sectors;
    let mut triangles = Vec::new();
    for sector in 0..sectors {
        triangles.push([0, vertex(0, sector + 1), vertex(0, sector)]);
        triangles.push([1, vertex(rings - 1, sector), vertex(rings - 1, sector + 1)]);
        for ring in 1..rings {
            let [a, b] = [vertex(ring - 1, sector), vertex(ring - 1, sector + 1)];
            let [c, d] = [vertex(ring, sector), vertex(ring, sector + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    MeshInput {
        label: "warm-up".into(),
        triangles,
        vertices: positions.len() as u32,
        positions: Some(positions.into()),
        engine: None,
        deforming: false,
    }
}
