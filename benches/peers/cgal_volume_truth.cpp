// For ../volume_truth.py: reads lines with two PLY files and writes the volume that they share, by CGAL's corefinement with every corner exact.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>

#include <iostream>

#include "cgal_boolean.hpp"

int main() {
    using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
    std::cout.precision(17);
    for (std::string first, second; std::cin >> first >> second;) {
        try {
            const Mesh mesh = read_mesh(first), other = read_mesh(second);
            auto a = surface_of<Kernel>(mesh.points, mesh.triangles), b = surface_of<Kernel>(other.points, other.triangles);
            std::cout << CGAL::to_double(CGAL::exact(shared_volume<Kernel>(a, b))) << std::endl;
        } catch (const std::exception& problem) {
            std::cerr << problem.what() << std::endl;
            std::cout << "nan" << std::endl;
        }
    }
}
