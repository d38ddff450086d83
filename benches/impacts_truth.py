"""Holds prx_mesh_impacts_self to the public scenes of the Sample-Scalable-CCD-Data set, and the free step to ipctk's.

    impacts_truth.py TOOL ROUNDS SCENE...    TOOL is the proxel program, SCENE a folder with frames/, boxes/ and mma_bool/

Times are taken in turns, so often as ROUNDS says: all impacts of ours, and ipctk's step by tight inclusion and by additive advancement.

The scenes are in double precision and Proxel takes floats: positions are rounded to the nearest float, for ipctk's step too. Rounding moves a
vertex by at most 6e-8 of its largest coordinate, so a pair that passes by less than that may be decided either way; the script
lists every pair that is true in the data and not found."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ipctk
import numpy as np
import ply

FACE = np.dtype([("count", "u1"), ("corners", "<i4", 3)])


def read_doubles(path):
    header, _, body = Path(path).read_bytes().partition(b"end_header\n")
    counts = dict(line.split()[1:3] for line in header.splitlines() if line.startswith(b"element"))
    vertices, triangles = int(counts[b"vertex"]), int(counts[b"face"])
    points = np.frombuffer(body, "<f8", 3 * vertices).reshape(-1, 3)
    return points, np.frombuffer(body, FACE, triangles, 24 * vertices)["corners"]


def true_pairs(scene, kind):
    boxes, truth = sorted(scene.glob(f"boxes/*{kind}.json"))[0], sorted(scene.glob(f"mma_bool/*{kind}_mma_bool.json"))[0]
    pairs = np.array(json.loads(boxes.read_text()))
    return pairs[np.array(json.loads(truth.read_text()), bool)], len(pairs)


def check(tool, rounds, scene):
    frames = sorted(scene.glob("frames/*.ply"))
    (p0, faces), (p1, _) = read_doubles(frames[0]), read_doubles(frames[1])
    f0, f1 = np.float32(p0), np.float32(p1)
    edges = ipctk.edges(np.ascontiguousarray(faces).astype(np.int32))
    mesh = ipctk.CollisionMesh(np.asfortranarray(f0.astype(np.float64)), edges, np.asfortranarray(faces.astype(np.int32)))
    begin, end = (np.asfortranarray(f.astype(np.float64)) for f in (f0, f1))
    steps, times = {}, {"proxel": [], "tight": [], "additive": []}
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{k}.ply" for k in range(2)]
        for name, points in zip(names, (f0, f1)):
            ply.write(name, points, faces)
        for _ in range(rounds):
            out = subprocess.run([tool, "impacts", *names, "--self", "--json"], stdout=subprocess.PIPE, check=True).stdout
            times["proxel"].append(json.loads(out)["ms"])
            for name, narrow in (("tight", ipctk.TightInclusionCCD), ("additive", ipctk.AdditiveCCD)):
                start = time.perf_counter()
                steps[name] = ipctk.compute_collision_free_stepsize(
                    mesh, begin, end, 0.0, ipctk.LBVH(), narrow(conservative_rescaling=0.9999)
                )
                times[name].append(1e3 * (time.perf_counter() - start))
    answer = json.loads(out)
    vf = {tuple(pair) for pair in answer["vertex_face"]}
    ee = {tuple(sorted((tuple(pair[:2]), tuple(pair[2:])))) for pair in answer["edge_edge"]}
    # Vertices, edges and faces are numbered one after the other.
    vertices, count = len(p0), len(p0) + len(edges)
    want_vf, candidates_vf = true_pairs(scene, "vf")
    want_ee, candidates_ee = true_pairs(scene, "ee")
    want_vf = {(int(min(p)), int(max(p)) - count) for p in want_vf}
    edge = lambda k: tuple(sorted(int(v) for v in edges[k - vertices]))
    want_ee = {tuple(sorted((edge(a), edge(b)))) for a, b in want_ee}
    missing = len(want_vf - vf) + len(want_ee - ee)
    step, median = steps["tight"], {name: float(np.median(all)) for name, all in times.items()}
    print(f"{scene.name}: {len(faces)} triangles, {candidates_vf + candidates_ee} candidates, {len(want_vf) + len(want_ee)} true; found "
          f"{len(vf) + len(ee)}, missing {missing}; free step {answer['step']:.6g}, ipctk {step:.6g}, ratio {answer['step'] / step:.3f}; "
          f"ms: {', '.join(f'{name} {ms:.1f}' for name, ms in median.items())}; "
          f"ratio {median['proxel'] / min(median['tight'], median['additive']):.4f}")
    return missing == 0 and answer["step"] >= 0.8 * step


if __name__ == "__main__":
    tool, rounds, *scenes = sys.argv[1:]
    sys.exit(not all([check(tool, int(rounds), Path(scene)) for scene in scenes]))
