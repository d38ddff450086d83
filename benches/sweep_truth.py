"""Holds prx_mesh_sweep to ipctk's tight inclusion on pairs of moving triangles, random and degenerate.

    sweep_truth.py PROGRAM CASES    PROGRAM is proxel/sweep_truth.cpp, built

ipctk errs on the early side, as ours does. A late hit is one after ipctk's. Where ipctk has a contact and ours has none, the
distance of the triangles is sampled over time: no two points approach faster than their vertices do, so either the samples
prove that they stay apart, or one of them touches and it is a miss, or it stays in doubt."""

import subprocess
import sys

import ipctk
import numpy as np

program, count = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(1)


def cases():
    """Pairs of triangles at two times: general, flat to an axis, snapped to a coarse lattice, slivers, and all scales."""
    shape = (count, 2, 2, 3, 3)  # a and b, at 0 and 1, corners, axes
    points = random.uniform(-1, 1, shape)
    kind = np.arange(count) % 5
    points[kind == 1, :, :, :, 2] = random.choice([-0.5, 0.0, 0.5], (np.sum(kind == 1), 2, 2, 1))
    lattice = (kind == 2) | (kind == 4)
    points[lattice] = np.round(2 * points[lattice]) / 2
    points[kind == 3, :, :, 2] = points[kind == 3, :, :, 1] + 1e-4 * points[kind == 3, :, :, 2]
    points[kind == 4, :, 1] = points[kind == 4, :, 0] + np.round(2 * random.uniform(-1, 1, (np.sum(kind == 4), 2, 1, 3)))
    # Apart more often than not at the start.
    points[:, 1, 0] += np.round(2 * random.uniform(-1, 1, (count, 1, 3)))
    return np.ascontiguousarray(points.astype(np.float32))


def first_contact(narrow, a0, a1, b0, b1):
    """The earliest of six vertex-face and nine edge-edge contacts, or infinity."""
    best = np.inf
    for i in range(3):
        for p0, p1, t0, t1 in ((a0, a1, b0, b1), (b0, b1, a0, a1)):
            hit, time = narrow.point_triangle_ccd(p0[i], *t0, p1[i], *t1)
            best = min(best, time) if hit else best
        for j in range(3):
            k, m = (i + 1) % 3, (j + 1) % 3
            hit, time = narrow.edge_edge_ccd(a0[i], a0[k], b0[j], b0[m], a1[i], a1[k], b1[j], b1[m])
            best = min(best, time) if hit else best
    return best


SAMPLES = 1000


def apart(a0, a1, b0, b1):
    """True when the triangles are proved to stay apart, False when they are seen to touch, None in doubt."""
    ways = [q - p for p, q in ((a0, a1), (b0, b1))]
    speed = max(np.linalg.norm(u - v) for u in ways[0] for v in ways[1])
    least = np.inf
    for time in np.linspace(0, 1, SAMPLES + 1):
        a, b = a0 + time * ways[0], b0 + time * ways[1]
        squared = min(
            min(ipctk.point_triangle_distance(a[i], *b), ipctk.point_triangle_distance(b[i], *a),
                *(ipctk.edge_edge_distance(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]) for j in range(3)))
            for i in range(3)
        )
        least = min(least, np.sqrt(squared))
    if least > 0.5 * speed / SAMPLES:
        return True
    return False if least < 1e-12 else None


points = cases()
answers = np.frombuffer(subprocess.run([program], input=points.tobytes(), stdout=subprocess.PIPE, check=True).stdout, np.float64)
assert len(answers) == count, f"{len(answers)} answers to {count} cases"
narrow = ipctk.TightInclusionCCD(tolerance=1e-6, max_iterations=20_000, conservative_rescaling=1.0)
# For those where the first gave up early.
finer = ipctk.TightInclusionCCD(tolerance=1e-6, max_iterations=2_000_000, conservative_rescaling=1.0)
missed, late, doubtful, hits, cleared = [], [], [], 0, 0
for case, (time, (a, b)) in enumerate(zip(answers, points.astype(np.float64))):
    # Crossing from the start is found by ours and is no event of ipctk's.
    truth = time if time == 0.0 else first_contact(narrow, a[0], a[1], b[0], b[1])
    hits += np.isfinite(truth)
    if np.isfinite(truth) and not np.isfinite(time):
        verdict = apart(a[0], a[1], b[0], b[1])
        cleared += verdict is True
        if verdict is not True:
            (doubtful if verdict is None else missed).append(case)
    elif time > truth + 2e-6:
        truth = first_contact(finer, a[0], a[1], b[0], b[1])
        if time > truth + 2e-6:
            late.append((case, time, truth))
    if case % 5_000 == 4_999:
        print(f"{case + 1} cases, {hits} contacts of ipctk's, {cleared} of them refuted, {len(doubtful)} in doubt, "
              f"{len(missed)} missed, {len(late)} late", flush=True)
print(f"{count} cases, {hits} contacts of ipctk's, {cleared} of them refuted; in doubt {doubtful[:10]}, missed {missed[:10]}, late {late[:10]}")
sys.exit(bool(missed or late))
