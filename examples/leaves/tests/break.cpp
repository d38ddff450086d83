// Leaves that fall and bodies that break: visibility finds what comparing every triangle with every other finds.
#include "shards.hpp"
#include "tree.hpp"

#include "mesh/shapes.hpp"
#include "witness.hpp"

#include <algorithm>

using namespace fall;

namespace {

bool same(const std::vector<PrxScenePair>& a, const std::vector<PrxScenePair>& b) {
    const auto equal = [](const PrxScenePair& x, const PrxScenePair& y) {
        return x.object_a.id == y.object_a.id && x.object_b.id == y.object_b.id && x.triangle_a == y.triangle_a && x.triangle_b == y.triangle_b;
    };
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), equal);
}

// The pairs, by whatever the device has; without culling every triangle is compared with every other.
std::size_t agreed(const proxel::Context& context, const Crowd& crowd) {
    PrxCullDef def = prx_cull_def_default();
    def.method = PRX_CULL_METHOD_NONE;
    const std::vector<PrxScenePair> truth = crowd.collisions(def);
    def.method = PRX_CULL_METHOD_HIERARCHY;
    CHECK(same(crowd.collisions(def), truth));
    if (NEED(context.info()).device_type != PRX_DEVICE_TYPE_HOST) {
        def.method = PRX_CULL_METHOD_VISIBILITY;
        CHECK(same(crowd.collisions(def), truth));
    }
    return truth.size();
}

} // namespace

TEST_CASE("leaves that fall meet each other and the tree") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    TreeDef def;
    def.leaves = 12;
    def.rings = 2;
    def.around = 4;
    Tree tree(context, def);
    std::size_t met = 0;
    for (int frame = 0; frame < 8; ++frame) {
        for (int i = 0; i < 10; ++i) tree.advance();
        met += agreed(context, tree.crowd());
    }
    // Branches are one body: what meets are leaves.
    CHECK(met > 10);
}

TEST_CASE("a body that breaks while it is watched") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Shards shards(context, cli::rabbit(400));
    const std::size_t whole = shards.crowd().triangles();
    CHECK(agreed(context, shards.crowd()) == 0);
    std::size_t met = 0;
    for (std::size_t frame = 1; frame <= 12; ++frame) {
        shards.advance();
        // A crack loses no triangle, and pieces share no point but along it.
        CHECK(shards.crowd().triangles() == whole);
        CHECK(shards.crowd().things().size() == frame + 1);
        if (frame % 3 == 0) met += agreed(context, shards.crowd());
    }
    CHECK(met > 0);
}
