/* The public header as strict C99; header.cpp compares what it sees. */
#include <proxel.h>

uint32_t abi_version_in_c(void);
uint32_t abi_version_in_c(void) { return PRX_ABI_VERSION; }
