"""ipctk: the step of a mesh with itself that is free of collisions while a wave grows until it folds the surface."""

from importlib.metadata import version

import contestant
import ipctk
import numpy as np
import ply
from poses import deformed

given = contestant.arguments()
ipctk.set_num_threads(int(given["threads"]))
points, triangles = ply.read(given["mesh"])
faces = np.asfortranarray(triangles.astype(np.int32))
mesh = ipctk.CollisionMesh(np.asfortranarray(points.astype(np.float64)), ipctk.edges(faces), faces)
# The step is shortened by this factor before it is returned; near 1 it is the time of impact.
narrow = {
    "tight": lambda: ipctk.TightInclusionCCD(conservative_rescaling=0.9999),
    "additive": lambda: ipctk.AdditiveCCD(conservative_rescaling=0.9999),
}[given["narrow"]]()


def turn(_round, fraction):
    begin, end = (np.asfortranarray(np.float32(deformed(points, fraction, wave)).astype(np.float64)) for wave in (0.02, 0.12))
    with contestant.Stopwatch() as watch:
        step = ipctk.compute_collision_free_stepsize(mesh, begin, end, 0.0, ipctk.LBVH(), narrow)
    return watch.seconds, [step]


contestant.compete(f"ipctk {version('ipctk')}, LBVH, {given['narrow']}", turn)
