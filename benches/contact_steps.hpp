// Two bodies of one shape on their way through each other in twelve steps, B deforming or rigid: what all contestants of `contacts` are asked.
#pragma once

#include <functional>

#include "contestant.hpp"
#include "poses.hpp"

struct ContactStep {
    Pose pose;                               // of B
    std::vector<std::array<float, 3>> points; // of B in its own frame
};

inline ContactStep contact_step(const Mesh& mesh, bool deforms, const contest::Turn& turn) {
    return {pose_of("through", mesh, turn), deforms ? deformed(mesh, Pose{}, turn) : mesh.points};
}

using AskContacts = std::function<double(const ContactStep&)>; // returns the depth of the deepest contact, 0 for none

// Depths at three of the steps, for comparison with exact ones.
inline std::vector<double> some_depths(const Mesh& mesh, bool deforms, const AskContacts& ask) {
    std::vector<double> depths;
    for (const int i : {2, 6, 10}) depths.push_back(ask(contact_step(mesh, deforms, {i, (i + 0.5) / 12})));
    return depths;
}

// Asks turn by turn; only `ask` is timed.
inline void compete_in_contacts(const std::string& about, const Mesh& mesh, bool deforms, const AskContacts& ask) {
    contest::compete(about, [&](const contest::Turn& turn) {
        const ContactStep step = contact_step(mesh, deforms, turn);
        contest::Sample sample = contest::shortest_of(2, [&] { ask(step); });
        if (turn.round == 0) sample.answer = some_depths(mesh, deforms, ask);
        return sample;
    });
}
