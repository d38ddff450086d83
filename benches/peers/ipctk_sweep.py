"""ipctk: the largest step without collision along linear vertex motion of two meshes, contacts between them only."""

from importlib.metadata import version

import contestant
import ipctk
import numpy as np
import ply
from poses import deformed

given = contestant.arguments()
ipctk.set_num_threads(int(given["threads"]))
points, triangles = ply.read(given["mesh"])
length = float(points[:, 0].max() - points[:, 0].min())
aside = np.array([1.2 * length, 0.0, 0.0])

faces = np.vstack([triangles, triangles + len(points)]).astype(np.int32)
at_rest = np.asfortranarray(np.vstack([points, points + aside]).astype(np.float64))
mesh = ipctk.CollisionMesh(at_rest, ipctk.edges(faces), np.asfortranarray(faces))
mesh.can_collide = ipctk.make_vertex_patches_filter(np.repeat(np.arange(2, dtype=np.int32), len(points)))
# The step is shortened by this factor before it is returned; near 1 it is the time of impact.
narrow = {
    "tight": lambda: ipctk.TightInclusionCCD(conservative_rescaling=0.9999),
    "additive": lambda: ipctk.AdditiveCCD(conservative_rescaling=0.9999),
}[given["narrow"]]()


def turn(_round, fraction):
    """B waves and moves by up to half a length through A's side, so that every turn has its own first contact."""
    waving = deformed(points, fraction, 0.005)
    begin = np.asfortranarray(np.vstack([points, points + aside]).astype(np.float64))
    shift = aside - [(0.4 + 0.1 * fraction) * length, 0.0, 0.0]
    end = np.asfortranarray(np.vstack([points, waving + shift]))
    with contestant.Stopwatch() as watch:
        step = ipctk.compute_collision_free_stepsize(mesh, begin, end, 0.0, ipctk.LBVH(), narrow)
    return watch.seconds, [step]


contestant.compete(f"ipctk {version('ipctk')}, LBVH, {given['narrow']}", turn)
