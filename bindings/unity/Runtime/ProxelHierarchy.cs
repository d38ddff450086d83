using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>A hierarchy of bounding volumes over a mesh, of the caller's choice.</summary>
    public sealed unsafe class ProxelHierarchy : ProxelObject
    {
        readonly int vertices;

        ProxelHierarchy(ProxelMesh mesh, PrxHierarchy hierarchy) : base(mesh.Context, hierarchy.id)
        {
            vertices = mesh.VertexCount;
        }

        /// <summary>Builds a hierarchy over a mesh as it is now.</summary>
        public static ProxelHierarchy Create(ProxelMesh mesh, PrxHierarchyDef? def = null)
        {
            PrxHierarchyDef asked = def.GetValueOrDefault();
            PrxHierarchy hierarchy;
            mesh.Check(Native.prx_hierarchy_create(mesh.Context.Raw, mesh.Raw, def.HasValue ? &asked : null, &hierarchy));
            return new ProxelHierarchy(mesh, hierarchy);
        }

        PrxHierarchy Raw => new PrxHierarchy { id = Id };

        protected override bool ReleaseHandle()
        {
            return Native.prx_hierarchy_destroy(Context.Raw, new PrxHierarchy { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>Follows the mesh to where it is now.</summary>
        public PrxHierarchyChange Update()
        {
            PrxHierarchyChange change;
            Check(Native.prx_hierarchy_update(Context.Raw, Raw, &change));
            return change;
        }

        /// <summary>Fits the hierarchy to morph targets: meshes with the same triangles.</summary>
        public void SetTargets(params ProxelMesh[] targets)
        {
            var raw = new PrxMesh[targets.Length];
            for (int i = 0; i < raw.Length; ++i) raw[i] = targets[i].Raw;
            fixed (PrxMesh* all = raw) Check(Native.prx_hierarchy_set_targets(Context.Raw, Raw, all, (uint)raw.Length));
            GC.KeepAlive(targets);
        }

        /// <summary>Takes the volumes of a blend of the morph targets: one weight a target, with sum 1.</summary>
        public void Blend(ReadOnlySpan<float> weights)
        {
            fixed (float* all = &MemoryMarshal.GetReference(weights))
                Check(Native.prx_hierarchy_blend(Context.Raw, Raw, all, (uint)weights.Length));
        }

        /// <summary>Tells the displacement fields of the mesh, which is at rest now: one after the other, a vector a vertex.</summary>
        public void SetDisplacements(ReadOnlySpan<Float3> displacements)
        {
            if (displacements.Length % vertices != 0)
                throw new ArgumentException(displacements.Length + " displacements are not a multiple of the mesh's " + vertices + " vertices");
            fixed (Float3* all = &MemoryMarshal.GetReference(displacements))
                Check(Native.prx_hierarchy_set_displacements(Context.Raw, Raw, (float*)all, (uint)(displacements.Length / vertices)));
        }

        /// <summary>Takes the volumes of the mesh at rest plus each displacement field times its amplitude.</summary>
        public void Deform(ReadOnlySpan<float> amplitudes)
        {
            fixed (float* all = &MemoryMarshal.GetReference(amplitudes))
                Check(Native.prx_hierarchy_deform(Context.Raw, Raw, all, (uint)amplitudes.Length));
        }

        /// <summary>All intersecting triangle pairs of two hierarchies. True when they fit.</summary>
        public bool Pairs(ProxelHierarchy other, Span<PrxTrianglePair> room, out int count)
        {
            PrxPose here = Native.prx_pose_identity();
            return Pairs(here, other, here, room, out count);
        }

        /// <summary>The same where both stand.</summary>
        public bool Pairs(PrxPose pose, ProxelHierarchy other, PrxPose otherPose, Span<PrxTrianglePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxTrianglePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_hierarchy_pairs(Context.Raw, Raw, &pose, other.Raw, &otherPose, to, (ulong)room.Length, &found);
            count = (int)found;
            GC.KeepAlive(other);
            return Fits(status);
        }
    }
}
