// `proxel sample`: distances and directions of a baked field at points.
#include "commands/all.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"

#include <filesystem>

namespace cli {
namespace {

constexpr std::size_t most_dots = 4000; // more would only hide one another

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

    // Beyond the domain only the certificate is sure to be a bound.
    static float distance_of(const PrxSample& sample) { return sample.in_domain != 0 ? sample.distance : sample.lower; }

    void tell(Answer& out) override {
        std::vector<float> distance;
        std::vector<Vec3> direction;
        std::size_t outside = 0;
        for (const PrxSample& sample : samples_) {
            distance.push_back(distance_of(sample));
            direction.push_back(point(sample.direction));
            outside += sample.in_domain == 0;
        }
        out.add_list("distance", distance, outside == 0 ? "" : "(" + std::to_string(outside) + " outside the field's domain: lower bounds)");
        out.add_list("direction", direction);
    }

    // The points in the colours of their distances, and the way from each to the surface.
    Image draw() override {
        View view;
        view.title = std::filesystem::u8path(field_file_).filename().u8string();
        view.scale = Scale{0.0f, "outside", "inside"};
        for (const PrxSample& sample : samples_) view.scale->range = std::max(view.scale->range, std::fabs(distance_of(sample)));
        const float step = contour_step(std::max(view.scale->range, 1e-20f));
        view.scale->range = step * std::ceil(std::max(view.scale->range, step) / step);
        const std::size_t skip = std::max<std::size_t>(1, points_.size() / most_dots);
        for (std::size_t i = 0; i < points_.size(); i += skip) {
            const Vec3 p = points_[i];
            const float d = distance_of(samples_[i]);
            const Vec3 on_surface = p + std::fabs(d) * point(samples_[i].direction);
            if (samples_[i].in_domain != 0) view.marks.push_back({Mark::Kind::segment, p, on_surface, palette::faint_ink, 1.5f});
            view.marks.push_back({Mark::Kind::dot, p, p, tint(d, view.scale->range), 12.0f});
        }
        view.caption = std::to_string(points_.size()) + (points_.size() == 1 ? " point" : " points") + ", colours are distances in mesh units";
        view.legend = {{palette::faint_ink, "way to the nearest point of the surface"}};
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> sample_command() { return std::make_unique<Sample>(); }

} // namespace cli
