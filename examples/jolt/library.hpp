// Jolt's allocator, factory and types, and the collision functions of solids.
#pragma once

#include "solid_shape.hpp"

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/Memory.h>
#include <Jolt/RegisterTypes.h>

#include <mutex>

namespace jolt {

// While one lives, Jolt can be used. An engine that has Jolt already calls SolidShape::register_all instead.
class Library {
public:
    Library() {
        std::lock_guard lock(mutex());
        if (users()++ > 0) return;
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory();
        JPH::RegisterTypes();
        SolidShape::register_all();
    }
    ~Library() {
        std::lock_guard lock(mutex());
        if (--users() > 0) return;
        JPH::UnregisterTypes();
        delete JPH::Factory::sInstance;
        JPH::Factory::sInstance = nullptr;
    }
    Library(const Library&) = delete;

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static int& users() {
        static int count = 0;
        return count;
    }
};

} // namespace jolt
