//! Device memory in use: by what it is for, and how much of it there may be.

use super::allocation;
use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What device memory is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryKind {
    /// Positions, triangles and clusters of meshes.
    Mesh,
    /// Fields.
    Field,
    /// Working memory of batches.
    Working,
    /// Answers that the host reads.
    Answer,
    /// Uploads on their way.
    Staging,
    /// What passes draw into.
    Picture,
}

impl MemoryKind {
    const COUNT: usize = 6;
}

/// What a device has given out.
#[derive(Debug)]
pub(crate) struct MemoryUse {
    kinds: [AtomicU64; MemoryKind::COUNT],
    total: AtomicU64,
    peak: AtomicU64,
    budget: AtomicU64,
}

/// Bytes of device memory. What drivers add for alignment is not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryReport {
    /// By [`MemoryKind`].
    pub kinds: [u64; MemoryKind::COUNT],
    /// Of all kinds.
    pub total: u64,
    /// The most that there was at a time.
    pub peak: u64,
    /// The most that there may be.
    pub budget: u64,
    /// What was taken from the driver to give it out in parts.
    pub reserved: u64,
}

impl MemoryReport {
    /// Bytes for one purpose.
    pub fn of(&self, kind: MemoryKind) -> u64 {
        self.kinds[kind as usize]
    }
}

/// Bytes that something has, until it is dropped.
#[derive(Debug)]
pub(crate) struct Charge {
    to: Arc<MemoryUse>,
    kind: MemoryKind,
    bytes: u64,
}

impl Default for MemoryUse {
    fn default() -> Self {
        Self {
            kinds: Default::default(),
            total: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            budget: AtomicU64::new(u64::MAX),
        }
    }
}

impl MemoryUse {
    /// Gives out so much, if the budget has it.
    pub(crate) fn charge(
        self: &Arc<Self>,
        kind: MemoryKind,
        bytes: u64,
        what: &str,
    ) -> Result<Charge> {
        let budget = self.budget.load(Ordering::Relaxed);
        let total = self.total.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if total > budget {
            self.total.fetch_sub(bytes, Ordering::Relaxed);
            return Err(over_budget(what, bytes, budget));
        }
        self.peak.fetch_max(total, Ordering::Relaxed);
        self.kinds[kind as usize].fetch_add(bytes, Ordering::Relaxed);
        Ok(Charge {
            to: self.clone(),
            kind,
            bytes,
        })
    }

    pub(crate) fn set_budget(&self, bytes: u64) {
        self.budget.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn report(&self) -> MemoryReport {
        MemoryReport {
            kinds: std::array::from_fn(|kind| self.kinds[kind].load(Ordering::Relaxed)),
            total: self.total.load(Ordering::Relaxed),
            peak: self.peak.load(Ordering::Relaxed),
            budget: self.budget.load(Ordering::Relaxed),
            reserved: 0,
        }
    }
}

fn over_budget(what: &str, bytes: u64, budget: u64) -> Error {
    allocation::no_room(
        &format!("{what}, beyond the context's budget of {budget}"),
        bytes,
    )
}

impl Charge {
    /// Says what it is for.
    pub(crate) fn move_to(&mut self, kind: MemoryKind) {
        self.to.kinds[self.kind as usize].fetch_sub(self.bytes, Ordering::Relaxed);
        self.to.kinds[kind as usize].fetch_add(self.bytes, Ordering::Relaxed);
        self.kind = kind;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.to.kinds[self.kind as usize].fetch_sub(self.bytes, Ordering::Relaxed);
        self.to.total.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_out_comes_back_and_never_exceeds_the_budget() {
        let memory = Arc::<MemoryUse>::default();
        memory.set_budget(100);
        let mut mesh = memory.charge(MemoryKind::Working, 60, "a mesh").unwrap();
        mesh.move_to(MemoryKind::Mesh);
        let field = memory.charge(MemoryKind::Field, 40, "a field").unwrap();
        let error = memory
            .charge(MemoryKind::Staging, 1, "uploads")
            .unwrap_err();
        let message = error.to_string();
        assert!(message.contains("1 bytes for uploads, beyond"), "{message}");
        assert!(message.contains("budget of 100"), "{message}");
        let report = memory.report();
        assert_eq!(report.kinds, [60, 40, 0, 0, 0, 0]);
        assert_eq!((report.total, report.peak, report.budget), (100, 100, 100));
        drop(mesh);
        let report = memory.report();
        assert_eq!(
            (report.of(MemoryKind::Mesh), report.of(MemoryKind::Field)),
            (0, 40)
        );
        assert_eq!((report.total, report.peak), (40, 100));
        drop(field);
        assert_eq!(memory.report().total, 0);
    }
}
