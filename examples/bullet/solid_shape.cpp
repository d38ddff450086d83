#include "solid_shape.hpp"

#include "mesh/moments.hpp"

#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <set>

namespace bullet {

Solid::Solid(const proxel::Context& context, cli::Mesh mesh, std::uint32_t field_resolution) : mesh_(std::move(mesh)) {
    centre();
    device_mesh_ = context.mesh(mesh_.positions, mesh_.triangles, "solid").value();
    PrxFieldDef def = prx_field_def_default();
    def.resolution = field_resolution;
    field_ = context.bake(device_mesh_, def).value();
    field_.wait().value();
    gather_cloud(context);
}

void Solid::centre() {
    const cli::Vec3 off = cli::Moments(mesh_).centre();
    for (cli::Vec3& p : mesh_.positions) p = p - off;
    const cli::Moments moments(mesh_);
    const auto spread = [&](int axis) { return static_cast<btScalar>(moments.second[axis][axis] / moments.volume); };
    unit_inertia_ = {spread(1) + spread(2), spread(2) + spread(0), spread(0) + spread(1)};
    low_ = high_ = vector(mesh_.positions.front());
    for (const cli::Vec3 p : mesh_.positions) {
        low_.setMin(vector(p));
        high_.setMax(vector(p));
    }
}

// Proxel keeps triangles in clusters already; each vertex goes with the first cluster that uses it, and so does the middle of each
// edge that is long beside the body (Teschner et al. 2005, section 4: edges are tested too).
void Solid::gather_cloud(const proxel::Context& context) {
    proxel::Batch batch = context.batch().value();
    const auto ticket = batch.clusters(device_mesh_).value();
    batch.submit().value();
    batch.wait().value();
    const std::vector<std::uint32_t> order = device_mesh_.cluster_triangles().value();
    const btVector3 size = high_ - low_;
    const float long_edge = size[size.maxAxis()] / 30;
    std::set<std::pair<std::uint32_t, std::uint32_t>> taken; // a vertex is an edge from itself to itself
    const auto take = [&](std::uint32_t a, std::uint32_t b) {
        if (!taken.emplace(std::min(a, b), std::max(a, b)).second) return;
        cloud_.points.push_back(vector(cli::lerp(mesh_.positions[a], mesh_.positions[b], 0.5f)));
        cloud_.radius = std::max(cloud_.radius, cloud_.points.back().length());
    };
    for (const PrxCluster& cluster : batch.read(ticket).value()) {
        Cloud::Group group;
        group.centre = {cluster.center[0], cluster.center[1], cluster.center[2]};
        group.radius = cluster.radius;
        group.first = static_cast<std::uint32_t>(cloud_.points.size());
        for (std::uint32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
            const cli::Triangle& t = mesh_.triangles[order[i]];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                take(a, a);
                if (cli::length(mesh_.positions[a] - mesh_.positions[b]) > long_edge) take(a, b);
            }
        }
        group.count = static_cast<std::uint32_t>(cloud_.points.size()) - group.first;
        if (group.count > 0) cloud_.groups.push_back(group);
    }
}

void SolidShape::getAabb(const btTransform& pose, btVector3& low, btVector3& high) const {
    btTransformAabb(solid_->low(), solid_->high(), getMargin(), pose, low, high);
}

void SolidShape::processAllTriangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const {
    const cli::Mesh& mesh = solid_->mesh();
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        btVector3 corners[3];
        for (std::size_t k = 0; k < 3; ++k) corners[k] = vector(mesh.positions[mesh.triangles[i][k]]);
        if (TestTriangleAgainstAabb2(corners, low, high)) callback->processTriangle(corners, 0, static_cast<int>(i));
    }
}

} // namespace bullet
