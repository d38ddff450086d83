using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>Follows the nearest triangles of two meshes from step to step, within a budget.</summary>
    public sealed unsafe class ProxelTracker : ProxelObject
    {
        ProxelTracker(ProxelContext context, PrxTracker tracker) : base(context, tracker.id) { }

        /// <summary>Creates a tracker, which keeps both meshes.</summary>
        public static ProxelTracker Create(ProxelMesh a, ProxelMesh b, PrxTrackerDef? def = null)
        {
            PrxTrackerDef asked = def.GetValueOrDefault();
            PrxTracker tracker;
            a.Check(Native.prx_tracker_create(a.Context.Raw, a.Raw, b.Raw, def.HasValue ? &asked : null, &tracker));
            GC.KeepAlive(b);
            return new ProxelTracker(a.Context, tracker);
        }

        PrxTracker Raw => new PrxTracker { id = Id };

        protected override bool ReleaseHandle()
        {
            return Native.prx_tracker_destroy(Context.Raw, new PrxTracker { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>Follows both meshes to where they are now, and spends what is left of the budget on certainty.</summary>
        public PrxTracked Step(PrxPose poseA, PrxPose poseB, PrxBudget budget)
        {
            PrxTracked tracked;
            Check(Native.prx_tracker_step(Context.Raw, Raw, &poseA, &poseB, budget, &tracked));
            return tracked;
        }

        /// <summary>The active pairs, nearest first. True when they fit; <paramref name="count"/> is how many there are.</summary>
        public bool Pairs(Span<PrxActivePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxActivePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_tracker_pairs(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>What collides after the last step, in all regions around active pairs. True when it fits; <paramref name="count"/> is how many there are.</summary>
        public bool Collisions(Span<PrxActivePair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxActivePair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_tracker_collisions(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }
    }
}
