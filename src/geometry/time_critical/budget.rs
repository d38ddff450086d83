//! How long a time-critical query may go on: until a moment, for so many steps, or both; and no longer than its caller wants.

use crate::interrupt;
use std::time::Instant;

/// What is left to spend. A step is about one distance of two triangles.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    steps: u64,
    spent: u64,
    looked: u64,
}

/// Steps between two looks at the clock.
const LOOK: u64 = 16;

impl Budget {
    /// Until `deadline`, and at most `steps` steps.
    pub fn new(deadline: Option<Instant>, steps: u64) -> Self {
        Self {
            deadline,
            steps,
            spent: 0,
            looked: 0,
        }
    }

    /// Takes steps; false when there is nothing left to spend.
    pub fn spend(&mut self, steps: u64) -> bool {
        self.spent = self.spent.saturating_add(steps);
        if self.spent >= self.looked + LOOK {
            self.looked = self.spent;
            if self.deadline.is_some_and(|end| Instant::now() >= end) || interrupt::is_over() {
                self.steps = 0;
            }
        }
        self.spent <= self.steps
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
        let begun = Instant::now();
        let mut time = Budget::new(Some(begun + Duration::from_millis(2)), u64::MAX);
        while time.spend(1) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it goes on");
        }
        assert!(begun.elapsed() >= Duration::from_millis(2));
    }
}
