// The exact distances of all pairs of several bodies, each with new positions in every turn, handed over in the time.
// method=auto or margin: the hierarchies, or the hull bounds and the aligned hash of Gissler et al.
#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const std::string method = arguments.text("method");
        const double wave = std::stod(arguments.text("wave"));
        Context context(on_threads(arguments));
        std::vector<PrxMesh> bodies;
        for (long k = 0; k < arguments.number("bodies"); ++k) bodies.push_back(create_body(context, mesh, mesh.points));
        std::vector<PrxMeshPair> pairs;
        for (size_t i = 0; i < bodies.size(); ++i)
            for (size_t j = i + 1; j < bodies.size(); ++j)
                pairs.push_back({bodies[i], bodies[j], prx_pose_identity(), prx_pose_identity()});
        PrxDistanceDef def = prx_distance_def_default();
        if (method == "margin") def.method = PRX_DISTANCE_METHOD_MARGIN_HASH;
        std::vector<PrxDistance> found(pairs.size());
        contest::compete(context.about() + ", " + method, [&](const contest::Turn& turn) {
            std::vector<std::vector<std::array<float, 3>>> moved;
            for (size_t k = 0; k < bodies.size(); ++k) moved.push_back(body_of(mesh, turn, static_cast<long>(k), wave));
            const double seconds = contest::seconds_of([&] {
                for (size_t k = 0; k < bodies.size(); ++k) update(context, bodies[k], moved[k]);
                must(prx_mesh_distances(context, pairs.data(), static_cast<uint32_t>(pairs.size()), &def, found.data()), context);
            });
            contest::Sample sample{seconds, {}};
            for (const PrxDistance& distance : found) sample.answer.push_back(distance.distance);
            return sample;
        });
        for (PrxMesh body : bodies) prx_mesh_destroy(context, body);
    });
}
