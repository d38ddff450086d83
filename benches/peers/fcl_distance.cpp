// FCL (Debian's libfcl-dev): exact distance of two meshes over trees of kIOS, RSS or OBBRSS volumes (bv=),
// one thread.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#include <fcl/fcl.h>

#include "bvh_distance.hpp"

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
        // Top-down: the bottom-up refit of FCL 0.7 gives wrong distances.
        model.endReplaceModel(true, false);
    }
    static double distance(const Model& a, const Model& b, const Pose& pose) {
        fcl::Transform3d placed = fcl::Transform3d::Identity();
        auto [x, y, z, w] = pose.rotation;
        placed.linear() = fcl::Quaterniond(w, x, y, z).toRotationMatrix();
        placed.translation() = Vec(pose.translation[0], pose.translation[1], pose.translation[2]);
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        fcl::distance(&a, fcl::Transform3d::Identity(), &b, placed, request, result);
        return result.min_distance;
    }
};

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::string bv = arguments.text("bv"), about = "FCL " FCL_VERSION ", " + bv;
        if (bv == "kIOS") return compete_in_distance<Fcl<fcl::kIOSd>>(arguments, about);
        if (bv == "RSS") return compete_in_distance<Fcl<fcl::RSSd>>(arguments, about);
        compete_in_distance<Fcl<fcl::OBBRSSd>>(arguments, about);
    });
}
