//! What each argument of a function is for: which are handles, which counts belong to which arrays, what is written. It follows from types,
//! names and the doc comments of the header; a pointer or a count that nothing explains is an error, so that no function is called wrongly
//! or left out.

use crate::c_header::{Function, Header, Member};

/// How many elements an array has, as an expression in C++.
pub struct Extent {
    pub count: String,
    /// The argument with the bytes from one element to the next.
    pub stride: Option<String>,
}

pub enum Role {
    /// Names an object.
    Handle,
    /// Gets the name of a new object.
    NewHandle,
    /// A number.
    Number,
    /// An enum.
    Choice,
    /// How many elements other arguments have.
    Count,
    /// How many elements may be written.
    Capacity,
    /// Bytes from one element to the next.
    Stride,
    /// A string that ends with zero.
    Text,
    /// A struct by value.
    Value,
    /// Read by the call.
    Input(Option<Extent>),
    /// Written by the call.
    Output(Option<Extent>),
    /// Read and written.
    InputOutput,
}

/// Arrays whose length the doc comments give in a form that only a person can read.
const LENGTHS: [(&str, &str, &str); 7] = [
    ("prx_field_from_samples", "distances", "call.nodes(grid)"),
    (
        "prx_field_from_samples",
        "directions",
        "3 * call.nodes(grid)",
    ),
    (
        "prx_mesh_intersection_gradients",
        "out_a",
        "3 * call.vertices(a.id)",
    ),
    (
        "prx_mesh_intersection_gradients",
        "out_b",
        "3 * call.vertices(b.id)",
    ),
    (
        "prx_mesh_near_per_vertex",
        "out_starts",
        "call.vertices(mesh.id) + 1",
    ),
    (
        "prx_mesh_near_per_vertex",
        "out_distances",
        "call.vertices(mesh.id)",
    ),
    (
        "prx_hierarchy_set_displacements",
        "displacements",
        "3 * count * call.vertices(hierarchy.id)",
    ),
];

/// Fails when a line of the table names what is no longer there.
pub fn check_table(header: &Header) {
    for (function, argument, _) in LENGTHS {
        let known = header
            .functions
            .iter()
            .any(|f| f.name == function && f.arguments.iter().any(|a| a.name == argument));
        assert!(
            known,
            "there is no {function} with `{argument}` any more: mend LENGTHS"
        );
    }
}

/// The roles of all arguments of a function.
pub fn roles(header: &Header, function: &Function) -> Vec<Role> {
    let explained: Vec<&str> = function
        .arguments
        .iter()
        .filter(|a| a.kind.ends_with('*'))
        .flat_map(|pointer| numbers_of(function, pointer))
        .collect();
    let role = |argument| role(header, function, argument, &explained);
    function.arguments.iter().map(role).collect()
}

fn role(header: &Header, function: &Function, argument: &Member, explained: &[&str]) -> Role {
    let name = argument.name.as_str();
    if let Some(pointee) = argument.kind.strip_suffix('*') {
        return pointer(header, function, argument, pointee);
    }
    if header.is_id(&argument.kind) {
        return Role::Handle;
    }
    if header.is_struct(&argument.kind) {
        return Role::Value;
    }
    if header.is_enum(&argument.kind) {
        return Role::Choice;
    }
    assert!(
        is_number(&argument.kind),
        "{}: the fuzzer knows no type `{}`",
        function.name,
        argument.kind
    );
    if explained.contains(&name) {
        return match name {
            "capacity" => Role::Capacity,
            "stride" => Role::Stride,
            _ => Role::Count,
        };
    }
    assert!(
        !is_size(name) || lengths(function).any(|length| mentions(length, name)),
        "{}: nothing says which array `{name}` belongs to: write \"`array` has `{name}` ...\" into its comment",
        function.name
    );
    if is_size(name) {
        return Role::Count;
    }
    Role::Number
}

fn pointer(header: &Header, function: &Function, argument: &Member, pointee: &str) -> Role {
    let output = !argument.constant;
    let extent = extent(function, argument);
    if header.is_opaque(pointee) {
        return Role::Handle;
    }
    if pointee
        .strip_suffix('*')
        .is_some_and(|p| header.is_opaque(p))
        || (output && extent.is_none() && header.is_id(pointee))
    {
        return Role::NewHandle;
    }
    if pointee == "char" && argument.constant {
        return Role::Text;
    }
    // One number or one struct, unless a sentence speaks of more.
    let known =
        header.is_struct(pointee) || (output && (is_number(pointee) || header.is_enum(pointee)));
    let named = format!("`{}`", argument.name);
    let more =
        clauses(&function.doc).any(|clause| clause.contains(&named) && clause.contains("room for"));
    assert!(
        extent.is_some() || (known && !more),
        "{}: nothing says how long `{}` is: write \"`{}` has `count` ...\" into its comment",
        function.name,
        argument.name,
        argument.name
    );
    match (output, argument.name.starts_with("out")) {
        (false, _) => Role::Input(extent),
        (true, true) => Role::Output(extent),
        (true, false) => Role::InputOutput,
    }
}

fn lengths(function: &Function) -> impl Iterator<Item = &str> {
    LENGTHS
        .iter()
        .filter(|(of, ..)| *of == function.name)
        .map(|(.., length)| *length)
}

/// The numbers that tell the length of a pointer.
fn numbers_of<'a>(function: &'a Function, pointer: &Member) -> Vec<&'a str> {
    let Some(extent) = extent(function, pointer) else {
        return Vec::new();
    };
    function
        .arguments
        .iter()
        .map(|a| a.name.as_str())
        .filter(|name| *name == extent.count || Some(*name) == extent.stride.as_deref())
        .collect()
}

/// "`points` has `count` points, `stride` bytes apart", "`out` has room for `capacity` pairs", "`objects` points to `count` objects, `poses`
/// to as many", "`out_force` has room for three floats".
fn extent(function: &Function, pointer: &Member) -> Option<Extent> {
    let told = LENGTHS
        .iter()
        .find(|(of, name, _)| *of == function.name && *name == pointer.name);
    if let Some((.., length)) = told {
        let (count, stride) = ((*length).to_owned(), None);
        return Some(Extent { count, stride });
    }
    let named = format!("`{}`", pointer.name);
    for clause in clauses(&function.doc) {
        let Some((before, after)) = clause.split_once(&named) else {
            continue;
        };
        let words: Vec<&str> = after.split_whitespace().collect();
        let plural = words.first() == Some(&"to") && words.contains(&"many");
        if !plural
            && !["has ", "have ", "points to "]
                .iter()
                .any(|verb| after.contains(verb))
        {
            continue;
        }
        let told = if plural { before } else { after };
        let number = function
            .arguments
            .iter()
            .filter(|a| is_number(&a.kind) && a.name != "stride")
            .map(|a| a.name.as_str())
            .find(|name| told.contains(&format!("`{name}`")));
        let stride = after
            .contains("`stride` bytes apart")
            .then(|| "stride".to_owned());
        let count = match number {
            Some(number) => number.to_owned(),
            None if after
                .trim_end_matches('.')
                .ends_with("room for three floats") =>
            {
                "3".to_owned()
            }
            None => continue,
        };
        return Some(Extent { count, stride });
    }
    None
}

/// Parts of sentences that say one thing each.
fn clauses(doc: &str) -> impl Iterator<Item = &str> {
    doc.split(';').flat_map(|part| part.split(". "))
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == name)
}

pub fn is_number(kind: &str) -> bool {
    matches!(
        kind,
        "uint8_t" | "int32_t" | "uint32_t" | "uint64_t" | "float" | "double"
    )
}

/// Whether a name is that of a number that belongs to an array.
fn is_size(name: &str) -> bool {
    ["count", "capacity", "size", "stride"]
        .iter()
        .any(|word| name == *word || name.ends_with(&format!("_{word}")))
}
