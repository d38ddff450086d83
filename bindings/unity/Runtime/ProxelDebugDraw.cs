using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>
    /// Draws what Proxel sees: derive from it, override what the engine can draw, and ask it to draw things. What is overridden
    /// may call Proxel; the first exception of it is thrown on when the drawing is done.
    /// </summary>
    public abstract unsafe class ProxelDebugDraw
    {
        /// <summary>Colors, origin, scale and resolution. Functions and user are set by each call.</summary>
        public PrxDebugDraw Options = PrxDebugDraw.Default;

        /// <summary>A line. Colors are red, green, blue and opacity from the highest byte to the lowest.</summary>
        protected virtual void Line(Float3 from, Float3 to, uint color) { }

        /// <summary>A filled triangle, counter-clockwise as seen from outside.</summary>
        protected virtual void Triangle(Float3 a, Float3 b, Float3 c, uint color) { }

        /// <summary>A point, as large as the engine likes.</summary>
        protected virtual void Point(Float3 at, uint color) { }

        /// <summary>A text that begins at a point.</summary>
        protected virtual void Write(Float3 at, string text, uint color) { }

        /// <summary>Triangles and edges of a mesh.</summary>
        public void Mesh(ProxelMesh mesh, PrxPose pose)
        {
            PrxPose* at = &pose;
            Draw(mesh, draw => Native.prx_debug_draw_mesh(mesh.Context.Raw, mesh.Raw, at, draw));
        }

        /// <summary>Boxes of a mesh's clusters.</summary>
        public void Clusters(ProxelMesh mesh, PrxPose pose)
        {
            PrxPose* at = &pose;
            Draw(mesh, draw => Native.prx_debug_draw_clusters(mesh.Context.Raw, mesh.Raw, at, draw));
        }

        /// <summary>Boxes of one level of a mesh's hierarchy; uint.MaxValue for the leaves.</summary>
        public void Hierarchy(ProxelMesh mesh, PrxPose pose, uint level)
        {
            PrxPose* at = &pose;
            Draw(mesh, draw => Native.prx_debug_draw_hierarchy(mesh.Context.Raw, mesh.Raw, at, level, draw));
        }

        /// <summary>Domain and surface of a field.</summary>
        public void Field(ProxelField field, PrxPose pose)
        {
            PrxPose* at = &pose;
            Draw(field, draw => Native.prx_debug_draw_field(field.Context.Raw, field.Raw, at, draw));
        }

        /// <summary>Distances in a plane across an axis of a field's frame.</summary>
        public void FieldSlice(ProxelField field, PrxPose pose, uint axis, float at)
        {
            PrxPose* placed = &pose;
            Draw(field, draw => Native.prx_debug_draw_field_slice(field.Context.Raw, field.Raw, placed, axis, at, draw));
        }

        /// <summary>Points, normals and separations of contacts.</summary>
        public void Contacts(ProxelContext context, PrxContact[] contacts)
        {
            fixed (PrxContact* first = contacts)
            {
                PrxContact* pinned = first;
                Draw(context, draw => Native.prx_debug_draw_contacts(context.Raw, pinned, (ulong)contacts.Length, draw));
            }
        }

        /// <summary>Nearest points of pairs that were found between these meshes.</summary>
        public void Near(ProxelMesh a, PrxPose poseA, ProxelMesh b, PrxPose poseB, PrxNearPair[] pairs)
        {
            PrxPose* atA = &poseA, atB = &poseB;
            fixed (PrxNearPair* first = pairs)
            {
                PrxNearPair* pinned = first;
                Draw(a, draw => Native.prx_debug_draw_near(a.Context.Raw, a.Raw, atA, b.Raw, atB, pinned, (ulong)pairs.Length, draw));
            }
        }

        /// <summary>Ways and places of impacts that were found between these meshes.</summary>
        public void Impacts(ProxelMesh a, ProxelMesh endA, ProxelMesh b, ProxelMesh endB, PrxFeatureImpact[] impacts)
        {
            fixed (PrxFeatureImpact* first = impacts)
            {
                PrxFeatureImpact* pinned = first;
                Draw(a, draw => Native.prx_debug_draw_impacts(a.Context.Raw, a.Raw, endA.Raw, b.Raw, endB.Raw, pinned, (ulong)impacts.Length, draw));
            }
        }

        /// <summary>Parts of an intersection and the curves around them.</summary>
        public void Regions(ProxelIntersection intersection)
        {
            Draw(intersection, draw => Native.prx_debug_draw_regions(intersection.Context.Raw, intersection.Raw, draw));
        }

        delegate PrxStatus Drawer(PrxDebugDraw* draw);

        Exception thrown;

        void Draw(ProxelObject drawn, Drawer call)
        {
            Draw(drawn.Context, call);
            GC.KeepAlive(drawn);
        }

        void Draw(ProxelContext context, Drawer call)
        {
            GCHandle self = GCHandle.Alloc(this);
            PrxStatus status;
            try
            {
                PrxDebugDraw draw = Options;
                draw.user = GCHandle.ToIntPtr(self);
                draw.drawLine = line;
                draw.drawTriangle = triangle;
                draw.drawPoint = point;
                draw.drawText = text;
                status = call(&draw);
            }
            finally
            {
                self.Free();
            }
            Call.Check(status, context);
            Exception first = thrown;
            thrown = null;
            if (first != null) throw first;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate void LineFunction(IntPtr user, Float3* from, Float3* to, uint color);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate void TriangleFunction(IntPtr user, Float3* a, Float3* b, Float3* c, uint color);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate void PointFunction(IntPtr user, Float3* at, uint color);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate void TextFunction(IntPtr user, Float3* at, IntPtr text, uint color);

        // Kept, so that what is behind the pointers stays.
        static readonly LineFunction keptLine = OnLine;
        static readonly TriangleFunction keptTriangle = OnTriangle;
        static readonly PointFunction keptPoint = OnPoint;
        static readonly TextFunction keptText = OnText;
        static readonly IntPtr line = Marshal.GetFunctionPointerForDelegate(keptLine);
        static readonly IntPtr triangle = Marshal.GetFunctionPointerForDelegate(keptTriangle);
        static readonly IntPtr point = Marshal.GetFunctionPointerForDelegate(keptPoint);
        static readonly IntPtr text = Marshal.GetFunctionPointerForDelegate(keptText);

        [MonoPInvokeCallback(typeof(LineFunction))]
        static void OnLine(IntPtr user, Float3* from, Float3* to, uint color) => Of(user, draw => draw.Line(*from, *to, color));

        [MonoPInvokeCallback(typeof(TriangleFunction))]
        static void OnTriangle(IntPtr user, Float3* a, Float3* b, Float3* c, uint color) => Of(user, draw => draw.Triangle(*a, *b, *c, color));

        [MonoPInvokeCallback(typeof(PointFunction))]
        static void OnPoint(IntPtr user, Float3* at, uint color) => Of(user, draw => draw.Point(*at, color));

        [MonoPInvokeCallback(typeof(TextFunction))]
        static void OnText(IntPtr user, Float3* at, IntPtr text, uint color) => Of(user, draw => draw.Write(*at, Text.Read((byte*)text), color));

        static void Of(IntPtr user, Action<ProxelDebugDraw> act)
        {
            var draw = (ProxelDebugDraw)GCHandle.FromIntPtr(user).Target;
            if (draw.thrown != null) return;
            // An exception must not travel through Proxel's frames.
            try
            {
                act(draw);
            }
            catch (Exception e)
            {
                draw.thrown = e;
            }
        }
    }
}
