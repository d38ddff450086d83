using System;
using Proxel;

/// <summary>The device that this run is about.</summary>
static class Device
{
    internal static readonly string Wanted = Environment.GetEnvironmentVariable("PROXEL_TEST_DEVICE") ?? "";

    internal static ProxelContext Open(ProxelLog log = null) => ProxelContext.Open(Wanted, null, log);
}
