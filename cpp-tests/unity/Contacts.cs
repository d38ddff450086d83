using System;
using Proxel;

/// <summary>Contacts through the C# layer: a small cube that reaches 0.005 into the side of a large one touches it with four corners.</summary>
static class Contacts
{
    const double depth = 0.005;
    static ProxelContext context;
    static PrxBody still, moving;
    static PrxContactsDef def;

    static int Main()
    {
        using (context = Device.Open())
        using (ProxelMesh large = Shapes.Cube(context, 1), small = Shapes.Cube(context, 0.5f))
        using (ProxelField field = ProxelField.Bake(large))
        {
            Check.True(field.Wait(), "a bake without a limit ends");
            still = large.Body();
            still.field = field.Body().field;
            moving = small.Body();
            moving.position.x = 1.5 - depth;
            def = PrxContactsDef.Default;
            def.distance = 0.01f;
            OfAPair();
            InABatch();
            Friction();
            OfAScene();
            InABatchOfAScene();
        }
        return Check.Finish();
    }

    static void Corners(ReadOnlySpan<PrxContact> contacts)
    {
        foreach (PrxContact contact in contacts)
        {
            Check.Near(contact.separation, -depth, 1e-3, "how deep");
            Check.Near(contact.normal.x, 1, 1e-3, "out of the large cube");
            Check.Near(contact.worldB.x, 1 - depth, 1e-4, "on the side of the small one");
            Check.Near(Math.Abs(contact.worldB.y), 0.5, 1e-4, "at its corner");
            Check.Near(Math.Abs(contact.worldB.z), 0.5, 1e-4, "at its corner");
        }
    }

    static void OfAPair()
    {
        var contacts = new PrxContact[4];
        int count;
        PrxManifold manifold;
        Check.True(!context.Contacts(still, moving, default(ReadOnlySpan<PrxContact>), default(Span<PrxContact>), out count, out manifold, def) && count == 4,
                   "no room, and how much is needed");
        Check.True(context.Contacts(still, moving, default(ReadOnlySpan<PrxContact>), contacts, out count, out manifold, def) && count == 4, "four corners");
        Check.Equal(manifold.contacts, 4u, "in the manifold");
        Corners(contacts);
        for (int i = 0; i < 4; ++i) contacts[i].user = (ulong)(7 + i);
        var next = new PrxContact[4];
        Check.True(context.Contacts(still, moving, contacts, next, out count, out manifold, def) && count == 4, "and again");
        foreach (PrxContact contact in next) Check.Equal(contact.user, (ulong)(7 + contact.previous), "a contact that goes on keeps what was set");
        Check.Refused(PrxStatus.InvalidArgument, "neither a mesh nor a field", () => context.Contacts(PrxBody.Default, moving, default(ReadOnlySpan<PrxContact>), contacts, out count, out manifold, def), "a body of nothing");
    }

    static void InABatch()
    {
        var contacts = new PrxContact[4];
        var patches = new PrxPatch[4];
        var ended = new uint[4];
        int count;
        PrxBody away = moving;
        away.position.x = 5;
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            PrxTicket first = batch.Contacts(still, moving, default(ReadOnlySpan<PrxContact>), def);
            batch.Submit();
            batch.Wait();
            Check.True(batch.ContactsResult(first, contacts, out count) && count == 4, "contacts of a batch");
            Corners(contacts);
            Check.True(batch.ContactPatches(first, patches, out count) && count == 1, "one patch");
            Check.Near(patches[0].normal.x, 1, 1e-3, "its normal");
            Check.Near(patches[0].center.x, 1, 2 * depth, "its centre");
            batch.Reset();
            PrxTicket gone = batch.Contacts(still, away, contacts, def);
            batch.Submit();
            batch.Wait();
            Check.Equal(batch.ContactsManifold(gone).ended, 4u, "all have ended");
            Check.True(batch.ContactsEnded(gone, ended, out count) && count == 4, "and are named");
            Array.Sort(ended);
            for (uint i = 0; i < 4; ++i) Check.Equal(ended[i], i, "by their places");
        }
    }

    static void Friction()
    {
        // Pressed by 2 and dragged along by 0.1: below the limit of half of what presses, so it sticks.
        var patch = new PrxPatch { normal = new Float3(1, 0, 0), tangent = new Float3(0, 1, 0), area = 1 };
        patch.center.x = 1;
        patch.moments.x = patch.moments.y = 1.0f / 12;
        PrxFrictionDef law = PrxFrictionDef.Default;
        law.coefficient = 0.5f;
        law.normalForce = 2;
        var grip = default(PrxGrip);
        ProxelContext.PatchFriction(still, moving, patch, law, ref grip);
        PrxBody dragged = moving;
        dragged.position.y += 0.1;
        PrxPatchFriction held = ProxelContext.PatchFriction(still, dragged, patch, law, ref grip);
        Check.Near(Math.Abs(held.force.y), 0.1 * law.stiffness, 1e-3, "a spring along the patch");
        Check.Near(held.force.x, 0, 1e-6, "and not across");
    }

    static void OfAScene()
    {
        var pairs = new PrxContactPair[1];
        var contacts = new PrxContact[4];
        int count;
        using (ProxelScene scene = ProxelScene.Create(context))
        {
            PrxObject one = scene.Add(still, new PrxBodyFilter { group = 1, mask = 2 }), other = scene.Add(moving, new PrxBodyFilter { group = 2, mask = 1 });
            Check.Equal(scene.Contacts(def).contacts, 4ul, "four corners");
            Check.True(scene.ContactPairs(pairs, out count) && count == 1, "of one pair");
            Check.True(pairs[0].objectA.id == one.id && pairs[0].objectB.id == other.id, "of these two");
            Check.Equal(pairs[0].@event, PrxPairEvent.Began, "which begins to touch");
            Check.True(scene.ContactPoints(contacts, out count) && count == 4, "the points");
            Corners(contacts);
            Check.True(scene.ContactPatches(new PrxPatch[1], out count) && count == 1, "in one patch");
            scene.SetUsers(new ulong[] { 11, 12, 13, 14 });
            Check.Equal(scene.Contacts(def).contacts, 4ul, "and again");
            scene.ContactPoints(contacts, out count);
            foreach (PrxContact contact in contacts) Check.Equal(contact.user, (ulong)(11 + contact.previous), "what was set is kept");

            scene.Exclude(new[] { new PrxObjectPair { first = one, second = other } });
            Check.Equal(scene.Contacts(def).contacts, 0ul, "none of a pair that is left out");
            scene.Exclude(default(ReadOnlySpan<PrxObjectPair>));
            scene.SetBody(other, moving, new PrxBodyFilter { group = 2, mask = 4 });
            Check.Equal(scene.Contacts(def).contacts, 0ul, "none that a mask leaves out");
            scene.SetBody(other, moving);
            Check.Equal(scene.Contacts(def).contacts, 0ul, "nor one that the other's leaves out");
            scene.SetBody(one, still);
            Check.Equal(scene.Contacts(def).contacts, 4ul, "and of all groups again");

            var away = new PrxBodyPose { rotation = moving.rotation };
            away.position.x = 5;
            scene.MoveBodies(new[] { other }, new[] { away });
            PrxSceneContacts last = scene.Contacts(def);
            Check.True(last.contacts == 0 && last.ended == 4, "all end");
            Check.True(scene.ContactsEnded(new uint[4], out count) && count == 4, "and are named");
            Check.True(scene.ContactPairs(pairs, out count) && count == 1 && pairs[0].@event == PrxPairEvent.Ended, "with the pair");
        }
    }

    static void InABatchOfAScene()
    {
        var contacts = new PrxContact[4];
        int count;
        using (ProxelScene scene = ProxelScene.Create(context))
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            scene.Add(still);
            scene.Add(moving);
            PrxTicket ticket = batch.SceneContacts(scene, def);
            batch.Submit();
            batch.Wait();
            Check.Equal(batch.SceneContactsResult(ticket).contacts, 4ul, "of a scene in a batch");
            Check.True(scene.ContactPoints(contacts, out count) && count == 4, "are the scene's last");
            Corners(contacts);
        }
    }
}
