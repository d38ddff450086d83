//! What is made when it is first asked for, and kept.

use crate::error::Result;
use crate::interrupt;
use crate::lock::{lock, outlive};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Something that is made when it is first needed. Threads that need it meanwhile wait for the one that makes it; nothing is locked while
/// it does.
pub struct OnDemand<T> {
    state: Mutex<OnDemandState<T>>,
    made: Condvar,
}

struct OnDemandState<T> {
    kept: Option<Arc<T>>,
    making: bool,
}

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self {
            state: Mutex::new(OnDemandState {
                kept: None,
                making: false,
            }),
            made: Condvar::new(),
        }
    }
}

/// How long a thread waits before it looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(5);

/// The one thread that makes something. Another may when it is dropped, also by an error.
struct Maker<'a, T>(&'a OnDemand<T>);

impl<T> Drop for Maker<'_, T> {
    fn drop(&mut self) {
        lock(&self.0.state).making = false;
        self.0.made.notify_all();
    }
}

impl<T> OnDemand<T> {
    /// What is kept, or what is made now.
    pub fn kept(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        self.get(|_| true, |_| make())
    }

    /// Whether something is kept.
    pub fn is_made(&self) -> bool {
        lock(&self.state).kept.is_some()
    }

    /// What is kept so far.
    pub fn so_far(&self) -> Option<Arc<T>> {
        lock(&self.state).kept.clone()
    }

    /// What is kept if it is good, else what is made of it.
    pub fn get(
        &self,
        good: impl Fn(&T) -> bool,
        make: impl FnOnce(Option<Arc<T>>) -> Result<T>,
    ) -> Result<Arc<T>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(kept) = state.kept.as_ref().filter(|kept| good(kept)) {
                return Ok(kept.clone());
            }
            if !state.making {
                break;
            }
            state = outlive(self.made.wait_timeout(state, PATIENCE)).0;
            interrupt::verify()?;
        }
        state.making = true;
        let before = state.kept.take();
        drop(state);
        let _maker = Maker(self);
        let made = Arc::new(make(before)?);
        lock(&self.state).kept = Some(made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::sync::mpsc::channel;
    use std::thread;

    #[test]
    fn one_thread_makes_it_while_others_look_and_after_an_error_the_next_one_does() {
        let kept = OnDemand::<u32>::default();
        let failed = kept.get(|_| true, |_| Err(Error::Cancelled("the test")));
        assert!(failed.is_err());
        let (began, begun) = channel();
        let (release, released) = channel::<()>();
        thread::scope(|scope| {
            let slow = move |_| {
                began.send(()).unwrap();
                released.recv().unwrap();
                Ok(1)
            };
            let maker = scope.spawn(|| kept.get(|_| true, slow));
            begun.recv().unwrap();
            // Nothing is locked while it is made.
            assert!(kept.state.try_lock().is_ok());
            let waiting = scope.spawn(|| kept.get(|_| true, |_| Ok(2)));
            release.send(()).unwrap();
            assert_eq!(*maker.join().unwrap().unwrap(), 1);
            assert_eq!(*waiting.join().unwrap().unwrap(), 1);
        });
        // What is not good any more is made anew, of what was there.
        let next = kept.get(|&n| n > 1, |before| Ok(before.map_or(0, |n| *n + 1)));
        assert_eq!(*next.unwrap(), 2);
    }
}
