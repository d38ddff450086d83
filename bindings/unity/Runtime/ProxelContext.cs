using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>Receives messages, on any thread that calls Proxel.</summary>
    public delegate void ProxelLog(PrxSeverity severity, string message);

    /// <summary>
    /// A Vulkan device, Proxel's own or Unity's, and all that lives on it. Every call may come from any thread.
    /// </summary>
    /// <remarks>
    /// Handles here are numbers that Proxel looks up and never follows, so a call after Dispose, on any thread, is an
    /// exception and not a crash; and Proxel keeps what a batch in flight uses until it is done. A finaliser can
    /// therefore run at any time.
    /// </remarks>
    public sealed unsafe partial class ProxelContext : SafeHandle
    {
        GCHandle log;

        ProxelContext() : base(IntPtr.Zero, true) { }

        /// <summary>Opens a device: one whose name has <paramref name="deviceName"/> in it, or the best.</summary>
        public static ProxelContext Open(string deviceName = null, PrxContextDef? def = null, ProxelLog log = null)
        {
            return Create(Native.prx_context_create, deviceName, def, log);
        }

        /// <summary>
        /// Lives on the device that Unity renders with. Unity must render with Vulkan and load the library on startup; the
        /// exception says what is amiss otherwise. When Unity's device goes, so does this.
        /// </summary>
        public static ProxelContext OnUnity(PrxContextDef? def = null, ProxelLog log = null)
        {
            return Create(Native.prx_unity_context_create, null, def, log);
        }

        /// <summary>Lives on a device that the caller hands over, and that outlives this.</summary>
        public static ProxelContext Adopt(PrxVulkanDevice device, PrxContextDef? def = null, ProxelLog log = null)
        {
            var handed = new[] { device };
            return Create((given, made) =>
            {
                fixed (PrxVulkanDevice* engines = handed) return Native.prx_context_adopt(given, engines, made);
            }, null, def, log);
        }

        delegate PrxStatus Maker(PrxContextDef* def, IntPtr* made);

        static ProxelContext Create(Maker make, string deviceName, PrxContextDef? given, ProxelLog log)
        {
            CheckAbi();
            var context = new ProxelContext();
            PrxContextDef def = given ?? PrxContextDef.Default;
            if (log != null)
            {
                // Messages come until the last call on this context is over, so the handle goes after it.
                context.log = GCHandle.Alloc(log);
                def.log = hear;
                def.logUser = GCHandle.ToIntPtr(context.log);
            }
            fixed (byte* name = Text.Write(deviceName))
            {
                if (name != null) def.deviceName = (IntPtr)name;
                IntPtr made;
                PrxStatus status = make(&def, &made);
                if (status != PrxStatus.Ok && context.log.IsAllocated) context.log.Free();
                Call.Check(status);
                context.SetHandle(made);
            }
            return context;
        }

        static void CheckAbi()
        {
            uint abi = Native.prx_abi_version();
            if (abi == Prx.AbiVersion) return;
            throw new ProxelException(PrxStatus.Unsupported,
                "these bindings are for version " + Prx.AbiVersion + " of Proxel's ABI, but the library that was found has " + abi +
                ": take both from the same package");
        }

        /// <summary>The version of the library that is loaded.</summary>
        public static string LibraryVersion => Text.Read(Native.prx_version_string());

        public override bool IsInvalid => handle == IntPtr.Zero;

        internal IntPtr Raw => handle;

        protected override bool ReleaseHandle()
        {
            // A context on Unity's device may be gone already; it is refused then.
            PrxStatus status = Native.prx_context_destroy(handle);
            if (log.IsAllocated) log.Free();
            return status == PrxStatus.Ok;
        }

        /// <summary>What this runs on, and the path taken for each optional feature.</summary>
        public PrxContextInfo Info
        {
            get
            {
                var info = new PrxContextInfo { size = (uint)sizeof(PrxContextInfo) };
                Call.Check(Native.prx_context_info(handle, &info), this);
                return info;
            }
        }

        /// <summary>Bytes of device memory, by what they are for.</summary>
        public PrxContextMemory Memory
        {
            get
            {
                var memory = new PrxContextMemory { size = (uint)sizeof(PrxContextMemory) };
                Call.Check(Native.prx_context_memory(handle, &memory), this);
                return memory;
            }
        }

        /// <summary>Waits until everything submitted here has finished.</summary>
        public void WaitIdle() => Call.Check(Native.prx_context_wait_idle(handle), this);

        /// <summary>Gives back the working memory that is kept for the next query that is answered at once.</summary>
        public void Trim() => Call.Check(Native.prx_context_trim(handle), this);

        /// <summary>Makes the pipelines of queries ahead: a sum of Prx.WarmUp... Returns how many the context has made so far.</summary>
        public uint WarmUp(uint queries = Prx.WarmUpAll)
        {
            uint pipelines;
            Call.Check(Native.prx_context_warm_up(handle, queries, &pipelines), this);
            return pipelines;
        }

        /// <summary>Ends all exact queries that are running on this context, on any thread, with PrxStatus.Cancelled.</summary>
        public void Cancel() => Call.Check(Native.prx_context_cancel(handle), this);

        /// <summary>The same for queries that begin from now on and take longer than this; ulong.MaxValue for no limit.</summary>
        public void SetTimeLimit(ulong nanoseconds) => Call.Check(Native.prx_context_set_time_limit(handle, nanoseconds), this);

        /// <summary>The pipeline cache, to be given to a later context by PrxContextDef.pipelineCache.</summary>
        public byte[] PipelineCache()
        {
            ulong size = 0;
            Call.Fits(Native.prx_context_pipeline_cache(handle, null, 0, &size), this);
            var blob = new byte[size];
            fixed (byte* bytes = blob) Call.Check(Native.prx_context_pipeline_cache(handle, bytes, size, &size), this);
            return blob;
        }

        /// <summary>The exact distances of many pairs of meshes, on all threads at once: all, or none.</summary>
        public void Distances(ReadOnlySpan<PrxMeshPair> pairs, Span<PrxDistance> distances, PrxDistanceDef? def = null)
        {
            if (distances.Length < pairs.Length)
                throw new ArgumentException("room for " + distances.Length + " distances, but there are " + pairs.Length + " pairs");
            PrxDistanceDef asked = def.GetValueOrDefault();
            fixed (PrxMeshPair* from = &MemoryMarshal.GetReference(pairs))
            fixed (PrxDistance* to = &MemoryMarshal.GetReference(distances))
                Call.Check(Native.prx_mesh_distances(handle, from, (uint)pairs.Length, def.HasValue ? &asked : null, to), this);
        }

        /// <summary>
        /// All vertices that are inside or on tetrahedra; see prx_tetrahedra_inside. The pointers in the bodies stay the caller's.
        /// True when they fit into <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool TetrahedraInside(ReadOnlySpan<PrxTetrahedralBody> bodies, Span<PrxVertexInside> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxTetrahedralBody* first = &MemoryMarshal.GetReference(bodies))
            fixed (PrxVertexInside* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_tetrahedra_inside(handle, first, (uint)bodies.Length, to, (ulong)room.Length, &found);
            count = (int)found;
            return Call.Fits(status, this);
        }

        /// <summary>
        /// How deep vertices are inside of bodies of tetrahedra, and which way leads out; see prx_tetrahedra_depths. The pointers in the bodies
        /// stay the caller's. True when they fit into <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool TetrahedraDepths(ReadOnlySpan<PrxTetrahedralBody> bodies, Span<PrxVertexDepth> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxTetrahedralBody* first = &MemoryMarshal.GetReference(bodies))
            fixed (PrxVertexDepth* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_tetrahedra_depths(handle, first, (uint)bodies.Length, to, (ulong)room.Length, &found);
            count = (int)found;
            return Call.Fits(status, this);
        }

        /// <summary>
        /// Which vertices, edges and faces of the mesh of <paramref name="soft"/> are near the fields of <paramref name="bodies"/>. True when they
        /// fit into <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool SoftContacts(PrxBody soft, ReadOnlySpan<PrxBody> bodies, Span<PrxSoftContact> room, out int count,
                                 PrxSoftContactsDef? def = null)
        {
            PrxSoftContactsDef asked = def.GetValueOrDefault();
            ulong found = 0;
            PrxStatus status;
            fixed (PrxBody* first = &MemoryMarshal.GetReference(bodies))
            fixed (PrxSoftContact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_body_soft_contacts(handle, &soft, first, (uint)bodies.Length, def.HasValue ? &asked : null, to,
                                                       (ulong)room.Length, &found);
            count = (int)found;
            return Call.Fits(status, this);
        }

        // --- messages ---------------------------------------------------------------------------------------------

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate void LogFunction(IntPtr user, uint severity, IntPtr message);

        static readonly LogFunction kept = Hear;
        static readonly IntPtr hear = Marshal.GetFunctionPointerForDelegate(kept);

        [MonoPInvokeCallback(typeof(LogFunction))]
        static void Hear(IntPtr user, uint severity, IntPtr message)
        {
            // An exception must not travel through Proxel's frames.
            try
            {
                var log = (ProxelLog)GCHandle.FromIntPtr(user).Target;
                log((PrxSeverity)severity, Text.Read((byte*)message));
            }
            catch (Exception)
            {
            }
        }
    }
}
