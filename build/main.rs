//! Compiles every shader with shaderc and writes down what the host must know about it.
//!
//! A shader is a file under `shaders/` whose extension is its stage. It is a family: `// axis` lines in it and in what it
//! includes say which variants it has ([`source`]). Each variant is compiled ([`compile`]) and read back ([`reflect`]);
//! from that come the family's Rust struct, whose fields are the variant and the bindings by name, and the structs that
//! shaders lay out in memory ([`generate`]). So the host never repeats what a shader says.

mod compile;
mod generate;
mod pack;
mod reflect;
mod source;
mod version_resource;

use compile::Compiler;
use generate::Family;
use reflect::Interface;
use source::{Source, Variant};
use std::path::PathBuf;
use std::{env, fs, thread};

const ABI_VERSION: u32 = 1;

fn main() {
    println!("cargo:rerun-if-changed=shaders");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rustc-env=PROXEL_ABI_VERSION={ABI_VERSION}");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if (target("OS").as_str(), target("ENV").as_str()) == ("windows", "gnu") {
        version_resource::link_into_dll(&out);
    }
    if target("OS") == "linux" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libproxel.so.{ABI_VERSION}");
        // Stays in memory once loaded: an engine may hold functions of the library after it has unloaded it, and what the crates
        // below keep for the process would be left behind at each reload.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    let sources = Source::all();
    let families: Vec<Family> = sources
        .iter()
        .zip(interfaces(&sources, &out))
        .map(|(source, variants)| Family { source, variants })
        .collect();
    for (file, text) in generate::all(&families) {
        fs::write(out.join(file), text).expect("OUT_DIR is writable");
    }
}

/// Compiles all variants of all sources on all threads; what each looks like from outside, source by source.
fn interfaces(sources: &[Source], out: &std::path::Path) -> Vec<Vec<(Variant, Interface)>> {
    let work: Vec<(usize, Variant)> = sources
        .iter()
        .enumerate()
        .flat_map(|(at, source)| source.variants().into_iter().map(move |v| (at, v)))
        .collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // Every so manyth to each thread: neighbours are variants of one file and cost the same.
    let mut done: Vec<(usize, Interface)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let work = &work;
                scope.spawn(move || {
                    let compiler = Compiler::new();
                    let one = |at: usize| {
                        let (source, variant) = (&sources[work[at].0], &work[at].1);
                        compiler.write_module(source, variant, out);
                        (
                            at,
                            Interface::of(&compiler.with_names(source, variant), &variant.name),
                        )
                    };
                    (first..work.len())
                        .step_by(threads)
                        .map(one)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("the shaders compile"))
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    let mut found: Vec<Vec<_>> = sources.iter().map(|_| Vec::new()).collect();
    for ((source, variant), (_, interface)) in work.into_iter().zip(done) {
        found[source].push((variant, interface));
    }
    found
}
