// The sum of the values of the lanes before, and that of all. LANES lanes of one workgroup; all must call. SCANNED is the type of the
// values: whole numbers, so that the order of the sums does not matter.
shared SCANNED scan_sums[LANES];

SCANNED scan_before(SCANNED own, out SCANNED total)
{
    uint lane = gl_LocalInvocationID.x;
    barrier();
    scan_sums[lane] = own;
    for (uint reach = 1; reach < LANES; reach *= 2) {
        barrier();
        SCANNED other = lane >= reach ? scan_sums[lane - reach] : SCANNED(0);
        barrier();
        scan_sums[lane] += other;
    }
    barrier();
    total = scan_sums[LANES - 1];
    return scan_sums[lane] - own;
}
