//! Host memory that may be refused. What is sized by a caller's input is asked for here: an allocation that fails elsewhere ends the
//! host program.

use crate::error::{Error, Result};

/// An empty vector with room for `count` values.
pub fn with_room<T>(count: usize, what: &str) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(count)
        .map_err(|_| refusal(count as u128 * size_of::<T>() as u128, what))?;
    Ok(values)
}

/// As many values as the iterator says it has.
pub fn collect<T>(values: impl ExactSizeIterator<Item = T>, what: &str) -> Result<Vec<T>> {
    let mut all = with_room(values.len(), what)?;
    all.extend(values);
    Ok(all)
}

/// A copy.
pub fn copy<T: Copy>(values: &[T], what: &str) -> Result<Vec<T>> {
    collect(values.iter().copied(), what)
}

fn refusal(bytes: u128, what: &str) -> Error {
    Error::OutOfHostMemory(format!("{bytes} bytes for {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_with_the_number_of_bytes() {
        let error = with_room::<u64>(usize::MAX / 16, "numbers").unwrap_err();
        let bytes = (usize::MAX / 16) as u128 * 8;
        assert_eq!(
            error.to_string(),
            format!("out of host memory: {bytes} bytes for numbers")
        );
    }

    #[test]
    fn values_are_collected_in_their_order() {
        assert_eq!(
            collect((0..4).map(|i| i * i), "squares").unwrap(),
            [0, 1, 4, 9]
        );
        assert_eq!(copy(&[3, 1, 2], "numbers").unwrap(), [3, 1, 2]);
    }
}
