//! Which commands come after which: barriers that name only the kinds of commands that meet.

use ash::vk;

/// A kind of command, and who reads last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Copies, fills and writes.
    Transfer,
    /// Kernels, and the counts they are dispatched by.
    Compute,
    /// Passes.
    Drawing,
    /// The host, after the submission.
    Host,
}

impl Work {
    const COUNT: usize = 4;

    /// What a barrier waits for, so that this work is done and what it wrote can be seen.
    fn done(self) -> Scope {
        let (stages, access) = match self {
            Self::Transfer => (
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_WRITE,
            ),
            // A kernel that is dispatched by counts has read them before its own stage.
            Self::Compute => (
                vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::DRAW_INDIRECT,
                vk::AccessFlags::SHADER_WRITE,
            ),
            Self::Drawing => (
                vk::PipelineStageFlags::ALL_GRAPHICS,
                vk::AccessFlags::MEMORY_WRITE,
            ),
            Self::Host => (vk::PipelineStageFlags::empty(), vk::AccessFlags::empty()),
        };
        Scope { stages, access }
    }

    /// What waits, and how it touches memory.
    pub(crate) fn starting(self) -> Scope {
        let (stages, access) = match self {
            Self::Transfer => (
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
            ),
            Self::Compute => (
                vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::DRAW_INDIRECT,
                vk::AccessFlags::SHADER_READ
                    | vk::AccessFlags::SHADER_WRITE
                    | vk::AccessFlags::UNIFORM_READ
                    | vk::AccessFlags::INDIRECT_COMMAND_READ,
            ),
            Self::Drawing => (
                vk::PipelineStageFlags::ALL_GRAPHICS,
                vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE,
            ),
            Self::Host => (vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ),
        };
        Scope { stages, access }
    }
}

/// One side of a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Scope {
    pub(crate) stages: vk::PipelineStageFlags,
    pub(crate) access: vk::AccessFlags,
}

impl Scope {
    /// Whatever came before on the queue, or comes after.
    pub(crate) fn anything() -> Self {
        Self {
            stages: vk::PipelineStageFlags::ALL_COMMANDS,
            access: vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE,
        }
    }

    fn include(&mut self, other: Self) {
        self.stages |= other.stages;
        self.access |= other.access;
    }
}

/// What was recorded, as seen by each kind of work that may follow. A barrier is due when work of a kind is recorded that has not
/// seen everything before the last [`Order::step`]; so none is wider than what meets, and none is recorded for nothing.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// Recorded in this step.
    current: [Scope; Work::COUNT],
    /// Recorded in steps before, and not yet seen.
    unseen: [Scope; Work::COUNT],
}

impl Order {
    /// What follows, if it is of these kinds, sees what was recorded before.
    pub(crate) fn step(&mut self, kinds: &[Work]) {
        for &kind in kinds {
            let current = std::mem::take(&mut self.current[kind as usize]);
            self.unseen[kind as usize].include(current);
        }
    }

    /// Notes that work is recorded; returns what it has to wait for.
    pub(crate) fn add(&mut self, work: Work) -> Option<Scope> {
        let waits = std::mem::take(&mut self.unseen[work as usize]);
        for current in &mut self.current {
            current.include(work.done());
        }
        (waits != Scope::default()).then_some(waits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Work; 4] = [Work::Transfer, Work::Compute, Work::Drawing, Work::Host];

    #[test]
    fn work_of_one_step_does_not_wait() {
        let mut order = Order::default();
        assert_eq!(order.add(Work::Transfer), None);
        assert_eq!(order.add(Work::Compute), None);
        assert_eq!(order.add(Work::Compute), None);
    }

    #[test]
    fn each_kind_waits_once_for_all_that_it_has_not_seen() {
        let mut order = Order::default();
        order.add(Work::Transfer);
        order.step(&ALL);
        assert_eq!(order.add(Work::Compute), Some(Work::Transfer.done()));
        assert_eq!(order.add(Work::Compute), None);
        order.step(&ALL);
        // The transfer is two steps back; drawing has seen neither it nor the kernels.
        let mut both = Work::Transfer.done();
        both.include(Work::Compute.done());
        assert_eq!(order.add(Work::Compute), Some(Work::Compute.done()));
        assert_eq!(order.add(Work::Drawing), Some(both));
    }

    #[test]
    fn transfers_that_need_not_wait_do_not_but_are_waited_for() {
        let mut order = Order::default();
        order.add(Work::Transfer);
        order.step(&[Work::Compute, Work::Drawing]);
        assert_eq!(order.add(Work::Transfer), None);
        order.step(&ALL);
        assert_eq!(order.add(Work::Compute), Some(Work::Transfer.done()));
        assert_eq!(
            order.add(Work::Transfer),
            Some({
                let mut both = Work::Transfer.done();
                both.include(Scope::default());
                both
            })
        );
    }
}
