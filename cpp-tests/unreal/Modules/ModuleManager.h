#pragma once

class IModuleInterface {
public:
    virtual ~IModuleInterface() = default;
    virtual void StartupModule() {}
    virtual void ShutdownModule() {}
};

#define IMPLEMENT_MODULE(type, name) \
    IModuleInterface& start_##name() { \
        static type module; \
        module.StartupModule(); \
        return module; \
    }
