//! Fields in files and in memory

use super::asking::{List, ask_context, list_context};
use super::boundary::{on_context, optional_text, read_bytes};
use super::field::PrxField;
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::context::Context;
use crate::error::{Error, Result, invalid};
use crate::field::data::FieldData;
use crate::field::{Field, file, nrrd};
use std::ffi::{c_char, c_void};
use std::io::Read;
use std::sync::Arc;

/// Writes a field down in the .prxf format (docs/field-format.md) to memory. `*out_size` gets its bytes, also when
/// `capacity` is too small.
///
/// # Safety
/// `out` has room for `capacity` bytes; `out_size` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_write(
    context: *mut PrxContext,
    field: PrxField,
    out: *mut c_void,
    capacity: u64,
    out_size: *mut u64,
) -> PrxStatus {
    let bytes = List::new(out.cast::<u8>(), capacity, out_size, "bytes");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, bytes, |context| {
            Ok(file::write(&stored(context, field)?.data))
        })
    }
}

/// Reads a field in the .prxf format from memory. A truncated, corrupted or newer one is refused with a message.
///
/// # Safety
/// `data` points to `size` bytes; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_read(
    context: *mut PrxContext,
    data: *const c_void,
    size: u64,
    out_field: *mut PrxField,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_field, "out_field", |context| {
            if data.is_null() {
                return Err(invalid("data is null"));
            }
            let bytes = read_bytes(data, size, "data")?;
            Ok(PrxField {
                id: context.add_field(file::read(bytes)?)?,
            })
        })
    }
}

/// Saves a field to a file: .nrrd for its distances at all nodes, anything else for the .prxf format.
///
/// # Safety
/// `path` is a valid string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_save(
    context: *mut PrxContext,
    field: PrxField,
    path: *const c_char,
) -> PrxStatus {
    on_context(context, |context| {
        // SAFETY: by the caller's promise.
        let path = unsafe { optional_text(path) }.ok_or_else(|| invalid("path is null"))?;
        let field = stored(context, field)?;
        let bytes = if is_nrrd(&path) {
            nrrd::write(&field.data)
        } else {
            file::write(&field.data)
        };
        std::fs::write(&path, bytes).map_err(|e| invalid(format!("cannot write {path}: {e}")))
    })
}

/// Loads a field from a file: .nrrd for exact distances on a grid, anything else for the .prxf format.
///
/// # Safety
/// `path` is a valid string; `out_field` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_field_load(
    context: *mut PrxContext,
    path: *const c_char,
    out_field: *mut PrxField,
) -> PrxStatus {
    // SAFETY: by the caller's promise.
    unsafe {
        ask_context(context, out_field, "out_field", |context| {
            let path = optional_text(path).ok_or_else(|| invalid("path is null"))?;
            let bytes = read_up_to(&path, MOST_BYTES)
                .map_err(|e| invalid(format!("cannot read {path}: {e}")))?;
            let named = |e: Error| invalid(format!("{path}: {e}"));
            let data = if is_nrrd(&path) {
                nrrd::read(&bytes)
                    .and_then(|(grid, distances)| FieldData::given(grid, distances, None, None))
            } else {
                file::read(&bytes)
            };
            Ok(PrxField {
                id: context.add_field(data.map_err(named)?)?,
            })
        })
    }
}

/// A field whose samples are on the host: not a live one.
fn stored(context: &Context, field: PrxField) -> Result<Arc<Field>> {
    if context.live_field(field.id).is_ok() {
        return Err(Error::WrongState(
            "a live field is on the device only; bake one with prx_field_bake to save it".into(),
        ));
    }
    context.field(field.id)
}

/// More than any field takes; a file without an end, such as /dev/zero, is refused here instead of filling memory.
const MOST_BYTES: u64 = 16 << 30;
/// The same for what has no size beforehand, such as a pipe.
const MOST_STREAMED_BYTES: u64 = 1 << 30;

fn read_up_to(path: &str, most: u64) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    let about = file.metadata()?;
    let most = if about.is_file() {
        most
    } else {
        most.min(MOST_STREAMED_BYTES)
    };
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(about.len().min(most) as usize)?;
    if file.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(std::io::Error::other(format!(
            "it has more than {most} bytes"
        )));
    }
    Ok(bytes)
}

fn is_nrrd(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".nrrd")
}

#[cfg(all(test, unix))]
mod tests {
    use super::read_up_to;

    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = read_up_to("/dev/zero", 1 << 16).unwrap_err().to_string();
        assert!(error.contains("more than 65536 bytes"), "{error}");
        assert!(read_up_to("/dev/null", 1 << 16).unwrap().is_empty());
    }
}
