// Integers of 64 bits in two words, low word first, for devices without them.
uvec2 sum64(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}
uvec2 minus64(uvec2 a) { return sum64(~a, uvec2(1, 0)); }
bool is_negative64(uvec2 a) { return (a.y >> 31) == 1; }
uvec2 size64(uvec2 a) { return is_negative64(a) ? minus64(a) : a; }
// Rounded three times: off by at most 2e-7 of it.
float real64(uvec2 a)
{
    uvec2 size = size64(a);
    float value = float(size.y) * 4294967296.0 + float(size.x);
    return is_negative64(a) ? -value : value;
}
