/* Where and how deep does this small cube touch that large one? */
#include <proxel.h>
#include <stdio.h>

static const uint32_t triangles[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static int complain(const char *call) {
    fprintf(stderr, "%s: %s\n", call, prx_last_error(NULL));
    return 1;
}

static PrxStatus make_cube(PrxContext *context, float half, const char *label, PrxMesh *out_mesh) {
    float corners[24];
    PrxMeshDef def = prx_mesh_def_default();
    for (int i = 0; i < 24; ++i) corners[i] = (i / 3) & (1 << i % 3) ? half : -half;
    def.label = label;
    def.vertex_count = 8;
    def.positions = corners;
    def.triangle_count = 12;
    def.indices = triangles;
    return prx_mesh_create(context, &def, out_mesh);
}

int main(void) {
    PrxContext *context;
    PrxMesh large, small;
    PrxField field;
    PrxProximity touch;

    if (prx_context_create(NULL, &context) != PRX_STATUS_OK) return complain("prx_context_create");
    if (make_cube(context, 1, "large", &large) != PRX_STATUS_OK) return complain("prx_mesh_create");
    if (make_cube(context, 0.5f, "small", &small) != PRX_STATUS_OK) return complain("prx_mesh_create");

    /* One of the two bodies needs a distance field: baked once, before the first frame. */
    if (prx_field_bake(context, large, NULL, &field) != PRX_STATUS_OK) return complain("prx_field_bake");
    if (prx_field_wait(context, field, UINT64_MAX) != PRX_STATUS_OK) return complain("prx_field_wait");

    PrxPose pose = prx_pose_identity();
    pose.position[0] = 1.4f;
    if (prx_field_proximity(context, field, NULL, small, &pose, NULL, &touch) != PRX_STATUS_OK)
        return complain("prx_field_proximity");
    printf("%s: distance %.2f at x = %.2f, on triangle %u\n", touch.penetrating ? "penetrating" : "apart", touch.distance,
           touch.point_mesh[0], touch.triangle);

    prx_field_destroy(context, field);
    prx_mesh_destroy(context, small);
    prx_mesh_destroy(context, large);
    prx_context_destroy(context);
    return 0;
}
