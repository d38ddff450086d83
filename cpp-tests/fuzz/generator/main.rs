//! Prints the calls that the fuzzer makes, as C++, from a header: `generator include/proxel.h > calls.hpp`. No dependencies: `rustc` builds it.

#[path = "../../../tests/repository/c_header.rs"]
mod c_header;
mod calls;
mod roles;

fn main() {
    let path = std::env::args().nth(1).expect("generator HEADER");
    let text = std::fs::read_to_string(&path).expect("the header is readable");
    print!("{}", calls::generate(&c_header::Header::read(&text)));
}
