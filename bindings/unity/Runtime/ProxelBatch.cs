using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>Recorded queries: one submission, one small readback, many answers. Tickets name them until Reset.</summary>
    /// <remarks>Calls may come from any thread; calls on one batch take turns. Nothing here makes garbage.</remarks>
    public sealed unsafe partial class ProxelBatch : ProxelObject
    {
        /// <summary>As long as it takes.</summary>
        public const ulong Forever = ulong.MaxValue;

        ProxelBatch(ProxelContext context, IntPtr batch) : base(context, (ulong)(long)batch) { }

        /// <summary>Creates an empty batch. Several can be in flight at once.</summary>
        public static ProxelBatch Create(ProxelContext context)
        {
            IntPtr batch;
            Call.Check(Native.prx_batch_create(context.Raw, &batch), context);
            return new ProxelBatch(context, batch);
        }

        IntPtr Raw => (IntPtr)(long)Id;

        protected override bool ReleaseHandle()
        {
            // One in flight is waited for; one whose context is gone went with it.
            return Native.prx_batch_destroy((IntPtr)(long)LastId) == PrxStatus.Ok;
        }

        PrxTicket Recorded(PrxStatus status, PrxTicket ticket, object mesh, object field = null)
        {
            Check(status);
            GC.KeepAlive(mesh);
            GC.KeepAlive(field);
            return ticket;
        }

        // --- recording --------------------------------------------------------------------------------------------

        /// <summary>Records the box of a mesh under a pose.</summary>
        public PrxTicket Bounds(ProxelMesh mesh, PrxPose pose)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_bounds(Raw, mesh.Raw, &pose, &ticket), ticket, mesh);
        }

        /// <summary>Records a refit of a mesh's clusters.</summary>
        public PrxTicket Clusters(ProxelMesh mesh)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_clusters(Raw, mesh.Raw, &ticket), ticket, mesh);
        }

        /// <summary>Records that a live field is baked anew; queries recorded after it see the new field.</summary>
        public void Rebake(ProxelField field)
        {
            Check(Native.prx_batch_rebake(Raw, field.Raw));
            GC.KeepAlive(field);
        }

        /// <summary>Records samples of a field, placed by <paramref name="pose"/> or not moved, at points of the world, which are copied.</summary>
        public PrxTicket Sample(ProxelField field, ReadOnlySpan<Float3> points, PrxPose? pose = null)
        {
            PrxPose placed = pose.GetValueOrDefault();
            PrxTicket ticket;
            fixed (Float3* from = &MemoryMarshal.GetReference(points))
                return Recorded(Native.prx_batch_sample(Raw, field.Raw, pose.HasValue ? &placed : null, from, (uint)points.Length,
                                                        (ulong)sizeof(Float3), &ticket),
                                ticket, field);
        }

        /// <summary>Records the proximity of a mesh to a field.</summary>
        public PrxTicket Proximity(ProxelField field, PrxPose fieldPose, ProxelMesh mesh, PrxPose meshPose, PrxProximityDef? def = null)
        {
            PrxProximityDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_proximity(Raw, field.Raw, &fieldPose, mesh.Raw, &meshPose, def.HasValue ? &asked : null,
                                                       &ticket), ticket, mesh, field);
        }

        /// <summary>Records the penalty forces between a field and a mesh.</summary>
        public PrxTicket Penalty(ProxelField field, PrxPose fieldPose, ProxelMesh mesh, PrxPose meshPose, PrxPenaltyDef? def = null)
        {
            PrxPenaltyDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_penalty(Raw, field.Raw, &fieldPose, mesh.Raw, &meshPose, def.HasValue ? &asked : null,
                                                     &ticket), ticket, mesh, field);
        }

        /// <summary>Records whether a mesh overlaps a field's body.</summary>
        public PrxTicket Overlap(ProxelField field, PrxPose fieldPose, ProxelMesh mesh, PrxPose meshPose, PrxOverlapDef? def = null)
        {
            PrxOverlapDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_overlap(Raw, field.Raw, &fieldPose, mesh.Raw, &meshPose, def.HasValue ? &asked : null,
                                                     &ticket), ticket, mesh, field);
        }

        /// <summary>Records the volume that two closed meshes have in common.</summary>
        public PrxTicket IntersectionVolume(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_intersection_volume(Raw, a.Raw, &poseA, b.Raw, &poseB, def.HasValue ? &asked : null, &ticket),
                            ticket, a, b);
        }

        /// <summary>Records how that volume changes as each vertex moves.</summary>
        public PrxTicket IntersectionGradients(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_intersection_gradients(Raw, a.Raw, &poseA, b.Raw, &poseB, def.HasValue ? &asked : null, &ticket),
                            ticket, a, b);
        }

        /// <summary>Records which points in the world are inside a closed mesh; they are copied.</summary>
        public PrxTicket Contains(ProxelMesh mesh, PrxPose pose, ReadOnlySpan<Float3> points, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            fixed (Float3* from = &MemoryMarshal.GetReference(points))
                return Recorded(Native.prx_batch_contains(Raw, mesh.Raw, &pose, from, (uint)points.Length, (ulong)sizeof(Float3),
                                                          def.HasValue ? &asked : null, &ticket), ticket, mesh);
        }

        /// <summary>Records the layered depth image of a closed mesh, at most <paramref name="room"/> stretches of it.</summary>
        public PrxTicket Layers(ProxelMesh mesh, PrxPose pose, uint room, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_layers(Raw, mesh.Raw, &pose, def.HasValue ? &asked : null, room, &ticket), ticket, mesh);
        }

        /// <summary>Records what two closed meshes share as rays see it, at most <paramref name="room"/> stretches of it.</summary>
        public PrxTicket IntersectionLayers(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, uint room, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_intersection_layers(Raw, a.Raw, &poseA, b.Raw, &poseB, def.HasValue ? &asked : null, room, &ticket),
                            ticket, a, b);
        }

        /// <summary>Records where a closed mesh collides with itself, as far as rays see it.</summary>
        public PrxTicket SelfOverlaps(ProxelMesh mesh, PrxPose pose, uint room, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_self_overlaps(Raw, mesh.Raw, &pose, def.HasValue ? &asked : null, room, &ticket), ticket, mesh);
        }

        /// <summary>
        /// Records which vertices, edges and faces of the mesh of <paramref name="soft"/> are near the fields of <paramref name="bodies"/>, and
        /// the forces of a penalty law on its vertices when the def has a stiffness. All arguments are copied.
        /// </summary>
        public PrxTicket SoftContacts(PrxBody soft, ReadOnlySpan<PrxBody> bodies, PrxSoftContactsDef? def = null)
        {
            return SoftContacts(soft, bodies, default(ReadOnlySpan<Float3>), def);
        }

        /// <summary>The same with the velocity of each vertex in the world, for damping and friction.</summary>
        public PrxTicket SoftContacts(PrxBody soft, ReadOnlySpan<PrxBody> bodies, ReadOnlySpan<Float3> velocities, PrxSoftContactsDef? def = null)
        {
            PrxSoftContactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            fixed (PrxBody* first = &MemoryMarshal.GetReference(bodies))
            fixed (Float3* velocity = &MemoryMarshal.GetReference(velocities))
                return Recorded(Native.prx_batch_soft_contacts(Raw, &soft, first, (uint)bodies.Length, def.HasValue ? &asked : null,
                                                               (float*)velocity, 3 * (uint)velocities.Length, &ticket), ticket, null);
        }

        // --- running ----------------------------------------------------------------------------------------------

        /// <summary>Submits everything recorded. A batch that is done can be submitted again as it is.</summary>
        public void Submit() => Check(Native.prx_batch_submit(Raw, null));

        /// <summary>Submits with <paramref name="flags"/>, Prx.Submit*.</summary>
        public void Submit(uint flags) => Submit(ReadOnlySpan<PrxTimelinePoint>.Empty, ReadOnlySpan<PrxTimelinePoint>.Empty, flags);

        /// <summary>Submits between timeline semaphores of the engine's.</summary>
        public void Submit(ReadOnlySpan<PrxTimelinePoint> waits, ReadOnlySpan<PrxTimelinePoint> signals, uint flags = 0)
        {
            PrxSubmitDef def = PrxSubmitDef.Default;
            def.flags = flags;
            fixed (PrxTimelinePoint* wait = &MemoryMarshal.GetReference(waits))
            fixed (PrxTimelinePoint* signal = &MemoryMarshal.GetReference(signals))
            {
                def.waitCount = (uint)waits.Length;
                def.waits = (IntPtr)wait;
                def.signalCount = (uint)signals.Length;
                def.signals = (IntPtr)signal;
                Check(Native.prx_batch_submit(Raw, &def));
            }
        }

        /// <summary>Whether the answers are there. Does not wait.</summary>
        public bool Poll()
        {
            uint done;
            Check(Native.prx_batch_poll(Raw, &done));
            return done != 0;
        }

        /// <summary>Waits for the answers. False when the time passed first.</summary>
        public bool Wait(ulong nanoseconds = Forever)
        {
            PrxStatus status = Native.prx_batch_wait(Raw, nanoseconds);
            if (status == PrxStatus.Timeout) return false;
            Check(status);
            return true;
        }

        /// <summary>How long each query took, of a batch that is done and was submitted with Prx.SubmitTimings.</summary>
        public bool Timings(Span<PrxTiming> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxTiming* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_timings(Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Forgets the recorded queries, to record others.</summary>
        public void Reset() => Check(Native.prx_batch_reset(Raw));

        // --- answers ----------------------------------------------------------------------------------------------

        /// <summary>The answer of <see cref="Bounds"/>.</summary>
        public PrxBounds BoundsResult(PrxTicket ticket)
        {
            PrxBounds answer;
            Check(Native.prx_batch_bounds_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>The answer of <see cref="Proximity"/>.</summary>
        public PrxProximity ProximityResult(PrxTicket ticket)
        {
            PrxProximity answer;
            Check(Native.prx_batch_proximity_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>The answer of <see cref="Penalty"/>.</summary>
        public PrxPenalty PenaltyResult(PrxTicket ticket)
        {
            PrxPenalty answer;
            Check(Native.prx_batch_penalty_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>The answer of <see cref="Overlap"/>.</summary>
        public PrxOverlap OverlapResult(PrxTicket ticket)
        {
            PrxOverlap answer;
            Check(Native.prx_batch_overlap_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>The answer of <see cref="IntersectionVolume"/>.</summary>
        public PrxIntersectionVolume IntersectionVolumeResult(PrxTicket ticket)
        {
            PrxIntersectionVolume answer;
            Check(Native.prx_batch_intersection_volume_result(Raw, ticket, &answer, null));
            return answer;
        }

        /// <summary>The answer of <see cref="IntersectionGradients"/> for one of its meshes, 0 or 1: a vector a vertex.</summary>
        public bool IntersectionGradientsResult(PrxTicket ticket, uint mesh, Span<Float3> room, out int count)
        {
            ulong numbers = 0;
            PrxStatus status;
            fixed (Float3* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_intersection_gradients_result(Raw, ticket, mesh, (float*)to, 3 * (ulong)room.Length, &numbers);
            count = (int)(numbers / 3);
            return Fits(status);
        }

        /// <summary>The answer of <see cref="Clusters"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool ClustersResult(PrxTicket ticket, Span<PrxCluster> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxCluster* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_clusters_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The answer of <see cref="Sample"/>.</summary>
        public bool SampleResult(PrxTicket ticket, Span<PrxSample> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxSample* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_sample_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The answer of <see cref="Contains"/>: Prx.Containment* bits for each point.</summary>
        public bool ContainsResult(PrxTicket ticket, Span<uint> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (uint* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_contains_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The answer of <see cref="Layers"/>, <see cref="IntersectionLayers"/> or <see cref="SelfOverlaps"/>.</summary>
        public bool LayersResult(PrxTicket ticket, Span<PrxLayer> room, out int count, out PrxLayersInfo info)
        {
            ulong found = 0;
            PrxLayersInfo rays;
            PrxStatus status;
            fixed (PrxLayer* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_layers_result(Raw, ticket, &rays, to, (ulong)room.Length, &found);
            count = (int)found;
            info = rays;
            return Fits(status);
        }

        /// <summary>The contacts of <see cref="SoftContacts(PrxBody, ReadOnlySpan{PrxBody}, PrxSoftContactsDef?)"/>. True when they fit.</summary>
        public bool SoftContactsResult(PrxTicket ticket, Span<PrxSoftContact> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxSoftContact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_soft_contacts_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The force on each vertex by their law, or none where the stiffness was 0. True when they fit.</summary>
        public bool SoftContactForces(PrxTicket ticket, Span<Float3> room, out int count)
        {
            ulong numbers = 0;
            PrxStatus status;
            fixed (Float3* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_soft_contacts_forces(Raw, ticket, (float*)to, 3 * (ulong)room.Length, &numbers);
            count = (int)(numbers / 3);
            return Fits(status);
        }

        // --- the engine's buffers -------------------------------------------------------------------------------

        /// <summary>Lets a recorded query write an array of its results to a VkBuffer. Without Prx.OutputRead it has no answer to read.</summary>
        public void Output(PrxTicket ticket, PrxBufferOutput output)
        {
            Check(Native.prx_batch_output(Raw, ticket, &output));
        }

        /// <summary>Lets a recorded query read its points, or its velocities of vertices, from a VkBuffer.</summary>
        public void Input(PrxTicket ticket, PrxBufferInput input)
        {
            Check(Native.prx_batch_input(Raw, ticket, &input));
        }

        /// <summary>The head of an array that was written; false where there were more records than room.</summary>
        public bool OutputResult(PrxTicket ticket, uint array, out PrxOutputHead head)
        {
            PrxOutputHead found;
            PrxStatus status = Native.prx_batch_output_result(Raw, ticket, array, &found);
            head = found;
            return Fits(status);
        }
    }
}
