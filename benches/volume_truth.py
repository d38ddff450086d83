"""Volumes against exact Booleans: `volume_truth.py [--exact] EXECUTABLE POSES MESH.ply...`, where EXECUTABLE is proxel/volume.cpp, built.

Every mesh meets its own copy at POSES turned places. By rays it exits with 1 if an exact volume is outside its certificate; with --exact, where
the certificate is narrower than what manifold3d rounds, if the two differ by more than 1e-6 of the volume.
"""

import json
import subprocess
import sys
from pathlib import Path

import manifold3d
import numpy as np
import ply
from poses import deformed, overlapping


def manifold(points, triangles):
    return manifold3d.Manifold(manifold3d.Mesh(np.float32(points), np.uint32(triangles)))


def compare(executable, path, poses, stage):
    """Relative errors and widths of certificates, and how many exact volumes are outside theirs."""
    points, triangles = ply.read(path)
    ours = subprocess.Popen(
        [executable, f"mesh={path}", "wave=0", "resolution=128", f"stage={stage}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    print(json.loads(ours.stdout.readline())["about"], path, len(triangles), "triangles", flush=True)
    still = deformed(points, 0.0, 0.0)
    errors, widths, outside = [], [], 0
    for number in range(poses):
        fraction = (number + 0.5) / poses
        ours.stdin.write(f"{number} {fraction}\n")
        ours.stdin.flush()
        rotation, translation = overlapping(points, number, fraction)
        truth = (manifold(still, triangles) ^ manifold(still @ rotation.T + translation, triangles)).volume()
        told = json.loads(ours.stdout.readline())
        [volume], lower, upper = told["answer"], told["lower"], told["upper"]
        outside += abs(volume - truth) > 1e-6 * truth if stage == "exact" else not lower <= truth <= upper
        if truth > 0:
            errors.append(abs(volume / truth - 1))
            widths.append((upper - lower) / truth)
    ours.stdin.close()
    ours.wait()
    return errors, widths, outside


def main():
    words = sys.argv[1:]
    stage = "exact" if "--exact" in words else "all"
    executable, poses, *meshes = [word for word in words if word != "--exact"]
    all_errors, wrong = [], 0
    for mesh in meshes:
        errors, widths, outside = compare(executable, mesh, int(poses), stage)
        all_errors += errors
        wrong += outside
        print(
            f"{Path(mesh).stem}: median error {np.median(errors):.2g}, largest {np.max(errors):.2g}, "
            f"certificate {np.median(widths):.2g} wide, {outside} of {poses} outside",
            flush=True,
        )
    print(f"all: median error {np.median(all_errors):.2g} over {len(all_errors)} poses that share anything, {wrong} outside their certificate")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
