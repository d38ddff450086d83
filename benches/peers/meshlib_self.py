"""MeshLib's self-colliding triangles; its tree is built anew because the points changed."""

from importlib.metadata import version

import contestant
import numpy as np
import ply
from meshlib import mrmeshnumpy, mrmeshpy
from poses import deformed

given = contestant.arguments()
points, triangles = ply.read(given["mesh"])


def turn(_round, fraction):
    mesh = mrmeshnumpy.meshFromFacesVerts(triangles, deformed(points, fraction, float(given["wave"])).astype(np.float32))
    with contestant.Stopwatch() as watch:
        pairs = mrmeshpy.findSelfCollidingTriangles(mrmeshpy.MeshPart(mesh))
    return watch.seconds, [len(pairs)]


contestant.compete(f"meshlib {version('meshlib')}", turn)
