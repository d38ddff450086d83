// Unreal's header tool writes this one. What it adds to the class:
#pragma once

#define Super UEngineSubsystem
