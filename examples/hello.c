/* Where does this small cube touch that large one: at which points, along which normal, how deep? */
#include <proxel.h>
#include <stdio.h>

static const uint32_t triangles[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static int complain(const char *call) {
    fprintf(stderr, "%s: %s\n", call, prx_last_error(NULL));
    return 1;
}

int main(void) {
    float corners[24];
    PrxContext *context;
    PrxMesh cube;
    PrxField field;
    PrxContact contacts[32];
    uint64_t count;

    if (prx_context_create(NULL, &context) != PRX_STATUS_OK) return complain("prx_context_create");

    /* Before the first frame: a mesh and its distance field, which bodies of all sizes share. */
    PrxMeshDef def = prx_mesh_def_default();
    for (int i = 0; i < 24; ++i) corners[i] = (i / 3) & (1 << i % 3) ? 1.0f : -1.0f;
    def.label = "cube";
    def.vertex_count = 8;
    def.positions = corners;
    def.triangle_count = 12;
    def.indices = triangles;
    if (prx_mesh_create(context, &def, &cube) != PRX_STATUS_OK) return complain("prx_mesh_create");
    if (prx_field_bake(context, cube, NULL, &field) != PRX_STATUS_OK) return complain("prx_field_bake");
    if (prx_field_wait(context, field, UINT64_MAX) != PRX_STATUS_OK) return complain("prx_field_wait");
    PrxBody large = prx_body_default();
    large.mesh = cube;
    large.field = field;
    PrxBody small = large;
    small.scale = 0.5f;

    /* Every frame; the next one hands the contacts back. */
    small.position[0] = 1.49;
    if (prx_body_contacts(context, &large, &small, NULL, NULL, 0, NULL, contacts, 32, &count) != PRX_STATUS_OK)
        return complain("prx_body_contacts");
    for (const PrxContact *c = contacts; c != contacts + count; ++c)
        printf("at (%.2f, %.2f, %.2f), normal (%.0f, %.0f, %.0f), separation %.2f\n", c->world_b[0], c->world_b[1], c->world_b[2],
               c->normal[0], c->normal[1], c->normal[2], c->separation);

    prx_field_destroy(context, field);
    prx_mesh_destroy(context, cube);
    prx_context_destroy(context);
    return 0;
}
