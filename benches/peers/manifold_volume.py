"""manifold3d's exact Boolean: the volume of what two deforming meshes share, both handed over anew; of many pairs, the sum."""

from importlib.metadata import version

import contestant
import manifold3d
import numpy as np
from volume_pair import Pair

pair = Pair(contestant.arguments())


def manifold(positions, triangles):
    return manifold3d.Manifold(manifold3d.Mesh(np.float32(positions), np.uint32(triangles)))


def turn(number, fraction):
    placed = pair.all_placed(number, fraction)
    with contestant.Stopwatch() as watch:
        volume = sum((manifold(first, pair.triangles) ^ manifold(second, pair.other_triangles)).volume() for first, second in placed)
    return watch.seconds, [volume]


contestant.compete(f"manifold3d {version('manifold3d')}", turn)
