"""MeshLib's exact Boolean: the volume of what a deforming mesh and its moved copy share, both handed over anew."""

from importlib.metadata import version

import contestant
import numpy as np
import ply
from meshlib import mrmeshnumpy, mrmeshpy
from poses import deformed, overlapping

given = contestant.arguments()
points, triangles = ply.read(given["mesh"])
wave = float(given.get("wave", "0.02"))


def turn(number, fraction):
    moved = deformed(points, fraction, wave)
    rotation, translation = overlapping(points, number, fraction)
    first = mrmeshnumpy.meshFromFacesVerts(triangles, np.float32(moved))
    second = mrmeshnumpy.meshFromFacesVerts(triangles, np.float32(moved @ rotation.T + translation))
    # Making its meshes is not counted: the Boolean alone is the faster rival.
    with contestant.Stopwatch() as watch:
        volume = mrmeshpy.boolean(first, second, mrmeshpy.BooleanOperation.Intersection).mesh.volume()
    return watch.seconds, [volume]


contestant.compete(f"meshlib {version('meshlib')}", turn)
