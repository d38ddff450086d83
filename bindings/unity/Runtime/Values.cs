using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Proxel
{
    /// <summary>Three floats: a point, a direction, a force.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float3
    {
        public float x, y, z;

        public Float3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public override string ToString() => "(" + x + ", " + y + ", " + z + ")";
    }

    /// <summary>Four floats: a quaternion, x, y, z, w.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float4
    {
        public float x, y, z, w;

        public Float4(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public override string ToString() => "(" + x + ", " + y + ", " + z + ", " + w + ")";
    }

    /// <summary>Two points: the ends of a segment.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float3Pair
    {
        public Float3 first, second;
    }

    /// <summary>Three doubles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double3
    {
        public double x, y, z;
    }

    /// <summary>A matrix of three rows.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double3x3
    {
        public Double3 x, y, z;
    }

    /// <summary>Four doubles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double4
    {
        public double x, y, z, w;
    }

    /// <summary>Six doubles: a symmetric matrix, the diagonal and then yz, zx and xy.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double6
    {
        public double xx, yy, zz, yz, zx, xy;
    }

    /// <summary>Two numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UInt2
    {
        public uint x, y;
    }

    /// <summary>Three numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UInt3
    {
        public uint x, y, z;

        public UInt3(uint x, uint y, uint z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    /// <summary>A UUID.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Bytes16
    {
        fixed byte bytes[16];

        public byte this[int at]
        {
            get { fixed (byte* all = bytes) return all[Checked(at)]; }
            set { fixed (byte* all = bytes) all[Checked(at)] = value; }
        }

        static int Checked(int at)
        {
            if ((uint)at >= 16) throw new IndexOutOfRangeException("a UUID has 16 bytes, there is none at " + at);
            return at;
        }
    }

    /// <summary>A name of at most 255 bytes in UTF-8.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Text256
    {
        fixed byte bytes[256];

        public override string ToString()
        {
            fixed (byte* all = bytes) return Text.Read(all, 256);
        }
    }

    /// <summary>C strings.</summary>
    static unsafe class Text
    {
        internal static string Read(byte* text, int room = int.MaxValue)
        {
            int length = 0;
            while (length < room && text[length] != 0) ++length;
            return Encoding.UTF8.GetString(text, length);
        }

        /// <summary>Bytes in UTF-8 that end in a zero; null stays null.</summary>
        internal static byte[] Write(string text) => text == null ? null : Encoding.UTF8.GetBytes(text + "\0");
    }

    /// <summary>What ahead-of-time compilers look for on functions that native code calls; they go by the name.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type) { }
    }
}
