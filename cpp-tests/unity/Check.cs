using System;
using Proxel;

/// <summary>A test says what is so; what is not is told, and the test goes on.</summary>
static class Check
{
    static int checks, failures;

    internal static bool True(bool held, string what)
    {
        ++checks;
        if (held) return true;
        ++failures;
        Console.Error.WriteLine("not so: " + what);
        return false;
    }

    internal static void Equal<T>(T found, T expected, string what)
    {
        True(found.Equals(expected), what + ": " + found + " is not " + expected);
    }

    internal static void Near(double found, double expected, double tolerance, string what)
    {
        // Written so that a NaN fails.
        True(Math.Abs(found - expected) <= tolerance, what + ": " + found + " is not within " + tolerance + " of " + expected);
    }

    /// <summary>The truth lies in a certificate, and the certificate is worth something.</summary>
    internal static void Holds(double lower, double truth, double upper, double width, string what)
    {
        True(lower <= truth && truth <= upper && upper - lower <= width,
             what + ": " + truth + " is not in [" + lower + ", " + upper + "], or that is wider than " + width);
    }

    internal static void Refused(PrxStatus status, string part, Action call, string what)
    {
        try
        {
            call();
            True(false, what + " was not refused");
        }
        catch (ProxelException refusal)
        {
            True(refusal.Status == status && refusal.Message.Contains(part),
                 what + " should give " + status + " and say \"" + part + "\", but: " + refusal.Status + ": " + refusal.Message);
        }
    }

    internal static int Finish()
    {
        Console.WriteLine(checks + " checks, " + failures + " failed");
        return checks > 0 && failures == 0 ? 0 : 1;
    }
}
