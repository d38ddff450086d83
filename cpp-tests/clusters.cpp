// Clusters: every triangle is in exactly one, and inside its sphere and its box, also after the mesh has changed.
#include <algorithm>
#include <cstring>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

double distance(const Vec3& p, const float (&c)[3]) {
    const double x = double{p.x} - c[0], y = double{p.y} - c[1], z = double{p.z} - c[2];
    return std::sqrt(x * x + y * y + z * z);
}

std::vector<PrxCluster> clusters_of(const proxel::Context& context, const proxel::Mesh& mesh) {
    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.clusters(mesh));
    NEED(batch.submit());
    NEED(batch.wait());
    return NEED(batch.read(ticket));
}

/// A radius that is nothing beside any coordinate of these tests: a cluster of a single point may have it.
constexpr double unseen = 1e-20;

/// The spheres and boxes fit `positions`: they hold every triangle, and the boxes hold nothing more.
void fit(const Shape& shape, const std::vector<PrxCluster>& clusters, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    bool once = sorted.size() == shape.triangles.size();
    for (std::size_t i = 0; once && i < sorted.size(); ++i) once = sorted[i] == i;
    CHECK(once);

    std::uint32_t next = 0;
    bool in_order = true, held = true, tight = true, small = true, snug = true;
    for (const PrxCluster& cluster : clusters) {
        in_order = in_order && cluster.first == next && cluster.count >= 1 && cluster.count <= 64;
        next = cluster.first + cluster.count;
        if (!in_order || next > order.size()) break;
        Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
        double farthest = 0;
        for (std::uint32_t i = cluster.first; i < next; ++i) {
            for (std::uint32_t v : shape.triangles[order[i]]) {
                const Vec3& p = shape.positions[v];
                low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
                farthest = std::max(farthest, distance(p, cluster.center));
            }
        }
        held = held && farthest <= cluster.radius;
        snug = snug && cluster.radius <= farthest * (1 + 1e-5) + unseen;
        tight = tight && std::memcmp(cluster.min, &low, sizeof low) == 0 && std::memcmp(cluster.max, &high, sizeof high) == 0;
        const double diagonal = distance(low, {high.x, high.y, high.z});
        small = small && cluster.radius <= diagonal * 0.5 * (1 + 1e-5) + unseen;
    }
    CHECK(in_order);
    CHECK_EQ(next, static_cast<std::uint32_t>(shape.triangles.size()));
    CHECK(held);
    CHECK(snug);
    CHECK(tight);
    CHECK(small);
}

/// Clusters are worth having: together their boxes have a small part of the volume that as many random ones would have.
double share_of_volume(const std::vector<PrxCluster>& clusters, const PrxBounds& all) {
    auto volume = [](const float (&low)[3], const float (&high)[3]) {
        return (double{high[0]} - low[0]) * (double{high[1]} - low[1]) * (double{high[2]} - low[2]);
    };
    double sum = 0;
    for (const PrxCluster& c : clusters) sum += volume(c.min, c.max);
    return sum / (static_cast<double>(clusters.size()) * volume(all.min, all.max));
}

void check_shape(const proxel::Context& context, const Shape& shape) {
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING));
    const auto order = NEED(mesh.cluster_triangles());
    const auto clusters = clusters_of(context, mesh);
    CHECK_EQ(NEED(mesh.facts()).cluster_count, static_cast<std::uint32_t>(clusters.size()));
    fit(shape, clusters, order);
    if (shape.triangles.size() > 2000) CHECK(share_of_volume(clusters, NEED(mesh.bounds())) < 0.05);

    Shape bent = shape;
    for (Vec3& p : bent.positions) p = {p.x * 1.7f + 0.1f * p.y * p.y, p.y - 3, p.z + 0.4f * p.x};
    NEED(mesh.update(bent.positions));
    fit(bent, clusters_of(context, mesh), order);

    const std::size_t half = bent.positions.size() / 2;
    for (std::size_t i = half; i < bent.positions.size(); ++i) bent.positions[i].z += 10;
    NEED(mesh.update(proxel::Positions(&bent.positions[half], static_cast<std::uint32_t>(bent.positions.size() - half)),
                     static_cast<std::uint32_t>(half)));
    fit(bent, clusters_of(context, mesh), order);
}

/// A batch that is submitted again sees the newer positions.
void a_resubmitted_batch_refits(const proxel::Context& context) {
    Shape shape = torus(30, 20);
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING));
    const auto order = NEED(mesh.cluster_triangles());
    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.clusters(mesh)), again = NEED(batch.clusters(mesh));
    for (int frame = 0; frame < 3; ++frame) {
        for (Vec3& p : shape.positions) p.y += 0.5f * p.x;
        NEED(mesh.update(shape.positions));
        NEED(batch.submit());
        NEED(batch.wait());
        fit(shape, NEED(batch.read(ticket)), order);
        fit(shape, NEED(batch.read(again)), order);
    }
}

void too_little_room_is_told(const proxel::Context& context) {
    const Shape shape = torus(30, 20);
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    const std::uint32_t clusters = NEED(mesh.facts()).cluster_count;
    std::vector<std::uint32_t> order(shape.triangles.size() - 1, 42);
    std::uint64_t count = 0;
    CHECK_EQ(prx_mesh_cluster_triangles(context.handle(), mesh.handle(), order.data(), order.size(), &count),
             PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, std::uint64_t{shape.triangles.size()});
    CHECK(std::all_of(order.begin(), order.end(), [](std::uint32_t t) { return t == 42; }));
    CHECK(contains(prx_last_error(context.handle()), std::to_string(count) + " needed"));

    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.clusters(mesh));
    NEED(batch.submit());
    NEED(batch.wait());
    PrxCluster one{};
    count = 0;
    CHECK_EQ(prx_batch_clusters_result(batch.handle(), ticket.handle, &one, 1, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, std::uint64_t{clusters});
    CHECK_EQ(one.count, 0u);
}

}  // namespace

TEST_CASE("clusters") {
    std::mt19937 random(7);
    for (PrxChoice subgroups : {PRX_CHOICE_AUTO, PRX_CHOICE_OFF}) {
        Witness witness;
        PrxContextDef def = witness.def();
        def.features.subgroups = subgroups;
        proxel::Context context = NEED(proxel::Context::open(def));
        check_shape(context, cube());
        check_shape(context, {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{0, 1, 2}}});
        check_shape(context, torus(60, 40));
        for (std::uint32_t count : {1u, 63u, 64u, 65u, 129u, 5000u}) check_shape(context, rubble(count, 10, random));
        // More floats than the smallest texel buffer that Vulkan allows, so that storage buffers are read too.
        check_shape(context, torus(250, 120));
        a_resubmitted_batch_refits(context);
        too_little_room_is_told(context);
    }
}
