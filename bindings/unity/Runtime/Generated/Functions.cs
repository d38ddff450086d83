// Generated from include/proxel.h by tests/repository/csharp.rs: change those.
using System;
using System.Runtime.InteropServices;
using System.Security;

namespace Proxel
{
    /// <summary>The functions of proxel.h, as they are.</summary>
    [SuppressUnmanagedCodeSecurity]
    internal static unsafe class Native
    {
        const string Library = "proxel";

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern byte* prx_last_error(IntPtr context);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern byte* prx_status_name(uint status);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint prx_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern byte* prx_version_string();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint prx_abi_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxContextDef prx_context_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxVulkanDevice prx_vulkan_device_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_create(PrxContextDef* def, IntPtr* outContext);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_adopt(PrxContextDef* def, PrxVulkanDevice* device, IntPtr* outContext);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_destroy(IntPtr context);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_wait_idle(IntPtr context);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_trim(IntPtr context);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_cancel(IntPtr context);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_set_time_limit(IntPtr context, ulong nanoseconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_pipeline_cache(IntPtr context, void* @out, ulong capacity, ulong* outSize);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_warm_up(IntPtr context, uint queries, uint* outPipelines);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_info(IntPtr context, PrxContextInfo* outInfo);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxAllocator prx_allocator_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_set_allocator(PrxAllocator* from);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_context_memory(IntPtr context, PrxContextMemory* outMemory);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_unity_context_create(PrxContextDef* def, IntPtr* outContext);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxMeshDef prx_mesh_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxPose prx_pose_identity();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_create(IntPtr context, PrxMeshDef* def, PrxMesh* outMesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_destroy(IntPtr context, PrxMesh mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_update(IntPtr context, PrxMesh mesh, uint first, uint count, void* positions, ulong stride);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_update_f64(IntPtr context, PrxMesh mesh, uint first, uint count, void* positions, ulong stride);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_replace(IntPtr context, PrxMesh mesh, PrxMeshDef* def);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_facts(IntPtr context, PrxMesh mesh, PrxVertices vertices, PrxMeshFacts* outFacts);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_bounds(IntPtr context, PrxMesh mesh, PrxPose* pose, PrxBounds* outBounds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_cluster_triangles(IntPtr context, PrxMesh mesh, uint* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxSubmitDef prx_submit_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_create(IntPtr context, IntPtr* outBatch);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_destroy(IntPtr batch);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_bounds(IntPtr batch, PrxMesh mesh, PrxPose* pose, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_clusters(IntPtr batch, PrxMesh mesh, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_submit(IntPtr batch, PrxSubmitDef* def);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_poll(IntPtr batch, uint* outDone);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_wait(IntPtr batch, ulong nanoseconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_reset(IntPtr batch);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_bounds_result(IntPtr batch, PrxTicket ticket, PrxBounds* outBounds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_clusters_result(IntPtr batch, PrxTicket ticket, PrxCluster* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxBufferOutput prx_buffer_output_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_output(IntPtr batch, PrxTicket ticket, PrxBufferOutput* output);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxBufferInput prx_buffer_input_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_input(IntPtr batch, PrxTicket ticket, PrxBufferInput* input);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_output_result(IntPtr batch, PrxTicket ticket, uint array, PrxOutputHead* outHead);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_timings(IntPtr batch, PrxTiming* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxFieldDef prx_field_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxShape prx_shape_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_bake(IntPtr context, PrxMesh mesh, PrxFieldDef* def, PrxField* outField);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_progress(IntPtr context, PrxField field, float* outProgress, uint* outDone);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_wait(IntPtr context, PrxField field, ulong nanoseconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_cancel(IntPtr context, PrxField field);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_destroy(IntPtr context, PrxField field);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_info(IntPtr context, PrxField field, PrxFieldInfo* outInfo);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_from_samples(IntPtr context, PrxGrid* grid, float* distances, float* directions, float error, PrxPrecision precision, PrxField* outField);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_from_shape(IntPtr context, PrxShape* shape, PrxFieldDef* def, PrxField* outField);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_create_live(IntPtr context, PrxMesh mesh, PrxFieldDef* def, float band, PrxField* outField);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_rebake(IntPtr batch, PrxField field);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_write(IntPtr context, PrxField field, void* @out, ulong capacity, ulong* outSize);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_read(IntPtr context, void* data, ulong size, PrxField* outField);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_save(IntPtr context, PrxField field, byte* path);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_load(IntPtr context, byte* path, PrxField* outField);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_sample(IntPtr context, PrxField field, PrxPose* fieldPose, void* points, uint count, ulong stride, PrxSample* outSamples);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_sample(IntPtr batch, PrxField field, PrxPose* fieldPose, void* points, uint count, ulong stride, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_sample_result(IntPtr batch, PrxTicket ticket, PrxSample* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxBody prx_body_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxContactsDef prx_contacts_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contacts(IntPtr batch, PrxBody* bodyA, PrxBody* bodyB, PrxContactsDef* def, PrxContact* previous, uint previousCount, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contacts_result(IntPtr batch, PrxTicket ticket, PrxContact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contacts_patches(IntPtr batch, PrxTicket ticket, PrxPatch* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contacts_ended(IntPtr batch, PrxTicket ticket, uint* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contacts_manifold(IntPtr batch, PrxTicket ticket, PrxManifold* outManifold);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_body_contacts(IntPtr context, PrxBody* bodyA, PrxBody* bodyB, PrxContactsDef* def, PrxContact* previous, uint previousCount, PrxManifold* outManifold, PrxContact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxSoftContactsDef prx_soft_contacts_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_soft_contacts(IntPtr batch, PrxBody* soft, PrxBody* bodies, uint bodyCount, PrxSoftContactsDef* def, float* velocities, uint velocityCount, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_soft_contacts_result(IntPtr batch, PrxTicket ticket, PrxSoftContact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_soft_contacts_forces(IntPtr batch, PrxTicket ticket, float* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_body_soft_contacts(IntPtr context, PrxBody* soft, PrxBody* bodies, uint bodyCount, PrxSoftContactsDef* def, PrxSoftContact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxFrictionDef prx_friction_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_patch_friction(PrxBody* bodyA, PrxBody* bodyB, PrxPatch* patch, PrxFrictionDef* def, PrxGrip* grip, PrxPatchFriction* outFriction);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxProximityDef prx_proximity_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_proximity(IntPtr batch, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxProximityDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_proximity_result(IntPtr batch, PrxTicket ticket, PrxProximity* outProximity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_proximity(IntPtr context, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxProximityDef* def, PrxProximity* outProximity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_proximity(IntPtr context, PrxMesh solid, PrxPose* solidPose, PrxMesh mesh, PrxPose* meshPose, PrxProximity* outProximity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxPenaltyDef prx_penalty_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_penalty(IntPtr batch, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxPenaltyDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_penalty_result(IntPtr batch, PrxTicket ticket, PrxPenalty* outPenalty);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_penalty(IntPtr context, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxPenaltyDef* def, PrxPenalty* outPenalty);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxOverlapDef prx_overlap_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_overlap(IntPtr batch, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxOverlapDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_overlap_result(IntPtr batch, PrxTicket ticket, PrxOverlap* outOverlap);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_field_overlap(IntPtr context, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxOverlapDef* def, PrxOverlap* outOverlap);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxFollowDef prx_follow_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_follower_create(IntPtr context, PrxProximityDef* proximityDef, PrxPenaltyDef* penaltyDef, PrxFollower* outFollower);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_follower_ask(IntPtr context, PrxFollower follower, PrxField field, PrxPose* fieldPose, PrxMesh mesh, PrxPose* meshPose, PrxFollowDef* def, PrxFollowed* outFollowed);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_follower_destroy(IntPtr context, PrxFollower follower);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_static_friction(PrxPenalty* contact, PrxPose* fieldPose, PrxPose* meshPose, float coefficient, float stiffness, PrxAnchor* anchor, float* outForce);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxLdiDef prx_ldi_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection_volume(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxLdiDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection_volume_result(IntPtr batch, PrxTicket ticket, PrxIntersectionVolume* outVolume, ulong* outMemory);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_intersection_volume(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxLdiDef* def, PrxIntersectionVolume* outVolume, ulong* outMemory);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contains(IntPtr batch, PrxMesh mesh, PrxPose* pose, void* points, uint count, ulong stride, PrxLdiDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_contains_result(IntPtr batch, PrxTicket ticket, uint* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_contains(IntPtr context, PrxMesh mesh, PrxPose* pose, void* points, uint count, ulong stride, PrxLdiDef* def, uint* @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_exits(IntPtr context, PrxMesh mesh, PrxPose* pose, void* points, uint count, ulong stride, PrxExit* @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_exits(IntPtr batch, PrxMesh mesh, PrxPose* pose, void* points, uint count, ulong stride, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_exits_result(IntPtr batch, PrxTicket ticket, PrxExit* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_layers(IntPtr batch, PrxMesh mesh, PrxPose* pose, PrxLdiDef* def, uint room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_self_overlaps(IntPtr batch, PrxMesh mesh, PrxPose* pose, PrxLdiDef* def, uint room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection_layers(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxLdiDef* def, uint room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_layers_result(IntPtr batch, PrxTicket ticket, PrxLayersInfo* outInfo, PrxLayer* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection_gradients(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxLdiDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection_gradients_result(IntPtr batch, PrxTicket ticket, uint mesh, float* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_intersection_gradients(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxLdiDef* def, float* outA, float* outB);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxDistanceDef prx_distance_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_distance(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxDistanceDef* def, PrxDistance* outDistance);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_distances(IntPtr context, PrxMeshPair* pairs, uint count, PrxDistanceDef* def, PrxDistance* @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_pairs(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, double distance, PrxPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_self_pairs(IntPtr context, PrxMesh mesh, PrxTrianglePair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_exact_intersection(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxExactIntersection* outIntersection);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_create(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxIntersection* outIntersection);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_destroy(IntPtr context, PrxIntersection intersection);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_summary(IntPtr context, PrxIntersection intersection, PrxExactIntersection* outSummary);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_regions(IntPtr context, PrxIntersection intersection, PrxIntersectionRegion* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_curves(IntPtr context, PrxIntersection intersection, PrxIntersectionCurve* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_curve_points(IntPtr context, PrxIntersection intersection, PrxCurvePoint* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_gradients(IntPtr context, PrxIntersection intersection, PrxVertexGradient* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_boundary_vertices(IntPtr context, PrxIntersection intersection, PrxBooleanOperation operation, PrxBoundaryVertex* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_boundary_triangles(IntPtr context, PrxIntersection intersection, PrxBooleanOperation operation, PrxBoundaryTriangle* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxRegionContactsDef prx_region_contacts_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_contacts(IntPtr context, PrxIntersection intersection, PrxRegionContactsDef* def, PrxContact* previous, uint previousCount, PrxManifold* outManifold, PrxContact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_intersection_patches(IntPtr context, PrxIntersection intersection, PrxRegionContactsDef* def, PrxContact* previous, uint previousCount, PrxPatch* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxSweepDef prx_sweep_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_sweep(IntPtr context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxSweepDef* def, PrxImpact* outImpact);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_sweep_self(IntPtr context, PrxMesh mesh0, PrxMesh mesh1, PrxSweepDef* def, PrxImpact* outImpact);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_sweep_poses(IntPtr context, PrxMesh a, PrxPose* fromA, PrxPose* toA, PrxMesh b, PrxPose* fromB, PrxPose* toB, PrxSweepDef* def, PrxImpact* outImpact);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxImpactsDef prx_impacts_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_impacts(IntPtr context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxImpactsDef* def, PrxFeatureImpact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_impacts_self(IntPtr context, PrxMesh mesh0, PrxMesh mesh1, PrxImpactsDef* def, PrxFeatureImpact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_free_step(IntPtr context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxImpactsDef* def, double* outStep);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_free_step_self(IntPtr context, PrxMesh mesh0, PrxMesh mesh1, PrxImpactsDef* def, double* outStep);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxNearDef prx_near_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_near(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxNearDef* def, PrxNearPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_near_self(IntPtr context, PrxMesh mesh, PrxNearDef* def, PrxNearPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_safe_distances(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxNearDef* def, double separation, double* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_safe_distances_self(IntPtr context, PrxMesh mesh, PrxNearDef* def, double separation, double* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_near_per_vertex(IntPtr context, PrxMesh mesh, PrxNearSide side, PrxNearPair* pairs, ulong pairCount, ulong* outStarts, double* outDistances, uint* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tetrahedra_inside(IntPtr context, PrxTetrahedralBody* bodies, uint count, PrxVertexInside* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tetrahedra_depths(IntPtr context, PrxTetrahedralBody* bodies, uint count, PrxVertexDepth* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_create(IntPtr context, PrxScene* outScene);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_destroy(IntPtr context, PrxScene scene);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_add(IntPtr context, PrxScene scene, PrxMesh mesh, PrxPose* pose, PrxObject* outObject);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_move(IntPtr context, PrxScene scene, PrxObject* objects, PrxPose* poses, ulong count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_remove(IntPtr context, PrxScene scene, PrxObject @object);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_object_pairs(IntPtr context, PrxScene scene, double distance, PrxObjectPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_pairs(IntPtr context, PrxScene scene, double distance, PrxScenePair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_add_body(IntPtr context, PrxScene scene, PrxBody* body, PrxBodyFilter* filter, PrxObject* outObject);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_set_body(IntPtr context, PrxScene scene, PrxObject @object, PrxBody* body, PrxBodyFilter* filter);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_move_bodies(IntPtr context, PrxScene scene, PrxObject* objects, PrxBodyPose* poses, ulong count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_exclude(IntPtr context, PrxScene scene, PrxObjectPair* pairs, ulong count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_contacts(IntPtr context, PrxScene scene, PrxContactsDef* def, PrxSceneContacts* outFound);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_contacts(IntPtr batch, PrxScene scene, PrxContactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_contacts_result(IntPtr batch, PrxTicket ticket, PrxSceneContacts* outFound);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_contact_pairs(IntPtr context, PrxScene scene, PrxContactPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_contact_points(IntPtr context, PrxScene scene, PrxContact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_contact_patches(IntPtr context, PrxScene scene, PrxPatch* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_contacts_ended(IntPtr context, PrxScene scene, uint* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_set_users(IntPtr context, PrxScene scene, ulong* users, ulong count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_impacts(IntPtr context, PrxScene scene, PrxObjectMove* moves, ulong count, PrxImpactsDef* def, PrxSceneImpact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_first_impact(IntPtr context, PrxScene scene, PrxObjectMove* moves, ulong count, PrxImpactsDef* def, PrxSceneImpact* outImpact);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_free_step(IntPtr context, PrxScene scene, PrxObjectMove* moves, ulong count, PrxImpactsDef* def, double* outStep);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_distance(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxDistanceDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_distance_result(IntPtr batch, PrxTicket ticket, PrxDistance* outDistance);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_pairs(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, double distance, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_pairs_result(IntPtr batch, PrxTicket ticket, PrxPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_self_pairs(IntPtr batch, PrxMesh mesh, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_self_pairs_result(IntPtr batch, PrxTicket ticket, PrxTrianglePair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_exact_intersection(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_exact_intersection_result(IntPtr batch, PrxTicket ticket, PrxExactIntersection* outIntersection);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_intersection_result(IntPtr batch, PrxTicket ticket, PrxIntersection* outIntersection);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_tetrahedra_inside(IntPtr batch, PrxTetrahedralBody* bodies, uint count, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_tetrahedra_inside_result(IntPtr batch, PrxTicket ticket, PrxVertexInside* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_tetrahedra_depths(IntPtr batch, PrxTetrahedralBody* bodies, uint count, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_tetrahedra_depths_result(IntPtr batch, PrxTicket ticket, PrxVertexDepth* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_pairs(IntPtr batch, PrxScene scene, double distance, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_pairs_result(IntPtr batch, PrxTicket ticket, PrxScenePair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_sweep(IntPtr batch, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxSweepDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_sweep_self(IntPtr batch, PrxMesh mesh0, PrxMesh mesh1, PrxSweepDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_sweep_poses(IntPtr batch, PrxMesh a, PrxPose* fromA, PrxPose* toA, PrxMesh b, PrxPose* fromB, PrxPose* toB, PrxSweepDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_sweep_result(IntPtr batch, PrxTicket ticket, PrxImpact* outImpact);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_impacts(IntPtr batch, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxImpactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_impacts_self(IntPtr batch, PrxMesh mesh0, PrxMesh mesh1, PrxImpactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_impacts_result(IntPtr batch, PrxTicket ticket, PrxFeatureImpact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_free_step(IntPtr batch, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxImpactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_free_step_self(IntPtr batch, PrxMesh mesh0, PrxMesh mesh1, PrxImpactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_free_step_result(IntPtr batch, PrxTicket ticket, double* outStep);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_near(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxNearDef* def, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_near_self(IntPtr batch, PrxMesh mesh, PrxNearDef* def, ulong room, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_near_result(IntPtr batch, PrxTicket ticket, PrxNearPair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_safe_distances(IntPtr batch, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxNearDef* def, double separation, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_safe_distances_self(IntPtr batch, PrxMesh mesh, PrxNearDef* def, double separation, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_safe_distances_result(IntPtr batch, PrxTicket ticket, double* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_impacts(IntPtr batch, PrxScene scene, PrxObjectMove* moves, ulong count, PrxImpactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_impacts_result(IntPtr batch, PrxTicket ticket, PrxSceneImpact* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_first_impact(IntPtr batch, PrxScene scene, PrxObjectMove* moves, ulong count, PrxImpactsDef* def, PrxTicket* outTicket);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_batch_scene_first_impact_result(IntPtr batch, PrxTicket ticket, PrxSceneImpact* outImpact);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxTrackerDef prx_tracker_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tracker_create(IntPtr context, PrxMesh a, PrxMesh b, PrxTrackerDef* def, PrxTracker* outTracker);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tracker_destroy(IntPtr context, PrxTracker tracker);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tracker_step(IntPtr context, PrxTracker tracker, PrxPose* poseA, PrxPose* poseB, PrxBudget budget, PrxTracked* outTracked);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tracker_pairs(IntPtr context, PrxTracker tracker, PrxActivePair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_tracker_collisions(IntPtr context, PrxTracker tracker, PrxActivePair* @out, ulong capacity, ulong* outCount);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_collision_chance(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, double enough, PrxBudget budget, PrxChance* outChance);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxDebugDraw prx_debug_draw_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_mesh(IntPtr context, PrxMesh mesh, PrxPose* pose, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_clusters(IntPtr context, PrxMesh mesh, PrxPose* pose, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_hierarchy(IntPtr context, PrxMesh mesh, PrxPose* pose, uint level, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_field(IntPtr context, PrxField field, PrxPose* fieldPose, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_field_slice(IntPtr context, PrxField field, PrxPose* fieldPose, uint axis, float at, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_contacts(IntPtr context, PrxContact* contacts, ulong count, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_near(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, PrxNearPair* pairs, ulong count, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_impacts(IntPtr context, PrxMesh a0, PrxMesh a1, PrxMesh b0, PrxMesh b1, PrxFeatureImpact* impacts, ulong count, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_debug_draw_regions(IntPtr context, PrxIntersection intersection, PrxDebugDraw* draw);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxCullDef prx_cull_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_mesh_pairs_culled(IntPtr context, PrxMesh a, PrxPose* poseA, PrxMesh b, PrxPose* poseB, double distance, PrxCullDef* def, PrxPair* @out, ulong capacity, ulong* outCount, PrxCullStats* outStats);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_colliding(IntPtr context, PrxScene scene, double distance, PrxCullDef* def, PrxObjectPair* @out, ulong capacity, ulong* outCount, PrxCullStats* outStats);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_scene_pairs_culled(IntPtr context, PrxScene scene, double distance, PrxCullDef* def, PrxScenePair* @out, ulong capacity, ulong* outCount, PrxCullStats* outStats);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxHierarchyDef prx_hierarchy_def_default();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_create(IntPtr context, PrxMesh mesh, PrxHierarchyDef* def, PrxHierarchy* outHierarchy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_destroy(IntPtr context, PrxHierarchy hierarchy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_update(IntPtr context, PrxHierarchy hierarchy, PrxHierarchyChange* outUpdated);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_set_targets(IntPtr context, PrxHierarchy hierarchy, PrxMesh* targets, uint count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_blend(IntPtr context, PrxHierarchy hierarchy, float* weights, uint count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_set_displacements(IntPtr context, PrxHierarchy hierarchy, float* displacements, uint count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_deform(IntPtr context, PrxHierarchy hierarchy, float* amplitudes, uint count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern PrxStatus prx_hierarchy_pairs(IntPtr context, PrxHierarchy a, PrxPose* poseA, PrxHierarchy b, PrxPose* poseB, PrxTrianglePair* @out, ulong capacity, ulong* outCount);
    }
}
