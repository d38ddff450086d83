"""Triangle meshes as binary little-endian PLY: the one format that every contestant reads."""

import numpy as np

FACE = np.dtype([("count", "u1"), ("corners", "<i4", 3)])


def write(path, points, triangles):
    """Writes float32 points (n, 3) and int32 triangles (m, 3)."""
    faces = np.empty(len(triangles), FACE)
    faces["count"] = 3
    faces["corners"] = triangles
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    with open(path, "wb") as file:
        file.write(header.encode())
        file.write(np.ascontiguousarray(points, "<f4").tobytes())
        file.write(faces.tobytes())


def read(path):
    """Reads what `write` wrote: float32 points and int32 triangles."""
    with open(path, "rb") as file:
        data = file.read()
    header, mark, body = data.partition(b"end_header\n")
    if not mark or b"binary_little_endian" not in header:
        raise ValueError(f"{path} is not a binary little-endian PLY: fetch it again with scripts/meshes")
    counts = dict(line.split()[1:3] for line in header.splitlines() if line.startswith(b"element"))
    vertices, triangles = int(counts[b"vertex"]), int(counts[b"face"])
    points = np.frombuffer(body, "<f4", 3 * vertices).reshape(-1, 3)
    faces = np.frombuffer(body, FACE, triangles, 12 * vertices)
    return points.copy(), np.ascontiguousarray(faces["corners"])
