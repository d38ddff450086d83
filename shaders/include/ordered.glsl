// Integers in the order of the floats.
uint ordered(float value)
{
    uint bits = floatBitsToUint(value);
    return (bits >> 31) == 1u ? ~bits : bits | 0x80000000u;
}
float unordered(uint word) { return uintBitsToFloat((word >> 31) == 1u ? word & 0x7fffffffu : ~word); }
