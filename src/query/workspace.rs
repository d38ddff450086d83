//! The memory of a batch: what its queries ask for, and where each of them finds it.

use crate::error::{Error, Result};
use crate::gpu::buffer::{Buffer, Role, Texel, TexelView};
use crate::gpu::device::Device;
use crate::gpu::recorder::{Bound, Recorder};
use crate::memory;
use bytemuck::Pod;
use std::collections::HashMap;
use std::sync::Arc;

/// What a query needs of a batch.
#[derive(Debug, Clone)]
pub struct Memory {
    /// Bytes of its answer.
    pub answer: u64,
    /// How many of them, from the first on, are all ones before the first step.
    pub blank: u64,
    /// The parts of its working memory. A query names them by their place in this list.
    pub parts: Vec<Part>,
}

/// A part of a query's working memory.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Bytes.
    pub bytes: u64,
    /// What a texel is, if kernels read the part through a texel view.
    pub texel: Option<Texel>,
}

impl Memory {
    /// An answer of words, and no working memory.
    pub fn answer(bytes: u64) -> Self {
        Self {
            answer: bytes,
            blank: bytes,
            parts: Vec::new(),
        }
    }

    /// With an answer of which the query itself writes all that is read.
    pub fn not_blank(mut self) -> Self {
        self.blank = 0;
        self
    }

    /// An answer of `count` structs that kernels write, and no working memory.
    pub fn structs<T>(count: u64) -> Self {
        Self::answer(count * size_of::<T>() as u64)
    }

    /// With parts of so many bytes after those that there are.
    pub fn with(mut self, parts: impl IntoIterator<Item = u64>) -> Self {
        let part = |bytes| Part { bytes, texel: None };
        self.parts.extend(parts.into_iter().map(part));
        self
    }

    /// With another part, which kernels read through a texel view where it is small enough for one.
    pub fn with_texels(mut self, texel: Texel, bytes: u64) -> Self {
        self.parts.push(Part {
            bytes,
            texel: Some(texel),
        });
        self
    }
}

/// What parts start at multiples of: no device asks for more, for storage or for texel views.
pub(crate) const ALIGNMENT: u64 = 256;
/// Every device can allocate this much in one piece.
const BLOCK_BYTES: u64 = 1 << 30;
/// What the queries of a batch may use to work in.
const MOST_BYTES: u64 = 4 << 30;

/// The working memory of a batch. It is kept between recordings, with its views.
#[derive(Default)]
pub(crate) struct Workspace {
    parts: Vec<PartPlace>,
    /// Bytes planned of each block.
    filled: Vec<u64>,
    /// Views go before what they are of.
    views: HashMap<PartPlace, TexelView>,
    blocks: Vec<Arc<Buffer>>,
    /// Parts that are read from buffers of the engine's instead.
    foreign: HashMap<usize, Bound<'static>>,
}

/// Where a part is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PartPlace {
    block: usize,
    offset: u64,
    bytes: u64,
    texel: Option<Texel>,
}

impl Workspace {
    /// Sets parts aside; returns the number of the first. Nothing is set aside where there is an error.
    pub(crate) fn plan(&mut self, device: &Device, parts: &[Part]) -> Result<usize> {
        let first = self.parts.len();
        let bytes: u64 = parts.iter().map(|part| part.bytes).sum();
        let total = self.filled.iter().sum::<u64>() + bytes;
        if total > MOST_BYTES {
            return Err(Error::Unsupported(format!(
                "the batch's queries would need {total} bytes to work in, more than {MOST_BYTES}: use several batches, or \
                 smaller budgets"
            )));
        }
        for part in parts {
            device.check_storage(part.bytes, "working memory", "ask for less at once")?;
        }
        for part in parts {
            self.push(*part);
        }
        Ok(first)
    }

    fn push(&mut self, Part { bytes, texel }: Part) {
        let bytes = bytes.max(4).next_multiple_of(4);
        let fits = |filled: &u64| filled + bytes <= BLOCK_BYTES;
        if !self.filled.last().is_some_and(fits) {
            self.filled.push(0);
        }
        let block = self.filled.len() - 1;
        let offset = self.filled[block];
        self.filled[block] = (offset + bytes).next_multiple_of(ALIGNMENT);
        self.parts.push(PartPlace {
            block,
            offset,
            bytes,
            texel,
        });
    }

    /// Forgets what was planned; the memory stays.
    pub(crate) fn reset(&mut self) {
        self.parts.clear();
        self.filled.clear();
        self.foreign.clear();
    }

    /// Bytes that are kept.
    pub(crate) fn kept_bytes(&self) -> u64 {
        self.blocks.iter().map(|block| block.size).sum()
    }

    /// The buffer of a part, for uploads to hold, and the bytes before it.
    pub(crate) fn shared(&self, part: usize) -> (&Arc<Buffer>, u64) {
        let part = &self.parts[part];
        (&self.blocks[part.block], part.offset)
    }

    /// Lets a part be read from a buffer of the engine's.
    pub(crate) fn read_from(&mut self, part: usize, buffer: Bound<'static>) {
        memory::ensure_map(&mut self.foreign, 1);
        self.foreign.insert(part, buffer);
    }

    /// Whether a part is read from a buffer of the engine's.
    pub(crate) fn is_foreign(&self, part: usize) -> bool {
        self.foreign.contains_key(&part)
    }

    /// A part as storage.
    pub(crate) fn part(&self, part: usize) -> Bound<'_> {
        let PartPlace {
            block,
            offset,
            bytes,
            ..
        } = self.parts[part];
        Bound::part(&self.blocks[block], offset, bytes, None)
    }

    /// Makes the memory large enough, and its views. The device uses none of it.
    pub(crate) fn allocate(&mut self, device: &Arc<Device>) -> Result<()> {
        for (block, bytes) in self.filled.iter().enumerate() {
            if self.blocks.get(block).is_some_and(|b| b.size >= *bytes) {
                continue;
            }
            // The old blocks go before new ones come.
            self.views.clear();
            self.blocks.truncate(block);
            let buffer = Buffer::new(device, Role::Device, *bytes, "working memory")?;
            self.blocks.push(Arc::new(buffer));
        }
        let viewed = |part: &PartPlace| part.texel.is_some();
        let needed: Vec<PartPlace> = self.parts.iter().copied().filter(viewed).collect();
        self.views.retain(|part, _| needed.contains(part));
        for part in needed {
            if let (Some(texel), false) = (part.texel, self.views.contains_key(&part)) {
                let block = &self.blocks[part.block];
                if let Some(view) = block.view(texel, part.offset, part.bytes)? {
                    self.views.insert(part, view);
                }
            }
        }
        Ok(())
    }
}

/// Where something lies: which buffer, and the bytes before it and up to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) block: usize,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Where a query's answer goes and where its steps keep what lies between them.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The batch's answers.
    pub(crate) answers: &'a Buffer,
    /// Bytes before this query's, a multiple of [`ALIGNMENT`].
    pub(crate) offset: u64,
    /// Bytes of this query's.
    pub(crate) bytes: u64,
    pub(crate) workspace: &'a Workspace,
    /// The number of its first part.
    pub(crate) first: usize,
}

impl<'a> Place<'a> {
    fn planned(&self, part: usize) -> &'a PartPlace {
        &self.workspace.parts[self.first + part]
    }

    /// The place of what comes after so many parts and bytes of the answer, a multiple of [`ALIGNMENT`].
    pub(crate) fn after(&self, parts: usize, bytes: u64) -> Self {
        Self {
            offset: self.offset + bytes,
            bytes: self.bytes - bytes,
            first: self.first + parts,
            ..*self
        }
    }

    /// The query's answer, and no other: kernels of different queries run side by side.
    pub(crate) fn answer(&self) -> Bound<'a> {
        Bound::part(self.answers, self.offset, self.bytes, None)
    }

    /// A stretch of the answer, which starts at a multiple of [`ALIGNMENT`].
    pub(crate) fn answer_stretch(&self, skipped: u64, bytes: u64) -> Bound<'a> {
        Bound::part(self.answers, self.offset + skipped, bytes, None)
    }

    /// Where the query's answer lies.
    pub(crate) fn answer_extent(&self) -> Extent {
        Extent {
            block: usize::MAX,
            start: self.offset,
            end: self.offset + self.bytes,
        }
    }

    /// Where a part lies.
    pub(crate) fn extent(&self, part: usize) -> Extent {
        let planned = self.planned(part);
        Extent {
            block: planned.block,
            start: planned.offset,
            end: planned.offset + planned.bytes,
        }
    }

    /// The query's answer and what follows it, so many bytes: for kernels that write answers of several queries.
    pub(crate) fn answers(&self, bytes: u64) -> Bound<'a> {
        Bound::part(self.answers, self.offset, bytes, None)
    }

    /// The buffer that a part lies in, and the bytes before it.
    pub(crate) fn buffer(&self, part: usize) -> (&'a Buffer, u64) {
        let part = self.planned(part);
        (&self.workspace.blocks[part.block], part.offset)
    }

    /// A part, with its texel view where it has one.
    pub(crate) fn part(&self, part: usize) -> Bound<'a> {
        if let Some(foreign) = self.workspace.foreign.get(&(self.first + part)) {
            return *foreign;
        }
        let planned = self.planned(part);
        let (buffer, offset) = self.buffer(part);
        Bound::part(
            buffer,
            offset,
            planned.bytes,
            self.workspace.views.get(planned),
        )
    }

    /// A stretch of a part as storage, which starts at a multiple of [`ALIGNMENT`].
    pub(crate) fn stretch(&self, part: usize, skipped: u64, bytes: u64) -> Bound<'a> {
        let (buffer, offset) = self.buffer(part);
        Bound::part(buffer, offset + skipped, bytes, None)
    }

    /// Records that a part starts with a value.
    pub(crate) fn write(&self, recorder: &mut Recorder, part: usize, value: &impl Pod) {
        let (buffer, offset) = self.buffer(part);
        recorder.write(buffer, offset, value);
    }

    /// Records that all words of a part are the same.
    pub(crate) fn fill(&self, recorder: &mut Recorder, part: usize, word: u32) {
        let (buffer, offset) = self.buffer(part);
        recorder.fill(buffer, offset, self.planned(part).bytes, word);
    }

    /// Records a copy of the start of a part to the answer, after `skipped` bytes of it.
    pub(crate) fn collect(&self, recorder: &mut Recorder, part: usize, skipped: u64, bytes: u64) {
        let (buffer, offset) = self.buffer(part);
        recorder.copy(buffer, offset, self.answers, self.offset + skipped, bytes);
    }

    /// Records a copy of a part to the answer that is a list: `head` bytes, of which the first word counts the items, and items of `item` bytes.
    /// Those that there are not need not be copied.
    pub(crate) fn collect_list(
        &self,
        recorder: &mut Recorder,
        part: usize,
        [head, item]: [usize; 2],
    ) {
        let (buffer, offset) = self.buffer(part);
        let bytes = self.planned(part).bytes.min(self.bytes);
        let target = (self.answers, self.offset);
        recorder.copy_list((buffer, offset), target, bytes, [head, item]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::device::{Options, Trial};
    use crate::gpu::paths::{Choice, Choices};
    use crate::gpu::physical::DeviceRequest;
    use crate::log::{Log, Severity};

    fn open() -> Arc<Device> {
        let log = Log::new(Severity::Warning, |_, text| panic!("not clean: {text}"));
        Device::open(&Options {
            wanted: DeviceRequest::default(),
            choices: Choices::default(),
            beside: Choice::Off,
            validation: true,
            pipeline_cache: Vec::new(),
            trial: Trial::default(),
            log,
        })
        .expect("this test needs a Vulkan device and the validation layer: run scripts/setup")
    }

    fn memory() -> Memory {
        Memory::answer(8)
            .with([0, 1, 300])
            .with_texels(Texel::Float4, 4096)
            .with_texels(Texel::Uint4, 0)
    }

    #[test]
    fn parts_keep_apart_and_are_kept_with_their_views() {
        let device = open();
        let mut workspace = Workspace::default();
        let mut record = |times: usize| {
            workspace.reset();
            for _ in 0..times {
                workspace.plan(&device, &memory().parts).unwrap();
            }
            workspace.allocate(&device).unwrap();
            for pair in workspace.parts.windows(2) {
                assert!(pair[0].offset + pair[0].bytes <= pair[1].offset);
                assert_eq!(pair[1].offset % ALIGNMENT, 0);
            }
            // What has no texel has no view.
            assert_eq!(workspace.views.len(), times);
            let first = workspace.parts[3];
            (workspace.blocks[0].raw, workspace.views[&first].raw)
        };
        let made = record(3);
        assert_eq!(record(3), made);
        assert_eq!(record(1), made);
    }

    #[test]
    fn too_much_is_refused_with_both_numbers_and_nothing_is_set_aside() {
        let device = open();
        let mut workspace = Workspace::default();
        let part = Part {
            bytes: 1 << 20,
            texel: None,
        };
        let most = MOST_BYTES / part.bytes;
        for _ in 0..most {
            workspace.plan(&device, &[part]).unwrap();
        }
        assert_eq!(workspace.filled, vec![BLOCK_BYTES; 4]);
        let error = workspace.plan(&device, &[part]).unwrap_err().to_string();
        let needed = MOST_BYTES + part.bytes;
        assert!(error.contains(&format!("{needed} bytes")), "{error}");
        assert!(error.contains(&MOST_BYTES.to_string()), "{error}");
        assert_eq!(workspace.parts.len() as u64, most);
    }
}
