// For ../volume_methods.py: reads lines with two PLY files and writes, for each way to find the volume that they share, a line with its name, its rays a side (0 where
// there are none), milliseconds of processor time with both meshes handed over anew (the median of three), and the error and the width of the interval as parts of the volume.
// An empty line ends each pair. An argument is the device's name.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "body.hpp"

namespace {

double processor_ms() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto ms = [](const timeval& time) { return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec); };
    return ms(used.ru_utime) + ms(used.ru_stime);
}

}  // namespace

int main(int count, char** words) try {
    PrxContextDef with = prx_context_def_default();
    if (count > 1) with.device_name = words[1];
    Context context(with);
    for (std::string first, second; std::cin >> first >> second;) {
        const Mesh mesh = read_mesh(first), other = read_mesh(second);
        const PrxMesh a = create_body(context, mesh, mesh.points), b = create_body(context, other, other.points);
        PrxExactIntersection exact{};
        const auto tell = [&](const char* name, unsigned rays, auto ask) {
            double times[4], found[3];
            for (double& time : times) {
                update(context, a, mesh.points);
                update(context, b, other.points);
                const double start = processor_ms();
                ask(found);
                time = processor_ms() - start;
            }
            std::sort(times + 1, times + 4); // The first makes what stays.
            std::cout << name << ' ' << rays << ' ' << times[2] << ' ' << std::fabs(found[0] / exact.volume - 1) << ' '
                      << (found[2] - found[1]) / exact.volume << '\n';
        };
        tell("exact", 0, [&](double (&found)[3]) {
            must(prx_mesh_exact_intersection(context, a, nullptr, b, nullptr, &exact), context);
            found[0] = exact.volume, found[1] = exact.lower, found[2] = exact.upper;
        });
        for (const bool narrow : {false, true}) {
            for (const unsigned side : {32u, 64u, 128u, 256u, 512u}) {
                PrxLdiDef def = prx_ldi_def_default();
                def.resolution = side;
                def.flags = narrow ? PRX_LDI_NARROW : 0;
                tell(narrow ? "narrow" : "rays", side, [&](double (&found)[3]) {
                    PrxIntersectionVolume volume{};
                    must(prx_mesh_intersection_volume(context, a, nullptr, b, nullptr, &def, &volume, nullptr), context);
                    found[0] = volume.volume, found[1] = volume.lower, found[2] = volume.upper;
                });
            }
        }
        std::cout << std::endl;
        must(prx_mesh_destroy(context, a), context);
        must(prx_mesh_destroy(context, b), context);
    }
    return 0;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << std::endl;
    return 1;
}
