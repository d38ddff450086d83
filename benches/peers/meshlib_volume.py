"""MeshLib's exact Boolean: the volume of what two deforming meshes share."""

from importlib.metadata import version

import contestant
import numpy as np
from meshlib import mrmeshnumpy, mrmeshpy
from volume_pair import Pair

pair = Pair(contestant.arguments())


def turn(number, fraction):
    first, second = pair.placed(number, fraction)
    first = mrmeshnumpy.meshFromFacesVerts(pair.triangles, np.float32(first))
    second = mrmeshnumpy.meshFromFacesVerts(pair.other_triangles, np.float32(second))
    # Making its meshes is not counted: the Boolean alone is the faster rival.
    with contestant.Stopwatch() as watch:
        volume = mrmeshpy.boolean(first, second, mrmeshpy.BooleanOperation.Intersection).mesh.volume()
    return watch.seconds, [volume]


contestant.compete(f"meshlib {version('meshlib')}", turn)
