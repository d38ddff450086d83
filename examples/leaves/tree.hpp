// A tree that loses its leaves (Govindaraju, Lin and Manocha 2004, section 5): leaves deform as they fall, and touch each other and branches.
#pragma once

#include "crowd.hpp"

namespace fall {

struct TreeDef {
    std::uint32_t leaves = 150;
    int rings = 15;  // of triangles along a branch
    int around = 10; // triangles around a branch
};

class Tree {
public:
    Tree(const proxel::Context& context, const TreeDef& def);

    void advance(); // by a thirtieth of a second
    Crowd& crowd() { return crowd_; }
    const Crowd& crowd() const { return crowd_; }
    cli::View view(const std::vector<PrxScenePair>& pairs) const;

private:
    void shape(std::size_t leaf);

    Crowd crowd_; // the tree, then the leaves
    std::vector<cli::Vec3> tips_;
    float time_ = 0;
};

} // namespace fall
