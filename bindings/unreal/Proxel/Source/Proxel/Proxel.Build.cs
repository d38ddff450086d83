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
        string library = Path.Combine(folder, "lib", "libproxel.so");
        PublicSystemIncludePaths.Add(Path.Combine(folder, "include"));
        PublicAdditionalLibraries.Add(library);
        RuntimeDependencies.Add(library);
        RuntimeDependencies.Add(library + ".1");
    }
}
