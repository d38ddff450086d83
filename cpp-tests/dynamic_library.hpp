// A library that is loaded by its path, as engines load plugins.
#pragma once

#ifdef _WIN32
#include <windows.h>
// windows.h names these.
#undef near
#undef far
#else
#include <dlfcn.h>
#endif

#include "test.hpp"

namespace test {

class DynamicLibrary {
public:
    explicit DynamicLibrary(const char* path) {
#ifdef _WIN32
        library_ = LoadLibraryA(path);
        REQUIRE_MESSAGE(library_ != nullptr, path, " cannot be loaded: error ", GetLastError());
#else
        library_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        REQUIRE_MESSAGE(library_ != nullptr, "dlopen: ", dlerror());
#endif
    }
    DynamicLibrary(const DynamicLibrary&) = delete;
    ~DynamicLibrary() {
#ifdef _WIN32
        FreeLibrary(library_);
#else
        dlclose(library_);
#endif
    }

    template <typename Function>
    void get(const char* name, Function& function) const {
#ifdef _WIN32
        function = reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(library_, name)));
#else
        function = reinterpret_cast<Function>(dlsym(library_, name));
#endif
        REQUIRE_MESSAGE((function != nullptr), "the library has no ", name);
    }

private:
#ifdef _WIN32
    HMODULE library_ = nullptr;
#else
    void* library_ = nullptr;
#endif
};

}  // namespace test
