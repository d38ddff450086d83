// Contexts that open a device of their own: which one, what they say of it, which paths they take.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

/// The features in the order of PrxFeatures, by the names that Vulkan gives them.
const char* const features[] = {"depthBounds", "geometryShader", "conservative", "subgroup", "Float", "occlusionQueryPrecise",
                                 "fragmentStoresAndAtomics"};
constexpr std::size_t feature_count = sizeof(PrxFeatures) / sizeof(std::uint32_t);
static_assert(std::size(features) == feature_count, "one name per path");

std::array<std::uint32_t, feature_count> paths_of(const PrxContextInfo& info) {
    std::array<std::uint32_t, feature_count> paths{};
    std::memcpy(paths.data(), &info.features, sizeof info.features);
    return paths;
}

void set_choice(PrxContextDef& def, std::size_t feature, PrxChoice choice) {
    const std::uint32_t number = choice;
    std::memcpy(reinterpret_cast<char*>(&def.features) + feature * sizeof number, &number, sizeof number);
}

PrxBounds cube_bounds(const proxel::Context& context) {
    const Shape shape = cube(2, -1);
    return NEED(NEED(context.mesh(shape.positions, shape.triangles)).bounds());
}

bool is_the_cube(const PrxBounds& b) {
    return std::all_of(b.min, b.min + 3, [](float x) { return x == -1; }) &&
           std::all_of(b.max, b.max + 3, [](float x) { return x == 1; });
}

/// Everything the info says is what Vulkan says when asked directly.
TEST_CASE("info is what vulkan says") {
    Engine engine;
    VkPhysicalDeviceIDProperties ids{};
    ids.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    subgroup.pNext = &ids;
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    driver.pNext = &subgroup;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &driver;
    vkGetPhysicalDeviceProperties2(engine.physical, &properties);
    const VkPhysicalDeviceLimits& limits = properties.properties.limits;

    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const PrxContextInfo info = NEED(context.info());
    CHECK_EQ(info.size, sizeof info);
    CHECK_EQ(std::string(info.device_name), std::string(properties.properties.deviceName));
    CHECK(contains(info.driver, driver.driverName));
    CHECK(std::memcmp(info.device_uuid, ids.deviceUUID, VK_UUID_SIZE) == 0);
    CHECK((info.api_version >= VK_API_VERSION_1_2 && info.api_version <= properties.properties.apiVersion));
    CHECK_EQ(info.device_type, static_cast<std::uint32_t>(properties.properties.deviceType));
    CHECK_EQ(info.adopted, 0u);
    CHECK_EQ(info.robust_buffer_access, 1u);
    CHECK_EQ(info.subgroup_size, subgroup.subgroupSize);
    CHECK_EQ(info.max_storage_buffer_bytes, std::uint64_t{limits.maxStorageBufferRange});
    CHECK_EQ(info.max_texel_buffer_elements, std::uint64_t{limits.maxTexelBufferElements});
    CHECK_EQ(info.max_texture_3d, limits.maxImageDimension3D);
    CHECK_EQ(info.max_framebuffer, std::min({limits.maxFramebufferWidth, limits.maxFramebufferHeight, limits.maxImageDimension2D}));
    auto path = [](VkBool32 offered) -> std::uint32_t { return offered != VK_FALSE ? PRX_FEATURE_STATE_ON : PRX_FEATURE_STATE_UNAVAILABLE; };
    CHECK_EQ(info.features.depth_bounds, path(engine.offered.depthBounds));
    CHECK_EQ(info.features.geometry_shader, path(engine.offered.geometryShader));
    CHECK_EQ(info.features.precise_occlusion, path(engine.offered.occlusionQueryPrecise));
    CHECK_EQ(info.features.fragment_stores, path(engine.offered.fragmentStoresAndAtomics));
    CHECK_EQ(info.features.subgroups, path((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0));
    CHECK(is_the_cube(cube_bounds(context)));
}

TEST_CASE("a device is found by name and by uuid") {
    Witness witness;
    PrxContextInfo info = NEED(NEED(proxel::Context::open(witness.def())).info());

    PrxContextDef def = witness.def();
    std::string shouted = std::string(info.device_name).substr(0, 6);
    std::transform(shouted.begin(), shouted.end(), shouted.begin(), [](unsigned char c) { return std::toupper(c); });
    def.device_name = shouted.c_str();
    CHECK(proxel::Context::open(def).ok());
    def.device_name = "no such device";
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_NO_DEVICE, "no such device");
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_NO_DEVICE, info.device_name);

    def = prx_context_def_default();
    std::memcpy(def.device_uuid, info.device_uuid, sizeof def.device_uuid);
    CHECK(proxel::Context::open(def).ok());
    def.device_uuid[3] ^= 0x55;
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_NO_DEVICE, "UUID");
}

TEST_CASE("several live side by side") {
    Witness witness;
    std::vector<proxel::Context> contexts;
    for (int i = 0; i < 4; ++i) contexts.push_back(NEED(proxel::Context::open(witness.def())));
    for (const proxel::Context& context : contexts) CHECK(is_the_cube(cube_bounds(context)));
    contexts.erase(contexts.begin() + 1, contexts.begin() + 3);
    for (const proxel::Context& context : contexts) CHECK(is_the_cube(cube_bounds(context)));
}

TEST_CASE("after a warm-up the first query makes no pipeline") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const std::uint32_t before = NEED(context.warm_up(0)), made = NEED(context.warm_up(PRX_WARM_UP_BOUNDS));
    CHECK(made > before);
    CHECK(is_the_cube(cube_bounds(context)));
    CHECK_EQ(NEED(context.warm_up(0)), made);
    CHECK(NEED(context.warm_up()) > made);
    CHECK_REFUSED(context.warm_up(PRX_WARM_UP_ALL + 1), PRX_STATUS_INVALID_ARGUMENT, "0x100");
}

TEST_CASE("every path can be turned off or required") {
    Witness witness;
    const auto normal = paths_of(NEED(NEED(proxel::Context::open(witness.def())).info()));
    for (std::size_t feature = 0; feature < feature_count; ++feature) {
        PrxContextDef def = witness.def();
        set_choice(def, feature, PRX_CHOICE_OFF);
        proxel::Context without = NEED(proxel::Context::open(def));
        const auto paths = paths_of(NEED(without.info()));
        for (std::size_t other = 0; other < feature_count; ++other) {
            const bool turned_off = other == feature && normal[feature] == PRX_FEATURE_STATE_ON;
            CHECK_EQ(paths[other], turned_off ? std::uint32_t{PRX_FEATURE_STATE_OFF} : normal[other]);
        }
        CHECK(is_the_cube(cube_bounds(without)));

        set_choice(def, feature, PRX_CHOICE_REQUIRE);
        auto with = proxel::Context::open(def);
        if (normal[feature] == PRX_FEATURE_STATE_ON) {
            CHECK_EQ(paths_of(NEED(NEED(std::move(with)).info()))[feature], std::uint32_t{PRX_FEATURE_STATE_ON});
        } else {
            CHECK_REFUSED(with, PRX_STATUS_UNSUPPORTED, features[feature]);
        }
    }
}

TEST_CASE("the log hears what it asked for") {
    Witness witness;
    PrxContextInfo info = NEED(NEED(proxel::Context::open(witness.def(PRX_SEVERITY_INFO))).info());
    const auto said = witness.take(PRX_SEVERITY_DEBUG);
    CHECK(std::any_of(said.begin(), said.end(), [&](const std::string& m) { return contains(m, info.device_name); }));
    CHECK(proxel::Context::open(witness.def(PRX_SEVERITY_ERROR)).ok());
    CHECK(witness.take(PRX_SEVERITY_DEBUG).empty());
    PrxContextDef def = witness.def();
    def.log_severity = static_cast<PrxSeverity>(4);
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_INVALID_ARGUMENT, "log_severity is 4");
}

TEST_CASE("the validation layer can be asked for") {
    Witness witness;
    PrxContextDef def = witness.def();
    def.validation = 1;
    CHECK(is_the_cube(cube_bounds(NEED(proxel::Context::open(def)))));
}

PrxContextDef with_cache(Witness& witness, const std::vector<std::uint8_t>& blob) {
    PrxContextDef def = witness.def();
    def.pipeline_cache = blob.data();
    def.pipeline_cache_size = blob.size();
    return def;
}

TEST_CASE("the pipeline cache can be taken and given") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    cube_bounds(context);
    const std::vector<std::uint8_t> blob = NEED(context.pipeline_cache());
    CHECK(blob.size() >= 32);

    std::uint64_t size = 0;
    std::vector<std::uint8_t> small(blob.size() - 1, 0xab);
    CHECK_EQ(prx_context_pipeline_cache(context.handle(), small.data(), small.size(), &size), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(size, std::uint64_t{blob.size()});
    CHECK(std::all_of(small.begin(), small.end(), [](std::uint8_t b) { return b == 0xab; }));

    proxel::Context next = NEED(proxel::Context::open(with_cache(witness, blob)));
    CHECK(witness.take().empty());
    CHECK(is_the_cube(cube_bounds(next)));
}

TEST_CASE("a spoilt pipeline cache is ignored with a warning") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    cube_bounds(context);
    const std::vector<std::uint8_t> good = NEED(context.pipeline_cache());

    std::vector<std::vector<std::uint8_t>> spoilt;
    for (std::size_t at : {std::size_t{0}, std::size_t{20}, good.size() / 2, good.size() - 1}) {
        spoilt.push_back(good);
        spoilt.back()[at] ^= 0x40;
    }
    spoilt.emplace_back(good.begin(), good.begin() + 10);
    spoilt.emplace_back(good.begin(), good.end() - 1);
    spoilt.emplace_back(1000, 0x5a);
    spoilt.emplace_back(1, 0);
    for (const auto& blob : spoilt) {
        proxel::Context next = NEED(proxel::Context::open(with_cache(witness, blob)));
        const auto said = witness.take();
        REQUIRE_EQ(said.size(), std::size_t{1});
        CHECK(contains(said[0], "pipeline cache"));
        CHECK(is_the_cube(cube_bounds(next)));
    }
    PrxContextDef def = witness.def();
    def.pipeline_cache_size = 8;
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_INVALID_ARGUMENT, "pipeline_cache is null, but its size is 8");
}

}  // namespace
