"""Holds prx_mesh_sweep to ipctk's tight inclusion on pairs of moving triangles, random and degenerate.

    sweep_truth.py PROGRAM CASES    PROGRAM is proxel/sweep_truth.cpp, built

ipctk errs on the early side, as ours does. Where ipctk has a contact before ours, or ours has none, the triangles are followed up to
our time: no two points approach faster than their vertices do, so a step of the distance over that speed is always safe. Either the
steps get there, and ipctk was early, or the triangles touch on the way, and ours is late or missed it, or it stays in doubt."""

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


STEPS = 20_000
# Closer than this they touch: a thousandth of the tolerance.
TOUCHING = 1e-9


def dot(u, v):
    return np.sum(u * v, axis=-1)


def point_segments(x, p, q):
    """Distances of points from segments, which may be points."""
    way = q - p
    t = np.clip(dot(x - p, way) / np.maximum(dot(way, way), 1e-300), 0, 1)
    return np.linalg.norm(x - p - t[..., None] * way, axis=-1)


def distance(a, b):
    """Of two triangles that do not cross, whatever their shapes. ipctk's own is not made for points and needles."""
    nearest = []
    for t, x in ((a, b), (b, a)):
        normal = np.cross(t[1] - t[0], t[2] - t[0])
        size = np.linalg.norm(normal)
        p, q = t, np.roll(t, -1, axis=0)
        nearest.append(np.min(point_segments(x[:, None], p, q)))
        if size > 0:
            # A point above the face is on the inner side of all three edges.
            inner = np.all(dot(np.cross(q - p, x[:, None] - p), normal) > 0, axis=1)
            nearest.extend(np.abs(dot(x - t[0], normal) / size)[inner])
    p, u = a[:, None], np.roll(a, -1, axis=0)[:, None] - a[:, None]
    q, v = b[None], np.roll(b, -1, axis=0)[None] - b[None]
    uu, vv, uv, w = dot(u, u), dot(v, v), dot(u, v), p - q
    size = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (uv * dot(v, w) - vv * dot(u, w)) / size, (uu * dot(v, w) - uv * dot(u, w)) / size
        across = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1)
    nearest.extend(across[(size > 0) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)])
    return min(nearest)


def apart(a0, a1, b0, b1, until):
    """True when the triangles are proved to stay apart so long, False when they are seen to touch, None in doubt."""
    ways = [q - p for p, q in ((a0, a1), (b0, b1))]
    speed = max(np.linalg.norm(u - v) for u in ways[0] for v in ways[1])
    time = 0.0
    for _ in range(STEPS):
        near = distance(a0 + time * ways[0], b0 + time * ways[1])
        if near < TOUCHING:
            return False
        # Rounding takes no more than this from a step.
        time += (near - 1e-12) / max(speed, 1e-30)
        if time >= until:
            return True
    return None


points = cases()
answers = np.frombuffer(subprocess.run([program], input=points.tobytes(), stdout=subprocess.PIPE, check=True).stdout, np.float64)
assert len(answers) == count, f"{len(answers)} answers to {count} cases"
narrow = ipctk.TightInclusionCCD(tolerance=1e-6, max_iterations=20_000, conservative_rescaling=1.0)
missed, late, doubtful, hits, cleared = [], [], [], 0, 0
for case, (time, (a, b)) in enumerate(zip(answers, points.astype(np.float64))):
    # Crossing from the start is found by ours and is no event of ipctk's.
    truth = time if time == 0.0 else first_contact(narrow, a[0], a[1], b[0], b[1])
    hits += np.isfinite(truth)
    if time > truth + 2e-6:
        # Ours may be a tolerance early itself: until then they are apart for sure.
        verdict = apart(a[0], a[1], b[0], b[1], min(time, 1.0) - 1e-9)
        cleared += verdict is True
        if verdict is None:
            doubtful.append(case)
        elif not verdict:
            (late if np.isfinite(time) else missed).append(case)
    if case % 5_000 == 4_999:
        print(f"{case + 1} cases, {hits} contacts of ipctk's, {cleared} of them refuted, {len(doubtful)} in doubt, "
              f"{len(missed)} missed, {len(late)} late", flush=True)
print(f"{count} cases, {hits} contacts of ipctk's, {cleared} of them refuted; in doubt {doubtful[:10]}, missed {missed[:10]}, late {late[:10]}")
sys.exit(bool(missed or late))
