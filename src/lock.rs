//! Locks that outlive a panic: what they guard is valid between any two statements.
//!
//! They are for the exchange of data. Who works for long takes what it needs out and lets go; only the trees that the caller keeps
//! are locked by the query that changes them.

use crate::error::Result;
use crate::interrupt;
use std::sync::{LockResult, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// Locks a mutex, also one whose holder panicked.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    outlive(mutex.lock())
}

/// Locks a mutex that a query may hold while it works. A call that is cancelled meanwhile, or has no time left, does not wait on.
pub fn lock_while_wanted<T: ?Sized>(mutex: &Mutex<T>) -> Result<MutexGuard<'_, T>> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(guard)) => return Ok(guard.into_inner()),
            Err(TryLockError::WouldBlock) => {
                interrupt::verify()?;
                thread::sleep(Duration::from_micros(100));
            }
        }
    }
}

/// What any lock gives, also one whose holder panicked.
pub fn outlive<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
