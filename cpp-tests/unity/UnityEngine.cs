// Stand-ins for what the package uses of UnityEngine: enough to compile it, and to run its sample without Unity.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static Vector3 operator +(Vector3 a, Vector3 b) => new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);
    }

    public struct Quaternion
    {
        public float x, y, z, w;
    }

    public class Object
    {
        public string name = "";
    }

    public class Component : Object
    {
        internal Dictionary<Type, Component> parts = new Dictionary<Type, Component>();

        public Transform transform => GetComponent<Transform>();

        public T GetComponent<T>() where T : Component => (T)parts[typeof(T)];

        /// <summary>Parts of one thing know each other.</summary>
        internal static void Assemble(params Component[] parts)
        {
            foreach (Component part in parts)
                foreach (Component other in parts) part.parts[other.GetType()] = other;
        }
    }

    public class MonoBehaviour : Component { }

    public class Transform : Component
    {
        public Vector3 position;
        public Quaternion rotation = new Quaternion { w = 1 };
        public Vector3 lossyScale = new Vector3(1, 1, 1);
    }

    public class Rigidbody : Component
    {
        public Vector3 centerOfMass, angularVelocity, velocity;

        /// <summary>What was pushed with, since the last time that someone looked.</summary>
        internal Vector3 force, torque;

        public Vector3 GetPointVelocity(Vector3 point) => velocity;

        public void AddForce(Vector3 more) => force += more;

        public void AddTorque(Vector3 more) => torque += more;
    }

    public class Mesh : Object
    {
        internal Vector3[] vertices;

        public int[] triangles { get; set; }

        public void GetVertices(List<Vector3> into) => into.AddRange(vertices);
    }

    public class MeshFilter : Component
    {
        public Mesh sharedMesh;
    }

    public static class Debug
    {
        internal static readonly List<string> warnings = new List<string>();

        public static void LogWarning(object message) => warnings.Add(message.ToString());
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type first, Type second) { }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string words) { }
    }
}
