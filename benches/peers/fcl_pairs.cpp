// FCL (Debian's libfcl-dev): all pairs of triangles of two meshes over trees of boxes, oriented for poses (bv=OBB) or aligned for
// refits (bv=AABB), one thread.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#include <fcl/fcl.h>

#include "bvh_pairs.hpp"

template <class Volume>
struct Fcl {
    using Vec = fcl::Vector3d;
    using Triangle = fcl::Triangle;
    using Model = fcl::BVHModel<Volume>;

    static std::shared_ptr<Model> build(const std::vector<Vec>& points, const std::vector<Triangle>& triangles) {
        auto model = std::make_shared<Model>();
        model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        return model;
    }
    static void refit(Model& model, const std::vector<Vec>& points) {
        model.beginReplaceModel();
        model.replaceSubModel(points);
        model.endReplaceModel(true, true);
    }
    static size_t pairs(const Model& a, const Model& b, const Pose& pose) {
        fcl::Transform3d placed = fcl::Transform3d::Identity();
        auto [x, y, z, w] = pose.rotation;
        placed.linear() = fcl::Quaterniond(w, x, y, z).toRotationMatrix();
        placed.translation() = fcl::Vector3d(pose.translation[0], pose.translation[1], pose.translation[2]);
        const fcl::CollisionRequestd request(1 << 20, false);
        fcl::CollisionResultd result;
        return fcl::collide(&a, fcl::Transform3d::Identity(), &b, placed, request, result);
    }
};

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::string bv = arguments.text("bv"), about = "FCL " FCL_VERSION ", " + bv;
        if (bv == "OBB") return compete_in_pairs<Fcl<fcl::OBBd>>(arguments, about);
        compete_in_pairs<Fcl<fcl::AABBd>>(arguments, about);
    });
}
