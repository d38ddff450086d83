// Generated from include/proxel.h by tests/repository/csharp.rs: change those.
namespace Proxel
{
    /// <summary>The numbers that proxel.h defines.</summary>
    public static class Prx
    {
        /// <summary>The most points, pairs, objects, bodies, meshes or numbers that one call takes: a greater count is refused before anything is read.</summary>
        public const uint MaxCount = 67108864;
        /// <summary>The library's major version.</summary>
        public const uint VersionMajor = 0;
        /// <summary>The library's minor version.</summary>
        public const uint VersionMinor = 1;
        /// <summary>The library's patch version.</summary>
        public const uint VersionPatch = 0;
        /// <summary>The ABI's version: programs and libraries of the same number fit together. It is in the soname too.</summary>
        public const uint AbiVersion = 1;
        /// <summary>For prx_context_warm_up: prx_batch_bounds and prx_batch_clusters.</summary>
        public const uint WarmUpBounds = 1;
        /// <summary>For prx_context_warm_up: prx_batch_sample.</summary>
        public const uint WarmUpSample = 2;
        /// <summary>For prx_context_warm_up: prx_batch_contacts, prx_batch_soft_contacts and prx_batch_scene_contacts.</summary>
        public const uint WarmUpContacts = 4;
        /// <summary>For prx_context_warm_up: prx_batch_proximity.</summary>
        public const uint WarmUpProximity = 8;
        /// <summary>For prx_context_warm_up: prx_batch_penalty.</summary>
        public const uint WarmUpPenalty = 16;
        /// <summary>For prx_context_warm_up: prx_batch_overlap.</summary>
        public const uint WarmUpOverlap = 32;
        /// <summary>For prx_context_warm_up: intersection volumes and gradients, containment, layers and self-overlaps.</summary>
        public const uint WarmUpVolume = 64;
        /// <summary>For prx_context_warm_up: prx_batch_rebake.</summary>
        public const uint WarmUpRebake = 128;
        /// <summary>For prx_context_warm_up: all of them.</summary>
        public const uint WarmUpAll = 255;
        /// <summary>The positions may change: prx_mesh_update is allowed, and an engine's buffer is read anew by every batch.</summary>
        public const uint MeshDeforming = 1;
        /// <summary>In PrxSubmitDef.flags: takes the time of each query, for prx_batch_timings. PRX_STATUS_UNSUPPORTED where the queue has no timestamps (timestampValidBits 0).</summary>
        public const uint SubmitTimings = 1;
        /// <summary>The host reads the answer too, by ticket, as without an output.</summary>
        public const uint OutputRead = 1;
        /// <summary>In PrxOutputHead.status: there are more records than room.</summary>
        public const uint OutputCut = 1;
        /// <summary>In PrxOutputHead.status: the query ran out of its own room (budget, memory, room at recording), so that not all records were found.</summary>
        public const uint OutputIncomplete = 2;
        /// <summary>The meshes are known to be closed: triangles beyond the volume of interest are left out, and flaws are not looked for.</summary>
        public const uint LdiTrusted = 1;
        /// <summary>Points near the surface are decided exactly, on the CPU; for prx_mesh_contains.</summary>
        public const uint LdiExact = 2;
        /// <summary>`lower` and `upper` of a volume are narrowed by integrating the triangles of both meshes: ten to thirty times with 128 by 128 rays, for two to five times the work. For meshes that wind around what they enclose once.</summary>
        public const uint LdiNarrow = 4;
        /// <summary>For containment in a mesh without PRX_MESH_DEFORMING: prx_mesh_contains keeps the image with the mesh, in the mesh's own frame, and uses it again in any pose; one image per mesh, that of the last def. prx_batch_contains uses it where there is one that was made by the same def. Rays run along axes of the mesh then.</summary>
        public const uint LdiKept = 8;
        /// <summary>A point is inside.</summary>
        public const uint ContainmentInside = 1;
        /// <summary>The surface comes so near to a point that it may be on the other side; never set for points farther away than two pixels across the rays and as much along them as the surface rises over that.</summary>
        public const uint ContainmentNear = 2;
        /// <summary>No triangle or vertex.</summary>
        public const uint NoIndex = uint.MaxValue;
        /// <summary>Look along the world's x axis.</summary>
        public const uint ViewX = 1;
        /// <summary>Look along the world's y axis.</summary>
        public const uint ViewY = 2;
        /// <summary>Look along the world's z axis.</summary>
        public const uint ViewZ = 4;
    }

    /// <summary>What a call returns. Zero is success; numbers are never reused.</summary>
    public enum PrxStatus : uint
    {
        /// <summary>The call did what it says.</summary>
        Ok = 0,
        /// <summary>An argument that no device could accept.</summary>
        InvalidArgument = 1,
        /// <summary>A null, stale, foreign or mistyped handle or id.</summary>
        InvalidHandle = 2,
        /// <summary>A struct whose `size` this library does not know: fill it by its `_default` function.</summary>
        StructSize = 3,
        /// <summary>An output array that is too small; the count needed was written.</summary>
        BufferTooSmall = 4,
        /// <summary>A call that does not fit the object's state, such as reading a batch in flight.</summary>
        WrongState = 5,
        /// <summary>Something that this device does not offer.</summary>
        Unsupported = 6,
        /// <summary>No Vulkan loader on this machine.</summary>
        NoVulkan = 7,
        /// <summary>No Vulkan device that fits.</summary>
        NoDevice = 8,
        /// <summary>The device has no room: the message says how much was asked.</summary>
        OutOfDeviceMemory = 9,
        /// <summary>The host has no room.</summary>
        OutOfHostMemory = 10,
        /// <summary>The device was lost. Destroy the context; every other call on it returns this too.</summary>
        DeviceLost = 11,
        /// <summary>The time limit passed first; the work goes on.</summary>
        Timeout = 12,
        /// <summary>A Vulkan call failed: the message names it.</summary>
        Vulkan = 13,
        /// <summary>A bug in Proxel, caught at the boundary. The context stays usable.</summary>
        Internal = 14,
        /// <summary>The caller stopped the work.</summary>
        Cancelled = 15,
    }

    /// <summary>How much a message matters.</summary>
    public enum PrxSeverity : uint
    {
        /// <summary>Details for someone who looks for a fault.</summary>
        Debug = 0,
        /// <summary>What was chosen and why.</summary>
        Info = 1,
        /// <summary>Something the caller should fix.</summary>
        Warning = 2,
        /// <summary>Something that failed.</summary>
        Error = 3,
    }

    /// <summary>What a context runs on.</summary>
    public enum PrxDevice : uint
    {
        /// <summary>A Vulkan device. Where there is no loader, no driver or no device, and the def names none: the host; `log` gets the reason.</summary>
        Auto = 0,
        /// <summary>A Vulkan device, or none.</summary>
        Vulkan = 1,
        /// <summary>The host: native code on the CPU threads of the context, without any Vulkan library. What is about drawing or about an engine's VkBuffer answers PRX_STATUS_UNSUPPORTED.</summary>
        Host = 2,
    }

    /// <summary>What to do with an optional feature.</summary>
    public enum PrxChoice : uint
    {
        /// <summary>Take it where the device has it.</summary>
        Auto = 0,
        /// <summary>Do without it.</summary>
        Off = 1,
        /// <summary>Refuse a device that lacks it.</summary>
        Require = 2,
    }

    /// <summary>The state of an optional feature.</summary>
    public enum PrxFeatureState : uint
    {
        /// <summary>The device lacks it: the other path is taken.</summary>
        Unavailable = 0,
        /// <summary>The device has it, the def turned it off: the other path is taken.</summary>
        Off = 1,
        /// <summary>The device has it and it is used.</summary>
        On = 2,
    }

    /// <summary>How the surface of a mesh is sampled against a field. All answer the same question, each with its own certificate.</summary>
    public enum PrxSamplingPath : uint
    {
        /// <summary>The fastest on this device.</summary>
        Auto = 0,
        /// <summary>Compute kernels: clusters and triangles that cannot matter are culled by the distance at their middle, and what is left is sampled by equal small triangles.</summary>
        Compute = 1,
        /// <summary>The mesh is drawn in three views along the axes of the field's frame, one after the other; each triangle is rasterised along the axis that it faces most. For comparison, as all that draw.</summary>
        ThreePass = 2,
        /// <summary>The mesh is drawn once, and a geometry shader chooses each triangle's view. PRX_STATUS_UNSUPPORTED where the device has none, or it is off.</summary>
        GeometryShader = 3,
        /// <summary>Compute kernels cull, sort the rest by their views, and draw only that.</summary>
        Binned = 4,
    }

    /// <summary>What kind of device it is.</summary>
    public enum PrxDeviceType : uint
    {
        /// <summary>Something else.</summary>
        Other = 0,
        /// <summary>A GPU that shares the host's memory.</summary>
        IntegratedGpu = 1,
        /// <summary>A GPU with memory of its own.</summary>
        DiscreteGpu = 2,
        /// <summary>A GPU inside a virtual machine.</summary>
        VirtualGpu = 3,
        /// <summary>A software device.</summary>
        Cpu = 4,
        /// <summary>No Vulkan device: native code on the host.</summary>
        Host = 5,
    }

    /// <summary>How indices are stored.</summary>
    public enum PrxIndexType : uint
    {
        /// <summary>16 bits each.</summary>
        U16 = 0,
        /// <summary>32 bits each.</summary>
        U32 = 1,
    }

    /// <summary>How positions are stored.</summary>
    public enum PrxPositionFormat : uint
    {
        /// <summary>Three floats each.</summary>
        F32 = 0,
        /// <summary>Three doubles each. Exact queries decide on them; queries of the device take them rounded to floats, and their intervals have room for it. A coordinate of less than 1e-28 counts as 0.</summary>
        F64 = 1,
    }

    /// <summary>How the facts of a mesh identify vertices.</summary>
    public enum PrxVertices : uint
    {
        /// <summary>By index.</summary>
        Indexed = 0,
        /// <summary>By exactly equal position too, for meshes with split vertices.</summary>
        Welded = 1,
    }

    /// <summary>What a time was measured by.</summary>
    public enum PrxClock : uint
    {
        /// <summary>Timestamps of the device.</summary>
        Device = 0,
        /// <summary>The host's clock.</summary>
        Host = 1,
    }

    /// <summary>What a field stores.</summary>
    public enum PrxStorage : uint
    {
        /// <summary>Distances; directions come from their gradient.</summary>
        Distance = 0,
        /// <summary>Distances, and directions to the closest point.</summary>
        Direction = 1,
        /// <summary>Distances in bricks near the surface, over a coarse grid everywhere.</summary>
        Sparse = 2,
    }

    /// <summary>How a field stores a number.</summary>
    public enum PrxPrecision : uint
    {
        /// <summary>32-bit floats.</summary>
        F32 = 0,
        /// <summary>16-bit floats; the error bound covers their rounding.</summary>
        F16 = 1,
    }

    /// <summary>How inside and outside are distinguished.</summary>
    public enum PrxSign : uint
    {
        /// <summary>By pseudonormals if the mesh is closed, manifold and oriented, else by winding numbers.</summary>
        Auto = 0,
        /// <summary>By angle-weighted pseudonormals; a mesh for which they mean nothing is refused.</summary>
        Pseudonormal = 1,
        /// <summary>By the generalised winding number: inside is where the mesh winds around a point half a time or more.</summary>
        Winding = 2,
        /// <summary>It came with the samples.</summary>
        Given = 3,
    }

    /// <summary>The shapes that have a closed-form distance, each around the origin.</summary>
    public enum PrxShapeKind : uint
    {
        /// <summary>`radius`.</summary>
        Sphere = 0,
        /// <summary>`half_size`.</summary>
        Box = 1,
        /// <summary>`radius` around the segment of the y axis from -`half_height` to `half_height`.</summary>
        Capsule = 2,
        /// <summary>A tube of `radius` around the circle of `major_radius` in the xz plane.</summary>
        Torus = 3,
        /// <summary>The half-space y &lt; 0, in a domain of `half_size`.</summary>
        Plane = 4,
    }

    /// <summary>What of the surfaces is tried.</summary>
    public enum PrxContactSampling : uint
    {
        /// <summary>Vertices, and the minima on edges and in faces: a box of twelve triangles is as good as one of thousands.</summary>
        All = 0,
        /// <summary>Vertices only.</summary>
        Vertices = 1,
        /// <summary>Vertices and the centres of edges.</summary>
        EdgeCenters = 2,
    }

    /// <summary>What a contact lies on.</summary>
    public enum PrxContactFeature : uint
    {
        /// <summary>A vertex.</summary>
        Vertex = 0,
        /// <summary>An edge.</summary>
        Edge = 1,
        /// <summary>The inside of a face.</summary>
        Face = 2,
    }

    /// <summary>Which way the rays of a layered depth image run.</summary>
    public enum PrxRays : uint
    {
        /// <summary>Along the axis of the world on which they are shortest.</summary>
        Best = 0,
        /// <summary>Along x.</summary>
        X = 1,
        /// <summary>Along y.</summary>
        Y = 2,
        /// <summary>Along z.</summary>
        Z = 3,
        /// <summary>Along all three, for volumes: estimates are averaged, and the certificate is what all three allow.</summary>
        All = 4,
    }

    /// <summary>How the crossings of rays and triangles are found. The answers have the same bits.</summary>
    public enum PrxGenerator : uint
    {
        /// <summary>Kernels scan triangles.</summary>
        Compute = 0,
        /// <summary>Fragments of one pass write lists; for devices with fragmentStoresAndAtomics. For comparison.</summary>
        Lists = 1,
        /// <summary>One pass per layer, which the stencil selects; for fewer than 64 layers. For comparison.</summary>
        Stencil = 2,
    }

    /// <summary>How the distance of two meshes is found. The answer is the same up to rounding: where several triangles share the closest points, the pair that is measured, and with it the last digits of the distance and the triangles named, can differ.</summary>
    public enum PrxDistanceMethod : uint
    {
        /// <summary>The fastest that always works.</summary>
        Auto = 0,
        /// <summary>Branch and bound over the hierarchies of both meshes.</summary>
        Hierarchy = 1,
        /// <summary>Bounds from the convex hulls, then a spatial hash aligned with the margin between them (Gissler et al.), with nothing built beforehand. When the hulls overlap it goes on by hierarchy. For comparison.</summary>
        MarginHash = 2,
    }

    /// <summary>What is made of two closed meshes.</summary>
    public enum PrxBooleanOperation : uint
    {
        /// <summary>What both have.</summary>
        Intersection = 0,
        /// <summary>What `a` or `b` has.</summary>
        Union = 1,
        /// <summary>What `a` has and `b` has not.</summary>
        Difference = 2,
    }

    /// <summary>What meets first in a sweep.</summary>
    public enum PrxImpactKind : uint
    {
        /// <summary>Nothing.</summary>
        None = 0,
        /// <summary>Two triangles that intersect already at time 0: `feature_a[0]` of `a` and `feature_b[0]` of `b`.</summary>
        Start = 1,
        /// <summary>Vertex `feature_a[0]` of `a` and triangle `feature_b[0]` of `b`.</summary>
        VertexFace = 2,
        /// <summary>Triangle `feature_a[0]` of `a` and vertex `feature_b[0]` of `b`.</summary>
        FaceVertex = 3,
        /// <summary>The edge between the vertices feature_a of `a`, and that between the vertices feature_b of `b`.</summary>
        EdgeEdge = 4,
    }

    /// <summary>Which part of a feature a nearest point is on. That of a lone vertex is always PRX_NEAR_REGION_VERTEX0, and an edge has PRX_NEAR_REGION_VERTEX0, PRX_NEAR_REGION_VERTEX1 and PRX_NEAR_REGION_EDGE01.</summary>
    public enum PrxNearRegion : uint
    {
        /// <summary>The first corner.</summary>
        Vertex0 = 0,
        /// <summary>The second corner.</summary>
        Vertex1 = 1,
        /// <summary>The third corner.</summary>
        Vertex2 = 2,
        /// <summary>Between the first and the second corner.</summary>
        Edge01 = 3,
        /// <summary>Between the second and the third corner.</summary>
        Edge12 = 4,
        /// <summary>Between the third and the first corner.</summary>
        Edge20 = 5,
        /// <summary>Inside of the face.</summary>
        Face = 6,
    }

    /// <summary>Which vertices of near pairs are meant.</summary>
    public enum PrxNearSide : uint
    {
        /// <summary>Those of `a`.</summary>
        A = 0,
        /// <summary>Those of `b`.</summary>
        B = 1,
        /// <summary>All, of a list of a mesh with itself.</summary>
        Both = 2,
    }

    /// <summary>What became of a pair since the answer before.</summary>
    public enum PrxPairEvent : uint
    {
        /// <summary>It has contacts and had none.</summary>
        Began = 0,
        /// <summary>It has contacts and had some.</summary>
        Persists = 1,
        /// <summary>It had contacts and has none, or one of its bodies was removed. It is reported once.</summary>
        Ended = 2,
    }

    /// <summary>How pairs that cannot intersect are culled. The answer is the same, except with PRX_CULL_PATH_UNFATTENED.</summary>
    public enum PrxCullMethod : uint
    {
        /// <summary>The fastest on this device.</summary>
        Auto = 0,
        /// <summary>Bounding-volume hierarchies on the CPU.</summary>
        Hierarchy = 1,
        /// <summary>What is visible among the others, on the device (FAR; Govindaraju, Lin and Manocha 2004).</summary>
        Visibility = 2,
        /// <summary>Nothing is culled: every pair is tested. For comparison.</summary>
        None = 3,
    }

    /// <summary>How visibility draws triangles.</summary>
    public enum PrxCullPath : uint
    {
        /// <summary>Fattened to oriented boxes. Misses nothing.</summary>
        Boxes = 0,
        /// <summary>As rectangles on the screen, by VK_EXT_conservative_rasterization where the device has it. Misses nothing.</summary>
        Conservative = 1,
        /// <summary>As they are (CULLIDE 2003). Misses collisions: for comparison only.</summary>
        Unfattened = 2,
        /// <summary>As the exact offset: balls, cylinders and two shifted triangles, found in every pixel. Misses nothing, and rules out most.</summary>
        ExactOffset = 3,
        /// <summary>As the bounded offset: a box along each edge and two shifted triangles, found in every pixel. Misses nothing.</summary>
        BoundedOffset = 4,
    }

    /// <summary>How visibility stores depths.</summary>
    public enum PrxDepthFormat : uint
    {
        /// <summary>16 bits, on every device.</summary>
        D16 = 0,
        /// <summary>24 bits.</summary>
        D24 = 1,
        /// <summary>32-bit floats, on every device.</summary>
        F32 = 2,
    }

    /// <summary>What bounds the triangles of a node.</summary>
    public enum PrxBoundingVolume : uint
    {
        /// <summary>Boxes along the axes.</summary>
        Box = 0,
        /// <summary>Polytopes of 18 sides.</summary>
        Dop18 = 1,
    }

    /// <summary>How a hierarchy follows its mesh.</summary>
    public enum PrxRefitOrder : uint
    {
        /// <summary>All volumes at once, from the leaves to the root.</summary>
        BottomUp = 0,
        /// <summary>Each volume when a query comes to it.</summary>
        TopDown = 1,
        /// <summary>The upper half of the levels at once, the others when a query comes to them.</summary>
        Hybrid = 2,
    }

    /// <summary>What an update did.</summary>
    public enum PrxHierarchyChange : uint
    {
        /// <summary>Nothing: the margin covers all motion.</summary>
        Nothing = 0,
        /// <summary>Volumes were fitted, or marked to be.</summary>
        Refitted = 1,
        /// <summary>The hierarchy was built anew; morph targets and displacement fields are forgotten.</summary>
        Rebuilt = 2,
    }
}
