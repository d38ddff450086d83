//! Exact queries: what the CPU pool answers, at the call or in a batch.

use super::exact_records::ExactRecords;
use super::output::OutputArray;
use super::pairs::search::{SoughtPairs, TriangleCandidate};
use super::placed::{Placed, PlacedMoment};
use super::visibility::ClusterBoxes;
use crate::error::{Error, Result};
use crate::geometry::bounded::TooMany;
use crate::geometry::self_collision::Neighbourhoods;
use crate::geometry::topology::representatives::Representatives;
use crate::interrupt;
use crate::memory;
use crate::scene::hierarchy::FittedMesh;
use crate::scene::mesh::{Mesh, MeshMoment};
use crate::scene::pose::Pose;
use crate::workers::Workers;
use crate::zones::zone;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A planned exact query: its input is checked and held, and nothing has run yet. It looks at the positions that meshes have when it
/// is prepared.
pub trait ExactQuery: Send + Sync + 'static {
    /// What it finds.
    type Answer: Send + Sync + 'static;

    /// The meshes as it takes them, at one moment.
    type Prepared: Send;

    /// Its name in error messages.
    const NAME: &'static str;

    /// The meshes that it looks at, one more than once where it comes more than once.
    fn meshes(&self) -> Vec<&Arc<Mesh>>;

    /// Whether it shares its work among threads. One that does not is answered without waking others.
    fn is_shared(&self) -> bool {
        true
    }

    /// The pairs of triangles that a device can look for, where that is all that is asked.
    fn sought(&self) -> Option<SoughtPairs<'_>> {
        None
    }

    /// Finds the answer among all pairs that may count, on a pool.
    fn decide(&self, _candidates: &[TriangleCandidate]) -> Result<Self::Answer> {
        Err(Error::Internal(format!(
            "{} are not searched for",
            Self::NAME
        )))
    }

    /// The arrays that it can write to buffers of the engine's.
    const OUTPUTS: &'static [OutputArray] = &[];

    /// The records of an array, at most so many.
    fn records(_answer: &Self::Answer, _array: usize, _most: usize) -> Result<ExactRecords> {
        Err(Error::Internal(format!("{} have no records", Self::NAME)))
    }

    /// Makes what it needs of the meshes, on a thread that may wait for others.
    fn prepare(&self, source: &MeshesAt) -> Result<Self::Prepared>;

    /// Finds the answer, on a pool. It must not wait for other threads: its own may have gone on with another query.
    fn run(&self, prepared: Self::Prepared) -> Result<Self::Answer>;
}

/// Gives the positions of a mesh.
type ReadPositions<'a> = dyn Fn(&Arc<Mesh>) -> Result<MeshMoment> + 'a;

/// Meshes as exact queries take them, all as they are at one moment: each is read and fitted once.
pub struct MeshesAt<'a> {
    workers: &'a Workers,
    read: Box<ReadPositions<'a>>,
    kept: RefCell<HashMap<usize, KeptMesh>>,
}

/// What was made of a mesh.
#[derive(Default)]
struct KeptMesh {
    moment: Option<MeshMoment>,
    fitted: Option<Arc<FittedMesh>>,
    boxes: Option<Arc<ClusterBoxes>>,
}

impl<'a> MeshesAt<'a> {
    /// `read` gives the positions of a mesh; `workers` make what queries need of it.
    pub fn new(workers: &'a Workers, read: impl Fn(&Arc<Mesh>) -> Result<MeshMoment> + 'a) -> Self {
        Self {
            workers,
            read: Box::new(read),
            kept: RefCell::default(),
        }
    }

    /// The pool that makes what queries need of a mesh.
    pub fn workers(&self) -> &Workers {
        self.workers
    }

    fn keep(&self, mesh: &Arc<Mesh>, put: impl FnOnce(&mut KeptMesh)) -> Result<()> {
        let mut kept = self.kept.borrow_mut();
        interrupt::caught(|| memory::ensure_map(&mut kept, 1))?;
        put(kept.entry(Arc::as_ptr(mesh) as usize).or_default());
        Ok(())
    }

    fn kept<T>(&self, mesh: &Arc<Mesh>, look: impl FnOnce(&KeptMesh) -> Option<T>) -> Option<T> {
        let kept = self.kept.borrow();
        kept.get(&(Arc::as_ptr(mesh) as usize)).and_then(look)
    }

    /// The positions of a mesh.
    pub fn moment(&self, mesh: &Arc<Mesh>) -> Result<MeshMoment> {
        if let Some(moment) = self.kept(mesh, |kept| kept.moment.clone()) {
            return Ok(moment);
        }
        let moment = (self.read)(mesh)?;
        self.keep(mesh, |kept| kept.moment = Some(moment.clone()))?;
        Ok(moment)
    }

    /// A mesh and its hierarchy.
    pub fn fitted(&self, mesh: &Arc<Mesh>) -> Result<Arc<FittedMesh>> {
        if let Some(fitted) = self.kept(mesh, |kept| kept.fitted.clone()) {
            return Ok(fitted);
        }
        let fitted = if mesh.is_engine_owned() && !mesh.deforming {
            // Read back for the first query of all.
            mesh.fitted(|| self.moment(mesh), |fit| self.workers.run(fit))?
        } else {
            mesh.fitted_at(&self.moment(mesh)?, |fit| self.workers.run(fit))?
        };
        self.keep(mesh, |kept| kept.fitted = Some(fitted.clone()))?;
        Ok(fitted)
    }

    /// The positions of a mesh that a query follows from step to step: those of the engine's buffers that stay are read once, with a hierarchy.
    pub fn moment_of_step(&self, mesh: &Arc<Mesh>) -> Result<MeshMoment> {
        if mesh.is_engine_owned() && !mesh.deforming {
            return Ok(self.fitted(mesh)?.moment());
        }
        self.moment(mesh)
    }

    /// The same of a mesh where it stands.
    pub fn placed_moment_of_step(&self, standing: &StandingMesh) -> Result<PlacedMoment> {
        Ok(PlacedMoment {
            mesh: standing.mesh.clone(),
            moment: self.moment_of_step(&standing.mesh)?,
            pose: standing.pose,
        })
    }

    /// A mesh and its hierarchy; None where it must be fitted anew and `over` says before that it is enough.
    pub fn fitted_unless(
        &self,
        mesh: &Arc<Mesh>,
        over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Arc<FittedMesh>>> {
        let moment = self.moment_of_step(mesh)?;
        mesh.fitted_unless(&moment, over, |fit| self.workers.run(fit))
    }

    /// The boxes of a mesh's clusters; no hierarchy is built for them.
    pub fn cluster_boxes(&self, mesh: &Arc<Mesh>) -> Result<Arc<ClusterBoxes>> {
        if let Some(boxes) = self.kept(mesh, |kept| kept.boxes.clone()) {
            return Ok(boxes);
        }
        let moment = self.moment(mesh)?;
        let boxes = Arc::new(self.workers.run(|| ClusterBoxes::new(mesh, moment))?);
        self.keep(mesh, |kept| kept.boxes = Some(boxes.clone()))?;
        Ok(boxes)
    }

    /// A mesh where it stands.
    pub fn placed(&self, standing: &StandingMesh) -> Result<Placed> {
        Ok(Placed {
            mesh: standing.mesh.clone(),
            fitted: self.fitted(&standing.mesh)?,
            pose: standing.pose,
        })
    }

    /// A mesh where it stands, with nothing built for it.
    pub fn placed_moment(&self, standing: &StandingMesh) -> Result<PlacedMoment> {
        Ok(PlacedMoment {
            mesh: standing.mesh.clone(),
            moment: self.moment(&standing.mesh)?,
            pose: standing.pose,
        })
    }

    /// The triangles that answer for the vertices and edges of a mesh.
    pub fn representatives(&self, mesh: &Mesh) -> Result<Arc<Representatives>> {
        mesh.representatives(|make| self.workers.run(make))
    }

    /// What lies around the vertices and triangles of a mesh.
    pub fn neighbourhoods(&self, mesh: &Mesh, fitted: &FittedMesh) -> Result<Arc<Neighbourhoods>> {
        mesh.neighbourhoods(fitted, |make| self.workers.run(make))
    }
}

/// A mesh and where it stands.
#[derive(Clone)]
pub struct StandingMesh {
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// Its place in the world.
    pub pose: Pose,
}

impl StandingMesh {
    /// Refuses a pose that is none.
    pub fn new(mesh: Arc<Mesh>, pose: Pose) -> Result<Self> {
        pose.validate()?;
        Ok(Self { mesh, pose })
    }
}

/// The answer of a query, at once.
pub fn ask<Q: ExactQuery>(query: &Q, source: &MeshesAt) -> Result<Q::Answer> {
    let _zone = zone(Q::NAME);
    let prepared = query.prepare(source)?;
    if query.is_shared() {
        source.workers.run(|| query.run(prepared))?
    } else {
        source.workers.run_here(|| query.run(prepared))?
    }
}

/// How many results the caller takes.
pub fn room(capacity: u64) -> usize {
    usize::try_from(capacity).unwrap_or(usize::MAX)
}

/// The error of a list that is longer than the caller takes.
pub fn too_many(found: TooMany, capacity: u64) -> Error {
    Error::BufferTooSmall {
        what: "pairs",
        given: capacity,
        needed: found.needed,
    }
}
