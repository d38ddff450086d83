// coal (from PyPI, which ships its headers and library): all pairs of triangles of two meshes over trees of boxes, oriented for poses
// (bv=OBB) or aligned for refits (bv=AABB), one thread.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>

#include "bvh_pairs.hpp"

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
    static size_t pairs(const Model& a, const Model& b, const Pose& pose) {
        auto [x, y, z, w] = pose.rotation;
        coal::Matrix3s turned = Eigen::Quaternion<coal::CoalScalar>(w, x, y, z).toRotationMatrix();
        coal::Transform3s placed(turned, Vec(pose.translation[0], pose.translation[1], pose.translation[2]));
        coal::CollisionRequest request(coal::NO_REQUEST, 1 << 20);
        coal::CollisionResult result;
        return coal::collide(&a, coal::Transform3s(), &b, placed, request, result);
    }
};

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::string bv = arguments.text("bv"), about = "coal " COAL_VERSION ", " + bv;
        if (bv == "OBB") return compete_in_pairs<Coal<coal::OBB>>(arguments, about);
        compete_in_pairs<Coal<coal::AABB>>(arguments, about);
    });
}
