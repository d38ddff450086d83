// OpenVDB's level-set builder: distances within three voxels of the surface, the sign flooded elsewhere.
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <tbb/global_control.h>

#include "contestant.hpp"
#include "mesh.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        openvdb::initialize();
        Mesh mesh = read_mesh(arguments.text("mesh"));
        Grid grid(mesh, arguments.number("resolution"));
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, arguments.number("threads"));
        auto transform = openvdb::math::Transform::createLinearTransform(grid.spacing);
        transform->postTranslate(openvdb::Vec3d(grid.origin[0], grid.origin[1], grid.origin[2]));
        std::vector<openvdb::Vec3s> points(mesh.points.size());
        std::vector<openvdb::Vec3I> triangles(mesh.triangles.size());
        for (size_t i = 0; i < points.size(); ++i) points[i] = openvdb::Vec3s(mesh.points[i].data());
        for (size_t i = 0; i < triangles.size(); ++i)
            triangles[i] = openvdb::Vec3I(mesh.triangles[i][0], mesh.triangles[i][1], mesh.triangles[i][2]);
        contest::compete("OpenVDB " OPENVDB_LIBRARY_VERSION_STRING ", half width 3 voxels", [&](const contest::Turn&) {
            openvdb::FloatGrid::Ptr field;
            contest::Sample sample{contest::seconds_of([&] {
                field = openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*transform, points, triangles, 3.0f);
            })};
            sample.extra = "\"values\": " + std::to_string(field->activeVoxelCount()) + ", \"bytes\": " + std::to_string(field->memUsage());
            return sample;
        });
    });
}
