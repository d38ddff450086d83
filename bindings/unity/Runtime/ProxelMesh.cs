using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>Triangles whose positions may change every frame, and which can be replaced altogether.</summary>
    public sealed unsafe partial class ProxelMesh : ProxelObject
    {
        /// <summary>Vertices; Replace may change their number.</summary>
        public int VertexCount { get; private set; }

        /// <summary>Triangles; Replace may change their number.</summary>
        public int TriangleCount { get; private set; }

        ProxelMesh(ProxelContext context, PrxMesh mesh, PrxMeshDef def) : base(context, mesh.id)
        {
            VertexCount = (int)def.vertexCount;
            TriangleCount = (int)def.triangleCount;
        }

        /// <summary>Creates a mesh; everything is copied. Triangles are three indices each, counter-clockwise from outside.</summary>
        public static ProxelMesh Create(ProxelContext context, ReadOnlySpan<Float3> positions, ReadOnlySpan<uint> indices,
                                        bool deforming = false, string label = null)
        {
            fixed (uint* index = &MemoryMarshal.GetReference(indices))
                return Create(context, positions, index, indices.Length, PrxIndexType.U32, deforming, label);
        }

        /// <summary>The same with 16-bit indices.</summary>
        public static ProxelMesh Create(ProxelContext context, ReadOnlySpan<Float3> positions, ReadOnlySpan<ushort> indices,
                                        bool deforming = false, string label = null)
        {
            fixed (ushort* index = &MemoryMarshal.GetReference(indices))
                return Create(context, positions, index, indices.Length, PrxIndexType.U16, deforming, label);
        }

        /// <summary>The same of doubles, which exact queries decide on.</summary>
        public static ProxelMesh Create(ProxelContext context, ReadOnlySpan<Double3> positions, ReadOnlySpan<uint> indices,
                                        bool deforming = false, string label = null)
        {
            fixed (Double3* first = &MemoryMarshal.GetReference(positions))
            fixed (uint* index = &MemoryMarshal.GetReference(indices))
                return Create(context, Def(first, positions.Length, index, indices.Length, PrxIndexType.U32, deforming), label);
        }

        static ProxelMesh Create(ProxelContext context, ReadOnlySpan<Float3> positions, void* indices, int count, PrxIndexType type,
                                 bool deforming, string label)
        {
            fixed (Float3* first = &MemoryMarshal.GetReference(positions))
                return Create(context, Def(first, positions.Length, indices, count, type, deforming), label);
        }

        static ProxelMesh Create(ProxelContext context, PrxMeshDef def, string label)
        {
            fixed (byte* name = Text.Write(label))
            {
                def.label = (IntPtr)name;
                return Create(context, def);
            }
        }

        static PrxMeshDef Def(Double3* positions, int vertices, void* indices, int count, PrxIndexType type, bool deforming)
        {
            PrxMeshDef def = Def((Float3*)null, vertices, indices, count, type, deforming);
            def.positions = (IntPtr)positions;
            def.positionStride = (ulong)sizeof(Double3);
            def.positionFormat = PrxPositionFormat.F64;
            return def;
        }

        static PrxMeshDef Def(Float3* positions, int vertices, void* indices, int count, PrxIndexType type, bool deforming)
        {
            if (count % 3 != 0)
                throw new ArgumentException(count + " indices do not make triangles: three each are needed");
            PrxMeshDef def = PrxMeshDef.Default;
            def.flags = deforming ? Prx.MeshDeforming : 0;
            def.vertexCount = (uint)vertices;
            def.triangleCount = (uint)(count / 3);
            def.positions = (IntPtr)positions;
            def.positionStride = (ulong)sizeof(Float3);
            def.indices = (IntPtr)indices;
            def.indexType = type;
            return def;
        }

        /// <summary>Creates a mesh from a def whose pointers are the caller's, such as one in a VkBuffer.</summary>
        public static ProxelMesh Create(ProxelContext context, PrxMeshDef def)
        {
            PrxMesh mesh;
            Call.Check(Native.prx_mesh_create(context.Raw, &def, &mesh), context);
            return new ProxelMesh(context, mesh, def);
        }

        /// <summary>
        /// Gives the mesh other triangles and positions, as many as there are, so that a body may break between two frames. Fields that were baked stay;
        /// a live field, a tracker, a hierarchy and a scene's body of it must be made anew.
        /// </summary>
        public void Replace(ReadOnlySpan<Float3> positions, ReadOnlySpan<uint> indices, bool deforming = false)
        {
            fixed (Float3* first = &MemoryMarshal.GetReference(positions))
            fixed (uint* index = &MemoryMarshal.GetReference(indices))
                Replace(Def(first, positions.Length, index, indices.Length, PrxIndexType.U32, deforming));
        }

        /// <summary>The same from a def whose pointers are the caller's.</summary>
        public void Replace(PrxMeshDef def)
        {
            Check(Native.prx_mesh_replace(Context.Raw, Raw, &def));
            VertexCount = (int)def.vertexCount;
            TriangleCount = (int)def.triangleCount;
        }

        internal PrxMesh Raw => new PrxMesh { id = Id };

        protected override bool ReleaseHandle()
        {
            return Native.prx_mesh_destroy(Context.Raw, new PrxMesh { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>Replaces positions from <paramref name="first"/> on. They are copied; batches in flight see the old ones.</summary>
        public void Update(ReadOnlySpan<Float3> positions, uint first = 0)
        {
            fixed (Float3* from = &MemoryMarshal.GetReference(positions))
                Check(Native.prx_mesh_update(Context.Raw, Raw, first, (uint)positions.Length, from, (ulong)sizeof(Float3)));
        }

        /// <summary>The same with doubles; the mesh was created with doubles.</summary>
        public void Update(ReadOnlySpan<Double3> positions, uint first = 0)
        {
            fixed (Double3* from = &MemoryMarshal.GetReference(positions))
                Check(Native.prx_mesh_update_f64(Context.Raw, Raw, first, (uint)positions.Length, from, (ulong)sizeof(Double3)));
        }

        /// <summary>A body with this surface at the world's origin: set its place, scale and offsets. Keep the mesh until it was asked about.</summary>
        public PrxBody Body()
        {
            PrxBody body = PrxBody.Default;
            body.mesh = Raw;
            return body;
        }

        /// <summary>Takes stock of the mesh as it is now.</summary>
        public PrxMeshFacts Facts(PrxVertices vertices = PrxVertices.Indexed)
        {
            PrxMeshFacts facts;
            Check(Native.prx_mesh_facts(Context.Raw, Raw, vertices, &facts));
            return facts;
        }

        /// <summary>The box of the mesh under a pose. It holds every vertex.</summary>
        public PrxBounds Bounds(PrxPose pose)
        {
            PrxBounds bounds;
            Check(Native.prx_mesh_bounds(Context.Raw, Raw, &pose, &bounds));
            return bounds;
        }

        /// <summary>The exact box of the mesh in its own frame.</summary>
        public PrxBounds Bounds()
        {
            PrxBounds bounds;
            Check(Native.prx_mesh_bounds(Context.Raw, Raw, null, &bounds));
            return bounds;
        }

        /// <summary>The triangles in cluster order. True when they fit; <paramref name="count"/> is how many there are.</summary>
        public bool ClusterTriangles(Span<uint> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (uint* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_mesh_cluster_triangles(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Which points in the world are inside this closed mesh: Prx.Containment* bits for each.</summary>
        public void Contains(PrxPose pose, ReadOnlySpan<Float3> points, Span<uint> answers, PrxLdiDef? def = null)
        {
            if (answers.Length < points.Length)
                throw new ArgumentException("room for " + answers.Length + " answers, but there are " + points.Length + " points");
            PrxLdiDef asked = def.GetValueOrDefault();
            fixed (Float3* from = &MemoryMarshal.GetReference(points))
            fixed (uint* to = &MemoryMarshal.GetReference(answers))
                Check(Native.prx_mesh_contains(Context.Raw, Raw, &pose, from, (uint)points.Length, (ulong)sizeof(Float3),
                                               def.HasValue ? &asked : null, to));
        }

        /// <summary>How deep points of the world are inside, and their shortest ways out, now, on the CPU; one exit per point.</summary>
        public void Exits(PrxPose pose, ReadOnlySpan<Float3> points, Span<PrxExit> exits)
        {
            if (exits.Length < points.Length) throw new ArgumentException("room for fewer exits than points", nameof(exits));
            fixed (Float3* from = &MemoryMarshal.GetReference(points))
            fixed (PrxExit* to = &MemoryMarshal.GetReference(exits))
                Check(Native.prx_mesh_exits(Context.Raw, Raw, &pose, from, (uint)points.Length, (ulong)sizeof(Float3), to));
        }

        /// <summary>The volume that this and another closed mesh have in common.</summary>
        public PrxIntersectionVolume IntersectionVolume(PrxPose pose, ProxelMesh other, PrxPose otherPose, PrxLdiDef? def = null)
        {
            PrxLdiDef asked = def.GetValueOrDefault();
            PrxIntersectionVolume volume;
            Check(Native.prx_mesh_intersection_volume(Context.Raw, Raw, &pose, other.Raw, &otherPose, def.HasValue ? &asked : null, &volume, null));
            GC.KeepAlive(other);
            return volume;
        }

        /// <summary>How that volume changes as each vertex of this mesh and of the other moves: a vector a vertex, in the world.</summary>
        public void IntersectionGradients(PrxPose pose, ProxelMesh other, PrxPose otherPose, Span<Float3> own, Span<Float3> others,
                                    PrxLdiDef? def = null)
        {
            if (own.Length < VertexCount || others.Length < other.VertexCount)
                throw new ArgumentException("room for " + own.Length + " and " + others.Length + " vectors, but there are " + VertexCount +
                                            " and " + other.VertexCount + " vertices");
            PrxLdiDef asked = def.GetValueOrDefault();
            fixed (Float3* first = &MemoryMarshal.GetReference(own))
            fixed (Float3* second = &MemoryMarshal.GetReference(others))
                Check(Native.prx_mesh_intersection_gradients(Context.Raw, Raw, &pose, other.Raw, &otherPose, def.HasValue ? &asked : null,
                                                       (float*)first, (float*)second));
            GC.KeepAlive(other);
        }

        /// <summary>
        /// The point of <paramref name="mesh"/> with the smallest signed distance to this closed mesh, exactly, on the CPU.
        /// </summary>
        public PrxProximity Proximity(PrxPose pose, ProxelMesh mesh, PrxPose meshPose)
        {
            PrxProximity proximity;
            Check(Native.prx_mesh_proximity(Context.Raw, Raw, &pose, mesh.Raw, &meshPose, &proximity));
            GC.KeepAlive(mesh);
            return proximity;
        }
    }
}
