//! Panics of Proxel: they end at the boundary, as an error that says where, and print nothing on the host's stderr.
//!
//! The hook is the process's when a Rust program links the crate, so every other panic goes to the hook that was there before.

use crate::error::Error;
use crate::lock::lock;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, OnceLock};

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

thread_local! {
    /// Guarded calls that this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether this is a thread of a pool, which works for the guarded calls of others.
    static POOLED: Cell<bool> = const { Cell::new(false) };
}

/// Guarded calls of all threads.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// What was said and where, until the call that panicked has unwound.
static SEEN: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Panics that wait to be reported: as many as threads that panic at once, else the oldest is forgotten.
const MOST_SEEN: usize = 16;

/// Runs `work`; a panic in it becomes an [`Error::Internal`] that names the place, an interrupt its own error.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // What does not depend on the work is not here: there are hundreds of this.
    set_hook_once();
    let _guarded = Guarded::new();
    catch_unwind(AssertUnwindSafe(work)).map_err(explain)
}

#[inline(never)]
fn set_hook_once() {
    static HOOK: Once = Once::new();
    // Beside the hook, which thus has no memory of its own that would stay.
    static PREVIOUS: OnceLock<Hook> = OnceLock::new();
    HOOK.call_once(|| {
        PREVIOUS.get_or_init(take_hook);
        set_hook(Box::new(|panic| {
            if !record(panic)
                && let Some(previous) = PREVIOUS.get()
            {
                previous(panic);
            }
        }));
    });
}

/// The error of a call that has unwound.
#[cold]
#[inline(never)]
fn explain(payload: Box<dyn Any + Send>) -> Error {
    let payload = match payload.downcast::<Error>() {
        Ok(interrupt) => return *interrupt,
        Err(payload) => payload,
    };
    let text = text(&*payload);
    let mut seen = lock(&SEEN);
    let at = seen.iter().rposition(|(said, _)| *said == text);
    Error::Internal(match at.map(|at| seen.remove(at).1) {
        Some(place) => format!("{text} ({place})"),
        None => text,
    })
}

/// Marks this thread as one of a pool.
pub fn enter_pool() {
    POOLED.set(true);
}

struct Guarded;

impl Guarded {
    #[inline(never)]
    fn new() -> Self {
        DEPTH.set(DEPTH.get() + 1);
        CALLS.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Guarded {
    #[inline(never)]
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        CALLS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Keeps a panic of a guarded call; false for one that is not Proxel's.
fn record(panic: &PanicHookInfo) -> bool {
    // A thread that is ending has no locals any more, and is in no call.
    let called = DEPTH.try_with(|depth| depth.get() > 0).unwrap_or(false);
    let pooled = POOLED.try_with(Cell::get).unwrap_or(false);
    if !(called || pooled && CALLS.load(Ordering::Relaxed) > 0) {
        return false;
    }
    let place = panic
        .location()
        .map_or_else(String::new, |at| at.to_string());
    let mut seen = lock(&SEEN);
    if seen.len() == MOST_SEEN {
        seen.remove(0);
    }
    seen.push((text(panic.payload()), place));
    true
}

fn text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workers::Workers;
    use rayon::prelude::*;

    fn message<T>(work: impl FnOnce() -> T) -> String {
        caught(work)
            .err()
            .map_or_else(String::new, |e| e.to_string())
    }

    #[test]
    fn the_error_says_what_and_where_also_from_a_thread_of_the_pool() {
        let here = message(|| panic!("panic {}", 41));
        assert!(here.contains("panic 41 (src/panics.rs:"), "{here}");
        let workers = Workers::new(2);
        let there = message(|| {
            workers.run(|| {
                (0..100)
                    .into_par_iter()
                    .for_each(|i| assert!(i != 42, "panic {i}"));
            })
        });
        assert!(there.contains("panic 42 (src/panics.rs:"), "{there}");
        assert_eq!(message(|| 3), "");
    }
}
