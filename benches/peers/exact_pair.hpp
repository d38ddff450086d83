// What the peers that give pairs of boxes decide their pairs of triangles with: an edge of one crosses the other.
#pragma once

#include <array>

using Point = std::array<float, 3>;

inline double volume(const Point& a, const Point& b, const Point& c, const Point& d) {
    double u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) u[i] = double(b[i]) - a[i], v[i] = double(c[i]) - a[i], w[i] = double(d[i]) - a[i];
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

inline bool crosses(const Point& p, const Point& q, const Point* t) {
    if (volume(t[0], t[1], t[2], p) * volume(t[0], t[1], t[2], q) > 0) return false;
    double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]), c = volume(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

inline bool cross(const Point* s, const Point* t) {
    for (int k = 0; k < 3; ++k)
        if (crosses(s[k], s[(k + 1) % 3], t) || crosses(t[k], t[(k + 1) % 3], s)) return true;
    return false;
}
