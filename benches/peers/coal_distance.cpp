// coal (from PyPI, which ships its headers and library): exact distance of two meshes over trees of
// kIOS, RSS or OBBRSS volumes (bv=), one thread.
#include <coal/distance.h>

#include "bvh_distance.hpp"
#include "coal_model.hpp"

template <class Volume>
struct Coal : CoalModel<Volume> {
    using typename CoalModel<Volume>::Model;

    static double distance(const Model& a, const Model& b, const Pose& pose) {
        coal::DistanceRequest request(true);
        coal::DistanceResult result;
        return coal::distance(&a, coal::Transform3s(), &b, Coal::place(pose), request, result);
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
