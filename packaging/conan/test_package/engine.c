/* The library that was found is the one that the header belongs to. */
#include <proxel.h>

#include <stdio.h>

int main(void) {
    printf("Proxel %s, ABI %u\n", prx_version_string(), (unsigned)prx_abi_version());
    return prx_abi_version() == PRX_ABI_VERSION ? 0 : 1;
}
