// Bodies of a scene that move, deform and get other triangles, and which of their triangles meet.
#pragma once

#include "mesh/mesh.hpp"
#include "picture/view.hpp"

#include <proxel.hpp>

#include <cstddef>
#include <vector>

namespace fall {

struct Thing {
    cli::Mesh mesh; // as it is now, in its own frame
    cli::Pose pose;
    proxel::Mesh known; // the same for the library
    PrxObject object{0};
    cli::Colour colour = cli::palette::clay;
};

// What a frame takes, in seconds of the processor, all threads together.
struct FrameTimes {
    double change = 0, collide = 0;
};

class Crowd {
public:
    explicit Crowd(const proxel::Context& context);

    Thing& add(cli::Mesh mesh, const cli::Pose& pose, bool deforms, cli::Colour colour);
    void move_all();                              // hands over the poses
    void deform(Thing& thing);                    // hands over its positions
    void replace(Thing& thing, cli::Mesh mesh);   // other triangles under the same id

    // The pairs of triangles of two things that intersect.
    std::vector<PrxScenePair> collisions(const PrxCullDef& def, PrxCullStats* stats = nullptr) const;

    std::vector<Thing>& things() { return things_; }
    const std::vector<Thing>& things() const { return things_; }
    std::size_t triangles() const;
    // Triangles that meet another are red.
    cli::View view(const std::vector<PrxScenePair>& pairs) const;

private:
    const proxel::Context* context_;
    proxel::Scene scene_;
    std::vector<Thing> things_;
};

double processor_seconds(); // of all threads: what the machine does for others does not count

} // namespace fall
