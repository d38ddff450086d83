//! A layered depth image that stays with a mesh, in the mesh's own frame: a rigid body is seen alike wherever it is (Heidelberger et al. 2003,
//! section 4: what images take can be computed beforehand).

use super::mesh::Mesh;
use crate::error::Result;
use crate::gpu::buffer::{Buffer, Role};
use crate::gpu::device::Device;
use crate::gpu::recorder::Bound;
use crate::lock::lock;
use std::sync::{Arc, Mutex};

/// What an image was made like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageKey {
    /// Rays along a side; 0 by the distance of rays.
    pub resolution: u32,
    /// The distance of rays.
    pub cell_size: f32,
    /// The axis that they run along; 3 for the best.
    pub axis: u32,
    /// The memory that was given.
    pub memory: u64,
}

/// What parts start at multiples of.
const ALIGNMENT: u64 = 256;

/// An image: parts of a buffer.
pub struct KeptImage {
    key: ImageKey,
    device: Arc<Device>,
    buffer: Buffer,
    /// Bytes before each part, and of it.
    parts: Vec<[u64; 2]>,
}

impl KeptImage {
    /// With parts of so many bytes, still empty.
    pub(crate) fn new(
        device: &Arc<Device>,
        key: ImageKey,
        parts: impl IntoIterator<Item = u64>,
    ) -> Result<Self> {
        let mut end = 0;
        let place = |bytes: u64| {
            let start = end;
            end = (start + bytes).next_multiple_of(ALIGNMENT);
            [start, bytes]
        };
        let parts = parts.into_iter().map(place).collect();
        Ok(Self {
            key,
            device: device.clone(),
            buffer: Buffer::new(device, Role::Device, end, "a layered depth image")?,
            parts,
        })
    }

    /// Where it is.
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The buffer that a part is in, the bytes before it, and its own.
    pub(crate) fn place(&self, part: usize) -> (&Buffer, [u64; 2]) {
        (&self.buffer, self.parts[part])
    }

    /// A part as storage.
    pub(crate) fn part(&self, part: usize) -> Bound<'_> {
        let [start, bytes] = self.parts[part];
        Bound::part(&self.buffer, start, bytes, None)
    }
}

/// The image that a mesh keeps: the last one.
#[derive(Default)]
pub(super) struct ImageSlot(Mutex<Option<Arc<KeptImage>>>);

impl Mesh {
    /// Its image, if it keeps one that was made like this.
    pub(crate) fn kept_image(&self, key: ImageKey) -> Option<Arc<KeptImage>> {
        lock(&self.image.0).clone().filter(|image| image.key == key)
    }

    /// Keeps an image instead of the last one.
    pub(crate) fn keep_image(&self, image: Arc<KeptImage>) {
        // The old one goes without the lock.
        let _old = lock(&self.image.0).replace(image);
    }
}
