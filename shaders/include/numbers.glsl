// Whether a float is a number: by its bits, because compilers may take it that every float is, and turn comparisons round.
bool is_number(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }
