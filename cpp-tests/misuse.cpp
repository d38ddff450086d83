// Bad input gets a status and a sentence, outputs stay untouched, and the context works on.
#include <cstring>
#include <functional>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

const Shape box = cube();

/// Creates a mesh from a def that `change` has spoilt; it must be refused and `out` must stay as it was.
void refuses_mesh(const proxel::Context& context, const std::function<void(PrxMeshDef&)>& change, PrxStatus status,
                  const char* part) {
    PrxMeshDef def = proxel::mesh_def(box.positions, box.triangles, "bad");
    change(def);
    PrxMesh mesh{4711};
    CHECK_EQ(prx_mesh_create(context.handle(), &def, &mesh), status);
    const std::string said = prx_last_error(context.handle());
    CHECK_MESSAGE(contains(said, part), ("no \"" + std::string(part) + "\" in: " + said));
    CHECK_EQ(mesh.id, std::uint64_t{4711});
}

void still_works(const proxel::Context& context) {
    CHECK_EQ(NEED(NEED(context.mesh(box.positions, box.triangles)).bounds()).max[1], 1.0f);
}

void bad_meshes(const proxel::Context& context) {
    using Def = PrxMeshDef;
    const PrxStatus invalid = PRX_STATUS_INVALID_ARGUMENT;
    refuses_mesh(context, [](Def& d) { d.size = 0; }, PRX_STATUS_STRUCT_SIZE, "PrxMeshDef says it has 0 bytes");
    refuses_mesh(context, [](Def& d) { ++d.size; }, PRX_STATUS_STRUCT_SIZE, "prx_mesh_def_default");
    refuses_mesh(context, [](Def& d) { d.flags = 6; }, invalid, "flags 0x6");
    refuses_mesh(context, [](Def& d) { d.index_type = static_cast<PrxIndexType>(2); }, invalid, "index_type is 2");
    refuses_mesh(context, [](Def& d) { d.positions = nullptr; }, invalid, "positions is null");
    refuses_mesh(context, [](Def& d) { d.indices = nullptr; }, invalid, "indices is null");
    refuses_mesh(context, [](Def& d) { d.triangle_count = 0; }, invalid, "at least one triangle");
    refuses_mesh(context, [](Def& d) { d.vertex_count = 0; }, invalid, "0 vertices");
    refuses_mesh(context, [](Def& d) { d.vertex_count = 7; }, invalid, "triangle 3 has the indices [5, 7, 6]");
    refuses_mesh(context, [](Def& d) { d.triangle_count = 1u << 31; }, PRX_STATUS_UNSUPPORTED, "2147483648");
    refuses_mesh(context, [](Def& d) { d.triangle_count = UINT32_MAX; }, PRX_STATUS_UNSUPPORTED, "triangle_count");
    refuses_mesh(context, [](Def& d) { d.vertex_count = 1u << 31; }, PRX_STATUS_UNSUPPORTED, "vertex_count");
    for (std::uint64_t stride : {0, 1, 4, 11})
        refuses_mesh(context, [=](Def& d) { d.position_stride = stride; }, invalid, "is less than the 12");
    for (std::uint64_t stride : {0, 12, 23})
        refuses_mesh(context, [=](Def& d) { d.position_format = PRX_POSITION_FORMAT_F64, d.position_stride = stride; }, invalid,
                     "is less than the 24");
    refuses_mesh(context, [](Def& d) { d.position_format = static_cast<PrxPositionFormat>(2); }, invalid, "position_format is 2");
    refuses_mesh(context, [](Def& d) { d.position_format = PRX_POSITION_FORMAT_F64, d.vk_buffer = 1; }, invalid, "are floats");
    for (std::uint64_t stride : {0, 8, 13})
        refuses_mesh(context, [=](Def& d) { d.vk_buffer = 1, d.vk_buffer_stride = stride; }, invalid, "vk_buffer_stride is");
    refuses_mesh(context, [](Def& d) { d.vk_buffer = 1, d.vk_buffer_stride = 12, d.vk_buffer_offset = 2; }, invalid,
                 "vk_buffer_offset is 2");
    refuses_mesh(context, [](Def& d) { d.vk_buffer = 1, d.vk_buffer_stride = std::uint64_t{1} << 40; }, invalid,
                 "vk_buffer_stride is");
    for (float bad : {NAN, INFINITY, -INFINITY, 1e16f}) {
        Shape shape = box;
        shape.positions[5].y = bad;
        refuses_mesh(context, [&](Def& d) { d.positions = shape.positions.data(); }, invalid, "vertex 5");
    }
    for (double bad : {std::nan(""), double{INFINITY}, -1.1e15, 1e300}) {
        std::vector<double> places(24, 0.5);
        places[16] = bad;
        refuses_mesh(context,
                     [&](Def& d) {
                         d.positions = places.data(), d.position_stride = 24, d.position_format = PRX_POSITION_FORMAT_F64;
                     },
                     invalid, "vertex 5");
    }
    // An index far out, at both widths, in the last triangle.
    Shape shape = box;
    shape.triangles.back()[1] = UINT32_MAX;
    refuses_mesh(context, [&](Def& d) { d.indices = shape.triangles.data(); }, invalid, "triangle 11");
    std::vector<std::uint16_t> narrow(36, 0);
    narrow[4] = 0xffff;
    refuses_mesh(context, [&](Def& d) { d.indices = narrow.data(), d.index_type = PRX_INDEX_TYPE_U16; }, invalid, "triangle 1");
    still_works(context);

    const Shape single{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    proxel::Mesh one = NEED(context.mesh(single.positions, single.triangles));
    CHECK_EQ(NEED(one.facts()).triangle_count, 1u);
    CHECK_EQ(NEED(one.facts()).area, 0.5);
}

void bad_poses(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(box.positions, box.triangles));
    proxel::Batch batch = NEED(context.batch());
    auto refuses = [&](const std::function<void(PrxPose&)>& change, const char* part) {
        PrxPose pose = prx_pose_identity();
        change(pose);
        CHECK_REFUSED(mesh.bounds(pose), PRX_STATUS_INVALID_ARGUMENT, part);
        CHECK_REFUSED(batch.bounds(mesh, pose), PRX_STATUS_INVALID_ARGUMENT, part);
    };
    refuses([](PrxPose& p) { p.rotation[3] = 2; }, "length 2");
    refuses([](PrxPose& p) { p.rotation[3] = 0; }, "unit quaternion");
    refuses([](PrxPose& p) { p.rotation[0] = NAN; }, "unit quaternion");
    refuses([](PrxPose& p) { p.rotation[1] = INFINITY; }, "unit quaternion");
    refuses([](PrxPose& p) { p.position[2] = NAN; }, "pose.position");
    refuses([](PrxPose& p) { p.position[0] = 1e30f; }, "pose.position");
    refuses([](PrxPose& p) { p.linear_velocity[1] = INFINITY; }, "pose.linear_velocity");
    refuses([](PrxPose& p) { p.angular_velocity[0] = -INFINITY; }, "pose.angular_velocity");
    NEED(mesh.bounds());
    const auto ticket = NEED(batch.bounds(mesh));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.read(ticket)).max[0], 1.0f);
}

void bad_ids(const proxel::Context& context, Witness& witness) {
    proxel::Context other = NEED(proxel::Context::open(witness.def()));
    proxel::Mesh foreign = NEED(other.mesh(box.positions, box.triangles));
    proxel::Mesh mesh = NEED(context.mesh(box.positions, box.triangles));
    const PrxMesh stale = mesh.handle();
    mesh = {};
    proxel::Mesh reused = NEED(context.mesh(box.positions, box.triangles));
    CHECK(reused.handle().id != stale.id);
    proxel::Batch batch = NEED(context.batch());
    const struct {
        PrxMesh id;
        const char* part;
    } cases[] = {{{0}, "null"}, {stale, "destroyed"}, {foreign.handle(), "another context"}, {{1}, "not a mesh"},
                 {{UINT64_MAX}, "not a mesh"}, {{reused.handle().id + 1000}, "never existed"}};
    for (const auto& [id, part] : cases) {
        PrxMeshFacts facts{};
        PrxBounds bounds{};
        PrxTicket ticket{77};
        std::uint64_t count = 77;
        const PrxStatus statuses[] = {
            prx_mesh_destroy(context.handle(), id),
            prx_mesh_update(context.handle(), id, 0, 8, box.positions.data(), 12),
            prx_mesh_update_f64(context.handle(), id, 0, 1, box.positions.data(), 24),
            prx_mesh_facts(context.handle(), id, PRX_VERTICES_INDEXED, &facts),
            prx_mesh_bounds(context.handle(), id, nullptr, &bounds),
            prx_mesh_cluster_triangles(context.handle(), id, nullptr, 0, &count),
            prx_batch_bounds(batch.handle(), id, nullptr, &ticket),
            prx_batch_clusters(batch.handle(), id, &ticket),
        };
        for (PrxStatus status : statuses) CHECK_EQ(status, PRX_STATUS_INVALID_HANDLE);
        CHECK_MESSAGE(contains(prx_last_error(context.handle()), part), prx_last_error(context.handle()));
        CHECK_EQ(ticket.id, std::uint64_t{77});
        CHECK_EQ(count, std::uint64_t{77});
    }
    // A handle of another kind in a context's place.
    CHECK_EQ(prx_context_wait_idle(reinterpret_cast<PrxContext*>(batch.handle())), PRX_STATUS_INVALID_HANDLE);
    CHECK(contains(prx_last_error(nullptr), "names a batch, not a context"));
    CHECK_EQ(prx_batch_wait(reinterpret_cast<PrxBatch*>(context.handle()), 0), PRX_STATUS_INVALID_HANDLE);
    // Whether wild or misaligned, a pointer is looked up and never followed.
    CHECK_EQ(prx_context_wait_idle(reinterpret_cast<PrxContext*>(std::uintptr_t{0xdeadbeef})), PRX_STATUS_INVALID_HANDLE);
    still_works(context);
}

void bad_numbers(const proxel::Context& context, Witness& witness) {
    PrxContextDef def = witness.def();
    def.size -= 4;
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_STRUCT_SIZE, "prx_context_def_default");
    def = witness.def();
    def.features.subgroups = static_cast<PrxChoice>(3);
    CHECK_REFUSED(proxel::Context::open(def), PRX_STATUS_INVALID_ARGUMENT, "features.subgroups is 3");

    PrxContextInfo info{};
    info.size = 8;
    info.api_version = 77;
    CHECK_EQ(prx_context_info(context.handle(), &info), PRX_STATUS_STRUCT_SIZE);
    CHECK_EQ(info.api_version, 77u);

    proxel::Mesh mesh = NEED(context.mesh(box.positions, box.triangles));
    PrxMeshFacts facts{};
    CHECK_EQ(prx_mesh_facts(context.handle(), mesh.handle(), static_cast<PrxVertices>(2), &facts), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "vertices is 2"));
    CHECK_EQ(facts.vertex_count, 0u);

    proxel::Batch batch = NEED(context.batch());
    PrxSubmitDef submit = prx_submit_def_default();
    submit.size = 1;
    CHECK_EQ(prx_batch_submit(batch.handle(), &submit), PRX_STATUS_STRUCT_SIZE);
    submit = prx_submit_def_default();
    submit.wait_count = 2;
    CHECK_EQ(prx_batch_submit(batch.handle(), &submit), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "waits is null, but its count is 2"));
    submit = prx_submit_def_default();
    submit.signal_count = 1;
    CHECK_EQ(prx_batch_submit(batch.handle(), &submit), PRX_STATUS_INVALID_ARGUMENT);
}

void calls_after_destroy() {
    Witness witness;
    PrxContext* context = NEED(proxel::Context::open(witness.def())).release();
    PrxMeshDef def = proxel::mesh_def(box.positions, box.triangles);
    PrxMesh mesh{};
    PrxBatch *kept = nullptr, *gone = nullptr;
    PrxTicket ticket{};
    CHECK_EQ(prx_mesh_create(context, &def, &mesh), PRX_STATUS_OK);
    const PrxShape ball = prx_shape_default();
    PrxField field{};
    CHECK_EQ(prx_field_from_shape(context, &ball, nullptr, &field), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_create(context, &kept), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_create(context, &gone), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_bounds(kept, mesh, nullptr, &ticket), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_destroy(gone), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_destroy(gone), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(prx_batch_wait(gone, 0), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(prx_context_destroy(context), PRX_STATUS_OK);
    CHECK_EQ(witness.take().size(), std::size_t{3});

    PrxContextInfo info{};
    info.size = sizeof info;
    PrxBounds bounds{};
    PrxSample samples[8]{};
    std::uint32_t is_done = 9;
    std::uint64_t count = 9;
    const PrxStatus statuses[] = {
        prx_context_destroy(context),
        prx_context_wait_idle(context),
        prx_context_info(context, &info),
        prx_context_pipeline_cache(context, nullptr, 0, &count),
        prx_mesh_create(context, &def, &mesh),
        prx_mesh_destroy(context, mesh),
        prx_mesh_bounds(context, mesh, nullptr, &bounds),
        prx_field_bake(context, mesh, nullptr, &field),
        prx_field_from_shape(context, &ball, nullptr, &field),
        prx_field_wait(context, field, 0),
        prx_field_cancel(context, field),
        prx_field_write(context, field, nullptr, 0, &count),
        prx_field_sample(context, field, nullptr, box.positions.data(), 8, 12, samples),
        prx_field_destroy(context, field),
        prx_batch_create(context, &gone),
        prx_batch_sample(kept, field, nullptr, box.positions.data(), 8, 12, &ticket),
        prx_batch_bounds(kept, mesh, nullptr, &ticket),
        prx_batch_submit(kept, nullptr),
        prx_batch_poll(kept, &is_done),
        prx_batch_wait(kept, 0),
        prx_batch_reset(kept),
        prx_batch_bounds_result(kept, ticket, &bounds),
        prx_batch_destroy(kept),
    };
    for (PrxStatus status : statuses) CHECK_EQ(status, PRX_STATUS_INVALID_HANDLE);
    CHECK(contains(prx_last_error(context), "destroyed"));
    CHECK_EQ(is_done, 9u);
    CHECK_EQ(count, std::uint64_t{9});
}

void sentences_belong_to_their_context(const proxel::Context& context, Witness& witness) {
    proxel::Context other = NEED(proxel::Context::open(witness.def()));
    CHECK_EQ(std::string(prx_last_error(other.handle())), std::string());
    CHECK_EQ(prx_mesh_destroy(context.handle(), {0}), PRX_STATUS_INVALID_HANDLE);
    const std::string mine = prx_last_error(context.handle());
    CHECK_EQ(prx_mesh_create(other.handle(), nullptr, nullptr), PRX_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(std::string(prx_last_error(context.handle())), mine);
    CHECK_EQ(std::string(prx_last_error(nullptr)), std::string(prx_last_error(other.handle())));
    for (std::uint32_t status = 0; status <= PRX_STATUS_CANCELLED; ++status)
        CHECK(std::strncmp(prx_status_name(status), "PRX_STATUS_", 11) == 0);
    CHECK_EQ(std::string(prx_status_name(UINT32_MAX)), std::string("an unknown status"));
}

TEST_CASE("misuse") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    bad_meshes(context);
    bad_poses(context);
    bad_ids(context, witness);
    bad_numbers(context, witness);
    calls_after_destroy();
    sentences_belong_to_their_context(context, witness);
    still_works(context);
}

}  // namespace
