// Arguments that random numbers do not make: meshes, poses, engines' devices. The generated code calls `prepare` on every struct.
#pragma once

#include "../shapes.hpp"
#include "call.hpp"

#include <atomic>

namespace fuzz {

template <typename T>
void prepare(Call&, T&) {}

inline test::Shape sphere(std::uint32_t around, std::uint32_t down) {
    test::Shape shape;
    for (std::uint32_t i = 0; i <= down; ++i)
        for (std::uint32_t j = 0; j < around; ++j) {
            const float u = 6.2831853f * static_cast<float>(j) / static_cast<float>(around);
            const float v = 3.14159265f * static_cast<float>(i) / static_cast<float>(down);
            shape.positions.push_back({std::sin(v) * std::cos(u), std::sin(v) * std::sin(u), std::cos(v)});
        }
    for (std::uint32_t i = 0; i < down; ++i)
        for (std::uint32_t j = 0; j < around; ++j) {
            const std::uint32_t k = (j + 1) % around, a = i * around, b = a + around;
            shape.triangles.push_back({a + j, b + j, b + k});
            shape.triangles.push_back({a + j, b + k, a + k});
        }
    return shape;
}

inline test::Shape body(Random& random) {
    std::mt19937 soup(static_cast<unsigned>(random.below(4)));
    test::Shape shape;
    switch (random.below(12)) {
        case 0: shape = test::cube(1, -0.5f); break;
        case 1: shape = sphere(12, 8); break;
        case 2: shape = test::knot(40, 8); break;
        case 3: shape = test::rubble(100, 1, soup); break;
        case 4: shape = test::sheet(8); break;
        case 5: shape = test::moebius(20); break;
        case 6: shape = test::torus(16, 8); break;
        case 7: shape = test::together(test::cube(1, -0.5f), test::cube(1, 0), {0, 0, 0}); break;
        case 8:  // One triangle.
            shape.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
            shape.triangles = {{0, 1, 2}};
            break;
        case 9:  // Without area: a point, a line, a repeated vertex.
            shape.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
            shape.triangles = {{0, 0, 0}, {0, 1, 2}, {1, 1, 3}, {3, 3, 3}};
            break;
        case 10:  // The same sphere twice, inside out the second time.
            shape = sphere(8, 6);
            for (std::size_t i = 0, count = shape.triangles.size(); i < count; ++i) {
                const test::Triangle t = shape.triangles[i];
                shape.triangles.push_back({t[0], t[2], t[1]});
            }
            break;
        default:  // All corners in one place.
            shape = test::cube(0, 0.25f);
    }
    return shape;
}

inline void prepare(Call& call, PrxMeshDef& def) {
    Random& random = call.random;
    test::Shape shape = body(random);
    // Arrays have room for as many vertices as a mesh had at first.
    const bool replaces = std::string_view(call.function.name) == "prx_mesh_replace";
    const std::size_t most = replaces ? call.vertices() : SIZE_MAX;
    while (shape.positions.size() > most) shape = most < 3 ? test::Shape{} : body(random);
    const double scales[] = {1, 1, 1, 1, 1, 1, 1, 1e-12, 1e-4, 1e5, 9e14};
    const auto scale = static_cast<float>(call.tame() ? 1 : random.of(scales));
    const float shake = random.chance(0.3) ? 0.05f : 0;
    for (test::Vec3& p : shape.positions)
        for (float* x : {&p.x, &p.y, &p.z}) {
            *x = (*x + shake * static_cast<float>(random.within(-1, 1))) * scale;
            if (!call.tame() && random.chance(0.00005)) random.edge(*x);
        }
    def.flags = random.chance(0.5) ? PRX_MESH_DEFORMING : 0;
    def.label = random.chance(0.5) ? call.string("label", "fuzz") : nullptr;
    def.vertex_count = static_cast<std::uint32_t>(shape.positions.size());
    def.triangle_count = static_cast<std::uint32_t>(shape.triangles.size());
    if (!call.tame() && random.chance(0.03)) def.triangle_count = random.below(def.triangle_count + 1);
    if (!call.tame() && random.chance(0.03)) def.vertex_count = random.below(def.vertex_count + 1);
    const bool fine = random.chance(0.2);
    def.position_format = fine ? PRX_POSITION_FORMAT_F64 : PRX_POSITION_FORMAT_F32;
    const std::uint64_t strides[] = {12, 16, 24}, strange[] = {0, 4, 11, 13, 15}, bytes = fine ? 24 : 12;
    def.position_stride = call.tame() || random.chance(0.95) ? random.of(strides) + (fine ? 12 : 0) : random.of(strange);
    const std::uint64_t last = def.vertex_count == 0 ? 0 : def.vertex_count - 1;
    std::vector<std::uint8_t> positions(def.vertex_count == 0 ? 0 : last * def.position_stride + bytes);
    for (std::uint64_t i = 0; i < def.vertex_count; ++i) {
        const test::Vec3& p = shape.positions[i];
        const double doubles[] = {p.x * (1 + 1e-9), p.y - 1e-12, p.z};
        std::memcpy(&positions[i * def.position_stride], fine ? static_cast<const void*>(doubles) : &p, bytes);
    }
    def.positions = call.keep("positions", positions);
    std::vector<std::uint32_t> wide;
    for (std::uint32_t i = 0; i < def.triangle_count; ++i)
        for (std::uint32_t corner : shape.triangles[i]) wide.push_back(corner);
    if (!call.tame() && !wide.empty() && random.chance(0.03)) random.edge(wide[random.below(wide.size())]);
    def.index_type = random.chance(0.5) ? PRX_INDEX_TYPE_U32 : PRX_INDEX_TYPE_U16;
    if (def.index_type == PRX_INDEX_TYPE_U32) {
        def.indices = call.keep("indices", wide);
    } else {
        std::vector<std::uint8_t> narrow(wide.size() * 2);
        for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = static_cast<std::uint8_t>(wide[i / 2] >> (i % 2 * 8));
        def.indices = call.keep("indices", narrow);
    }
    if (!call.tame() && random.chance(0.02)) {
        std::uint32_t number = 0;
        random.edge(number);
        def.index_type = static_cast<PrxIndexType>(number);
    }
    if (def.index_type == PRX_INDEX_TYPE_U32) def.indices = call.keep("indices", wide);
    if (call.engine() >= 0 && random.chance(0.4)) {
        const std::uint64_t offsets[] = {0, 0, 4, 16, 256, 1, 2}, apart[] = {12, 12, 16, 20, 32, 0, 4, 13};
        def.vk_buffer = call.world.host(call.engine()).buffer(random);
        def.vk_buffer_offset = random.of(offsets);
        def.vk_buffer_stride = random.of(apart);
        if (random.chance(0.3)) def.positions = nullptr;
    }
    call.makes(def.vertex_count);
}

inline void prepare(Call& call, PrxPose& pose) {
    Random& random = call.random;
    for (float& x : pose.position) x = static_cast<float>(random.within(-1.2, 1.2));
    if (random.chance(0.7)) {
        double length = 0, q[4];
        for (double& x : q) {
            x = random.within(-1, 1);
            length += x * x;
        }
        for (int i = 0; i < 4; ++i) pose.rotation[i] = static_cast<float>(q[i] / std::sqrt(length + 1e-300));
    }
    for (float& x : pose.linear_velocity) x = static_cast<float>(random.within(-1, 1));
    for (float& x : pose.angular_velocity) x = static_cast<float>(random.within(-1, 1));
}

inline void prepare(Call& call, PrxBody& body) {
    PrxPose pose = prx_pose_identity();
    prepare(call, pose);
    for (int i = 0; i < 3; ++i) body.position[i] = pose.position[i];
    for (int i = 0; i < 4; ++i) body.rotation[i] = pose.rotation[i];
    body.scale = static_cast<float>(call.random.within(0.5, 2));
    body.mesh = call.handle<PrxMesh>("mesh");
    body.field = call.handle<PrxField>("field");
}

inline void prepare(Call& call, PrxBodyPose& place) {
    PrxPose pose = prx_pose_identity();
    prepare(call, pose);
    for (int i = 0; i < 3; ++i) place.position[i] = pose.position[i];
    for (int i = 0; i < 4; ++i) place.rotation[i] = pose.rotation[i];
}

inline void prepare(Call& call, PrxObjectMove& move) {
    move.object = call.handle<PrxObject>("object");
    move.mesh = call.random.chance(0.7) ? PrxMesh{0} : call.handle<PrxMesh>("mesh");
    prepare(call, move.pose);
}

inline void prepare(Call& call, PrxPatch& patch) {
    for (int axis = 0; axis < 3; ++axis) {
        patch.center[axis] = call.random.within(-1, 1);
        patch.normal[axis] = axis == 2 ? 1.0f : 0.0f;
        patch.tangent[axis] = axis == 0 ? 1.0f : 0.0f;
        patch.moments[axis] = static_cast<float>(call.random.within(0, 1));
    }
    patch.area = static_cast<float>(call.random.within(0, 2));
}

inline void prepare(Call& call, PrxFrictionDef& def) {
    def.coefficient = static_cast<float>(call.random.within(0.1, 1));
    def.stiffness = static_cast<float>(call.random.within(0.1, 1000));
    def.normal_force = static_cast<float>(call.random.within(0, 10));
    def.radius = call.random.chance(0.5) ? 0.0f : 0.5f;
}

inline void prepare(Call& call, PrxGrip& grip) {
    for (auto* vector : {&grip.point_a, &grip.point_b, &grip.tangent_a, &grip.tangent_b})
        for (float& x : *vector) x = static_cast<float>(call.random.within(-1, 1));
    grip.held = call.random.below(2);
    grip.reserved = 0;
}

inline void prepare(Call& call, PrxGrid& grid) {
    grid.cell_size = static_cast<float>(call.random.within(0.05, 0.5));
    for (std::uint32_t& nodes : grid.nodes) nodes = call.random.chance(0.3) ? 17 : call.random.between(2, 12);
    grid.reserved = 0;
}

inline void prepare(Call& call, PrxFieldDef& def) {
    if (call.random.chance(0.1)) def.grid = call.one_of<PrxGrid>("grid");
}

inline void prepare(Call& call, PrxShape& shape) {
    shape.kind = static_cast<PrxShapeKind>(call.random.below(5));
    shape.radius = 0.4f;
    shape.major_radius = 0.8f;
    shape.half_height = 0.5f;
    for (float& x : shape.half_size) x = static_cast<float>(call.random.within(0.1, 1));
}

inline void prepare(Call& call, PrxBudget& budget) {
    const double times[] = {0, 100, 10000, INFINITY};
    const std::uint64_t steps[] = {0, 100, 10000, UINT64_MAX};
    budget.microseconds = call.random.of(times);
    budget.steps = call.random.of(steps);
}

inline void prepare(Call& call, PrxPenaltyDef& def) {
    if (!call.random.chance(0.3)) return;
    std::vector<float> velocities(3 * call.vertices());
    for (float& x : velocities) x = static_cast<float>(call.random.within(-1, 1));
    def.velocities = call.keep("velocities", velocities);
    def.velocity_stride = 12;
}

inline void prepare(Call& call, PrxTetrahedralBody& body) {
    Random& random = call.random;
    body.vertex_count = random.between(4, 12);
    body.tetrahedron_count = random.below(12);
    std::vector<float> positions(3 * body.vertex_count);
    for (float& x : positions) {
        fill(call, x);
        if (!call.tame() && random.chance(0.003)) random.edge(x);
    }
    std::vector<std::uint32_t> corners(4 * body.tetrahedron_count);
    for (std::uint32_t& x : corners) {
        x = random.below(body.vertex_count);
        if (!call.tame() && random.chance(0.002)) random.edge(x);
    }
    body.positions = call.keep("positions", positions);
    body.tetrahedra = call.keep("tetrahedra", corners);
}

// Lengths that fit one of the meshes at best: what does not fit is refused.
inline void prepare(Call& call, PrxNearDef& def) {
    Random& random = call.random;
    def.thickness = random.within(0, 0.2);
    if (random.chance(0.3)) {
        std::vector<float> thickness(call.vertices());
        for (float& x : thickness) x = static_cast<float>(random.within(0, 0.2));
        def.thickness_a = call.keep("thickness_a", thickness);
        def.thickness_a_count = thickness.size();
    }
    if (random.chance(0.3)) {
        std::vector<std::uint32_t> groups(call.vertices());
        for (std::uint32_t& x : groups) x = random.below(4);
        def.groups_a = call.keep("groups_a", groups);
        def.groups_a_count = groups.size();
    }
    if (random.chance(0.3)) {
        std::vector<PrxNearPair> excluded(1 + random.below(4));
        for (PrxNearPair& pair : excluded) {
            pair = {};
            pair.kind = static_cast<PrxImpactKind>(random.chance(0.9) ? 2 + random.below(3) : random.below(9));
            for (std::uint32_t& x : pair.feature_a) x = random.below(50);
            for (std::uint32_t& x : pair.feature_b) x = random.below(50);
        }
        def.excluded = call.keep("excluded", excluded);
        def.excluded_count = excluded.size();
    }
    if (random.chance(0.2)) def.rest = call.handle<PrxMesh>("rest");
}

inline void prepare(Call& call, PrxContextDef& def) {
    Random& random = call.random;
    def.device_name = call.string("device_name", call.tame() || random.chance(0.9) ? call.world.device : "no such device");
    def.log = [](void*, std::uint32_t, const char* message) {
        if (std::strlen(message) == 0) std::abort();
    };
    const std::vector<std::uint8_t> cache = call.world.blob(random);
    if (!cache.empty() && random.chance(0.3)) {
        def.pipeline_cache = call.keep("pipeline_cache", cache);
        def.pipeline_cache_size = cache.size();
    }
    // An engine without threads to spare, or one that forgets.
    def.run_jobs = nullptr;
    if (random.chance(0.2)) {
        def.run_jobs = [](void*, PrxJobFn job, void* data, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; i += 2) job(data, i);
        };
    }
    if (call.tame() || random.chance(0.9)) def.device_memory_budget = UINT64_MAX;
}

/// One that works: where it is set first, it is used.
inline void prepare(Call&, PrxAllocator& def) {
    def.allocate = [](void*, std::uint64_t size, std::uint64_t alignment) {
        return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    };
    def.reallocate = nullptr;
    def.free = [](void*, void* memory, std::uint64_t, std::uint64_t) { std::free(memory); };
}

/// Functions that read all they are given; some are missing at times.
inline void prepare(Call& call, PrxDebugDraw& draw) {
    static std::atomic<std::uint64_t> seen;
    if (call.tame() || !call.random.chance(0.2))
        draw.draw_line = [](void*, const float* from, const float* to, std::uint32_t) { seen += from[2] < to[2]; };
    if (!call.random.chance(0.2))
        draw.draw_triangle = [](void*, const float* a, const float* b, const float* c, std::uint32_t) { seen += a[0] < b[1] || a[1] < c[2]; };
    if (!call.random.chance(0.2)) draw.draw_point = [](void*, const float* at, std::uint32_t) { seen += at[2] > 0; };
    if (!call.random.chance(0.2)) draw.draw_text = [](void*, const float* at, const char* text, std::uint32_t) { seen += at[2] > 0 || text[0] != 0; };
}

inline void prepare(Call& call, PrxVulkanDevice& device) {
    device = prx_vulkan_device_default();
    if (call.world.host_count() == 0) return;
    const int host = static_cast<int>(call.random.below(static_cast<std::uint64_t>(call.world.host_count())));
    device = call.world.host(host).handover();
    call.makes_on(host);
    if (call.tame() || !call.random.chance(0.2)) return;
    // Handles that are no handles are the caller's fault; those that are missing are told.
    switch (call.random.below(6)) {
        case 0: device.instance = nullptr; break;
        case 1: device.physical_device = nullptr; break;
        case 2: device.device = nullptr; break;
        case 3: device.queue = nullptr; break;
        case 4: device.get_instance_proc_addr = nullptr; break;
        default: device.api_version = VK_API_VERSION_1_0; break;
    }
}

inline void prepare(Call& call, PrxTimelinePoint& point) {
    point.value = call.random.between(1, 100);
    point.semaphore = call.world.host(call.engine()).timeline(point.value);
}

inline void prepare(Call& call, PrxBufferOutput& output) {
    if (call.engine() < 0) return;
    Random& random = call.random;
    const std::uint32_t records[] = {4, 12, sizeof(PrxBounds), sizeof(PrxSample), sizeof(PrxProximity), sizeof(PrxPenalty), sizeof(PrxLayer),
                                     sizeof(PrxContactRecord), sizeof(PrxPatchRecord), sizeof(PrxVolumeRecord)};
    const std::uint64_t offsets[] = {0, 0, 256, 1024, 4, 1};
    output.vk_buffer = call.world.host(call.engine()).buffer(random);
    output.vk_buffer_size = Host::buffer_bytes;
    output.vk_buffer_usage = random.chance(0.95) ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    output.vk_buffer_offset = random.of(offsets);
    output.record_size = random.of(records);
    output.capacity = random.below(600);
    output.group_size = random.below(65);
}

inline void prepare(Call& call, PrxBufferInput& input) {
    if (call.engine() < 0) return;
    const std::uint64_t offsets[] = {0, 0, 256, 1024, 4, 1};
    input.vk_buffer = call.world.host(call.engine()).buffer(call.random);
    input.vk_buffer_size = Host::buffer_bytes;
    input.vk_buffer_usage = call.random.chance(0.95) ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    input.vk_buffer_offset = call.random.of(offsets);
}

inline void prepare(Call& call, PrxSubmitDef& def) {
    if (call.engine() < 0) return;
    std::vector<PrxTimelinePoint> waits(call.random.below(3)), signals(call.random.below(3));
    for (PrxTimelinePoint& point : waits) prepare(call, point);
    for (PrxTimelinePoint& point : signals) {
        point.value = call.random.between(1, 100);
        point.semaphore = call.world.host(call.engine()).timeline(0);
    }
    def.wait_count = static_cast<std::uint32_t>(waits.size());
    def.waits = call.keep("waits", waits);
    def.signal_count = static_cast<std::uint32_t>(signals.size());
    def.signals = call.keep("signals", signals);
}

inline void prepare(Call& call, PrxFollowDef& def) {
    if (call.random.chance(0.3)) {
        std::vector<float> velocities(3 * call.vertices());
        for (float& x : velocities) x = static_cast<float>(call.random.within(-1, 1));
        def.velocities = call.keep("velocities", velocities);
        def.velocity_stride = 12;
    }
    if (!call.random.chance(0.3)) return;
    PrxSubmitDef submit = prx_submit_def_default();
    prepare(call, submit);
    if (call.random.chance(0.05)) submit.flags = static_cast<std::uint32_t>(call.random.below(4));
    def.submit = call.keep("submit", std::vector<PrxSubmitDef>{submit});
}

}  // namespace fuzz
