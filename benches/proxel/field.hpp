// A mesh's field, baked: what contestants in contact start from.
#pragma once

#include "body.hpp"

// The field of the paper: distance and direction at 128 cells along the longest side.
inline PrxField bake_field(PrxContext* context, const Mesh& mesh) {
    PrxMesh solid = create_body(context, mesh, mesh.points);
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 128;
    def.storage = PRX_STORAGE_DIRECTION;
    PrxField field;
    must(prx_field_bake(context, solid, &def, &field), context);
    must(prx_field_wait(context, field, UINT64_MAX), context);
    return field;
}
