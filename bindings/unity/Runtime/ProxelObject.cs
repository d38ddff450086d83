using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>
    /// Something that lives in a context: a mesh, a field, a scene, and so on. Dispose frees it; so does the finaliser, if
    /// nobody did. A batch in flight keeps what it uses until it is done.
    /// </summary>
    public abstract class ProxelObject : SafeHandle
    {
        /// <summary>Where it lives. It stays alive as long as this does.</summary>
        public ProxelContext Context { get; }

        internal ProxelObject(ProxelContext context, ulong id) : base(IntPtr.Zero, true)
        {
            Context = context;
            SetHandle((IntPtr)(long)id);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>The number that names it in the C API; zero after Dispose.</summary>
        internal ulong Id => IsClosed ? 0 : (ulong)(long)handle;

        /// <summary>The same, for the call that frees it.</summary>
        protected ulong LastId => (ulong)(long)handle;

        internal void Check(PrxStatus status)
        {
            Call.Check(status, Context);
            GC.KeepAlive(this);
        }

        internal bool Fits(PrxStatus status)
        {
            bool fits = Call.Fits(status, Context);
            GC.KeepAlive(this);
            return fits;
        }
    }
}
