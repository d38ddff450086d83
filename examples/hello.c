/* Where is this tetrahedron, a quarter turn about z and two to the right? */
#include <proxel.h>
#include <stdio.h>

static int complain(const char *call) {
    fprintf(stderr, "%s: %s\n", call, prx_last_error(NULL));
    return 1;
}

int main(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    PrxContext *context;
    PrxMesh mesh;
    PrxBounds box;

    if (prx_context_create(NULL, &context) != PRX_STATUS_OK) return complain("prx_context_create");

    PrxMeshDef def = prx_mesh_def_default();
    def.label = "tetrahedron";
    def.vertex_count = 4;
    def.positions = positions;
    def.triangle_count = 4;
    def.indices = indices;
    if (prx_mesh_create(context, &def, &mesh) != PRX_STATUS_OK) return complain("prx_mesh_create");

    PrxPose pose = prx_pose_identity();
    pose.position[0] = 2;
    pose.rotation[2] = pose.rotation[3] = 0.70710678f;
    if (prx_mesh_bounds(context, mesh, &pose, &box) != PRX_STATUS_OK) return complain("prx_mesh_bounds");
    printf("bounds: (%.3f %.3f %.3f) to (%.3f %.3f %.3f)\n", box.min[0], box.min[1], box.min[2], box.max[0], box.max[1],
           box.max[2]);

    prx_mesh_destroy(context, mesh);
    prx_context_destroy(context);
    return 0;
}
