"""Cuts FOLDER/whole.off into convex pieces by CoACD: FOLDER/piece0.off and so on. Run by benches/engines/main.cpp.

convex_pieces.py FOLDER CONCAVITY: the lower CONCAVITY is, the more pieces follow the mesh the more closely."""

import sys
from pathlib import Path

import coacd
import numpy as np


def read_off(path):
    words = path.read_text().split()
    vertices, faces = int(words[1]), int(words[2])
    places = np.array(words[4:4 + 3 * vertices], dtype=float).reshape(-1, 3)
    corners = np.array(words[4 + 3 * vertices:4 + 3 * vertices + 4 * faces], dtype=np.int32).reshape(-1, 4)
    return places, corners[:, 1:]


def write_off(path, places, corners):
    with open(path, "w") as file:
        file.write(f"OFF\n{len(places)} {len(corners)} 0\n")
        file.writelines(f"{p[0]:.9g} {p[1]:.9g} {p[2]:.9g}\n" for p in places)
        file.writelines(f"3 {t[0]} {t[1]} {t[2]}\n" for t in corners)


def main():
    folder, concavity = Path(sys.argv[1]), float(sys.argv[2])
    coacd.set_log_level("error")
    # Jolt allows a hull of at most 256 corners; 64 are what games use. Closed meshes need no preparation, which would round their edges off.
    pieces = coacd.run_coacd(coacd.Mesh(*read_off(folder / "whole.off")), threshold=concavity, preprocess_mode="off", decimate=True, max_ch_vertex=64)
    for number, (places, corners) in enumerate(pieces):
        write_off(folder / f"piece{number}.off", places, corners)


main()
