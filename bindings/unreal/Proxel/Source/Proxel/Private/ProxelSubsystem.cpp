#include "ProxelSubsystem.h"

#include "ProxelAxes.h"

namespace {

ProxelAxes::Vector Plain(const FVector& V) { return {V.X, V.Y, V.Z}; }
FVector Unreal(ProxelAxes::Vector V) { return FVector(V.X, V.Y, V.Z); }

PrxPose Pose(const FProxelPose& P) {
    const ProxelAxes::Quaternion Turn{P.Rotation.X, P.Rotation.Y, P.Rotation.Z, P.Rotation.W};
    return ProxelAxes::PoseToProxel(Plain(P.Location), Turn, Plain(P.Velocity), Plain(P.AngularVelocity));
}

TArray<float> Positions(const TArray<FVector>& Vertices) {
    TArray<float> Packed;
    Packed.Reserve(3 * Vertices.Num());
    for (const FVector& Vertex : Vertices) {
        const ProxelAxes::Vector V = ProxelAxes::LengthToProxel(Plain(Vertex));
        for (double Number : {V.X, V.Y, V.Z}) Packed.Add(static_cast<float>(Number));
    }
    return Packed;
}

PrxMesh MeshOf(FProxelHandle Handle) { return {static_cast<uint64_t>(Handle.Id)}; }
PrxField FieldOf(FProxelHandle Handle) { return {static_cast<uint64_t>(Handle.Id)}; }

/// True, or the error message.
bool Went(PrxStatus Status, FString& Sentence) {
    Sentence = Status == PRX_STATUS_OK ? FString() : FString(UTF8_TO_TCHAR(prx_last_error(nullptr)));
    return Status == PRX_STATUS_OK;
}

}  // namespace

void UProxelSubsystem::Initialize(FSubsystemCollectionBase& Collection) {
    Super::Initialize(Collection);
    // A device of Proxel's own, beside Unreal's. Without one every call below is refused with a sentence, and Unreal goes on.
    Went(prx_context_create(nullptr, &Opened), WhyNot);
}

void UProxelSubsystem::Deinitialize() {
    if (Opened != nullptr) prx_context_destroy(Opened);
    Opened = nullptr;
    Super::Deinitialize();
}

bool UProxelSubsystem::AddMesh(const TArray<FVector>& Vertices, const TArray<int32>& Triangles, bool bDeforming, FProxelHandle& Mesh,
                               FString& Sentence) {
    if (Opened == nullptr) {
        Sentence = WhyNot;
        return false;
    }
    const TArray<float> Packed = Positions(Vertices);
    PrxMeshDef Def = prx_mesh_def_default();
    Def.flags = bDeforming ? PRX_MESH_DEFORMING : 0;
    Def.vertex_count = static_cast<uint32_t>(Vertices.Num());
    Def.triangle_count = static_cast<uint32_t>(Triangles.Num() / 3);
    Def.positions = Packed.GetData();
    Def.position_stride = 3 * sizeof(float);
    Def.indices = Triangles.GetData();
    PrxMesh Made{};
    if (!Went(prx_mesh_create(Opened, &Def, &Made), Sentence)) return false;
    Mesh.Id = static_cast<int64>(Made.id);
    return true;
}

bool UProxelSubsystem::UpdateMesh(FProxelHandle Mesh, const TArray<FVector>& Vertices, FString& Sentence) {
    const TArray<float> Packed = Positions(Vertices);
    const uint32_t Count = static_cast<uint32_t>(Vertices.Num());
    return Went(prx_mesh_update(Opened, MeshOf(Mesh), 0, Count, Packed.GetData(), 3 * sizeof(float)), Sentence);
}

bool UProxelSubsystem::RemoveMesh(FProxelHandle Mesh, FString& Sentence) {
    return Went(prx_mesh_destroy(Opened, MeshOf(Mesh)), Sentence);
}

bool UProxelSubsystem::BakeBody(FProxelHandle Mesh, int32 Resolution, FProxelHandle& Body, FString& Sentence) {
    PrxFieldDef Def = prx_field_def_default();
    Def.resolution = static_cast<uint32_t>(Resolution);
    PrxField Made{};
    if (!Went(prx_field_bake(Opened, MeshOf(Mesh), &Def, &Made), Sentence)) return false;
    Body.Id = static_cast<int64>(Made.id);
    return true;
}

bool UProxelSubsystem::IsBaked(FProxelHandle Body, bool& bBaked, FString& Sentence) {
    const PrxStatus Status = prx_field_wait(Opened, FieldOf(Body), 0);
    bBaked = Status == PRX_STATUS_OK;
    return Status == PRX_STATUS_TIMEOUT || Went(Status, Sentence);
}

bool UProxelSubsystem::RemoveBody(FProxelHandle Body, FString& Sentence) {
    return Went(prx_field_destroy(Opened, FieldOf(Body)), Sentence);
}

bool UProxelSubsystem::Proximity(FProxelHandle Body, const FProxelPose& BodyPose, FProxelHandle Mesh, const FProxelPose& MeshPose,
                                 FProxelProximity& Answer, FString& Sentence) {
    const PrxPose Here = Pose(BodyPose), There = Pose(MeshPose);
    PrxProximity Found{};
    if (!Went(prx_field_proximity(Opened, FieldOf(Body), &Here, MeshOf(Mesh), &There, nullptr, &Found), Sentence)) return false;
    Answer.Distance = ProxelAxes::LengthToUnreal(Found.distance);
    Answer.Lower = ProxelAxes::LengthToUnreal(Found.lower);
    Answer.Upper = ProxelAxes::LengthToUnreal(Found.upper);
    Answer.PointOnMesh = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(Found.point_mesh)));
    Answer.PointOnBody = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(Found.point_field)));
    Answer.bPenetrating = Found.penetrating != 0;
    return true;
}

bool UProxelSubsystem::Penalty(FProxelHandle Body, const FProxelPose& BodyPose, FProxelHandle Mesh, const FProxelPose& MeshPose,
                               double Stiffness, double Damping, double Friction, FProxelContact& Answer, FString& Sentence) {
    const PrxPose Here = Pose(BodyPose), There = Pose(MeshPose);
    PrxPenaltyDef Def = prx_penalty_def_default();
    Def.stiffness = static_cast<float>(Stiffness);
    Def.damping = static_cast<float>(Damping);
    Def.friction = static_cast<float>(Friction);
    PrxPenalty Found{};
    if (!Went(prx_field_penalty(Opened, FieldOf(Body), &Here, MeshOf(Mesh), &There, &Def, &Found), Sentence)) return false;
    Answer.ForceOnBody = Unreal(ProxelAxes::ForceToUnreal(ProxelAxes::Read(Found.force_sum)));
    Answer.TorqueOnBody = Unreal(ProxelAxes::TorqueToUnreal(ProxelAxes::Read(Found.torque_sum)));
    Answer.ForceOnMesh = Unreal(ProxelAxes::ForceToUnreal(ProxelAxes::Read(Found.mesh_force_sum)));
    Answer.TorqueOnMesh = Unreal(ProxelAxes::TorqueToUnreal(ProxelAxes::Read(Found.mesh_torque_sum)));
    Answer.Depth = ProxelAxes::LengthToUnreal(Found.depth);
    Answer.Centre = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(Found.centroid)));
    return true;
}

bool UProxelSubsystem::Distance(FProxelHandle A, const FProxelPose& PoseA, FProxelHandle B, const FProxelPose& PoseB,
                                double& Centimetres, FString& Sentence) {
    const PrxPose Here = Pose(PoseA), There = Pose(PoseB);
    PrxDistance Found{};
    if (!Went(prx_mesh_distance(Opened, MeshOf(A), &Here, MeshOf(B), &There, nullptr, &Found), Sentence)) return false;
    Centimetres = ProxelAxes::LengthToUnreal(Found.distance);
    return true;
}

bool UProxelSubsystem::IntersectionVolume(FProxelHandle A, const FProxelPose& PoseA, FProxelHandle B, const FProxelPose& PoseB,
                                    double& Volume, FString& Sentence) {
    const PrxPose Here = Pose(PoseA), There = Pose(PoseB);
    PrxIntersectionVolume Found{};
    if (!Went(prx_mesh_intersection_volume(Opened, MeshOf(A), &Here, MeshOf(B), &There, nullptr, &Found, nullptr), Sentence)) return false;
    Volume = ProxelAxes::VolumeToUnreal(Found.volume);
    return true;
}
