// FCL's tree over the triangles of a mesh, and a pose as FCL has it.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#pragma once

#include <fcl/fcl.h>

#include <memory>
#include <vector>

#include "poses.hpp"

template <class Volume>
struct FclModel {
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
    static void replace(Model& model, const std::vector<Vec>& points, bool bottom_up) {
        model.beginReplaceModel();
        model.replaceSubModel(points);
        model.endReplaceModel(true, bottom_up);
    }
    static fcl::Transform3d place(const Pose& pose) {
        fcl::Transform3d placed = fcl::Transform3d::Identity();
        auto [x, y, z, w] = pose.rotation;
        placed.linear() = fcl::Quaterniond(w, x, y, z).toRotationMatrix();
        placed.translation() = Vec(pose.translation[0], pose.translation[1], pose.translation[2]);
        return placed;
    }
};
