"""The nodes at which the bake's contestants give distances: the same for all."""

import contestant
import numpy as np
import ply

PROBES = 4096  # nodes whose values are compared between contestants


class Grid:
    """N^3 nodes over a cube about the mesh, its edge 1.2 times the mesh's longest extent; x runs fastest."""

    def __init__(self, points, resolution):
        low, high = points.min(axis=0).astype(np.float64), points.max(axis=0).astype(np.float64)
        edge = 1.2 * (high - low).max()
        self.spacing = edge / (resolution - 1)
        self.origin = (low + high) / 2 - edge / 2
        self.resolution = resolution

    def nodes(self, kind):
        steps = [self.origin[i] + self.spacing * np.arange(self.resolution) for i in range(3)]
        out = np.empty((self.resolution,) * 3 + (3,), kind)
        out[..., 0] = steps[0][None, None, :]
        out[..., 1] = steps[1][None, :, None]
        out[..., 2] = steps[2][:, None, None]
        return out.reshape(-1, 3)

    def probes(self):
        """Indices scattered over the grid (multiplicative hashing), the same for every contestant."""
        return np.arange(PROBES, dtype=np.uint64) * 2654435761 % self.resolution**3


def bake(about, kind, distances):
    """Competes with `distances(points, triangles, nodes, threads)`: built from the bare mesh each time, negative inside."""
    given = contestant.arguments()
    points, triangles = ply.read(given["mesh"])
    grid = Grid(points, int(given["resolution"]))
    points, nodes, probes = points.astype(kind), grid.nodes(kind), grid.probes()

    def turn(*_):
        with contestant.Stopwatch() as watch:
            values = distances(points, triangles, nodes, int(given["threads"]))
        return watch.seconds, np.asarray(values)[probes]

    contestant.compete(about, turn)
