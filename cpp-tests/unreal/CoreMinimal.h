// Stand-ins for what the plugin uses of Unreal: enough to compile it, and to run its subsystem without Unreal.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#define TEXT(text) text
#define UTF8_TO_TCHAR(text) text
#define USTRUCT(...)
#define UCLASS(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY()
#define PROXEL_API
#define DEFINE_LOG_CATEGORY_STATIC(category, level, most)
#define UE_LOG(category, level, ...) std::fprintf(stderr, __VA_ARGS__)

using uint8 = std::uint8_t;
using int32 = std::int32_t;
using int64 = std::int64_t;

class FString {
public:
    FString() = default;
    explicit FString(const char* text) : text_(text) {}
    const char* operator*() const { return text_.c_str(); }
    bool IsEmpty() const { return text_.empty(); }

private:
    std::string text_;
};

template <typename T>
class TArray {
public:
    void Reserve(int32 count) { items_.reserve(static_cast<std::size_t>(count)); }
    void Add(T item) { items_.push_back(item); }
    void Empty() { items_.clear(); }
    const T& operator[](int32 at) const { return items_[static_cast<std::size_t>(at)]; }
    int32 Num() const { return static_cast<int32>(items_.size()); }
    const T* GetData() const { return items_.data(); }
    const T* begin() const { return items_.data(); }
    const T* end() const { return items_.data() + items_.size(); }

private:
    std::vector<T> items_;
};

struct FVector {
    double X = 0, Y = 0, Z = 0;
    FVector() = default;
    FVector(double x, double y, double z) : X(x), Y(y), Z(z) {}
    static const FVector ZeroVector;
};
inline const FVector FVector::ZeroVector;

struct FQuat {
    double X = 0, Y = 0, Z = 0, W = 1;
    static const FQuat Identity;
};
inline const FQuat FQuat::Identity;
