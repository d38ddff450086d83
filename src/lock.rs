//! Locks that outlive a panic: what they guard is valid between any two statements.

use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also one whose holder panicked.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    outlive(mutex.lock())
}

/// What any lock gives, also one whose holder panicked.
pub fn outlive<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
