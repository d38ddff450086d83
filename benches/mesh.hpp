// The meshes and the grid of the benchmarks for C++: binary PLY as scripts/meshes writes it, nodes as in grid.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Mesh {
    std::vector<std::array<float, 3>> points;
    std::vector<std::array<uint32_t, 3>> triangles;
    std::array<float, 3> low{}, high{};

    float longest() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
};

inline Mesh read_mesh(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open " + path + ": fetch it with scripts/meshes");
    size_t vertices = 0, faces = 0;
    for (std::string line; std::getline(file, line) && line != "end_header";) {
        if (line.rfind("element vertex ", 0) == 0) vertices = std::stoul(line.substr(15));
        if (line.rfind("element face ", 0) == 0) faces = std::stoul(line.substr(13));
    }
    Mesh mesh;
    mesh.points.resize(vertices);
    file.read(reinterpret_cast<char*>(mesh.points.data()), static_cast<std::streamsize>(vertices * 12));
    std::vector<char> packed(faces * 13);
    file.read(packed.data(), static_cast<std::streamsize>(packed.size()));
    if (!file) throw std::runtime_error(path + " is cut short: fetch it again with scripts/meshes");
    mesh.triangles.resize(faces);
    for (size_t i = 0; i < faces; ++i) std::memcpy(&mesh.triangles[i], &packed[i * 13 + 1], 12);
    mesh.low = mesh.high = mesh.points.at(0);
    for (const auto& point : mesh.points)
        for (int axis = 0; axis < 3; ++axis) {
            mesh.low[axis] = std::min(mesh.low[axis], point[axis]);
            mesh.high[axis] = std::max(mesh.high[axis], point[axis]);
        }
    return mesh;
}

// N^3 nodes over a cube about the mesh, its edge 1.2 times the mesh's longest extent; x runs fastest.
struct Grid {
    static constexpr uint64_t probes = 4096;
    uint64_t resolution;
    double spacing;
    std::array<double, 3> origin;

    Grid(const Mesh& mesh, uint64_t nodes) : resolution(nodes) {
        double edge = 1.2 * mesh.longest();
        spacing = edge / static_cast<double>(nodes - 1);
        for (int axis = 0; axis < 3; ++axis) origin[axis] = (double(mesh.low[axis]) + mesh.high[axis]) / 2 - edge / 2;
    }
    // Node of the k-th value that is compared between contestants.
    std::array<uint64_t, 3> probe(uint64_t k) const {
        uint64_t index = k * 2654435761u % (resolution * resolution * resolution);
        return {index % resolution, index / resolution % resolution, index / resolution / resolution};
    }
};
