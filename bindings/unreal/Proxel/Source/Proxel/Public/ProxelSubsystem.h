// Proxel's queries for Blueprints. Lengths are centimetres, forces kg cm / s^2, as everywhere in Unreal.
#pragma once

#include "CoreMinimal.h"
#include "Subsystems/EngineSubsystem.h"

#include <proxel.h>

#include "ProxelSubsystem.generated.h"

/// A mesh or a field of the subsystem's.
USTRUCT(BlueprintType)
struct FProxelHandle {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int64 Id = 0;
};

/// The point of a mesh that is closest to a body, or deepest inside.
USTRUCT(BlueprintType)
struct FProxelProximity {
    GENERATED_BODY()

    /// Negative inside; the exact one lies between Lower and Upper.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    double Distance = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    double Lower = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    double Upper = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector PointOnMesh = FVector::ZeroVector;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector PointOnBody = FVector::ZeroVector;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    bool bPenetrating = false;
};

/// Penalty forces between a body and a mesh that penetrates it.
USTRUCT(BlueprintType)
struct FProxelContact {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector ForceOnBody = FVector::ZeroVector;
    /// About the body's origin.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector TorqueOnBody = FVector::ZeroVector;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector ForceOnMesh = FVector::ZeroVector;
    /// About the mesh's origin.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector TorqueOnMesh = FVector::ZeroVector;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    double Depth = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector Centre = FVector::ZeroVector;
};

/// Where a body is and how it moves.
USTRUCT(BlueprintType)
struct FProxelPose {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FVector Location = FVector::ZeroVector;
    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FQuat Rotation = FQuat::Identity;
    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FVector Velocity = FVector::ZeroVector;
    /// Radians per second.
    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FVector AngularVelocity = FVector::ZeroVector;
};

/// A mesh and its baked body, somewhere in the world.
USTRUCT(BlueprintType)
struct FProxelBody {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FProxelHandle Mesh;
    /// What BakeBody gave. One of two bodies that touch needs it.
    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FProxelHandle Body;
    /// Only where it is counts.
    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    FProxelPose Pose;
    UPROPERTY(BlueprintReadWrite, Category = "Proxel")
    double Scale = 1;
};

/// Where two bodies touch.
USTRUCT(BlueprintType)
struct FProxelContactPoint {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector PointOnA = FVector::ZeroVector;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector PointOnB = FVector::ZeroVector;
    /// From A to B.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector Normal = FVector::ZeroVector;
    /// Negative where the bodies penetrate.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    double Separation = 0;
    /// Equal in the next frame if it is the same contact.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int64 Key = 0;
};

/// Where a vertex, an edge or a face of a soft body is near another body.
USTRUCT(BlueprintType)
struct FProxelSoftContact {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector Point = FVector::ZeroVector;
    /// Out of the other body.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector Normal = FVector::ZeroVector;
    /// Negative inside of the other body.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    double Separation = 0;
    /// The place of the other body in the list.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int32 Body = 0;
    /// The vertices that it lies between, some of them equal for an edge, all for a vertex.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int32 VertexA = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int32 VertexB = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int32 VertexC = 0;
    /// Their weights.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FVector Weights = FVector::ZeroVector;
};

/// What became of a pair since the last frame.
UENUM(BlueprintType)
enum class EProxelPairEvent : uint8 { Began, Persists, Ended };

/// A pair of bodies of a scene that touch, or have just ended to.
USTRUCT(BlueprintType)
struct FProxelContactPair {
    GENERATED_BODY()

    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FProxelHandle A;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    FProxelHandle B;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    EProxelPairEvent Event = EProxelPairEvent::Began;
    /// Its points in the list of all.
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int32 FirstPoint = 0;
    UPROPERTY(BlueprintReadOnly, Category = "Proxel")
    int32 Points = 0;
};

/// One context for the engine. Every call gives false and a sentence when it could not.
UCLASS()
class PROXEL_API UProxelSubsystem : public UEngineSubsystem {
    GENERATED_BODY()

public:
    virtual void Initialize(FSubsystemCollectionBase& Collection) override;
    virtual void Deinitialize() override;

    /// Takes a mesh in; three indices a triangle, as Unreal has them. A scale is the caller's to apply.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool AddMesh(const TArray<FVector>& Vertices, const TArray<int32>& Triangles, bool bDeforming, FProxelHandle& Mesh, FString& Sentence);

    /// Hands over the positions of this frame.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool UpdateMesh(FProxelHandle Mesh, const TArray<FVector>& Vertices, FString& Sentence);

    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool RemoveMesh(FProxelHandle Mesh, FString& Sentence);

    /// Starts baking the distance field of a closed mesh: the body that the queries below are about.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool BakeBody(FProxelHandle Mesh, int32 Resolution, FProxelHandle& Body, FString& Sentence);

    /// Whether the bake is done.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool IsBaked(FProxelHandle Body, bool& bBaked, FString& Sentence);

    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool RemoveBody(FProxelHandle Body, FString& Sentence);

    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool Proximity(FProxelHandle Body, const FProxelPose& BodyPose, FProxelHandle Mesh, const FProxelPose& MeshPose,
                   FProxelProximity& Answer, FString& Sentence);

    /// Stiffness in newtons per metre and square metre, damping in newtons per metre a second and square metre.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool Penalty(FProxelHandle Body, const FProxelPose& BodyPose, FProxelHandle Mesh, const FProxelPose& MeshPose, double Stiffness,
                 double Damping, double Friction, FProxelContact& Answer, FString& Sentence);

    /// The points where two bodies touch or are at most so many centimetres apart.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool Contacts(const FProxelBody& A, const FProxelBody& B, double Within, TArray<FProxelContactPoint>& Points, FString& Sentence);

    /// Where the mesh of a soft body is near baked bodies: all vertices, edges and faces at most so many centimetres off.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool SoftContacts(const FProxelBody& Soft, const TArray<FProxelBody>& Bodies, double Within, TArray<FProxelSoftContact>& Points,
                      FString& Sentence);

    /// A scene of bodies whose contacts are found together.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool AddScene(FProxelHandle& Scene, FString& Sentence);

    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool RemoveScene(FProxelHandle Scene, FString& Sentence);

    /// Two bodies touch if each one's mask has a bit of the other's group.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool AddToScene(FProxelHandle Scene, const FProxelBody& Body, int32 Group, int32 Mask, FProxelHandle& Object, FString& Sentence);

    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool MoveInScene(FProxelHandle Scene, FProxelHandle Object, const FProxelPose& Pose, FString& Sentence);

    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool RemoveFromScene(FProxelHandle Scene, FProxelHandle Object, FString& Sentence);

    /// The points where bodies of a scene touch or are at most so many centimetres apart, and what became of each pair.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool SceneContacts(FProxelHandle Scene, double Within, TArray<FProxelContactPair>& Pairs, TArray<FProxelContactPoint>& Points,
                       FString& Sentence);

    /// The exact distance of two surfaces.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool Distance(FProxelHandle A, const FProxelPose& PoseA, FProxelHandle B, const FProxelPose& PoseB, double& Centimetres,
                  FString& Sentence);

    /// The volume that two closed meshes have in common, in cubic centimetres.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool IntersectionVolume(FProxelHandle A, const FProxelPose& PoseA, FProxelHandle B, const FProxelPose& PoseB, double& Volume,
                      FString& Sentence);

    /// The same exactly, but for the rounding of doubles. Centre is the middle of what they have in common.
    UFUNCTION(BlueprintCallable, Category = "Proxel")
    bool ExactIntersection(FProxelHandle A, const FProxelPose& PoseA, FProxelHandle B, const FProxelPose& PoseB, double& Volume, FVector& Centre,
                           FString& Sentence);

    /// For C++: everything else that proxel.h has.
    PrxContext* Context() const { return Opened; }

private:
    PrxContext* Opened = nullptr;
    FString WhyNot;
};
