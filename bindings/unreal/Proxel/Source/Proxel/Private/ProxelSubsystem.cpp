#include "ProxelSubsystem.h"

#include "ProxelAxes.h"

#include <vector>

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

PrxScene SceneOf(FProxelHandle Handle) { return {static_cast<uint64_t>(Handle.Id)}; }
PrxObject ObjectOf(FProxelHandle Handle) { return {static_cast<uint64_t>(Handle.Id)}; }
FProxelHandle HandleOf(uint64_t Id) {
    FProxelHandle Handle;
    Handle.Id = static_cast<int64>(Id);
    return Handle;
}

PrxBodyPose BodyPose(const FProxelPose& P) {
    return ProxelAxes::BodyPoseToProxel(Plain(P.Location), {P.Rotation.X, P.Rotation.Y, P.Rotation.Z, P.Rotation.W});
}

PrxBody BodyOf(const FProxelBody& Given) {
    PrxBody Body = prx_body_default();
    const PrxBodyPose Place = BodyPose(Given.Pose);
    for (int Axis = 0; Axis < 3; ++Axis) Body.position[Axis] = Place.position[Axis];
    for (int Part = 0; Part < 4; ++Part) Body.rotation[Part] = Place.rotation[Part];
    Body.scale = static_cast<float>(Given.Scale);
    Body.mesh = MeshOf(Given.Mesh);
    Body.field = FieldOf(Given.Body);
    return Body;
}

PrxContactsDef UpTo(double Centimetres) {
    PrxContactsDef Def = prx_contacts_def_default();
    Def.distance = static_cast<float>(ProxelAxes::LengthToProxel(Centimetres));
    return Def;
}

FProxelContactPoint Point(const PrxContact& Found) {
    FProxelContactPoint Point;
    Point.PointOnA = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(Found.world_a)));
    Point.PointOnB = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(Found.world_b)));
    Point.Normal = Unreal(ProxelAxes::DirectionToUnreal(ProxelAxes::Read(Found.normal)));
    Point.Separation = ProxelAxes::LengthToUnreal(Found.separation);
    Point.Key = static_cast<int64>(Found.key);
    return Point;
}

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

bool UProxelSubsystem::Contacts(const FProxelBody& A, const FProxelBody& B, double Within, TArray<FProxelContactPoint>& Points,
                                FString& Sentence) {
    const PrxBody First = BodyOf(A), Second = BodyOf(B);
    const PrxContactsDef Def = UpTo(Within);
    std::vector<PrxContact> Found(std::size_t{Def.points} * Def.patches);
    uint64_t Count = 0;
    if (!Went(prx_body_contacts(Opened, &First, &Second, &Def, nullptr, 0, nullptr, Found.data(), Found.size(), &Count), Sentence))
        return false;
    Points.Empty();
    for (uint64_t I = 0; I < Count; ++I) Points.Add(Point(Found[I]));
    return true;
}

bool UProxelSubsystem::SoftContacts(const FProxelBody& Soft, const TArray<FProxelBody>& Bodies, double Within,
                                    TArray<FProxelSoftContact>& Points, FString& Sentence) {
    Points.Empty();
    if (Bodies.Num() == 0) return true;
    const PrxBody Meeting = BodyOf(Soft);
    std::vector<PrxBody> Others;
    for (const FProxelBody& Body : Bodies) Others.push_back(BodyOf(Body));
    PrxSoftContactsDef Def = prx_soft_contacts_def_default();
    Def.distance = static_cast<float>(ProxelAxes::LengthToProxel(Within));
    std::vector<PrxSoftContact> Found;
    uint64_t Count = 0;
    for (PrxStatus Status = PRX_STATUS_BUFFER_TOO_SMALL; Status == PRX_STATUS_BUFFER_TOO_SMALL;) {
        Found.resize(Count);
        Status = prx_body_soft_contacts(Opened, &Meeting, Others.data(), static_cast<uint32_t>(Others.size()), &Def, Found.data(), Count, &Count);
        if (Status != PRX_STATUS_BUFFER_TOO_SMALL && !Went(Status, Sentence)) return false;
    }
    for (uint64_t I = 0; I < Count; ++I) {
        const PrxSoftContact& From = Found[I];
        FProxelSoftContact Point;
        Point.Point = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(From.point)));
        Point.Normal = Unreal(ProxelAxes::DirectionToUnreal(ProxelAxes::Read(From.normal)));
        Point.Separation = ProxelAxes::LengthToUnreal(From.separation);
        Point.Body = static_cast<int32>(From.body);
        Point.VertexA = static_cast<int32>(From.vertices[0]);
        Point.VertexB = static_cast<int32>(From.vertices[1]);
        Point.VertexC = static_cast<int32>(From.vertices[2]);
        Point.Weights = FVector(From.weights[0], From.weights[1], From.weights[2]);
        Points.Add(Point);
    }
    return true;
}

bool UProxelSubsystem::AddScene(FProxelHandle& Scene, FString& Sentence) {
    PrxScene Made{};
    if (!Went(prx_scene_create(Opened, &Made), Sentence)) return false;
    Scene = HandleOf(Made.id);
    return true;
}

bool UProxelSubsystem::RemoveScene(FProxelHandle Scene, FString& Sentence) {
    return Went(prx_scene_destroy(Opened, SceneOf(Scene)), Sentence);
}

bool UProxelSubsystem::AddToScene(FProxelHandle Scene, const FProxelBody& Body, int32 Group, int32 Mask, FProxelHandle& Object,
                                  FString& Sentence) {
    const PrxBody Given = BodyOf(Body);
    const PrxBodyFilter Filter{static_cast<uint32_t>(Group), static_cast<uint32_t>(Mask)};
    PrxObject Made{};
    if (!Went(prx_scene_add_body(Opened, SceneOf(Scene), &Given, &Filter, &Made), Sentence)) return false;
    Object = HandleOf(Made.id);
    return true;
}

bool UProxelSubsystem::MoveInScene(FProxelHandle Scene, FProxelHandle Object, const FProxelPose& Pose, FString& Sentence) {
    const PrxObject Moved = ObjectOf(Object);
    const PrxBodyPose Place = BodyPose(Pose);
    return Went(prx_scene_move_bodies(Opened, SceneOf(Scene), &Moved, &Place, 1), Sentence);
}

bool UProxelSubsystem::RemoveFromScene(FProxelHandle Scene, FProxelHandle Object, FString& Sentence) {
    return Went(prx_scene_remove(Opened, SceneOf(Scene), ObjectOf(Object)), Sentence);
}

bool UProxelSubsystem::SceneContacts(FProxelHandle Scene, double Within, TArray<FProxelContactPair>& Pairs,
                                     TArray<FProxelContactPoint>& Points, FString& Sentence) {
    const PrxContactsDef Def = UpTo(Within);
    PrxSceneContacts Found{};
    if (!Went(prx_scene_contacts(Opened, SceneOf(Scene), &Def, &Found), Sentence)) return false;
    std::vector<PrxContactPair> Touching(Found.pairs);
    std::vector<PrxContact> Contacts(Found.contacts);
    uint64_t Count = 0;
    if (!Went(prx_scene_contact_pairs(Opened, SceneOf(Scene), Touching.data(), Touching.size(), &Count), Sentence) ||
        !Went(prx_scene_contact_points(Opened, SceneOf(Scene), Contacts.data(), Contacts.size(), &Count), Sentence))
        return false;
    Pairs.Empty();
    for (const PrxContactPair& From : Touching) {
        FProxelContactPair Pair;
        Pair.A = HandleOf(From.object_a.id);
        Pair.B = HandleOf(From.object_b.id);
        Pair.Event = static_cast<EProxelPairEvent>(From.event);
        Pair.FirstPoint = static_cast<int32>(From.first_contact);
        Pair.Points = static_cast<int32>(From.manifold.contacts);
        Pairs.Add(Pair);
    }
    Points.Empty();
    for (const PrxContact& From : Contacts) Points.Add(Point(From));
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

bool UProxelSubsystem::ExactIntersection(FProxelHandle A, const FProxelPose& PoseA, FProxelHandle B, const FProxelPose& PoseB, double& Volume,
                                         FVector& Centre, FString& Sentence) {
    const PrxPose Here = Pose(PoseA), There = Pose(PoseB);
    PrxExactIntersection Found{};
    if (!Went(prx_mesh_exact_intersection(Opened, MeshOf(A), &Here, MeshOf(B), &There, &Found), Sentence)) return false;
    Volume = ProxelAxes::VolumeToUnreal(Found.volume);
    Centre = Unreal(ProxelAxes::LengthToUnreal(ProxelAxes::Read(Found.centroid)));
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
