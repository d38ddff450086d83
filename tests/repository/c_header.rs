//! What `include/proxel.h` declares, for those who generate code from it.

/// What was generated, which is regular: one declaration at a time, documented by lines above it.
#[derive(Default)]
pub struct Header {
    /// Types that are only ever pointed to.
    pub opaque: Vec<String>,
    pub constants: Vec<Constant>,
    pub enums: Vec<Block>,
    pub structs: Vec<Block>,
    pub functions: Vec<Function>,
}

pub struct Constant {
    pub doc: String,
    pub name: String,
    pub value: String,
}

/// An enum or a struct.
pub struct Block {
    pub doc: String,
    pub name: String,
    pub members: Vec<Member>,
}

/// `kind name[extents]`, or `name = kind` of an enum.
pub struct Member {
    pub doc: String,
    /// Whether it points to what stays as it is.
    pub constant: bool,
    pub kind: String,
    pub name: String,
    pub extents: Vec<String>,
}

pub struct Function {
    pub doc: String,
    pub returns: String,
    pub name: String,
    pub arguments: Vec<Member>,
}

impl Header {
    pub fn read(text: &str) -> Self {
        let mut header = Self::default();
        let mut doc = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(words) = line.strip_prefix("///") {
                join(&mut doc, words);
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["#define", name, value] => header.constants.push(Constant {
                    doc: doc.clone(),
                    name: name.to_owned(),
                    value: value.to_owned(),
                }),
                [name, "{"] if name.starts_with("PRX_ENUM(") => {
                    let name = name.trim_start_matches("PRX_ENUM(").trim_end_matches(')');
                    let members = members(lines.by_ref());
                    header.enums.push(Block::new(&doc, name, members));
                }
                ["typedef", "struct", name, "{"] => {
                    header
                        .structs
                        .push(Block::new(&doc, name, members(lines.by_ref())));
                }
                ["typedef", "struct", name, end] if end == format!("{name};") => {
                    header.opaque.push(name.to_owned());
                }
                _ if line.contains("prx_") && line.contains('(') && !line.starts_with(' ') => {
                    let mut prototype = line.to_owned();
                    while !prototype.ends_with(';') {
                        prototype += lines.next().expect("a prototype ends");
                    }
                    header.functions.push(Function::read(&prototype, &doc));
                }
                _ => {}
            }
            doc.clear();
        }
        header
    }

    pub fn is_enum(&self, name: &str) -> bool {
        self.enums.iter().any(|e| e.name == name)
    }

    pub fn is_struct(&self, name: &str) -> bool {
        self.structs.iter().any(|s| s.name == name)
    }

    pub fn is_opaque(&self, name: &str) -> bool {
        self.opaque.iter().any(|o| o == name)
    }

    /// Whether it is a struct around a number that names an object.
    pub fn is_id(&self, name: &str) -> bool {
        let id = |members: &[Member]| members.len() == 1 && members[0].name == "id";
        self.structs
            .iter()
            .any(|s| s.name == name && id(&s.members))
    }
}

impl Block {
    fn new(doc: &str, name: &str, members: Vec<Member>) -> Self {
        let (doc, name) = (doc.to_owned(), name.to_owned());
        Self { doc, name, members }
    }
}

impl Function {
    fn read(prototype: &str, doc: &str) -> Self {
        let (head, rest) = prototype
            .split_once('(')
            .expect("a prototype has arguments");
        let head = Member::read(head, String::new());
        let rest = rest.trim_end_matches(';').trim_end_matches(')');
        let arguments = rest
            .split(',')
            .filter(|a| a.trim() != "void")
            .map(|a| Member::read(a, String::new()))
            .collect();
        Self {
            doc: doc.to_owned(),
            returns: head.kind,
            name: head.name,
            arguments,
        }
    }
}

impl Member {
    /// Reads `const PrxPose *pose`, `float segment[2][3]` and the like; stars go to the kind.
    fn read(text: &str, doc: String) -> Self {
        let text = text.replace('*', " * ");
        let mut words: Vec<&str> = text.split_whitespace().filter(|w| *w != "const").collect();
        let declared = words.pop().unwrap_or_default();
        let mut parts = declared.split(['[', ']']).filter(|p| !p.is_empty());
        Self {
            doc,
            constant: text.contains("const "),
            name: parts.next().unwrap_or_default().to_owned(),
            extents: parts.map(str::to_owned).collect(),
            kind: words.join(""),
        }
    }
}

fn join(doc: &mut String, words: &str) {
    if !doc.is_empty() {
        doc.push(' ');
    }
    doc.push_str(words.trim());
}

/// The members of a block, up to its end.
fn members<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Member> {
    let mut found = Vec::new();
    let mut doc = String::new();
    for line in lines.map(str::trim) {
        if line.starts_with('}') {
            break;
        }
        if let Some(words) = line.strip_prefix("///") {
            join(&mut doc, words);
        } else if let Some((name, value)) = line.split_once(" = ") {
            found.push(Member {
                doc: std::mem::take(&mut doc),
                constant: true,
                kind: value.trim_end_matches(',').to_owned(),
                name: name.to_owned(),
                extents: Vec::new(),
            });
        } else {
            let declaration = line.trim_end_matches(';');
            found.push(Member::read(declaration, std::mem::take(&mut doc)));
        }
    }
    found
}
