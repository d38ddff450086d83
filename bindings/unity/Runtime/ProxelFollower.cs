using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>Asks a pair again and again without waiting, for callers that cannot wait for the device.</summary>
    public sealed unsafe class ProxelFollower : ProxelObject
    {
        ProxelFollower(ProxelContext context, PrxFollower follower) : base(context, follower.id) { }

        /// <summary>Creates a follower; without defs, with the default ones.</summary>
        public static ProxelFollower Create(ProxelContext context, PrxProximityDef? proximity = null, PrxPenaltyDef? penalty = null)
        {
            PrxProximityDef near = proximity.GetValueOrDefault();
            PrxPenaltyDef force = penalty.GetValueOrDefault();
            PrxFollower follower;
            Call.Check(Native.prx_follower_create(context.Raw, proximity.HasValue ? &near : null, penalty.HasValue ? &force : null,
                                                  &follower), context);
            return new ProxelFollower(context, follower);
        }

        protected override bool ReleaseHandle()
        {
            return Native.prx_follower_destroy(Context.Raw, new PrxFollower { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>Asks for the contact of a pair as it is now, and returns the newest answer that is finished.</summary>
        public PrxFollowed Ask(ProxelField field, PrxPose fieldPose, ProxelMesh mesh, PrxPose meshPose)
        {
            return Ask(field, fieldPose, mesh, meshPose, ReadOnlySpan<Float3>.Empty);
        }

        /// <summary>The same with the velocity of each vertex in the mesh's own frame, beyond that of its pose.</summary>
        public PrxFollowed Ask(ProxelField field, PrxPose fieldPose, ProxelMesh mesh, PrxPose meshPose, ReadOnlySpan<Float3> velocities)
        {
            if (!velocities.IsEmpty && velocities.Length != mesh.VertexCount)
                throw new ArgumentException(velocities.Length + " velocities, but there are " + mesh.VertexCount + " vertices");
            PrxFollowDef def = PrxFollowDef.Default;
            PrxFollowed newest;
            fixed (Float3* velocity = &MemoryMarshal.GetReference(velocities))
            {
                def.velocities = (IntPtr)velocity;
                Check(Native.prx_follower_ask(Context.Raw, new PrxFollower { id = Id }, field.Raw, &fieldPose, mesh.Raw, &meshPose, &def, &newest));
            }
            GC.KeepAlive(field);
            GC.KeepAlive(mesh);
            return newest;
        }
    }
}
