//! The fuzzer knows how to call every function of the header, without a list of them.

use std::path::Path;

use crate::c_header::Header;
use crate::calls;

#[test]
fn the_fuzzer_calls_every_function_of_the_header() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/proxel.h");
    let header = Header::read(&std::fs::read_to_string(path).expect("there is a header"));
    let generated = calls::generate(&header);
    for function in &header.functions {
        let call = format!("inline void call_{}(", function.name);
        assert!(generated.contains(&call), "nothing calls {}", function.name);
    }
}
