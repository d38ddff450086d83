"""Open3D: Embree's closest point query, sign by one ray's parity."""

from importlib.metadata import version

import numpy as np
import open3d
from grid import bake


def distances(points, triangles, nodes, threads):
    scene = open3d.t.geometry.RaycastingScene(nthreads=threads)
    scene.add_triangles(open3d.core.Tensor(points), open3d.core.Tensor(triangles.astype(np.uint32)))
    return scene.compute_signed_distance(open3d.core.Tensor(nodes), nthreads=threads).numpy()


bake(f"open3d {version('open3d')}", np.float32, distances)
