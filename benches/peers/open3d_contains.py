"""Open3D's occupancy of 100,000 points; its scene is built anew because the mesh changed, unless mode=rigid."""

from importlib.metadata import version

import contestant
import numpy as np
import open3d as o3d
import ply
from poses import deformed

given = contestant.arguments()
points, triangles = ply.read(given["mesh"])
rigid = given.get("mode") == "rigid"
random = np.random.default_rng(1)
low, high = points.min(axis=0), points.max(axis=0)
queries = o3d.core.Tensor(np.float32(random.uniform(low, high, (int(given["points"]), 3))))
faces = o3d.core.Tensor(np.uint32(triangles))


def scene_of(positions):
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(o3d.core.Tensor(np.float32(positions)), faces)
    return scene


still = scene_of(points)


def turn(_number, fraction):
    moved = deformed(points, fraction, 0.02)
    with contestant.Stopwatch() as watch:
        inside = (still if rigid else scene_of(moved)).compute_occupancy(queries)
    return watch.seconds, [float(inside.numpy().sum())]


contestant.compete(f"open3d {version('open3d')}", turn)
