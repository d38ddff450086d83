using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using Proxel;

/// <summary>Finalisers run whenever they like: what is in flight stays, what is gone is refused, and no query makes garbage.</summary>
static class Lifetimes
{
    static int Main()
    {
        AnswersInFlightSurviveTheirMeshes();
        NobodyWaitsAndNothingBreaks();
        ContextsGoWithTheirThings();
        CallsAfterDisposeOnManyThreads();
        using (ProxelContext context = Device.Open()) QueriesMakeNoGarbage(context);
        return Check.Finish();
    }

    static void Collect()
    {
        for (int i = 0; i < 3; ++i)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    /// <summary>Submits work on things that nobody holds any more when it returns.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static ProxelBatch Fly(ProxelContext context, List<PrxTicket> tickets, List<WeakReference> dropped)
    {
        ProxelMesh torus = Shapes.Torus(context, 160, 40), cube = Shapes.Cube(context, 1);
        PrxFieldDef coarse = PrxFieldDef.Default;
        coarse.resolution = 16;
        ProxelField field = ProxelField.Bake(cube, coarse);
        field.Wait();
        ProxelBatch batch = ProxelBatch.Create(context);
        for (int i = 0; i < 8; ++i)
            tickets.Add(batch.Proximity(field, PrxPose.Identity, torus, Shapes.At(0.1f * i, 0, 0)));
        batch.Submit();
        foreach (object thing in new object[] { torus, cube, field }) dropped.Add(new WeakReference(thing));
        return batch;
    }

    // Mono scans stacks conservatively, so what shall be collected is made on a thread that ends.
    static T Elsewhere<T>(Func<T> work)
    {
        T result = default(T);
        var thread = new Thread(() => result = work());
        thread.Start();
        thread.Join();
        return result;
    }

    static void AnswersInFlightSurviveTheirMeshes()
    {
        using (ProxelContext context = Device.Open())
        {
            var truth = new List<PrxTicket>();
            var tickets = new List<PrxTicket>();
            var dropped = new List<WeakReference>();
            using (ProxelBatch calm = Elsewhere(() => Fly(context, truth, new List<WeakReference>())))
            using (ProxelBatch batch = Elsewhere(() => Fly(context, tickets, dropped)))
            {
                Collect();
                int gone = 0;
                foreach (WeakReference thing in dropped) gone += thing.IsAlive ? 0 : 1;
                Check.True(gone > 0, "the collector took some of what was dropped");
                calm.Wait();
                batch.Wait();
                for (int i = 0; i < tickets.Count; ++i)
                    Check.Equal(batch.ProximityResult(tickets[i]), calm.ProximityResult(truth[i]), "answer " + i);
            }
        }
    }

    static void NobodyWaitsAndNothingBreaks()
    {
        using (ProxelContext context = Device.Open())
        {
            for (int i = 0; i < 3; ++i)
            {
                Elsewhere(() => { Fly(context, new List<PrxTicket>(), new List<WeakReference>()); return 0; });
                Collect();
            }
            using (ProxelMesh cube = Shapes.Cube(context, 1)) Check.Equal(cube.Bounds().max.x, 1f, "still answering");
        }
    }

    static void ContextsGoWithTheirThings()
    {
        var messages = new List<string>();
        Elsewhere(() =>
        {
            ProxelContext context = Device.Open((severity, message) => { lock (messages) messages.Add(message); });
            Shapes.Cube(context, 1, false, "left behind");
            Fly(context, new List<PrxTicket>(), new List<WeakReference>());
            return 0;
        });
        Collect();
        // A context that is disposed of while its meshes live takes them along, and says which.
        ProxelContext closed = Device.Open((severity, message) => { lock (messages) messages.Add(message); });
        ProxelMesh left = Shapes.Cube(closed, 1, false, "left behind");
        ProxelBatch batch = ProxelBatch.Create(closed);
        closed.Dispose();
        Check.Refused(PrxStatus.InvalidHandle, "context", () => left.Bounds(), "a mesh whose context is gone");
        Check.Refused(PrxStatus.InvalidHandle, "batch", () => batch.Submit(), "a batch whose context is gone");
        left.Dispose();
        batch.Dispose();
        lock (messages) Check.True(messages.Exists(m => m.Contains("left behind")), "the log names what was left");
    }

    static void CallsAfterDisposeOnManyThreads()
    {
        ProxelContext context = Device.Open();
        ProxelMesh mesh = Shapes.Cube(context, 1);
        int answered = 0, refused = 0, wrong = 0;
        var threads = new Thread[4];
        for (int t = 0; t < threads.Length; ++t)
        {
            threads[t] = new Thread(() =>
            {
                for (int i = 0; i < 200; ++i)
                {
                    try
                    {
                        if (mesh.Bounds().max.x == 1) Interlocked.Increment(ref answered);
                        else Interlocked.Increment(ref wrong);
                    }
                    catch (ProxelException refusal)
                    {
                        if (refusal.Status == PrxStatus.InvalidHandle) Interlocked.Increment(ref refused);
                        else Interlocked.Increment(ref wrong);
                    }
                }
            });
            threads[t].Start();
        }
        while (Volatile.Read(ref answered) < 20) Thread.Sleep(1);
        mesh.Dispose();
        context.Dispose();
        foreach (Thread thread in threads) thread.Join();
        Check.Equal(wrong, 0, "wrong answers");
        Check.Equal(answered + refused, 800, "each call got an answer or a refusal");
    }

    static void QueriesMakeNoGarbage(ProxelContext context)
    {
        using (ProxelMesh large = Shapes.Cube(context, 1), small = Shapes.Cube(context, 0.5f, true))
        using (ProxelField field = ProxelField.Bake(large))
        using (ProxelBatch batch = ProxelBatch.Create(context))
        using (ProxelScene scene = ProxelScene.Create(context))
        {
            field.Wait();
            var positions = Shapes.Corners(0.5f);
            var pairs = new PrxPair[256];
            var objects = new PrxObjectPair[16];
            var samples = new PrxSample[8];
            PrxPose there = Shapes.At(1.2f, 0, 0);
            scene.Add(large, PrxPose.Identity);
            scene.Add(small, there);
            int count;
            PrxCullStats stats;
            PrxOverlapDef coarse = PrxOverlapDef.Default;
            PrxLdiDef few = PrxLdiDef.Default;
            coarse.resolution = 64;
            few.resolution = 16;
            NoGarbage("update and bounds", () => { small.Update(positions); large.Bounds(there); });
            NoGarbage("proximity", () => field.Proximity(PrxPose.Identity, small, there));
            NoGarbage("penalty", () => field.Penalty(PrxPose.Identity, small, there, PrxPenaltyDef.Default));
            NoGarbage("overlap", () => field.Overlap(PrxPose.Identity, small, there, coarse));
            NoGarbage("samples", () => field.Sample(positions, samples));
            NoGarbage("distance", () => large.Distance(PrxPose.Identity, small, there));
            NoGarbage("pairs", () => large.Pairs(PrxPose.Identity, small, there, 0, pairs, out count));
            NoGarbage("volume", () => large.IntersectionVolume(PrxPose.Identity, small, there, few));
            NoGarbage("scene", () => scene.Colliding(0, objects, out count, out stats));
            NoGarbage("batch", () =>
            {
                batch.Reset();
                PrxTicket near = batch.Proximity(field, PrxPose.Identity, small, there), box = batch.Bounds(small, there);
                batch.Submit();
                batch.Wait();
                batch.ProximityResult(near);
                batch.BoundsResult(box);
            });
        }
    }

    static void NoGarbage(string what, Action query)
    {
        for (int i = 0; i < 3; ++i) query();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 20; ++i) query();
        Check.Equal(GC.GetAllocatedBytesForCurrentThread() - before, 0L, "bytes allocated by " + what);
    }
}
