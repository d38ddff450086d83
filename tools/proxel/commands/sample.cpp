// `proxel sample`: distances and directions of a baked field at points.
#include "commands/all.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"

#include <filesystem>

namespace cli {
namespace {

class Sample final : public Query {
    std::string field_file_, points_file_;
    std::vector<Vec3> points_;
    Baked baked_;
    std::vector<PrxSample> samples_;

    void takes(CLI::App& app) override {
        usage::operand(app, "FIELD", field_file_, "a .prxf or .nrrd file from bake");
        usage::operand(app, "POINTS", points_file_, "a text file, x y z on each line");
        usage::notes(app,
                     "The answer: distance is in mesh units and negative inside; direction is the unit vector towards the closest point,\n"
                     "or zero where the field does not tell. Outside the field's domain the distance is a lower bound.",
                     "proxel sample a.prxf points.txt --json");
    }

    bool draws() const override { return false; }

    void read() override {
        // A mesh in the field's place is an easy slip: say what to do instead.
        if (is_mesh_file(field_file_))
            throw Failure(field_file_ + " is a mesh, not a field; bake it first: proxel bake " + field_file_ + " -o FIELD.prxf");
        points_ = read_points(points_file_);
    }

    void prepare() override {
        baked_.load(session(), field_file_);
        samples_.resize(points_.size());
    }

    void ask() override {
        check(prx_field_sample(context(), baked_.field(), nullptr, points_.data(), static_cast<std::uint32_t>(points_.size()),
                               sizeof(Vec3), samples_.data()));
    }

    void tell(Answer& out) override {
        std::vector<float> distance;
        std::vector<Vec3> direction;
        std::size_t outside = 0;
        for (const PrxSample& sample : samples_) {
            // Beyond the domain only the certificate is sure to be a bound.
            distance.push_back(sample.in_domain != 0 ? sample.distance : sample.lower);
            direction.push_back(point(sample.direction));
            outside += sample.in_domain == 0;
        }
        out.add_list("distance", distance, outside == 0 ? "" : "(" + std::to_string(outside) + " outside the field's domain: lower bounds)");
        out.add_list("direction", direction);
    }
};

} // namespace

std::unique_ptr<Command> sample_command() { return std::make_unique<Sample>(); }

} // namespace cli
