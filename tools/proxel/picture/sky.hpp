// Light from all around: a soft key light, and a sky that small gaps and contacts keep out. Each of many small lights
// has a shadow map; a sample looks at a few of them, and the samples of one pixel together at all.
#pragma once

#include "mesh/mesh.hpp"
#include "picture/camera.hpp"
#include "picture/colour.hpp"

#include <vector>

namespace cli {

class Sky {
public:
    static constexpr int groups = 9; // as many as samples in a pixel

    // The first `casting` triangles cast shadows. The lights stand still relative to the camera.
    Sky(const Camera& camera, const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
        std::size_t casting);

    // The light that reaches a point whose surface faces `normal`, as one group of the lights sees it.
    Colour light_at(Vec3 point, Vec3 normal, int group) const;

private:
    struct Light {
        Vec3 towards, right, up;
        Colour strength;
        std::vector<float> depth; // of the shadow map: the distance of the nearest surface along -towards
    };

    void cast_shadows(Light& light, const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                      std::size_t casting) const;
    float visibility(const Light& light, Vec3 point) const;
    ScreenPoint on_map(const Light& light, Vec3 point) const;

    Vec3 middle_;
    float radius_;
    std::vector<Light> lights_;
};

} // namespace cli
