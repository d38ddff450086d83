//! What a shader file says of itself: its variants and the groups that its bindings come in.
//!
//! - `// axis fetch: texel=TEXEL storage` in a shader, or in a file that it includes, makes a variant for each choice, with the macros
//!   after `=` (several with `,`) defined. A shader has the product of its axes. Its own line takes precedence over that of an
//!   include: `// axis fetch: storage` leaves one choice, which is no axis any more.
//! - `// group meeting` in an included file joins the bindings that it declares, and those of what it includes in turn, to one
//!   struct that all shaders share.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A shader file with what it includes.
pub struct Source {
    pub path: PathBuf,
    pub stem: String,
    /// The extension.
    pub stage: String,
    pub text: String,
    /// Its own axes, then those of its includes by name; each has two choices or more.
    pub axes: Vec<Axis>,
    /// Macros of the axes that have one choice.
    fixed: Vec<String>,
    pub groups: Vec<Group>,
}

#[derive(Clone, PartialEq)]
pub struct Axis {
    pub name: String,
    pub choices: Vec<Choice>,
}

#[derive(Clone, PartialEq)]
pub struct Choice {
    pub name: String,
    macros: Vec<String>,
}

/// Bindings that are declared together.
pub struct Group {
    pub name: String,
    pub members: Vec<String>,
}

/// One choice along each axis.
pub struct Variant {
    /// File stem, choices, and stage outside compute.
    pub name: String,
    /// The choices' numbers, axis by axis.
    pub choices: Vec<usize>,
    pub macros: Vec<String>,
}

impl Source {
    /// All shaders, by path.
    pub fn all() -> Vec<Self> {
        let mut paths = Vec::new();
        find(Path::new("shaders"), &mut paths);
        paths.sort();
        let sources: Vec<Self> = paths.into_iter().map(Self::read).collect();
        for source in &sources {
            let same = sources
                .iter()
                .filter(|s| (&s.stem, &s.stage) == (&source.stem, &source.stage));
            assert_eq!(same.count(), 1, "two shaders are {:?}", source.path);
        }
        sources
    }

    fn read(path: PathBuf) -> Self {
        let part = |part: Option<&std::ffi::OsStr>| {
            part.and_then(|s| s.to_str())
                .expect("a shader file has a UTF-8 name")
                .to_owned()
        };
        let text = fs::read_to_string(&path).expect("a shader file can be read");
        let (mut included, mut groups) = (BTreeMap::new(), Vec::new());
        for name in includes(&text) {
            walk_include(&name, &mut included, &mut groups, None);
        }
        let mut axes = axes_of(&text);
        let own: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
        axes.extend(
            included
                .into_values()
                .filter(|axis| !own.contains(&axis.name)),
        );
        let (axes, single): (Vec<Axis>, Vec<Axis>) =
            axes.into_iter().partition(|axis| axis.choices.len() > 1);
        Self {
            stem: part(path.file_stem()),
            stage: part(path.extension()),
            path,
            text,
            axes,
            fixed: single
                .into_iter()
                .flat_map(|mut axis| axis.choices.remove(0).macros)
                .collect(),
            groups,
        }
    }

    /// The comment at its head, without what is for the build or for the maintainer.
    pub fn about(&self) -> Vec<&str> {
        self.text
            .lines()
            .skip(1)
            .map_while(|line| line.strip_prefix("//"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .filter(|line| !line.starts_with("axis "))
            .collect()
    }

    pub fn variants(&self) -> Vec<Variant> {
        let mut all = vec![Vec::new()];
        for axis in &self.axes {
            let longer = |choices: &Vec<usize>, next: usize| [&choices[..], &[next]].concat();
            all = all
                .iter()
                .flat_map(|choices| (0..axis.choices.len()).map(move |next| longer(choices, next)))
                .collect();
        }
        all.into_iter()
            .map(|choices| self.variant(choices))
            .collect()
    }

    fn variant(&self, choices: Vec<usize>) -> Variant {
        let (mut name, mut macros) = (self.stem.clone(), self.fixed.clone());
        for (axis, choice) in self.axes.iter().zip(&choices) {
            let choice = &axis.choices[*choice];
            name = format!("{name}_{}", choice.name);
            macros.extend(choice.macros.iter().cloned());
        }
        if self.stage != "comp" {
            name = format!("{name}_{}", self.stage);
        }
        Variant {
            name,
            choices,
            macros,
        }
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("shaders/ can be listed") {
        let path = entry.expect("shaders/ can be listed").path();
        let stage = path.extension().and_then(|e| e.to_str());
        if path.is_dir() {
            find(&path, files);
        } else if matches!(stage, Some("comp" | "vert" | "geom" | "frag")) {
            files.push(path);
        }
    }
}

/// The text of a file that shaders include.
pub fn read_include(name: &str) -> String {
    let path = Path::new("shaders/include").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn includes(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("#include \""))
        .filter_map(|line| line.strip_suffix('"'))
        .map(str::to_owned)
        .collect()
}

/// Adds the axes and groups of a file and of what it includes; `group` is the one of the file that includes it.
fn walk_include(
    name: &str,
    axes: &mut BTreeMap<String, Axis>,
    groups: &mut Vec<Group>,
    group: Option<usize>,
) {
    let text = read_include(name);
    for axis in axes_of(&text) {
        let known = axes.entry(axis.name.clone()).or_insert(axis.clone());
        assert!(*known == axis, "axis {} differs in {name}", axis.name);
    }
    let own = text
        .lines()
        .find_map(|line| line.strip_prefix("// group "))
        .map(|group| {
            groups.push(Group {
                name: group.trim().to_owned(),
                members: Vec::new(),
            });
            groups.len() - 1
        });
    let group = own.or(group);
    if let Some(group) = group {
        groups[group].members.extend(declared(&text));
    }
    for next in includes(&text) {
        walk_include(&next, axes, groups, group);
    }
}

fn axes_of(text: &str) -> Vec<Axis> {
    let choice = |word: &str| {
        let (name, macros) = word.split_once('=').unwrap_or((word, ""));
        Choice {
            name: name.to_owned(),
            macros: macros
                .split(',')
                .filter(|m| !m.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    };
    text.lines()
        .filter_map(|line| line.strip_prefix("// axis "))
        .map(|line| {
            let (name, choices) = line.split_once(':').expect("`// axis NAME: CHOICES`");
            Axis {
                name: name.trim().to_owned(),
                choices: choices.split_whitespace().map(choice).collect(),
            }
        })
        .collect()
}

/// The names of the bindings that a text declares.
fn declared(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| line.starts_with("layout(") && line.contains("binding"))
        .map(|line| {
            let words: Vec<&str> = line
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .filter(|w| !w.is_empty())
                .collect();
            let at = words
                .iter()
                .position(|w| matches!(*w, "buffer" | "uniform"))
                .expect("a binding is of a buffer or a uniform");
            // A block has its name before the brace, a texture after its type.
            let name = if line.contains('{') { at + 1 } else { at + 2 };
            snake(words[name])
        })
        .collect()
}

/// `ClusterBounds` as `cluster_bounds`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// `cluster_bounds` as `ClusterBounds`.
pub fn camel(name: &str) -> String {
    name.split('_')
        .flat_map(|part| {
            let (first, rest) = part.split_at(1.min(part.len()));
            [first.to_uppercase(), rest.to_owned()]
        })
        .collect()
}
