//! The one boundary that every export passes: panics become statuses, and what the caller passes is checked and copied. `asking` has
//! what comes back.

use super::handles;
use super::status::{PRX_MAX_COUNT, PrxStatus, remember};
use crate::context::Context;
use crate::error::{Error, Result, invalid};
use crate::log::Severity;
use crate::memory;
use crate::panics;
use crate::query::batch::Batch;
use bytemuck::Pod;
use glam::{DVec3, Vec3};
use std::ffi::{CStr, c_char, c_void};

/// Runs `work`; an error or a panic becomes a status, and its message is kept for the context's handle.
pub(super) fn guarded(context: u64, work: impl FnOnce() -> Result<()>) -> PrxStatus {
    let mut work = Some(work);
    guarded_once(context, &mut || work.take().map_or(Ok(()), |work| work()))
}

/// One for all exports.
fn guarded_once(context: u64, work: &mut dyn FnMut() -> Result<()>) -> PrxStatus {
    let outcome = panics::caught(work).unwrap_or_else(|error| {
        if !matches!(error, Error::Internal(_)) {
            return Err(error);
        }
        // The callback is the caller's: a panic in it ends here, too.
        let _ = panics::caught(|| {
            if let Ok(context) = handles::context(context as *const handles::PrxContext) {
                let log = &context.device().log;
                log.say(Severity::Error, &error.to_string());
            }
        });
        Err(error)
    });
    match outcome {
        Ok(()) => PrxStatus::Ok,
        Err(error) => {
            remember(context, &error);
            PrxStatus::from(&error)
        }
    }
}

/// [`guarded`] for calls on a context.
pub(super) fn on_context(
    context: *const handles::PrxContext,
    work: impl FnOnce(&Context) -> Result<()>,
) -> PrxStatus {
    let mut work = Some(work);
    on_context_once(context, &mut |context| {
        work.take().map_or(Ok(()), |work| work(context))
    })
}

/// One for all exports.
fn on_context_once(
    context: *const handles::PrxContext,
    work: &mut dyn FnMut(&Context) -> Result<()>,
) -> PrxStatus {
    guarded_once(context as u64, &mut || {
        let context = handles::context(context)?;
        context.check()?;
        let _call = context.begin_call();
        work(&context)
    })
}

/// [`guarded`] for calls on a batch, with its context.
pub(super) fn on_batch(
    batch: *const handles::PrxBatch,
    work: impl FnOnce(&Context, &Batch) -> Result<()>,
) -> PrxStatus {
    let mut work = Some(work);
    on_batch_once(batch, &mut |context, batch| {
        work.take().map_or(Ok(()), |work| work(context, batch))
    })
}

/// One for all exports.
fn on_batch_once(
    batch: *const handles::PrxBatch,
    work: &mut dyn FnMut(&Context, &Batch) -> Result<()>,
) -> PrxStatus {
    // The context is needed to keep the error message; a batch that is not found has none.
    let context = handles::batch(batch).map_or(0, |(context, _)| context);
    guarded_once(context, &mut || {
        let (context, batch) = handles::batch(batch)?;
        batch.check()?;
        let context = handles::context(context as *const handles::PrxContext)?;
        let _call = context.begin_call();
        work(&context, &batch)
    })
}

/// A struct that the caller fills, with its size first.
///
/// # Safety
/// The type is `repr(C)`, starts with `size: u32`, and any bits of its size are a value of it.
pub(super) unsafe trait Sized32: Copy {
    /// The C name.
    const NAME: &'static str;
    /// The function that fills it, without `prx_`.
    const FILLED_BY: &'static str;
}

/// Copies a def in, if its size is right.
///
/// # Safety
/// `def` is null or points to as many readable bytes as its `size` says.
pub(super) unsafe fn read_def<T: Sized32>(def: *const T) -> Result<T> {
    if def.is_null() {
        return Err(invalid(format!("{} is null", T::NAME)));
    }
    let known = size_of::<T>() as u32;
    // SAFETY: by the caller's promise the first four bytes, the size, are readable.
    let given = unsafe { def.cast::<u32>().read_unaligned() };
    if given != known {
        return Err(Error::StructSize {
            name: T::NAME,
            given,
            known,
            function: T::FILLED_BY,
        });
    }
    // SAFETY: by the caller's promise `size` bytes are readable, and any bits are a value.
    Ok(unsafe { def.read_unaligned() })
}

/// [`read_def`], or the default for null.
///
/// # Safety
/// As for [`read_def`].
pub(super) unsafe fn read_def_or<T: Sized32>(
    def: *const T,
    default: extern "C" fn() -> T,
) -> Result<T> {
    if def.is_null() {
        return Ok(default());
    }
    // SAFETY: by the caller's promise.
    unsafe { read_def(def) }
}

/// Refuses a count above [`PRX_MAX_COUNT`].
fn check_count(count: u64, name: &str) -> Result<()> {
    if count <= PRX_MAX_COUNT.into() {
        return Ok(());
    }
    Err(invalid(format!(
        "there are {count} {name}; one call takes at most {PRX_MAX_COUNT}: pass them in parts"
    )))
}

/// Copies an array of the caller's of at most [`PRX_MAX_COUNT`] values. Null is an empty one.
///
/// # Safety
/// `values` is null or has `count` values.
pub(super) unsafe fn read_array<T: Copy>(
    values: *const T,
    count: u64,
    name: &str,
) -> Result<Vec<T>> {
    check_count(count, name)?;
    // SAFETY: by the caller's promise.
    unsafe { read_long_array(values, count, name) }
}

/// Copies an array of the caller's, which may be unaligned and must not change while it is looked at. Null is an empty one.
///
/// # Safety
/// `values` is null or has `count` values.
pub(super) unsafe fn read_long_array<T: Copy>(
    values: *const T,
    count: u64,
    name: &str,
) -> Result<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if values.is_null() {
        return Err(invalid(format!("{name} is null, but its count is {count}")));
    }
    let room = isize::MAX as usize / size_of::<T>().max(1);
    let count = usize::try_from(count)
        .ok()
        .filter(|&n| n <= room)
        .ok_or_else(|| invalid(format!("{count} {name} are more than memory can hold")))?;
    let mut copy = memory::with_room::<T>(count, name)?;
    // SAFETY: there is room for `count` values, and by the caller's promise so many are readable; bytes are copied because they
    // may be unaligned.
    unsafe {
        std::ptr::copy_nonoverlapping(
            values.cast::<u8>(),
            copy.as_mut_ptr().cast::<u8>(),
            count * size_of::<T>(),
        );
        copy.set_len(count);
    }
    Ok(copy)
}

/// Copies points of the caller's, at most [`PRX_MAX_COUNT`] of them.
///
/// # Safety
/// As for [`read_positions`].
pub(super) unsafe fn read_points(
    points: *const c_void,
    stride: u64,
    count: u32,
) -> Result<Vec<Vec3>> {
    check_count(count.into(), "points")?;
    // SAFETY: by the caller's promise.
    unsafe { read_positions(points, stride, count, "points") }
}

/// Copies vectors of three floats.
///
/// # Safety
/// `vectors` is null or points to `count` of them, `stride` bytes apart.
pub(super) unsafe fn read_positions(
    vectors: *const c_void,
    stride: u64,
    count: u32,
    name: &str,
) -> Result<Vec<Vec3>> {
    // SAFETY: by the caller's promise.
    unsafe { read_strided(vectors, stride, count, name) }
}

/// The same of doubles.
///
/// # Safety
/// As [`read_positions`].
pub(super) unsafe fn read_positions_f64(
    vectors: *const c_void,
    stride: u64,
    count: u32,
    name: &str,
) -> Result<Vec<DVec3>> {
    // SAFETY: by the caller's promise; three doubles are read, without padding between or behind them.
    let all: Vec<[f64; 3]> = unsafe { read_strided(vectors, stride, count, name) }?;
    memory::collect(all.into_iter().map(DVec3::from_array), name)
}

/// Values of which each bit pattern is one.
///
/// # Safety
/// As [`read_positions`].
unsafe fn read_strided<T: Pod>(
    vectors: *const c_void,
    stride: u64,
    count: u32,
    name: &str,
) -> Result<Vec<T>> {
    if vectors.is_null() {
        return Err(invalid(format!("{name} is null")));
    }
    let each = size_of::<T>() as u64;
    if stride < each {
        return Err(invalid(format!(
            "a stride of {stride} bytes is less than the {each} of one of the {name}"
        )));
    }
    let last = u64::from(count).saturating_sub(1).checked_mul(stride);
    if last.is_none_or(|last| last > isize::MAX as u64 - each) {
        return Err(invalid(format!(
            "{count} {name} with a stride of {stride} bytes are more than memory can hold"
        )));
    }
    let first = vectors.cast::<u8>();
    // SAFETY: by the caller's promise; the last offset is a possible one.
    let one = |i| unsafe { first.add(i * stride as usize).cast::<T>().read_unaligned() };
    memory::collect((0..count as usize).map(one), name)
}

/// Bytes of the caller's, which must not change while they are looked at.
///
/// # Safety
/// `bytes` is null or has `size` bytes, for as long as the answer lives.
pub(super) unsafe fn read_bytes<'a>(
    bytes: *const c_void,
    size: u64,
    name: &str,
) -> Result<&'a [u8]> {
    if bytes.is_null() && size != 0 {
        return Err(invalid(format!("{name} is null, but its size is {size}")));
    }
    if size > isize::MAX as u64 {
        return Err(invalid(format!(
            "{size} bytes of {name} are more than memory can hold"
        )));
    }
    if size == 0 {
        return Ok(&[]);
    }
    // SAFETY: by the caller's promise; the size is a possible one.
    Ok(unsafe { std::slice::from_raw_parts(bytes.cast(), size as usize) })
}

/// A C string as Rust's, or `None` for null.
///
/// # Safety
/// `text` is null or a valid C string.
pub(super) unsafe fn optional_text(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: by the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_panic_becomes_a_status_and_a_message() {
        let status = guarded(0, || panic!("made for the test: {}", 42));
        assert_eq!(status, PrxStatus::Internal);
        let message = super::super::status::prx_last_error(std::ptr::null());
        // SAFETY: `prx_last_error` returns a valid string.
        let message = unsafe { CStr::from_ptr(message) }.to_str().unwrap();
        assert!(message.contains("made for the test: 42"), "{message}");
    }

    #[test]
    fn arrays_are_read_from_any_address_and_refused_with_a_reason() {
        let bytes: Vec<u8> = (0..13).collect();
        // SAFETY: twelve bytes from the second on are there.
        let read = unsafe { read_array(bytes.as_ptr().add(1).cast::<u32>(), 3, "numbers") };
        assert_eq!(read.unwrap(), [0x04030201, 0x08070605, 0x0c0b0a09]);
        let of = |pointer: *const u32, count| {
            // SAFETY: null is allowed, and so many are refused before any is read.
            unsafe { read_array(pointer, count, "numbers") }.map_err(|e| e.to_string())
        };
        assert_eq!(of(std::ptr::null(), 0), Ok(vec![]));
        let message = of(std::ptr::null(), 2).unwrap_err();
        assert!(message.contains("numbers is null"), "{message}");
        for count in [u64::from(PRX_MAX_COUNT) + 1, u32::MAX.into(), u64::MAX] {
            let message = of(bytes.as_ptr().cast(), count).unwrap_err();
            assert!(message.contains("at most 67108864"), "{message}");
        }
        // SAFETY: so many are refused before any is read.
        let long = unsafe { read_long_array(bytes.as_ptr(), u64::MAX, "bytes") };
        let message = long.unwrap_err().to_string();
        assert!(message.contains("more than memory can hold"), "{message}");
    }

    #[test]
    fn a_stride_that_no_memory_has_is_refused_before_anything_is_read() {
        let corners = [0.0f32; 9];
        let of = |stride, count| {
            // SAFETY: with a stride of 12 all are there; the others are refused before any is read.
            unsafe { read_positions(corners.as_ptr().cast(), stride, count, "positions") }
        };
        assert_eq!(of(12, 3).unwrap().len(), 3);
        assert_eq!(of(1 << 62, 1).unwrap().len(), 1);
        for stride in [0, 11, 1 << 62, 1 << 63, u64::MAX] {
            let message = of(stride, 3).unwrap_err().to_string();
            assert!(message.contains(&stride.to_string()), "{message}");
        }
        assert!(of((isize::MAX as u64 - 12) / 2 + 1, 3).is_err());
        // SAFETY: refused before any is read.
        let many = unsafe { read_points(corners.as_ptr().cast(), 12, u32::MAX) };
        let message = many.unwrap_err().to_string();
        assert!(message.contains("4294967295 points"), "{message}");
    }
}
