"""Which vertices and edges the nearest points of two features are on, decided in rational arithmetic.

A feature is a tuple of corners, vertices by number: one is a vertex, two an edge, three a face. Places are floats, so they are integers
when they are scaled by a power of two, and so nothing is rounded. Nearest points need not be unique, as those of parallel edges: then each
choice counts."""

import itertools
from fractions import Fraction

import numpy as np


def integers(points):
    """The points as lists of integers, all scaled by one power of two."""
    _, exponents = np.frexp(points[points != 0])
    shift = 53 - int(exponents.min()) if len(exponents) else 0
    return [[int(Fraction(float(c)) * 2**shift) for c in p] for p in points], shift


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def stationary(apart, spans):
    """The shares that make apart + sum of share times span shortest, or None when the spans are dependent."""
    if not spans:
        return []
    if len(spans) == 1:
        (u,) = spans
        return [Fraction(-dot(apart, u), dot(u, u))] if dot(u, u) else None
    u, v = spans
    uu, uv, vv, au, av = dot(u, u), dot(u, v), dot(v, v), dot(apart, u), dot(apart, v)
    by = uu * vv - uv * uv
    return [Fraction(uv * av - vv * au, by), Fraction(uv * au - uu * av, by)] if by else None


def squared(first, second, places):
    """The squared distance of two features if the nearest points of their lines or plane are inside of both, or None."""
    a, b = ([places[v] for v in feature] for feature in (first, second))
    spans = [minus(p, a[0]) for p in a[1:]] + [minus(b[0], q) for q in b[1:]]
    apart = minus(a[0], b[0])
    shares = stationary(apart, spans)
    if shares is None:
        return None
    for own in (shares[: len(a) - 1], shares[len(a) - 1 :]):
        if any(s <= 0 for s in own) or (own and sum(own) >= 1):
            return None
    way = [c + sum(s * span[k] for s, span in zip(shares, spans)) for k, c in enumerate(apart)]
    return dot(way, way)


def parts(feature):
    """A feature and what bounds it."""
    return [part for size in range(1, len(feature) + 1) for part in itertools.combinations(feature, size)]


def nearest_parts(first, second, places):
    """The squared distance of two features, and each pair of parts that has nearest points inside of both."""
    found = []
    for x in parts(first):
        for y in parts(second):
            if len(x) + len(y) <= 4:
                distance = squared(x, y, places)
                if distance is not None:
                    found.append((distance, x, y))
    least = min(distance for distance, _, _ in found)
    return least, [(x, y) for distance, x, y in found if distance == least]
