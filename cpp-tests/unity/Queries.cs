using System;
using System.IO;
using Proxel;

/// <summary>Queries through the C# layer on a real device, against answers known by hand.</summary>
static class Queries
{
    static ProxelContext context;
    static readonly PrxPose origin = PrxPose.Identity;

    static int Main()
    {
        using (context = Device.Open())
        {
            PrxContextInfo info = context.Info;
            Check.True(info.deviceName.ToString().Contains(Device.Wanted), "the device is " + info.deviceName);
            Check.Equal(info.adopted, 0u, "adopted");
            Check.Equal(ProxelContext.LibraryVersion, Prx.VersionMajor + "." + Prx.VersionMinor + "." + Prx.VersionPatch, "version");
            using (ProxelMesh large = Shapes.Cube(context, 1), small = Shapes.Cube(context, 0.5f, true))
            using (ProxelField field = ProxelField.Bake(large))
            {
                Check.True(field.Wait(), "a bake without a limit ends");
                Meshes(large, small);
                Fields(field);
                Contact(field, large, small);
                Drawn(field, large);
                Batches(field, large, small);
                ExactBatches(large, small);
                Exact(large, small);
                Moving(large, small);
                Constraints(large);
                Soft(field, small);
                Following(field, small);
                Hierarchies(large);
            }
            ScenesOfCubes();
            StepsOfAScene();
            LiveFields();
            Tetrahedra();
            Refusals();
            Check.True(context.PipelineCache().Length > 0, "there is a pipeline cache");
            context.WaitIdle();
        }
        return Check.Finish();
    }

    static void Meshes(ProxelMesh large, ProxelMesh small)
    {
        PrxBounds box = large.Bounds();
        Check.True(box.min.x == -1 && box.min.y == -1 && box.min.z == -1 && box.max.x == 1 && box.max.y == 1 && box.max.z == 1,
                   "the box of a cube");
        PrxBounds moved = large.Bounds(Shapes.At(10, 20, 30));
        Check.True(moved.min.x <= 9 && moved.min.x > 8.999 && moved.max.z >= 31 && moved.max.z < 31.001, "a moved box holds its cube");
        PrxMeshFacts facts = large.Facts();
        Check.True(facts.closed == 1 && facts.manifold == 1 && facts.oriented == 1, "a cube is closed, manifold and oriented");
        Check.Equal(facts.area, 24.0, "area");
        Check.Equal(facts.volume, 8.0, "volume");
        Check.Equal(large.TriangleCount, 12, "triangles");
        int count;
        Check.True(!large.ClusterTriangles(default(Span<uint>), out count) && count == 12, "no room, and how much is needed");
        var order = new uint[12];
        Check.True(large.ClusterTriangles(order, out count), "room enough");
        Array.Sort(order);
        for (uint i = 0; i < 12; ++i) Check.Equal(order[i], i, "each triangle once");
        Check.True(large.SelfPairs(default(Span<PrxTrianglePair>), out count) && count == 0, "a cube does not intersect itself");

        Float3[] corners = Shapes.Corners(0.5f);
        for (int i = 0; i < 8; ++i) corners[i].x += 7;
        small.Update(corners);
        Check.Equal(small.Bounds().max.x, 7.5f, "updated positions");
        small.Update(Shapes.Corners(0.5f));
        Check.Equal(small.Bounds().max.x, 0.5f, "updated back");

        var points = new[] { new Float3(0, 0, 0), new Float3(0.5f, -0.5f, 0.25f), new Float3(1.5f, 0, 0) };
        var inside = new uint[3];
        large.Contains(origin, points, inside);
        Check.Equal(inside[0] & Prx.ContainmentInside, 1u, "the centre");
        Check.Equal(inside[1] & Prx.ContainmentInside, 1u, "a point inside");
        Check.Equal(inside[2] & Prx.ContainmentInside, 0u, "a point outside");
    }

    static void Fields(ProxelField field)
    {
        bool done;
        Check.Equal(field.Progress(out done), 1f, "progress");
        Check.True(done, "done");
        PrxFieldInfo info = field.Info;
        Check.Equal(info.storage, PrxStorage.Distance, "storage");
        var points = new[] { new Float3(0, 0, 0), new Float3(1.1f, 0, 0), new Float3(0, -0.5f, 0) };
        var truth = new[] { -1.0, 0.1, -0.5 };
        var samples = new PrxSample[3];
        field.Sample(points, samples);
        for (int i = 0; i < 3; ++i)
            Check.Holds(samples[i].lower, truth[i], samples[i].upper, 2.1 * info.error + 1e-5, "distance at point " + i);

        byte[] file = field.Write();
        var again = new PrxSample[3];
        using (ProxelField read = ProxelField.Read(context, file)) read.Sample(points, again);
        for (int i = 0; i < 3; ++i) Check.Equal(again[i].distance, samples[i].distance, "written and read");
        string path = Path.Combine(Path.GetTempPath(), "proxel-" + Guid.NewGuid() + ".prxf");
        try
        {
            field.Save(path);
            using (ProxelField loaded = ProxelField.Load(context, path)) loaded.Sample(points, again);
            for (int i = 0; i < 3; ++i) Check.Equal(again[i].distance, samples[i].distance, "saved and loaded");
        }
        finally
        {
            File.Delete(path);
        }

        PrxShape ball = PrxShape.Default;
        using (ProxelField sphere = ProxelField.FromShape(context, ball)) sphere.Sample(points, samples);
        Check.Holds(samples[2].lower, -0.5, samples[2].upper, 0.1, "a sphere of radius 1");
        var grid = new PrxGrid { origin = new Float3(-1, -1, -1), cellSize = 2, nodes = new UInt3(2, 2, 2) };
        // A plane x = 0: distances at nodes are x.
        using (ProxelField plane = ProxelField.FromSamples(context, grid, new float[] { -1, 1, -1, 1, -1, 1, -1, 1 }, error: 0))
            plane.Sample(new[] { new Float3(0.25f, 0.5f, 0) }, samples);
        Check.Near(samples[0].distance, 0.25, 0.01, "samples of a plane");
    }

    sealed class Canvas : ProxelDebugDraw
    {
        public int lines, triangles, texts;
        public float farthest;
        public bool fails;

        protected override void Line(Float3 from, Float3 to, uint color)
        {
            ++lines;
            farthest = Math.Max(farthest, to.x);
            if (fails) throw new InvalidOperationException("made for the test");
        }

        protected override void Triangle(Float3 a, Float3 b, Float3 c, uint color) => ++triangles;

        protected override void Write(Float3 at, string text, uint color) => texts += text.Length > 0 ? 1 : 0;
    }

    static void Drawn(ProxelField field, ProxelMesh large)
    {
        var canvas = new Canvas();
        canvas.Mesh(large, Shapes.At(3, 0, 0));
        Check.Equal(canvas.lines, 18, "edges of a cube");
        Check.Equal(canvas.triangles, 12, "its triangles");
        Check.Equal(canvas.texts, 1, "its name");
        Check.Equal(canvas.farthest, 4f, "where the pose has it");
        canvas.Field(field, origin);
        Check.Equal(canvas.lines, 30, "edges of a field's domain");
        Check.True(canvas.triangles > 500, "its surface");
        var failing = new Canvas { fails = true };
        string message = null;
        try
        {
            failing.Mesh(large, origin);
        }
        catch (InvalidOperationException e)
        {
            message = e.Message;
        }
        Check.True(message == "made for the test", "what a function throws comes back: " + message);
        Check.Equal(failing.lines, 1, "and nothing is drawn after it");
    }

    static void Contact(ProxelField field, ProxelMesh large, ProxelMesh small)
    {
        float error = field.Info.error;
        PrxProximity apart = field.Proximity(origin, small, Shapes.At(2, 0, 0));
        PrxProximity deep = field.Proximity(origin, small, Shapes.At(1.2f, 0, 0));
        Check.Holds(deep.lower, -0.3, deep.upper, 8 * error + 1e-4, "a face 0.3 deep");
        Check.Equal(deep.penetrating, 1u, "penetrating");
        Check.True(apart.lower <= 0.5 && 0.5 <= apart.upper, "half a unit apart: [" + apart.lower + ", " + apart.upper + "]");
        PrxProximity exact = large.Proximity(origin, small, Shapes.At(2, 0, 0));
        Check.Holds(exact.lower, 0.5, exact.upper, 0.005, "half a unit, by triangles");

        // A face of area 1 lies 0.1 deep, and with it four strips of width 0.1 whose depth falls to 0.
        PrxPenalty forces = field.Penalty(origin, small, Shapes.At(1.4f, 0, 0));
        Check.Near(forces.depthSum, 0.12, forces.depthSumError, "integral of the depth");
        Check.True(forces.depthSumError < 0.06, "and its error: " + forces.depthSumError);
        Check.Holds(forces.areaLower, 1.4, forces.areaUpper, 1.0, "area inside");
        Check.True(forces.depthLower <= 0.1 + 1e-6 && forces.depthUpper >= 0.1 - 1e-6, "deepest");
        Check.Near(forces.meshForceSum.x, 0.12, forces.depthSumError + 0.005, "the mesh is pushed out");
        Check.Near(forces.forceSum.x + forces.meshForceSum.x, 0, 1e-6, "and the body as much the other way");
        Check.Near(forces.meshForceSum.y, 0, 0.005, "and not aside");

        var anchor = new PrxAnchor();
        ProxelField.StaticFriction(forces, origin, Shapes.At(1.4f, 0, 0), 0.5f, 1, ref anchor);
        Check.Equal(anchor.held, 1u, "held");
        Float3 pull = ProxelField.StaticFriction(forces, origin, Shapes.At(1.4f, 0.01f, 0), 0.5f, 1, ref anchor);
        Check.Near(pull.y, 0.01, 1e-4, "a spring of stiffness 1, stretched by 0.01, pulls the body along");

        Check.Equal(field.Overlap(origin, small, Shapes.At(1.2f, 0, 0)).overlap, 1u, "they overlap");
        PrxOverlap none = field.Overlap(origin, small, Shapes.At(4, 0, 0));
        Check.True(none.overlap == 0 && none.certain == 1, "certainly no overlap");

        PrxIntersectionVolume common = large.IntersectionVolume(origin, small, Shapes.At(1.2f, 0, 0));
        Check.Holds(common.lower, 0.3, common.upper, 0.1, "volume in common");
        Check.Near(common.centroid.x, 0.85, 0.02, "its centre");

        // As the small cube moves along x, the face of area 1 that is inside takes the volume along; the large one's moves the other way.
        var own = new Float3[8];
        var others = new Float3[8];
        large.IntersectionGradients(origin, small, Shapes.At(1.2f, 0, 0), own, others);
        Check.Near(SumX(own), 1, 0.05, "change as the large cube moves");
        Check.Near(SumX(others), -1, 0.05, "change as the small cube moves");
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            PrxTicket ticket = batch.IntersectionGradients(large, origin, small, Shapes.At(1.2f, 0, 0));
            batch.Submit();
            batch.Wait();
            var again = new Float3[8];
            int count;
            Check.True(batch.IntersectionGradientsResult(ticket, 1, again, out count) && count == 8, "as many vectors as vertices");
            Check.Equal(SumX(again), SumX(others), "in a batch the same");
        }
    }

    static double SumX(Float3[] vectors)
    {
        double sum = 0;
        foreach (Float3 vector in vectors) sum += vector.x;
        return sum;
    }

    static void Batches(ProxelField field, ProxelMesh large, ProxelMesh small)
    {
        var points = new[] { new Float3(0, 0, 0), new Float3(3, 0, 0) };
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            PrxPose there = Shapes.At(1.2f, 0, 0);
            PrxTicket box = batch.Bounds(small, there), near = batch.Proximity(field, origin, small, there);
            PrxTicket force = batch.Penalty(field, origin, small, there), meets = batch.Overlap(field, origin, small, there);
            PrxTicket volume = batch.IntersectionVolume(large, origin, small, there), inside = batch.Contains(large, origin, points);
            PrxTicket at = batch.Sample(field, points), clusters = batch.Clusters(large);
            PrxTicket layers = batch.Layers(large, origin, 1 << 16), folds = batch.SelfOverlaps(large, origin, 16);
            Check.Refused(PrxStatus.WrongState, "submitted", () => batch.BoundsResult(box), "an answer before the question");
            batch.Submit();
            Check.True(batch.Wait(), "waited");
            Check.True(batch.Poll(), "done");
            Check.Near(batch.BoundsResult(box).min.x, 0.7, 1e-5, "bounds");
            // A batch of one gives the same bits.
            Check.Equal(batch.ProximityResult(near), field.Proximity(origin, small, there), "proximity");
            Check.Equal(batch.PenaltyResult(force), field.Penalty(origin, small, there), "penalty");
            Check.Equal(batch.OverlapResult(meets).overlap, 1u, "overlap");
            Check.Equal(batch.IntersectionVolumeResult(volume), large.IntersectionVolume(origin, small, there), "volume");
            int count;
            var answers = new uint[2];
            Check.True(batch.ContainsResult(inside, answers, out count) && count == 2, "containment");
            Check.True((answers[0] & 1) == 1 && (answers[1] & 1) == 0, "inside and outside");
            var samples = new PrxSample[2];
            Check.True(batch.SampleResult(at, samples, out count) && count == 2 && samples[1].inDomain == 0, "samples");
            var found = new PrxCluster[4];
            Check.True(batch.ClustersResult(clusters, found, out count) && count == 1 && found[0].count == 12, "clusters");
            PrxLayersInfo rays;
            var stretches = new PrxLayer[1 << 16];
            Check.True(batch.LayersResult(layers, stretches, out count, out rays) && count > 10000, "layers: " + count);
            double length = 0;
            for (int i = 0; i < count; ++i) length += Length(stretches[i].ends);
            Check.Near(length / count, 2, 1e-4, "rays go through the whole cube");
            Check.True(batch.LayersResult(folds, stretches, out count, out rays) && count == 0, "no self-overlaps");
            batch.Reset();
            Check.Refused(PrxStatus.InvalidHandle, "ticket", () => batch.BoundsResult(box), "a ticket of before the reset");
            batch.Submit(default(ReadOnlySpan<PrxTimelinePoint>), default(ReadOnlySpan<PrxTimelinePoint>));
            batch.Wait();
        }
    }

    static void ExactBatches(ProxelMesh large, ProxelMesh small)
    {
        PrxPose apart = Shapes.At(2, 0.25f, 0), there = Shapes.At(1.2f, 0, 0);
        using (ProxelBatch batch = ProxelBatch.Create(context))
        using (ProxelScene scene = ProxelScene.Create(context))
        {
            scene.Add(large, origin);
            scene.Add(small, there);
            PrxNearDef thin = PrxNearDef.Default;
            thin.thickness = 0.6;
            PrxTicket box = batch.Bounds(small, there), distance = batch.Distance(large, origin, small, apart);
            PrxTicket pairs = batch.Pairs(large, origin, small, there, 0), few = batch.Pairs(large, origin, small, there, 0, 1);
            PrxTicket itself = batch.SelfPairs(large), volume = batch.ExactIntersection(large, origin, small, there);
            PrxTicket near = batch.Near(large, origin, small, apart, thin), sweep = batch.SweepPoses(large, origin, origin, small, apart, there);
            PrxTicket still = batch.Sweep(large, large, small, small), impacts = batch.Impacts(large, large, small, small);
            PrxTicket among = batch.ScenePairs(scene, 0), moves = batch.SceneImpacts(scene, default(ReadOnlySpan<PrxObjectMove>));
            PrxTicket first = batch.SceneFirstImpact(scene, default(ReadOnlySpan<PrxObjectMove>));
            Check.Refused(PrxStatus.WrongState, "submitted", () => batch.DistanceResult(distance), "an answer before the question");
            batch.Submit();
            Check.True(batch.Wait() && batch.Poll(), "waited");
            Check.Near(batch.BoundsResult(box).min.x, 0.7, 1e-5, "bounds");
            Check.Equal(batch.DistanceResult(distance), large.Distance(origin, small, apart), "distance");
            Check.Near(batch.DistanceResult(distance).distance, 0.5, 1e-12, "half a unit apart");
            Check.Near(batch.ExactIntersectionResult(volume).volume, 0.3, 1e-6, "a slab of the small cube");
            Check.Equal(batch.SweepResult(sweep), large.SweepPoses(origin, origin, small, apart, there), "sweep");
            Check.Equal(batch.SweepResult(still), large.Sweep(large, small, small), "a sweep without motion");
            int count, truth;
            large.Pairs(origin, small, there, 0, default(Span<PrxPair>), out truth);
            Check.True(!batch.PairsResult(pairs, default(Span<PrxPair>), out count) && count == truth, "no room for pairs");
            Check.True(batch.PairsResult(pairs, new PrxPair[truth], out count) && count == truth && count > 1, "pairs");
            Check.Refused(PrxStatus.OutOfHostMemory, "recorded", () => batch.PairsResult(few, new PrxPair[1], out count), "more than room");
            Check.True(batch.SelfPairsResult(itself, default(Span<PrxTrianglePair>), out count) && count == 0, "a cube does not meet itself");
            Check.True(!batch.NearResult(near, default(Span<PrxNearPair>), out count) && count > 0, "near");
            Check.True(batch.ImpactsResult(impacts, new PrxFeatureImpact[1024], out count), "impacts");
            scene.Pairs(0, default(Span<PrxScenePair>), out truth);
            Check.True(!batch.ScenePairsResult(among, default(Span<PrxScenePair>), out count) && count == truth, "pairs of a scene");
            Check.True(batch.SceneImpactsResult(moves, default(Span<PrxSceneImpact>), out count) && count == 0, "nothing moves");
            Check.Equal(batch.SceneFirstImpactResult(first).impact.time, 1.0, "and nothing is first");
        }
    }

    static double Length(Float3Pair ends)
    {
        double x = ends.second.x - ends.first.x, y = ends.second.y - ends.first.y, z = ends.second.z - ends.first.z;
        return Math.Sqrt(x * x + y * y + z * z);
    }

    static void Exact(ProxelMesh large, ProxelMesh small)
    {
        PrxDistance distance = large.Distance(origin, small, Shapes.At(2, 0.25f, 0));
        Check.Equal(distance.distance, 0.5, "distance");
        Check.Holds(distance.lower, 0.5, distance.upper, 1e-6, "its certificate");
        Check.Equal(distance.intersecting, 0u, "apart");
        var many = new PrxDistance[2];
        context.Distances(new[] { large.PairWith(origin, small, Shapes.At(2, 0.25f, 0)), small.PairWith(origin, large, Shapes.At(0, 0, 3)) }, many);
        Check.Equal(many[0], distance, "one of many");
        Check.Equal(many[1].distance, 1.5, "another");
        using (ProxelMesh flat = Shapes.Triangle(context, new Float3(-1, -1, 0), new Float3(1, -1, 0), new Float3(0, 1, 0)),
                          upright = Shapes.Triangle(context, new Float3(0, 0, -1), new Float3(0, 0, 1), new Float3(0, -4, 0)))
        {
            int count;
            Check.True(!flat.Pairs(origin, upright, origin, 0, default(Span<PrxPair>), out count) && count == 1, "no room for one pair");
            var pairs = new PrxPair[4];
            Check.True(flat.Pairs(origin, upright, origin, 0, pairs, out count) && count == 1, "one pair");
            // They share the segment of the y axis from -1 to 0.
            Float3Pair shared = pairs[0].segment;
            Check.Near(Math.Min(shared.first.y, shared.second.y), -1, 1e-6, "where the shared segment starts");
            Check.Near(Math.Max(shared.first.y, shared.second.y), 0, 1e-6, "where it ends");
            PrxCullStats stats;
            PrxCullDef def = PrxCullDef.Default;
            def.method = PrxCullMethod.Visibility;
            Check.True(flat.PairsCulled(origin, upright, origin, 0, def, pairs, out count, out stats) && count == 1, "culled by visibility");
            Check.True(stats.candidates >= 1, "candidates");
        }
    }

    static void Moving(ProxelMesh large, ProxelMesh small)
    {
        // From 5 left of the centre to 5 right of it in a unit of time, the small cube meets the large one at -1.5.
        PrxImpact impact = small.SweepPoses(Shapes.At(-5, 0, 0), Shapes.At(5, 0, 0), large, origin, origin);
        Check.Equal(impact.hit, 1u, "hit");
        Check.Holds(impact.time, 0.35, impact.time + 1e-4, 1e-3, "time of impact");
        using (ProxelMesh start = Shapes.Cube(context, 0.5f, true), end = Shapes.Cube(context, 0.5f, true))
        {
            Float3[] corners = Shapes.Corners(0.5f);
            for (int i = 0; i < 8; ++i) corners[i].x -= 5;
            start.Update(corners);
            for (int i = 0; i < 8; ++i) corners[i].x += 10;
            end.Update(corners);
            impact = start.Sweep(end, large, large);
            Check.Holds(impact.time, 0.35, impact.time + 1e-4, 1e-3, "time of impact of moving vertices");
            Check.Equal(start.SweepSelf(end).hit, 0u, "it does not meet itself");
            PrxNearDef near = PrxNearDef.Default;
            near.thickness = 0.01;
            int pairs;
            Check.True(start.NearSelf(near, default(Span<PrxNearPair>), out pairs) && pairs == 0, "no part of a cube is near another");
            near.thickness = 100.0;
            Check.True(!start.Near(origin, end, origin, near, default(Span<PrxNearPair>), out pairs) && pairs > 0, "everything is within a hundred");
        }
        using (ProxelIntersection shared = ProxelIntersection.Create(large, origin, small, origin))
        {
            PrxExactIntersection summary = shared.Summary();
            Check.True(summary.centroidError < 1e-9 && summary.areaBError < 1e-9 && summary.torqueBError < 1e-9, "errors are rounding alone");
            int vertices, triangles, gradients, regions, curves, points;
            Check.True(shared.Regions(new PrxIntersectionRegion[4], out regions) && regions == 1, "one region");
            Check.True(shared.Curves(new PrxIntersectionCurve[4], out curves) && curves == 0 && summary.crossings == 0, "nothing crosses");
            Check.True(shared.CurvePoints(new PrxCurvePoint[4], out points) && points == 0, "no points");
            Check.True(shared.Gradients(new PrxVertexGradient[64], out gradients) && gradients == 8, "all of the smaller one");
            Check.True(shared.BoundaryVertices(PrxBooleanOperation.Intersection, new PrxBoundaryVertex[64], out vertices) && vertices == 8, "its corners");
            Check.True(shared.BoundaryTriangles(PrxBooleanOperation.Difference, new PrxBoundaryTriangle[64], out triangles) && triangles == 24, "a cube with a cavity");
        }
        var budget = new PrxBudget { microseconds = double.PositiveInfinity, steps = ulong.MaxValue };
        using (ProxelTracker tracker = ProxelTracker.Create(large, small))
        {
            PrxTracked tracked = tracker.Step(origin, Shapes.At(2, 0, 0), budget);
            Check.Equal(tracked.exact, 1u, "exact");
            Check.Near(tracked.distance.distance, 0.5, 1e-9, "tracked distance");
            int count;
            Check.True(tracker.Pairs(new PrxActivePair[1024], out count) && count == (int)tracked.pairs, "active pairs");
        }
        PrxChance chance = large.CollisionChance(origin, small, Shapes.At(9, 0, 0), 2, budget);
        Check.True(chance.probability == 0 && chance.apart == 1, "no chance");
    }

    static void Constraints(ProxelMesh large)
    {
        // The small cube goes from 5 left of the large one to 5 right of it: 3.5 are between them at the start.
        using (ProxelMesh start = Shapes.Cube(context, 0.5f, true), end = Shapes.Cube(context, 0.5f, true))
        {
            Float3[] corners = Shapes.Corners(0.5f);
            for (int i = 0; i < 8; ++i) corners[i].x -= 5;
            start.Update(corners);
            for (int i = 0; i < 8; ++i) corners[i].x += 10;
            end.Update(corners);
            double step = start.FreeStep(end, large, large);
            Check.Holds(step, 0.35, step + 4e-4, 1e-3, "the step is free until they meet");
            Check.Equal(start.FreeStepSelf(end), 1.0, "a cube that moves does not meet itself");
            int count;
            Check.True(!start.Impacts(end, large, large, default(Span<PrxFeatureImpact>), out count) && count > 0, "impacts without room");
            var impacts = new PrxFeatureImpact[count];
            Check.True(start.Impacts(end, large, large, impacts, out count) && count == impacts.Length, "and with room");
            double earliest = 1;
            foreach (PrxFeatureImpact impact in impacts) earliest = Math.Min(earliest, impact.time);
            Check.Equal(earliest, step, "the step ends at the earliest");
            Check.True(start.ImpactsSelf(end, impacts, out count) && count == 0, "no impact with itself");

            PrxNearDef def = PrxNearDef.Default;
            def.thickness = 10;
            var safe = new double[16];
            Check.True(start.SafeDistances(origin, large, origin, def, 0.5, safe, out count) && count == 16, "a distance per vertex");
            Array.Sort(safe);
            Check.Near(safe[0], 1.5, 1e-9, "half of what is between them beyond the separation");
            Check.True(start.SafeDistancesSelf(def, 0, safe, out count) && count == 8, "and because of itself");

            def.thickness = 3.6;
            start.Near(origin, large, origin, def, default(Span<PrxNearPair>), out count);
            var pairs = new PrxNearPair[count];
            Check.True(start.Near(origin, large, origin, def, pairs, out count) && count > 4, "near pairs");
            var starts = new ulong[9];
            var distances = new double[8];
            var rows = new uint[4 * count];
            Check.True(start.NearPerVertex(PrxNearSide.A, pairs, starts, distances, rows, out count), "rows of vertices");
            Check.Equal(starts[8], (ulong)count, "the last row ends where all end");
            for (int v = 0; v < 8; ++v)
            {
                double least = double.PositiveInfinity;
                for (ulong k = starts[v]; k < starts[v + 1]; ++k) least = Math.Min(least, pairs[rows[k]].distance);
                Check.Equal(distances[v], least, "the smallest distance of a row");
            }
            Array.Sort(distances);
            Check.Near(distances[0], 3.5, 1e-6, "the smallest of all");

            using (ProxelBatch batch = ProxelBatch.Create(context))
            {
                PrxTicket far = batch.SafeDistances(start, origin, large, origin, def), free = batch.FreeStep(start, end, large, large);
                PrxTicket alone = batch.FreeStepSelf(start, end), itself = batch.SafeDistancesSelf(start, def);
                batch.Submit();
                batch.Wait();
                Check.Equal(batch.FreeStepResult(free), step, "in a batch the same");
                Check.Equal(batch.FreeStepResult(alone), 1.0, "and of one mesh");
                Check.True(batch.SafeDistancesResult(far, safe, out count) && count == 16, "distances of a batch");
                Check.True(batch.SafeDistancesResult(itself, safe, out count) && count == 8, "and of one mesh");
            }
        }
    }

    static void Soft(ProxelField field, ProxelMesh small)
    {
        // A face of the small cube is 0.04 off one of the large cube's.
        PrxBody soft = small.Body();
        soft.position.x = 1.54;
        var bodies = new[] { field.Body() };
        PrxSoftContactsDef def = PrxSoftContactsDef.Default;
        def.distance = 0.05f;
        def.stiffness = 100;
        int count;
        Check.True(!context.SoftContacts(soft, bodies, default(Span<PrxSoftContact>), out count, def) && count == 4, "four vertices are near");
        var contacts = new PrxSoftContact[4];
        Check.True(context.SoftContacts(soft, bodies, contacts, out count, def) && count == 4, "and fit");
        foreach (PrxSoftContact contact in contacts)
        {
            Check.Near(contact.separation, 0.04, 1e-3, "how far off");
            Check.Near(contact.normal.x, 1, 1e-3, "out of the large cube");
            Check.Equal(contact.feature, PrxContactFeature.Vertex, "a vertex");
        }
        var velocities = new Float3[8];
        for (int i = 0; i < 8; ++i) velocities[i] = new Float3(0, 1, 0);
        PrxSoftContactsDef rough = def;
        rough.friction = 0.5f;
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            PrxTicket still = batch.SoftContacts(soft, bodies, def), slides = batch.SoftContacts(soft, bodies, velocities, rough);
            batch.Submit();
            batch.Wait();
            Check.True(batch.SoftContactsResult(still, contacts, out count) && count == 4, "contacts of a batch");
            var forces = new Float3[8];
            Check.True(batch.SoftContactForces(still, forces, out count) && count == 8, "a force per vertex");
            Check.Near(SumX(forces), 4, 0.4, "four springs of 0.01 push");
            Check.True(batch.SoftContactForces(slides, forces, out count), "forces of a mesh that slides");
            double along = 0;
            foreach (Float3 force in forces) along += force.y;
            Check.Near(along, -0.5 * SumX(forces), 0.05, "friction is half of what pushes");
        }
    }

    static void Following(ProxelField field, ProxelMesh small)
    {
        using (ProxelFollower follower = ProxelFollower.Create(context))
        {
            PrxFollowed followed = follower.Ask(field, origin, small, Shapes.At(1.2f, 0, 0));
            Check.Equal(followed.number, 0ul, "no answer before it was asked");
            context.WaitIdle();
            followed = follower.Ask(field, origin, small, Shapes.At(1.2f, 0, 0));
            Check.Equal(followed.number, 1ul, "the first answer came");
            Check.Equal(followed.proximity, field.Proximity(origin, small, Shapes.At(1.2f, 0, 0)), "the same bits");
        }
        PrxPenaltyDef damped = PrxPenaltyDef.Default;
        damped.damping = 1;
        using (ProxelFollower follower = ProxelFollower.Create(context, null, damped))
        {
            var velocities = new Float3[small.VertexCount];
            for (int i = 0; i < velocities.Length; ++i) velocities[i].x = -2;
            PrxPose inside = Shapes.At(1.4f, 0, 0);
            follower.Ask(field, origin, small, inside, velocities);
            context.WaitIdle();
            PrxPenalty moving = follower.Ask(field, origin, small, inside).penalty;
            PrxPenalty still = field.Penalty(origin, small, inside);
            double more = moving.meshForceSum.x - still.meshForceSum.x;
            Check.True(2 * still.areaLower - 0.01 <= more && more <= 2 * still.areaUpper + 0.01, "what comes in at 2 per second is damped by 2 per area: " + more);
            try
            {
                follower.Ask(field, origin, small, inside, new Float3[1]);
                Check.True(false, "one velocity for a cube");
            }
            catch (ArgumentException error) { Check.True(error.Message.Contains("1 velocities"), error.Message); }
        }
    }

    static void Hierarchies(ProxelMesh large)
    {
        Float3[] rest = Shapes.Corners(1);
        for (int i = 0; i < 8; ++i) rest[i].x += 1.5f;
        using (ProxelMesh soft = Shapes.Cube(context, 1, true), target = Shapes.Cube(context, 1, true))
        {
            soft.Update(rest);
            using (ProxelHierarchy fixedOne = ProxelHierarchy.Create(large), moving = ProxelHierarchy.Create(soft))
            {
                int count, truth;
                soft.Pairs(origin, large, origin, 0, default(Span<PrxPair>), out truth);
                Check.True(!moving.Pairs(fixedOne, default(Span<PrxTrianglePair>), out count), "they meet");
                Check.True(count == truth && count > 0, "as many pairs as the mesh query has: " + count + ", " + truth);
                for (int i = 0; i < 8; ++i) rest[i].x += 10;
                soft.Update(rest);
                Check.True(moving.Update() != PrxHierarchyChange.Nothing, "it followed");
                Check.True(moving.Pairs(fixedOne, default(Span<PrxTrianglePair>), out count) && count == 0, "nothing meets ten units away");
                target.Update(rest);
                moving.SetTargets(soft, target);
                moving.Blend(new[] { 0.5f, 0.5f });
                moving.SetDisplacements(new Float3[16]);
                moving.Deform(new[] { 1f, 2f });
                Check.True(moving.Pairs(fixedOne, default(Span<PrxTrianglePair>), out count) && count == 0, "nor with fields of no displacement");
            }
        }
    }

    static void StepsOfAScene()
    {
        // From 5 left of the centre to 5 right of it in a step, the small cube meets the large one at -1.5.
        using (ProxelMesh large = Shapes.Cube(context, 1), small = Shapes.Cube(context, 0.5f), end = Shapes.Cube(context, 0.5f, true))
        using (ProxelScene scene = ProxelScene.Create(context))
        {
            PrxObject rests = scene.Add(large, origin), goes = scene.Add(small, Shapes.At(-5, 0, 0));
            var step = new[] { ProxelScene.MoveTo(goes, Shapes.At(5, 0, 0)) };
            PrxSceneImpact first = scene.FirstImpact(step);
            Check.Holds(first.impact.time, 0.35, first.impact.time + 4e-4, 1e-3, "time of the first impact of a scene");
            Check.Equal(first.objectA.id, rests.id, "the object in the earlier place");
            Check.Equal(first.objectB.id, goes.id, "and the one that comes");
            Check.Equal(scene.FreeStep(step), first.impact.time, "the step is free until then");
            int count;
            Check.True(!scene.Impacts(step, default(Span<PrxSceneImpact>), out count) && count > 0, "impacts without room");
            var impacts = new PrxSceneImpact[count];
            Check.True(scene.Impacts(step, impacts, out count) && count == impacts.Length, "and with room");
            double earliest = 1;
            foreach (PrxSceneImpact impact in impacts) earliest = Math.Min(earliest, impact.impact.time);
            Check.Equal(earliest, first.impact.time, "the first is the earliest of all");
            // Half a unit apart is half a unit sooner.
            PrxImpactsDef def = PrxImpactsDef.Default;
            def.separation = 0.5;
            double apart = scene.FreeStep(step, def);
            Check.Holds(apart, 0.3, apart + 4e-4, 1e-3, "time at which they are half a unit apart");
            // The same way by positions, and a shorter one.
            Float3[] corners = Shapes.Corners(0.5f);
            for (int i = 0; i < 8; ++i) corners[i].x += 10;
            end.Update(corners);
            double deforming = scene.FreeStep(new[] { ProxelScene.MoveTo(goes, Shapes.At(-5, 0, 0), end) });
            Check.Holds(deforming, 0.35, deforming + 4e-4, 1e-3, "time of impact of a shape that changes");
            var back = new[] { ProxelScene.MoveTo(goes, Shapes.At(-8, 0, 0)) };
            Check.Equal(scene.FreeStep(back), 1.0, "nothing meets on the way back");
            Check.Equal(scene.FirstImpact(back).impact.kind, PrxImpactKind.None, "no impact");
        }
    }

    static void ScenesOfCubes()
    {
        using (ProxelMesh cube = Shapes.Cube(context, 0.5f))
        using (ProxelScene scene = ProxelScene.Create(context))
        {
            var objects = new PrxObject[4];
            for (int i = 0; i < 4; ++i) objects[i] = scene.Add(cube, Shapes.At(0.9f * i, 0, 0));
            int count;
            var pairs = new PrxObjectPair[8];
            Check.True(scene.ObjectPairs(0, pairs, out count) && count == 3, "neighbours in a row: " + count);
            PrxCullStats stats;
            Check.True(scene.Colliding(0, pairs, out count, out stats) && count == 3, "and exactly");
            scene.Move(objects, new[] { Shapes.At(0, 0, 0), Shapes.At(5, 0, 0), Shapes.At(10, 0, 0), Shapes.At(10.5f, 0, 0) });
            Check.True(scene.Colliding(0, pairs, out count, out stats) && count == 1, "one pair is left");
            Check.Equal(pairs[0].first.id, objects[2].id, "the third object");
            Check.Equal(pairs[0].second.id, objects[3].id, "and the fourth");
            Check.True(!scene.Pairs(0, default(Span<PrxScenePair>), out count) && count > 0, "their triangles");
            scene.Remove(objects[3]);
            Check.True(scene.Pairs(0, default(Span<PrxScenePair>), out count) && count == 0, "and none without it");
        }
    }

    static void LiveFields()
    {
        using (ProxelMesh soft = Shapes.Cube(context, 1, true))
        using (ProxelField live = ProxelField.Live(soft, 0.5f))
        using (ProxelBatch batch = ProxelBatch.Create(context))
        {
            batch.Rebake(live);
            PrxTicket ticket = batch.Sample(live, new[] { new Float3(0.9f, 0, 0) });
            batch.Submit();
            batch.Wait();
            var sample = new PrxSample[1];
            int count;
            batch.SampleResult(ticket, sample, out count);
            Check.Holds(sample[0].lower, -0.1, sample[0].upper, 0.2, "a live cube");
            soft.Update(Shapes.Corners(0.95f));
            batch.Submit();
            batch.Wait();
            batch.SampleResult(ticket, sample, out count);
            Check.Holds(sample[0].lower, -0.05, sample[0].upper, 0.2, "the same, smaller");
        }
    }

    static unsafe void Tetrahedra()
    {
        var positions = new Float3[] { new Float3(0, 0, 0), new Float3(1, 0, 0), new Float3(0, 1, 0), new Float3(0, 0, 1) };
        var poked = new Float3[] { new Float3(0.25f, 0.25f, 0.25f), new Float3(9, 9, 9), new Float3(9, 10, 9), new Float3(9, 9, 10) };
        var corners = new uint[] { 0, 1, 2, 3 };
        fixed (Float3* first = positions)
        fixed (Float3* second = poked)
        fixed (uint* index = corners)
        {
            var body = new PrxTetrahedralBody { positions = (IntPtr)first, tetrahedra = (IntPtr)index, vertexCount = 4, tetrahedronCount = 1 };
            PrxTetrahedralBody other = body;
            other.positions = (IntPtr)second;
            var room = new PrxVertexInside[4];
            int count;
            Check.True(context.TetrahedraInside(new[] { body, other }, room, out count) && count == 1, "one vertex inside");
            Check.True(room[0].vertexBody == 1 && room[0].vertex == 0 && room[0].tetrahedronBody == 0, "which");
            Check.Near(room[0].weights.x, 0.25, 1e-6, "its weight");
            // Its edges leave through the face x + y + z = 1.
            var depths = new PrxVertexDepth[4];
            Check.True(context.TetrahedraDepths(new[] { body, other }, depths, out count) && count == 1, "one vertex has a depth");
            Check.True(depths[0].vertexBody == 1 && depths[0].body == 0 && depths[0].steps == 1, "of which");
            Check.Near(depths[0].depth, 0.25 / Math.Sqrt(3), 1e-6, "how deep");
        }
    }

    static void Refusals()
    {
        Check.Refused(PrxStatus.NoDevice, "no such device", () => ProxelContext.Open("no such device"), "a device of no one");
        Check.Refused(PrxStatus.WrongState, "UnityPluginLoad", () => ProxelContext.OnUnity(), "Unity's device without Unity");
        Check.Refused(PrxStatus.InvalidArgument, "instance", () => ProxelContext.Adopt(PrxVulkanDevice.Default), "a device of nulls");
        Check.Refused(PrxStatus.InvalidArgument, "vertex 1",
                      () => Shapes.Triangle(context, new Float3(), new Float3(float.NaN, 0, 0), new Float3(0, 1, 0)), "a NaN");
        ProxelMesh mesh = Shapes.Cube(context, 1);
        using (ProxelField field = ProxelField.Bake(mesh))
        {
            field.Cancel();
            try { field.Wait(); } catch (ProxelException refusal) { Check.Equal(refusal.Status, PrxStatus.Cancelled, "cancelled"); }
        }
        mesh.Dispose();
        mesh.Dispose();
        Check.Refused(PrxStatus.InvalidHandle, "mesh", () => mesh.Bounds(), "a mesh after Dispose");
        PrxPose bad = origin;
        bad.rotation = new Float4(0, 0, 0, 3);
        using (ProxelMesh other = Shapes.Cube(context, 1))
        {
            Check.Refused(PrxStatus.InvalidArgument, "rotation", () => other.Bounds(bad), "a rotation of length 3");
            Check.True(other.Bounds().max.x == 1, "the context still answers");
        }
    }
}
