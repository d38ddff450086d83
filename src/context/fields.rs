//! Fields of a context: baked in the background, made from samples or shapes, loaded and saved.

use super::{Context, bound_staging};
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::data::{FieldData, Storage};
use crate::field::request::BakeRequest;
use crate::field::texture::voxel;
use crate::geometry::surface::Surface;
use crate::interrupt::{self, Cancellation, NAP, Watch};
use crate::lock::{lock, outlive};
use crate::log::Severity;
use crate::panics;
use crate::query::band::Band;
use crate::scene::mesh::Mesh;
use crate::workers::background::Background;
use crate::zones::zone;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A field that is there, or on its way, or failed.
pub(super) struct FieldSlot {
    state: Mutex<FieldState>,
    changed: Condvar,
    progress: AtomicU32,
    /// Of the bake.
    cancellation: Arc<Cancellation>,
    background: Mutex<Option<Background>>,
    /// What error messages call it.
    name: String,
}

enum FieldState {
    Baking,
    Ready(Arc<Field>),
    Live(Arc<Field>, Arc<Band>),
    Failed(Error),
}

impl FieldSlot {
    fn new(state: FieldState, of: Option<&Mesh>) -> Self {
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            progress: AtomicU32::new(0),
            cancellation: Arc::new(Cancellation::of("the bake")),
            background: Mutex::new(None),
            name: match of {
                Some(mesh) => format!("field of {}", mesh.name()),
                None => "field".into(),
            },
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn state(&self) -> MutexGuard<'_, FieldState> {
        lock(&self.state)
    }

    fn settle(&self, outcome: Result<Field>) {
        *self.state() = match outcome {
            Ok(field) => FieldState::Ready(Arc::new(field)),
            Err(error) => FieldState::Failed(error),
        };
        self.changed.notify_all();
    }

    /// Stops a bake.
    pub(super) fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Stops a bake and waits for its thread.
    pub(super) fn stop(&self) {
        self.cancel();
        let background = lock(&self.background).take();
        if let Some(background) = background {
            background.join();
        }
        // One that the engine never began.
        if self.is_baking() {
            self.settle(Err(Error::Cancelled("the bake")));
        }
    }

    /// Bakes on this thread if the engine has not begun to.
    fn bake_here(&self) {
        let work = lock(&self.background).as_ref().and_then(Background::take);
        if let Some(work) = work {
            work();
        }
    }

    pub(super) fn is_baking(&self) -> bool {
        matches!(*self.state(), FieldState::Baking)
    }
}

impl Context {
    /// Starts baking a field of a mesh as it is now, and names it.
    pub fn bake_field(&self, mesh: u64, request: BakeRequest) -> Result<u64> {
        let mesh = self.mesh(mesh)?;
        let positions = self.moment(&mesh)?.positions;
        // Measured before, on the caller's thread: the engine may not expect submissions of others.
        let directions = request.storage == Storage::Direction;
        self.device().filter(voxel(request.precision, directions))?;
        let slot = Arc::new(FieldSlot::new(FieldState::Baking, Some(&mesh)));
        let id = self.fields().insert(slot.clone())?;
        let (resources, workers) = (self.resources.clone(), self.workers.clone());
        let job = slot.clone();
        // From now on it can be cancelled.
        let watch = Arc::new(Watch::new(&slot.cancellation));
        let work = move || {
            let progress = |done: f32| job.progress.store(done.to_bits(), Ordering::Relaxed);
            let surface = Surface {
                positions: positions.all().rounded().into(),
                triangles: &mesh.triangles,
            };
            let bake = || {
                let _zone = zone("bake");
                let bake = || request.of_surface(surface, &progress);
                let mut data = workers.run_watched(&watch, bake)??;
                data.widen(positions.rounding());
                let mut staging = resources.staging();
                let field = Field::new(&resources.device, &mut staging, data)?;
                bound_staging(&resources.device, staging)?;
                Ok(field)
            };
            // Whoever waits for the field must hear of a bug, too.
            let field = panics::caught(bake).unwrap_or_else(|error| {
                resources
                    .device
                    .log
                    .say(Severity::Error, &error.to_string());
                Err(error)
            });
            job.settle(field);
        };
        match self.workers.start("proxel bake", work) {
            Ok(background) => {
                *lock(&slot.background) = Some(background);
                Ok(id)
            }
            Err(error) => {
                let _ = self.fields().remove(id);
                Err(error)
            }
        }
    }

    /// Takes a field whose samples are known, and names it.
    pub fn add_field(&self, data: FieldData) -> Result<u64> {
        let slot = FieldSlot::new(FieldState::Ready(self.make_field(data)?), None);
        self.fields().insert(Arc::new(slot))
    }

    pub(super) fn make_field(&self, data: FieldData) -> Result<Arc<Field>> {
        let mut staging = self.staging();
        let field = Field::new(&self.resources.device, &mut staging, data)?;
        bound_staging(&self.resources.device, staging)?;
        Ok(Arc::new(field))
    }

    /// Makes a field that follows a closed, oriented mesh: it is baked anew on the device by every rebake that a batch
    /// records, within `band` of the surface. Until the first it holds nothing but the band.
    pub fn create_live_field(&self, mesh: u64, request: BakeRequest, band: f32) -> Result<u64> {
        let mesh = self.mesh(mesh)?;
        let (field, band) = self.make_live_field(&mesh, request, band)?;
        let slot = FieldSlot::new(FieldState::Live(field, band), Some(&mesh));
        self.fields().insert(Arc::new(slot))
    }

    pub(super) fn make_live_field(
        &self,
        mesh: &Arc<Mesh>,
        request: BakeRequest,
        band: f32,
    ) -> Result<(Arc<Field>, Arc<Band>)> {
        let positions = self.current_positions(mesh)?;
        let surface = Surface {
            positions: (&positions[..]).into(),
            triangles: &mesh.triangles,
        };
        let data = request.of_live(surface, band)?;
        let device = &self.resources.device;
        let mut staging = self.staging();
        let band = Band::new(device, &mut staging, mesh.clone(), data.grid, band)?;
        let field = Field::new(device, &mut staging, data)?;
        bound_staging(device, staging)?;
        Ok((Arc::new(field), Arc::new(band)))
    }

    /// The parts of a live field.
    pub fn live_field(&self, id: u64) -> Result<(Arc<Field>, Arc<Band>)> {
        match &*self.field_slot(id)?.state() {
            FieldState::Live(field, band) => {
                band.mesh().check_not_replaced("live field")?;
                Ok((field.clone(), band.clone()))
            }
            _ => Err(Error::WrongState(
                "only a live field can be rebaked; create it by prx_field_create_live".into(),
            )),
        }
    }

    /// The field that an id names, when it is ready.
    pub fn field(&self, id: u64) -> Result<Arc<Field>> {
        let slot = self.field_slot(id)?;
        match &*slot.state() {
            FieldState::Ready(field) | FieldState::Live(field, _) => Ok(field.clone()),
            FieldState::Baking => Err(Error::WrongState(
                "the field is still baking; wait for it first".into(),
            )),
            FieldState::Failed(error) => Err(error.clone()),
        }
    }

    /// How much of a bake is done, from 0 to 1, and whether it has ended.
    pub fn field_progress(&self, id: u64) -> Result<(f32, bool)> {
        let slot = self.field_slot(id)?;
        let done = !slot.is_baking();
        Ok((
            if done {
                1.0
            } else {
                f32::from_bits(slot.progress.load(Ordering::Relaxed))
            },
            done,
        ))
    }

    /// Waits for a bake, at most `nanoseconds`; a bake that failed gives its error. When the call that this thread is in reaches its time
    /// limit, the bake goes on. What the engine's threads have not begun is baked here.
    pub fn wait_field(&self, id: u64, nanoseconds: u64) -> Result<()> {
        let slot = self.field_slot(id)?;
        slot.bake_here();
        let deadline = Instant::now().checked_add(Duration::from_nanos(nanoseconds));
        let mut state = slot.state();
        while let FieldState::Baking = *state {
            interrupt::verify()?;
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Err(Error::Timeout(nanoseconds));
            }
            let nap = left.map_or(NAP, |left| left.min(NAP));
            state = outlive(slot.changed.wait_timeout(state, nap)).0;
        }
        match &*state {
            FieldState::Failed(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Stops a bake; the field then fails as cancelled. One that has ended stays as it is.
    pub fn cancel_field(&self, id: u64) -> Result<()> {
        self.field_slot(id)?.cancel();
        Ok(())
    }

    /// Destroys a field; a bake is stopped, and queries in flight keep the field until they are done.
    pub fn destroy_field(&self, id: u64) -> Result<()> {
        let slot = self.fields().remove(id)?;
        slot.stop();
        Ok(())
    }

    fn field_slot(&self, id: u64) -> Result<Arc<FieldSlot>> {
        self.fields().get(id).cloned()
    }
}
