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

        PrxIntersection Raw => new PrxIntersection { id = Id };

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
        public bool Regions(Span<PrxIntersectionRegion> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxIntersectionRegion* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_regions(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The curves where the surfaces cross. True when they fit.</summary>
        public bool Curves(Span<PrxIntersectionCurve> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxIntersectionCurve* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_curves(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The points of all curves. True when they fit.</summary>
        public bool CurvePoints(Span<PrxCurvePoint> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxCurvePoint* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_curve_points(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>How the volume changes as single vertices move. True when they fit.</summary>
        public bool Gradients(Span<PrxVertexGradient> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxVertexGradient* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_gradients(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The corners of the boundary of what an operation makes of the meshes. True when they fit.</summary>
        public bool BoundaryVertices(PrxBooleanOperation operation, Span<PrxBoundaryVertex> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxBoundaryVertex* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_boundary_vertices(Context.Raw, Raw, operation, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The triangles of that boundary. True when they fit.</summary>
        public bool BoundaryTriangles(PrxBooleanOperation operation, Span<PrxBoundaryTriangle> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxBoundaryTriangle* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_intersection_boundary_triangles(Context.Raw, Raw, operation, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }
    }
}
