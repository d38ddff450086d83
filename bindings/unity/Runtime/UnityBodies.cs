#if UNITY_2021_2_OR_NEWER
using System.Collections.Generic;
using System.Runtime.InteropServices;
using UnityEngine;

namespace Proxel
{
    /// <summary>
    /// Unity's meshes, transforms and bodies as Proxel's. Numbers go over as they are: Unity's axes are left-handed and its
    /// front faces clockwise, which is the mirror image of right-handed axes with counter-clockwise ones, and
    /// forces, torques and quaternions follow the same formulas in both.
    /// </summary>
    public static class UnityBodies
    {
        public static Float3 ToProxel(this Vector3 v) => new Float3(v.x, v.y, v.z);

        public static Vector3 ToUnity(this Float3 v) => new Vector3(v.x, v.y, v.z);

        /// <summary>Where something is. Its scale is not part of it: see <see cref="CreateMesh"/>.</summary>
        public static PrxPose ToProxel(this Transform transform)
        {
            PrxPose pose = PrxPose.Identity;
            Quaternion rotation = transform.rotation;
            pose.position = transform.position.ToProxel();
            pose.rotation = new Float4(rotation.x, rotation.y, rotation.z, rotation.w);
            return pose;
        }

        /// <summary>Where a body is and how it moves.</summary>
        public static PrxPose ToProxel(this Rigidbody body)
        {
            PrxPose pose = body.transform.ToProxel();
            pose.linearVelocity = body.GetPointVelocity(body.transform.position).ToProxel();
            pose.angularVelocity = body.angularVelocity.ToProxel();
            return pose;
        }

        /// <summary>
        /// A mesh of Unity's, scaled as its transform is. Corners that Unity splits for their normals stay split; where a closed
        /// surface is asked for, that does no harm as long as they lie at the same place.
        /// </summary>
        public static ProxelMesh CreateMesh(ProxelContext context, Mesh mesh, Vector3 scale, bool deforming = false)
        {
            var vertices = new List<Vector3>();
            mesh.GetVertices(vertices);
            var positions = new Float3[vertices.Count];
            for (int i = 0; i < positions.Length; ++i)
                positions[i] = new Float3(vertices[i].x * scale.x, vertices[i].y * scale.y, vertices[i].z * scale.z);
            int[] triangles = mesh.triangles;
            return ProxelMesh.Create(context, positions, MemoryMarshal.Cast<int, uint>(triangles), deforming, mesh.name);
        }
    }
}
#endif
