// Loads the library before anything calls it, so that a missing or foreign one is a sentence in the log.
#include "CoreMinimal.h"
#include "HAL/PlatformProcess.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"
#include "Modules/ModuleManager.h"

#include <proxel.h>

DEFINE_LOG_CATEGORY_STATIC(LogProxel, Log, All);

class FProxelModule : public IModuleInterface {
public:
    virtual void StartupModule() override {
        const FString Folder = IPluginManager::Get().FindPlugin(TEXT("Proxel"))->GetBaseDir();
#if defined(PLATFORM_WINDOWS) && PLATFORM_WINDOWS
        const FString File = FPaths::Combine(Folder, TEXT("ThirdParty/proxel/lib/proxel.dll"));
#else
        const FString File = FPaths::Combine(Folder, TEXT("ThirdParty/proxel/lib/libproxel.so"));
#endif
        Library = FPlatformProcess::GetDllHandle(*File);
        if (Library == nullptr) {
            UE_LOG(LogProxel, Error, TEXT("%s cannot be loaded: take the plugin from a package made by scripts/package"), *File);
        } else if (prx_abi_version() != PRX_ABI_VERSION) {
            UE_LOG(LogProxel, Error, TEXT("%s has version %u of Proxel's ABI, and this plugin was built for %u"), *File,
                   prx_abi_version(), PRX_ABI_VERSION);
        }
    }

    virtual void ShutdownModule() override {
        if (Library != nullptr) FPlatformProcess::FreeDllHandle(Library);
        Library = nullptr;
    }

private:
    void* Library = nullptr;
};

IMPLEMENT_MODULE(FProxelModule, Proxel)
