// Misuses memory on purpose, to see that the sanitizers and valgrind are really watching. The values are volatile so
// that the compiler cannot foresee the fault.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

int main(int count, char** words) {
    if (count != 2) {
        std::fprintf(stderr, "which fault: heap-buffer-overflow, signed-integer-overflow or leak?\n");
        return 2;
    }
    const char* fault = words[1];
    if (std::strcmp(fault, "heap-buffer-overflow") == 0) {
        volatile std::size_t size = 2;
        volatile char* block = static_cast<char*>(std::malloc(size));
        block[size] = 1;
        std::free(const_cast<char*>(block));
    } else if (std::strcmp(fault, "signed-integer-overflow") == 0) {
        volatile int largest = std::numeric_limits<int>::max();
        largest = largest + count;
    } else if (std::strcmp(fault, "leak") == 0) {
        void* volatile block = std::malloc(1000);
        block = nullptr;
        (void)block;
    } else {
        return 2;
    }
    std::printf("nobody noticed the %s\n", fault);
    return 0;
}
