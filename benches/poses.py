"""How a mesh deforms in a turn: the same as poses.hpp, for Python."""

import numpy as np


def deformed(points, fraction, wave):
    """A wave of `wave` times the mesh's size runs through it; from about 9 % on it folds the surface through itself."""
    points = points.astype(np.float64)
    size = float((points.max(axis=0) - points.min(axis=0)).max())
    return points + wave * size * np.sin(12 * np.roll(points, -1, axis=1) / size + 2 * np.pi * fraction)
