"""Holds prx_mesh_impacts_self to the public scenes of the Sample-Scalable-CCD-Data set, and the free step to ipctk's.

    impacts_truth.py TOOL ROUNDS SCENE...    TOOL is the proxel program, SCENE a folder with frames/, boxes/ and mma_bool/

Times are taken in turns, so often as ROUNDS says, on one thread each and in processor time: our free step, our list of all impacts, and ipctk's
step by tight inclusion and by additive advancement. All have their topology ready; ours is handed the positions at the end anew and has the
hierarchy of the beginning, ipctk builds its own in each step.

The scenes are in double precision and Proxel takes floats: positions are rounded to the nearest float, for ipctk's step too. Rounding moves a
vertex by at most 6e-8 of its largest coordinate, so a pair that passes by less than that may be decided either way; the script
lists every pair that is true in the data and not found."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ipctk
import numpy as np
import ply
from driver import build
from driver.definition import Contestant

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


class Ours:
    """One of our contestants of the benchmark `impacts`, asked turn by turn."""

    def __init__(self, command, begin, end, answer):
        words = [f"mesh={begin}", f"end={end}", f"answer={answer}", "threads=1"]
        self.process = subprocess.Popen([*command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.heard()

    def heard(self):
        reply = json.loads(self.process.stdout.readline())
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply

    def turn(self, number):
        self.process.stdin.write(f"{number} 0\n")
        self.process.stdin.flush()
        return 1e3 * self.heard()["seconds"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def check(tool, command, rounds, scene):
    frames = sorted(scene.glob("frames/*.ply"))
    (p0, faces), (p1, _) = read_doubles(frames[0]), read_doubles(frames[1])
    f0, f1 = np.float32(p0), np.float32(p1)
    edges = ipctk.edges(np.ascontiguousarray(faces).astype(np.int32))
    mesh = ipctk.CollisionMesh(np.asfortranarray(f0.astype(np.float64)), edges, np.asfortranarray(faces.astype(np.int32)))
    begin, end = (np.asfortranarray(f.astype(np.float64)) for f in (f0, f1))
    steps, times = {}, {"step": [], "list": [], "tight": [], "additive": []}
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{k}.ply" for k in range(2)]
        for name, points in zip(names, (f0, f1)):
            ply.write(name, points, faces)
        out = subprocess.run([tool, "impacts", *names, "--self", "--json"], stdout=subprocess.PIPE, check=True).stdout
        ours = {answer: Ours(command, *names, answer) for answer in ("step", "list")}
        for number in range(-1, rounds):
            for answer, contestant in ours.items():
                times[answer].append(contestant.turn(number))
            for name, narrow in (("tight", ipctk.TightInclusionCCD), ("additive", ipctk.AdditiveCCD)):
                start = time.process_time()
                steps[name] = ipctk.compute_collision_free_stepsize(
                    mesh, begin, end, 0.0, ipctk.LBVH(), narrow(conservative_rescaling=0.9999)
                )
                times[name].append(1e3 * (time.process_time() - start))
        for contestant in ours.values():
            contestant.end()
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
    step, median = steps["tight"], {name: float(np.median(all[1:])) for name, all in times.items()}
    fastest = min(median["tight"], median["additive"])
    print(f"{scene.name}: {len(faces)} triangles, {candidates_vf + candidates_ee} candidates, {len(want_vf) + len(want_ee)} true; found "
          f"{len(vf) + len(ee)}, missing {missing}; free step {answer['step']:.6g}, ipctk {step:.6g}, ratio {answer['step'] / step:.3f}; "
          f"ms: {', '.join(f'{name} {ms:.1f}' for name, ms in median.items())}; "
          f"of ipctk's faster: step {median['step'] / fastest:.4f}, list {median['list'] / fastest:.4f}")
    return missing == 0 and answer["step"] >= 0.8 * step


if __name__ == "__main__":
    tool, rounds, *scenes = sys.argv[1:]
    os.environ["BENCH_CPU"] = "1"
    ipctk.set_num_threads(1)
    command = build.command(Contestant("proxel", "proxel/impacts.cpp", ours=True))
    sys.exit(not all([check(tool, command, int(rounds), Path(scene)) for scene in scenes]))
