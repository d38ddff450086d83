// A test that holds in each engine that is there, or in the one that it names.
#pragma once

#include "scene.hpp"
#include "witness.hpp"

#include <cstdio>

namespace test {

template <class Check> void on_engines(Check check, const std::string& only = "") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    for (const scenes::Engine& engine : scenes::engines()) {
        const std::string name = engine.name;
        if (!only.empty() && name != only) continue;
        INFO(name);
        check(engine, context);
    }
}

} // namespace test
