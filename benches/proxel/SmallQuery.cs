// The same as small_query.cpp, through the C# layer; it must not make garbage.
using System;
using System.Diagnostics;
using System.Globalization;
using Proxel;

static class SmallQuery
{
    const int Calls = 50, Samples = 40;

    static readonly uint[] indices =
    {
        0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
    };

    static ProxelMesh large, small;
    static PrxPose here, there;
    static float answer;

    static int Main(string[] words)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        try
        {
            Compete(Array.Find(words, word => word.StartsWith("query=")).Substring("query=".Length));
            return 0;
        }
        catch (Exception problem)
        {
            Console.WriteLine("{\"error\": \"" + problem.Message.Replace("\"", "'") + "\"}");
            return 1;
        }
    }

    static void Compete(string query)
    {
        PrxContextDef def = PrxContextDef.Default;
        def.workerThreads = 1;
        using (ProxelContext context = ProxelContext.Open(null, def))
        using (large = Cube(context, 1))
        using (small = Cube(context, 0.5f))
        {
            here = PrxPose.Identity;
            Console.WriteLine("{\"ready\": true, \"about\": \"proxel " + ProxelContext.LibraryVersion + " under Mono " + Environment.Version +
                              " on " + context.Info.deviceName + "\"}");
            for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
            {
                there = here;
                there.position.x = (float)(1.5 + 0.2 * double.Parse(line.Split(' ')[1]));
                double best = double.PositiveInfinity;
                for (int sample = 0; sample < Samples; ++sample)
                {
                    long garbage = GC.GetAllocatedBytesForCurrentThread();
                    long start = Stopwatch.GetTimestamp();
                    Run(query);
                    best = Math.Min(best, (Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency);
                    garbage = GC.GetAllocatedBytesForCurrentThread() - garbage;
                    if (sample > 0 && garbage != 0) throw new Exception(Calls + " calls made " + garbage + " bytes of garbage");
                }
                Console.WriteLine("{\"seconds\": " + (best / Calls).ToString("R") + ", \"calls\": " + Calls * Samples + ", \"answer\": [" +
                                  ((double)answer).ToString("R") + "], \"garbage\": 0}");
            }
        }
    }

    static void Run(string query)
    {
        if (query == "bounds")
            for (int call = 0; call < Calls; ++call) answer = small.Bounds(there).max.x;
        else
            for (int call = 0; call < Calls; ++call) answer = (float)large.Distance(here, small, there).distance;
    }

    static ProxelMesh Cube(ProxelContext context, float half)
    {
        var corners = new Float3[8];
        for (int i = 0; i < 8; ++i)
            corners[i] = new Float3((i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half);
        return ProxelMesh.Create(context, corners, indices);
    }
}
