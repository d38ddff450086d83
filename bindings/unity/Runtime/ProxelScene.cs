using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>Objects and their places: many meshes, or one mesh in many places.</summary>
    public sealed unsafe partial class ProxelScene : ProxelObject
    {
        ProxelScene(ProxelContext context, PrxScene scene) : base(context, scene.id) { }

        /// <summary>Creates an empty scene.</summary>
        public static ProxelScene Create(ProxelContext context)
        {
            PrxScene scene;
            Call.Check(Native.prx_scene_create(context.Raw, &scene), context);
            return new ProxelScene(context, scene);
        }

        internal PrxScene Raw => new PrxScene { id = Id };

        protected override bool ReleaseHandle()
        {
            return Native.prx_scene_destroy(Context.Raw, new PrxScene { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>Places a mesh. The object keeps it.</summary>
        public PrxObject Add(ProxelMesh mesh, PrxPose pose)
        {
            PrxObject made;
            Check(Native.prx_scene_add(Context.Raw, Raw, mesh.Raw, &pose, &made));
            GC.KeepAlive(mesh);
            return made;
        }

        /// <summary>Moves objects to the poses of the same numbers: all, or none.</summary>
        public void Move(ReadOnlySpan<PrxObject> objects, ReadOnlySpan<PrxPose> poses)
        {
            if (objects.Length != poses.Length)
                throw new ArgumentException(objects.Length + " objects cannot move to " + poses.Length + " poses");
            fixed (PrxObject* what = &MemoryMarshal.GetReference(objects))
            fixed (PrxPose* where = &MemoryMarshal.GetReference(poses))
                Check(Native.prx_scene_move(Context.Raw, Raw, what, where, (ulong)objects.Length));
        }

        /// <summary>Takes an object out.</summary>
        public void Remove(PrxObject which) => Check(Native.prx_scene_remove(Context.Raw, Raw, which));

        /// <summary>
        /// All pairs of objects whose boxes are at most <paramref name="distance"/> apart. True when they fit into
        /// <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool ObjectPairs(double distance, Span<PrxObjectPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxObjectPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_object_pairs(Context.Raw, Raw, distance, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>All pairs of triangles of two different objects that are at most that far apart.</summary>
        public bool Pairs(double distance, Span<PrxScenePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxScenePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_pairs(Context.Raw, Raw, distance, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The same with a choice of how pairs are culled; with visibility no hierarchy is built.</summary>
        public bool PairsCulled(double distance, PrxCullDef def, Span<PrxScenePair> room, out int count, out PrxCullStats stats)
        {
            ulong found = 0;
            PrxCullStats culled;
            PrxStatus status;
            fixed (PrxScenePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_pairs_culled(Context.Raw, Raw, distance, &def, to, (ulong)room.Length, &found, &culled);
            count = (int)found;
            stats = culled;
            return Fits(status);
        }

        /// <summary>All pairs of objects that are at most that far apart, decided exactly on their triangles.</summary>
        public bool Colliding(double distance, Span<PrxObjectPair> room, out int count, out PrxCullStats stats, PrxCullDef? def = null)
        {
            ulong found = 0;
            PrxCullDef asked = def.GetValueOrDefault();
            PrxCullStats culled;
            PrxStatus status;
            fixed (PrxObjectPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_colliding(Context.Raw, Raw, distance, def.HasValue ? &asked : null, to, (ulong)room.Length,
                                                    &found, &culled);
            count = (int)found;
            stats = culled;
            return Fits(status);
        }

        /// <summary>Where an object goes in a step, by its pose alone.</summary>
        public static PrxObjectMove MoveTo(PrxObject which, PrxPose pose) => new PrxObjectMove { @object = which, pose = pose };

        /// <summary>
        /// The same for an object that deforms: <paramref name="end"/> has its triangles, with the positions at the end of the step. Keep it
        /// until the step was asked about.
        /// </summary>
        public static PrxObjectMove MoveTo(PrxObject which, PrxPose pose, ProxelMesh end)
        {
            return new PrxObjectMove { @object = which, mesh = end.Raw, pose = pose };
        }

        /// <summary>
        /// All vertices and faces, and edges, of two objects, or of one that deforms, that meet in a step. True when they fit into
        /// <paramref name="room"/>; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool Impacts(ReadOnlySpan<PrxObjectMove> moves, Span<PrxSceneImpact> room, out int count, PrxImpactsDef? def = null)
        {
            ulong found = 0;
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxStatus status;
            fixed (PrxObjectMove* what = &MemoryMarshal.GetReference(moves))
            fixed (PrxSceneImpact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_impacts(Context.Raw, Raw, what, (ulong)moves.Length, def.HasValue ? &asked : null, to,
                                                  (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The earliest of them; of kind None, at time 1, without one.</summary>
        public PrxSceneImpact FirstImpact(ReadOnlySpan<PrxObjectMove> moves, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            PrxSceneImpact impact;
            fixed (PrxObjectMove* what = &MemoryMarshal.GetReference(moves))
                Check(Native.prx_scene_first_impact(Context.Raw, Raw, what, (ulong)moves.Length, def.HasValue ? &asked : null, &impact));
            return impact;
        }

        /// <summary>The largest part of a step, from 0 to 1, that is proved to be free of impacts.</summary>
        public double FreeStep(ReadOnlySpan<PrxObjectMove> moves, PrxImpactsDef? def = null)
        {
            PrxImpactsDef asked = def.GetValueOrDefault();
            double step;
            fixed (PrxObjectMove* what = &MemoryMarshal.GetReference(moves))
                Check(Native.prx_scene_free_step(Context.Raw, Raw, what, (ulong)moves.Length, def.HasValue ? &asked : null, &step));
            return step;
        }
    }
}
