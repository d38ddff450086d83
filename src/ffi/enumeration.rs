//! Enums of the C API in structs and arguments: numbers until they are checked.

use crate::error::{Result, invalid};
use std::marker::PhantomData;

/// What has the type of an enum in C. Here it is a number: a caller may write any, and a Rust enum without a variant for it would be
/// undefined behaviour. The header shows it as `E`.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct EnumOf<E> {
    number: u32,
    of: PhantomData<E>,
}

/// An enum whose numbers can be checked; the macro `enumeration!` implements it.
pub trait Enumeration: Copy + 'static {
    /// Its name in C.
    const NAME: &'static str;
    /// Its variants.
    const ALL: &'static [Self];

    /// The number of a variant.
    fn number(self) -> u32;
}

impl<E: Enumeration> From<E> for EnumOf<E> {
    fn from(variant: E) -> Self {
        Self {
            number: variant.number(),
            of: PhantomData,
        }
    }
}

impl<E: Enumeration> EnumOf<E> {
    /// The variant, or an error that says what member or argument is wrong.
    pub(super) fn read(self, name: &str) -> Result<E> {
        let number = self.number;
        let variant = E::ALL.iter().find(|variant| variant.number() == number);
        variant
            .copied()
            .ok_or_else(|| invalid(format!("{name} is {number}, which is not a {}", E::NAME)))
    }
}

/// Implements [`Enumeration`] for an enum; all of its variants are named, or it does not compile.
macro_rules! enumeration {
    ($name:ident: $($variant:ident),+) => {
        impl $crate::ffi::enumeration::Enumeration for $name {
            const NAME: &'static str = stringify!($name);
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn number(self) -> u32 {
                match self {
                    $(Self::$variant)|+ => self as u32,
                }
            }
        }
    };
}
pub(super) use enumeration;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Letter {
        A = 0,
        C = 2,
    }
    enumeration!(Letter: A, C);

    #[test]
    fn only_numbers_of_variants_are_read() {
        let of = |number| EnumOf::<Letter> {
            number,
            of: PhantomData,
        };
        assert_eq!(of(0).read("letter").unwrap(), Letter::A);
        assert_eq!(EnumOf::from(Letter::C).read("letter").unwrap(), Letter::C);
        for number in [1, 3, u32::MAX] {
            let message = of(number).read("letter").unwrap_err().to_string();
            assert!(
                message.contains(&format!("letter is {number}, which is not a Letter")),
                "{message}"
            );
        }
    }
}
