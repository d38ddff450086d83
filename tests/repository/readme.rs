//! The README's example is the file that the C++ tests compile and run.

#[test]
fn the_example_in_the_readme_is_the_one_that_is_tested() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("the file is there");
    let readme = read("README.md");
    let block = readme
        .split("```cpp\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    assert_eq!(block, Some(read("examples/hello.cpp").as_str()));
}
