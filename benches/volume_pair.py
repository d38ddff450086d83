"""The two meshes of the volume benchmark in a turn: one and a moved copy of it, or another given by other=, `apart` extents away; pairs=N makes N such pairs."""

import ply
from poses import deformed, fitted, overlapping


class Pair:
    def __init__(self, given):
        self.points, self.triangles = ply.read(given["mesh"])
        self.other, self.other_triangles = self.points, self.triangles
        if "other" in given:
            points, self.other_triangles = ply.read(given["other"])
            self.other = fitted(points, self.points)
        self.count = int(given.get("pairs", "1"))
        self.wave, self.apart = float(given.get("wave", "0.02")), float(given.get("apart", "0.3"))

    def placed(self, number, fraction):
        """The positions of both."""
        rotation, translation = overlapping(self.points, number, fraction, self.apart)
        return deformed(self.points, fraction, self.wave), deformed(self.other, fraction, self.wave) @ rotation.T + translation

    def all_placed(self, number, fraction):
        """The positions of every pair: where there are many, each has a pose and a wave of its own."""
        if self.count == 1:
            return [self.placed(number, fraction)]
        return [self.placed(pair, (fraction + 0.618 * pair) % 1.0) for pair in range(self.count)]
