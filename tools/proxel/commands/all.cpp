#include "commands/all.hpp"

namespace cli {

const std::vector<Entry>& all_commands() {
    static const std::vector<Entry> all{
        {"info", "Describe a mesh: size, closed or not, bounds, area, volume", info_command},
        {"shape", "Write a closed mesh made by a formula", shape_command},
        {"bake", "Bake a mesh's signed distance field into a file", bake_command},
        {"sample", "Read distances and directions at points from a field", sample_command},
        {"proximity", "Find the point of a mesh that is nearest to a solid, or deepest inside it", proximity_command},
        {"penalty", "Sum the forces that push a solid and a mesh apart", penalty_command},
        {"contacts", "List where two bodies touch: points, normals, separations, patches", contacts_command},
        {"overlap", "Tell whether a mesh touches or enters a solid", overlap_command},
        {"distance", "Measure how far two meshes are apart, exactly, and where", distance_command},
        {"pairs", "List the triangles of two meshes that intersect, or are near each other", pairs_command},
        {"cull", "Find which of many meshes touch, or are near each other", cull_command},
        {"self", "List the triangles of a mesh that intersect each other", self_command},
        {"near", "List the vertices, edges and faces that are closer than a thickness", near_command},
        {"sweep", "Find the first contact of two meshes that move", sweep_command},
        {"impacts", "List all that meets while meshes move, and the step that is free of it", impacts_command},
        {"volume", "Measure the intersection of two closed meshes", volume_command},
        {"contains", "Tell which points are inside a closed mesh", contains_command},
    };
    return all;
}

} // namespace cli
