"""Volumes against exact Booleans: `volume_truth.py OURS CGAL POSES MESH.ply...`.

OURS is proxel/volume_truth.cpp and CGAL is peers/cgal_volume_truth.cpp, built. Every mesh meets in turn its own copy and the next mesh of the list, at
POSES random places; every tenth is not turned, so that faces are parallel. All are given the same floats. CGAL computes with exact corners; it is asked at every pose of meshes of up to --most
triangles (20000), and elsewhere at every twentieth and where manifold3d (in doubles) differs from ours by more than 1e-9. It decides where it is asked. Exits with 1 if an
exact volume differs by more than 1e-9 of itself or is outside its bounds, or if rays have bounds that do not hold it.
"""

import argparse
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import manifold3d
import numpy as np
import ply
from poses import fitted, overlapping

CLOSE = 1e-9


class Asked:
    """A program that answers lines."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def manifold(points, triangles):
    return manifold3d.Manifold(manifold3d.Mesh64(np.float64(points), np.uint64(triangles)))


def placed(points, number, poses):
    """Float positions at a random place, turned but for every tenth."""
    fraction, apart = (number + 0.5) / poses, 0.7 * (number * 0.6180339887498949 % 1.0)
    turn, shift = overlapping(points, number, fraction, apart)
    if number % 10 == 0:
        turn, shift = np.eye(3), np.array([apart, 0, 0]) * (points.max(axis=0) - points.min(axis=0)).max()
    return np.float32(points.astype(np.float64) @ turn.T + shift)


class Counts:
    """What came out for one mesh."""

    def __init__(self):
        self.poses = self.apart = self.by_cgal = self.wrong = self.outside = self.rays_outside = self.open = 0
        self.theirs, self.errors, self.widths, self.ray_errors, self.ray_widths = [], [], [], [], []

    def add(self, ours, manifolds, exact):
        volume, lower, upper, disagreeing, ray_volume, ray_lower, ray_upper = ours
        truth = manifolds if exact is None else exact
        rounding = CLOSE * truth if exact is None else 1e-15 * truth
        self.poses += 1
        self.by_cgal += exact is not None
        self.open += disagreeing > 0
        self.outside += not lower - rounding <= truth <= upper + rounding
        self.rays_outside += not ray_lower - rounding <= truth <= ray_upper + rounding
        if truth < 1e-12:
            self.apart += 1
            self.wrong += volume > 1e-12
            return
        self.errors.append(abs(volume / truth - 1))
        self.wrong += self.errors[-1] > CLOSE
        self.widths.append((upper - lower) / truth)
        self.ray_errors.append(abs(ray_volume / truth - 1))
        self.ray_widths.append((ray_upper - ray_lower) / truth)
        if exact is not None:
            self.theirs.append(abs(manifolds / truth - 1))

    def told(self, name):
        most = lambda values: f"{max(values, default=0):.2g}"
        return (
            f"{name}: {self.poses} poses, {self.apart} apart, {self.by_cgal} by CGAL; ours differs by at most {most(self.errors)}, is {most(self.widths)} wide at most "
            f"(median {np.median(self.widths or [0]):.2g}); wrong {self.wrong}, outside {self.outside}, open {self.open}; manifold3d differs from CGAL by at most "
            f"{most(self.theirs)}, above 1e-9 at {sum(e > CLOSE for e in self.theirs)}; rays differ by {np.median(self.ray_errors or [0]):.2g} (at most {most(self.ray_errors)}), are {np.median(self.ray_widths or [0]):.2g} wide, outside {self.rays_outside}"
        )


def compare(given, folder, ours, cgal, mesh, other):
    (points, triangles), counts = ply.read(mesh), Counts()
    first, second = f"{folder}/first.ply", f"{folder}/second.ply"
    ply.write(first, points, triangles)
    for number in range(given.poses):
        met, met_triangles = (points, triangles) if number % 2 else ply.read(other)
        moved = placed(fitted(met, points), number, given.poses)
        ply.write(second, moved, met_triangles)
        told = ours.answer(f"{first} {second}")
        theirs = (manifold(points, triangles) ^ manifold(moved, met_triangles)).volume()
        differs = abs(told[0] - theirs) > CLOSE * theirs
        exact = None
        if differs or number % 20 == 0 or len(triangles) + len(met_triangles) <= given.most:
            [exact] = cgal.answer(f"{first} {second}")
            exact = None if math.isnan(exact) else exact
        if differs:
            by = "none" if exact is None else f"{exact:.17g} (ours {told[0] / exact - 1:.2g}, manifold3d {theirs / exact - 1:.2g})" if exact else "0"
            print(f"  {Path(mesh).stem} {number}: ours {told[0]:.17g}, manifold3d {theirs:.17g}, CGAL {by}", flush=True)
        counts.add(told, theirs, exact)
    print(counts.told(Path(mesh).stem), flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=20_000, metavar="TRIANGLES")
    parser.add_argument("ours")
    parser.add_argument("cgal")
    parser.add_argument("poses", type=int)
    parser.add_argument("mesh", nargs="+")
    given = parser.parse_args()
    ours, cgal = Asked(given.ours), Asked(given.cgal)
    with tempfile.TemporaryDirectory() as folder:
        pairs = zip(given.mesh, given.mesh[1:] + given.mesh[:1])
        found = [compare(given, folder, ours, cgal, mesh, other) for mesh, other in pairs]
    ours.end()
    cgal.end()
    wrong = sum(counts.wrong + counts.outside + counts.rays_outside for counts in found)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + resource.getrusage(resource.RUSAGE_SELF).ru_utime
    print(f"all: {sum(counts.poses for counts in found)} poses, {sum(counts.by_cgal for counts in found)} by CGAL, {wrong} failures, {used:.0f} s of processor time")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
