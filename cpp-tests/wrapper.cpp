// The C++ layer says what the C functions say, and owns what it holds. Compiled with and without exceptions.
#include <cstring>
#include <type_traits>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

template <typename T>
constexpr bool move_only = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
                           !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
static_assert(move_only<proxel::Context> && move_only<proxel::Mesh> && move_only<proxel::Field> && move_only<proxel::Batch>,
              "owners move");
static_assert(sizeof(proxel::Context) == sizeof(PrxContext*) && sizeof(proxel::Batch) == sizeof(PrxBatch*) &&
                  sizeof(proxel::Mesh) == sizeof(PrxContext*) + sizeof(PrxMesh) &&
                  sizeof(proxel::Field) == sizeof(PrxContext*) + sizeof(PrxField),
              "owners are their handles");

const Shape shape = cube();

void views_see_the_callers_memory() {
    const float loose[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const std::array<std::uint16_t, 3> narrow = {0, 1, 2};
    CHECK_EQ(proxel::Positions(loose).count, 3u);
    CHECK_EQ(proxel::Positions(loose).stride, std::uint64_t{12});
    CHECK(proxel::Positions(loose).data == loose);
    CHECK_EQ(proxel::Positions(shape.positions).count, 8u);
    const std::vector<std::array<float, 5>> wide(7);
    CHECK_EQ(proxel::Positions(wide).count, 7u);
    CHECK_EQ(proxel::Positions(wide).stride, std::uint64_t{20});
    CHECK_EQ(proxel::Indices(narrow).triangles, 1u);
    CHECK_EQ(proxel::Indices(narrow).type, PRX_INDEX_TYPE_U16);
    CHECK_EQ(proxel::Indices(shape.triangles).triangles, 12u);
    CHECK_EQ(proxel::Indices(shape.triangles).type, PRX_INDEX_TYPE_U32);
    CHECK_EQ(proxel::count32(std::size_t{1} << 33), UINT32_MAX);
}

struct Single { float x, y, z, u, v; };
struct Double { double x, y, z; };
static_assert(proxel::BeginsWithFloats<Single>::value && proxel::BeginsWithFloats<std::array<float, 3>>::value &&
                  proxel::BeginsWithFloats<float[4]>::value,
              "vertices of floats are positions");
static_assert(!proxel::BeginsWithFloats<Double>::value && !proxel::BeginsWithFloats<std::array<double, 3>>::value &&
                  !proxel::BeginsWithFloats<double[3]>::value && !proxel::BeginsWithFloats<double>::value,
              "vertices of doubles are not");
static_assert(!std::is_constructible_v<proxel::Positions, double> && std::is_constructible_v<proxel::MeshPositions, std::vector<Double>>,
              "but meshes take them");

void nothing_is_cut_off_silently(const proxel::Context& context) {
    std::vector<float> floats(13);
    std::vector<std::uint32_t> indices(4);
    CHECK_REFUSED(context.mesh(floats, shape.triangles), PRX_STATUS_INVALID_ARGUMENT, "13 floats");
    CHECK_REFUSED(context.mesh(shape.positions, indices), PRX_STATUS_INVALID_ARGUMENT, "4 indices");
    CHECK_REFUSED(context.mesh(proxel::mesh_def(floats, shape.triangles)), PRX_STATUS_INVALID_ARGUMENT, "positions is null");
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, "cube", PRX_MESH_DEFORMING));
    CHECK_REFUSED(mesh.update(floats), PRX_STATUS_INVALID_ARGUMENT, "13 floats");
    CHECK_REFUSED(context.contains(mesh, floats), PRX_STATUS_INVALID_ARGUMENT, "13 floats");
}

void owners_destroy_once(const proxel::Context& context) {
    PrxMesh mesh{};
    PrxBatch* batch = nullptr;
    {
        proxel::Mesh a = NEED(context.mesh(shape.positions, shape.triangles));
        mesh = a.handle();
        proxel::Mesh b = std::move(a);
        CHECK((!a && b));
        CHECK_EQ(a.facts().status(), PRX_STATUS_INVALID_HANDLE);
        a = std::move(b);
        proxel::Mesh& same = a;
        a = std::move(same);
        CHECK(a.facts().ok());
        proxel::Batch c = NEED(context.batch());
        batch = c.handle();
        proxel::Batch d;
        CHECK_EQ(d.submit().status(), PRX_STATUS_INVALID_HANDLE);
        d = std::move(c);
        CHECK((!c && d));
    }
    CHECK_EQ(prx_mesh_destroy(context.handle(), mesh), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(prx_batch_destroy(batch), PRX_STATUS_INVALID_HANDLE);
    PrxField field{};
    {
        proxel::Field a = NEED(context.field_from_shape(prx_shape_default()));
        field = a.handle();
        proxel::Field b = std::move(a);
        CHECK((!a && b));
        CHECK_EQ(a.wait().status(), PRX_STATUS_INVALID_HANDLE);
        a = std::move(b);
        CHECK(a.info().ok());
    }
    CHECK_EQ(prx_field_destroy(context.handle(), field), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(prx_field_destroy(context.handle(), NEED(context.field_from_shape(prx_shape_default())).release()), PRX_STATUS_OK);

    // An owner that takes another's place frees what it had.
    proxel::Mesh kept = NEED(context.mesh(shape.positions, shape.triangles));
    const PrxMesh before = kept.handle();
    kept = NEED(context.mesh(shape.positions, shape.triangles));
    CHECK_EQ(prx_mesh_destroy(context.handle(), before), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(prx_mesh_destroy(context.handle(), kept.release()), PRX_STATUS_OK);
}

void owners_may_outlive_their_context(Witness& witness) {
    proxel::Mesh mesh;
    proxel::Field field;
    proxel::Batch batch;
    {
        proxel::Context context = NEED(proxel::Context::open(witness.def()));
        mesh = NEED(context.mesh(shape.positions, shape.triangles, "late"));
        field = NEED(context.field_from_shape(prx_shape_default()));
        batch = NEED(context.batch());
    }
    CHECK_EQ(witness.take().size(), std::size_t{3});
    CHECK_REFUSED(field.info(), PRX_STATUS_INVALID_HANDLE, "destroyed");
    CHECK_REFUSED(mesh.bounds(), PRX_STATUS_INVALID_HANDLE, "destroyed");
    CHECK_REFUSED(batch.submit(), PRX_STATUS_INVALID_HANDLE, "destroyed");
    CHECK_REFUSED(proxel::Context::on_unity(), PRX_STATUS_WRONG_STATE, "UnityPluginLoad");
}

void every_call_is_there(const proxel::Context& context) {
    CHECK(proxel::fits_header());
    CHECK_EQ(prx_version(), std::uint32_t{PRX_VERSION_MAJOR * 1000000 + PRX_VERSION_MINOR * 1000 + PRX_VERSION_PATCH});
    CHECK_EQ(std::string(prx_version_string()), std::to_string(PRX_VERSION_MAJOR) + "." + std::to_string(PRX_VERSION_MINOR) +
                                                    "." + std::to_string(PRX_VERSION_PATCH));
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, "box", PRX_MESH_DEFORMING));
    NEED(mesh.update(cube(2).positions));
    CHECK_EQ(NEED(mesh.facts(PRX_VERTICES_WELDED)).volume, 8.0);
    CHECK_EQ(NEED(mesh.bounds()).max[0], 2.0f);
    CHECK_EQ(NEED(mesh.cluster_triangles()).size(), std::size_t{12});
    proxel::Batch batch = NEED(context.batch());
    const auto bounds = NEED(batch.bounds(mesh));
    const auto clusters = NEED(batch.clusters(mesh));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK(NEED(batch.wait_for(0)));
    CHECK(NEED(batch.poll()));
    CHECK_EQ(NEED(batch.read(bounds)).max[2], 2.0f);
    CHECK_EQ(NEED(batch.read(clusters)).size(), std::size_t{1});
    NEED(batch.reset());
    proxel::Field field = NEED(context.bake(mesh));
    NEED(field.wait());
    CHECK(NEED(field.wait_for(0)));
    CHECK(NEED(field.progress()).ended);
    NEED(field.cancel());
    const float centre[] = {1, 1, 1};
    const auto sample = NEED(batch.sample(field, centre));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_NEAR(NEED(batch.read(sample)).at(0).distance, -1, 0.1);
    CHECK_NEAR(NEED(NEED(context.read_field(NEED(field.write()))).sample(centre)).at(0).distance, -1, 0.1);
    NEED(batch.reset());
    proxel::Field live = NEED(context.live_field(mesh, 0.75f));
    NEED(batch.rebake(live));
    const float above[] = {1, 2.0625f, 1};
    const auto fresh = NEED(batch.sample(live, above));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_NEAR(NEED(batch.read(fresh)).at(0).distance, 0.0625, 0.02);
    NEED(context.wait_idle());
    CHECK(NEED(context.info()).device_name[0] != '\0');
    CHECK_EQ(NEED(context.pipeline_cache()).empty(), wanted_device() == "host"); // which has no pipelines
}

void failures_have_status_and_sentence(const proxel::Context& context) {
    auto refused = context.mesh(shape.positions, std::vector<std::uint32_t>{0, 1, 8});
    CHECK((!refused && !refused.ok()));
    CHECK_EQ(refused.status(), PRX_STATUS_INVALID_ARGUMENT);
    // The sentence is kept, whatever fails later.
    CHECK(!proxel::Mesh().facts());
    CHECK(contains(refused.message(), "triangle 0 has the indices [0, 1, 8]"));
#ifndef PROXEL_NO_EXCEPTIONS
    bool thrown = false;
    try {
        refused.value();
    } catch (const proxel::Error& error) {
        thrown = error.status() == PRX_STATUS_INVALID_ARGUMENT && contains(error.what(), "[0, 1, 8]") &&
                 contains(error.what(), "PRX_STATUS_INVALID_ARGUMENT");
    }
    CHECK(thrown);
#endif
}

TEST_CASE("wrapper") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    views_see_the_callers_memory();
    owners_destroy_once(context);
    nothing_is_cut_off_silently(context);
    owners_may_outlive_their_context(witness);
    every_call_is_there(context);
    failures_have_status_and_sentence(context);
}

}  // namespace
