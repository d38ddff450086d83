"""manifold3d's exact Boolean: the volume of what a deforming mesh and its moved copy share, both handed over anew."""

from importlib.metadata import version

import contestant
import manifold3d
import numpy as np
import ply
from poses import deformed, overlapping

given = contestant.arguments()
points, triangles = ply.read(given["mesh"])
wave = float(given.get("wave", "0.02"))


def manifold(positions):
    return manifold3d.Manifold(manifold3d.Mesh(np.float32(positions), np.uint32(triangles)))


def turn(number, fraction):
    moved = deformed(points, fraction, wave)
    rotation, translation = overlapping(points, number, fraction)
    other = moved @ rotation.T + translation
    with contestant.Stopwatch() as watch:
        volume = (manifold(moved) ^ manifold(other)).volume()
    return watch.seconds, [volume]


contestant.compete(f"manifold3d {version('manifold3d')}", turn)
