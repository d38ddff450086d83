using System;
using System.Runtime.InteropServices;

namespace Proxel
{
    /// <summary>A signed distance field, baked from a closed mesh or made otherwise.</summary>
    public sealed unsafe class ProxelField : ProxelObject
    {
        /// <summary>As long as it takes.</summary>
        public const ulong Forever = ulong.MaxValue;

        ProxelField(ProxelContext context, PrxField field) : base(context, field.id) { }

        /// <summary>Starts baking the field of a mesh as it is now. It can be used when <see cref="Wait"/> returns.</summary>
        public static ProxelField Bake(ProxelMesh mesh, PrxFieldDef? def = null)
        {
            PrxFieldDef asked = def.GetValueOrDefault();
            PrxField field;
            mesh.Check(Native.prx_field_bake(mesh.Context.Raw, mesh.Raw, def.HasValue ? &asked : null, &field));
            return new ProxelField(mesh.Context, field);
        }

        /// <summary>A field that follows a deforming mesh: a batch bakes it anew on the device.</summary>
        public static ProxelField Live(ProxelMesh mesh, float band, PrxFieldDef? def = null)
        {
            PrxFieldDef asked = def.GetValueOrDefault();
            PrxField field;
            mesh.Check(Native.prx_field_create_live(mesh.Context.Raw, mesh.Raw, def.HasValue ? &asked : null, band, &field));
            return new ProxelField(mesh.Context, field);
        }

        /// <summary>The field of a shape with a closed-form distance.</summary>
        public static ProxelField FromShape(ProxelContext context, PrxShape shape, PrxFieldDef? def = null)
        {
            PrxFieldDef asked = def.GetValueOrDefault();
            PrxField field;
            Call.Check(Native.prx_field_from_shape(context.Raw, &shape, def.HasValue ? &asked : null, &field), context);
            return new ProxelField(context, field);
        }

        /// <summary>A field from distances at the nodes of a grid, x fastest; see prx_field_from_samples.</summary>
        public static ProxelField FromSamples(ProxelContext context, PrxGrid grid, ReadOnlySpan<float> distances,
                                              ReadOnlySpan<Float3> directions = default(ReadOnlySpan<Float3>), float error = -1,
                                              PrxPrecision precision = PrxPrecision.F32)
        {
            ulong nodes = (ulong)grid.nodes.x * grid.nodes.y * grid.nodes.z;
            if ((ulong)distances.Length != nodes || (directions.Length != 0 && (ulong)directions.Length != nodes))
                throw new ArgumentException("the grid has " + nodes + " nodes, but there are " + distances.Length + " distances and " +
                                            directions.Length + " directions");
            PrxField field;
            fixed (float* distance = &MemoryMarshal.GetReference(distances))
            fixed (Float3* direction = &MemoryMarshal.GetReference(directions))
                Call.Check(Native.prx_field_from_samples(context.Raw, &grid, distance,
                                                         directions.Length == 0 ? null : (float*)direction, error, precision,
                                                         &field), context);
            return new ProxelField(context, field);
        }

        /// <summary>Loads a field from a .prxf or .nrrd file.</summary>
        public static ProxelField Load(ProxelContext context, string path)
        {
            PrxField field;
            fixed (byte* file = Text.Write(path)) Call.Check(Native.prx_field_load(context.Raw, file, &field), context);
            return new ProxelField(context, field);
        }

        /// <summary>Reads a field in the .prxf format from memory.</summary>
        public static ProxelField Read(ProxelContext context, ReadOnlySpan<byte> data)
        {
            PrxField field;
            fixed (byte* from = &MemoryMarshal.GetReference(data))
                Call.Check(Native.prx_field_read(context.Raw, from, (ulong)data.Length, &field), context);
            return new ProxelField(context, field);
        }

        /// <summary>A body with this field at the world's origin: set its place, scale and offsets. Keep the field until it was asked about.</summary>
        public PrxBody Body()
        {
            PrxBody body = PrxBody.Default;
            body.field = Raw;
            return body;
        }

        internal PrxField Raw => new PrxField { id = Id };

        protected override bool ReleaseHandle()
        {
            return Native.prx_field_destroy(Context.Raw, new PrxField { id = LastId }) == PrxStatus.Ok;
        }

        /// <summary>How much of the bake is done, from 0 to 1; <paramref name="done"/> when it has ended, well or not.</summary>
        public float Progress(out bool done)
        {
            float progress;
            uint ended;
            Check(Native.prx_field_progress(Context.Raw, Raw, &progress, &ended));
            done = ended != 0;
            return progress;
        }

        /// <summary>Waits for the bake. False when the time passed first; a bake that failed throws.</summary>
        public bool Wait(ulong nanoseconds = Forever)
        {
            PrxStatus status = Native.prx_field_wait(Context.Raw, Raw, nanoseconds);
            if (status == PrxStatus.Timeout) return false;
            Check(status);
            return true;
        }

        /// <summary>Stops the bake.</summary>
        public void Cancel() => Check(Native.prx_field_cancel(Context.Raw, Raw));

        /// <summary>Its grid, storage, error bound and bytes.</summary>
        public PrxFieldInfo Info
        {
            get
            {
                PrxFieldInfo info;
                Check(Native.prx_field_info(Context.Raw, Raw, &info));
                return info;
            }
        }

        /// <summary>Saves the field to a file: .nrrd, or anything else for the .prxf format.</summary>
        public void Save(string path)
        {
            fixed (byte* file = Text.Write(path)) Check(Native.prx_field_save(Context.Raw, Raw, file));
        }

        /// <summary>The field in the .prxf format.</summary>
        public byte[] Write()
        {
            ulong size = 0;
            Fits(Native.prx_field_write(Context.Raw, Raw, null, 0, &size));
            var data = new byte[size];
            fixed (byte* to = data) Check(Native.prx_field_write(Context.Raw, Raw, to, size, &size));
            return data;
        }

        /// <summary>Samples the field, placed by <paramref name="pose"/> or not moved, at points of the world.</summary>
        public void Sample(ReadOnlySpan<Float3> points, Span<PrxSample> samples, PrxPose? pose = null)
        {
            if (samples.Length < points.Length)
                throw new ArgumentException("room for " + samples.Length + " samples, but there are " + points.Length + " points");
            PrxPose placed = pose.GetValueOrDefault();
            fixed (Float3* from = &MemoryMarshal.GetReference(points))
            fixed (PrxSample* to = &MemoryMarshal.GetReference(samples))
                Check(Native.prx_field_sample(Context.Raw, Raw, pose.HasValue ? &placed : null, from, (uint)points.Length, (ulong)sizeof(Float3), to));
        }

        /// <summary>The point of a mesh with the smallest signed distance to this field's body, with a certificate.</summary>
        public PrxProximity Proximity(PrxPose pose, ProxelMesh mesh, PrxPose meshPose, PrxProximityDef? def = null)
        {
            PrxProximityDef asked = def.GetValueOrDefault();
            PrxProximity proximity;
            Check(Native.prx_field_proximity(Context.Raw, Raw, &pose, mesh.Raw, &meshPose, def.HasValue ? &asked : null, &proximity));
            GC.KeepAlive(mesh);
            return proximity;
        }

        /// <summary>The penalty forces between this field's body and a mesh that penetrates it.</summary>
        public PrxPenalty Penalty(PrxPose pose, ProxelMesh mesh, PrxPose meshPose, PrxPenaltyDef? def = null)
        {
            PrxPenaltyDef asked = def.GetValueOrDefault();
            PrxPenalty penalty;
            Check(Native.prx_field_penalty(Context.Raw, Raw, &pose, mesh.Raw, &meshPose, def.HasValue ? &asked : null, &penalty));
            GC.KeepAlive(mesh);
            return penalty;
        }

        /// <summary>Whether a mesh touches or enters this field's body.</summary>
        public PrxOverlap Overlap(PrxPose pose, ProxelMesh mesh, PrxPose meshPose, PrxOverlapDef? def = null)
        {
            PrxOverlapDef asked = def.GetValueOrDefault();
            PrxOverlap overlap;
            Check(Native.prx_field_overlap(Context.Raw, Raw, &pose, mesh.Raw, &meshPose, def.HasValue ? &asked : null, &overlap));
            GC.KeepAlive(mesh);
            return overlap;
        }

        /// <summary>Static friction of a contact: the force on the field's body. The caller keeps the anchor between steps.</summary>
        public static Float3 StaticFriction(PrxPenalty contact, PrxPose fieldPose, PrxPose meshPose, float coefficient, float stiffness,
                                            ref PrxAnchor anchor)
        {
            Float3 force;
            fixed (PrxAnchor* held = &anchor)
                Call.Check(Native.prx_static_friction(&contact, &fieldPose, &meshPose, coefficient, stiffness, held, (float*)&force));
            return force;
        }
    }
}
