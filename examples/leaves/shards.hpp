// A body that breaks while it is watched: in every frame its largest piece falls in two, and the pieces drift apart and turn.
#pragma once

#include "crowd.hpp"

#include <vector>

namespace fall {

class Shards {
public:
    Shards(const proxel::Context& context, const cli::Mesh& whole);

    // One more crack: a piece keeps its id and gets other triangles, what it loses is a new one. Then all drift on.
    void advance();
    Crowd& crowd() { return crowd_; }
    const Crowd& crowd() const { return crowd_; }
    cli::View view(const std::vector<PrxScenePair>& pairs) const { return crowd_.view(pairs); }

private:
    struct Flight {
        cli::Vec3 centre, way, axis; // where it was when it came to be, and how it goes on
        float age = 0;
    };
    void crack();
    Flight flight_of(const cli::Mesh& piece) const;

    Crowd crowd_;
    std::vector<Flight> flights_; // of the things
    cli::Vec3 middle_;
    std::size_t cracks_ = 0;
};

} // namespace fall
