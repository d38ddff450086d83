using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    // The exact queries, which answer on the context's CPU threads.
    public sealed unsafe partial class ProxelMesh
    {
        /// <summary>The exact distance of this surface and another.</summary>
        public PrxDistance Distance(PrxPose pose, ProxelMesh other, PrxPose otherPose, PrxDistanceDef? def = null)
        {
            PrxDistanceDef asked = def.GetValueOrDefault();
            PrxDistance distance;
            Check(Native.prx_mesh_distance(Context.Raw, Raw, &pose, other.Raw, &otherPose, def.HasValue ? &asked : null, &distance));
            GC.KeepAlive(other);
            return distance;
        }

        /// <summary>This mesh and another, for <see cref="ProxelContext.Distances"/>. The caller keeps both alive.</summary>
        public PrxMeshPair PairWith(PrxPose pose, ProxelMesh other, PrxPose otherPose)
        {
            return new PrxMeshPair { a = Raw, poseA = pose, b = other.Raw, poseB = otherPose };
        }

        /// <summary>
        /// All pairs of triangles at most <paramref name="distance"/> apart; 0 for those that share a point. True when they fit into
        /// <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool Pairs(PrxPose pose, ProxelMesh other, PrxPose otherPose, double distance, Span<PrxPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_pairs(Context.Raw, Raw, &pose, other.Raw, &otherPose, distance, to, (ulong)room.Length, &found);
            count = (int)found;
            GC.KeepAlive(other);
            return Fits(status);
        }

        /// <summary>The same with a choice of how pairs are sorted out, and what was.</summary>
        public bool PairsCulled(PrxPose pose, ProxelMesh other, PrxPose otherPose, double distance, PrxCullDef def, Span<PrxPair> room,
                                out int count, out PrxCullStats stats)
        {
            ulong found = 0;
            PrxCullStats culled;
            PrxStatus status;
            fixed (PrxPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_pairs_culled(Context.Raw, Raw, &pose, other.Raw, &otherPose, distance, &def, to,
                                                      (ulong)room.Length, &found, &culled);
            count = (int)found;
            stats = culled;
            GC.KeepAlive(other);
            return Fits(status);
        }

        /// <summary>All pairs of triangles of this mesh that intersect where they should not.</summary>
        public bool SelfPairs(Span<PrxTrianglePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxTrianglePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_self_pairs(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>
        /// All vertices and faces, and edges, of this mesh and another that are closer than the thickness of <paramref name="def"/>. True when
        /// they fit into <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool Near(PrxPose pose, ProxelMesh other, PrxPose otherPose, PrxNearDef def, Span<PrxNearPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxNearPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_near(Context.Raw, Raw, &pose, other.Raw, &otherPose, &def, to, (ulong)room.Length, &found);
            count = (int)found;
            GC.KeepAlive(other);
            return Fits(status);
        }

        /// <summary>All near pairs of this mesh with itself.</summary>
        public bool NearSelf(PrxNearDef def, Span<PrxNearPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxNearPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_near_self(Context.Raw, Raw, &def, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>
        /// The pairs of a near list by vertex: those that vertex v of this mesh is a corner of are rows[starts[v]] to rows[starts[v + 1] - 1].
        /// <paramref name="starts"/> has room for one number per vertex and one more, <paramref name="distances"/> for the smallest distance
        /// of each; either may be empty. True when the rows fit; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool NearPerVertex(PrxNearSide side, ReadOnlySpan<PrxNearPair> pairs, Span<ulong> starts, Span<double> distances, Span<uint> rows,
                                  out int count)
        {
            if (starts.Length > 0 && starts.Length <= VertexCount)
                throw new ArgumentException("room for " + starts.Length + " starts, but " + (VertexCount + 1) + " are written");
            if (distances.Length > 0 && distances.Length < VertexCount)
                throw new ArgumentException("room for " + distances.Length + " distances, but there are " + VertexCount + " vertices");
            ulong found = 0;
            PrxStatus status;
            fixed (PrxNearPair* from = &MemoryMarshal.GetReference(pairs))
            fixed (ulong* start = &MemoryMarshal.GetReference(starts))
            fixed (double* distance = &MemoryMarshal.GetReference(distances))
            fixed (uint* to = &MemoryMarshal.GetReference(rows))
                status = Native.prx_mesh_near_per_vertex(Context.Raw, Raw, side, from, (ulong)pairs.Length, starts.Length > 0 ? start : null,
                                                         distances.Length > 0 ? distance : null, to, (ulong)rows.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>
        /// How far each vertex of this mesh, and then of the other, may move in any direction so that no near pair comes as close as
        /// <paramref name="separation"/>. True when they fit into <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool SafeDistances(PrxPose pose, ProxelMesh other, PrxPose otherPose, PrxNearDef def, double separation, Span<double> room,
                                  out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (double* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_safe_distances(Context.Raw, Raw, &pose, other.Raw, &otherPose, &def, separation, to,
                                                        (ulong)room.Length, &found);
            count = (int)found;
            GC.KeepAlive(other);
            return Fits(status);
        }

        /// <summary>How far each vertex may move because of this mesh itself.</summary>
        public bool SafeDistancesSelf(PrxNearDef def, double separation, Span<double> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (double* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_safe_distances_self(Context.Raw, Raw, &def, separation, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>
        /// All vertices and faces, and edges, that meet while this goes straight to <paramref name="end"/>, and the other to its end. True when
        /// they fit into <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool Impacts(ProxelMesh end, ProxelMesh other, ProxelMesh otherEnd, Span<PrxFeatureImpact> room, out int count,
                            PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            ulong found = 0;
            PrxStatus status;
            fixed (PrxFeatureImpact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_impacts(Context.Raw, Raw, end.Raw, other.Raw, otherEnd.Raw, def.HasValue ? &asked : null, to,
                                                 (ulong)room.Length, &found);
            count = (int)found;
            GC.KeepAlive(end);
            GC.KeepAlive(other);
            GC.KeepAlive(otherEnd);
            return Fits(status);
        }

        /// <summary>All impacts of this mesh with itself while it goes straight to <paramref name="end"/>.</summary>
        public bool ImpactsSelf(ProxelMesh end, Span<PrxFeatureImpact> room, out int count, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            ulong found = 0;
            PrxStatus status;
            fixed (PrxFeatureImpact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_impacts_self(Context.Raw, Raw, end.Raw, def.HasValue ? &asked : null, to, (ulong)room.Length, &found);
            count = (int)found;
            GC.KeepAlive(end);
            return Fits(status);
        }

        /// <summary>The largest part of the step to the ends, from 0 to 1, that is proved to be free of impacts.</summary>
        public double FreeStep(ProxelMesh end, ProxelMesh other, ProxelMesh otherEnd, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            double step;
            Check(Native.prx_mesh_free_step(Context.Raw, Raw, end.Raw, other.Raw, otherEnd.Raw, def.HasValue ? &asked : null, &step));
            GC.KeepAlive(end);
            GC.KeepAlive(other);
            GC.KeepAlive(otherEnd);
            return step;
        }

        /// <summary>The largest part of the step to <paramref name="end"/> in which this mesh is proved not to meet itself.</summary>
        public double FreeStepSelf(ProxelMesh end, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            double step;
            Check(Native.prx_mesh_free_step_self(Context.Raw, Raw, end.Raw, def.HasValue ? &asked : null, &step));
            GC.KeepAlive(end);
            return step;
        }

        /// <summary>The first contact while this goes straight to <paramref name="end"/>, and the other to its end.</summary>
        public PrxImpact Sweep(ProxelMesh end, ProxelMesh other, ProxelMesh otherEnd, PrxSweepDef? def = null)
        {
            PrxSweepDef asked = def.GetValueOrDefault();
            PrxImpact impact;
            Check(Native.prx_mesh_sweep(Context.Raw, Raw, end.Raw, other.Raw, otherEnd.Raw, def.HasValue ? &asked : null, &impact));
            GC.KeepAlive(end);
            GC.KeepAlive(other);
            GC.KeepAlive(otherEnd);
            return impact;
        }

        /// <summary>The first contact of this mesh with itself while it goes straight to <paramref name="end"/>.</summary>
        public PrxImpact SweepSelf(ProxelMesh end, PrxSweepDef? def = null)
        {
            PrxSweepDef asked = def.GetValueOrDefault();
            PrxImpact impact;
            Check(Native.prx_mesh_sweep_self(Context.Raw, Raw, end.Raw, def.HasValue ? &asked : null, &impact));
            GC.KeepAlive(end);
            return impact;
        }

        /// <summary>The first contact of two rigid meshes that move from one pose to another.</summary>
        public PrxImpact SweepPoses(PrxPose from, PrxPose to, ProxelMesh other, PrxPose otherFrom, PrxPose otherTo,
                                    PrxSweepDef? def = null)
        {
            PrxSweepDef asked = def.GetValueOrDefault();
            PrxImpact impact;
            Check(Native.prx_mesh_sweep_poses(Context.Raw, Raw, &from, &to, other.Raw, &otherFrom, &otherTo,
                                              def.HasValue ? &asked : null, &impact));
            GC.KeepAlive(other);
            return impact;
        }

        /// <summary>How likely two meshes collide, within a budget.</summary>
        public PrxChance CollisionChance(PrxPose pose, ProxelMesh other, PrxPose otherPose, double enough, PrxBudget budget)
        {
            PrxChance chance;
            Check(Native.prx_mesh_collision_chance(Context.Raw, Raw, &pose, other.Raw, &otherPose, enough, budget, &chance));
            GC.KeepAlive(other);
            return chance;
        }
    }
}
