using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    // Bodies of a scene and their contacts.
    public sealed unsafe partial class ProxelScene
    {
        /// <summary>Places a body, which keeps its mesh and its field; without a filter it is in group 1 and meets all.</summary>
        public PrxObject Add(PrxBody body, PrxBodyFilter? filter = null)
        {
            PrxBodyFilter among = filter.GetValueOrDefault();
            PrxObject made;
            Check(Native.prx_scene_add_body(Context.Raw, Raw, &body, filter.HasValue ? &among : null, &made));
            return made;
        }

        /// <summary>Gives an object another body: a mesh that was replaced, another field, scale or offset.</summary>
        public void SetBody(PrxObject which, PrxBody body, PrxBodyFilter? filter = null)
        {
            PrxBodyFilter among = filter.GetValueOrDefault();
            Check(Native.prx_scene_set_body(Context.Raw, Raw, which, &body, filter.HasValue ? &among : null));
        }

        /// <summary>Moves bodies to the poses of the same numbers: all, or none.</summary>
        public void MoveBodies(ReadOnlySpan<PrxObject> objects, ReadOnlySpan<PrxBodyPose> poses)
        {
            if (objects.Length != poses.Length)
                throw new ArgumentException(objects.Length + " objects cannot move to " + poses.Length + " poses");
            fixed (PrxObject* what = &MemoryMarshal.GetReference(objects))
            fixed (PrxBodyPose* where = &MemoryMarshal.GetReference(poses))
                Check(Native.prx_scene_move_bodies(Context.Raw, Raw, what, where, (ulong)objects.Length));
        }

        /// <summary>Pairs that are not to touch, in place of those named before.</summary>
        public void Exclude(ReadOnlySpan<PrxObjectPair> pairs)
        {
            fixed (PrxObjectPair* which = &MemoryMarshal.GetReference(pairs))
                Check(Native.prx_scene_exclude(Context.Raw, Raw, which, (ulong)pairs.Length));
        }

        /// <summary>Finds the contacts of all bodies. The lists below stay until the next answer.</summary>
        public PrxSceneContacts Contacts(PrxContactsDef? def = null)
        {
            PrxContactsDef asked = def.GetValueOrDefault();
            PrxSceneContacts found;
            Check(Native.prx_scene_contacts(Context.Raw, Raw, def.HasValue ? &asked : null, &found));
            return found;
        }

        /// <summary>The pairs of the last answer that touch or have just ended. True when they fit; <paramref name="count"/> is how many there are.</summary>
        public bool ContactPairs(Span<PrxContactPair> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxContactPair* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_contact_pairs(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The contacts of all pairs. True when they fit.</summary>
        public bool ContactPoints(Span<PrxContact> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxContact* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_contact_points(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>The patches of all pairs. True when they fit.</summary>
        public bool ContactPatches(Span<PrxPatch> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (PrxPatch* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_contact_patches(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Places in the contacts of the answer before that ended. True when they fit.</summary>
        public bool ContactsEnded(Span<uint> room, out int count)
        {
            ulong found = 0;
            PrxStatus status;
            fixed (uint* to = &MemoryMarshal.GetReference(room))
                status = Native.prx_scene_contacts_ended(Context.Raw, Raw, to, (ulong)room.Length, &found);
            count = (int)found;
            return Fits(status);
        }

        /// <summary>Sets PrxContact.user of all contacts of the last answer, in their order; those that go on keep it.</summary>
        public void SetUsers(ReadOnlySpan<ulong> users)
        {
            fixed (ulong* kept = &MemoryMarshal.GetReference(users))
                Check(Native.prx_scene_set_users(Context.Raw, Raw, kept, (ulong)users.Length));
        }
    }
}
