#pragma once

class FSubsystemCollectionBase {};

class UEngineSubsystem {
public:
    virtual ~UEngineSubsystem() = default;
    virtual void Initialize(FSubsystemCollectionBase&) {}
    virtual void Deinitialize() {}
};
