// coal (from PyPI, which ships its headers and library): exact distance of two meshes over trees of
// kIOS, RSS or OBBRSS volumes (bv=), one thread.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#include <coal/BVH/BVH_model.h>
#include <coal/config.hh>
#include <coal/distance.h>

#include "bvh_distance.hpp"

template <class Volume>
struct Coal {
    using Vec = coal::Vec3s;
    using Triangle = coal::Triangle;
    using Model = coal::BVHModel<Volume>;

    static std::shared_ptr<Model> build(const std::vector<Vec>& points, const std::vector<Triangle>& triangles) {
        auto model = std::make_shared<Model>();
        model->beginModel(static_cast<unsigned>(triangles.size()), static_cast<unsigned>(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        return model;
    }
    static void refit(Model& model, const std::vector<Vec>& points) {
        model.beginReplaceModel();
        model.replaceSubModel(points);
        model.endReplaceModel(true, true);
    }
    static double distance(const Model& a, const Model& b, const Pose& pose) {
        auto [x, y, z, w] = pose.rotation;
        coal::Matrix3s turned = Eigen::Quaternion<coal::CoalScalar>(w, x, y, z).toRotationMatrix();
        coal::Transform3s placed(turned, Vec(pose.translation[0], pose.translation[1], pose.translation[2]));
        coal::DistanceRequest request(true);
        coal::DistanceResult result;
        return coal::distance(&a, coal::Transform3s(), &b, placed, request, result);
    }
};

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::string bv = arguments.text("bv"), about = "coal " COAL_VERSION ", " + bv;
        if (bv == "kIOS") return compete_in_distance<Coal<coal::kIOS>>(arguments, about);
        if (bv == "RSS") return compete_in_distance<Coal<coal::RSS>>(arguments, about);
        compete_in_distance<Coal<coal::OBBRSS>>(arguments, about);
    });
}
