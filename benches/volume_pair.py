"""The two meshes of the volume benchmark in a turn: one and a moved copy of it, or another given by other=, `apart` extents away."""

import ply
from poses import deformed, fitted, overlapping


class Pair:
    def __init__(self, given):
        self.points, self.triangles = ply.read(given["mesh"])
        self.other, self.other_triangles = self.points, self.triangles
        if "other" in given:
            points, self.other_triangles = ply.read(given["other"])
            self.other = fitted(points, self.points)
        self.wave, self.apart = float(given.get("wave", "0.02")), float(given.get("apart", "0.3"))

    def placed(self, number, fraction):
        """The positions of both."""
        rotation, translation = overlapping(self.points, number, fraction, self.apart)
        return deformed(self.points, fraction, self.wave), deformed(self.other, fraction, self.wave) @ rotation.T + translation
