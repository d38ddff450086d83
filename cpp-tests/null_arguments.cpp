// Every pointer argument of every function is null in turn, with everything else in order.
#include <filesystem>
#include <functional>
#include <random>

#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

PrxFieldDef small_field() {
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 4;
    return def;
}

PrxDebugDraw drawing_lines() {
    PrxDebugDraw draw = prx_debug_draw_default();
    draw.draw_line = [](void*, const float*, const float*, std::uint32_t) {};
    return draw;
}

/// What all calls need, alive and well.
struct World {
    /// Layers that a layered depth image of the cube may have.
    static constexpr std::uint32_t room = 1 << 18;
    Witness witness;
    Engine engine;
    Shape shape = cube();
    PrxContextDef context_def = witness.def();
    PrxVulkanDevice device = engine.handover();
    PrxMeshDef mesh_def = proxel::mesh_def(shape.positions, shape.triangles);
    PrxSubmitDef submit_def = prx_submit_def_default();
    PrxFollowDef follow_def = prx_follow_def_default();
    PrxPose pose = prx_pose_identity();
    PrxDistanceDef distance_def = prx_distance_def_default();
    PrxCullDef cull_def = prx_cull_def_default();
    PrxSweepDef sweep_def = prx_sweep_def_default();
    PrxImpactsDef impacts_def = prx_impacts_def_default();
    PrxNearDef near_def = prx_near_def_default();
    PrxTrackerDef tracker_def = prx_tracker_def_default();
    PrxHierarchyDef hierarchy_def = prx_hierarchy_def_default();
    /// One tetrahedron, and one with a vertex in it.
    float corners[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25f, 0.25f, 0.25f, 5, 0, 0, 5, 1, 0, 5, 0, 1};
    std::uint32_t one_tetrahedron[4] = {0, 1, 2, 3};
    PrxTetrahedralBody tetrahedra[2] = {{corners, one_tetrahedron, 4, 1}, {corners + 12, one_tetrahedron, 4, 1}};
    PrxDebugDraw draw = drawing_lines();
    PrxOverlapDef overlap_def = prx_overlap_def_default();
    PrxProximityDef proximity_def = prx_proximity_def_default();
    PrxPenaltyDef penalty_def = prx_penalty_def_default();
    PrxLdiDef ldi_def = prx_ldi_def_default();
    PrxFieldDef field_def = small_field();
    PrxShape ball = prx_shape_default();
    PrxGrid grid{{0, 0, 0}, 1, {2, 2, 2}, 0};
    std::vector<float> floats = std::vector<float>(24, 1.0f);
    std::vector<std::uint8_t> file;
    std::string path = (std::filesystem::temp_directory_path() / ("proxel-null-" + std::to_string(std::random_device{}()))).string();
    PrxContext* context = nullptr;
    PrxMesh mesh{};
    PrxScene scene{};
    PrxObject object{}, bodies[2]{};
    PrxObjectPair excluded{};
    PrxBodyFilter filter{1, 1};
    PrxBodyPose place{{0, 0, 0}, {0, 0, 0, 1}};
    std::uint64_t users[4 * 8]{};
    PrxSceneContacts touching{};
    PrxPatch patch{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 1, {1, 1, 0}, 4, 4, 0, -1};
    PrxFrictionDef friction_def = prx_friction_def_default();
    PrxTracker tracker{};
    PrxIntersection intersection{};
    PrxFollower follower{};
    PrxHierarchy tree{}, other_tree{};
    PrxField field{}, live{};
    PrxBatch *recording = nullptr, *finished = nullptr;
    PrxTicket bounds{}, clusters{}, samples{}, overlap{}, proximity{}, penalty{}, volume{}, gradients{}, contains{}, layers{}, contacts{}, soft{}, scene_contacts{};
    PrxTicket distance{}, pairs{}, self_pairs{}, shared{}, crossing{}, inside{}, depths{}, scene_pairs{}, exits{};
    PrxTicket sweep{}, impacts{}, free_step{}, near_list{}, safe{}, scene_impacts{}, scene_first{};
    PrxContactsDef contacts_def = prx_contacts_def_default();
    PrxRegionContactsDef region_contacts_def = prx_region_contacts_def_default();
    PrxSoftContactsDef soft_def = prx_soft_contacts_def_default();
    PrxBody body_a = prx_body_default(), body_b = prx_body_default();
    PrxContact last{};

    World() {
        mesh_def.flags = PRX_MESH_DEFORMING;
        CHECK_EQ(prx_context_create(&context_def, &context), PRX_STATUS_OK);
        CHECK_EQ(prx_mesh_create(context, &mesh_def, &mesh), PRX_STATUS_OK);
        CHECK_EQ(prx_scene_create(context, &scene), PRX_STATUS_OK);
        for (int i = 0; i < 2; ++i) CHECK_EQ(prx_scene_add(context, scene, mesh, &pose, &object), PRX_STATUS_OK);
        PrxTracked tracked;
        CHECK_EQ(prx_tracker_create(context, mesh, mesh, &tracker_def, &tracker), PRX_STATUS_OK);
        CHECK_EQ(prx_tracker_step(context, tracker, &pose, &pose, {1000, 1000}, &tracked), PRX_STATUS_OK);
        // Aside, so that the surfaces cross.
        PrxPose aside = pose;
        aside.position[0] += 0.25;
        CHECK_EQ(prx_intersection_create(context, mesh, nullptr, mesh, &aside, &intersection), PRX_STATUS_OK);
        CHECK_EQ(prx_hierarchy_create(context, mesh, &hierarchy_def, &tree), PRX_STATUS_OK);
        CHECK_EQ(prx_hierarchy_create(context, mesh, &hierarchy_def, &other_tree), PRX_STATUS_OK);
        CHECK_EQ(prx_hierarchy_set_targets(context, tree, &mesh, 1), PRX_STATUS_OK);
        CHECK_EQ(prx_hierarchy_set_displacements(context, tree, floats.data(), 1), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_create(context, &recording), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_create(context, &finished), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_bounds(finished, mesh, &pose, &bounds), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_clusters(finished, mesh, &clusters), PRX_STATUS_OK);
        CHECK_EQ(prx_field_from_shape(context, &ball, &field_def, &field), PRX_STATUS_OK);
        CHECK_EQ(prx_field_create_live(context, mesh, &field_def, 0.5f, &live), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_sample(finished, field, nullptr, floats.data(), 2, 12, &samples), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_overlap(finished, field, &pose, mesh, &pose, &overlap_def, &overlap), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_proximity(finished, field, &pose, mesh, &pose, &proximity_def, &proximity), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_penalty(finished, field, &pose, mesh, &pose, &penalty_def, &penalty), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_intersection_volume(finished, mesh, &pose, mesh, &pose, &ldi_def, &volume), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_intersection_gradients(finished, mesh, &pose, mesh, &pose, &ldi_def, &gradients), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_contains(finished, mesh, &pose, floats.data(), 2, 12, &ldi_def, &contains), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_layers(finished, mesh, &pose, &ldi_def, room, &layers), PRX_STATUS_OK);
        body_a.field = field;
        body_b.mesh = mesh;
        CHECK_EQ(prx_batch_contacts(finished, &body_a, &body_b, &contacts_def, &last, 1, &contacts), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_soft_contacts(finished, &body_b, &body_a, 1, &soft_def, corners, 24, &soft), PRX_STATUS_OK);
        CHECK_EQ(prx_scene_add_body(context, scene, &body_a, &filter, &bodies[0]), PRX_STATUS_OK);
        CHECK_EQ(prx_scene_add_body(context, scene, &body_b, &filter, &bodies[1]), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_scene_contacts(finished, scene, &contacts_def, &scene_contacts), PRX_STATUS_OK);
        excluded = {bodies[0], bodies[0]};
        CHECK_EQ(prx_follower_create(context, nullptr, nullptr, &follower), PRX_STATUS_OK);
        std::uint64_t size = 0;
        prx_field_write(context, field, nullptr, 0, &size);
        file.resize(static_cast<std::size_t>(size));
        CHECK_EQ(prx_field_write(context, field, file.data(), size, &size), PRX_STATUS_OK);
        record_exact();
        CHECK_EQ(prx_batch_submit(finished, &submit_def), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_wait(finished, UINT64_MAX), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_scene_contacts_result(finished, scene_contacts, &touching), PRX_STATUS_OK);
    }
    void record_exact() {
        const PrxObjectMove move{object, {0}, pose};
        CHECK_EQ(prx_batch_distance(finished, mesh, &pose, mesh, &pose, &distance_def, &distance), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_pairs(finished, mesh, &pose, mesh, &pose, 0, UINT64_MAX, &pairs), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_self_pairs(finished, mesh, UINT64_MAX, &self_pairs), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_exact_intersection(finished, mesh, &pose, mesh, &pose, &shared), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_intersection(finished, mesh, &pose, mesh, &pose, &crossing), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_tetrahedra_inside(finished, tetrahedra, 2, UINT64_MAX, &inside), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_exits(finished, mesh, &pose, floats.data(), 2, 12, &exits), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_tetrahedra_depths(finished, tetrahedra, 2, UINT64_MAX, &depths), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_scene_pairs(finished, scene, 0, UINT64_MAX, &scene_pairs), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_sweep(finished, mesh, mesh, mesh, mesh, &sweep_def, &sweep), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_impacts(finished, mesh, mesh, mesh, mesh, &impacts_def, &impacts), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_free_step(finished, mesh, mesh, mesh, mesh, &impacts_def, &free_step), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_near(finished, mesh, &pose, mesh, &pose, &near_def, UINT64_MAX, &near_list), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_safe_distances(finished, mesh, &pose, mesh, &pose, &near_def, 0, &safe), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_scene_impacts(finished, scene, &move, 1, &impacts_def, &scene_impacts), PRX_STATUS_OK);
        CHECK_EQ(prx_batch_scene_first_impact(finished, scene, &move, 1, &impacts_def, &scene_first), PRX_STATUS_OK);
    }
    ~World() {
        prx_batch_destroy(recording);
        prx_batch_destroy(finished);
        prx_scene_destroy(context, scene);
        prx_tracker_destroy(context, tracker);
        prx_intersection_destroy(context, intersection);
        prx_follower_destroy(context, follower);
        prx_hierarchy_destroy(context, tree);
        prx_hierarchy_destroy(context, other_tree);
        prx_mesh_destroy(context, mesh);
        prx_field_destroy(context, field);
        prx_field_destroy(context, live);
        std::filesystem::remove(path);
        CHECK_EQ(prx_context_destroy(context), PRX_STATUS_OK);
    }
};

/// Where the outputs of a call go. Room for any; each call gets the part it needs.
struct Outputs {
    PrxContext* context = nullptr;
    PrxBatch* batch = nullptr;
    PrxMesh mesh{};
    PrxField field{};
    PrxFieldInfo field_info{};
    PrxSample samples[2]{};
    PrxOverlap overlap{};
    PrxProximity proximity{};
    PrxPenalty penalty{};
    PrxFollower follower{};
    PrxFollowed followed{};
    PrxAnchor anchor{};
    PrxIntersectionVolume volume{};
    PrxLayersInfo layers_info{};
    float force[3]{}, floats[24]{};
    float fraction = 0;
    PrxTicket ticket{};
    PrxBounds bounds{};
    PrxMeshFacts facts{};
    PrxContextInfo info{};
    PrxContextMemory memory{};
    PrxCluster clusters[4]{};
    PrxContact contacts[32]{};
    PrxSoftContact soft_contacts[64]{};
    PrxPatch patches[8]{};
    PrxManifold manifold{};
    PrxSceneContacts touching{};
    PrxContactPair contact_pairs[4]{};
    PrxGrip grip{};
    PrxPatchFriction friction{};
    PrxDistance distance{};
    PrxExactIntersection shared{};
    PrxIntersection intersection{};
    PrxIntersectionRegion regions[256]{};
    PrxIntersectionCurve curves[256]{};
    PrxCurvePoint curve_points[256]{};
    PrxVertexGradient vertex_gradients[256]{};
    PrxBoundaryVertex boundary_vertices[256]{};
    PrxBoundaryTriangle boundary_triangles[256]{};
    PrxImpact impact{};
    /// A cube against itself: 8 vertices and 12 faces twice, 18 edges and 18 edges.
    static constexpr std::uint64_t most_impacts = 2 * 8 * 12 + 18 * 18;
    PrxFeatureImpact impacts[most_impacts]{};
    PrxSceneImpact scene_impacts[most_impacts]{};
    static constexpr std::uint64_t most_near_pairs = most_impacts;
    PrxNearPair near_pairs[most_near_pairs]{};
    std::uint64_t starts[64]{};
    double distances_per_vertex[64]{};
    double step = 0;
    PrxPair pairs[144]{};
    PrxScenePair scene_pairs[144]{};
    PrxObjectPair object_pairs[1]{};
    PrxScene scene{};
    PrxObject object{};
    PrxTrianglePair self_pairs[4]{}, tree_pairs[144]{};
    PrxTracker tracker{};
    PrxTracked tracked{};
    PrxActivePair active[64]{};
    PrxChance chance{};
    PrxVertexInside inside[8]{};
    PrxVertexDepth depths[8]{};
    PrxHierarchy hierarchy{};
    std::uint32_t numbers[64]{};
    PrxHierarchyChange change{};
    PrxCullStats stats{};
    std::uint64_t count = 0;
    std::vector<char> blob = std::vector<char>(1 << 20);
};

/// What a null in each place must give, in the order of the pointer arguments.
constexpr PrxStatus fine = PRX_STATUS_OK, invalid = PRX_STATUS_INVALID_ARGUMENT, handle = PRX_STATUS_INVALID_HANDLE;

/// A function and what a null in each of its places gives. `call` must pass `at(i, p)` for its i-th pointer.
struct Case {
    const char* name;
    std::vector<PrxStatus> expected;
    std::function<PrxStatus(World&, Outputs&, int null)> call;
};

/// `pointer`, or null when it is this one's turn.
template <typename T>
T* at(int place, int null, T* pointer) {
    return place == null ? nullptr : pointer;
}

/// Destroys the field that a call made, if it did, and passes its status on.
PrxStatus kept(World& world, Outputs& outputs, PrxStatus status) {
    if (status == PRX_STATUS_OK) prx_field_destroy(world.context, outputs.field);
    return status;
}

std::vector<Case> cases() {
    return {
        {"prx_context_create", {fine, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_context_create(at(0, n, &w.context_def), at(1, n, &o.context));
             if (s == PRX_STATUS_OK) prx_context_destroy(o.context);
             return s;
         }},
        {"prx_context_adopt", {fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_context_adopt(at(0, n, &w.context_def), at(1, n, &w.device), at(2, n, &o.context));
             if (s == PRX_STATUS_OK) prx_context_destroy(o.context);
             return s;
         }},
        {"prx_unity_context_create", {fine, invalid},
         [](World& w, Outputs& o, int n) {
             // Unity is not here, which is told after the pointers are looked at.
             const PrxStatus s = prx_unity_context_create(at(0, n, &w.context_def), at(1, n, &o.context));
             return s == PRX_STATUS_WRONG_STATE ? PRX_STATUS_OK : s;
         }},
        {"prx_context_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_context_create(&w.context_def, &o.context) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             return prx_context_destroy(at(0, n, o.context));
         }},
        {"prx_context_wait_idle", {handle}, [](World& w, Outputs&, int n) { return prx_context_wait_idle(at(0, n, w.context)); }},
        {"prx_context_trim", {handle}, [](World& w, Outputs&, int n) { return prx_context_trim(at(0, n, w.context)); }},
        {"prx_context_warm_up", {handle, fine},
         [](World& w, Outputs& o, int n) { return prx_context_warm_up(at(0, n, w.context), 0, at(1, n, o.numbers)); }},
        {"prx_context_cancel", {handle}, [](World& w, Outputs&, int n) { return prx_context_cancel(at(0, n, w.context)); }},
        {"prx_context_set_time_limit", {handle},
         [](World& w, Outputs&, int n) { return prx_context_set_time_limit(at(0, n, w.context), UINT64_MAX); }},
        {"prx_context_pipeline_cache", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_context_pipeline_cache(at(0, n, w.context), at(1, n, o.blob.data()), o.blob.size(), at(2, n, &o.count));
         }},
        {"prx_context_info", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             o.info.size = sizeof o.info;
             return prx_context_info(at(0, n, w.context), at(1, n, &o.info));
         }},
        // Null is found out before it is seen that it is too late for any other.
        {"prx_set_allocator", {invalid},
         [](World&, Outputs&, int n) { return n == 0 ? prx_set_allocator(nullptr) : PRX_STATUS_OK; }},
        {"prx_context_memory", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             o.memory.size = sizeof o.memory;
             return prx_context_memory(at(0, n, w.context), at(1, n, &o.memory));
         }},
        {"prx_mesh_create", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_mesh_create(at(0, n, w.context), at(1, n, &w.mesh_def), at(2, n, &o.mesh));
             if (s == PRX_STATUS_OK) prx_mesh_destroy(w.context, o.mesh);
             return s;
         }},
        {"prx_mesh_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_mesh_create(w.context, &w.mesh_def, &o.mesh) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             return prx_mesh_destroy(at(0, n, w.context), o.mesh);
         }},
        {"prx_mesh_update", {handle, invalid},
         [](World& w, Outputs&, int n) {
             return prx_mesh_update(at(0, n, w.context), w.mesh, 0, 8, at(1, n, w.shape.positions.data()), 12);
         }},
        {"prx_mesh_update_f64", {handle, invalid},
         [](World& w, Outputs&, int n) {
             const std::vector<double> none(24);
             // The mesh is of floats, which refuses doubles when nothing else is wrong.
             const PrxStatus status = prx_mesh_update_f64(at(0, n, w.context), w.mesh, 0, 8, at(1, n, none.data()), 24);
             return status == PRX_STATUS_WRONG_STATE ? PRX_STATUS_OK : status;
         }},
        {"prx_mesh_replace", {handle, invalid},
         [](World& w, Outputs&, int n) {
             PrxMesh own{0};
             if (prx_mesh_create(w.context, &w.mesh_def, &own) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             const PrxStatus s = prx_mesh_replace(at(0, n, w.context), own, at(1, n, &w.mesh_def));
             prx_mesh_destroy(w.context, own);
             return s;
         }},
        {"prx_mesh_facts", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_facts(at(0, n, w.context), w.mesh, PRX_VERTICES_INDEXED, at(1, n, &o.facts));
         }},
        {"prx_mesh_bounds", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_bounds(at(0, n, w.context), w.mesh, at(1, n, &w.pose), at(2, n, &o.bounds));
         }},
        {"prx_mesh_cluster_triangles", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_cluster_triangles(at(0, n, w.context), w.mesh, at(1, n, o.numbers), 64, at(2, n, &o.count));
         }},
        {"prx_mesh_distance", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_distance(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose),
                                      at(3, n, &w.distance_def), at(4, n, &o.distance));
         }},
        {"prx_mesh_exact_intersection", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_exact_intersection(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &o.shared));
         }},
        {"prx_intersection_create", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxStatus s = prx_intersection_create(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &o.intersection));
             if (s == PRX_STATUS_OK) prx_intersection_destroy(w.context, o.intersection);
             return s;
         }},
        {"prx_intersection_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_intersection_create(w.context, w.mesh, nullptr, w.mesh, nullptr, &o.intersection) != PRX_STATUS_OK)
                 return PRX_STATUS_INTERNAL;
             return prx_intersection_destroy(at(0, n, w.context), o.intersection);
         }},
        {"prx_intersection_summary", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_intersection_summary(at(0, n, w.context), w.intersection, at(1, n, &o.shared)); }},
        {"prx_intersection_regions", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_regions(at(0, n, w.context), w.intersection, at(1, n, o.regions), 256, at(2, n, &o.count));
         }},
        {"prx_intersection_contacts", {handle, fine, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_contacts(at(0, n, w.context), w.intersection, at(1, n, &w.region_contacts_def), at(2, n, &w.last), n == 2 ? 0 : 1, at(3, n, &o.manifold), at(4, n, o.contacts), 32, at(5, n, &o.count));
         }},
        {"prx_intersection_patches", {handle, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_patches(at(0, n, w.context), w.intersection, at(1, n, &w.region_contacts_def), at(2, n, &w.last), n == 2 ? 0 : 1, at(3, n, o.patches), 8, at(4, n, &o.count));
         }},
        {"prx_intersection_curves", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_curves(at(0, n, w.context), w.intersection, at(1, n, o.curves), 256, at(2, n, &o.count));
         }},
        {"prx_intersection_curve_points", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_curve_points(at(0, n, w.context), w.intersection, at(1, n, o.curve_points), 256, at(2, n, &o.count));
         }},
        {"prx_intersection_gradients", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_gradients(at(0, n, w.context), w.intersection, at(1, n, o.vertex_gradients), 256, at(2, n, &o.count));
         }},
        {"prx_intersection_boundary_vertices", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_boundary_vertices(at(0, n, w.context), w.intersection, PRX_BOOLEAN_OPERATION_UNION, at(1, n, o.boundary_vertices), 256, at(2, n, &o.count));
         }},
        {"prx_intersection_boundary_triangles", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_intersection_boundary_triangles(at(0, n, w.context), w.intersection, PRX_BOOLEAN_OPERATION_UNION, at(1, n, o.boundary_triangles), 256, at(2, n, &o.count));
         }},
        {"prx_debug_draw_mesh", {handle, fine, invalid},
         [](World& w, Outputs&, int n) { return prx_debug_draw_mesh(at(0, n, w.context), w.mesh, at(1, n, &w.pose), at(2, n, &w.draw)); }},
        {"prx_debug_draw_clusters", {handle, fine, invalid},
         [](World& w, Outputs&, int n) { return prx_debug_draw_clusters(at(0, n, w.context), w.mesh, at(1, n, &w.pose), at(2, n, &w.draw)); }},
        {"prx_debug_draw_hierarchy", {handle, fine, invalid},
         [](World& w, Outputs&, int n) { return prx_debug_draw_hierarchy(at(0, n, w.context), w.mesh, at(1, n, &w.pose), 1, at(2, n, &w.draw)); }},
        {"prx_debug_draw_field", {handle, fine, invalid},
         [](World& w, Outputs&, int n) { return prx_debug_draw_field(at(0, n, w.context), w.field, at(1, n, &w.pose), at(2, n, &w.draw)); }},
        {"prx_debug_draw_field_slice", {handle, fine, invalid},
         [](World& w, Outputs&, int n) {
             return prx_debug_draw_field_slice(at(0, n, w.context), w.field, at(1, n, &w.pose), 0, 0.0f, at(2, n, &w.draw));
         }},
        {"prx_debug_draw_contacts", {handle, invalid, invalid},
         [](World& w, Outputs&, int n) { return prx_debug_draw_contacts(at(0, n, w.context), at(1, n, &w.last), 1, at(2, n, &w.draw)); }},
        {"prx_debug_draw_near", {handle, fine, fine, invalid, invalid},
         [](World& w, Outputs&, int n) {
             const PrxNearPair pair{PRX_IMPACT_KIND_VERTEX_FACE, {0, PRX_NO_INDEX}, {0, PRX_NO_INDEX}, PRX_NEAR_REGION_VERTEX0, PRX_NEAR_REGION_FACE, 0, {0, 0, 1}, 0, 1,
                                    {1, 0.5, 0.25, 0.25}};
             return prx_debug_draw_near(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &pair), 1, at(4, n, &w.draw));
         }},
        {"prx_debug_draw_impacts", {handle, invalid, invalid},
         [](World& w, Outputs&, int n) {
             const PrxFeatureImpact impact{PRX_IMPACT_KIND_START, {0, PRX_NO_INDEX}, {0, PRX_NO_INDEX}, {0, 0, 0}, 0, {0, 0, 0, 0}};
             return prx_debug_draw_impacts(at(0, n, w.context), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &impact), 1, at(2, n, &w.draw));
         }},
        {"prx_debug_draw_regions", {handle, invalid},
         [](World& w, Outputs&, int n) { return prx_debug_draw_regions(at(0, n, w.context), w.intersection, at(1, n, &w.draw)); }},
        {"prx_mesh_distances", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxMeshPair pair{w.mesh, w.mesh, w.pose, w.pose};
             return prx_mesh_distances(at(0, n, w.context), at(1, n, &pair), 1, at(2, n, &w.distance_def), at(3, n, &o.distance));
         }},
        {"prx_mesh_pairs", {handle, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_pairs(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), 0.0,
                                   at(3, n, o.pairs), 144, at(4, n, &o.count));
         }},
        {"prx_mesh_self_pairs", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_self_pairs(at(0, n, w.context), w.mesh, at(1, n, o.self_pairs), 4, at(2, n, &o.count));
         }},
        {"prx_scene_create", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_scene_create(at(0, n, w.context), at(1, n, &o.scene));
             if (s == PRX_STATUS_OK) prx_scene_destroy(w.context, o.scene);
             return s;
         }},
        {"prx_scene_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_scene_create(w.context, &o.scene) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             return prx_scene_destroy(at(0, n, w.context), o.scene);
         }},
        {"prx_scene_add", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_scene_add(at(0, n, w.context), w.scene, w.mesh, at(1, n, &w.pose), at(2, n, &o.object));
             if (s == PRX_STATUS_OK) prx_scene_remove(w.context, w.scene, o.object);
             return s;
         }},
        {"prx_scene_move", {handle, invalid, invalid},
         [](World& w, Outputs&, int n) {
             return prx_scene_move(at(0, n, w.context), w.scene, at(1, n, &w.object), at(2, n, &w.pose), 1);
         }},
        {"prx_scene_remove", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_scene_add(w.context, w.scene, w.mesh, nullptr, &o.object) != PRX_STATUS_OK)
                 return PRX_STATUS_INTERNAL;
             return prx_scene_remove(at(0, n, w.context), w.scene, o.object);
         }},
        {"prx_scene_object_pairs", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_scene_object_pairs(at(0, n, w.context), w.scene, 0.0, at(1, n, o.object_pairs), 1, at(2, n, &o.count));
         }},
        {"prx_scene_pairs", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_scene_pairs(at(0, n, w.context), w.scene, 0.0, at(1, n, o.scene_pairs), 144, at(2, n, &o.count));
         }},
        {"prx_mesh_pairs_culled", {handle, fine, fine, fine, invalid, invalid, fine},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_pairs_culled(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), 0.0,
                                          at(3, n, &w.cull_def), at(4, n, o.pairs), 144, at(5, n, &o.count),
                                          at(6, n, &o.stats));
         }},
        {"prx_scene_colliding", {handle, fine, invalid, invalid, fine},
         [](World& w, Outputs& o, int n) {
             return prx_scene_colliding(at(0, n, w.context), w.scene, 0.0, at(1, n, &w.cull_def), at(2, n, o.object_pairs), 1,
                                        at(3, n, &o.count), at(4, n, &o.stats));
         }},
        {"prx_scene_pairs_culled", {handle, fine, invalid, invalid, fine},
         [](World& w, Outputs& o, int n) {
             return prx_scene_pairs_culled(at(0, n, w.context), w.scene, 0.0, at(1, n, &w.cull_def), at(2, n, o.scene_pairs), 144,
                                           at(3, n, &o.count), at(4, n, &o.stats));
         }},
        {"prx_mesh_sweep", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_sweep(at(0, n, w.context), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &w.sweep_def),
                                   at(2, n, &o.impact));
         }},
        {"prx_mesh_sweep_self", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_sweep_self(at(0, n, w.context), w.mesh, w.mesh, at(1, n, &w.sweep_def), at(2, n, &o.impact));
         }},
        {"prx_mesh_sweep_poses", {handle, fine, fine, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_sweep_poses(at(0, n, w.context), w.mesh, at(1, n, &w.pose), at(2, n, &w.pose), w.mesh,
                                         at(3, n, &w.pose), at(4, n, &w.pose), at(5, n, &w.sweep_def), at(6, n, &o.impact));
         }},
        {"prx_mesh_impacts", {handle, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_impacts(at(0, n, w.context), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &w.impacts_def),
                                     at(2, n, o.impacts), Outputs::most_impacts, at(3, n, &o.count));
         }},
        {"prx_mesh_impacts_self", {handle, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_impacts_self(at(0, n, w.context), w.mesh, w.mesh, at(1, n, &w.impacts_def), at(2, n, o.impacts),
                                          Outputs::most_impacts, at(3, n, &o.count));
         }},
        {"prx_scene_impacts", {handle, invalid, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxObjectMove move{w.object, {0}, w.pose};
             return prx_scene_impacts(at(0, n, w.context), w.scene, at(1, n, &move), 1, at(2, n, &w.impacts_def),
                                      at(3, n, o.scene_impacts), Outputs::most_impacts, at(4, n, &o.count));
         }},
        {"prx_scene_first_impact", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxObjectMove move{w.object, {0}, w.pose};
             return prx_scene_first_impact(at(0, n, w.context), w.scene, at(1, n, &move), 1, at(2, n, &w.impacts_def),
                                           at(3, n, o.scene_impacts));
         }},
        {"prx_scene_free_step", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxObjectMove move{w.object, {0}, w.pose};
             return prx_scene_free_step(at(0, n, w.context), w.scene, at(1, n, &move), 1, at(2, n, &w.impacts_def), at(3, n, &o.step));
         }},
        {"prx_mesh_near", {handle, fine, fine, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_near(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.near_def),
                                  at(4, n, o.near_pairs), Outputs::most_near_pairs, at(5, n, &o.count));
         }},
        {"prx_mesh_near_self", {handle, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_near_self(at(0, n, w.context), w.mesh, at(1, n, &w.near_def), at(2, n, o.near_pairs),
                                       Outputs::most_near_pairs, at(3, n, &o.count));
         }},
        {"prx_mesh_near_per_vertex", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_near_per_vertex(at(0, n, w.context), w.mesh, PRX_NEAR_SIDE_BOTH, at(1, n, o.near_pairs), 0,
                                             at(2, n, o.starts), at(3, n, o.distances_per_vertex), nullptr, 0, at(4, n, &o.count));
         }},
        {"prx_mesh_safe_distances", {handle, fine, fine, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_safe_distances(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose),
                                            at(3, n, &w.near_def), 0.0, at(4, n, o.distances_per_vertex),
                                            std::size(o.distances_per_vertex), at(5, n, &o.count));
         }},
        {"prx_mesh_safe_distances_self", {handle, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_safe_distances_self(at(0, n, w.context), w.mesh, at(1, n, &w.near_def), 0.0,
                                                 at(2, n, o.distances_per_vertex), std::size(o.distances_per_vertex),
                                                 at(3, n, &o.count));
         }},
        {"prx_mesh_free_step", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_free_step(at(0, n, w.context), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &w.impacts_def),
                                       at(2, n, &o.step));
         }},
        {"prx_mesh_free_step_self", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_free_step_self(at(0, n, w.context), w.mesh, w.mesh, at(1, n, &w.impacts_def), at(2, n, &o.step));
         }},
        {"prx_tracker_create", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxStatus s = prx_tracker_create(at(0, n, w.context), w.mesh, w.mesh, at(1, n, &w.tracker_def), at(2, n, &o.tracker));
             if (s == PRX_STATUS_OK) prx_tracker_destroy(w.context, o.tracker);
             return s;
         }},
        {"prx_tracker_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_tracker_create(w.context, w.mesh, w.mesh, nullptr, &o.tracker) != PRX_STATUS_OK)
                 return PRX_STATUS_INTERNAL;
             return prx_tracker_destroy(at(0, n, w.context), o.tracker);
         }},
        {"prx_tracker_step", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_tracker_step(at(0, n, w.context), w.tracker, at(1, n, &w.pose), at(2, n, &w.pose), {100, 100},
                                     at(3, n, &o.tracked));
         }},
        {"prx_tracker_pairs", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_tracker_pairs(at(0, n, w.context), w.tracker, at(1, n, o.active), 64, at(2, n, &o.count));
         }},
        {"prx_tracker_collisions", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_tracker_collisions(at(0, n, w.context), w.tracker, at(1, n, o.active), 64, at(2, n, &o.count));
         }},
        {"prx_mesh_collision_chance", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_collision_chance(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), 0.5,
                                              {100, 100}, at(3, n, &o.chance));
         }},
        {"prx_tetrahedra_inside", {handle, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_tetrahedra_inside(at(0, n, w.context), at(1, n, w.tetrahedra), 2, at(2, n, o.inside), 8, at(3, n, &o.count));
         }},
        {"prx_tetrahedra_depths", {handle, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_tetrahedra_depths(at(0, n, w.context), at(1, n, w.tetrahedra), 2, at(2, n, o.depths), 8, at(3, n, &o.count));
         }},
        {"prx_hierarchy_create", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxStatus s = prx_hierarchy_create(at(0, n, w.context), w.mesh, at(1, n, &w.hierarchy_def), at(2, n, &o.hierarchy));
             if (s == PRX_STATUS_OK) prx_hierarchy_destroy(w.context, o.hierarchy);
             return s;
         }},
        {"prx_hierarchy_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_hierarchy_create(w.context, w.mesh, nullptr, &o.hierarchy) != PRX_STATUS_OK)
                 return PRX_STATUS_INTERNAL;
             return prx_hierarchy_destroy(at(0, n, w.context), o.hierarchy);
         }},
        {"prx_hierarchy_update", {handle, fine},
         [](World& w, Outputs& o, int n) { return prx_hierarchy_update(at(0, n, w.context), w.tree, at(1, n, &o.change)); }},
        {"prx_hierarchy_set_targets", {handle, invalid},
         [](World& w, Outputs&, int n) { return prx_hierarchy_set_targets(at(0, n, w.context), w.tree, at(1, n, &w.mesh), 1); }},
        {"prx_hierarchy_blend", {handle, invalid},
         [](World& w, Outputs&, int n) { return prx_hierarchy_blend(at(0, n, w.context), w.tree, at(1, n, w.floats.data()), 1); }},
        {"prx_hierarchy_set_displacements", {handle, invalid},
         [](World& w, Outputs&, int n) {
             return prx_hierarchy_set_displacements(at(0, n, w.context), w.tree, at(1, n, w.floats.data()), 1);
         }},
        {"prx_hierarchy_deform", {handle, invalid},
         [](World& w, Outputs&, int n) { return prx_hierarchy_deform(at(0, n, w.context), w.tree, at(1, n, w.floats.data()), 1); }},
        {"prx_hierarchy_pairs", {handle, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_hierarchy_pairs(at(0, n, w.context), w.tree, at(1, n, &w.pose), w.other_tree, at(2, n, &w.pose),
                                        at(3, n, o.tree_pairs), 144, at(4, n, &o.count));
         }},
        {"prx_batch_create", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_batch_create(at(0, n, w.context), at(1, n, &o.batch));
             if (s == PRX_STATUS_OK) prx_batch_destroy(o.batch);
             return s;
         }},
        {"prx_batch_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_batch_create(w.context, &o.batch) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             return prx_batch_destroy(at(0, n, o.batch));
         }},
        {"prx_batch_bounds", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_bounds(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), at(2, n, &o.ticket));
         }},
        {"prx_batch_clusters", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_batch_clusters(at(0, n, w.recording), w.mesh, at(1, n, &o.ticket)); }},
        {"prx_batch_submit", {handle, fine},
         [](World& w, Outputs&, int n) {
             PrxStatus s = prx_batch_submit(at(0, n, w.finished), at(1, n, &w.submit_def));
             prx_batch_wait(w.finished, UINT64_MAX);
             return s;
         }},
        {"prx_batch_poll", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_batch_poll(at(0, n, w.finished), at(1, n, o.numbers)); }},
        {"prx_batch_wait", {handle}, [](World& w, Outputs&, int n) { return prx_batch_wait(at(0, n, w.finished), UINT64_MAX); }},
        {"prx_batch_bounds_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_bounds_result(at(0, n, w.finished), w.bounds, at(1, n, &o.bounds));
         }},
        {"prx_batch_clusters_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_clusters_result(at(0, n, w.finished), w.clusters, at(1, n, o.clusters), 4, at(2, n, &o.count));
         }},
        {"prx_batch_distance", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_distance(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.distance_def), at(4, n, &o.ticket));
         }},
        {"prx_batch_distance_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_distance_result(at(0, n, w.finished), w.distance, at(1, n, &o.distance));
         }},
        {"prx_batch_pairs", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_pairs(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), 0, UINT64_MAX, at(3, n, &o.ticket));
         }},
        {"prx_batch_pairs_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_pairs_result(at(0, n, w.finished), w.pairs, at(1, n, o.pairs), 144, at(2, n, &o.count));
         }},
        {"prx_batch_self_pairs", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_self_pairs(at(0, n, w.recording), w.mesh, UINT64_MAX, at(1, n, &o.ticket));
         }},
        {"prx_batch_self_pairs_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_self_pairs_result(at(0, n, w.finished), w.self_pairs, at(1, n, o.self_pairs), 4, at(2, n, &o.count));
         }},
        {"prx_batch_exact_intersection", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_exact_intersection(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &o.ticket));
         }},
        {"prx_batch_exact_intersection_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_exact_intersection_result(at(0, n, w.finished), w.shared, at(1, n, &o.shared));
         }},
        {"prx_batch_intersection", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_intersection(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &o.ticket));
         }},
        {"prx_batch_intersection_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxStatus s = prx_batch_intersection_result(at(0, n, w.finished), w.crossing, at(1, n, &o.intersection));
             if (s == PRX_STATUS_OK) prx_intersection_destroy(w.context, o.intersection);
             return s;
         }},
        {"prx_batch_tetrahedra_inside", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_tetrahedra_inside(at(0, n, w.recording), at(1, n, w.tetrahedra), 2, UINT64_MAX, at(2, n, &o.ticket));
         }},
        {"prx_batch_tetrahedra_inside_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_tetrahedra_inside_result(at(0, n, w.finished), w.inside, at(1, n, o.inside), 8, at(2, n, &o.count));
         }},
        {"prx_batch_tetrahedra_depths", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_tetrahedra_depths(at(0, n, w.recording), at(1, n, w.tetrahedra), 2, UINT64_MAX, at(2, n, &o.ticket));
         }},
        {"prx_batch_tetrahedra_depths_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_tetrahedra_depths_result(at(0, n, w.finished), w.depths, at(1, n, o.depths), 8, at(2, n, &o.count));
         }},
        {"prx_batch_scene_pairs", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_scene_pairs(at(0, n, w.recording), w.scene, 0, UINT64_MAX, at(1, n, &o.ticket));
         }},
        {"prx_batch_scene_pairs_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_scene_pairs_result(at(0, n, w.finished), w.scene_pairs, at(1, n, o.scene_pairs), 144, at(2, n, &o.count));
         }},
        {"prx_batch_sweep", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_sweep(at(0, n, w.recording), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &w.sweep_def), at(2, n, &o.ticket));
         }},
        {"prx_batch_sweep_self", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_sweep_self(at(0, n, w.recording), w.mesh, w.mesh, at(1, n, &w.sweep_def), at(2, n, &o.ticket));
         }},
        {"prx_batch_sweep_poses", {handle, fine, fine, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_sweep_poses(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), at(2, n, &w.pose), w.mesh, at(3, n, &w.pose), at(4, n, &w.pose), at(5, n, &w.sweep_def), at(6, n, &o.ticket));
         }},
        {"prx_batch_sweep_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_sweep_result(at(0, n, w.finished), w.sweep, at(1, n, &o.impact));
         }},
        {"prx_batch_impacts", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_impacts(at(0, n, w.recording), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &w.impacts_def), at(2, n, &o.ticket));
         }},
        {"prx_batch_impacts_self", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_impacts_self(at(0, n, w.recording), w.mesh, w.mesh, at(1, n, &w.impacts_def), at(2, n, &o.ticket));
         }},
        {"prx_batch_impacts_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_impacts_result(at(0, n, w.finished), w.impacts, at(1, n, o.impacts), Outputs::most_impacts, at(2, n, &o.count));
         }},
        {"prx_batch_free_step", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_free_step(at(0, n, w.recording), w.mesh, w.mesh, w.mesh, w.mesh, at(1, n, &w.impacts_def), at(2, n, &o.ticket));
         }},
        {"prx_batch_free_step_self", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_free_step_self(at(0, n, w.recording), w.mesh, w.mesh, at(1, n, &w.impacts_def), at(2, n, &o.ticket));
         }},
        {"prx_batch_free_step_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_free_step_result(at(0, n, w.finished), w.free_step, at(1, n, &o.step));
         }},
        {"prx_batch_near", {handle, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_near(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.near_def), UINT64_MAX, at(4, n, &o.ticket));
         }},
        {"prx_batch_near_self", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_near_self(at(0, n, w.recording), w.mesh, at(1, n, &w.near_def), UINT64_MAX, at(2, n, &o.ticket));
         }},
        {"prx_batch_near_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_near_result(at(0, n, w.finished), w.near_list, at(1, n, o.near_pairs), Outputs::most_near_pairs, at(2, n, &o.count));
         }},
        {"prx_batch_safe_distances", {handle, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_safe_distances(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.near_def), 0, at(4, n, &o.ticket));
         }},
        {"prx_batch_safe_distances_self", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_safe_distances_self(at(0, n, w.recording), w.mesh, at(1, n, &w.near_def), 0, at(2, n, &o.ticket));
         }},
        {"prx_batch_safe_distances_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_safe_distances_result(at(0, n, w.finished), w.safe, at(1, n, o.distances_per_vertex), 64, at(2, n, &o.count));
         }},
        {"prx_batch_scene_impacts", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxObjectMove move{w.object, {0}, w.pose};
             return prx_batch_scene_impacts(at(0, n, w.recording), w.scene, at(1, n, &move), 1, at(2, n, &w.impacts_def), at(3, n, &o.ticket));
         }},
        {"prx_batch_scene_impacts_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_scene_impacts_result(at(0, n, w.finished), w.scene_impacts, at(1, n, o.scene_impacts), Outputs::most_impacts, at(2, n, &o.count));
         }},
        {"prx_batch_scene_first_impact", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxObjectMove move{w.object, {0}, w.pose};
             return prx_batch_scene_first_impact(at(0, n, w.recording), w.scene, at(1, n, &move), 1, at(2, n, &w.impacts_def), at(3, n, &o.ticket));
         }},
        {"prx_batch_scene_first_impact_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_scene_first_impact_result(at(0, n, w.finished), w.scene_first, at(1, n, o.scene_impacts));
         }},
        {"prx_field_bake", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return kept(w, o, prx_field_bake(at(0, n, w.context), w.mesh, at(1, n, &w.field_def), at(2, n, &o.field)));
         }},
        {"prx_field_create_live", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return kept(w, o, prx_field_create_live(at(0, n, w.context), w.mesh, at(1, n, &w.field_def), 0.5f, at(2, n, &o.field)));
         }},
        {"prx_batch_rebake", {handle},
         [](World& w, Outputs&, int n) { return prx_batch_rebake(at(0, n, w.recording), w.live); }},
        {"prx_field_progress", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_field_progress(at(0, n, w.context), w.field, at(1, n, &o.fraction), at(2, n, o.numbers));
         }},
        {"prx_field_wait", {handle}, [](World& w, Outputs&, int n) { return prx_field_wait(at(0, n, w.context), w.field, 0); }},
        {"prx_field_cancel", {handle}, [](World& w, Outputs&, int n) { return prx_field_cancel(at(0, n, w.context), w.field); }},
        {"prx_field_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_field_from_shape(w.context, &w.ball, &w.field_def, &o.field) != PRX_STATUS_OK)
                 return PRX_STATUS_INTERNAL;
             return prx_field_destroy(at(0, n, w.context), o.field);
         }},
        {"prx_field_info", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_field_info(at(0, n, w.context), w.field, at(1, n, &o.field_info)); }},
        {"prx_field_from_samples", {handle, invalid, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return kept(w, o, prx_field_from_samples(at(0, n, w.context), at(1, n, &w.grid), at(2, n, w.floats.data()),
                                                      at(3, n, w.floats.data()), 0, PRX_PRECISION_F32, at(4, n, &o.field)));
         }},
        {"prx_field_from_shape", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return kept(w, o, prx_field_from_shape(at(0, n, w.context), at(1, n, &w.ball), at(2, n, &w.field_def),
                                                    at(3, n, &o.field)));
         }},
        {"prx_field_write", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_field_write(at(0, n, w.context), w.field, at(1, n, o.blob.data()), o.blob.size(), at(2, n, &o.count));
         }},
        {"prx_field_read", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return kept(w, o, prx_field_read(at(0, n, w.context), at(1, n, w.file.data()), w.file.size(), at(2, n, &o.field)));
         }},
        {"prx_field_save", {handle, invalid},
         [](World& w, Outputs&, int n) { return prx_field_save(at(0, n, w.context), w.field, at(1, n, w.path.c_str())); }},
        {"prx_field_load", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return kept(w, o, prx_field_load(at(0, n, w.context), at(1, n, w.path.c_str()), at(2, n, &o.field)));
         }},
        {"prx_field_sample", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_field_sample(at(0, n, w.context), w.field, nullptr, at(1, n, w.floats.data()), 2, 12, at(2, n, o.samples));
         }},
        {"prx_batch_overlap", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_overlap(at(0, n, w.recording), w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose),
                                      at(3, n, &w.overlap_def), at(4, n, &o.ticket));
         }},
        {"prx_batch_overlap_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_overlap_result(at(0, n, w.finished), w.overlap, at(1, n, &o.overlap));
         }},
        {"prx_field_overlap", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_field_overlap(at(0, n, w.context), w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose),
                                      at(3, n, &w.overlap_def), at(4, n, &o.overlap));
         }},
        {"prx_batch_sample", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_sample(at(0, n, w.recording), w.field, nullptr, at(1, n, w.floats.data()), 2, 12, at(2, n, &o.ticket));
         }},
        {"prx_batch_sample_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_sample_result(at(0, n, w.finished), w.samples, at(1, n, o.samples), 2, at(2, n, &o.count));
         }},
        {"prx_batch_proximity", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_proximity(at(0, n, w.recording), w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.proximity_def), at(4, n, &o.ticket));
         }},
        {"prx_batch_proximity_result", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_batch_proximity_result(at(0, n, w.finished), w.proximity, at(1, n, &o.proximity)); }},
        {"prx_field_proximity", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_field_proximity(at(0, n, w.context), w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.proximity_def), at(4, n, &o.proximity));
         }},
        {"prx_batch_penalty", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_penalty(at(0, n, w.recording), w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.penalty_def), at(4, n, &o.ticket));
         }},
        {"prx_batch_penalty_result", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_batch_penalty_result(at(0, n, w.finished), w.penalty, at(1, n, &o.penalty)); }},
        {"prx_field_penalty", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_field_penalty(at(0, n, w.context), w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.penalty_def), at(4, n, &o.penalty));
         }},
        {"prx_mesh_proximity", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_proximity(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &o.proximity));
         }},
        {"prx_follower_create", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxStatus s = prx_follower_create(at(0, n, w.context), at(1, n, &w.proximity_def), at(2, n, &w.penalty_def), at(3, n, &o.follower));
             if (s == PRX_STATUS_OK) prx_follower_destroy(w.context, o.follower);
             return s;
         }},
        {"prx_follower_destroy", {handle},
         [](World& w, Outputs& o, int n) {
             if (n < 0 && prx_follower_create(w.context, nullptr, nullptr, &o.follower) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             return prx_follower_destroy(at(0, n, w.context), o.follower);
         }},
        {"prx_follower_ask", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_follower_ask(at(0, n, w.context), w.follower, w.field, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose),
                                     at(3, n, &w.follow_def), at(4, n, &o.followed));
         }},
        {"prx_patch_friction", {invalid, invalid, invalid, invalid, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_patch_friction(at(0, n, &w.body_a), at(1, n, &w.body_b), at(2, n, &w.patch), at(3, n, &w.friction_def), at(4, n, &o.grip),
                                       at(5, n, &o.friction));
         }},
        {"prx_scene_add_body", {handle, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             PrxStatus s = prx_scene_add_body(at(0, n, w.context), w.scene, at(1, n, &w.body_b), at(2, n, &w.filter), at(3, n, &o.object));
             if (s == PRX_STATUS_OK) prx_scene_remove(w.context, w.scene, o.object);
             return s;
         }},
        {"prx_scene_set_body", {handle, invalid, fine},
         [](World& w, Outputs&, int n) {
             return prx_scene_set_body(at(0, n, w.context), w.scene, w.bodies[0], at(1, n, &w.body_a), at(2, n, &w.filter));
         }},
        {"prx_scene_move_bodies", {handle, invalid, invalid},
         [](World& w, Outputs&, int n) {
             return prx_scene_move_bodies(at(0, n, w.context), w.scene, at(1, n, w.bodies), at(2, n, &w.place), 1);
         }},
        {"prx_scene_exclude", {handle, invalid},
         [](World& w, Outputs&, int n) { return prx_scene_exclude(at(0, n, w.context), w.scene, at(1, n, &w.excluded), 1); }},
        // Before the next, whose answer comes later.
        {"prx_batch_scene_contacts_result", {handle, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_scene_contacts_result(at(0, n, w.finished), w.scene_contacts, at(1, n, &o.touching));
         }},
        {"prx_scene_contacts", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             const PrxStatus s = prx_scene_contacts(at(0, n, w.context), w.scene, at(1, n, &w.contacts_def), at(2, n, &o.touching));
             if (s == PRX_STATUS_OK) w.touching = o.touching;
             return s;
         }},
        {"prx_batch_scene_contacts", {handle, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_scene_contacts(at(0, n, w.recording), w.scene, at(1, n, &w.contacts_def), at(2, n, &o.ticket));
         }},
        {"prx_scene_contact_pairs", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_scene_contact_pairs(at(0, n, w.context), w.scene, at(1, n, o.contact_pairs), 4, at(2, n, &o.count));
         }},
        {"prx_scene_contact_points", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_scene_contact_points(at(0, n, w.context), w.scene, at(1, n, o.contacts), 32, at(2, n, &o.count));
         }},
        {"prx_scene_contact_patches", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_scene_contact_patches(at(0, n, w.context), w.scene, at(1, n, o.patches), 8, at(2, n, &o.count));
         }},
        {"prx_scene_contacts_ended", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_scene_contacts_ended(at(0, n, w.context), w.scene, at(1, n, o.numbers), 64, at(2, n, &o.count));
         }},
        {"prx_scene_set_users", {handle, invalid},
         [](World& w, Outputs&, int n) {
             return prx_scene_set_users(at(0, n, w.context), w.scene, at(1, n, w.users), w.touching.contacts);
         }},
        {"prx_static_friction", {invalid, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_static_friction(at(0, n, &o.penalty), at(1, n, &w.pose), at(2, n, &w.pose), 0.5f, 1.0f, at(3, n, &o.anchor), at(4, n, o.force));
         }},
        {"prx_batch_intersection_volume", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_intersection_volume(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.ldi_def), at(4, n, &o.ticket));
         }},
        {"prx_batch_intersection_volume_result", {handle, invalid, fine},
         [](World& w, Outputs& o, int n) {
             return prx_batch_intersection_volume_result(at(0, n, w.finished), w.volume, at(1, n, &o.volume), at(2, n, &o.count));
         }},
        {"prx_mesh_intersection_volume", {handle, fine, fine, fine, invalid, fine},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_intersection_volume(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.ldi_def), at(4, n, &o.volume),
                                    at(5, n, &o.count));
         }},
        {"prx_batch_intersection_gradients", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_intersection_gradients(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.ldi_def),
                                               at(4, n, &o.ticket));
         }},
        {"prx_batch_intersection_gradients_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_intersection_gradients_result(at(0, n, w.finished), w.gradients, 0, at(1, n, o.floats), 24, at(2, n, &o.count));
         }},
        {"prx_mesh_intersection_gradients", {handle, fine, fine, fine, fine, fine},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_intersection_gradients(at(0, n, w.context), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose), at(3, n, &w.ldi_def),
                                              at(4, n, o.floats), at(5, n, o.floats));
         }},
        {"prx_batch_contains", {handle, fine, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_contains(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), at(2, n, w.floats.data()), 2, 12, at(3, n, &w.ldi_def),
                                       at(4, n, &o.ticket));
         }},
        {"prx_batch_contains_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_contains_result(at(0, n, w.finished), w.contains, at(1, n, o.numbers), 64, at(2, n, &o.count));
         }},
        {"prx_mesh_contains", {handle, fine, invalid, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_mesh_contains(at(0, n, w.context), w.mesh, at(1, n, &w.pose), at(2, n, w.floats.data()), 2, 12, at(3, n, &w.ldi_def),
                                      at(4, n, o.numbers));
         }},
        {"prx_batch_layers", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_layers(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), at(2, n, &w.ldi_def), World::room, at(3, n, &o.ticket));
         }},
        {"prx_batch_intersection_layers", {handle, fine, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_intersection_layers(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), w.mesh, at(2, n, &w.pose),
                                                  at(3, n, &w.ldi_def), World::room, at(4, n, &o.ticket));
         }},
        {"prx_mesh_exits", {handle, fine, invalid, invalid},
         [](World& w, Outputs&, int n) {
             PrxExit exits[2];
             return prx_mesh_exits(at(0, n, w.context), w.mesh, at(1, n, &w.pose), at(2, n, w.floats.data()), 2, 12, at(3, n, exits));
         }},
        {"prx_batch_exits", {handle, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_exits(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), at(2, n, w.floats.data()), 2, 12, at(3, n, &o.ticket));
         }},
        {"prx_batch_exits_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             PrxExit exits[2];
             return prx_batch_exits_result(at(0, n, w.finished), w.exits, at(1, n, exits), 2, at(2, n, &o.count));
         }},
        {"prx_batch_self_overlaps", {handle, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_self_overlaps(at(0, n, w.recording), w.mesh, at(1, n, &w.pose), at(2, n, &w.ldi_def), World::room, at(3, n, &o.ticket));
         }},
        {"prx_batch_layers_result", {handle, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             std::vector<PrxLayer> out(World::room);
             return prx_batch_layers_result(at(0, n, w.finished), w.layers, at(1, n, &o.layers_info), at(2, n, out.data()), out.size(), at(3, n, &o.count));
         }},
        {"prx_batch_contacts", {handle, invalid, invalid, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_contacts(at(0, n, w.recording), at(1, n, &w.body_a), at(2, n, &w.body_b), at(3, n, &w.contacts_def), at(4, n, &w.last), n == 4 ? 0 : 1, at(5, n, &o.ticket));
         }},
        {"prx_batch_contacts_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_contacts_result(at(0, n, w.finished), w.contacts, at(1, n, o.contacts), 32, at(2, n, &o.count));
         }},
        {"prx_batch_contacts_patches", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_contacts_patches(at(0, n, w.finished), w.contacts, at(1, n, o.patches), 8, at(2, n, &o.count));
         }},
        {"prx_batch_contacts_ended", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_contacts_ended(at(0, n, w.finished), w.contacts, at(1, n, o.numbers), 64, at(2, n, &o.count));
         }},
        {"prx_batch_contacts_manifold", {handle, invalid},
         [](World& w, Outputs& o, int n) { return prx_batch_contacts_manifold(at(0, n, w.finished), w.contacts, at(1, n, &o.manifold)); }},
        {"prx_body_contacts", {handle, invalid, invalid, fine, fine, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_body_contacts(at(0, n, w.context), at(1, n, &w.body_a), at(2, n, &w.body_b), at(3, n, &w.contacts_def), at(4, n, &w.last), n == 4 ? 0 : 1, at(5, n, &o.manifold), at(6, n, o.contacts), 32, at(7, n, &o.count));
         }},
        {"prx_batch_soft_contacts", {handle, invalid, invalid, fine, fine, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_soft_contacts(at(0, n, w.recording), at(1, n, &w.body_b), at(2, n, &w.body_a), 1, at(3, n, &w.soft_def), at(4, n, w.corners), n == 4 ? 0 : 24, at(5, n, &o.ticket));
         }},
        {"prx_batch_soft_contacts_result", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_soft_contacts_result(at(0, n, w.finished), w.soft, at(1, n, o.soft_contacts), 64, at(2, n, &o.count));
         }},
        {"prx_batch_soft_contacts_forces", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_batch_soft_contacts_forces(at(0, n, w.finished), w.soft, at(1, n, o.floats), 24, at(2, n, &o.count));
         }},
        {"prx_body_soft_contacts", {handle, invalid, invalid, fine, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             return prx_body_soft_contacts(at(0, n, w.context), at(1, n, &w.body_b), at(2, n, &w.body_a), 1, at(3, n, &w.soft_def), at(4, n, o.soft_contacts), 64, at(5, n, &o.count));
         }},
        {"prx_batch_output", {handle, invalid},
         [](World& w, Outputs&, int n) {
             // The batch is never submitted, so that no buffer is needed. The host device takes none.
             PrxTicket ticket{};
             if (prx_batch_bounds(w.recording, w.mesh, nullptr, &ticket) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             PrxBufferOutput output = prx_buffer_output_default();
             output.vk_buffer = 1;
             output.vk_buffer_size = 1024;
             output.vk_buffer_usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
             output.capacity = 1;
             output.record_size = sizeof(PrxBounds);
             const PrxStatus status = prx_batch_output(at(0, n, w.recording), ticket, at(1, n, &output));
             return n < 0 && status == PRX_STATUS_UNSUPPORTED ? PRX_STATUS_OK : status;
         }},
        {"prx_batch_input", {handle, invalid},
         [](World& w, Outputs&, int n) {
             // As above.
             PrxTicket ticket{};
             if (prx_batch_sample(w.recording, w.field, nullptr, w.floats.data(), 2, 12, &ticket) != PRX_STATUS_OK) return PRX_STATUS_INTERNAL;
             PrxBufferInput input = prx_buffer_input_default();
             input.vk_buffer = 1;
             input.vk_buffer_size = 24;
             input.vk_buffer_usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
             const PrxStatus status = prx_batch_input(at(0, n, w.recording), ticket, at(1, n, &input));
             return n < 0 && status == PRX_STATUS_UNSUPPORTED ? PRX_STATUS_OK : status;
         }},
        {"prx_batch_output_result", {handle, invalid},
         [](World& w, Outputs&, int n) {
             // What goes well is in zero_copy.cpp: it takes a buffer of the device.
             PrxOutputHead head{};
             return n < 0 ? PRX_STATUS_OK : prx_batch_output_result(at(0, n, w.finished), w.bounds, 0, at(1, n, &head));
         }},
        {"prx_batch_timings", {handle, invalid, invalid},
         [](World& w, Outputs& o, int n) {
             // What goes well is in names.cpp: some devices have no timestamps.
             PrxTiming timing{};
             const PrxStatus status = prx_batch_timings(at(0, n, w.finished), at(1, n, &timing), 1, at(2, n, &o.count));
             return n < 0 && status == PRX_STATUS_WRONG_STATE ? PRX_STATUS_OK : status;
         }},
        {"prx_batch_reset", {handle}, [](World& w, Outputs&, int n) { return prx_batch_reset(at(0, n, w.recording)); }},
    };
}

TEST_CASE("null arguments") {
    World world;
    for (const Case& c : cases()) {
        for (int null = -1; null < static_cast<int>(c.expected.size()); ++null) {
            Outputs outputs;
            const PrxStatus status = c.call(world, outputs, null);
            const PrxStatus expected = null < 0 ? fine : c.expected[static_cast<std::size_t>(null)];
            CHECK_MESSAGE(status == expected, c.name, " with pointer ", null, " null gave ", prx_status_name(status), ", not ",
                          prx_status_name(expected), ": ", prx_last_error(nullptr));
            if (expected != fine) CHECK(contains(prx_last_error(nullptr), "null"));
        }
    }
    // The only function that takes null for what it is about.
    CHECK(prx_last_error(nullptr) != nullptr);
}

}  // namespace
