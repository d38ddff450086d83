// Lists of points and of poses in text files: one a line, blanks or commas between the numbers, # before a comment.
#pragma once

#include "pose.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli {

std::vector<Vec3> parse_points(std::string_view text, const std::string& name); // x y z
std::vector<Pose> parse_poses(std::string_view text, const std::string& name);  // tx ty tz qx qy qz qw

std::vector<Vec3> read_points(const std::string& path);
std::vector<Pose> read_poses(const std::string& path);

} // namespace cli
