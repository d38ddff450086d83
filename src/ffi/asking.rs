//! From a call to its answer: where it goes is checked before the work, and written only after it succeeded.
//!
//! A query that the device answers is a plan and three exports, each of them one call of this module: [`record`], [`answer`] and
//! [`answer_now`], or [`answer_list`] and [`answer_list_now`] where the answer is an array; [`answer_part`] where it has several. The plan turns what the caller passed into
//! a [`Query`]; `From` turns the answer into its C struct. An exact query has [`record_exact`], [`answer_exact`] and [`answer_exact_now`], or
//! [`answer_exact_list`] and [`answer_exact_list_now`]. Everything else goes through [`ask_context`] and [`list_context`].

use super::batch::PrxTicket;
use super::boundary::{on_batch, on_context};
use super::handles::{PrxBatch, PrxContext};
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Error, Result, invalid};
use crate::query::Query;
use crate::query::batch::Batch;
use crate::query::exact::ExactQuery;

/// Records the query that `plan` makes.
///
/// # Safety
/// `out_ticket` is null or writable.
pub(super) unsafe fn record<Q: Query>(
    batch: *const PrxBatch,
    out_ticket: *mut PrxTicket,
    plan: impl FnOnce(&Context) -> Result<Q>,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_batch(batch, out_ticket, "out_ticket", |context, batch| {
            batch.add(plan(context)?)
        })
    }
}

/// Writes the answer of a recorded query.
///
/// # Safety
/// `out` is null or writable.
pub(super) unsafe fn answer<Q: Query, P: From<Q::Answer>>(
    batch: *const PrxBatch,
    ticket: PrxTicket,
    out: *mut P,
    name: &str,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { ask_batch(batch, out, name, |_, batch| batch.answer(ticket.of::<Q>())) }
}

/// Writes the answer of the query that `plan` makes: a batch of one.
///
/// # Safety
/// `out` is null or writable.
pub(super) unsafe fn answer_now<Q: Query, P: From<Q::Answer>>(
    context: *const PrxContext,
    out: *mut P,
    name: &str,
    plan: impl FnOnce(&Context) -> Result<Q>,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { ask_context(context, out, name, |context| context.ask(plan(context)?)) }
}

/// Writes the array that a recorded query answers.
///
/// # Safety
/// As [`List::write`].
pub(super) unsafe fn answer_list<Q: Query<Answer = Vec<T>>, T, P: From<T> + Copy>(
    batch: *const PrxBatch,
    ticket: PrxTicket,
    list: List<P>,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { answer_part::<Q, _, _>(batch, ticket, list, Ok) }
}

/// Writes an array that is a part of what a recorded query answers.
///
/// # Safety
/// As [`List::write`].
pub(super) unsafe fn answer_part<Q: Query, T, P: From<T> + Copy>(
    batch: *const PrxBatch,
    ticket: PrxTicket,
    list: List<P>,
    choose: impl FnOnce(Q::Answer) -> Result<Vec<T>>,
) -> PrxStatus {
    on_batch(batch, |_, batch| {
        list.check()?;
        // SAFETY: by the caller's promise.
        unsafe { list.write(batch.answer(ticket.of::<Q>()).and_then(choose)) }
    })
}

/// Writes the array that the query answers that `plan` makes: a batch of one.
///
/// # Safety
/// As [`List::write`].
pub(super) unsafe fn answer_list_now<Q: Query<Answer = Vec<T>>, T, P: From<T> + Copy>(
    context: *const PrxContext,
    list: List<P>,
    plan: impl FnOnce(&Context) -> Result<Q>,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe { list_context(context, list, |context| context.ask(plan(context)?)) }
}

/// Records the exact query that `plan` makes.
///
/// # Safety
/// `out_ticket` is null or writable.
pub(super) unsafe fn record_exact<Q: ExactQuery>(
    batch: *const PrxBatch,
    out_ticket: *mut PrxTicket,
    plan: impl FnOnce(&Context) -> Result<Q>,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_batch(batch, out_ticket, "out_ticket", |context, batch| {
            batch.add_exact(plan(context)?)
        })
    }
}

/// Writes what `tell` makes of the answer of the exact query that `plan` makes, at once.
///
/// # Safety
/// `out` is null or writable.
pub(super) unsafe fn answer_exact_now<Q: ExactQuery, P>(
    context: *const PrxContext,
    out: *mut P,
    name: &str,
    plan: impl FnOnce(&Context) -> Result<Q>,
    tell: impl FnOnce(&Q::Answer) -> P,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out, name, |context| {
            Ok(tell(&context.ask_exact(&plan(context)?)?))
        })
    }
}

/// Writes the array that the exact query answers that `plan` makes, at once.
///
/// # Safety
/// As [`List::write`].
pub(super) unsafe fn answer_exact_list_now<Q, T, P: From<T> + Copy>(
    context: *const PrxContext,
    list: List<P>,
    plan: impl FnOnce(&Context) -> Result<Q>,
) -> PrxStatus
where
    Q: ExactQuery<Answer = Vec<T>>,
{
    // SAFETY: by the caller's promise.
    unsafe { list_context(context, list, |context| context.ask_exact(&plan(context)?)) }
}

/// Writes what `tell` makes of the answer of a recorded exact query.
///
/// # Safety
/// `out` is null or writable.
pub(super) unsafe fn answer_exact<Q: ExactQuery, P>(
    batch: *const PrxBatch,
    ticket: PrxTicket,
    out: *mut P,
    name: &str,
    tell: impl FnOnce(&Q::Answer) -> P,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_batch(batch, out, name, |_, batch| {
            Ok(tell(&*batch.exact_answer(ticket.of::<Q>())?))
        })
    }
}

/// Writes the array that a recorded exact query answers.
///
/// # Safety
/// As [`List::write`].
pub(super) unsafe fn answer_exact_list<Q, T: Copy, P: From<T> + Copy>(
    batch: *const PrxBatch,
    ticket: PrxTicket,
    list: List<P>,
) -> PrxStatus
where
    Q: ExactQuery<Answer = Vec<T>>,
{
    on_batch(batch, |_, batch| {
        list.check()?;
        let found = match batch.exact_answer(ticket.of::<Q>()) {
            Err(Error::BufferTooSmall {
                what,
                given,
                needed,
            }) => {
                // SAFETY: by the caller's promise.
                unsafe { list.write_count(needed) };
                // A larger array would not help: this is not the status that asks for one.
                return Err(Error::OutOfHostMemory(format!(
                    "{what}: room for {given} when the query was recorded, {needed} needed; record it with that room"
                )));
            }
            found => found?,
        };
        // SAFETY: by the caller's promise.
        unsafe { list.write_each(found.iter().copied()) }
    })
}

/// [`on_context`] for calls with one answer.
///
/// # Safety
/// `out` is null or writable.
pub(super) unsafe fn ask_context<T, P: From<T>>(
    context: *const PrxContext,
    out: *mut P,
    name: &str,
    work: impl FnOnce(&Context) -> Result<T>,
) -> PrxStatus {
    on_context(context, |context| {
        let out = Out::new(out, name)?;
        let answer = work(context)?.into();
        // SAFETY: by the caller's promise.
        unsafe { out.write(answer) };
        Ok(())
    })
}

/// [`on_context`] for calls whose answer is an array.
///
/// # Safety
/// As [`List::write`].
pub(super) unsafe fn list_context<T, P: From<T> + Copy>(
    context: *const PrxContext,
    list: List<P>,
    work: impl FnOnce(&Context) -> Result<Vec<T>>,
) -> PrxStatus {
    on_context(context, |context| {
        list.check()?;
        // SAFETY: by the caller's promise.
        unsafe { list.write(work(context)) }
    })
}

/// [`on_batch`] for calls with one answer.
///
/// # Safety
/// `out` is null or writable.
pub(super) unsafe fn ask_batch<T, P: From<T>>(
    batch: *const PrxBatch,
    out: *mut P,
    name: &str,
    work: impl FnOnce(&Context, &Batch) -> Result<T>,
) -> PrxStatus {
    on_batch(batch, |context, batch| {
        let out = Out::new(out, name)?;
        let answer = work(context, batch)?.into();
        // SAFETY: by the caller's promise.
        unsafe { out.write(answer) };
        Ok(())
    })
}

/// A place for an output.
pub(super) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub(super) fn new(pointer: *mut T, name: &str) -> Result<Self> {
        if pointer.is_null() {
            return Err(invalid(format!(
                "{name} is null; it is where the answer goes"
            )));
        }
        Ok(Self(pointer))
    }

    /// An output that the caller may leave out.
    pub(super) fn optional(pointer: *mut T) -> Option<Self> {
        (!pointer.is_null()).then_some(Self(pointer))
    }

    /// # Safety
    /// The pointer is writable.
    pub(super) unsafe fn write(self, value: T) {
        // SAFETY: by the caller's promise.
        unsafe { self.0.write_unaligned(value) };
    }
}

/// An array of the caller's that an answer is written to.
#[derive(Clone, Copy)]
pub(super) struct List<P> {
    out: *mut P,
    capacity: u64,
    /// Where the number of values goes; none when the caller knows it.
    count: Option<*mut u64>,
    /// The values, in error messages.
    what: &'static str,
}

impl<P: Copy> List<P> {
    /// An array with a capacity. The number of values is written even where it exceeds that.
    pub(super) fn new(out: *mut P, capacity: u64, out_count: *mut u64, what: &'static str) -> Self {
        Self {
            out,
            capacity,
            count: Some(out_count),
            what,
        }
    }

    /// An array of as many values as the caller passed.
    pub(super) fn of(out: *mut P, count: u32, what: &'static str) -> Self {
        Self {
            out,
            capacity: count.into(),
            count: None,
            what,
        }
    }

    /// Whether an answer has somewhere to go.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(count) = self.count {
            Out::new(count, "out_count")?;
        }
        if self.capacity > 0 {
            Out::new(self.out, self.what)?;
        }
        Ok(())
    }

    /// Writes what was found, or only how many there are if there is no room for them.
    ///
    /// # Safety
    /// `out` has room for `capacity` values; the count is null or writable.
    pub(super) unsafe fn write<T>(self, found: Result<Vec<T>>) -> Result<()>
    where
        P: From<T>,
    {
        if let Err(Error::BufferTooSmall { needed, .. }) = found {
            // SAFETY: by the caller's promise.
            unsafe { self.write_count(needed) };
        }
        // SAFETY: by the caller's promise.
        unsafe { self.write_each(found?.into_iter()) }
    }

    /// # Safety
    /// The count is null or writable.
    unsafe fn write_count(&self, count: u64) {
        if let Some(out) = self.count.and_then(Out::optional) {
            // SAFETY: by the caller's promise.
            unsafe { out.write(count) };
        }
    }

    /// Writes values, or only how many there are if there is no room for them.
    ///
    /// # Safety
    /// As [`List::write`].
    unsafe fn write_each<T>(self, found: impl ExactSizeIterator<Item = T>) -> Result<()>
    where
        P: From<T>,
    {
        let needed = found.len() as u64;
        // SAFETY: by the caller's promise.
        unsafe { self.write_count(needed) };
        if self.capacity < needed {
            return Err(Error::BufferTooSmall {
                what: self.what,
                given: self.capacity,
                needed,
            });
        }
        if needed > 0 {
            let out = Out::new(self.out, self.what)?;
            for (at, value) in found.enumerate() {
                // SAFETY: the capacity was checked; the caller's array may be unaligned.
                unsafe { out.0.add(at).write_unaligned(P::from(value)) };
            }
        }
        Ok(())
    }
}

/// Writes numbers whose count the caller knows, to an array that may be left out.
///
/// # Safety
/// `out` is null or has room for the numbers.
pub(super) unsafe fn write_numbers<T: Copy>(out: *mut T, numbers: &[T]) {
    if !out.is_null() {
        // SAFETY: by the caller's promise; bytes are copied because the caller's array may be unaligned.
        unsafe {
            std::ptr::copy_nonoverlapping(
                numbers.as_ptr().cast::<u8>(),
                out.cast::<u8>(),
                size_of_val(numbers),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_that_is_too_small_stays_untouched_and_learns_the_count() {
        let (mut out, mut count) = ([7u32; 2], 0u64);
        let list = List::new(out.as_mut_ptr(), 2, &mut count, "numbers");
        // SAFETY: the pointers are to locals with the sizes given.
        let result = unsafe { list.write(Ok(vec![1u32, 2, 3])) };
        assert!(matches!(
            result,
            Err(Error::BufferTooSmall {
                given: 2,
                needed: 3,
                ..
            })
        ));
        assert_eq!((out, count), ([7, 7], 3));
    }

    #[test]
    fn only_an_array_without_room_may_be_null() {
        let (none, mut count) = (std::ptr::null_mut::<u32>(), 0u64);
        assert!(List::new(none, 0, &mut count, "numbers").check().is_ok());
        assert!(List::of(none, 0, "numbers").check().is_ok());
        for list in [
            List::new(none, 1, &mut count, "numbers"),
            List::of(none, 1, "numbers"),
        ] {
            let message = list.check().unwrap_err().to_string();
            assert!(message.contains("numbers is null"), "{message}");
        }
        let message = List::new(none, 0, std::ptr::null_mut(), "numbers").check();
        let message = message.unwrap_err().to_string();
        assert!(message.contains("out_count is null"), "{message}");
    }
}
