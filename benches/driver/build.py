"""Makes contestants runnable: packages that are missing, compilers, the library itself, meshes."""

import functools
import glob
import os
import shutil
import subprocess

from .definition import BENCHES, ROOT

TARGET = ROOT / "target"
BIN = TARGET / "bench" / "bin"
COMPILE = ["g++", "-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-pthread", "-Wall", "-iquote", str(BENCHES)]


class CannotBuild(Exception):
    """A contestant cannot take part; the message says why."""


def run(command, what, **options):
    print(f"  {what}", flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        log = TARGET / "bench" / "logs" / "build.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout)
        lines = [line for line in done.stdout.splitlines() if "error" in line.lower()] or done.stdout.splitlines()
        raise CannotBuild(f"{what} failed: {lines[0].strip() if lines else 'no message'} (all of it in {log.relative_to(ROOT)})")


@functools.cache
def apt(package):
    state = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package], capture_output=True, text=True)
    if state.stdout.endswith("ok installed"):
        return
    if not shutil.which("apt-get"):
        raise CannotBuild(f"Debian's package {package} is needed and apt-get is not here: install its like by hand")
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    get = root + ["apt-get", "-o", "DPkg::Lock::Timeout=300"]
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    update_lists(tuple(get))
    run([*get, "install", "-y", "--no-install-recommends", package], f"installing {package}", env=quiet)


@functools.cache
def update_lists(get):
    run([*get, "update"], "updating the package lists")


def pip(packages, env):
    command = [str(BENCHES / "venv"), *packages]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ | env)
    if done.returncode != 0:
        raise CannotBuild(f"pip could not install {' '.join(packages)}")
    return done.stdout.strip()


@functools.cache
def library():
    """Builds the library and returns a folder to link with: its soname carries the ABI version, cargo's file does not."""
    if not (ROOT / "include" / "proxel.h").exists():
        raise CannotBuild("include/proxel.h is not there yet")
    run(["cargo", "build", "--release", "--lib"], "building the library", cwd=ROOT)
    built = TARGET / "release" / "libproxel.so"
    dump = subprocess.run(["objdump", "-p", str(built)], capture_output=True, text=True).stdout
    names = [line.split()[1] for line in dump.splitlines() if "SONAME" in line]
    folder = TARGET / "bench" / "lib"
    folder.mkdir(parents=True, exist_ok=True)
    for name in {built.name, *names}:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(built)
    return folder


def parts(path):
    """What is compiled for an entry of `sources`: a file, or those of a folder but its main program."""
    return [file for file in sorted(path.glob("*.cpp")) if file.name != "main.cpp"] if path.is_dir() else [path]


def compiled(contestant):
    source = BENCHES / contestant.file
    flags, inputs = list(contestant.flags), [source, *BENCHES.glob("*.hpp"), *source.parent.glob("*.hpp")]
    extra = [path for name in contestant.sources for path in parts(ROOT / name)]
    inputs += extra + [path for name in contestant.sources for path in (ROOT / name).glob("*.hpp")]
    if contestant.ours or contestant.linked:
        folder = library()
        inputs += [ROOT / "include" / "proxel.h"]
        flags += [f"-I{ROOT}/include", f"-L{folder}", "-lproxel", f"-Wl,-rpath,{folder}"]
    site = next((TARGET / "venv" / "lib").glob("python*/site-packages"), None)
    flags = [flag.replace("{site}", str(site)) for flag in flags]
    flags = [path for flag in flags for path in (glob.glob(flag) if "*" in flag else [flag])]
    binary = BIN / source.parent.name / source.stem
    newest = max(path.stat().st_mtime for path in inputs)
    if not binary.exists() or binary.stat().st_mtime < newest:
        binary.parent.mkdir(parents=True, exist_ok=True)
        run([*COMPILE, str(source), *map(str, extra), "-o", str(binary), *flags], f"compiling {contestant.file}", cwd=ROOT)
    return [str(binary)]


def managed(contestant):
    """A C# contestant: with the sources of the Unity package, run by Mono."""
    source, folder = BENCHES / contestant.file, library()
    runtime = ROOT / "bindings" / "unity" / "Runtime"
    program = BIN / source.parent.name / f"{source.stem}.exe"
    program.parent.mkdir(parents=True, exist_ok=True)
    sources = [source, *sorted(runtime.rglob("*.cs"))]
    run(["mcs", "-unsafe", "-optimize", f"-out:{program}", *map(str, sources)], f"compiling {contestant.file}")
    return ["env", f"LD_LIBRARY_PATH={folder}", "mono", str(program)]


@functools.cache
def crate(file):
    folder = BENCHES / file
    target = TARGET / "bench" / "cargo"
    env = os.environ | {"RUSTFLAGS": "-C target-cpu=native"}
    manifest = ["--manifest-path", str(folder / "Cargo.toml"), "--target-dir", str(target)]
    run(["cargo", "build", "--release", *manifest], f"building {file}", env=env)
    return [str(target / "release" / folder.name)]


@functools.cache
def project(file):
    """A folder with a CMakeLists.txt, which finds the installed package and Jolt's sources."""
    built, prefix = TARGET / "bench" / "cmake" / "proxel", TARGET / "bench" / "prefix"
    run([str(ROOT / "scripts" / "setup"), "jolt"], "fetching Jolt", cwd=ROOT)
    run(["cmake", "-S", str(ROOT), "-B", str(built), f"-DPROXEL_CARGO_TARGET_DIR={TARGET}", "-DPROXEL_BUILD_CLI=OFF"], "configuring the library")
    run(["cmake", "--build", str(built)], "building the library")
    run(["cmake", "--install", str(built), "--prefix", str(prefix)], "installing the library")
    folder = TARGET / "bench" / "cmake" / file
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DJOLT_SOURCE={TARGET / 'jolt' / 'source'}"]
    run(["cmake", "-S", str(BENCHES / file), "-B", str(folder), *options], f"configuring {file}")
    run(["cmake", "--build", str(folder), "-j", str(os.cpu_count()), "--target", file], f"building {file}")
    return [str(folder / file)]


def command(contestant):
    """The command that starts this contestant, after installing and building what it needs."""
    for package in contestant.apt:
        apt(package)
    python = pip(["numpy", *contestant.pip], contestant.pip_env)
    if contestant.file.endswith(".py"):
        return [python, str(BENCHES / contestant.file)]
    if contestant.file.endswith(".cs"):
        return managed(contestant)
    if contestant.file.endswith(".cpp"):
        return compiled(contestant)
    return project(contestant.file) if (BENCHES / contestant.file / "CMakeLists.txt").exists() else crate(contestant.file)


@functools.cache
def mesh(name):
    """The path of meshes/NAME.ply, fetched when missing."""
    path = ROOT / "meshes" / f"{name}.ply"
    if not path.exists():
        if not shutil.which("npm"):
            apt("npm")
        run([str(ROOT / "scripts" / "meshes"), name], f"fetching the mesh {name}")
    return str(path)
