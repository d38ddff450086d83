"""ipctk: the collisions closer than a thickness, of one mesh that deforms or of two of which one does, as an IPC solver builds them in each step."""

from importlib.metadata import version

import contestant
import ipctk
import numpy as np
import ply
from poses import deformed, through

given = contestant.arguments()
ipctk.set_num_threads(int(given["threads"]))
points, triangles = ply.read(given["mesh"])
alone = given["mode"] == "self"
thickness = float(given["thickness"]) * float((points.max(axis=0) - points.min(axis=0)).max())
faces = triangles if alone else np.vstack([triangles, triangles + len(points)])
at_rest = points if alone else np.vstack([points, points])
faces = np.asfortranarray(faces.astype(np.int32))
mesh = ipctk.CollisionMesh(np.asfortranarray(at_rest.astype(np.float64)), ipctk.edges(faces), faces)
if not alone:
    mesh.can_collide = ipctk.make_vertex_patches_filter(np.repeat(np.arange(2, dtype=np.int32), len(points)))
broad = {"lbvh": ipctk.LBVH, "hash": ipctk.HashGrid, "sweep": ipctk.SweepAndPrune}[given["broad"]]()


def turn(_round, fraction):
    moved = np.float32(deformed(points, fraction, 0.02))
    if not alone:
        moved = np.vstack([points, np.float32(through(deformed(points, fraction, 0.02), points, fraction))])
    moved = np.asfortranarray(moved.astype(np.float64))
    collisions = ipctk.NormalCollisions()
    with contestant.Stopwatch() as watch:
        collisions.build(mesh, moved, thickness, 0.0, broad)
    return watch.seconds, [len(collisions)]


contestant.compete(f"ipctk {version('ipctk')}, {given['broad']}", turn)
