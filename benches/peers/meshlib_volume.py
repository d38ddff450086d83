"""MeshLib's exact Boolean: the volume of what two deforming meshes share; of many pairs, the sum."""

from importlib.metadata import version

import contestant
import numpy as np
from meshlib import mrmeshnumpy, mrmeshpy
from volume_pair import Pair

pair = Pair(contestant.arguments())


def turn(number, fraction):
    made = [(mrmeshnumpy.meshFromFacesVerts(pair.triangles, np.float32(first)), mrmeshnumpy.meshFromFacesVerts(pair.other_triangles, np.float32(second)))
            for first, second in pair.all_placed(number, fraction)]
    # Making its meshes is not counted: the Boolean alone is the faster rival.
    with contestant.Stopwatch() as watch:
        volume = sum(mrmeshpy.boolean(first, second, mrmeshpy.BooleanOperation.Intersection).mesh.volume() for first, second in made)
    return watch.seconds, [volume]


contestant.compete(f"meshlib {version('meshlib')}", turn)
