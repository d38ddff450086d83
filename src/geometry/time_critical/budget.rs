//! How long a time-critical query may go on: until a moment, for so many steps, or both; and no longer than its caller wants.

use crate::interrupt;
use std::time::Instant;

/// What is left to spend. A step is about one distance of two triangles.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    steps: u64,
    spent: u64,
    /// What was done since the last look at the clock, as steps.
    unseen: u64,
}

/// Steps between two looks at the clock.
const LOOK: u64 = 16;

/// Triangles whose boxes are fitted in about the time that a step takes.
const FITTED: u64 = 16;

impl Budget {
    /// Until `deadline`, and at most `steps` steps.
    pub fn new(deadline: Option<Instant>, steps: u64) -> Self {
        Self {
            deadline,
            steps,
            spent: 0,
            unseen: 0,
        }
    }

    /// Takes steps; false when there is nothing left to spend.
    pub fn spend(&mut self, steps: u64) -> bool {
        self.spent = self.spent.saturating_add(steps);
        self.pass(steps);
        self.spent <= self.steps
    }

    /// Work like so many steps that takes time and no steps: what others may have done before.
    pub fn pass(&mut self, steps: u64) {
        self.unseen = self.unseen.saturating_add(steps);
        if self.unseen >= LOOK {
            self.unseen = 0;
            if self.deadline.is_some_and(|end| Instant::now() >= end) || interrupt::is_over() {
                self.steps = 0;
            }
        }
    }

    /// What tells whether the time is over, to be asked from any thread.
    pub fn clock(&self) -> impl Fn() -> bool + Sync + use<> {
        let deadline = self.deadline;
        move || deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Takes the steps that fitting a hierarchy over so many triangles counts as; false, and none taken, where fewer are left.
    pub fn spend_fit(&mut self, triangles: usize) -> bool {
        let cost = triangles as u64 / FITTED;
        cost <= self.steps.saturating_sub(self.spent) && self.spend(cost)
    }

    /// How many steps were taken.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn it_ends_after_its_steps_and_after_its_time() {
        let mut steps = Budget::new(None, 10);
        assert!((0..10).all(|_| steps.spend(1)));
        assert!(!steps.spend(1));
        let mut fit = Budget::new(None, 10);
        assert!(
            !fit.spend_fit(1000) && fit.spend(5) && fit.spend_fit(5 * 16) && !fit.spend_fit(16)
        );
        let begun = Instant::now();
        let mut time = Budget::new(Some(begun + Duration::from_millis(2)), u64::MAX);
        while time.spend(1) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it goes on");
        }
        assert!(begun.elapsed() >= Duration::from_millis(2));
    }
}
