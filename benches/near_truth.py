"""Holds prx_mesh_near_self to ipctk's collisions on real meshes: what is listed, and that nothing counts twice.

    near_truth.py PROGRAM MESH.ply...    PROGRAM is proxel/near_truth.cpp, built

ipctk sorts its collisions by where the nearest points are: two vertices, a vertex and an edge, two edges, a vertex and a face, each
once. Of our pairs those that do not repeat another must be the same sets; distances that differ from the thickness by less than a
rounding may fall on either side. Edges that are almost parallel stay two edges in ipctk, whose barrier is smoothed there. Where the sets differ,
exact_nearest.py decides who is right: one of ours must be on exactly nearest points, and one of ipctk's that we have not must be on
none, of whatever two features it may come from. Such are those of features that touch where ends of both are at one place (vertices that a model has twice,
as on a seam): there ipctk takes the insides or the ends for nearest, as its rounding falls."""

import collections
import subprocess
import sys
import tempfile
from fractions import Fraction

import ipctk
import numpy as np
import ply
from exact_nearest import integers, nearest_parts
from poses import deformed

PAIR = np.dtype(
    [("kind", "<u4"), ("a", "<u4", 2), ("b", "<u4", 2), ("region_a", "<u4"), ("region_b", "<u4"), ("repeats", "<u4"),
     ("direction", "<f4", 3), ("reserved", "<u4"), ("distance", "<f8"), ("weights", "<f8", 4)]
)
VERTEX_FACE, EDGE_EDGE = 2, 4
EDGES_OF = {3: (0, 1), 4: (1, 2), 5: (2, 0)}


def parts(pair, faces):
    """The vertices and edges that the nearest points are on, as ipctk names them."""
    def of(corners, region):
        if region < 3:
            return ("v", int(corners[region]))
        if region < 6:
            return ("e", *sorted(int(corners[k]) for k in EDGES_OF[region]))
        return ("f", *(int(c) for c in corners))

    if pair["kind"] == VERTEX_FACE:
        return of([pair["a"][0]], pair["region_a"]), of(faces[pair["b"][0]], pair["region_b"])
    return of(pair["a"], pair["region_a"]), of(pair["b"], pair["region_b"])


class Judge:
    """Says which names are on exactly nearest points."""

    def __init__(self, points, faces, thickness):
        self.places, shift = integers(points)
        self.limit = (Fraction(thickness) * 2**shift) ** 2
        self.edges, self.faces = collections.defaultdict(set), collections.defaultdict(set)
        for face in faces:
            for k in range(3):
                edge = tuple(sorted((face[k], face[k - 1])))
                for v in edge:
                    self.edges[v].add(edge)
                self.faces[face[k]].add(tuple(sorted(face)))

    def features(self, part):
        """The features with this part: all that have its vertices."""
        within = lambda table: set.intersection(*(table[v] for v in part))
        return {1: [part, *within(self.edges), *within(self.faces)], 2: [part, *within(self.faces)], 3: [part]}[len(part)]

    def is_nearest(self, name):
        """Whether two features closer than the thickness have nearest points inside of these parts."""
        x, y = (tuple(sorted(part[1:])) for part in name)
        for first in self.features(x):
            for second in self.features(y):
                if len(first) + len(second) != 4 or set(first) & set(second):
                    continue
                squared, nearest = nearest_parts(first, second, self.places)
                if squared < self.limit and (x, y) in nearest:
                    return True
        return False


def named(first, second):
    return tuple(sorted((first, second)))


def parallel(pairs, rest, points):
    """Of which pairs of edges ipctk smooths the barrier: by the angle between them, against their lengths at rest."""
    e, f = pairs["a"], pairs["b"]
    edges = np.flatnonzero(pairs["kind"] == EDGE_EDGE)
    u, v = (points[side[edges, 1]] - points[side[edges, 0]] for side in (e, f))
    squared = np.sum(np.cross(u, v) ** 2, axis=1)
    found = np.zeros(len(pairs), bool)
    for at, size in zip(edges, squared):
        corners = [rest[side[at, k]] for side in (e, f) for k in (0, 1)]
        found[at] = size < ipctk.edge_edge_mollifier_threshold(*corners)
    return found.tolist()


def theirs(mesh, points, thickness):
    collisions = ipctk.NormalCollisions()
    collisions.build(mesh, np.asfortranarray(points), thickness, 0.0, ipctk.LBVH())
    edges, faces = mesh.edges, mesh.faces
    vertex = lambda v: ("v", int(v))
    edge = lambda e: ("e", *sorted(int(v) for v in edges[e]))
    found = set()
    for c in collisions.vv_collisions:
        found.add(named(vertex(c.vertex0_id), vertex(c.vertex1_id)))
    for c in collisions.ev_collisions:
        found.add(named(edge(c.edge_id), vertex(c.vertex_id)))
    for c in collisions.ee_collisions:
        found.add(named(edge(c.edge0_id), edge(c.edge1_id)))
    for c in collisions.fv_collisions:
        found.add(named(("f", *(int(v) for v in faces[c.face_id])), vertex(c.vertex_id)))
    return found, len(collisions)


def check(program, path, stretch, wave):
    points, faces = ply.read(path)
    # ipctk also compares vertices that no face has.
    used, faces = np.unique(faces, return_inverse=True)
    points, faces = points[used], faces.reshape(-1, 3).astype(np.int32)
    rest = points.astype(np.float64)
    points = np.float32(deformed(points, 0.3, wave))
    edges = ipctk.edges(faces.astype(np.int32))
    lengths = np.linalg.norm(points[edges[:, 0]].astype(np.float64) - points[edges[:, 1]], axis=1)
    thickness = stretch * float(np.median(lengths))
    with tempfile.NamedTemporaryFile(suffix=".ply") as file:
        ply.write(file.name, points, faces)
        out = subprocess.run([program, file.name, repr(thickness)], stdout=subprocess.PIPE, check=True).stdout
    pairs = np.frombuffer(out, PAIR)
    exact = points.astype(np.float64)
    mesh = ipctk.CollisionMesh(np.asfortranarray(rest), edges, np.asfortranarray(faces.astype(np.int32)))
    found, count = theirs(mesh, exact, thickness)
    ours, border, stay_edges = set(), set(), set()
    corners = faces.tolist()
    for row, smoothed in zip(pairs.tolist(), parallel(pairs, rest, exact)):
        pair = dict(zip(PAIR.names, row))
        first, second = parts(pair, corners)
        name = named(first, second)
        if smoothed:
            name = named(("e", *map(int, pair["a"])), ("e", *map(int, pair["b"])))
            stay_edges.add(name)
        ours.add(name)
        if pair["distance"] > thickness * (1 - 1e-9):
            border.add(name)
    judge = Judge(exact, corners, thickness)
    # Names that both have show that the judge can say yes.
    common = sorted(found & ours - stay_edges - border)[::997]
    assert all(judge.is_nearest(name) for name in common)
    only_theirs, only_ours = found - ours, ours - found - border
    missing = {name for name in only_theirs if judge.is_nearest(name)}
    extra = {name for name in only_ours if not judge.is_nearest(name)}
    once = int(np.sum(pairs["repeats"] == 0))
    print(f"{path.split('/')[-1]:28} {len(faces):8,} triangles, {stretch} edges: {len(pairs):9,} pairs, {once:9,} of them once; "
          f"ipctk {count:9,}; only ours {len(only_ours)}, of them wrong {len(extra)}; only ipctk's {len(only_theirs)}, of them right {len(missing)}",
          flush=True)
    for name, some in (("missing", missing), ("wrong", extra)):
        for each in sorted(some)[:3]:
            print("   ", name, each)
    return not missing and not extra


if __name__ == "__main__":
    program, *meshes = sys.argv[1:]
    good = [check(program, path, stretch, wave) for path in meshes for stretch, wave in ((0.5, 0.0), (1.0, 0.02))]
    sys.exit(not all(good))
