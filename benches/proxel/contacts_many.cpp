// Contacts of many pairs of knots of about 1,000 triangles. mode=single: one after the other; mode=batch: all in one submission; mode=scene:
// all as a scene, its pairs far from each other.
#include "../contact_steps.hpp"
#include "field.hpp"

namespace {

// A tube around a trefoil, `along` by `around` quads.
Mesh knot(uint32_t along, uint32_t around) {
    Mesh mesh;
    const double tau = 2 * M_PI;
    const auto centre = [](double t) {
        return std::array<double, 3>{std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), -std::sin(3 * t)};
    };
    for (uint32_t i = 0; i < along; ++i) {
        const double t = tau * i / along;
        const auto c = centre(t), d = centre(t + 1e-4);
        std::array<double, 3> w{d[0] - c[0], d[1] - c[1], d[2] - c[2]}, u{-w[1], w[0], 0}, v;
        const double ul = std::hypot(u[0], u[1]);
        for (double& x : u) x /= ul;
        v = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]};
        const double vl = std::hypot(v[0], v[1], v[2]);
        for (uint32_t j = 0; j < around; ++j) {
            const double a = 0.6 * std::cos(tau * j / around), b = 0.6 * std::sin(tau * j / around);
            std::array<float, 3> p;
            for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(c[k] + a * u[k] + b * v[k] / vl);
            mesh.points.push_back(p);
            const uint32_t e = i * around + j, f = i * around + (j + 1) % around, g = (i + 1) % along * around + j, h = (i + 1) % along * around + (j + 1) % around;
            mesh.triangles.push_back({e, f, g});
            mesh.triangles.push_back({f, h, g});
        }
    }
    mesh.low = mesh.high = mesh.points[0];
    for (const auto& p : mesh.points)
        for (int k = 0; k < 3; ++k) mesh.low[k] = std::min(mesh.low[k], p[k]), mesh.high[k] = std::max(mesh.high[k], p[k]);
    return mesh;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = knot(50, 10);
        const auto pairs = static_cast<size_t>(arguments.number("pairs"));
        const bool together = arguments.text("mode") == "batch", in_scene = arguments.text("mode") == "scene";
        Context context(on_threads(arguments));
        PrxMesh body = create_body(context, mesh, mesh.points);
        PrxFieldDef field_def = prx_field_def_default();
        field_def.resolution = 64;
        PrxField field;
        must(prx_field_bake(context, body, &field_def, &field), context);
        must(prx_field_wait(context, field, UINT64_MAX), context);
        const PrxContactsDef def = prx_contacts_def_default();
        std::vector<PrxContact> found(def.points * def.patches);
        std::vector<PrxTicket> tickets(pairs);
        PrxBatch* batch = nullptr;
        must(prx_batch_create(context, &batch), context);
        PrxScene scene{};
        must(prx_scene_create(context, &scene), context);
        std::vector<PrxObject> objects(2 * pairs);
        std::vector<PrxBodyPose> poses(2 * pairs);
        bool is_first = true;
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            std::vector<std::array<PrxBody, 2>> bodies(pairs);
            for (size_t i = 0; i < pairs; ++i) {
                const contest::Turn own{static_cast<long>(i), std::fmod(turn.fraction + 0.618 * static_cast<double>(i), 1.0)};
                const Pose pose = pose_of("at_0.8", mesh, own);
                for (PrxBody& b : bodies[i]) {
                    b = prx_body_default();
                    b.mesh = body;
                    b.field = field;
                }
                for (int k = 0; k < 3; ++k) bodies[i][1].position[k] = pose.translation[k];
                for (int k = 0; k < 4; ++k) bodies[i][1].rotation[k] = static_cast<float>(pose.rotation[k]);
            }
            for (size_t i = 0; i < pairs && in_scene; ++i) {
                for (size_t k = 0; k < 2; ++k) {
                    PrxBody& b = bodies[i][k];
                    b.position[0] += 20.0 * double(i);
                    PrxBodyPose& pose = poses[2 * i + k];
                    std::copy(std::begin(b.position), std::end(b.position), pose.position);
                    std::copy(std::begin(b.rotation), std::end(b.rotation), pose.rotation);
                    if (is_first) must(prx_scene_add_body(context, scene, &b, nullptr, &objects[2 * i + k]), context);
                }
            }
            is_first = false;
            double total = 0;
            contest::Sample sample = contest::shortest_of(1, [&] {
                total = 0;
                uint64_t kept = 0;
                if (in_scene) {
                    PrxSceneContacts in_all{};
                    must(prx_scene_move_bodies(context, scene, objects.data(), poses.data(), objects.size()), context);
                    must(prx_scene_contacts(context, scene, &def, &in_all), context);
                    found.resize(in_all.contacts);
                    must(prx_scene_contact_points(context, scene, found.data(), found.size(), &kept), context);
                    total = double(kept);
                    return;
                }
                if (together) {
                    must(prx_batch_reset(batch), context);
                    for (size_t i = 0; i < pairs; ++i)
                        must(prx_batch_contacts(batch, &bodies[i][0], &bodies[i][1], &def, nullptr, 0, &tickets[i]), context);
                    must(prx_batch_submit(batch, nullptr), context);
                    must(prx_batch_wait(batch, UINT64_MAX), context);
                }
                for (size_t i = 0; i < pairs; ++i) {
                    must(together ? prx_batch_contacts_result(batch, tickets[i], found.data(), found.size(), &kept)
                                  : prx_body_contacts(context, &bodies[i][0], &bodies[i][1], &def, nullptr, 0, nullptr, found.data(), found.size(), &kept),
                         context);
                    total += double(kept);
                }
            });
            sample.answer = {total};
            return sample;
        });
        must(prx_batch_destroy(batch), context);
    });
}
