// coal (from PyPI, which ships its headers and library): all pairs of triangles of two meshes over trees of boxes, oriented for poses
// (bv=OBB) or aligned for refits (bv=AABB), one thread.
#include <coal/collision.h>

#include "bvh_pairs.hpp"
#include "coal_model.hpp"

template <class Volume>
struct Coal : CoalModel<Volume> {
    using typename CoalModel<Volume>::Model;

    static size_t pairs(const Model& a, const Model& b, const Pose& pose) {
        coal::CollisionRequest request(coal::NO_REQUEST, 1 << 20);
        coal::CollisionResult result;
        return coal::collide(&a, coal::Transform3s(), &b, Coal::place(pose), request, result);
    }
};

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::string bv = arguments.text("bv"), about = "coal " COAL_VERSION ", " + bv;
        if (bv == "OBB") return compete_in_pairs<Coal<coal::OBB>>(arguments, about);
        compete_in_pairs<Coal<coal::AABB>>(arguments, about);
    });
}
