using System;
using Proxel;

/// <summary>Meshes and poses to test with.</summary>
static class Shapes
{
    static readonly uint[] cube =
    {
        0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
    };

    internal static Float3[] Corners(float half)
    {
        var corners = new Float3[8];
        for (int i = 0; i < 8; ++i)
            corners[i] = new Float3((i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half);
        return corners;
    }

    /// <summary>A cube around the origin.</summary>
    internal static ProxelMesh Cube(ProxelContext context, float half, bool deforming = false, string label = null)
    {
        return ProxelMesh.Create(context, Corners(half), cube, deforming, label);
    }

    internal static ProxelMesh Triangle(ProxelContext context, Float3 a, Float3 b, Float3 c)
    {
        return ProxelMesh.Create(context, new[] { a, b, c }, new ushort[] { 0, 1, 2 });
    }

    /// <summary>A torus of many triangles, so that queries take a while.</summary>
    internal static ProxelMesh Torus(ProxelContext context, int around, int across)
    {
        var positions = new Float3[around * across];
        var indices = new uint[6 * around * across];
        for (int i = 0, at = 0; i < around; ++i)
        {
            for (int j = 0; j < across; ++j)
            {
                double u = 2 * Math.PI * i / around, v = 2 * Math.PI * j / across, r = 1 + 0.3 * Math.Cos(v);
                positions[i * across + j] = new Float3((float)(r * Math.Cos(u)), (float)(r * Math.Sin(u)), (float)(0.3 * Math.Sin(v)));
                uint next = (uint)((i + 1) % around * across), here = (uint)(i * across), up = (uint)((j + 1) % across);
                foreach (uint index in new[] { here + (uint)j, next + (uint)j, next + up, here + (uint)j, next + up, here + up })
                    indices[at++] = index;
            }
        }
        return ProxelMesh.Create(context, positions, indices);
    }

    internal static PrxPose At(float x, float y, float z)
    {
        PrxPose pose = PrxPose.Identity;
        pose.position = new Float3(x, y, z);
        return pose;
    }
}
