"""Cost and error of all ways to a shared volume: `volume_methods.py PROGRAM FIGURE.png MESH.ply...`.

PROGRAM is proxel/volume_methods.cpp, built, with its arguments in one word. Every mesh meets its own copy at --poses random places that share something. The figure has medians
over the places: what the answer is off and how wide its interval is, against processor time with both meshes handed over anew.
"""

import argparse
import shlex
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import numpy as np
import ply
from matplotlib import pyplot as plt
from poses import overlapping

LOOKS = {"rays": ("#2980b9", "rays"), "narrow": ("#c0392b", "rays, narrow interval"), "exact": ("#27ae60", "exact")}


def measured(program, mesh, poses):
    """For each way and number of rays: medians of time, error and width."""
    points, triangles = ply.read(mesh)
    found = defaultdict(list)
    process = subprocess.Popen(shlex.split(program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory() as folder:
        first, second = f"{folder}/first.ply", f"{folder}/second.ply"
        ply.write(first, points, triangles)
        for number in range(poses):
            turn, shift = overlapping(points, number, (number + 0.5) / poses, 0.1 + 0.4 * (number * 0.618 % 1.0))
            ply.write(second, np.float32(points.astype(np.float64) @ turn.T + shift), triangles)
            process.stdin.write(f"{first} {second}\n")
            process.stdin.flush()
            while line := process.stdout.readline().strip():
                name, rays, *numbers = line.split()
                found[name, int(rays)].append([float(number) for number in numbers])
    process.stdin.close()
    process.wait()
    return {key: np.median(np.array(rows), axis=0) for key, rows in found.items()}


def panel(axis, medians, title):
    for name, (colour, label) in LOOKS.items():
        rows = sorted((rays, *medians[name, rays]) for way, rays in medians if way == name)
        times, errors, widths = ([row[k] for row in rows] for k in (1, 2, 3))
        # An exact answer is its own truth.
        if name != "exact":
            axis.plot(times, errors, "o-", color=colour, label=f"{label}: error")
        axis.plot(times, widths, "s--", color=colour, markerfacecolor="white", label=f"{label}: width of the interval")
        for rays, time, _, width in rows:
            if rays:
                axis.annotate(str(rays), (time, width), textcoords="offset points", xytext=(3, 4), fontsize=7, color=colour)
    axis.set(xscale="log", yscale="log", xlabel="processor time, ms", title=title)
    axis.grid(True, color="#dddddd", linewidth=0.6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=8)
    parser.add_argument("program")
    parser.add_argument("figure")
    parser.add_argument("mesh", nargs="+")
    given = parser.parse_args()
    figure, axes = plt.subplots(1, len(given.mesh), figsize=(5.5 * len(given.mesh), 4.6), squeeze=False, sharey=True)
    for axis, mesh in zip(axes[0], given.mesh):
        medians = measured(given.program, mesh, given.poses)
        for (name, rays), (time, error, width) in sorted(medians.items()):
            print(f"{Path(mesh).stem} {name} {rays}: {time:.1f} ms, error {error:.2g}, width {width:.2g}", flush=True)
        panel(axis, medians, f"{Path(mesh).stem}, {len(ply.read(mesh)[1]):,} triangles each")
    axes[0][0].set_ylabel("part of the volume")
    axes[0][0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(given.figure, dpi=110)


if __name__ == "__main__":
    main()
