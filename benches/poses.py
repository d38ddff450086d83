"""Where a mesh is and how it deforms in a turn: the same as poses.hpp, for Python."""

import numpy as np


def deformed(points, fraction, wave):
    """A wave of `wave` times the mesh's size runs through it; from about 9 % on it folds the surface through itself."""
    points = points.astype(np.float64)
    size = float((points.max(axis=0) - points.min(axis=0)).max())
    return points + wave * size * np.sin(12 * np.roll(points, -1, axis=1) / size + 2 * np.pi * fraction)


def fitted(points, to):
    """A mesh's points moved and scaled to the place and size of another's, so that two different ones can meet."""
    low, high, size = points.min(axis=0), points.max(axis=0), (points.max(axis=0) - points.min(axis=0)).max()
    goal = (to.max(axis=0) - to.min(axis=0)).max()
    return np.float32((points - (low + high) / 2) * (goal / size) + (to.min(axis=0) + to.max(axis=0)) / 2)


def overlapping(points, number, fraction, extents=0.3):
    """Rotation matrix and translation of motion "overlap": a random rotation about the centre, 0.3 longest extents along x."""
    low, high = points.min(axis=0).astype(np.float64), points.max(axis=0).astype(np.float64)
    v, w = number * 0.7548776662466927 % 1.0, number * 0.5698402909980532 % 1.0
    a, b = np.sqrt(1 - fraction), np.sqrt(fraction)
    x, y, z, s = a * np.sin(2 * np.pi * v), a * np.cos(2 * np.pi * v), b * np.sin(2 * np.pi * w), b * np.cos(2 * np.pi * w)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * s), 2 * (x * z + y * s)],
            [2 * (x * y + z * s), 1 - 2 * (x * x + z * z), 2 * (y * z - x * s)],
            [2 * (x * z - y * s), 2 * (y * z + x * s), 1 - 2 * (x * x + y * y)],
        ]
    )
    centre = (low + high) / 2
    return turn, centre - turn @ centre + np.array([extents * (high - low).max(), 0, 0])


def through(moved, points, fraction):
    """Points of the mesh `points` in motion "through": one of twelve places where two bodies overlap."""
    step = np.floor(12 * fraction) / 12
    half = 0.05 + 0.3 * step
    axis, w = np.sin(half) * np.array([0.36, 0.48, 0.8]), np.cos(half)
    t = 2 * np.cross(axis, moved)
    low, high = points.min(axis=0).astype(np.float64), points.max(axis=0).astype(np.float64)
    return moved + w * t + np.cross(axis, t) + np.array([(0.1 + 0.7 * step) * (high[0] - low[0]), 0, 0])
