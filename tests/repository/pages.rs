//! The pages for readers: programs in them are files that the tests compile and run, their links lead somewhere, and each page is found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The pages of the site, and what else GitHub shows.
fn pages() -> Vec<PathBuf> {
    let listed = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let mut all: Vec<PathBuf> = listed.iter().map(|name| root().join(name)).collect();
    for folder in ["docs", "benches", "bindings/unity"] {
        let files = std::fs::read_dir(root().join(folder)).expect("the folder is there");
        let files = files.map(|file| file.expect("it can be read").path());
        all.extend(files.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    all
}

/// What is between the fences of C++.
fn programs(page: &str) -> Vec<String> {
    let text = read(&root().join(page));
    let blocks = text.split("```cpp\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// The lines of a page that are neither code nor comments.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Where the links of a page lead, pictures included.
fn links(text: &str) -> Vec<String> {
    let lines = prose(text);
    let ends = lines.flat_map(|line| line.split("](").skip(1));
    ends.filter_map(|rest| rest.split_once(')'))
        .map(|(to, _)| to.to_owned())
        .collect()
}

/// The anchor that a heading gets: lower case, words joined by hyphens, without marks.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

#[test]
fn the_example_in_the_readme_is_the_one_that_is_tested() {
    let example = read(&root().join("examples/hello.cpp"));
    assert_eq!(programs("README.md").first(), Some(&example));
}

#[test]
fn the_steps_of_the_tutorial_are_the_files_that_are_tested() {
    let folder = root().join("examples/tutorial");
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    let files = files.map(|file| file.expect("it can be read").path());
    let of_code = |path: &PathBuf| path.extension().is_some_and(|e| e == "cpp" || e == "hpp");
    let expected: BTreeSet<String> = files.filter(of_code).map(|path| read(&path)).collect();
    assert_eq!(expected.len(), 11, "ten steps and their cube");
    let shown: BTreeSet<String> = programs("docs/tutorial.md").into_iter().collect();
    assert_eq!(shown, expected);
}

#[test]
fn links_lead_to_files_and_headings_that_are_there() {
    let mut dead = Vec::new();
    for page in pages() {
        for link in links(&read(&page)) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => page.clone(),
                path => page.parent().expect("it is in a folder").join(path),
            };
            let headed = || {
                let text = read(&target);
                let mut headings = prose(&text)
                    .filter(|line| line.starts_with('#'))
                    .map(anchor);
                headings.any(|known| known == heading)
            };
            if !target.exists() || !(heading.is_empty() || headed()) {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links: {dead:#?}");
}

/// Nobody finds a page that nothing names.
#[test]
fn every_page_is_linked_and_in_the_contents_of_the_site() {
    let contents = read(&root().join("docs/site/mkdocs.yml"));
    let linked: BTreeSet<PathBuf> = pages()
        .iter()
        .flat_map(|page| {
            let folder = page.parent().expect("it is in a folder").to_owned();
            let to = move |link: String| folder.join(link.split('#').next().unwrap_or_default());
            links(&read(page)).into_iter().map(to)
        })
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    for page in pages() {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        if page.parent() != Some(&root().join("docs")) {
            continue;
        }
        let path = page.canonicalize().expect("it is there");
        assert!(linked.contains(&path), "nothing links to docs/{name}");
        assert!(
            contents.contains(&*name),
            "docs/{name} is not in docs/site/mkdocs.yml"
        );
    }
}
