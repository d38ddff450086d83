//! What exists to be compared: the methods that the papers measure against each other. No query chooses one of them by
//! itself; a caller asks for them by name.

pub mod dop;
pub mod margin_hash;
pub mod morph;
pub mod tree;
pub mod volume;
