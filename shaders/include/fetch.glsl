// How buffers are read: through texel views where all that a kernel reads has one, since software devices read texels several times
// faster than storage; otherwise as storage.
//
// axis fetch: texel=TEXEL storage
