using System;
using Proxel;

/// <summary>Through the C# layer: meshes that are replaced, culled pairs of a scene, and exact queries of a batch that leave objects or lists.</summary>
static class Breaking
{
    static ProxelContext context;
    static readonly PrxPose origin = PrxPose.Identity;

    static int Main()
    {
        using (context = Device.Open())
        {
            Replaced();
            Culled();
            InCommon();
            Tetrahedra();
        }
        return Check.Finish();
    }

    static void Replaced()
    {
        using (ProxelMesh mesh = Shapes.Cube(context, 1))
        {
            mesh.Replace(new[] { new Float3(0, 0, 0), new Float3(3, 0, 0), new Float3(0, 1, 0) }, new uint[] { 0, 1, 2 });
            Check.Equal(mesh.TriangleCount, 1, "a triangle is left");
            Check.Equal(mesh.VertexCount, 3, "and its vertices");
            Check.Equal(mesh.Bounds().max.x, 3.0f, "where it is now");
            Check.Equal(mesh.Facts().area, 1.5, "its area");
            Check.Refused(PrxStatus.InvalidArgument, "", () => mesh.Replace(new[] { new Float3() }, new uint[] { 0, 1, 2 }), "an index too far");
            Check.Equal(mesh.TriangleCount, 1, "which changes nothing");
        }
    }

    static void Culled()
    {
        using (ProxelMesh one = Shapes.Triangle(context, new Float3(-1, 0, 0), new Float3(1, 0, 0), new Float3(0, 1, 0)),
                          other = Shapes.Triangle(context, new Float3(0, 0.5f, -1), new Float3(0, 0.5f, 1), new Float3(0, 5, 0)))
        using (ProxelScene scene = ProxelScene.Create(context))
        {
            PrxObject first = scene.Add(one, origin), second = scene.Add(other, origin);
            scene.Add(other, Shapes.At(50, 0, 0));
            var room = new PrxScenePair[2];
            int count;
            PrxCullStats stats;
            Check.True(!scene.PairsCulled(0, PrxCullDef.Default, default(Span<PrxScenePair>), out count, out stats) && count == 1, "no room, and how much is needed");
            Check.True(scene.PairsCulled(0, PrxCullDef.Default, room, out count, out stats) && count == 1, "one pair of triangles meets");
            Check.True(room[0].objectA.id == first.id && room[0].objectB.id == second.id, "of these two");
        }
    }

    static void InCommon()
    {
        using (ProxelMesh large = Shapes.Cube(context, 1), small = Shapes.Cube(context, 0.5f))
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            PrxTicket ticket = batch.Intersection(large, origin, small, Shapes.At(1.25f, 0, 0));
            batch.Submit();
            batch.Wait();
            using (ProxelIntersection shared = batch.IntersectionResult(ticket))
            {
                batch.Reset();
                Check.Near(shared.Summary().volume, 0.25, 1e-12, "a quarter of the small cube, when the batch has forgotten it");
                int count;
                Check.True(!shared.Regions(default(Span<PrxIntersectionRegion>), out count) && count == 1, "in one part");
            }
        }
    }

    static unsafe void Tetrahedra()
    {
        var positions = new[] { new Float3(0, 0, 0), new Float3(1, 0, 0), new Float3(0, 1, 0), new Float3(0, 0, 1) };
        var poked = new[] { new Float3(0.25f, 0.25f, 0.25f), new Float3(9, 9, 9), new Float3(9, 10, 9), new Float3(9, 9, 10) };
        var corners = new uint[] { 0, 1, 2, 3 };
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            PrxTicket inside, deep;
            fixed (Float3* first = positions)
            fixed (Float3* second = poked)
            fixed (uint* index = corners)
            {
                var body = new PrxTetrahedralBody { positions = (IntPtr)first, tetrahedra = (IntPtr)index, vertexCount = 4, tetrahedronCount = 1 };
                PrxTetrahedralBody other = body;
                other.positions = (IntPtr)second;
                inside = batch.TetrahedraInside(new[] { body, other });
                deep = batch.TetrahedraDepths(new[] { body, other });
            }
            Array.Clear(poked, 0, poked.Length); // they were copied
            batch.Submit();
            batch.Wait();
            var found = new PrxVertexInside[1];
            var depths = new PrxVertexDepth[1];
            int count;
            Check.True(batch.TetrahedraInsideResult(inside, found, out count) && count == 1, "one vertex inside");
            Check.True(found[0].vertexBody == 1 && found[0].vertex == 0 && found[0].tetrahedronBody == 0, "which");
            Check.True(batch.TetrahedraDepthsResult(deep, depths, out count) && count == 1, "one vertex has a depth");
            Check.Near(depths[0].depth, 0.25 / Math.Sqrt(3), 1e-6, "how deep");
        }
    }
}
