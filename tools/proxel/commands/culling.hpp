// How a command culls: the options, and the def that they make.
#pragma once

#include "terminal/arguments.hpp"

#include <proxel.h>

namespace cli::culling {

inline const Option method{"--cull", "NAME", "how far pairs are sorted out: auto (default), bvh, visibility or none"};
inline const Option path{"--path", "NAME", "how visibility draws: conservative (default), boxes, unfattened (misses)"};
inline const Option viewport{"--viewport", "N", "visibility looks at N x N pixels (default 256)"};

inline std::uint32_t choice(const Arguments& arguments, const Option& option, const std::vector<std::string>& names,
                            std::uint32_t otherwise) {
    const std::string given = arguments.text(option).value_or(names[otherwise]);
    std::string all;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        if (names[i] == given) return i;
        all += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    }
    throw WrongUsage(option.name + " takes " + all + ", not '" + given + "'.");
}

inline PrxCullDef def(const Arguments& arguments) {
    PrxCullDef def = prx_cull_def_default();
    // In the order of PrxCullMethod and of PrxCullPath.
    def.method = choice(arguments, method, {"auto", "bvh", "visibility", "none"}, def.method);
    def.path = choice(arguments, path, {"boxes", "conservative", "unfattened"}, def.path);
    const long long side = arguments.whole(viewport, def.width, 16);
    if (side > 65536) throw WrongUsage("--viewport takes at most 65536 pixels.");
    def.width = def.height = static_cast<std::uint32_t>(side);
    return def;
}

} // namespace cli::culling
