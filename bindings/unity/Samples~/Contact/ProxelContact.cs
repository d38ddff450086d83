using Proxel;
using UnityEngine;

/// <summary>
/// Lets this body touch another by penalty forces, whatever their shapes: put it on one of two bodies, whose own colliders stay
/// off, and name the other. This body's mesh must be closed.
/// </summary>
[RequireComponent(typeof(Rigidbody), typeof(MeshFilter))]
public sealed class ProxelContact : MonoBehaviour
{
    [Tooltip("The other body.")]
    public Rigidbody other;

    [Tooltip("Force per depth and area.")]
    public float stiffness = 1000;

    [Tooltip("Force per normal velocity and area.")]
    public float damping = 10;

    [Tooltip("The dynamic friction coefficient.")]
    public float friction = 0.3f;

    /// <summary>The last contact.</summary>
    public PrxPenalty Contact { get; private set; }

    ProxelContext context;
    ProxelMesh solid, surface;
    ProxelField field;
    Rigidbody body;

    void Start()
    {
        body = GetComponent<Rigidbody>();
        context = OpenContext();
        solid = UnityBodies.CreateMesh(context, GetComponent<MeshFilter>().sharedMesh, transform.lossyScale);
        surface = UnityBodies.CreateMesh(context, other.GetComponent<MeshFilter>().sharedMesh, other.transform.lossyScale);
        field = ProxelField.Bake(solid);
    }

    static ProxelContext OpenContext()
    {
        try
        {
            return ProxelContext.OnUnity();
        }
        catch (ProxelException refusal)
        {
            Debug.LogWarning("Proxel opens a device of its own: " + refusal.Message);
            return ProxelContext.Open();
        }
    }

    void FixedUpdate()
    {
        // A bake takes a moment; until then nothing touches.
        if (!field.Wait(0)) return;
        PrxPenaltyDef def = PrxPenaltyDef.Default;
        def.stiffness = stiffness;
        def.damping = damping;
        def.friction = friction;
        def.fieldCenter = body.centerOfMass.ToProxel();
        def.meshCenter = other.centerOfMass.ToProxel();
        Contact = field.Penalty(body.ToProxel(), surface, other.ToProxel(), def);
        body.AddForce(Contact.forceSum.ToUnity());
        body.AddTorque(Contact.torqueSum.ToUnity());
        other.AddForce(Contact.meshForceSum.ToUnity());
        other.AddTorque(Contact.meshTorqueSum.ToUnity());
    }

    void OnDestroy()
    {
        // Start may not have come this far.
        if (field != null) field.Dispose();
        if (surface != null) surface.Dispose();
        if (solid != null) solid.Dispose();
        if (context != null) context.Dispose();
    }
}
