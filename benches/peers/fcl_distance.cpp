// FCL (Debian's libfcl-dev): exact distance of two meshes over trees of kIOS, RSS or OBBRSS volumes (bv=),
// one thread.
#include "bvh_distance.hpp"
#include "fcl_model.hpp"

template <class Volume>
struct Fcl : FclModel<Volume> {
    using typename FclModel<Volume>::Model;
    using typename FclModel<Volume>::Vec;

    // Top-down: the bottom-up refit of FCL 0.7 gives wrong distances.
    static void refit(Model& model, const std::vector<Vec>& points) { Fcl::replace(model, points, false); }
    static double distance(const Model& a, const Model& b, const Pose& pose) {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        fcl::distance(&a, fcl::Transform3d::Identity(), &b, Fcl::place(pose), request, result);
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
