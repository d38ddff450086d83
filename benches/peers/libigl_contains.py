"""libigl's fast winding numbers of 100,000 points; its tree is made anew because the mesh changed. Threads by IGL_NUM_THREADS."""

from importlib.metadata import version

import contestant
import igl
import numpy as np
import ply
from poses import deformed

given = contestant.arguments()
points, triangles = ply.read(given["mesh"])
triangles = triangles.astype(np.int64)
random = np.random.default_rng(1)
queries = random.uniform(points.min(axis=0), points.max(axis=0), (int(given["points"]), 3))


def turn(_number, fraction):
    moved = deformed(points, fraction, 0.02)
    with contestant.Stopwatch() as watch:
        inside = igl.fast_winding_number(moved, triangles, queries) > 0.5
    return watch.seconds, [float(inside.sum())]


contestant.compete(f"libigl {version('libigl')}, fast winding number", turn)
