using System.Collections.Generic;
using System.Reflection;
using Proxel;
using UnityEngine;

/// <summary>The sample component, as Unity would run it, against a contact that is known by hand.</summary>
static class ComponentRun
{
    static int Main()
    {
        Mesh large = Cube(1), small = Cube(0.5f);
        using (ProxelContext context = Device.Open())
        using (ProxelMesh mesh = UnityBodies.CreateMesh(context, large, new Vector3(1, 2, 1)))
        {
            PrxMeshFacts facts = mesh.Facts(PrxVertices.Welded);
            Check.True(facts.closed == 1 && facts.oriented == 1, "Unity's split corners lie together");
            Check.Equal(facts.volume, 16.0, "clockwise on left-handed axes faces outwards, and scale counts");
        }

        Rigidbody body = Body(large, new Vector3(0, 0, 0)), other = Body(small, new Vector3(1.4f, 0, 0));
        var contact = new ProxelContact { other = other, stiffness = 100, damping = 0, friction = 0 };
        Component.Assemble(body.transform, body, body.GetComponent<MeshFilter>(), contact);
        Call(contact, "Start");
        Check.True(Debug.warnings.Count == 1 && Debug.warnings[0].Contains("UnityPluginLoad"), "it said why it opens its own device");
        // As many steps as the device needs; ctest ends a component that never gets an answer.
        while (contact.Contact.sampleCount == 0)
        {
            Call(contact, "FixedUpdate");
            System.Threading.Thread.Sleep(1);
        }
        // The integral of the depth is 0.12: a face of area 1 lies 0.1 deep, and four strips of width 0.1 rise to the surface.
        double error = 100 * (contact.Contact.depthSumError + 0.005);
        Check.Near(other.force.x, 12, error, "the other body is pushed out");
        Check.Near(body.force.x, -12, error, "this body as much the other way");
        Check.Near(other.force.y, 0, 0.5, "nothing aside");
        Call(contact, "OnDestroy");
        Call(new ProxelContact(), "OnDestroy");
        return Check.Finish();
    }

    static void Call(ProxelContact contact, string message)
    {
        typeof(ProxelContact).GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic).Invoke(contact, null);
    }

    static Rigidbody Body(Mesh mesh, Vector3 position)
    {
        var body = new Rigidbody();
        Component.Assemble(new Transform { position = position }, body, new MeshFilter { sharedMesh = mesh });
        return body;
    }

    /// <summary>
    /// A cube of six quads with corners of their own, wound as Unity's manual winds the quad that faces backwards: lower left, upper
    /// left, lower right; upper left, upper right, lower right.
    /// </summary>
    static Mesh Cube(float half)
    {
        var vertices = new List<Vector3>();
        var triangles = new List<int>();
        // Normal, right and up of each face, as one sees it from outside on left-handed axes.
        var faces = new[,]
        {
            { new Vector3(0, 0, -1), new Vector3(1, 0, 0), new Vector3(0, 1, 0) }, { new Vector3(0, 0, 1), new Vector3(-1, 0, 0), new Vector3(0, 1, 0) },
            { new Vector3(1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, 1, 0) }, { new Vector3(-1, 0, 0), new Vector3(0, 0, -1), new Vector3(0, 1, 0) },
            { new Vector3(0, 1, 0), new Vector3(1, 0, 0), new Vector3(0, 0, 1) }, { new Vector3(0, -1, 0), new Vector3(1, 0, 0), new Vector3(0, 0, -1) },
        };
        for (int face = 0; face < 6; ++face)
        {
            int first = vertices.Count;
            for (int corner = 0; corner < 4; ++corner)
            {
                float right = (corner & 1) != 0 ? half : -half, up = (corner & 2) != 0 ? half : -half;
                Vector3 n = faces[face, 0], r = faces[face, 1], u = faces[face, 2];
                vertices.Add(new Vector3(n.x * half + r.x * right + u.x * up, n.y * half + r.y * right + u.y * up,
                                         n.z * half + r.z * right + u.z * up));
            }
            foreach (int index in new[] { 0, 2, 1, 2, 3, 1 }) triangles.Add(first + index);
        }
        return new Mesh { name = "cube", vertices = vertices.ToArray(), triangles = triangles.ToArray() };
    }
}
