// Generated from include/proxel.h by tests/repository/csharp.rs: change those.
using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>What to do with each optional feature.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFeatureChoices
    {
        /// <summary>Depth bounds tests; otherwise early-Z.</summary>
        public PrxChoice depthBounds;
        /// <summary>The geometry shader; otherwise several passes.</summary>
        public PrxChoice geometryShader;
        /// <summary>Conservative rasterisation; otherwise fattened triangles.</summary>
        public PrxChoice conservativeRasterization;
        /// <summary>Subgroup arithmetic with subgroupSizeControl and computeFullSubgroups (Vulkan 1.3); otherwise shared memory.</summary>
        public PrxChoice subgroups;
        /// <summary>Float additions in buffers. Negotiated and reported; no query uses them, because sums have a fixed order.</summary>
        public PrxChoice floatAtomics;
        /// <summary>Precise occlusion queries; otherwise yes or no.</summary>
        public PrxChoice preciseOcclusion;
        /// <summary>Fragments that write to buffers; otherwise compute.</summary>
        public PrxChoice fragmentStores;
    }

    /// <summary>How to create a context. Fill it by prx_context_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContextDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Not 0: load the Khronos validation layer; its messages go to `log`. Ignored when adopting.</summary>
        public uint validation;
        /// <summary>A part of the wanted Vulkan device's name, in any case, or null for any; "host" is PRX_DEVICE_HOST. Ignored when adopting.</summary>
        public IntPtr deviceName;
        /// <summary>The wanted device's UUID, or all zero for any. Ignored when adopting.</summary>
        public Bytes16 deviceUuid;
        /// <summary>What to do with each optional feature.</summary>
        public PrxFeatureChoices features;
        /// <summary>The least severity that reaches `log`.</summary>
        public PrxSeverity logSeverity;
        /// <summary>CPU threads; 0 for as many as the machine runs at once. They end with the context. With `run_jobs`, the items that a call offers.</summary>
        public uint workerThreads;
        /// <summary>Receives messages, or null.</summary>
        public IntPtr log;
        /// <summary>Passed to `log`.</summary>
        public IntPtr logUser;
        /// <summary>What prx_context_pipeline_cache gave earlier, or null. One of another device or driver is ignored.</summary>
        public IntPtr pipelineCache;
        /// <summary>Bytes of `pipeline_cache`.</summary>
        public ulong pipelineCacheSize;
        /// <summary>What to run on. Ignored when adopting. With PRX_DEVICE_HOST, `validation`, `device_name`, `device_uuid` and `pipeline_cache` are ignored.</summary>
        public PrxDevice device;
        /// <summary>Whether queries run on the host, beside a Vulkan device, where they are done sooner: with PRX_CHOICE_AUTO all on software devices, and on GPUs those on meshes so small that a submission would take longer (PrxContextInfo has the number); never with PRX_CHOICE_OFF; wherever it can be with PRX_CHOICE_REQUIRE. A mesh in an engine's VkBuffer, a live field, and a path or a generator that the call names stay on the device.</summary>
        public PrxChoice hostQueries;
        /// <summary>Runs work on the engine's threads, or null. With it the context starts no thread: what runs in the background otherwise (bakes, batches on the host, exact queries of batches) is offered to the engine too, and done by the call that waits for it where no thread of the engine has begun. So prx_field_wait may take as long as a bake, whatever its limit; prx_batch_poll and a wait with a limit do what the engine has not begun within 10 ms.</summary>
        public IntPtr runJobs;
        /// <summary>Passed to `run_jobs`.</summary>
        public IntPtr jobsUser;
        /// <summary>The most bytes of device memory that the context may have at a time; UINT64_MAX, the default, for no limit. What does not fit is PRX_STATUS_OUT_OF_DEVICE_MEMORY, and prx_context_memory says what is there.</summary>
        public ulong deviceMemoryBudget;

        /// <summary>What prx_context_def_default gives.</summary>
        public static PrxContextDef Default => Native.prx_context_def_default();
    }

    /// <summary>The engine's Vulkan objects. They stay the engine's and must outlive the context. Fill it by prx_vulkan_device_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxVulkanDevice
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>The apiVersion of the engine's VkApplicationInfo; at least Vulkan 1.2.</summary>
        public uint apiVersion;
        /// <summary>VkInstance.</summary>
        public IntPtr instance;
        /// <summary>VkPhysicalDevice.</summary>
        public IntPtr physicalDevice;
        /// <summary>VkDevice.</summary>
        public IntPtr device;
        /// <summary>VkQueue with compute. Without graphics, what draws is PRX_STATUS_UNSUPPORTED: overlap, culling by visibility, and paths that draw.</summary>
        public IntPtr queue;
        /// <summary>The queue's family.</summary>
        public uint queueFamily;
        /// <summary>Strings in `enabled_extensions`.</summary>
        public uint enabledExtensionCount;
        /// <summary>The device extensions passed to vkCreateDevice; and "VK_EXT_debug_utils" where the instance was created with it, so that Proxel's objects have names and its commands labels.</summary>
        public IntPtr enabledExtensions;
        /// <summary>The VkPhysicalDeviceFeatures2 chain passed to vkCreateDevice, or null. Proxel uses what is there; Vulkan cannot be asked what was enabled. Without `timelineSemaphore` it waits by fences, and PrxTimelinePoint names binary semaphores.</summary>
        public IntPtr enabledFeatures;
        /// <summary>The loader's vkGetInstanceProcAddr.</summary>
        public IntPtr getInstanceProcAddr;
        /// <summary>Called before Proxel uses the queue, or null.</summary>
        public IntPtr lockQueue;
        /// <summary>Called after Proxel used the queue, or null.</summary>
        public IntPtr unlockQueue;
        /// <summary>Passed to both.</summary>
        public IntPtr queueUser;

        /// <summary>What prx_vulkan_device_default gives.</summary>
        public static PrxVulkanDevice Default => Native.prx_vulkan_device_default();
    }

    /// <summary>The state of each optional feature.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFeatures
    {
        /// <summary>Depth bounds tests; otherwise early-Z.</summary>
        public PrxFeatureState depthBounds;
        /// <summary>The geometry shader; otherwise several passes.</summary>
        public PrxFeatureState geometryShader;
        /// <summary>Conservative rasterisation; otherwise fattened triangles.</summary>
        public PrxFeatureState conservativeRasterization;
        /// <summary>Subgroup arithmetic with subgroupSizeControl and computeFullSubgroups (Vulkan 1.3); otherwise shared memory.</summary>
        public PrxFeatureState subgroups;
        /// <summary>Float additions in buffers. Negotiated and reported; no query uses them, because sums have a fixed order.</summary>
        public PrxFeatureState floatAtomics;
        /// <summary>Precise occlusion queries; otherwise yes or no.</summary>
        public PrxFeatureState preciseOcclusion;
        /// <summary>Fragments that write to buffers; otherwise compute.</summary>
        public PrxFeatureState fragmentStores;
    }

    /// <summary>How a mesh can be sampled against a field on this device: see PrxSamplingPath.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSamplingPaths
    {
        /// <summary>PRX_SAMPLING_PATH_COMPUTE.</summary>
        public PrxFeatureState compute;
        /// <summary>PRX_SAMPLING_PATH_THREE_PASS.</summary>
        public PrxFeatureState threePass;
        /// <summary>PRX_SAMPLING_PATH_GEOMETRY_SHADER.</summary>
        public PrxFeatureState geometryShader;
        /// <summary>PRX_SAMPLING_PATH_BINNED.</summary>
        public PrxFeatureState binned;
        /// <summary>The path that PRX_SAMPLING_PATH_AUTO takes.</summary>
        public PrxSamplingPath automatic;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>What a context runs on. Set `size` to the bytes of the struct before the call.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContextInfo
    {
        /// <summary>Bytes of this struct; set by the caller.</summary>
        public uint size;
        /// <summary>The Vulkan version in use, as Vulkan encodes it.</summary>
        public uint apiVersion;
        /// <summary>The device's name.</summary>
        public Text256 deviceName;
        /// <summary>The driver's name and version.</summary>
        public Text256 driver;
        /// <summary>The device's UUID.</summary>
        public Bytes16 deviceUuid;
        /// <summary>What kind of device it is.</summary>
        public PrxDeviceType deviceType;
        /// <summary>1 when the device is the engine's.</summary>
        public uint adopted;
        /// <summary>1 when the device catches out-of-bounds buffer accesses.</summary>
        public uint robustBufferAccess;
        /// <summary>Invocations of a subgroup.</summary>
        public uint subgroupSize;
        /// <summary>The state of each optional feature.</summary>
        public PrxFeatures features;
        /// <summary>The largest buffer that a shader can read, in bytes: what bounds the size of a mesh.</summary>
        public ulong maxStorageBufferBytes;
        /// <summary>The largest texel buffer, in texels.</summary>
        public ulong maxTexelBufferElements;
        /// <summary>The largest side of a 3D texture: what bounds the resolution of a field.</summary>
        public uint maxTexture3d;
        /// <summary>The largest side of a framebuffer: what bounds the resolution of a rasterised query.</summary>
        public uint maxFramebuffer;
        /// <summary>How a mesh can be sampled against a field.</summary>
        public PrxSamplingPaths samplingPaths;
        /// <summary>Queries on meshes of at most so many triangles run on the host: see PrxContextDef.host_queries. 0: none do; UINT32_MAX: all.</summary>
        public uint hostTriangles;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>The engine's allocator. Fill it by prx_allocator_default.  Threads: the functions are called from any thread, also while one ends, and must not call Proxel.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxAllocator
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
        /// <summary>Passed to all functions.</summary>
        public IntPtr user;
        /// <summary>Gives memory.</summary>
        public IntPtr allocate;
        /// <summary>Changes the size of memory, or null: then it is allocated, copied and freed.</summary>
        public IntPtr reallocate;
        /// <summary>Takes memory back.</summary>
        public IntPtr free;

        /// <summary>What prx_allocator_default gives.</summary>
        public static PrxAllocator Default => Native.prx_allocator_default();
    }

    /// <summary>Bytes of device memory that a context has. On the host device it is host memory. What an engine's VkBuffer holds is the engine's. Set `size` to the bytes of the struct before the call.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContextMemory
    {
        /// <summary>Bytes of this struct; set by the caller.</summary>
        public uint size;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>Positions, triangles and clusters of meshes.</summary>
        public ulong meshes;
        /// <summary>Fields.</summary>
        public ulong fields;
        /// <summary>Working memory of batches.</summary>
        public ulong working;
        /// <summary>Answers that the host reads.</summary>
        public ulong answers;
        /// <summary>Uploads on their way, and memory that is kept for the next.</summary>
        public ulong staging;
        /// <summary>What queries draw into.</summary>
        public ulong pictures;
        /// <summary>The sum of these.</summary>
        public ulong total;
        /// <summary>The most that `total` was.</summary>
        public ulong peak;
        /// <summary>PrxContextDef.device_memory_budget; UINT64_MAX without one.</summary>
        public ulong budget;
        /// <summary>What was taken from the driver, in large blocks, to be given out in parts. On the host device `total`.</summary>
        public ulong taken;
        /// <summary>Host memory of queries that run on the host beside a Vulkan device; no part of `total`.</summary>
        public ulong hostQueries;
    }

    /// <summary>Names a mesh. Zero is null; the id of a destroyed mesh is refused.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxMesh
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>A mesh to create. Fill it by prx_mesh_def_default. Everything is copied at the call, except the engine's buffer.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxMeshDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>PRX_MESH_DEFORMING or 0.</summary>
        public uint flags;
        /// <summary>A name for messages, or null.</summary>
        public IntPtr label;
        /// <summary>The number of vertices. Bounds cover all of them, also those that no triangle uses.</summary>
        public uint vertexCount;
        /// <summary>The number of triangles, at least 1.</summary>
        public uint triangleCount;
        /// <summary>Three floats per vertex, or doubles by `position_format`, in mesh units, each at most 1e15. With `vk_buffer` it is the rest shape from which triangles are clustered, and may be null.</summary>
        public IntPtr positions;
        /// <summary>Bytes from one position to the next, at least 12, or 24 of doubles.</summary>
        public ulong positionStride;
        /// <summary>Three indices per triangle, counter-clockwise seen from outside.</summary>
        public IntPtr indices;
        /// <summary>How wide the indices are.</summary>
        public PrxIndexType indexType;
        /// <summary>What `positions` are made of. An engine's buffer has floats, so with `vk_buffer` it must be floats here too.</summary>
        public PrxPositionFormat positionFormat;
        /// <summary>The engine's VkBuffer with the positions, or 0. It needs VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, is read in place, and outlives the mesh. Writes that the engine submitted to the adopted queue before are seen without a barrier. Writes of another queue are seen if prx_batch_submit waits for a semaphore that follows them; a buffer that queues of other families write is created with VK_SHARING_MODE_CONCURRENT, or its ownership is transferred to the adopted queue's family (released there, acquired here) before the submission, and back before it is written again.</summary>
        public ulong vkBuffer;
        /// <summary>Bytes before the first position in `vk_buffer`, a multiple of 4.</summary>
        public ulong vkBufferOffset;
        /// <summary>Bytes from one position to the next in `vk_buffer`, a multiple of 4, at least 12.</summary>
        public ulong vkBufferStride;

        /// <summary>What prx_mesh_def_default gives.</summary>
        public static PrxMeshDef Default => Native.prx_mesh_def_default();
    }

    /// <summary>Where a body is and how it moves. World = rotation * local + position.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPose
    {
        /// <summary>The local origin in the world.</summary>
        public Float3 position;
        /// <summary>A unit quaternion: x, y, z, w.</summary>
        public Float4 rotation;
        /// <summary>Velocity of the local origin, world axes, mesh units per second.</summary>
        public Float3 linearVelocity;
        /// <summary>Angular velocity, world axes, radians per second.</summary>
        public Float3 angularVelocity;

        /// <summary>What prx_pose_identity gives.</summary>
        public static PrxPose Identity => Native.prx_pose_identity();
    }

    /// <summary>An axis-aligned box in the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBounds
    {
        /// <summary>Lower corner.</summary>
        public Float3 min;
        /// <summary>Upper corner.</summary>
        public Float3 max;
    }

    /// <summary>What can be said about a mesh before any query.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxMeshFacts
    {
        /// <summary>All vertices.</summary>
        public uint vertexCount;
        /// <summary>All triangles.</summary>
        public uint triangleCount;
        /// <summary>Distinct vertices that some triangle uses; one with a repeated vertex does not count.</summary>
        public uint usedVertexCount;
        /// <summary>Triangles with a repeated vertex or with three corners on a line, decided exactly.</summary>
        public uint degenerateTriangleCount;
        /// <summary>Edges with one triangle.</summary>
        public uint borderEdgeCount;
        /// <summary>Edges with three or more triangles.</summary>
        public uint nonManifoldEdgeCount;
        /// <summary>Vertices whose triangles do not form a single fan.</summary>
        public uint nonManifoldVertexCount;
        /// <summary>Triangle clusters.</summary>
        public uint clusterCount;
        /// <summary>1 when every edge has an even number of triangles.</summary>
        public uint closed;
        /// <summary>1 when each edge has at most two triangles and each vertex a single fan.</summary>
        public uint manifold;
        /// <summary>1 when neighbours run along their common edge in opposite directions.</summary>
        public uint oriented;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>The box of all triangles, in the mesh's own frame.</summary>
        public PrxBounds bounds;
        /// <summary>Sum of the triangles' areas.</summary>
        public double area;
        /// <summary>Signed volume; positive when triangles face outwards. Meaningful when closed and oriented.</summary>
        public double volume;
        /// <summary>The centre of mass at constant density, in the mesh's own frame. Zero unless the mesh is closed and oriented with a volume.</summary>
        public Double3 centerOfMass;
        /// <summary>The inertia tensor about the centre of mass for a density of 1, along the axes of the mesh's frame; it has the sign of `volume`. A body of mass m has m / volume times as much. Zero where there is no centre of mass.</summary>
        public Double3x3 inertia;
    }

    /// <summary>Names a query of a batch until the batch is reset. Zero is null.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTicket
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>A timeline semaphore of the engine's and a value on it, or a binary semaphore.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTimelinePoint
    {
        /// <summary>VkSemaphore. A binary one that is waited for has its signal submitted before.</summary>
        public ulong semaphore;
        /// <summary>The value to wait for or to signal; not read of a binary semaphore.</summary>
        public ulong value;
    }

    /// <summary>What a submission waits for and signals. Fill it by prx_submit_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSubmitDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Points in `waits`.</summary>
        public uint waitCount;
        /// <summary>The submission starts when all of these are reached.</summary>
        public IntPtr waits;
        /// <summary>Points in `signals`.</summary>
        public uint signalCount;
        /// <summary>PRX_SUBMIT_TIMINGS, or 0.</summary>
        public uint flags;
        /// <summary>The submission signals these when it is done.</summary>
        public IntPtr signals;

        /// <summary>What prx_submit_def_default gives.</summary>
        public static PrxSubmitDef Default => Native.prx_submit_def_default();
    }

    /// <summary>A cluster of at most 64 triangles that lie together, as the device sees it now.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxCluster
    {
        /// <summary>Centre of the box and of the sphere, in the mesh's own frame.</summary>
        public Float3 center;
        /// <summary>Radius of the sphere; it holds every triangle of the cluster.</summary>
        public float radius;
        /// <summary>Lower corner of the exact box.</summary>
        public Float3 min;
        /// <summary>Where its triangles start in prx_mesh_cluster_triangles.</summary>
        public uint first;
        /// <summary>Upper corner of the exact box.</summary>
        public Float3 max;
        /// <summary>Its triangles.</summary>
        public uint count;
    }

    /// <summary>Laid out as VkDispatchIndirectCommand.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxDispatchCommand
    {
        /// <summary>Workgroups: all that there are.</summary>
        public uint x;
        /// <summary>1.</summary>
        public uint y;
        /// <summary>1.</summary>
        public uint z;
    }

    /// <summary>Laid out as VkDrawIndirectCommand.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxDrawCommand
    {
        /// <summary>Vertices for each record.</summary>
        public uint vertexCount;
        /// <summary>Records that were written.</summary>
        public uint instanceCount;
        /// <summary>0.</summary>
        public uint firstVertex;
        /// <summary>0.</summary>
        public uint firstInstance;
    }

    /// <summary>What stands before the records in the engine's buffer.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxOutputHead
    {
        /// <summary>Records that there are, also where there is room for fewer.</summary>
        public uint count;
        /// <summary>Records that follow: the smaller of `count` and the capacity.</summary>
        public uint written;
        /// <summary>PRX_OUTPUT_CUT, PRX_OUTPUT_INCOMPLETE, or 0.</summary>
        public uint status;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>16 bytes after the head's start: workgroups of PrxBufferOutput.group_size records.</summary>
        public PrxDispatchCommand dispatch;
        /// <summary>Reserved.</summary>
        public uint reserved2;
        /// <summary>32 bytes after the head's start: PrxBufferOutput.vertices vertices, an instance for each record.</summary>
        public PrxDrawCommand draw;
    }

    /// <summary>Where results go. Fill it by prx_buffer_output_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBufferOutput
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Which array of the query.</summary>
        public uint array;
        /// <summary>The engine's VkBuffer, of the adopted device; it outlives the batch's submissions. What reads it on the same queue needs a barrier or a signalled semaphore in between; on another family of queues it is created with VK_SHARING_MODE_CONCURRENT, or its ownership is transferred.</summary>
        public ulong vkBuffer;
        /// <summary>Bytes that the buffer was created with.</summary>
        public ulong vkBufferSize;
        /// <summary>Bytes before the head, a multiple of the device's minStorageBufferOffsetAlignment, which divides 256.</summary>
        public ulong vkBufferOffset;
        /// <summary>The usage that it was created with: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, and what the engine does with it.</summary>
        public uint vkBufferUsage;
        /// <summary>Records that there is room for after the head.</summary>
        public uint capacity;
        /// <summary>Bytes of a record: sizeof of its struct.</summary>
        public uint recordSize;
        /// <summary>Records that a workgroup of the engine's kernel takes, for PrxOutputHead.dispatch.</summary>
        public uint groupSize;
        /// <summary>Vertices that the engine draws for each record, for PrxOutputHead.draw.</summary>
        public uint vertices;
        /// <summary>PRX_OUTPUT_READ, or 0: the host reads no answer.</summary>
        public uint flags;

        /// <summary>What prx_buffer_output_default gives.</summary>
        public static PrxBufferOutput Default => Native.prx_buffer_output_default();
    }

    /// <summary>A contact in a buffer. `point_a` and `point_b` keep their precision far from the world's origin. Nothing is matched with the last step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContactRecord
    {
        /// <summary>On body A, along its axes from its origin, in world units.</summary>
        public Float3 pointA;
        /// <summary>The signed distance less the rest offsets; negative where the bodies penetrate.</summary>
        public float separation;
        /// <summary>On body B, along its axes from its origin, in world units.</summary>
        public Float3 pointB;
        /// <summary>The exact separation is no less.</summary>
        public float lower;
        /// <summary>Unit vector from A to B, in the world.</summary>
        public Float3 normal;
        /// <summary>The exact separation is no more.</summary>
        public float upper;
        /// <summary>The point on body A in the world.</summary>
        public Float3 worldA;
        /// <summary>The area that it stands for.</summary>
        public float area;
        /// <summary>The point on body B in the world.</summary>
        public Float3 worldB;
        /// <summary>Its patch, or UINT32_MAX where there were too many.</summary>
        public uint patch;
        /// <summary>The weights of the triangle's corners.</summary>
        public Float3 barycentric;
        /// <summary>The triangle that it lies on.</summary>
        public uint triangle;
        /// <summary>The low word of PrxContact.key.</summary>
        public uint keyLow;
        /// <summary>The high word of PrxContact.key.</summary>
        public uint keyHigh;
        /// <summary>Whose triangle it is: 0 for body A, 1 for body B.</summary>
        public uint on;
        /// <summary>A PrxContactFeature.</summary>
        public uint feature;
    }

    /// <summary>A patch of contacts in a buffer.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPatchRecord
    {
        /// <summary>The mean normal, from A to B, in the world.</summary>
        public Float3 normal;
        /// <summary>The area of its contacts.</summary>
        public float area;
        /// <summary>The centre of that area, in the world.</summary>
        public Float3 center;
        /// <summary>Contacts that were left out lie no farther than this from the hull of those kept.</summary>
        public float hullDistance;
        /// <summary>Unit vector along the patch that the moments refer to, in the world.</summary>
        public Float3 tangent;
        /// <summary>Contacts before reduction.</summary>
        public uint raw;
        /// <summary>Second moments of the area about its centre: along the tangent, along normal x tangent, mixed.</summary>
        public Float3 moments;
        /// <summary>Contacts kept.</summary>
        public uint kept;
    }

    /// <summary>What two meshes have in common, in a buffer: PrxIntersectionVolume in single precision, seen along one axis.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxVolumeRecord
    {
        /// <summary>The volume, between `lower` and `upper`.</summary>
        public float volume;
        /// <summary>The volume is no less.</summary>
        public float lower;
        /// <summary>The volume is no more.</summary>
        public float upper;
        /// <summary>Length of the longest stretch of a ray inside both.</summary>
        public float deepest;
        /// <summary>Centre of the volume; zero when there is none.</summary>
        public Float3 centroid;
        /// <summary>The axis of the rays.</summary>
        public uint axis;
        /// <summary>How the volume changes as mesh A moves; the opposite for mesh B.</summary>
        public Float3 gradientA;
        /// <summary>Rays through the volume of interest.</summary>
        public uint rays;
        /// <summary>How the volume changes as mesh A turns about its position.</summary>
        public Float3 torqueA;
        /// <summary>How the volume changes as mesh B turns about its position.</summary>
        public Float3 torqueB;
        /// <summary>Rays on which mesh A is flawed: see PrxIntersectionVolume.</summary>
        public uint flawedA;
        /// <summary>Rays on which mesh B is flawed.</summary>
        public uint flawedB;
        /// <summary>Crossings of mesh A with one ray, at most.</summary>
        public uint layersA;
        /// <summary>Crossings of mesh B with one ray, at most.</summary>
        public uint layersB;
        /// <summary>A box that holds the intersection; zero when there is none.</summary>
        public PrxBounds bounds;
        /// <summary>The ends of the longest stretch.</summary>
        public Float3Pair deepestSpan;
    }

    /// <summary>Where a query reads what it is given. Fill it by prx_buffer_input_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBufferInput
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>The usage that the buffer was created with: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT at least.</summary>
        public uint vkBufferUsage;
        /// <summary>The engine's VkBuffer, with three packed floats for each value. What is said of PrxMeshDef.vk_buffer holds for it.</summary>
        public ulong vkBuffer;
        /// <summary>Bytes that the buffer was created with.</summary>
        public ulong vkBufferSize;
        /// <summary>Bytes before the first value, a multiple of the device's minStorageBufferOffsetAlignment, which divides 256.</summary>
        public ulong vkBufferOffset;

        /// <summary>What prx_buffer_input_default gives.</summary>
        public static PrxBufferInput Default => Native.prx_buffer_input_default();
    }

    /// <summary>How long a query of a batch took.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTiming
    {
        /// <summary>The query; 0 for what the queries of a device share: uploads, refits of clusters, readback.</summary>
        public PrxTicket ticket;
        /// <summary>The time.</summary>
        public double seconds;
        /// <summary>What it was measured by.</summary>
        public PrxClock clock;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>Names a field. Zero is null; the id of a destroyed field is refused.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxField
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>A regular grid: node (i, j, k) is at origin + cell_size * (i, j, k).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxGrid
    {
        /// <summary>The first node.</summary>
        public Float3 origin;
        /// <summary>From one node to the next.</summary>
        public float cellSize;
        /// <summary>Nodes along each axis, at least 2.</summary>
        public UInt3 nodes;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
    }

    /// <summary>How to lay out a field. Fill it by prx_field_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFieldDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Cells along the longest side of the domain; 0 to go by `cell_size`.</summary>
        public uint resolution;
        /// <summary>The side of a cell, in mesh units; used when `resolution` is 0.</summary>
        public float cellSize;
        /// <summary>What the domain has around the box of the mesh, in mesh units; negative for a tenth of the box's longest side.</summary>
        public float padding;
        /// <summary>What is stored.</summary>
        public PrxStorage storage;
        /// <summary>The bits of a stored number.</summary>
        public PrxPrecision precision;
        /// <summary>How inside and outside are told apart; PRX_SIGN_GIVEN is refused.</summary>
        public PrxSign sign;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
        /// <summary>The grid itself, or null to lay one as the members above say. It must hold the mesh; a sparse field needs a multiple of 8 cells along each axis.</summary>
        public IntPtr grid;

        /// <summary>What prx_field_def_default gives.</summary>
        public static PrxFieldDef Default => Native.prx_field_def_default();
    }

    /// <summary>What a field is.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFieldInfo
    {
        /// <summary>Where its nodes are.</summary>
        public PrxGrid grid;
        /// <summary>What is stored.</summary>
        public PrxStorage storage;
        /// <summary>The bits of a stored number.</summary>
        public PrxPrecision precision;
        /// <summary>How inside and outside were told apart.</summary>
        public PrxSign sign;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>Bound on |interpolated - exact| anywhere in the domain.</summary>
        public float error;
        /// <summary>The largest slope of the interpolated distance; it may exceed 1.</summary>
        public float lipschitz;
        /// <summary>Where distances saturate, or infinity.</summary>
        public float band;
        /// <summary>Reserved.</summary>
        public float reserved2;
        /// <summary>Bytes on the device.</summary>
        public ulong deviceBytes;
    }

    /// <summary>A shape. Only the members that its kind names are read. Fill it by prx_shape_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxShape
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Which shape it is.</summary>
        public PrxShapeKind kind;
        /// <summary>Of a sphere, a capsule's ends, a torus's tube.</summary>
        public float radius;
        /// <summary>From a torus's axis to its tube's centre.</summary>
        public float majorRadius;
        /// <summary>Half of a capsule's segment.</summary>
        public float halfHeight;
        /// <summary>Half of a box's sides, or of a plane's domain.</summary>
        public Float3 halfSize;

        /// <summary>What prx_shape_default gives.</summary>
        public static PrxShape Default => Native.prx_shape_default();
    }

    /// <summary>A field at a point: lower &lt;= exact distance &lt;= upper.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSample
    {
        /// <summary>The interpolated signed distance, negative inside. Outside the domain it is `lower`: the surface is no nearer.</summary>
        public float distance;
        /// <summary>The exact distance is no less.</summary>
        public float lower;
        /// <summary>The exact distance is no more.</summary>
        public float upper;
        /// <summary>1 inside the field's domain, 0 outside.</summary>
        public uint inDomain;
        /// <summary>Unit vector towards the closest point of the surface, in world axes, or zero where the field does not tell. It flips at the surface.</summary>
        public Float3 direction;
        /// <summary>Unit outward normal, in world axes: the gradient of the signed distance, which does not flip at the surface. Zero where `direction` is. Of an unsigned field it points away from the surface on both sides.</summary>
        public Float3 normal;
    }

    /// <summary>A mesh, a field or both, somewhere in a world of any size. Fill it by prx_body_default. World = position + rotation * (scale * local).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBody
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>World units per unit of the mesh and of the field, from 1e-6 to 1e6: bodies of many sizes share a mesh and a field.</summary>
        public float scale;
        /// <summary>The surface whose points can touch other bodies, or null.</summary>
        public PrxMesh mesh;
        /// <summary>The field that points of other bodies are looked up in, or null.</summary>
        public PrxField field;
        /// <summary>The local origin in the world. Only differences of positions matter: pairs far from the world's origin touch as they would there.</summary>
        public Double3 position;
        /// <summary>A unit quaternion: x, y, z, w.</summary>
        public Float4 rotation;
        /// <summary>Added to the distance up to which contacts are reported, in world units.</summary>
        public float contactOffset;
        /// <summary>Thickness around the surface, in world units: taken from every separation, and added to the distance up to which contacts are reported.</summary>
        public float restOffset;

        /// <summary>What prx_body_default gives.</summary>
        public static PrxBody Default => Native.prx_body_default();
    }

    /// <summary>What to ask of contacts. Fill it by prx_contacts_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContactsDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Separations up to this are reported, in world units, at least 0. Above 0, contacts are there before they are needed.</summary>
        public float distance;
        /// <summary>Contacts that are kept per patch, from 1 to 32; 0 for all.</summary>
        public uint points;
        /// <summary>Patches that are kept, from 1 to 64, the deepest first.</summary>
        public uint patches;
        /// <summary>What of the surfaces is tried.</summary>
        public PrxContactSampling sampling;
        /// <summary>Room on the device for contacts before reduction, up to 65536; 0 to choose by the meshes. With too little the answer is PRX_STATUS_UNSUPPORTED, and the error message has the number needed.</summary>
        public uint budget;

        /// <summary>What prx_contacts_def_default gives.</summary>
        public static PrxContactsDef Default => Native.prx_contacts_def_default();
    }

    /// <summary>Two points, one on each body, and what is between them.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContact
    {
        /// <summary>The point on body A, in the world.</summary>
        public Double3 worldA;
        /// <summary>The point on body B, in the world.</summary>
        public Double3 worldB;
        /// <summary>Names the contact by the feature it lies on: equal in the next step if it is the same contact.</summary>
        public ulong key;
        /// <summary>The caller's own: of the contact in `previous` that it continues, else 0. Keep impulses or an index here.</summary>
        public ulong user;
        /// <summary>The point on body A along A's axes from A's position, in world units.</summary>
        public Float3 pointA;
        /// <summary>The point on body B along B's axes from B's position, in world units.</summary>
        public Float3 pointB;
        /// <summary>Unit vector from A to B, world axes. It comes from the field, so that edges inside a flat surface do not tilt it.</summary>
        public Float3 normal;
        /// <summary>The signed distance less the rest offsets, in world units; negative where the bodies penetrate. Where an edge of each cross, along the normal, as far as `lower` and `upper` allow.</summary>
        public float separation;
        /// <summary>The exact signed distance at the point, less the rest offsets, is no smaller.</summary>
        public float lower;
        /// <summary>The exact signed distance at the point, less the rest offsets, is no larger.</summary>
        public float upper;
        /// <summary>The weights of the triangle's corners.</summary>
        public Float3 barycentric;
        /// <summary>The triangle of the surface that it was found on.</summary>
        public uint triangle;
        /// <summary>0 when that surface is body A's, 1 when it is body B's.</summary>
        public uint on;
        /// <summary>What it lies on.</summary>
        public PrxContactFeature feature;
        /// <summary>The area that it stands for, in square world units: of its own feature and of the contacts that were left out for it.</summary>
        public float area;
        /// <summary>The number of its patch; UINT32_MAX where all contacts were asked for and there are more patches than allowed.</summary>
        public uint patch;
        /// <summary>The place in `previous` of the contact that it continues, or -1.</summary>
        public int previous;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>Contacts that are connected and whose normals are within 25 degrees of the deepest one's.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPatch
    {
        /// <summary>The centre of its area, in the world.</summary>
        public Double3 center;
        /// <summary>The mean normal from A to B, world axes.</summary>
        public Float3 normal;
        /// <summary>Unit vector along the patch, world axes. The other is normal x tangent.</summary>
        public Float3 tangent;
        /// <summary>The area of its contacts, in square world units.</summary>
        public float area;
        /// <summary>Second moments of the area about the centre: along the tangent, along the other tangent, mixed. For spinning friction: torsion holds up to friction times pressure times the square root of the sum of the first two times the area.</summary>
        public Float3 moments;
        /// <summary>Contacts before reduction.</summary>
        public uint raw;
        /// <summary>Contacts kept.</summary>
        public uint kept;
        /// <summary>Contacts left out lie no farther than this from the hull of those kept, seen along the normal, in world units.</summary>
        public float hullDistance;
        /// <summary>The patch of the last step that it continues, or -1: the one that more than half of its contacts continue contacts of.</summary>
        public int previous;
    }

    /// <summary>What is known of the contacts of a pair together.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxManifold
    {
        /// <summary>Contacts kept.</summary>
        public uint contacts;
        /// <summary>Patches.</summary>
        public uint patches;
        /// <summary>Contacts before reduction.</summary>
        public uint raw;
        /// <summary>Of these, contacts of patches beyond the limit.</summary>
        public uint leftOut;
        /// <summary>Contacts in `previous` that ended.</summary>
        public uint ended;
        /// <summary>The force on body A of a unit pressure over all contacts, world axes.</summary>
        public Float3 force;
        /// <summary>Its torque about A's position.</summary>
        public Float3 torque;
        /// <summary>By how much the force of the contacts kept differs.</summary>
        public float residualForce;
        /// <summary>By how much their torque differs.</summary>
        public float residualTorque;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>What to ask of soft contacts. Fill it by prx_soft_contacts_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSoftContactsDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Separations up to this are reported, in world units, at least 0: the thickness of a cloth. The offsets of the bodies are added.</summary>
        public float distance;
        /// <summary>What of the surface is tried.</summary>
        public PrxContactSampling sampling;
        /// <summary>Room on the device for contacts, up to 1048576; 0 for one per vertex, or four with edges. With too little the answer is PRX_STATUS_UNSUPPORTED, and the error message has the number needed.</summary>
        public uint budget;
        /// <summary>Force per world unit that a point is nearer than `distance`, along the normal; 0 for no forces.</summary>
        public float stiffness;
        /// <summary>Force per velocity towards the body; contacts never pull.</summary>
        public float damping;
        /// <summary>The friction coefficient: sliding is opposed by this part of the normal force.</summary>
        public float friction;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;

        /// <summary>What prx_soft_contacts_def_default gives.</summary>
        public static PrxSoftContactsDef Default => Native.prx_soft_contacts_def_default();
    }

    /// <summary>A point of a deforming mesh near a body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSoftContact
    {
        /// <summary>The point in the world.</summary>
        public Double3 point;
        /// <summary>Unit vector out of the body, world axes: the gradient of its signed distance. Zero where the field does not tell.</summary>
        public Float3 normal;
        /// <summary>The signed distance less the rest offsets, in world units; negative where the point is inside.</summary>
        public float separation;
        /// <summary>The exact signed distance at the point, less the rest offsets, is no smaller.</summary>
        public float lower;
        /// <summary>The exact signed distance at the point, less the rest offsets, is no larger.</summary>
        public float upper;
        /// <summary>The place of the body in `bodies`.</summary>
        public uint body;
        /// <summary>What it lies on.</summary>
        public PrxContactFeature feature;
        /// <summary>The vertices of the feature: one; two, the smaller first; or three in the order of the triangle. The last one fills what is left.</summary>
        public UInt3 vertices;
        /// <summary>Their weights.</summary>
        public Float3 weights;
        /// <summary>The triangle; UINT32_MAX for a vertex.</summary>
        public uint triangle;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>Where two bodies hold on to each other at a patch. Zeros for a new patch; the caller keeps it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxGrip
    {
        /// <summary>The point of body A that touched, along A's axes from its position, in world units.</summary>
        public Float3 pointA;
        /// <summary>The point of body B that touched, along B's axes from its position, in world units.</summary>
        public Float3 pointB;
        /// <summary>A direction along the patch, along A's axes.</summary>
        public Float3 tangentA;
        /// <summary>The one that was parallel to it, along B's axes.</summary>
        public Float3 tangentB;
        /// <summary>1 when there was a contact.</summary>
        public uint held;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
    }

    /// <summary>How hard friction can hold. Fill it by prx_friction_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFrictionDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Of friction, above 0.</summary>
        public float coefficient;
        /// <summary>Force per length of the spring along the patch, above 0. About the normal it is this times the square of the radius, in torque per radian.</summary>
        public float stiffness;
        /// <summary>The force that presses the bodies together at this patch, at least 0; at 0 the grip is given up.</summary>
        public float normalForce;
        /// <summary>The radius at which torsion acts; 0 for the radius of gyration of the patch, the square root of the sum of its first two moments over its area.</summary>
        public float radius;

        /// <summary>What prx_friction_def_default gives.</summary>
        public static PrxFrictionDef Default => Native.prx_friction_def_default();
    }

    /// <summary>What static friction does at a patch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPatchFriction
    {
        /// <summary>On body A at the patch's centre, world axes; the opposite acts on B.</summary>
        public Float3 force;
        /// <summary>On body A, world axes, along the normal; the opposite acts on B.</summary>
        public Float3 torque;
        /// <summary>The largest force without torsion: coefficient times normal force.</summary>
        public float forceLimit;
        /// <summary>The largest torque without a force along the patch: that times the radius.</summary>
        public float torqueLimit;
        /// <summary>1 while the bodies slip.</summary>
        public uint slipping;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>What to ask of proximity. Fill it by prx_proximity_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxProximityDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>How the surface is sampled.</summary>
        public PrxSamplingPath path;
        /// <summary>Pieces of triangles that reach less far than this from their middle are not split further, in mesh units; negative for the field's error bound. A smaller one gives a narrower certificate, at more cost.</summary>
        public float tolerance;
        /// <summary>Pieces that are kept to be split, from 1 to 1048576; what does not fit widens the certificate, and is never lost.</summary>
        public uint budget;
        /// <summary>Pixels along the longest side, from 1 to 16384, for paths that rasterise.</summary>
        public uint resolution;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;

        /// <summary>What prx_proximity_def_default gives.</summary>
        public static PrxProximityDef Default => Native.prx_proximity_def_default();
    }

    /// <summary>The point of a mesh with the smallest signed distance to a field: the closest when they are apart, the deepest when they penetrate. Points and directions are in the world. The exact smallest signed distance, over all points of the mesh, lies between `lower` and `upper`.  Only points of the mesh's surface are looked at: when the field's body is wholly inside the mesh, no such point is inside the body, and the answer is a positive distance. The deepest point is not how far the bodies must be moved to part them, which can be more or less. Which of two bodies has the field and which is the mesh changes the answer: one asks how deep the mesh is in the body, the other the reverse. Where it matters, ask both ways.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxProximity
    {
        /// <summary>The field's value at `point_mesh`, in mesh units; negative inside the field's body.</summary>
        public float distance;
        /// <summary>No point of the mesh has a smaller signed distance than this.</summary>
        public float lower;
        /// <summary>Some point of the mesh has a signed distance of this or less.</summary>
        public float upper;
        /// <summary>The triangle that `point_mesh` lies on.</summary>
        public uint triangle;
        /// <summary>The weights of that triangle's corners at `point_mesh`.</summary>
        public Float3 barycentric;
        /// <summary>1 when `point_mesh` lies in the field's domain; with 0 `distance` and `point_field` are estimates, and only `lower` and `upper` hold.</summary>
        public uint inDomain;
        /// <summary>The point of the mesh.</summary>
        public Float3 pointMesh;
        /// <summary>1 when the exact distance is certainly negative: some point of the mesh is inside the field's body.</summary>
        public uint penetrating;
        /// <summary>The point of the field's surface that is closest to `point_mesh`.</summary>
        public Float3 pointField;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>Unit vector from `point_mesh` towards `point_field`, or zero where the field does not tell.</summary>
        public Float3 direction;
        /// <summary>Reserved.</summary>
        public uint reserved2;
    }

    /// <summary>How easily a body is moved: all zero for one that stays where it is.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxInverseMass
    {
        /// <summary>One over its mass.</summary>
        public double mass;
        /// <summary>The inverse of its inertia tensor about the centre that torques are about, in its own frame.</summary>
        public Double3x3 inertia;
    }

    /// <summary>What to ask of penalty. Fill it by prx_penalty_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPenaltyDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>How the surface is sampled.</summary>
        public PrxSamplingPath path;
        /// <summary>Samples along the longest side of the field's domain, from 1 to 16384: their spacing on the mesh follows from it. Triangles that do not cross the field's surface are sampled by kernels no closer than at half a cell of the field, which holds nothing finer.</summary>
        public uint resolution;
        /// <summary>Force per depth and area: above 0.</summary>
        public float stiffness;
        /// <summary>Force per normal velocity and area: at least 0.</summary>
        public float damping;
        /// <summary>The dynamic friction coefficient: at least 0.</summary>
        public float friction;
        /// <summary>The point that torques on the field's body are about, in the field's own frame.</summary>
        public Float3 fieldCenter;
        /// <summary>The point that torques on the mesh's body are about, in the mesh's own frame.</summary>
        public Float3 meshCenter;
        /// <summary>For each vertex of the mesh its velocity, three floats in the mesh's own frame, beyond that of the pose; or null.</summary>
        public IntPtr velocities;
        /// <summary>Bytes from one velocity to the next.</summary>
        public ulong velocityStride;
        /// <summary>1 lets the paths that draw view by view drop what lies before or behind the body by depth tests, and by depth bounds where the device has them. The answer is the same. It pays where fragments are dear and pictures are cheap; on software devices they are not.</summary>
        public uint earlyZ;
        /// <summary>1 bounds what force and torque can be off by (PrxPenalty.force_sum_error and the following), for some ten times the work. For springs alone: `damping` and `friction` must be 0. By kernels, which then sample all that is inside as closely as `resolution` asks for: the errors fall with it.</summary>
        public uint forceErrors;
        /// <summary>The time step that damping is limited for, in seconds: within it, damping stops a motion and does not reverse it, however large `damping` is. 0 for no limit. With a limit friction follows from the springs alone, `velocities` must be null, and the surface is sampled twice, by kernels.</summary>
        public double dampingLimitStep;
        /// <summary>Of the field's body; read with a limit on damping.</summary>
        public PrxInverseMass fieldInverse;
        /// <summary>Of the mesh's body; read with a limit on damping.</summary>
        public PrxInverseMass meshInverse;

        /// <summary>What prx_penalty_def_default gives.</summary>
        public static PrxPenaltyDef Default => Native.prx_penalty_def_default();
    }

    /// <summary>The forces between a field's body and a mesh that penetrates it, in the world. The force on the mesh is the opposite of that on the field's body, at the same points. Sums are integrals over the part of the mesh that is inside; without `sum`, that is divided by its area. All is zero when nothing is inside.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPenalty
    {
        /// <summary>On the field's body, per area.</summary>
        public Float3 force;
        /// <summary>On the field's body about its centre, per area.</summary>
        public Float3 torque;
        /// <summary>On the field's body.</summary>
        public Float3 forceSum;
        /// <summary>On the field's body, about its centre.</summary>
        public Float3 torqueSum;
        /// <summary>On the mesh, per area.</summary>
        public Float3 meshForce;
        /// <summary>On the mesh about its centre, per area.</summary>
        public Float3 meshTorque;
        /// <summary>On the mesh.</summary>
        public Float3 meshForceSum;
        /// <summary>On the mesh, about its centre.</summary>
        public Float3 meshTorqueSum;
        /// <summary>The mesh's area inside.</summary>
        public float area;
        /// <summary>At least this much of the mesh's area is inside.</summary>
        public float areaLower;
        /// <summary>At most this much of the mesh's area is inside.</summary>
        public float areaUpper;
        /// <summary>Samples inside.</summary>
        public uint sampleCount;
        /// <summary>The integral of the depth over the area inside; times the stiffness, the sum of the springs' strengths.</summary>
        public float depthSum;
        /// <summary>The exact integral is no farther from `depth_sum` than this.</summary>
        public float depthSumError;
        /// <summary>The depth of the deepest sample.</summary>
        public float depth;
        /// <summary>The mesh is at least this deep inside, or touches it not at all for 0.</summary>
        public float depthLower;
        /// <summary>The mesh is at most this deep inside.</summary>
        public float depthUpper;
        /// <summary>The deepest sample.</summary>
        public Float3 deepest;
        /// <summary>The middle of the contact on the surface of the field's body, weighted by area.</summary>
        public Float3 centroid;
        /// <summary>1 where large triangles were sampled farther apart than `resolution` asks for, because drivers bound how long a kernel may loop: the bounds of area and depth are then wider than usual. Otherwise 0.</summary>
        public uint coarsened;
        /// <summary>The part of the damping that is in the forces, from 0 to 1: below 1 where PrxPenaltyDef.damping_limit_step made it less.</summary>
        public float dampingScale;
        /// <summary>The exact force of the springs is no farther from `force_sum`, and from `mesh_force_sum`, than this: a length. Infinite without PrxPenaltyDef.force_errors, and where the field's distances saturate. Damping and friction have no bound.</summary>
        public float forceSumError;
        /// <summary>The same of `torque_sum`.</summary>
        public float torqueSumError;
        /// <summary>The same of `mesh_torque_sum`.</summary>
        public float meshTorqueSumError;
    }

    /// <summary>What to ask of overlap. Fill it by prx_overlap_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxOverlapDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Pixels along a side of the views that the mesh is drawn in, from 1 to 4096. More of them leave less in doubt, and cost four times as much for twice as many.</summary>
        public uint resolution;

        /// <summary>What prx_overlap_def_default gives.</summary>
        public static PrxOverlapDef Default => Native.prx_overlap_def_default();
    }

    /// <summary>Whether the surface of a mesh touches or enters a field's body. A body that is wholly within the mesh, without touching its surface, does not count.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxOverlap
    {
        /// <summary>0 is a proof that they do not touch; 1 that they do, unless `certain` is 0.</summary>
        public uint overlap;
        /// <summary>1 when the answer is proven. 0 when they touch or are nearly touching: within the field's error and a pixel.</summary>
        public uint certain;
        /// <summary>Fragments of the mesh that may touch, or of one triangle that proves it alone. Without precise occlusion queries (PrxFeatures.precise_occlusion) only zero or not.</summary>
        public uint samples;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>Names a follower: it asks a pair again and again without waiting, for callers that cannot wait for the device, as a haptic loop of a kilohertz cannot. Zero is null.  Threads: calls on one follower take turns.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFollower
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>What goes with one call of prx_follower_ask. Fill it by prx_follow_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFollowDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
        /// <summary>The semaphores that what is asked waits for and signals, or null. Its flags are 0. A pair that is answered on the host beside the device is answered before the call returns where there are signals.</summary>
        public IntPtr submit;
        /// <summary>For each vertex of the mesh its velocity, three floats in the mesh's own frame, beyond that of the pose; or null. Copied at the call.</summary>
        public IntPtr velocities;
        /// <summary>Bytes from one velocity to the next.</summary>
        public ulong velocityStride;

        /// <summary>What prx_follow_def_default gives.</summary>
        public static PrxFollowDef Default => Native.prx_follow_def_default();
    }

    /// <summary>The newest finished answer of a follower.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFollowed
    {
        /// <summary>The number of this call of prx_follower_ask, from 1; 0 when it asked nothing, because three were under way: then its semaphores are neither waited for nor signalled.</summary>
        public ulong asked;
        /// <summary>Which call asked for the answer; 0 when none is there yet, and then all that follows is zero.</summary>
        public ulong number;
        /// <summary>Seconds since that call.</summary>
        public double age;
        /// <summary>The proximity then.</summary>
        public PrxProximity proximity;
        /// <summary>The penalty forces then.</summary>
        public PrxPenalty penalty;
    }

    /// <summary>Where two bodies hold on to each other by static friction. Start with zeros; the caller keeps it between steps.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxAnchor
    {
        /// <summary>In the frame of the field's body.</summary>
        public Float3 fieldPoint;
        /// <summary>In the mesh's frame.</summary>
        public Float3 meshPoint;
        /// <summary>1 while there is a contact.</summary>
        public uint held;
        /// <summary>1 when the bodies slipped in the last step.</summary>
        public uint slipping;
    }

    /// <summary>How a layered depth image is made: parallel rays through a mesh. Fill it by prx_ldi_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxLdiDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Rays along each side of the volume of interest, 1 to 2048; 0 to go by `cell_size`.</summary>
        public uint resolution;
        /// <summary>Distance of neighbouring rays, in mesh units, when `resolution` is 0.</summary>
        public float cellSize;
        /// <summary>Along which axes the rays go.</summary>
        public PrxRays rays;
        /// <summary>PRX_LDI_* bits.</summary>
        public uint flags;
        /// <summary>How crossings are found.</summary>
        public PrxGenerator generator;
        /// <summary>Device memory in bytes, at most; 0 for what meshes of ordinary depth complexity need. A query that needs more answers PRX_STATUS_BUFFER_TOO_SMALL and how much.</summary>
        public ulong memory;

        /// <summary>What prx_ldi_def_default gives.</summary>
        public static PrxLdiDef Default => Native.prx_ldi_def_default();
    }

    /// <summary>What two closed meshes have in common. Lengths and places are in the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxIntersectionVolume
    {
        /// <summary>The volume.</summary>
        public double volume;
        /// <summary>The exact volume is no less, if no ray is flawed. With flawed rays, the least that any axis gives; never above `upper`.</summary>
        public double lower;
        /// <summary>The exact volume is no more, if no ray is flawed. With flawed rays, the most that any axis gives.</summary>
        public double upper;
        /// <summary>Its centre; zero when there is none.</summary>
        public Double3 centroid;
        /// <summary>How far the exact centre can be from `centroid`, if no ray is flawed; infinite when there may be no volume. As wide as the bins: halves with each doubling of the resolution, also with PRX_LDI_NARROW.</summary>
        public double centroidError;
        /// <summary>Change of the volume per length as `a` moves: the integral of the outward normal over the part of its surface that is inside `b`. A pressure p between the bodies pushes `a` by -p times this. Rays give no bound on its error, nor on the torques': where faces of both meshes lie in one plane, it changes by all of their area within any distance. prx_mesh_exact_intersection gives both with theirs.</summary>
        public Double3 gradientA;
        /// <summary>Change of the volume per radian as `a` turns about its pose's position.</summary>
        public Double3 torqueA;
        /// <summary>Change of the volume per length as `b` moves: the opposite of `gradient_a`.</summary>
        public Double3 gradientB;
        /// <summary>Change of the volume per radian as `b` turns about its pose's position.</summary>
        public Double3 torqueB;
        /// <summary>Length of the longest stretch of a ray inside both.</summary>
        public double deepest;
        /// <summary>Its ends.</summary>
        public Float3Pair deepestSpan;
        /// <summary>A box that holds the whole intersection; zero when there is none.</summary>
        public PrxBounds bounds;
        /// <summary>Rays on which the crossings with `a` do not tell inside from outside: it is open there, not manifold, not consistently oriented, or overlaps itself. With any, the certificate does not hold.</summary>
        public uint flawedA;
        /// <summary>The same for `b`.</summary>
        public uint flawedB;
        /// <summary>Crossings of a ray with `a`, at most.</summary>
        public uint layersA;
        /// <summary>Crossings of a ray with `b`, at most.</summary>
        public uint layersB;
        /// <summary>Rays through the volume of interest; 0 when the boxes of the meshes are apart.</summary>
        public ulong rays;
        /// <summary>The axis of the rays: 0, 1 or 2. With all three, that of the deepest.</summary>
        public uint axis;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>How a point gets out of a closed mesh.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxExit
    {
        /// <summary>How far the point is from the surface, in mesh units; 0 outside.</summary>
        public double depth;
        /// <summary>The exact distance differs from depth by no more than this.</summary>
        public double error;
        /// <summary>The nearest place of the surface, in the world; the point itself outside.</summary>
        public Double3 place;
        /// <summary>Unit vector from the point to place; for a point on the surface the triangle's normal. Zero outside.</summary>
        public Double3 direction;
        /// <summary>The triangle that place is on; PRX_NO_INDEX outside.</summary>
        public uint triangle;
        /// <summary>1 where the point is inside, 0 where it is outside.</summary>
        public uint inside;
    }

    /// <summary>A stretch of a ray.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxLayer
    {
        /// <summary>Column of the ray.</summary>
        public uint column;
        /// <summary>Row of the ray.</summary>
        public uint row;
        /// <summary>Where the stretch starts and where it ends, in the world.</summary>
        public Float3Pair ends;
        /// <summary>The triangle at its start.</summary>
        public uint triangleStart;
        /// <summary>The triangle at its end.</summary>
        public uint triangleEnd;
        /// <summary>How often the mesh winds around it, at most: 1 inside, 2 and more where it overlaps itself, below 0 where it is inside out. Of prx_batch_intersection_layers the product for both meshes.</summary>
        public int winding;
        /// <summary>Bit 0 is set where triangle_start is of the second mesh of prx_batch_intersection_layers, bit 1 where triangle_end is.</summary>
        public uint meshes;
    }

    /// <summary>The rays of a layered depth image.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxLayersInfo
    {
        /// <summary>Columns of rays, with one beside the mesh on each side.</summary>
        public uint columns;
        /// <summary>Rows of rays, with one beside the mesh on each side.</summary>
        public uint rows;
        /// <summary>The axis that they run along: 0, 1 or 2. Columns follow along the next axis, rows along the one after it, cyclically.</summary>
        public uint axis;
        /// <summary>Rays on which crossings do not tell inside from outside.</summary>
        public uint flawed;
        /// <summary>Where column 0 of row 0 starts, in the world.</summary>
        public Double3 origin;
        /// <summary>Distance of neighbouring columns.</summary>
        public double columnSpacing;
        /// <summary>Distance of neighbouring rows.</summary>
        public double rowSpacing;
    }

    /// <summary>What to ask of prx_mesh_distance. Fill it by prx_distance_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxDistanceDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>How the distance is found.</summary>
        public PrxDistanceMethod method;
        /// <summary>Distances above this, in mesh units, are of no interest: the search ends when it is exceeded. Infinity for any.</summary>
        public double within;
        /// <summary>1 for bounds from the convex hulls alone; all else in this def is then ignored.</summary>
        public uint boundsOnly;
        /// <summary>A triangle of `a` to begin with, best the last answer's, or PRX_NO_INDEX. It changes the time, not the distance.</summary>
        public uint startTriangleA;
        /// <summary>A triangle of `b` to begin with, or PRX_NO_INDEX; both or neither.</summary>
        public uint startTriangleB;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;

        /// <summary>What prx_distance_def_default gives.</summary>
        public static PrxDistanceDef Default => Native.prx_distance_def_default();
    }

    /// <summary>How far apart two surfaces are. Lengths and points are in the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxDistance
    {
        /// <summary>The distance of `point_a` and `point_b` before they were rounded to floats. It is the distance of the surfaces, 0 when they intersect; with `bounds_only` that of two vertices. Infinity when nothing is within PrxDistanceDef.within.</summary>
        public double distance;
        /// <summary>The surfaces are at least this far apart, whatever was rounded on the way.</summary>
        public double lower;
        /// <summary>The surfaces are at most this far apart, whatever was rounded on the way.</summary>
        public double upper;
        /// <summary>A point of `a` that is nearest to `b`.</summary>
        public Float3 pointA;
        /// <summary>A point of `b` that is nearest to `a`.</summary>
        public Float3 pointB;
        /// <summary>The triangle of `a` that `point_a` is on, or PRX_NO_INDEX.</summary>
        public uint triangleA;
        /// <summary>The triangle of `b` that `point_b` is on, or PRX_NO_INDEX.</summary>
        public uint triangleB;
        /// <summary>1 when the surfaces share a point; touching is sharing. Always 0 with `bounds_only`. A mesh that is wholly inside another does not intersect it: surfaces are compared, not solids.</summary>
        public uint intersecting;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>Two meshes and where they are.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxMeshPair
    {
        /// <summary>The first mesh.</summary>
        public PrxMesh a;
        /// <summary>The second mesh.</summary>
        public PrxMesh b;
        /// <summary>Where the first is.</summary>
        public PrxPose poseA;
        /// <summary>Where the second is.</summary>
        public PrxPose poseB;
    }

    /// <summary>Two triangles that meet or are near each other.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxPair
    {
        /// <summary>The triangle of `a`.</summary>
        public uint triangleA;
        /// <summary>The triangle of `b`.</summary>
        public uint triangleB;
        /// <summary>Their distance, in mesh units; 0 exactly when they share a point.</summary>
        public double distance;
        /// <summary>Two points in the world. Of triangles that meet, the ends of what they share: of an area its longest chord between corners, of a single point the same twice. Of others, the nearest point of `a`, then that of `b`.</summary>
        public Float3Pair segment;
    }

    /// <summary>Two triangles of one mesh.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTrianglePair
    {
        /// <summary>The lower one.</summary>
        public uint first;
        /// <summary>The higher one.</summary>
        public uint second;
    }

    /// <summary>What two closed meshes have in common, in the world.  Where a mesh overlaps itself, a place counts as often as the mesh encloses it, and places that it encloses inside out count below zero.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxExactIntersection
    {
        /// <summary>The volume, in cubic mesh units.</summary>
        public double volume;
        /// <summary>The exact volume of the moved corners is not below this.</summary>
        public double lower;
        /// <summary>And not above this. Their difference is rounding alone.</summary>
        public double upper;
        /// <summary>Its centre; zero when there is no volume.</summary>
        public Double3 centroid;
        /// <summary>Integrals over the volume of xx, yy, zz, yz, zx and xy, from the centre along the world's axes.</summary>
        public Double6 secondMoments;
        /// <summary>The integral of the outward normal over the part of the surface of `a` that is inside `b`: the change of the volume per length as `a` moves. A pressure p between the bodies pushes `a` by -p times this.</summary>
        public Double3 areaVectorA;
        /// <summary>The same for `b`. The two cancel but for rounding; where they do not, a mesh is not closed.</summary>
        public Double3 areaVectorB;
        /// <summary>Change of the volume per radian as `a` turns about its pose's position.</summary>
        public Double3 torqueA;
        /// <summary>Change of the volume per radian as `b` turns about its pose's position.</summary>
        public Double3 torqueB;
        /// <summary>The area of the part of the surface of `a` that is inside `b`.</summary>
        public double areaA;
        /// <summary>The area of the part of the surface of `b` that is inside `a`.</summary>
        public double areaB;
        /// <summary>The length of the curve where the surfaces cross.</summary>
        public double curveLength;
        /// <summary>Pairs of triangles that cross.</summary>
        public ulong crossings;
        /// <summary>Edges of `a` along which inside and outside of `b` do not agree. With any, `b` is not closed or not consistently oriented, and the numbers are not to be trusted.</summary>
        public ulong disagreeingA;
        /// <summary>Edges of `b` along which inside and outside of `a` do not agree.</summary>
        public ulong disagreeingB;
        /// <summary>How far the exact centre can be from `centroid`, by rounding alone, as all errors here; infinite when there may be no volume. Those of volume, centre and moments hold for closed meshes.</summary>
        public double centroidError;
        /// <summary>How far exact second moments can be from `second_moments`: the root of the sum of squares over the whole matrix. Infinite when there may be no volume.</summary>
        public double secondMomentsError;
        /// <summary>How far the exact area vector can be from `area_vector_a`.</summary>
        public double areaVectorAError;
        /// <summary>How far the exact area vector can be from `area_vector_b`.</summary>
        public double areaVectorBError;
        /// <summary>How far the exact change can be from `torque_a`.</summary>
        public double torqueAError;
        /// <summary>How far the exact change can be from `torque_b`.</summary>
        public double torqueBError;
        /// <summary>How far the exact area can be from `area_a`.</summary>
        public double areaAError;
        /// <summary>How far the exact area can be from `area_b`.</summary>
        public double areaBError;
        /// <summary>How far the exact length can be from `curve_length`.</summary>
        public double curveLengthError;
        /// <summary>Edges of `a` that its own triangles do not pass as often one way as the other: it is open there or not consistently oriented. With any, it has no inside, and the numbers are not to be trusted. Edges of many triangles and surfaces through themselves are no such edges.</summary>
        public ulong unbalancedEdgesA;
        /// <summary>Edges of `b` that its own triangles do not pass as often one way as the other.</summary>
        public ulong unbalancedEdgesB;
    }

    /// <summary>A connected part of what two closed meshes have in common, in the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxIntersectionRegion
    {
        /// <summary>Its volume.</summary>
        public double volume;
        /// <summary>Its centre; zero when it has no volume.</summary>
        public Double3 centroid;
        /// <summary>The integral of the outward normal over its part of the surface of `a`: how its volume changes per length as `a` moves.</summary>
        public Double3 areaVector;
        /// <summary>The unit vector along that, from `a` to `b`; zero when there is none, as for a part that is all of `a`.</summary>
        public Double3 normal;
        /// <summary>How far the part extends along the normal.</summary>
        public double depth;
        /// <summary>The least coordinates of its points.</summary>
        public Double3 min;
        /// <summary>The largest coordinates of its points.</summary>
        public Double3 max;
    }

    /// <summary>Names what two meshes had in common at one moment. Zero is null; the id of a destroyed intersection is refused.  Threads: calls may come from any thread at any time.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxIntersection
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>A connected piece of the curve where two surfaces cross: a polyline.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxIntersectionCurve
    {
        /// <summary>The first of its points.</summary>
        public uint first;
        /// <summary>How many it has.</summary>
        public uint points;
        /// <summary>1 when the last point is joined to the first, as always between closed meshes.</summary>
        public uint closed;
        /// <summary>The region that it bounds, as prx_intersection_regions counts them.</summary>
        public uint region;
    }

    /// <summary>A point of such a curve, in the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxCurvePoint
    {
        /// <summary>Where it is.</summary>
        public Double3 position;
        /// <summary>The triangle of `a` that the segment from here to the next point is in.</summary>
        public uint triangleA;
        /// <summary>The triangle of `b` that it is in.</summary>
        public uint triangleB;
    }

    /// <summary>How the volume that two meshes have in common changes as a vertex moves.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxVertexGradient
    {
        /// <summary>0 for `a`, 1 for `b`.</summary>
        public uint mesh;
        /// <summary>The vertex of that mesh.</summary>
        public uint vertex;
        /// <summary>The change of the volume per length, in the world.</summary>
        public Double3 gradient;
        /// <summary>How far the exact change can be from `gradient`, by rounding alone.</summary>
        public double error;
    }

    /// <summary>A corner of a boundary, in the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBoundaryVertex
    {
        /// <summary>Where it is.</summary>
        public Double3 position;
    }

    /// <summary>A triangle of a boundary.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBoundaryTriangle
    {
        /// <summary>Its corners, counter-clockwise from outside.</summary>
        public UInt3 vertices;
        /// <summary>The mesh that it is a piece of: 0 for `a`, 1 for `b`.</summary>
        public uint mesh;
        /// <summary>The triangle of that mesh.</summary>
        public uint triangle;
        /// <summary>The region that it bounds, as prx_intersection_regions counts them; UINT32_MAX in a union or difference.</summary>
        public uint region;
    }

    /// <summary>How parts become contacts. Fill it by prx_region_contacts_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxRegionContactsDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Contacts that are kept per patch, from 1 to 32; 0 for all.</summary>
        public uint points;
        /// <summary>Patches that are kept, the largest parts first; 0 for all.</summary>
        public uint patches;

        /// <summary>What prx_region_contacts_def_default gives.</summary>
        public static PrxRegionContactsDef Default => Native.prx_region_contacts_def_default();
    }

    /// <summary>How to sweep. Fill it by prx_sweep_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSweepDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
        /// <summary>Features this close, in mesh units, or closer count as meeting. Negative for the default: 0, so that they have to touch; between poses a millionth of the longest side of the smaller mesh's box, because a turn is followed in steps that must not be endless.</summary>
        public double tolerance;

        /// <summary>What prx_sweep_def_default gives.</summary>
        public static PrxSweepDef Default => Native.prx_sweep_def_default();
    }

    /// <summary>The first contact of a sweep.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxImpact
    {
        /// <summary>1 when something meets; 0 is a proof that nothing touches between time 0 and 1.</summary>
        public uint hit;
        /// <summary>What meets.</summary>
        public PrxImpactKind kind;
        /// <summary>From 0, the start, to 1, the end; never after the true first contact. Infinity without a hit.</summary>
        public double time;
        /// <summary>What of `a` meets, see PrxImpactKind; unused places are PRX_NO_INDEX.</summary>
        public UInt2 featureA;
        /// <summary>What of `b` meets.</summary>
        public UInt2 featureB;
        /// <summary>The nearest point of that feature of `a` at that time.</summary>
        public Float3 pointA;
        /// <summary>The nearest point of that feature of `b` at that time.</summary>
        public Float3 pointB;
    }

    /// <summary>What counts as an impact. Fill it by prx_impacts_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxImpactsDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>1 to report triangles that intersect at time 0 as impacts of kind PRX_IMPACT_KIND_START. Such triangles need not have features that meet: what is inside another body already may leave it unseen. Triangles with a common vertex are not compared.</summary>
        public uint startIntersections;
        /// <summary>Features that come this close, in mesh units, or closer meet. 0 when they have to touch.</summary>
        public double separation;

        /// <summary>What prx_impacts_def_default gives.</summary>
        public static PrxImpactsDef Default => Native.prx_impacts_def_default();
    }

    /// <summary>Two features that meet.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxFeatureImpact
    {
        /// <summary>What meets; never PRX_IMPACT_KIND_NONE.</summary>
        public PrxImpactKind kind;
        /// <summary>What of `a` meets, see PrxImpactKind; unused places are PRX_NO_INDEX. Of an edge the lower vertex comes first.</summary>
        public UInt2 featureA;
        /// <summary>What of `b` meets.</summary>
        public UInt2 featureB;
        /// <summary>Unit direction from the feature of `a` to that of `b` just before they meet; zero for intersections at the start.</summary>
        public Float3 normal;
        /// <summary>From 0, the start, to 1, the end; never after the features first meet, and before it by at most 1e-3 of it or 1e-6.</summary>
        public double time;
        /// <summary>The points that meet, by the share of each corner: 1 for the vertex and three shares of the face's corners in the order of the triangle, or two of the first edge and two of the second. All zero for intersections at the start.</summary>
        public Double4 weights;
    }

    /// <summary>Two features that are closer than the thickness.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxNearPair
    {
        /// <summary>Vertex and face, face and vertex, or two edges.</summary>
        public PrxImpactKind kind;
        /// <summary>What of `a` is near: the index of a vertex or triangle and PRX_NO_INDEX, or the two vertices of an edge, the lower first.</summary>
        public UInt2 featureA;
        /// <summary>What of `b` is near.</summary>
        public UInt2 featureB;
        /// <summary>Where on the feature of `a` the nearest point is.</summary>
        public PrxNearRegion regionA;
        /// <summary>Where on the feature of `b` the nearest point is.</summary>
        public PrxNearRegion regionB;
        /// <summary>With PrxNearDef.mark_repeats: 1 when a pair before it in the list has its nearest points on the same two vertices, or on the same vertex and edge. A barrier that counts only pairs with 0 counts nothing twice.</summary>
        public uint repeats;
        /// <summary>Unit direction from the nearest point of `a` to that of `b`, in the world; zero where they touch.</summary>
        public Float3 direction;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>How far they are apart, in mesh units.</summary>
        public double distance;
        /// <summary>The nearest points, by the share of each corner: 1 for the vertex and three shares of the face's corners in the order of the triangle, or two of the first edge and two of the second.</summary>
        public Double4 weights;
    }

    /// <summary>Which pairs are near. Fill it by prx_near_def_default and set `thickness`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxNearDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>Of a mesh with itself: features are left out when at most so many edges lead from one to the other, from 0 to 16. Features with a common vertex are always left out. 0 between two meshes.</summary>
        public uint rings;
        /// <summary>1 to fill PrxNearPair.repeats, which takes another sort.</summary>
        public uint markRepeats;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;
        /// <summary>Features closer than this, in mesh units, are near.</summary>
        public double thickness;
        /// <summary>One thickness per vertex of `a`, or null. Features are near when they are closer than the mean of both thicknesses, which are interpolated at the nearest points.</summary>
        public IntPtr thicknessA;
        /// <summary>How many there are: as many as `a` has vertices, or 0.</summary>
        public ulong thicknessACount;
        /// <summary>One thickness per vertex of `b`, or null.</summary>
        public IntPtr thicknessB;
        /// <summary>How many there are: as many as `b` has vertices, or 0.</summary>
        public ulong thicknessBCount;
        /// <summary>Bits per vertex of `a`, or null. A pair is left out when all of its corners have one bit in common: vertices of a group do not see each other.</summary>
        public IntPtr groupsA;
        /// <summary>How many there are: as many as `a` has vertices, or 0.</summary>
        public ulong groupsACount;
        /// <summary>Bits per vertex of `b`, or null.</summary>
        public IntPtr groupsB;
        /// <summary>How many there are: as many as `b` has vertices, or 0.</summary>
        public ulong groupsBCount;
        /// <summary>Pairs that are left out, or null: `kind`, `feature_a` and `feature_b` are read, so a list that was returned can be passed back.</summary>
        public IntPtr excluded;
        /// <summary>How many there are.</summary>
        public ulong excludedCount;
        /// <summary>Of a mesh with itself: another with the same triangles, or null. Pairs that are closer than the thickness there are left out.</summary>
        public PrxMesh rest;

        /// <summary>What prx_near_def_default gives.</summary>
        public static PrxNearDef Default => Native.prx_near_def_default();
    }

    /// <summary>A body of tetrahedra, as it is now. Nothing is kept of it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTetrahedralBody
    {
        /// <summary>Three floats per vertex.</summary>
        public IntPtr positions;
        /// <summary>Four vertex indices per tetrahedron, in either orientation.</summary>
        public IntPtr tetrahedra;
        /// <summary>Vertices, at most PRX_MAX_COUNT.</summary>
        public uint vertexCount;
        /// <summary>Tetrahedra, at most PRX_MAX_COUNT.</summary>
        public uint tetrahedronCount;
    }

    /// <summary>A vertex in a tetrahedron. When both are of one body, the body intersects itself.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxVertexInside
    {
        /// <summary>The body of the vertex, by its place in the array.</summary>
        public uint vertexBody;
        /// <summary>The vertex.</summary>
        public uint vertex;
        /// <summary>The body of the tetrahedron.</summary>
        public uint tetrahedronBody;
        /// <summary>The tetrahedron.</summary>
        public uint tetrahedron;
        /// <summary>Weights of the tetrahedron's corners that give the vertex; they sum to 1.</summary>
        public Double4 weights;
    }

    /// <summary>How deep a vertex is inside of a body, and the way out.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxVertexDepth
    {
        /// <summary>The body of the vertex, by its place in the array.</summary>
        public uint vertexBody;
        /// <summary>The vertex.</summary>
        public uint vertex;
        /// <summary>The body that it is inside of; its own when that intersects itself.</summary>
        public uint body;
        /// <summary>1 when an edge leads from the vertex out of the body, one more for each edge farther inside. 0 when no way along edges of tetrahedra leads out, as of a body that is wholly inside and of vertices without tetrahedra; depth and direction are zero then.</summary>
        public uint steps;
        /// <summary>How far it is to the surface of `body` along the direction, in mesh units.</summary>
        public double depth;
        /// <summary>Unit vector out of `body`; zero where the normals that were met cancel.</summary>
        public Double3 direction;
    }

    /// <summary>Names a scene: objects and their places. Zero is null; the id of a destroyed scene is refused.  Threads: calls may come from any thread; calls on one scene take turns.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxScene
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>Names an object of a scene. Zero is null; the id of a removed object is refused, as is one of another scene.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxObject
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>Two objects of a scene.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxObjectPair
    {
        /// <summary>The one in the earlier place.</summary>
        public PrxObject first;
        /// <summary>The other.</summary>
        public PrxObject second;
    }

    /// <summary>Two triangles of two objects that meet or are near each other.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxScenePair
    {
        /// <summary>The object in the earlier place.</summary>
        public PrxObject objectA;
        /// <summary>The other object.</summary>
        public PrxObject objectB;
        /// <summary>The triangle of `object_a`.</summary>
        public uint triangleA;
        /// <summary>The triangle of `object_b`.</summary>
        public uint triangleB;
        /// <summary>Their distance, in mesh units; 0 exactly when they share a point.</summary>
        public double distance;
        /// <summary>Two points in the world, as in PrxPair.</summary>
        public Float3Pair segment;
    }

    /// <summary>Which bodies a body meets: two meet if each one's mask has a bit of the other's group.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBodyFilter
    {
        /// <summary>Bits of the groups that the body is in.</summary>
        public uint group;
        /// <summary>Bits of the groups that it meets.</summary>
        public uint mask;
    }

    /// <summary>Where a body is.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBodyPose
    {
        /// <summary>The local origin in the world.</summary>
        public Double3 position;
        /// <summary>A unit quaternion: x, y, z, w.</summary>
        public Float4 rotation;
    }

    /// <summary>A pair of bodies that touch, or that have just ended to.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxContactPair
    {
        /// <summary>Body A: the one in the earlier place.</summary>
        public PrxObject objectA;
        /// <summary>Body B.</summary>
        public PrxObject objectB;
        /// <summary>The place of its first contact in the list of prx_scene_contact_points; `manifold.contacts` follow one another.</summary>
        public ulong firstContact;
        /// <summary>The place of its first patch in the list of prx_scene_contact_patches. PrxContact.patch counts from here.</summary>
        public ulong firstPatch;
        /// <summary>What is known of its contacts together.</summary>
        public PrxManifold manifold;
        /// <summary>What became of it.</summary>
        public PrxPairEvent @event;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>How long the lists of an answer are.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSceneContacts
    {
        /// <summary>Pairs that touch or have just ended.</summary>
        public ulong pairs;
        /// <summary>Contacts kept, of all pairs.</summary>
        public ulong contacts;
        /// <summary>Patches of all pairs.</summary>
        public ulong patches;
        /// <summary>Contacts of the answer before that ended.</summary>
        public ulong ended;
        /// <summary>Pairs that were near each other and were looked at.</summary>
        public uint tested;
        /// <summary>Pairs that were near each other and cannot touch, because neither body has a field where the other has a mesh.</summary>
        public uint withoutField;
    }

    /// <summary>Where an object goes in a step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxObjectMove
    {
        /// <summary>The object.</summary>
        public PrxObject @object;
        /// <summary>A mesh of the same triangles with the positions at the end of the step; zero for an object that keeps its shape.</summary>
        public PrxMesh mesh;
        /// <summary>Its pose at the end of the step.</summary>
        public PrxPose pose;
    }

    /// <summary>Two features of objects that meet.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxSceneImpact
    {
        /// <summary>The object in the earlier place: the `a` of the impact.</summary>
        public PrxObject objectA;
        /// <summary>The other object; the same for one that meets itself.</summary>
        public PrxObject objectB;
        /// <summary>What of them meets, and when.</summary>
        public PrxFeatureImpact impact;
    }

    /// <summary>Names a tracker. Zero is null; the id of a destroyed tracker is refused.  Threads: calls may come from any thread, but only one at a time may step a tracker; another gets a status.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTracker
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>How to track the nearest triangles of two meshes. Fill it by prx_tracker_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTrackerDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>The most pairs of triangles that stay active from step to step; 1 to 65536.</summary>
        public uint maxPairs;
        /// <summary>Random pairs that join each step; 1 to 65536.</summary>
        public uint freshPairs;
        /// <summary>The most resolutions that pairs are followed at, 1 to 32. With 1 all pairs are of the finest features; with more, far pairs are of coarser ones, which takes them farther for the same steps, and the nearest pair is of the finest always.</summary>
        public uint levels;
        /// <summary>What the random pairs follow from: the same seed, meshes and steps give the same bits.</summary>
        public ulong seed;
        /// <summary>Pairs farther apart than this, in mesh units, are of no interest. Infinity for any.</summary>
        public double within;
        /// <summary>Pairs at most this far apart, in mesh units, collide, and each step looks for all collisions around those that are active; 0 for what intersects. Negative for none.</summary>
        public double colliding;
        /// <summary>1 to follow a mesh against itself, between its folds: both meshes are the same one, under the same pose, and triangles that share a vertex do not count. 0 for two meshes.</summary>
        public uint itself;
        /// <summary>Reserved, must be zero.</summary>
        public uint reserved;

        /// <summary>What prx_tracker_def_default gives.</summary>
        public static PrxTrackerDef Default => Native.prx_tracker_def_default();
    }

    /// <summary>How long a time-critical query may take. It answers in any case; with nothing to spend, from the outermost boxes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxBudget
    {
        /// <summary>Microseconds from the call on, the refit of a changed mesh included: where they are over before it is done, what needs no hierarchy is answered. Only a mesh's first hierarchy is built whatever it takes. Infinity for any.</summary>
        public double microseconds;
        /// <summary>About as many distances of two triangles; the answer then does not depend on how fast the machine is. UINT64_MAX for any.</summary>
        public ulong steps;
    }

    /// <summary>What a step of a tracker found.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxTracked
    {
        /// <summary>The nearest pair so far. Its `lower` and `upper` hold the true distance whatever was left undone.</summary>
        public PrxDistance distance;
        /// <summary>1 when more time would change nothing: the distance is the exact one.</summary>
        public uint exact;
        /// <summary>Pairs that are active now.</summary>
        public uint pairs;
        /// <summary>Steps that were taken, as PrxBudget counts them.</summary>
        public ulong steps;
        /// <summary>Pairs that collide, as prx_tracker_collisions lists them.</summary>
        public ulong collisions;
        /// <summary>1 when the search for collisions came to the end of every region, 0 when the budget ended before.</summary>
        public uint propagated;
        /// <summary>Reserved.</summary>
        public uint reserved;
    }

    /// <summary>A pair of triangles at a local minimum of their distance.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxActivePair
    {
        /// <summary>The triangle of the first mesh.</summary>
        public uint triangleA;
        /// <summary>The triangle of the second mesh.</summary>
        public uint triangleB;
        /// <summary>Their distance in the last step, in mesh units.</summary>
        public double distance;
    }

    /// <summary>How likely two meshes collide.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxChance
    {
        /// <summary>From 0 to 1. An estimate from the amount of surface in boxes; no triangle was looked at.</summary>
        public double probability;
        /// <summary>1 when the boxes alone prove that the surfaces do not meet.</summary>
        public uint apart;
        /// <summary>Reserved.</summary>
        public uint reserved;
        /// <summary>Steps that were taken.</summary>
        public ulong steps;
    }

    /// <summary>What draws, and how. Fill it by prx_debug_draw_default, and set one function at least. Places are three floats, relative to `origin`, valid during the call.  Threads: the functions are called on the thread that calls prx_debug_draw_*, before it returns. They may call Proxel and must not throw.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxDebugDraw
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>The color of everything; 0 for the colors of the things.</summary>
        public uint color;
        /// <summary>Draws a line, or null.</summary>
        public IntPtr drawLine;
        /// <summary>Draws a filled triangle, or null.</summary>
        public IntPtr drawTriangle;
        /// <summary>Draws a point, or null.</summary>
        public IntPtr drawPoint;
        /// <summary>Draws a text, or null.</summary>
        public IntPtr drawText;
        /// <summary>Passed to all of them.</summary>
        public IntPtr user;
        /// <summary>The place in the world that is drawn at zero: near the camera in a large world.</summary>
        public Double3 origin;
        /// <summary>How long normals are, in world units.</summary>
        public float scale;
        /// <summary>Cells along the longest side that a field is drawn with, from 1 to 128, at most as many as it has.</summary>
        public uint resolution;

        /// <summary>What prx_debug_draw_default gives.</summary>
        public static PrxDebugDraw Default => Native.prx_debug_draw_default();
    }

    /// <summary>How to cull. Fill it by prx_cull_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxCullDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>How pairs are culled.</summary>
        public PrxCullMethod method;
        /// <summary>How triangles are drawn; for visibility, as all that follows.</summary>
        public PrxCullPath path;
        /// <summary>How depths are stored.</summary>
        public PrxDepthFormat depthFormat;
        /// <summary>The axes to look along: PRX_VIEW_X, PRX_VIEW_Y and PRX_VIEW_Z, or some of them.</summary>
        public uint views;
        /// <summary>Pixels across, from 16 to 4096. More pixels cull more and cost more; the answer stays the same.</summary>
        public uint width;
        /// <summary>Pixels down, from 16 to 4096.</summary>
        public uint height;
        /// <summary>1 where yes or no is enough: the search ends soon after the first pair, and the list has that pair or none. 0 for all.</summary>
        public uint firstOnly;

        /// <summary>What prx_cull_def_default gives.</summary>
        public static PrxCullDef Default => Native.prx_cull_def_default();
    }

    /// <summary>What was culled.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxCullStats
    {
        /// <summary>Pairs of objects whose boxes overlap: what sweep and prune alone would leave.</summary>
        public ulong boxPairs;
        /// <summary>Pairs of objects whose triangles were compared.</summary>
        public ulong objectPairs;
        /// <summary>Pairs of triangles that came to the exact test.</summary>
        public ulong candidates;
        /// <summary>How much wider triangles were drawn, in mesh units: the p of FAR, section 3.3; 0 without visibility.</summary>
        public double fattening;
    }

    /// <summary>Names a hierarchy. Zero is null; the id of a destroyed hierarchy is refused.  Threads: calls may come from any thread; calls on one hierarchy take turns.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxHierarchy
    {
        /// <summary>The id; zero is null.</summary>
        public ulong id;
    }

    /// <summary>How to build a hierarchy. Fill it by prx_hierarchy_def_default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PrxHierarchyDef
    {
        /// <summary>Bytes of this struct.</summary>
        public uint size;
        /// <summary>What bounds the triangles of a node.</summary>
        public PrxBoundingVolume volume;
        /// <summary>Children of a node: 2, 4 or 8.</summary>
        public uint arity;
        /// <summary>How the hierarchy follows its mesh.</summary>
        public PrxRefitOrder update;
        /// <summary>By how much volumes are larger than they must be, in mesh units: while no vertex moves farther, an update costs nothing.</summary>
        public float margin;
        /// <summary>A bottom-up update builds the hierarchy anew when its volumes have grown by this factor. Infinity for never.</summary>
        public float rebuildAbove;

        /// <summary>What prx_hierarchy_def_default gives.</summary>
        public static PrxHierarchyDef Default => Native.prx_hierarchy_def_default();
    }
}
