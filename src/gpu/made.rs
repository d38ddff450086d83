//! What is made once and kept: slow to make, so that nobody waits but who asks for the same.

use crate::error::Result;
use crate::lock::lock;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// A place for one value: locked while it is made.
type Slot<V> = Arc<Mutex<Option<Arc<V>>>>;

/// Values by their keys.
pub(crate) struct Made<K, V>(Mutex<HashMap<K, Slot<V>>>);

impl<K, V> Default for Made<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Made<K, V> {
    /// The value of a key, which `make` makes at the first call. Other keys can be asked for meanwhile.
    pub(crate) fn get(&self, key: K, make: impl FnOnce() -> Result<V>) -> Result<Arc<V>> {
        let slot = lock(&self.0).entry(key).or_default().clone();
        let mut value = lock(&slot);
        if let Some(value) = &*value {
            return Ok(value.clone());
        }
        let made = Arc::new(make()?);
        *value = Some(made.clone());
        Ok(made)
    }

    /// Takes all values out.
    pub(crate) fn take(&self) -> Vec<Arc<V>> {
        let slots = std::mem::take(&mut *lock(&self.0));
        slots
            .into_values()
            .filter_map(|slot| lock(&slot).take())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::invalid;
    use std::sync::Barrier;

    #[test]
    fn two_keys_are_made_at_the_same_time_and_each_once() {
        let made: Made<u32, u32> = Made::default();
        // Both are being made when this is passed: with one lock for all it never would be.
        let both = Barrier::new(2);
        std::thread::scope(|threads| {
            for key in [1, 2] {
                let (made, both) = (&made, &both);
                threads.spawn(move || {
                    let value = made.get(key, || {
                        both.wait();
                        Ok(10 * key)
                    });
                    assert_eq!(*value.unwrap(), 10 * key);
                });
            }
        });
        assert_eq!(*made.get(1, || unreachable!()).unwrap(), 10);
        assert_eq!(made.take().len(), 2);
    }

    #[test]
    fn what_could_not_be_made_is_tried_again() {
        let made: Made<u32, u32> = Made::default();
        assert!(made.get(1, || Err(invalid("not yet"))).is_err());
        assert_eq!(*made.get(1, || Ok(3)).unwrap(), 3);
    }
}
