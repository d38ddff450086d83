// `proxel sample`: distances and directions of a baked field at points.
#include "commands/all.hpp"
#include "commands/reply.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"
#include "session.hpp"
#include "terminal/timing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>

namespace cli {
namespace {

// A mesh in the field's place is an easy slip: say what to do instead.
void refuse_mesh(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* mesh : {".ply", ".obj", ".stl", ".off"}) {
        if (ending == mesh)
            throw Failure(path + " is a mesh, not a field; bake it first: proxel bake " + path + " -o FIELD.prxf");
    }
}

void run(const Arguments& arguments) {
    const std::string& path = arguments.operand(0);
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    refuse_mesh(path);
    const std::vector<Vec3> points = read_points(arguments.operand(1));
    if (points.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Failure(arguments.operand(1) + ": more than 4294967295 points; split the file.");
    }
    const Session session(arguments);
    PrxField field{};
    session.check(prx_field_load(session.context(), path.c_str(), &field));

    std::vector<PrxSample> samples(points.size());
    const double ms = median_milliseconds(repeats, [&] {
        session.check(prx_field_sample(session.context(), field, nullptr, points.data(),
                                       static_cast<std::uint32_t>(points.size()), sizeof(Vec3), samples.data()));
    });
    session.check(prx_field_destroy(session.context(), field));

    std::vector<float> distance;
    std::vector<std::array<float, 3>> direction;
    std::size_t outside = 0;
    for (const PrxSample& sample : samples) {
        // Beyond the domain only the certificate is sure to be a bound.
        distance.push_back(sample.in_domain != 0 ? sample.distance : sample.lower);
        direction.push_back({sample.direction[0], sample.direction[1], sample.direction[2]});
        outside += sample.in_domain == 0;
    }
    Answer answer;
    answer.add_list("distance", distance);
    answer.add_list("direction", direction);
    answer.add("ms", ms,
               outside == 0 ? "" : "(" + std::to_string(outside) + " outside the field's domain: lower bounds)");
    reply(answer, arguments);
}

} // namespace

Command sample_command() {
    return {"sample",
            "Read distances and directions at points from a field",
            {{"FIELD", "a .prxf or .nrrd file from bake"}, {"POINTS", "a text file, x y z on each line"}},
            {options::json, options::repeat, options::device},
            run,
            "The answer: distance is negative inside; direction is the unit vector towards the closest point, or zero\n"
            "where the field does not tell. Outside the field's domain the distance is a lower bound."};
}

} // namespace cli
