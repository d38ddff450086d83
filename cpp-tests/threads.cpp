// Many threads at once: on one context, on contexts of their own, destroying what others use.
#include <atomic>
#include <thread>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

constexpr int thread_count = 8;

/// Runs `work` on eight threads; failures are counted, because checks are for one thread.
template <typename Work>
void on_all_threads(const char* what, Work work) {
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < thread_count; ++i) threads.emplace_back([&, i] { wrong += work(i); });
    for (std::thread& thread : threads) thread.join();
    CHECK_MESSAGE(wrong.load() == 0, what, " went wrong");
}

/// A frame's work with a mesh, a batch and answers that only this thread can have. Gives the number of faults.
int work_on(const proxel::Context& context, int number, int rounds) {
    int wrong = 0;
    const float side = static_cast<float>(1 + number);
    const Shape shape = cube(side);
    auto mesh = context.mesh(shape.positions, shape.triangles, "a thread's", PRX_MESH_DEFORMING);
    auto batch = context.batch();
    if (!mesh || !batch) return 1;
    for (int round = 0; round < rounds; ++round) {
        const float low = static_cast<float>(round);
        wrong += !mesh.value().update(cube(side, low).positions).ok();
        auto bounds = batch.value().bounds(mesh.value());
        auto clusters = batch.value().clusters(mesh.value());
        wrong += !bounds || !clusters || !batch.value().submit() || !batch.value().wait();
        if (wrong != 0) return wrong;
        auto box = batch.value().read(bounds.value());
        auto parts = batch.value().read(clusters.value());
        wrong += !box || box.value().min[0] != low || box.value().max[2] != low + side;
        wrong += !parts || parts.value().size() != 1 || parts.value()[0].max[1] != low + side;
        auto facts = mesh.value().facts();
        wrong += !facts || std::fabs(facts.value().volume - side * side * side) > 1e-9 * side * side * side;
        wrong += !batch.value().reset();
        // Each thread has its own sentence.
        wrong += context.mesh(shape.positions, std::vector<Triangle>{{0, 1, 100u + static_cast<unsigned>(number)}}).ok();
        wrong += !contains(prx_last_error(context.handle()), "[0, 1, " + std::to_string(100 + number) + "]");
    }
    return wrong;
}

TEST_CASE("one context for all") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    on_all_threads("one context", [&](int i) { return work_on(context, i, 30); });
}

TEST_CASE("a context for each") {
    Witness witness;
    on_all_threads("own contexts", [&](int i) {
        auto context = proxel::Context::open(witness.def());
        return context ? work_on(context.value(), i, 5) : 1;
    });
}

/// All threads use one batch: calls take turns, and every status is one of those that the order can give.
TEST_CASE("one batch for all") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Batch batch = NEED(context.batch());
    on_all_threads("one batch", [&](int) {
        int wrong = 0;
        auto fits = [](PrxStatus s) { return s == PRX_STATUS_OK || s == PRX_STATUS_WRONG_STATE; };
        for (int i = 0; i < 50; ++i) {
            auto ticket = batch.bounds(mesh);
            wrong += !fits(ticket.status()) + !fits(batch.submit().status()) + !fits(batch.wait().status());
            if (ticket) {
                auto box = batch.read(ticket.value());
                wrong += box ? box.value().max[0] != 1 : !fits(box.status()) && box.status() != PRX_STATUS_INVALID_HANDLE;
            }
            wrong += !fits(batch.reset().status());
        }
        return wrong;
    });
}

TEST_CASE("meshes go while batches are in flight") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Shape shape = torus(60, 40);
    const float expected = NEED(NEED(context.mesh(shape.positions, shape.triangles)).bounds()).max[0];
    on_all_threads("destroyed in flight", [&](int) {
        int wrong = 0;
        for (int i = 0; i < 20; ++i) {
            auto mesh = context.mesh(shape.positions, shape.triangles);
            auto batch = context.batch();
            if (!mesh || !batch) return 1;
            auto ticket = batch.value().bounds(mesh.value());
            auto clusters = batch.value().clusters(mesh.value());
            wrong += !ticket || !clusters || !batch.value().submit();
            mesh.value() = {};
            if (i % 3 == 0) continue;  // and now and then the batch goes in flight too
            wrong += !batch.value().wait();
            auto box = batch.value().read(ticket.value());
            wrong += !box || box.value().max[0] != expected;
        }
        return wrong;
    });
}

/// The context goes while seven threads use it: their calls work or say that it is gone, and nothing stays behind.
TEST_CASE("a context goes while others use it") {
    Witness witness;
    const Shape shape = cube();
    for (int round = 0; round < 10; ++round) {
        PrxContext* context = NEED(proxel::Context::open(witness.def())).release();
        std::atomic<int> busy{0};
        on_all_threads("destroyed in use", [&](int i) {
            if (i == 0) {
                while (busy < 20) std::this_thread::yield();
                return static_cast<int>(prx_context_destroy(context) != PRX_STATUS_OK);
            }
            PrxMeshDef def = proxel::mesh_def(shape.positions, shape.triangles);
            for (;;) {
                ++busy;
                PrxMesh mesh{};
                PrxBatch* batch = nullptr;
                PrxTicket ticket{};
                PrxStatus status = prx_mesh_create(context, &def, &mesh);
                if (status == PRX_STATUS_OK) status = prx_batch_create(context, &batch);
                if (status == PRX_STATUS_OK) status = prx_batch_bounds(batch, mesh, nullptr, &ticket);
                if (status == PRX_STATUS_OK) status = prx_batch_submit(batch, nullptr);
                if (status == PRX_STATUS_OK) status = prx_batch_wait(batch, UINT64_MAX);
                if (status == PRX_STATUS_OK) status = prx_batch_destroy(batch);
                if (status == PRX_STATUS_OK) status = prx_mesh_destroy(context, mesh);
                if (status == PRX_STATUS_OK) continue;
                // Whatever was created is gone with the context.
                const bool gone = batch == nullptr || prx_batch_wait(batch, 0) == PRX_STATUS_INVALID_HANDLE;
                return static_cast<int>(status != PRX_STATUS_INVALID_HANDLE || !gone);
            }
        });
        witness.take();
    }
}

/// A batch that is being created while its context goes must not come to be.
TEST_CASE("no batch is born too late") {
    Witness witness;
    for (int round = 0; round < 20; ++round) {
        PrxContext* context = NEED(proxel::Context::open(witness.def())).release();
        std::atomic<int> busy{0};
        on_all_threads("born too late", [&](int i) {
            if (i == 0) {
                while (busy < 50) std::this_thread::yield();
                return static_cast<int>(prx_context_destroy(context) != PRX_STATUS_OK);
            }
            for (;;) {
                ++busy;
                PrxBatch* batch = nullptr;
                if (prx_batch_create(context, &batch) != PRX_STATUS_OK) return 0;
                // Destroying finds it, or the context took it along; it is never left when the context is gone.
                const bool gone = prx_context_wait_idle(context) == PRX_STATUS_INVALID_HANDLE;
                const bool lives = prx_batch_destroy(batch) == PRX_STATUS_OK;
                if (gone && lives) return 1;
            }
        });
        witness.take();
    }
}

}  // namespace
