//! The volumes of the prisms under each mesh's triangles, within the other's spans: for the certificate of a shared volume.

use super::Ldi;
use super::generators::{groups_of_mesh, groups_of_pair};
use crate::error::Result;
use crate::gpu::recorder::Recorder;
use crate::gpu::shader::kernels::{Fetch, Prisms, PrismsMeshes};
use crate::query::workspace::Place;

impl Ldi {
    /// Records the integration of both meshes of a view, once their rays have spans.
    pub(crate) fn record_prisms(
        &self,
        view: usize,
        place: &Place,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let kernel = |which: usize, fetch, meshes| {
            let [placed, indices] = self.placed_mesh(which, place);
            Prisms {
                meshes,
                fetch,
                placed,
                indices,
                summaries: self.summary(view, place),
                rays: self.rays(place),
                spans: self.spans(place),
            }
        };
        let spans = self.spans(place);
        if let Some(pair) = self.pair(recorder.device()) {
            let [first, second] = [0, 1].map(|which| self.placed_mesh(which, place));
            let [placed_b, indices_b] = second;
            let fetch = Fetch::of(first.into_iter().chain(second).chain([spans]));
            let meshes = PrismsMeshes::Two {
                placed_b,
                indices_b,
            };
            let groups = groups_of_pair(recorder.device(), pair);
            return recorder.dispatch(&kernel(0, fetch, meshes), &self.convert_push(0), groups);
        }
        for (which, seen) in self.meshes.iter().enumerate() {
            let [placed, indices] = self.placed_mesh(which, place);
            let kernel = kernel(
                which,
                Fetch::of([placed, indices, spans]),
                PrismsMeshes::Each,
            );
            let groups = groups_of_mesh(recorder.device(), seen);
            recorder.dispatch(&kernel, &self.convert_push(which), groups)?;
        }
        Ok(())
    }
}
