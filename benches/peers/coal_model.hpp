// coal's tree over the triangles of a mesh, and a pose as coal has it.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#pragma once

#include <coal/BVH/BVH_model.h>
#include <coal/config.hh>

#include <memory>
#include <vector>

#include "poses.hpp"

template <class Volume>
struct CoalModel {
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
    static coal::Transform3s place(const Pose& pose) {
        auto [x, y, z, w] = pose.rotation;
        coal::Matrix3s turned = Eigen::Quaternion<coal::CoalScalar>(w, x, y, z).toRotationMatrix();
        return coal::Transform3s(turned, Vec(pose.translation[0], pose.translation[1], pose.translation[2]));
    }
};
