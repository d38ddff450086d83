using System.IO;
using UnrealBuildTool;

public class Proxel : ModuleRules
{
    public Proxel(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine" });
        PrivateDependencyModuleNames.Add("Projects");

        // scripts/package puts the library and its headers here.
        string folder = Path.Combine(PluginDirectory, "ThirdParty", "proxel");
        PublicSystemIncludePaths.Add(Path.Combine(folder, "include"));
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            // Loaded by the module, from the plugin's own folder, where Windows does not look by itself.
            PublicAdditionalLibraries.Add(Path.Combine(folder, "lib", "proxel.lib"));
            PublicDelayLoadDLLs.Add("proxel.dll");
            RuntimeDependencies.Add(Path.Combine(folder, "lib", "proxel.dll"));
        }
        else
        {
            string library = Path.Combine(folder, "lib", "libproxel.so");
            PublicAdditionalLibraries.Add(library);
            RuntimeDependencies.Add(library);
            RuntimeDependencies.Add(library + ".1");
        }
    }
}
