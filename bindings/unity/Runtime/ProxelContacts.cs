using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    // Contacts of two bodies: at once, and in a batch.
    public sealed unsafe partial class ProxelContext
    {
        /// <summary>
        /// The points where two bodies touch or are near, as a solver takes them; <paramref name="previous"/> are those of the last step. At
        /// least one of the bodies has a field where the other has a mesh. True when they fit; <paramref name="count"/> is how many there are.
        /// </summary>
        public bool Contacts(PrxBody a, PrxBody b, ReadOnlySpan<PrxContact> previous, Span<PrxContact> room, out int count, out PrxManifold manifold,
                             PrxContactsDef? def = null)
        {
            PrxContactsDef asked = def.GetValueOrDefault();
            PrxManifold together;
            ulong found = 0;
            PrxStatus status;
            fixed (PrxContact* old = &MemoryMarshal.GetReference(previous))
            fixed (PrxContact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_body_contacts(handle, &a, &b, def.HasValue ? &asked : null, old, (uint)previous.Length, &together, to,
                                                  (ulong)room.Length, &found);
            count = (int)found;
            manifold = together;
            return Call.Fits(status, this);
        }

        /// <summary>
        /// Static friction at a patch of two bodies, as a spring that slips at its limit; <paramref name="grip"/> follows. Begin with
        /// default(PrxGrip).
        /// </summary>
        public static PrxPatchFriction PatchFriction(PrxBody a, PrxBody b, PrxPatch patch, PrxFrictionDef def, ref PrxGrip grip)
        {
            PrxPatchFriction friction;
            fixed (PrxGrip* held = &grip) Call.Check(Native.prx_patch_friction(&a, &b, &patch, &def, held, &friction));
            return friction;
        }
    }

    public sealed unsafe partial class ProxelBatch
    {
        /// <summary>Records the contacts of two bodies; <paramref name="previous"/>, those of the last step, is copied.</summary>
        public PrxTicket Contacts(PrxBody a, PrxBody b, ReadOnlySpan<PrxContact> previous, PrxContactsDef? def = null)
        {
            PrxContactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            fixed (PrxContact* old = &MemoryMarshal.GetReference(previous))
                return Recorded(Native.prx_batch_contacts(Raw, &a, &b, def.HasValue ? &asked : null, old, (uint)previous.Length, &ticket), ticket, null);
        }

        /// <summary>The contacts of <see cref="Contacts"/>, patch by patch. True when they fit; <paramref name="count"/> is how many there are.</summary>
        public bool ContactsResult(PrxTicket ticket, Span<PrxContact> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxContact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_contacts_result(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Their patches, the deepest first. True when they fit.</summary>
        public bool ContactPatches(PrxTicket ticket, Span<PrxPatch> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxPatch* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_contacts_patches(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Places in the previous contacts of those that ended. True when they fit.</summary>
        public bool ContactsEnded(PrxTicket ticket, Span<uint> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (uint* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_batch_contacts_ended(Raw, ticket, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>What is known of them together.</summary>
        public PrxManifold ContactsManifold(PrxTicket ticket)
        {
            PrxManifold manifold;
            Check(Native.prx_batch_contacts_manifold(Raw, ticket, &manifold));
            return manifold;
        }

        /// <summary>Records the contacts of all bodies of a scene.</summary>
        public PrxTicket SceneContacts(ProxelScene scene, PrxContactsDef? def = null)
        {
            PrxContactsDef asked = def.GetValueOrDefault();
            PrxTicket ticket;
            return Recorded(Native.prx_batch_scene_contacts(Raw, scene.Raw, def.HasValue ? &asked : null, &ticket), ticket, scene);
        }

        /// <summary>
        /// The answer of <see cref="SceneContacts"/>, which is the scene's last one from then on: its lists are read there. Answers of a scene are
        /// read in the order in which they were submitted.
        /// </summary>
        public PrxSceneContacts SceneContactsResult(PrxTicket ticket)
        {
            PrxSceneContacts found;
            Check(Native.prx_batch_scene_contacts_result(Raw, ticket, &found));
            return found;
        }
    }
}
