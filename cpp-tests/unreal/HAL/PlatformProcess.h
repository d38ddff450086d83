#pragma once

#include <dlfcn.h>

struct FPlatformProcess {
    static void* GetDllHandle(const char* file) { return dlopen(file, RTLD_NOW); }
    static void FreeDllHandle(void* library) { dlclose(library); }
};
