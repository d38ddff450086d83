//! The views that a mesh is drawn in: along the axes of a field's frame, zoomed in on the box of what is drawn (Morvan et al.
//! 2008, sections 3.2 and 6). Partner: `views.glsl`.

use crate::gpu::shader::blocks::{Meeting, Views};

impl Views {
    /// Views of `resolution` pixels along a side whose box is empty as yet.
    pub(crate) fn start(meeting: &Meeting, resolution: u32) -> Self {
        Self {
            low: [u32::MAX; 3],
            resolution: resolution as f32,
            high: [u32::MAX; 3],
            shift: meeting.shift,
        }
    }
}
