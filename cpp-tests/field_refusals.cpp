// Fields that cannot be are refused with a sentence; bakes can be watched, cancelled and abandoned at any time.
#include <chrono>
#include <ctime>
#include <thread>

#include "field_truth.hpp"
#include "witness.hpp"

using namespace test;

namespace {

const Shape box = cube();

/// A bake that takes a second or more.
PrxFieldDef long_bake() {
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 256;
    return def;
}

const Shape& fine_ring() {
    static const Shape ring = torus(200, 100);
    return ring;
}

proxel::Mesh mesh_of(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles));
}

/// Bakes to the end; whether the call or the wait refuses, it is a refusal.
proxel::Result<void> attempt(const proxel::Context& context, const proxel::Mesh& mesh, const PrxFieldDef& def) {
    auto field = context.bake(mesh, def);
    if (!field) return proxel::Failure{field.status(), field.message()};
    return field.value().wait();
}

void bad_defs(const proxel::Context& context) {
    const proxel::Mesh mesh = mesh_of(context, box);
    const PrxStatus invalid = PRX_STATUS_INVALID_ARGUMENT;
    auto refuses = [&](auto change, PrxStatus status, const char* part) {
        PrxFieldDef def = prx_field_def_default();
        change(def);
        CHECK_REFUSED(attempt(context, mesh, def), status, part);
        PrxField out{4711};
        const PrxShape ball = prx_shape_default();
        // What is about the mesh or its sign does not concern a shape.
        if (def.sign <= PRX_SIGN_WINDING) CHECK_EQ(prx_field_from_shape(context.handle(), &ball, &def, &out), status);
        CHECK_EQ(out.id, std::uint64_t{4711});
    };
    using Def = PrxFieldDef;
    refuses([](Def& d) { d.size = 3; }, PRX_STATUS_STRUCT_SIZE, "PrxFieldDef");
    refuses([](Def& d) { d.storage = static_cast<PrxStorage>(3); }, invalid, "storage is 3");
    refuses([](Def& d) { d.precision = static_cast<PrxPrecision>(2); }, invalid, "precision is 2");
    refuses([](Def& d) { d.sign = PRX_SIGN_GIVEN; }, invalid, "sign is PRX_SIGN_GIVEN");
    refuses([](Def& d) { d.resolution = 0; }, invalid, "resolution");
    for (float size : {-1.0f, NAN, INFINITY})
        refuses([=](Def& d) { d.resolution = 0, d.cell_size = size; }, invalid, "resolution");
    for (float padding : {NAN, INFINITY}) refuses([=](Def& d) { d.padding = padding; }, invalid, "padding");
    // Too fine for any memory: these are refused at once, not after minutes of asking for it. By the processor's time, which others do not take.
    const std::clock_t begin = std::clock();
    for (std::uint32_t cells : {1u << 16, 1000000u, UINT32_MAX})
        refuses([=](Def& d) { d.resolution = cells; }, invalid, "choose a coarser resolution");
    for (float size : {1e-6f, 1e-20f, 1e-38f})
        refuses([=](Def& d) { d.resolution = 0, d.cell_size = size; }, invalid, "choose a coarser resolution");
    CHECK(std::clock() - begin < 5 * CLOCKS_PER_SEC);
    NEED(attempt(context, mesh, prx_field_def_default()));
}

void grids_of_the_callers(const proxel::Context& context) {
    const proxel::Mesh mesh = mesh_of(context, box);
    PrxGrid grid{{-0.5f, -0.25f, -1}, 0.25f, {9, 17, 17}, 0};
    PrxFieldDef def = prx_field_def_default();
    def.grid = &grid;
    for (PrxStorage storage : {PRX_STORAGE_DISTANCE, PRX_STORAGE_DIRECTION, PRX_STORAGE_SPARSE}) {
        def.storage = storage;
        const proxel::Field field = NEED(context.bake(mesh, def));
        NEED(field.wait());
        const PrxFieldInfo info = NEED(field.info());
        CHECK_EQ(std::memcmp(&info.grid, &grid, sizeof grid), 0);
    }
    grid.nodes[1] = 16;
    CHECK_REFUSED(attempt(context, mesh, def), PRX_STATUS_INVALID_ARGUMENT, "multiple of 8");
    def.storage = PRX_STORAGE_DISTANCE;
    NEED(attempt(context, mesh, def));
    grid.origin[2] = 0.125f;
    CHECK_REFUSED(attempt(context, mesh, def), PRX_STATUS_INVALID_ARGUMENT, "must be inside");
    grid = {{-1, -1, -1}, 1, {1, 9, 9}, 0};
    CHECK_REFUSED(attempt(context, mesh, def), PRX_STATUS_INVALID_ARGUMENT, "two nodes");
}

void live_fields_stay_on_the_device(const proxel::Context& context) {
    const proxel::Mesh mesh = NEED(context.mesh(box.positions, box.triangles, "live", PRX_MESH_DEFORMING));
    const proxel::Field live = NEED(context.live_field(mesh, 0.5f));
    CHECK_REFUSED(live.write(), PRX_STATUS_WRONG_STATE, "live");
    CHECK_REFUSED(live.save("never.prxf"), PRX_STATUS_WRONG_STATE, "live");
    proxel::Batch batch = NEED(context.batch());
    const proxel::Field still = NEED(context.field_from_shape(prx_shape_default()));
    CHECK(!batch.rebake(still).ok());
    for (float band : {0.0f, -1.0f, NAN})
        CHECK_EQ(context.live_field(mesh, band).status(), PRX_STATUS_INVALID_ARGUMENT);
    PrxFieldDef def = prx_field_def_default();
    def.storage = PRX_STORAGE_DIRECTION;
    CHECK_REFUSED(context.live_field(mesh, 0.5f, def), PRX_STATUS_UNSUPPORTED, "32-bit distances");
}

void too_wide_for_the_device(const proxel::Context& context) {
    Shape rod = box;
    for (Vec3& p : rod.positions) p.y *= 1e-3f, p.z *= 1e-3f;
    const proxel::Mesh mesh = mesh_of(context, rod);
    PrxFieldDef def = prx_field_def_default();
    def.padding = 0;
    def.resolution = NEED(context.info()).max_texture_3d;
    CHECK_REFUSED(attempt(context, mesh, def), PRX_STATUS_UNSUPPORTED, std::to_string(def.resolution));
    def.resolution -= 2;
    NEED(attempt(context, mesh, def));
}

void beyond_16_bits(const proxel::Context& context) {
    const proxel::Mesh mesh = mesh_of(context, cube(2e5f));
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 8;
    NEED(attempt(context, mesh, def));
    def.precision = PRX_PRECISION_F16;
    CHECK_REFUSED(attempt(context, mesh, def), PRX_STATUS_INVALID_ARGUMENT, "65504");
}

void meshes_that_enclose_nothing(const proxel::Context& context) {
    const Shape sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {2, 1, 3}}};
    const proxel::Mesh mesh = mesh_of(context, sheet);
    CHECK_REFUSED(attempt(context, mesh, prx_field_def_default()), PRX_STATUS_INVALID_ARGUMENT, "encloses nothing");
    PrxFieldDef def = prx_field_def_default();
    def.sign = PRX_SIGN_PSEUDONORMAL;
    CHECK_REFUSED(attempt(context, mesh, def), PRX_STATUS_INVALID_ARGUMENT, "4 border edges");
    // A cube without its lid encloses something; which way it was told is said.
    Shape open = box;
    open.triangles.erase(open.triangles.begin() + 2, open.triangles.begin() + 4);
    const proxel::Field field = NEED(context.bake(mesh_of(context, open)));
    NEED(field.wait());
    CHECK_EQ(NEED(field.info()).sign, std::uint32_t{PRX_SIGN_WINDING});
    const float points[] = {0.5f, 0.5f, 0.25f, 0.5f, 0.5f, -0.05f};
    const std::vector<PrxSample> samples = NEED(field.sample(points));
    CHECK((samples.at(0).distance < 0 && samples.at(1).distance > 0));
}

void bad_shapes_and_samples(const proxel::Context& context) {
    PrxShape shape = prx_shape_default();
    shape.kind = static_cast<PrxShapeKind>(5);
    CHECK_REFUSED(context.field_from_shape(shape), PRX_STATUS_INVALID_ARGUMENT, "kind is 5");
    shape = prx_shape_default();
    shape.size = 8;
    CHECK_REFUSED(context.field_from_shape(shape), PRX_STATUS_STRUCT_SIZE, "PrxShape");
    for (float radius : {0.0f, -1.0f, NAN, INFINITY}) {
        shape = prx_shape_default();
        shape.radius = radius;
        CHECK_REFUSED(context.field_from_shape(shape), PRX_STATUS_INVALID_ARGUMENT, "radius");
    }
    const PrxGrid grid{{0, 0, 0}, 1, {2, 2, 2}, 0};
    std::vector<float> distances(8, 1.0f), directions(24, 0.0f);
    NEED(context.field_from_samples(grid, distances, directions));
    CHECK_REFUSED(context.field_from_samples(grid, distances, {}, INFINITY), PRX_STATUS_INVALID_ARGUMENT, "error is inf");
    CHECK_REFUSED(context.field_from_samples(grid, distances, {}, 0, static_cast<PrxPrecision>(7)),
                  PRX_STATUS_INVALID_ARGUMENT, "precision is 7");
    directions[5] = INFINITY;
    CHECK_REFUSED(context.field_from_samples(grid, distances, directions), PRX_STATUS_INVALID_ARGUMENT, "not finite");
    distances[7] = NAN;
    CHECK_REFUSED(context.field_from_samples(grid, distances), PRX_STATUS_INVALID_ARGUMENT, "not finite");
    distances.assign(8, 7e4f);
    CHECK_REFUSED(context.field_from_samples(grid, distances, {}, 0, PRX_PRECISION_F16), PRX_STATUS_INVALID_ARGUMENT, "65504");
    distances = {3e38f, -3e38f, 0, 0, 0, 0, 0, 0}; // a slope that no float holds
    CHECK_REFUSED(context.field_from_samples(grid, distances), PRX_STATUS_INVALID_ARGUMENT, "from one node to the next");
    const PrxGrid bad[] = {{{0, 0, 0}, 1, {1, 2, 2}, 0}, {{0, 0, 0}, 0, {2, 2, 2}, 0}, {{0, 0, 0}, NAN, {2, 2, 2}, 0},
                           {{0, INFINITY, 0}, 1, {2, 2, 2}, 0}, {{0, 0, 0}, 1, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, 0}};
    for (const PrxGrid& g : bad) {
        PrxField out{4711};
        CHECK_EQ(prx_field_from_samples(context.handle(), &g, distances.data(), nullptr, 0, PRX_PRECISION_F32, &out),
                 PRX_STATUS_INVALID_ARGUMENT);
        CHECK(contains(prx_last_error(context.handle()), "nodes"));
        CHECK_EQ(out.id, std::uint64_t{4711});
    }
}

void bad_points(const proxel::Context& context) {
    const proxel::Field field = NEED(context.field_from_shape(prx_shape_default()));
    for (float bad : {NAN, INFINITY, 1e30f}) {
        const float points[] = {0, 0, 0, 0, bad, 0};
        CHECK_REFUSED(field.sample(points), PRX_STATUS_INVALID_ARGUMENT, "point 1");
    }
    PrxSample sample{};
    const float origin[3] = {};
    CHECK_EQ(prx_field_sample(context.handle(), field.handle(), nullptr, origin, 1, 8, &sample), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "stride of 8"));
    CHECK_EQ(prx_field_sample(context.handle(), field.handle(), nullptr, origin, 0, 12, &sample), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "no point"));
    CHECK_EQ(sample.upper, 0.0f);
    std::uint64_t size = 0;
    std::uint8_t byte = 7;
    CHECK_EQ(prx_field_write(context.handle(), field.handle(), &byte, 1, &size), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(size, std::uint64_t{NEED(field.write()).size()});
    CHECK_EQ(byte, 7);
}

void bad_files(const proxel::Context& context) {
    const PrxStatus invalid = PRX_STATUS_INVALID_ARGUMENT;
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 6;
    const std::vector<std::uint8_t> good = NEED(NEED(context.field_from_shape(prx_shape_default(), def)).write());
    NEED(context.read_field(good));
    auto changed = [&](std::size_t at) {
        std::vector<std::uint8_t> file = good;
        file[at] ^= 0x20;
        return file;
    };
    CHECK_REFUSED(context.read_field(changed(0)), invalid, "not a Proxel field");
    CHECK_REFUSED(context.read_field(changed(30)), invalid, "header is corrupted");
    CHECK_REFUSED(context.read_field(changed(good.size() - 1)), invalid, "samples are corrupted");
    std::vector<std::uint8_t> newer = good;
    newer[8] = 3;
    CHECK_REFUSED(context.read_field(newer), invalid, "version 3");
    std::vector<std::uint8_t> longer = good;
    longer.push_back(0);
    CHECK_REFUSED(context.read_field(longer), invalid, "do not belong to it");
    for (std::size_t length : {std::size_t{1}, std::size_t{8}, std::size_t{11}})
        CHECK_REFUSED(context.read_field(proxel::View<std::uint8_t>(good.data(), length)), invalid, "not a Proxel field");
    for (std::size_t length : {std::size_t{12}, std::size_t{91}, std::size_t{92}, good.size() - 1})
        CHECK_REFUSED(context.read_field(proxel::View<std::uint8_t>(good.data(), length)), invalid, "truncated");
    int taken = 0;
    for (std::size_t at = 0; at < good.size(); ++at) taken += context.read_field(changed(at)).ok();
    CHECK_EQ(taken, 0);
}

void bad_ids(const proxel::Context& context, Witness& witness) {
    proxel::Context other = NEED(proxel::Context::open(witness.def()));
    const proxel::Field foreign = NEED(other.field_from_shape(prx_shape_default()));
    const proxel::Mesh mesh = mesh_of(context, box);
    proxel::Field field = NEED(context.field_from_shape(prx_shape_default()));
    const PrxField stale = field.handle();
    field = NEED(context.field_from_shape(prx_shape_default()));
    proxel::Batch batch = NEED(context.batch());
    const struct {
        PrxField id;
        const char* part;
    } cases[] = {{{0}, "null"}, {stale, "destroyed"}, {foreign.handle(), "another context"},
                 {{mesh.handle().id}, "names a mesh, not a field"}, {{UINT64_MAX}, "not a field"}};
    for (const auto& [id, part] : cases) {
        PrxFieldInfo info{};
        PrxSample sample{};
        PrxTicket ticket{77};
        float progress = 77;
        std::uint32_t is_done = 77;
        std::uint64_t size = 77;
        const float point[3] = {};
        const PrxStatus statuses[] = {
            prx_field_progress(context.handle(), id, &progress, &is_done),
            prx_field_wait(context.handle(), id, 0),
            prx_field_cancel(context.handle(), id),
            prx_field_info(context.handle(), id, &info),
            prx_field_write(context.handle(), id, nullptr, 0, &size),
            prx_field_save(context.handle(), id, "nowhere/at/all.prxf"),
            prx_field_sample(context.handle(), id, nullptr, point, 1, 12, &sample),
            prx_batch_sample(batch.handle(), id, nullptr, point, 1, 12, &ticket),
            prx_field_destroy(context.handle(), id),
        };
        for (PrxStatus status : statuses) CHECK_EQ(status, PRX_STATUS_INVALID_HANDLE);
        CHECK_MESSAGE(contains(prx_last_error(context.handle()), part), prx_last_error(context.handle()));
        CHECK_EQ(progress, 77.0f);
        CHECK_EQ(is_done, 77u);
        CHECK_EQ(size, std::uint64_t{77});
        CHECK_EQ(ticket.id, std::uint64_t{77});
    }
    PrxBounds bounds{};
    CHECK_EQ(prx_mesh_bounds(context.handle(), {field.handle().id}, nullptr, &bounds), PRX_STATUS_INVALID_HANDLE);
    CHECK(contains(prx_last_error(context.handle()), "names a field, not a mesh"));
    CHECK_REFUSED(context.bake(proxel::Mesh()), PRX_STATUS_INVALID_HANDLE, "null");
}

void progress_goes_to_one(const proxel::Context& context) {
    const proxel::Mesh mesh = mesh_of(context, fine_ring());
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 100;
    const proxel::Field field = NEED(context.bake(mesh, def));
    float last = 0;
    int backwards = 0;
    for (proxel::Progress now = NEED(field.progress()); !now.ended; now = NEED(field.progress())) {
        backwards += now.fraction < last || now.fraction < 0 || now.fraction > 1;
        last = now.fraction;
        // The bake may end between the two calls.
        const auto info = field.info();
        if (info.ok()) CHECK(NEED(field.progress()).ended);
        else CHECK_REFUSED(info, PRX_STATUS_WRONG_STATE, "still baking");
        if (NEED(field.wait_for(1000000))) break;
    }
    NEED(field.wait());
    CHECK_EQ(backwards, 0);
    CHECK_EQ(NEED(field.progress()).fraction, 1.0f);
    CHECK(NEED(field.progress()).ended);
    CHECK(field.info().ok());
}

void a_bake_can_be_cancelled(const proxel::Context& context) {
    proxel::Mesh mesh = mesh_of(context, fine_ring());
    proxel::Field field = NEED(context.bake(mesh, long_bake()));
    mesh = {};  // the bake took what it needs
    CHECK(!NEED(field.wait_for(1)));
    NEED(field.cancel());
    CHECK_REFUSED(field.wait(), PRX_STATUS_CANCELLED, "cancelled");
    CHECK(NEED(field.progress()).ended);
    const float point[3] = {};
    CHECK_REFUSED(field.sample(point), PRX_STATUS_CANCELLED, "cancelled");
    CHECK_REFUSED(field.info(), PRX_STATUS_CANCELLED, "cancelled");
    CHECK_REFUSED(field.save("never.prxf"), PRX_STATUS_CANCELLED, "cancelled");
    NEED(field.cancel());

    proxel::Field ready = NEED(context.field_from_shape(prx_shape_default()));
    NEED(ready.cancel());
    NEED(ready.wait());
    CHECK(ready.sample(point).ok());
}

void a_bake_can_be_abandoned(const proxel::Context& context, Witness& witness) {
    const proxel::Mesh mesh = mesh_of(context, fine_ring());
    for (int i = 0; i < 4; ++i) {
        const proxel::Field field = NEED(context.bake(mesh, long_bake()));
        std::this_thread::sleep_for(std::chrono::milliseconds(30 * i));
    }
    // With its context; someone waits for it on another thread.
    PrxContext* other = NEED(proxel::Context::open(witness.def())).release();
    PrxMeshDef def = proxel::mesh_def(fine_ring().positions, fine_ring().triangles);
    const PrxFieldDef field_def = long_bake();
    PrxMesh id{};
    PrxField field{};
    CHECK_EQ(prx_mesh_create(other, &def, &id), PRX_STATUS_OK);
    CHECK_EQ(prx_field_bake(other, id, &field_def, &field), PRX_STATUS_OK);
    CHECK_EQ(prx_mesh_destroy(other, id), PRX_STATUS_OK);
    CHECK_EQ(prx_context_destroy(other), PRX_STATUS_OK);
    const std::vector<std::string> said = witness.take();
    CHECK_EQ(said.size(), std::size_t{1});
    CHECK(contains(said.at(0), "field of mesh \"mesh\" was still alive"));
    CHECK_EQ(prx_field_wait(other, field, UINT64_MAX), PRX_STATUS_INVALID_HANDLE);
}

}  // namespace

TEST_CASE("field refusals") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    bad_defs(context);
    grids_of_the_callers(context);
    live_fields_stay_on_the_device(context);
    too_wide_for_the_device(context);
    beyond_16_bits(context);
    meshes_that_enclose_nothing(context);
    bad_shapes_and_samples(context);
    bad_points(context);
    bad_files(context);
    bad_ids(context, witness);
    progress_goes_to_one(context);
    a_bake_can_be_cancelled(context);
    a_bake_can_be_abandoned(context, witness);
    NEED(attempt(context, mesh_of(context, box), prx_field_def_default()));
}
