//! Attachments that queries draw into one after the other. They are kept between queries, because making large ones anew
//! costs more than drawing into them.

use super::attachment::{Attachment, Format};
use super::device::Device;
use super::pass::Targets;
use crate::error::Result;
use crate::lock::lock;
use std::sync::{Arc, Mutex};

/// Attachments of one size, and the targets that join them.
pub struct Canvas {
    /// The colours.
    pub colours: Vec<Arc<Attachment>>,
    /// All of them, to draw into.
    pub targets: Targets,
    key: CanvasKey,
}

/// The formats of the colours, that of the depth, and the pixels along a side.
type CanvasKey = (Vec<Format>, Option<Format>, u32);

/// How many unused canvases are kept.
const KEPT: usize = 4;

/// The canvases of a context, the last used first. Who draws and reads in one submission, without a barrier's gap in which another
/// query could draw, may share one: the queue runs one submission's passes after the other's.
#[derive(Default)]
pub struct Canvases(Mutex<Vec<Arc<Canvas>>>);

impl Canvases {
    /// A square canvas of these formats.
    pub fn get(
        &self,
        device: &Arc<Device>,
        colours: &[Format],
        depth: Option<Format>,
        side: u32,
    ) -> Result<Arc<Canvas>> {
        let key = (colours.to_vec(), depth, side);
        let found = {
            let mut kept = lock(&self.0);
            let at = kept.iter().position(|canvas| canvas.key == key);
            if at.is_none() {
                kept.truncate(KEPT - 1);
            }
            at.map(|at| kept.remove(at))
        };
        // Not locked while the device allocates.
        let canvas = match found {
            Some(canvas) => canvas,
            None => Arc::new(Canvas::new(device, key)?),
        };
        let mut kept = lock(&self.0);
        kept.truncate(KEPT - 1);
        kept.insert(0, canvas.clone());
        Ok(canvas)
    }
}

impl Canvas {
    fn new(device: &Arc<Device>, key: CanvasKey) -> Result<Self> {
        let attachment = |format: &Format| {
            Attachment::new(device, *format, [key.2; 2], "a canvas").map(Arc::new)
        };
        let colours: Vec<_> = key.0.iter().map(attachment).collect::<Result<_>>()?;
        let depth = key.1.as_ref().map(attachment).transpose()?;
        Ok(Self {
            targets: Targets::new(device, colours.clone(), depth, [key.2; 2])?,
            colours,
            key,
        })
    }
}
