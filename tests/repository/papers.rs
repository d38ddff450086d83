//! `docs/papers.md` names functions and tests that exist.

use crate::layers::sources;
use std::path::Path;

/// A row of one of the tables.
struct Row<'a> {
    line: &'a str,
    reached: Vec<&'a str>,
    asserted: Vec<&'a str>,
    differs: &'a str,
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The rows of the mechanisms; the last table has figures, which name nothing.
fn rows(page: &str) -> Vec<Row<'_>> {
    (page.lines())
        .take_while(|line| !line.starts_with("## Their figures"))
        .filter(|line| line.starts_with("| ") && !line.starts_with("| section"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 5, "a row has five cells: {line}");
            Row {
                line,
                reached: quoted(cells[2]),
                asserted: quoted(cells[3]),
                differs: cells[4],
            }
        })
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    (text.match_indices(word))
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[test]
fn every_function_and_test_that_the_papers_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("the file is there");
    let (page, header) = (read("docs/papers.md"), read("include/proxel.h"));
    let tests: String = ["src", "tests", "cpp-tests", "examples"]
        .iter()
        .flat_map(|folder| sources(root, folder))
        .map(|(_, text)| text)
        .collect();
    let rows = rows(&page);
    assert!(rows.len() > 40, "only {} mechanisms are listed", rows.len());
    for row in rows {
        for name in &row.reached {
            assert!(
                has_word(&header, name),
                "proxel.h has no {name}: {}",
                row.line
            );
        }
        for name in &row.asserted {
            let is_test = tests.contains(&format!("fn {name}()"))
                || tests.contains(&format!("TEST_CASE(\"{name}\")"));
            assert!(is_test, "there is no test {name}: {}", row.line);
        }
        assert!(
            !row.asserted.is_empty() || !row.differs.is_empty(),
            "neither asserted nor explained: {}",
            row.line
        );
    }
}
