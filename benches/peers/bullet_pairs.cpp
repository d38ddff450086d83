// Bullet's GImpact: its quantised trees give pairs of boxes, exact_pair.hpp decides the triangles. One thread. mode=rigid: B has a
// pose. mode=refit: B's tree is refitted to new positions in the time.
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <memory>

#include "contestant.hpp"
#include "exact_pair.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

struct Body {
    const Mesh* mesh;
    std::vector<Point> points;
    btTriangleIndexVertexArray array;
    std::unique_ptr<btGImpactMeshShapePart> part;

    explicit Body(const Mesh& shape) : mesh(&shape), points(shape.points) {
        btIndexedMesh indexed;
        indexed.m_numTriangles = static_cast<int>(shape.triangles.size());
        indexed.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(shape.triangles.data());
        indexed.m_triangleIndexStride = 12;
        indexed.m_numVertices = static_cast<int>(points.size());
        indexed.m_vertexBase = reinterpret_cast<const unsigned char*>(points.data());
        indexed.m_vertexStride = 12;
        indexed.m_vertexType = PHY_FLOAT;
        array.addIndexedMesh(indexed);
        part = std::make_unique<btGImpactMeshShapePart>(&array, 0);
        part->setMargin(0);
        refit();
    }
    void refit() {
        part->postUpdate();
        part->updateBound();
    }
    void corners(int triangle, Point* out) const {
        for (int i = 0; i < 3; ++i) out[i] = points[mesh->triangles[triangle][i]];
    }
};

btTransform transform_of(const Pose& pose) {
    auto [x, y, z, w] = pose.rotation;
    return btTransform(btQuaternion(btScalar(x), btScalar(y), btScalar(z), btScalar(w)),
                       btVector3(btScalar(pose.translation[0]), btScalar(pose.translation[1]), btScalar(pose.translation[2])));
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "refit";
        const std::string motion = arguments.text("motion", "through");
        const Body a(mesh);
        Body b(mesh);
        contest::compete("Bullet " + std::to_string(btGetVersion()) + " GImpact, " + arguments.text("mode"), [&](const contest::Turn& turn) {
            const Pose pose = pose_of(motion, mesh, turn);
            const auto moved = deformed(mesh, pose, turn, deforms ? 0.02 : 0.0);
            const btTransform place = deforms ? btTransform::getIdentity() : transform_of(pose);
            size_t found = 0;
            contest::Sample sample = contest::shortest_of(3, [&] {
                if (deforms) {
                    // In place: Bullet holds the address.
                    std::copy(moved.begin(), moved.end(), b.points.begin());
                    b.refit();
                }
                btPairSet pairs;
                btGImpactBoxSet::find_collision(a.part->getBoxSet(), btTransform::getIdentity(), b.part->getBoxSet(), place, pairs);
                found = 0;
                for (int i = 0; i < pairs.size(); ++i) {
                    Point s[3], t[3];
                    a.corners(pairs[i].m_index1, s);
                    for (int k = 0; k < 3; ++k) t[k] = moved[mesh.triangles[pairs[i].m_index2][k]];
                    found += cross(s, t);
                }
            });
            sample.answer = {double(found)};
            return sample;
        });
    });
}
