using System;

namespace Proxel
{
    /// <summary>A call that Proxel refused. The message is Proxel's own sentence: what was wrong, and what to do.</summary>
    public sealed class ProxelException : Exception
    {
        /// <summary>What kind of refusal it is.</summary>
        public PrxStatus Status { get; }

        internal ProxelException(PrxStatus status, string sentence) : base(sentence)
        {
            Status = status;
        }
    }

    static unsafe class Call
    {
        /// <summary>Throws what went wrong in a call that no context took part in.</summary>
        internal static void Check(PrxStatus status)
        {
            if (status != PrxStatus.Ok) throw Refusal(status);
        }

        /// <summary>Throws what went wrong in a call on a context.</summary>
        internal static void Check(PrxStatus status, ProxelContext context)
        {
            if (status != PrxStatus.Ok) throw Refusal(status);
            GC.KeepAlive(context);
        }

        /// <summary>Throws what went wrong, except that an answer did not fit; tells whether it did.</summary>
        internal static bool Fits(PrxStatus status, ProxelContext context)
        {
            if (status == PrxStatus.BufferTooSmall) return false;
            Check(status, context);
            return true;
        }

        static ProxelException Refusal(PrxStatus status)
        {
            // The last failure of this thread on anything: a call that found no context is filed under none.
            string sentence = Text.Read(Native.prx_last_error(IntPtr.Zero));
            return new ProxelException(status, sentence.Length > 0 ? sentence : Text.Read(Native.prx_status_name((uint)status)));
        }
    }
}
