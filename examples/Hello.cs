// How deep is this small cube in that large one, and what pushes it out?
using System;
using Proxel;

static class Hello
{
    static readonly uint[] triangles =
    {
        0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
    };

    static ProxelMesh Cube(ProxelContext context, float half)
    {
        var corners = new Float3[8];
        for (int i = 0; i < 8; ++i)
            corners[i] = new Float3((i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half);
        return ProxelMesh.Create(context, corners, triangles);
    }

    static void Main()
    {
        using (ProxelContext context = ProxelContext.Open())
        using (ProxelMesh large = Cube(context, 1), small = Cube(context, 0.5f))
        using (ProxelField body = ProxelField.Bake(large))
        {
            Console.WriteLine("on " + context.Info.deviceName);
            body.Wait();
            PrxPose here = PrxPose.Identity, there = PrxPose.Identity;
            there.position = new Float3(1.4f, 0, 0);
            PrxPenalty contact = body.Penalty(here, small, there);
            Console.WriteLine("depth: {0:0.000}, force on the small cube: ({1:0.00} {2:0.00} {3:0.00})", contact.depth,
                              contact.meshForceSum.x, contact.meshForceSum.y, contact.meshForceSum.z);
        }
    }
}
