#pragma once

#include "CoreMinimal.h"

struct IPlugin {
    FString GetBaseDir() const { return FString("."); }
};

struct IPluginManager {
    static IPluginManager& Get() {
        static IPluginManager manager;
        return manager;
    }
    const IPlugin* FindPlugin(const char*) const {
        static const IPlugin plugin;
        return &plugin;
    }
};
