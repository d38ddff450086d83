using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>What two closed meshes had in common when it was made, exactly.</summary>
    public sealed unsafe class ProxelIntersection : ProxelObject
    {
        ProxelIntersection(ProxelContext context, PrxIntersection intersection) : base(context, intersection.id) { }

        /// <summary>Finds what two closed meshes have in common.</summary>
        public static ProxelIntersection Create(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB)
        {
            PrxIntersection intersection;
            a.Check(Native.prx_intersection_create(a.Context.Raw, a.Raw, &poseA, b.Raw, &poseB, &intersection));
            GC.KeepAlive(b);
            return new ProxelIntersection(a.Context, intersection);
        }

        internal static ProxelIntersection Of(ProxelContext context, PrxIntersection intersection) => new ProxelIntersection(context, intersection);

        internal PrxIntersection Raw => new PrxIntersection { id = Id };

        protected override bool ReleaseHandle()
        {
            return Native.prx_intersection_destroy(Context.Raw, new PrxIntersection { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>Its volume, derivatives and moments.</summary>
        public PrxExactIntersection Summary()
        {
            PrxExactIntersection found;
            Check(Native.prx_intersection_summary(Context.Raw, Raw, &found));
            return found;
        }

        /// <summary>The connected parts, the largest first. True when they fit; <paramref name="count"/> is how many there are.</summary>
        public bool Regions(Span<PrxIntersectionRegion> room, out int count) => Fill(regions, room, out count);

        /// <summary>The parts as contacts that a solver takes; <paramref name="previous"/> are those of the last step. True when they fit.</summary>
        public bool Contacts(ReadOnlySpan<PrxContact> previous, Span<PrxContact> room, out int count, PrxRegionContactsDef? def = null)
        {
            PrxRegionContactsDef asked = def ?? Native.prx_region_contacts_def_default();
            ulong found = 0;
            PrxStatus status;
            fixed (PrxContact* old = &MemoryMarshal.GetReference(previous))
            fixed (PrxContact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_contacts(Context.Raw, Raw, &asked, old, (uint)previous.Length, null, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The patches of those contacts. True when they fit.</summary>
        public bool Patches(ReadOnlySpan<PrxContact> previous, Span<PrxPatch> room, out int count, PrxRegionContactsDef? def = null)
        {
            PrxRegionContactsDef asked = def ?? Native.prx_region_contacts_def_default();
            ulong found = 0;
            PrxStatus status;
            fixed (PrxContact* old = &MemoryMarshal.GetReference(previous))
            fixed (PrxPatch* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_patches(Context.Raw, Raw, &asked, old, (uint)previous.Length, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The curves where the surfaces cross. True when they fit.</summary>
        public bool Curves(Span<PrxIntersectionCurve> room, out int count) => Fill(curves, room, out count);

        /// <summary>The points of all curves. True when they fit.</summary>
        public bool CurvePoints(Span<PrxCurvePoint> room, out int count) => Fill(curvePoints, room, out count);

        /// <summary>How the volume changes as single vertices move. True when they fit.</summary>
        public bool Gradients(Span<PrxVertexGradient> room, out int count) => Fill(gradients, room, out count);

        /// <summary>The corners of the boundary of what an operation makes of the meshes. True when they fit.</summary>
        public bool BoundaryVertices(PrxBooleanOperation operation, Span<PrxBoundaryVertex> room, out int count) =>
            Fill(boundaryVertices, room, out count, operation);

        /// <summary>The triangles of that boundary. True when they fit.</summary>
        public bool BoundaryTriangles(PrxBooleanOperation operation, Span<PrxBoundaryTriangle> room, out int count) =>
            Fill(boundaryTriangles, room, out count, operation);

        // Only boundaries look at the operation.
        delegate PrxStatus List(IntPtr context, PrxIntersection of, PrxBooleanOperation operation, void* to, ulong capacity, ulong* found);

        // Made once: a call allocates nothing.
        static readonly List regions = (context, of, _, to, capacity, found) =>
            Native.prx_intersection_regions(context, of, (PrxIntersectionRegion*)to, capacity, found);
        static readonly List curves = (context, of, _, to, capacity, found) =>
            Native.prx_intersection_curves(context, of, (PrxIntersectionCurve*)to, capacity, found);
        static readonly List curvePoints = (context, of, _, to, capacity, found) =>
            Native.prx_intersection_curve_points(context, of, (PrxCurvePoint*)to, capacity, found);
        static readonly List gradients = (context, of, _, to, capacity, found) =>
            Native.prx_intersection_gradients(context, of, (PrxVertexGradient*)to, capacity, found);
        static readonly List boundaryVertices = (context, of, operation, to, capacity, found) =>
            Native.prx_intersection_boundary_vertices(context, of, operation, (PrxBoundaryVertex*)to, capacity, found);
        static readonly List boundaryTriangles = (context, of, operation, to, capacity, found) =>
            Native.prx_intersection_boundary_triangles(context, of, operation, (PrxBoundaryTriangle*)to, capacity, found);

        bool Fill<T>(List list, Span<T> room, out int count, PrxBooleanOperation operation = default(PrxBooleanOperation)) where T : struct
        {
            ulong found = 0;
            PrxStatus status;
            fixed (byte* to = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(room)))
                status = list(Context.Raw, Raw, operation, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }
    }
}
