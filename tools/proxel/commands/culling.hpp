// How a command culls: the options, bound to the def.
#pragma once

#include "terminal/usage.hpp"

#include <proxel.h>

namespace cli {

inline void takes_culling(CLI::App& app, PrxCullDef& def) {
    usage::choice(app, "--cull", def.method,
                                 {{"auto", PRX_CULL_METHOD_AUTO},
                                  {"bvh", PRX_CULL_METHOD_HIERARCHY},
                                  {"visibility", PRX_CULL_METHOD_VISIBILITY},
                                  {"none", PRX_CULL_METHOD_NONE}},
                                 "how candidate pairs are found");
    usage::choice(app, "--path", def.path,
                                 {{"conservative", PRX_CULL_PATH_CONSERVATIVE},
                                  {"boxes", PRX_CULL_PATH_BOXES},
                                  {"exact", PRX_CULL_PATH_EXACT_OFFSET},
                                  {"bounded", PRX_CULL_PATH_BOUNDED_OFFSET},
                                  {"unfattened", PRX_CULL_PATH_UNFATTENED}},
                                 "how visibility draws; unfattened may miss pairs");
    usage::word(app, "--viewport", "N", usage::with_default("visibility draws N x N pixels", std::to_string(def.width)),
                [&def](const std::string& word) { def.width = def.height = usage::parse_whole("--viewport", word, {16, 65536}); });
}

} // namespace cli
