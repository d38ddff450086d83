// ODE's triangle meshes against each other: every contact of dCollide. One thread. mode=deforming: B's tree is refitted to new positions
// in the time.
#include <ode/ode.h>

#include "../contact_steps.hpp"

namespace {

struct Body {
    std::vector<std::array<float, 3>> points;
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomID geom;

    explicit Body(const Mesh& mesh) : points(mesh.points) {
        dGeomTriMeshDataBuildSingle(data, points.data(), 12, static_cast<int>(points.size()), mesh.triangles.data(),
                                    static_cast<int>(3 * mesh.triangles.size()), 12);
        geom = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    }
    ~Body() {
        dGeomDestroy(geom);
        dGeomTriMeshDataDestroy(data);
    }
    Body(const Body&) = delete;
};

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "deforming";
        dInitODE2(0);
        dSetMessageHandler([](int, const char*, va_list) {}); // a line for each contact that its table has no room for
        dAllocateODEDataForThread(dAllocateMaskAll);
        {
            const Body a(mesh);
            Body b(mesh);
            std::vector<dContactGeom> found(1 << 15);
            compete_in_contacts("ODE", mesh, deforms, [&](const ContactStep& step) {
                if (deforms) {
                    std::copy(step.points.begin(), step.points.end(), b.points.begin()); // in place: ODE holds the address
                    dGeomTriMeshDataUpdate(b.data);
                }
                auto [x, y, z, w] = step.pose.rotation;
                const dQuaternion turn = {dReal(w), dReal(x), dReal(y), dReal(z)};
                dGeomSetQuaternion(b.geom, turn);
                dGeomSetPosition(b.geom, dReal(step.pose.translation[0]), dReal(step.pose.translation[1]), dReal(step.pose.translation[2]));
                const int contacts = dCollide(a.geom, b.geom, static_cast<int>(found.size()), found.data(), sizeof(dContactGeom));
                double deepest = 0;
                for (int i = 0; i < contacts; ++i) deepest = std::max(deepest, double(found[static_cast<size_t>(i)].depth));
                return deepest;
            });
        }
        dCloseODE();
    });
}
