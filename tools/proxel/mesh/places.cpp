#include "mesh/places.hpp"

#include "mesh/file_bytes.hpp"
#include "mesh/text_scanner.hpp"

#include <algorithm>

namespace cli {
namespace {

std::string without_commas(std::string_view text) {
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    return spaced;
}

void expect_line_end(TextScanner& scanner, const char* what) {
    if (!scanner.word().empty())
        scanner.fail(std::string("there is more on the line than ") + what + "; give one a line");
    scanner.next_line();
}

} // namespace

std::vector<Vec3> parse_points(std::string_view text, const std::string& name) {
    const std::string spaced = without_commas(text);
    TextScanner scanner(spaced, name);
    std::vector<Vec3> points;
    while (scanner.skip_to_word()) {
        points.push_back(scanner.point("a coordinate of a point"));
        expect_line_end(scanner, "x y z");
    }
    if (points.empty()) scanner.fail("no points; write x y z on a line for each");
    return points;
}

std::vector<Pose> parse_poses(std::string_view text, const std::string& name) {
    const std::string spaced = without_commas(text);
    TextScanner scanner(spaced, name);
    std::vector<Pose> poses;
    while (scanner.skip_to_word()) {
        Pose pose;
        pose.translation = scanner.point("tx, ty or tz of a pose");
        pose.turn = scanner.point("qx, qy or qz of a pose");
        pose.scalar = scanner.real(scanner.word(), "qw of a pose");
        const double norm = std::sqrt(static_cast<double>(dot(pose.turn, pose.turn)) +
                                      static_cast<double>(pose.scalar) * static_cast<double>(pose.scalar));
        if (!(norm > 1e-6) || !std::isfinite(norm))
            scanner.fail("the quaternion qx qy qz qw is no rotation; 0 0 0 1 is none");
        pose.turn = pose.turn * static_cast<float>(1.0 / norm);
        pose.scalar = static_cast<float>(static_cast<double>(pose.scalar) / norm);
        poses.push_back(pose);
        expect_line_end(scanner, "tx ty tz qx qy qz qw");
    }
    if (poses.empty()) scanner.fail("no poses; write tx ty tz qx qy qz qw on a line for each");
    return poses;
}

std::vector<Vec3> read_points(const std::string& path) { return parse_points(read_file_bytes(path), path); }
std::vector<Pose> read_poses(const std::string& path) { return parse_poses(read_file_bytes(path), path); }

} // namespace cli
