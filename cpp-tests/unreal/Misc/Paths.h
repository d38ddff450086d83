#pragma once

#include "CoreMinimal.h"

struct FPaths {
    static FString Combine(const FString& folder, const char* file) { return FString((std::string(*folder) + "/" + file).c_str()); }
};
