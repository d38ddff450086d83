using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    // Exact queries: they run on the context's CPU threads from Submit on, on the positions of that moment. Lists are bounded by the room given
    // when they are recorded.
    public sealed unsafe partial class ProxelBatch
    {
        /// <summary>Records the exact distance of two meshes.</summary>
        public PrxTicket Distance(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, PrxDistanceDef? def = null)
        {
            PrxDistanceDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_distance(Raw, a.Raw, &poseA, b.Raw, &poseB, def.HasValue ? &asked : null, &ticket), ticket, a, b);
        }

        /// <summary>The answer of <see cref="Distance"/>.</summary>
        public PrxDistance DistanceResult(PrxTicket ticket)
        {
            PrxDistance answer;
            Check(Native.prx_batch_distance_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>Records how deep points are inside a closed mesh, and their ways out. They are copied.</summary>
        public PrxTicket Exits(ProxelMesh mesh, PrxPose pose, ReadOnlySpan<Float3> points)
        {
            PrxTicket ticket;
            fixed (Float3* from = &MemoryMarshal.GetReference(points))
                return Recorded(Native.prx_batch_exits(Raw, mesh.Raw, &pose, from, (uint)points.Length, (ulong)sizeof(Float3), &ticket),
                                ticket, mesh);
        }

        /// <summary>The answer of <see cref="Exits"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool ExitsResult(PrxTicket ticket, Span<PrxExit> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxExit* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_exits_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records all pairs of triangles at most <paramref name="distance"/> apart; 0 for those that share a point.</summary>
        public PrxTicket Pairs(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, double distance, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_pairs(Raw, a.Raw, &poseA, b.Raw, &poseB, distance, room, &ticket), ticket, a, b);
        }

        /// <summary>The answer of <see cref="Pairs"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool PairsResult(PrxTicket ticket, Span<PrxPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_pairs_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records all pairs of triangles of a mesh that intersect where they should not.</summary>
        public PrxTicket SelfPairs(ProxelMesh mesh, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_self_pairs(Raw, mesh.Raw, room, &ticket), ticket, mesh);
        }

        /// <summary>The answer of <see cref="SelfPairs"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool SelfPairsResult(PrxTicket ticket, Span<PrxTrianglePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxTrianglePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_self_pairs_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records the exact volume that two closed meshes have in common.</summary>
        public PrxTicket ExactIntersection(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_exact_intersection(Raw, a.Raw, &poseA, b.Raw, &poseB, &ticket), ticket, a, b);
        }

        /// <summary>The answer of <see cref="ExactIntersection"/>.</summary>
        public PrxExactIntersection ExactIntersectionResult(PrxTicket ticket)
        {
            PrxExactIntersection answer;
            Check(Native.prx_batch_exact_intersection_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>Records what two closed meshes have in common, as an object with parts, curves and gradients.</summary>
        public PrxTicket Intersection(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_intersection(Raw, a.Raw, &poseA, b.Raw, &poseB, &ticket), ticket, a, b);
        }

        /// <summary>The answer of <see cref="Intersection"/>, which is the caller's to dispose of.</summary>
        public ProxelIntersection IntersectionResult(PrxTicket ticket)
        {
            PrxIntersection made;
            Check(Native.prx_batch_intersection_result(Raw, ticket, &made));
            return ProxelIntersection.Of(Context, made);
        }

        /// <summary>
        /// Records which vertices are inside or on tetrahedra, at most <paramref name="room"/> of them. What the pointers in the bodies point to is
        /// copied.
        /// </summary>
        public PrxTicket TetrahedraInside(ReadOnlySpan<PrxTetrahedralBody> bodies, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            fixed (PrxTetrahedralBody* first = &MemoryMarshal.GetReference(bodies))
                return Recorded(Native.prx_batch_tetrahedra_inside(Raw, first, (uint)bodies.Length, room, &ticket), ticket, null);
        }

        /// <summary>The answer of <see cref="TetrahedraInside"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool TetrahedraInsideResult(PrxTicket ticket, Span<PrxVertexInside> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxVertexInside* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_tetrahedra_inside_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records how deep vertices are inside of bodies of tetrahedra, and which way leads out.</summary>
        public PrxTicket TetrahedraDepths(ReadOnlySpan<PrxTetrahedralBody> bodies, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            fixed (PrxTetrahedralBody* first = &MemoryMarshal.GetReference(bodies))
                return Recorded(Native.prx_batch_tetrahedra_depths(Raw, first, (uint)bodies.Length, room, &ticket), ticket, null);
        }

        /// <summary>The answer of <see cref="TetrahedraDepths"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool TetrahedraDepthsResult(PrxTicket ticket, Span<PrxVertexDepth> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxVertexDepth* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_tetrahedra_depths_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records all near pairs of two meshes. The arrays of <paramref name="def"/> are copied.</summary>
        public PrxTicket Near(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, PrxNearDef def, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_near(Raw, a.Raw, &poseA, b.Raw, &poseB, &def, room, &ticket), ticket, a, b);
        }

        /// <summary>Records all near pairs of a mesh with itself.</summary>
        public PrxTicket NearSelf(ProxelMesh mesh, PrxNearDef def, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_near_self(Raw, mesh.Raw, &def, room, &ticket), ticket, mesh);
        }

        /// <summary>The answer of <see cref="Near"/> or <see cref="NearSelf"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool NearResult(PrxTicket ticket, Span<PrxNearPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxNearPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_near_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records how far each vertex of two meshes may move: those of <paramref name="a"/>, then those of <paramref name="b"/>.</summary>
        public PrxTicket SafeDistances(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, PrxNearDef def, double separation = 0)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_safe_distances(Raw, a.Raw, &poseA, b.Raw, &poseB, &def, separation, &ticket), ticket, a, b);
        }

        /// <summary>Records how far each vertex of a mesh may move because of the mesh itself.</summary>
        public PrxTicket SafeDistancesSelf(ProxelMesh mesh, PrxNearDef def, double separation = 0)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_safe_distances_self(Raw, mesh.Raw, &def, separation, &ticket), ticket, mesh);
        }

        /// <summary>The answer of <see cref="SafeDistances"/> or <see cref="SafeDistancesSelf"/>. True when it fits.</summary>
        public bool SafeDistancesResult(PrxTicket ticket, Span<double> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (double* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_safe_distances_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records the first contact of two meshes that go straight to their ends.</summary>
        public PrxTicket Sweep(ProxelMesh a, ProxelMesh endA, ProxelMesh b, ProxelMesh endB, PrxSweepDef? def = null)
        {
            PrxSweepDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            PrxStatus status = Native.prx_batch_sweep(Raw, a.Raw, endA.Raw, b.Raw, endB.Raw, def.HasValue ? &asked : null, &ticket);
            GC.KeepAlive(endA);
            GC.KeepAlive(endB);
            return Recorded(status, ticket, a, b);
        }

        /// <summary>Records the first contact of a mesh with itself while it goes straight to its end.</summary>
        public PrxTicket SweepSelf(ProxelMesh mesh, ProxelMesh end, PrxSweepDef? def = null)
        {
            PrxSweepDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_sweep_self(Raw, mesh.Raw, end.Raw, def.HasValue ? &asked : null, &ticket), ticket, mesh, end);
        }

        /// <summary>Records the first contact of two rigid meshes that move from one pose to another.</summary>
        public PrxTicket SweepPoses(ProxelMesh a, PrxPose fromA, PrxPose toA, ProxelMesh b, PrxPose fromB, PrxPose toB,
                                    PrxSweepDef? def = null)
        {
            PrxSweepDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_sweep_poses(Raw, a.Raw, &fromA, &toA, b.Raw, &fromB, &toB, def.HasValue ? &asked : null,
                                                         &ticket), ticket, a, b);
        }

        /// <summary>The answer of <see cref="Sweep"/> or <see cref="SweepSelf"/> or <see cref="SweepPoses"/>.</summary>
        public PrxImpact SweepResult(PrxTicket ticket)
        {
            PrxImpact answer;
            Check(Native.prx_batch_sweep_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>Records all impacts of two meshes that go straight to their ends.</summary>
        public PrxTicket Impacts(ProxelMesh a, ProxelMesh endA, ProxelMesh b, ProxelMesh endB, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            PrxStatus status = Native.prx_batch_impacts(Raw, a.Raw, endA.Raw, b.Raw, endB.Raw, def.HasValue ? &asked : null, &ticket);
            GC.KeepAlive(endA);
            GC.KeepAlive(endB);
            return Recorded(status, ticket, a, b);
        }

        /// <summary>Records all impacts of a mesh with itself.</summary>
        public PrxTicket ImpactsSelf(ProxelMesh mesh, ProxelMesh end, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_impacts_self(Raw, mesh.Raw, end.Raw, def.HasValue ? &asked : null, &ticket), ticket, mesh, end);
        }

        /// <summary>The answer of <see cref="Impacts"/> or <see cref="ImpactsSelf"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool ImpactsResult(PrxTicket ticket, Span<PrxFeatureImpact> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxFeatureImpact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_impacts_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records the part of a step, from 0 to 1, that is proved to be free of impacts of two meshes.</summary>
        public PrxTicket FreeStep(ProxelMesh a, ProxelMesh endA, ProxelMesh b, ProxelMesh endB, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            PrxStatus status = Native.prx_batch_free_step(Raw, a.Raw, endA.Raw, b.Raw, endB.Raw, def.HasValue ? &asked : null, &ticket);
            GC.KeepAlive(endA);
            GC.KeepAlive(endB);
            return Recorded(status, ticket, a, b);
        }

        /// <summary>Records the part of a step that is proved to be free of impacts of a mesh with itself.</summary>
        public PrxTicket FreeStepSelf(ProxelMesh mesh, ProxelMesh end, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_free_step_self(Raw, mesh.Raw, end.Raw, def.HasValue ? &asked : null, &ticket), ticket, mesh, end);
        }

        /// <summary>The answer of <see cref="FreeStep"/> or <see cref="FreeStepSelf"/>.</summary>
        public double FreeStepResult(PrxTicket ticket)
        {
            double answer;
            Check(Native.prx_batch_free_step_result(Raw, ticket, &answer));
            return answer;
        }

        /// <summary>Records all pairs of triangles of two different objects that are at most that far apart.</summary>
        public PrxTicket ScenePairs(ProxelScene scene, double distance, ulong room = ulong.MaxValue)
        {
            PrxTicket ticket;
            return Recorded(Native.prx_batch_scene_pairs(Raw, scene.Raw, distance, room, &ticket), ticket, scene);
        }

        /// <summary>The answer of <see cref="ScenePairs"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool ScenePairsResult(PrxTicket ticket, Span<PrxScenePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxScenePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_scene_pairs_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records all impacts of the objects of a scene on their way to where the moves take them.</summary>
        public PrxTicket SceneImpacts(ProxelScene scene, ReadOnlySpan<PrxObjectMove> moves, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            fixed (PrxObjectMove* what = &MemoryMarshal.GetReference(moves))
                return Recorded(Native.prx_batch_scene_impacts(Raw, scene.Raw, what, (ulong)moves.Length, def.HasValue ? &asked : null,
                                                               &ticket), ticket, scene);
        }

        /// <summary>The answer of <see cref="SceneImpacts"/>. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool SceneImpactsResult(PrxTicket ticket, Span<PrxSceneImpact> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxSceneImpact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_scene_impacts_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Records the earliest of them.</summary>
        public PrxTicket SceneFirstImpact(ProxelScene scene, ReadOnlySpan<PrxObjectMove> moves, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            fixed (PrxObjectMove* what = &MemoryMarshal.GetReference(moves))
                return Recorded(Native.prx_batch_scene_first_impact(Raw, scene.Raw, what, (ulong)moves.Length,
                                                                    def.HasValue ? &asked : null, &ticket), ticket, scene);
        }

        /// <summary>The answer of <see cref="SceneFirstImpact"/>; of kind None, at time 1, without an impact.</summary>
        public PrxSceneImpact SceneFirstImpactResult(PrxTicket ticket)
        {
            PrxSceneImpact answer;
            Check(Native.prx_batch_scene_first_impact_result(Raw, ticket, &answer));
            return answer;
        }
    }
}
