// Bullet's GImpact: every contact point of two meshes, by its own collision algorithm. One thread. mode=deforming: B's tree is refitted
// to new positions in the time.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include "../contact_steps.hpp"

namespace {

struct Body {
    std::vector<std::array<float, 3>> points;
    btTriangleIndexVertexArray array;
    btGImpactMeshShape shape;
    btCollisionObject object;

    explicit Body(const Mesh& mesh) : points(mesh.points), shape(indexed(mesh)) {
        shape.setMargin(0);
        shape.updateBound();
        object.setCollisionShape(&shape);
    }
    btTriangleIndexVertexArray* indexed(const Mesh& mesh) {
        btIndexedMesh view;
        view.m_numTriangles = static_cast<int>(mesh.triangles.size());
        view.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(mesh.triangles.data());
        view.m_triangleIndexStride = 12;
        view.m_numVertices = static_cast<int>(points.size());
        view.m_vertexBase = reinterpret_cast<const unsigned char*>(points.data());
        view.m_vertexStride = 12;
        view.m_vertexType = PHY_FLOAT;
        array.addIndexedMesh(view);
        return &array;
    }
};

// Takes every point instead of a manifold's four.
struct Deepest : btManifoldResult {
    double depth = 0;
    using btManifoldResult::btManifoldResult;
    void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override { depth = std::max(depth, -double(distance)); }
};

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "deforming";
        btDefaultCollisionConfiguration configuration;
        btCollisionDispatcher dispatcher(&configuration);
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
        Body a(mesh), b(mesh);
        compete_in_contacts("Bullet " + std::to_string(btGetVersion()) + " GImpact", mesh, deforms, [&](const ContactStep& step) {
            if (deforms) {
                std::copy(step.points.begin(), step.points.end(), b.points.begin()); // in place: Bullet holds the address
                b.shape.postUpdate();
                b.shape.updateBound();
            }
            auto [x, y, z, w] = step.pose.rotation;
            const auto& t = step.pose.translation;
            b.object.setWorldTransform(btTransform(btQuaternion(btScalar(x), btScalar(y), btScalar(z), btScalar(w)),
                                                   btVector3(btScalar(t[0]), btScalar(t[1]), btScalar(t[2]))));
            const btCollisionObjectWrapper first(nullptr, &a.shape, &a.object, a.object.getWorldTransform(), -1, -1);
            const btCollisionObjectWrapper second(nullptr, &b.shape, &b.object, b.object.getWorldTransform(), -1, -1);
            btCollisionAlgorithm* algorithm = dispatcher.findAlgorithm(&first, &second, nullptr, BT_CONTACT_POINT_ALGORITHMS);
            Deepest deepest(&first, &second);
            algorithm->processCollision(&first, &second, btDispatcherInfo(), &deepest);
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
            return deepest.depth;
        });
    });
}
