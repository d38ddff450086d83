// FCL (Debian's libfcl-dev): all pairs of triangles of two meshes over trees of boxes, oriented for poses (bv=OBB) or aligned for
// refits (bv=AABB), one thread.
#include "bvh_pairs.hpp"
#include "fcl_model.hpp"

template <class Volume>
struct Fcl : FclModel<Volume> {
    using typename FclModel<Volume>::Model;
    using typename FclModel<Volume>::Vec;

    static void refit(Model& model, const std::vector<Vec>& points) { Fcl::replace(model, points, true); }
    static size_t pairs(const Model& a, const Model& b, const Pose& pose) {
        const fcl::CollisionRequestd request(1 << 20, false);
        fcl::CollisionResultd result;
        return fcl::collide(&a, fcl::Transform3d::Identity(), &b, Fcl::place(pose), request, result);
    }
};

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::string bv = arguments.text("bv"), about = "FCL " FCL_VERSION ", " + bv;
        if (bv == "OBB") return compete_in_pairs<Fcl<fcl::OBBd>>(arguments, about);
        compete_in_pairs<Fcl<fcl::AABBd>>(arguments, about);
    });
}
