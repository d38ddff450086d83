//! Work that ends before it is done: its caller cancels it, its time is up, or the host has no memory for it.
//!
//! Code that works for long calls [`check`] now and then. Where the work is to end, it unwinds with the [`Error`] to [`caught`] around it,
//! which the pool has around everything that it runs. So geometry answers without a word about being stopped.

use crate::error::{Error, Result};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// No limit.
pub const FOREVER: u64 = u64::MAX;

/// How long a wait may sleep before it looks whether the work is to end.
pub const NAP: Duration = Duration::from_millis(2);

/// How the calls on a context, or a bake, end early.
pub struct Cancellation {
    /// What is cancelled, in error messages.
    what: &'static str,
    /// What times are counted from.
    epoch: Instant,
    cancels: AtomicU64,
    limit: AtomicU64,
}

impl Cancellation {
    /// Without a limit.
    pub fn of(what: &'static str) -> Self {
        Self {
            what,
            epoch: Instant::now(),
            cancels: AtomicU64::new(0),
            limit: AtomicU64::new(FOREVER),
        }
    }

    /// Ends all calls that have begun.
    pub fn cancel(&self) {
        self.cancels.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends calls that begin from now on after so many nanoseconds.
    pub fn set_limit(&self, nanoseconds: u64) {
        self.limit.store(nanoseconds, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(FOREVER)
    }

    /// A call that begins now.
    fn begin(&self) -> Call {
        let deadline = match self.limit.load(Ordering::Relaxed) {
            FOREVER => FOREVER,
            limit => self.now().saturating_add(limit),
        };
        Call {
            cancels: self.cancels.load(Ordering::Relaxed),
            deadline,
        }
    }
}

/// When a call ends early.
#[derive(Clone, Copy)]
struct Call {
    /// When there were more cancels than this; [`FOREVER`] for none.
    cancels: u64,
    /// After this time, in nanoseconds of the context.
    deadline: u64,
}

/// The call that some threads work for.
pub struct Watch {
    cancellation: Arc<Cancellation>,
    cancels: AtomicU64,
    deadline: AtomicU64,
}

impl Watch {
    /// That of no call yet.
    pub fn new(cancellation: &Arc<Cancellation>) -> Self {
        let watch = Self {
            cancellation: cancellation.clone(),
            cancels: AtomicU64::new(0),
            deadline: AtomicU64::new(FOREVER),
        };
        watch.set(cancellation.begin());
        watch
    }

    /// Takes on the call that this thread is in; a new one if it is in none of the same context.
    pub fn take_on(&self) {
        let same = |watch: &Arc<Self>| Arc::ptr_eq(&watch.cancellation, &self.cancellation);
        let current =
            WATCH.with_borrow(|watch| watch.as_ref().filter(|w| same(w)).map(|w| w.get()));
        self.set(current.unwrap_or_else(|| self.cancellation.begin()));
    }

    /// Works for nobody's call: nothing ends it.
    pub fn rest(&self) {
        self.set(Call {
            cancels: FOREVER,
            deadline: FOREVER,
        });
    }

    fn get(&self) -> Call {
        Call {
            cancels: self.cancels.load(Ordering::Relaxed),
            deadline: self.deadline.load(Ordering::Relaxed),
        }
    }

    fn set(&self, call: Call) {
        self.cancels.store(call.cancels, Ordering::Relaxed);
        self.deadline.store(call.deadline, Ordering::Relaxed);
    }

    /// Why the call is to end, if it is.
    fn reason(&self) -> Option<Error> {
        let call = self.get();
        let cancels = self.cancellation.cancels.load(Ordering::Relaxed);
        if call.cancels != FOREVER && cancels != call.cancels {
            return Some(Error::Cancelled(self.cancellation.what));
        }
        if call.deadline != FOREVER && self.cancellation.now() >= call.deadline {
            return Some(Error::Cancelled("the call, at the context's time limit,"));
        }
        None
    }
}

thread_local! {
    static WATCH: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
}

/// What this thread watched before, until dropped.
pub struct Watching(Option<Arc<Watch>>);

impl Drop for Watching {
    fn drop(&mut self) {
        // A thread that is ending has no locals any more.
        let _ = WATCH.try_with(|watch| watch.replace(self.0.take()));
    }
}

/// Lets this thread work for the calls of a watch.
pub fn watch(watch: Arc<Watch>) -> Watching {
    Watching(WATCH.replace(Some(watch)))
}

/// Begins a call on this thread. One that is within another of the same context is a part of that.
pub fn begin(cancellation: &Arc<Cancellation>) -> Watching {
    let new = Watch::new(cancellation);
    new.take_on();
    watch(Arc::new(new))
}

/// Whether the work is to end.
pub fn is_over() -> bool {
    verify().is_err()
}

/// The error that the work is to end with, for code that returns one.
pub fn verify() -> Result<()> {
    match WATCH.with_borrow(|watch| watch.as_ref().and_then(|w| w.reason())) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Unwinds if the work is to end.
#[inline]
pub fn check() {
    if let Err(error) = verify() {
        end(error);
    }
}

/// Unwinds to [`caught`]. Nothing is printed.
#[cold]
pub fn end(error: Error) -> ! {
    resume_unwind(Box::new(error))
}

/// Runs `work`, and gives the error that it ended with. A panic goes on.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(reason_of)
}

#[cold]
#[inline(never)]
fn reason_of(payload: Box<dyn Any + Send>) -> Error {
    match payload.downcast::<Error>() {
        Ok(error) => *error,
        Err(panic) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancel_ends_what_has_begun_and_nothing_after() {
        let cancellation = Arc::new(Cancellation::of("the test"));
        let first = begin(&cancellation);
        assert!(!is_over());
        cancellation.cancel();
        assert!(is_over());
        // A part of the same call.
        let part = begin(&cancellation);
        let error = caught(check).unwrap_err();
        assert!(matches!(error, Error::Cancelled(_)), "{error}");
        drop(part);
        drop(first);
        let _next = begin(&cancellation);
        assert_eq!(caught(check).ok(), Some(()));
        // A call on another context is not concerned.
        let other = Arc::new(Cancellation::of("the test"));
        let _within = begin(&other);
        cancellation.cancel();
        assert!(!is_over());
    }

    #[test]
    fn a_limit_of_zero_ends_at_once_and_one_of_never_does_not() {
        let cancellation = Arc::new(Cancellation::of("the test"));
        cancellation.set_limit(0);
        {
            let _call = begin(&cancellation);
            let sentence = caught(check).unwrap_err().to_string();
            assert!(sentence.contains("time limit, was cancelled"), "{sentence}");
            let resting = Arc::new(Watch::new(&cancellation));
            resting.rest();
            let _resting = watch(resting);
            cancellation.cancel();
            assert!(!is_over());
        }
        cancellation.set_limit(FOREVER);
        let _call = begin(&cancellation);
        assert!(!is_over());
    }

    #[test]
    fn a_panic_is_not_caught() {
        let outcome = catch_unwind(|| caught(|| resume_unwind(Box::new(7u8))));
        assert_eq!(outcome.unwrap_err().downcast_ref::<u8>(), Some(&7));
    }
}
