// The Unreal plugin's subsystem against stand-ins for Unreal: a contact that is known by hand, in centimetres on left-handed axes.
#include <ProxelSubsystem.h>

#include <cmath>
#include <string>

#include "test.hpp"

class IModuleInterface;
IModuleInterface& start_Proxel();

namespace {

/// A box as Unreal's own box generator winds it: seen from outside, (C - A) x (B - A) points at the viewer.
void box(double half, TArray<FVector>& vertices, TArray<int32>& triangles) {
    for (int corner = 0; corner < 8; ++corner)
        vertices.Add(FVector((corner & 1) != 0 ? half : -half, (corner & 2) != 0 ? half : -half, (corner & 4) != 0 ? half : -half));
    for (int32 index : {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7})
        triangles.Add(index);
}

bool told(bool went, const FString& sentence, int line) {
    return test::record(went, __FILE__, line, std::string("refused: ") + *sentence);
}
#define WENT(call) told((call), sentence, __LINE__)

/// The small box 0.5 cm inside the right side of the large one: its four left corners touch there.
void check_corners(const TArray<FProxelContactPoint>& points, int32 first) {
    for (int32 i = first; i < first + 4; ++i) {
        CHECK_NEAR(points[i].PointOnB.Y, 99.5, 1e-2);
        CHECK_NEAR(points[i].PointOnA.Y, 100, 1e-1);
        CHECK_NEAR(std::abs(points[i].PointOnB.X), 50, 1e-2);
        CHECK_NEAR(std::abs(points[i].PointOnB.Z), 50, 1e-2);
        CHECK_NEAR(points[i].Normal.Y, 1, 1e-3);
        CHECK_NEAR(points[i].Separation, -0.5, 1e-1);
    }
}

void the_corners_that_touch(UProxelSubsystem& proxel, FProxelHandle large, FProxelHandle field, FProxelHandle small) {
    FString sentence;
    FProxelBody a, b;
    a.Mesh = large;
    a.Body = field;
    b.Mesh = small;
    b.Pose.Location = FVector(0, 149.5, 0);
    TArray<FProxelContactPoint> points;
    WENT(proxel.Contacts(a, b, 1, points, sentence));
    REQUIRE_EQ(points.Num(), 4);
    check_corners(points, 0);

    FProxelHandle scene, still, moving;
    TArray<FProxelContactPair> pairs;
    WENT(proxel.AddScene(scene, sentence));
    WENT(proxel.AddToScene(scene, a, 1, 3, still, sentence));
    WENT(proxel.AddToScene(scene, b, 2, 1, moving, sentence));
    WENT(proxel.SceneContacts(scene, 1, pairs, points, sentence));
    REQUIRE_EQ(pairs.Num(), 1);
    CHECK_EQ(pairs[0].A.Id, still.Id);
    CHECK_EQ(pairs[0].B.Id, moving.Id);
    CHECK((pairs[0].Event == EProxelPairEvent::Began));
    REQUIRE_EQ(pairs[0].Points, 4);
    check_corners(points, pairs[0].FirstPoint);
    b.Pose.Location = FVector(0, 400, 0);
    WENT(proxel.MoveInScene(scene, moving, b.Pose, sentence));
    WENT(proxel.SceneContacts(scene, 1, pairs, points, sentence));
    REQUIRE_EQ(pairs.Num(), 1);
    CHECK((pairs[0].Event == EProxelPairEvent::Ended));
    CHECK_EQ(points.Num(), 0);
    WENT(proxel.RemoveFromScene(scene, moving, sentence));
    CHECK(!proxel.MoveInScene(scene, moving, b.Pose, sentence));
    WENT(proxel.RemoveScene(scene, sentence));
}

/// The four left corners of the small box are 0.5 cm inside the right side of the large one.
void a_soft_side(UProxelSubsystem& proxel, FProxelHandle field, FProxelHandle small) {
    FString sentence;
    FProxelBody soft, body;
    soft.Mesh = small;
    soft.Pose.Location = FVector(0, 149.5, 0);
    body.Body = field;
    TArray<FProxelBody> bodies;
    bodies.Add(body);
    TArray<FProxelSoftContact> points;
    WENT(proxel.SoftContacts(soft, bodies, 1, points, sentence));
    REQUIRE_EQ(points.Num(), 4);
    for (const FProxelSoftContact& point : points) {
        CHECK_NEAR(point.Point.Y, 99.5, 1e-2);
        CHECK_NEAR(std::abs(point.Point.X), 50, 1e-2);
        CHECK_NEAR(point.Normal.Y, 1, 1e-3);
        CHECK_NEAR(point.Separation, -0.5, 1e-1);
        CHECK_EQ(point.Body, 0);
        CHECK_NEAR(point.Weights.X + point.Weights.Y + point.Weights.Z, 1, 1e-6);
    }
    bodies.Empty();
    WENT(proxel.SoftContacts(soft, bodies, 1, points, sentence));
    CHECK_EQ(points.Num(), 0);
}

void a_contact_in_centimetres(UProxelSubsystem& proxel) {
    FString sentence;
    FProxelHandle large, small, body;
    TArray<FVector> wide, narrow;
    TArray<int32> triangles, more;
    box(100, wide, triangles);
    box(50, narrow, more);
    WENT(proxel.AddMesh(wide, triangles, false, large, sentence));
    WENT(proxel.AddMesh(narrow, more, true, small, sentence));
    WENT(proxel.BakeBody(large, 64, body, sentence));
    for (bool baked = false; !baked;)
        if (!WENT(proxel.IsBaked(body, baked, sentence))) return;

    // The small box reaches 10 cm into the right side of the large one.
    FProxelPose here, there;
    there.Location = FVector(0, 140, 0);
    FProxelProximity near;
    WENT(proxel.Proximity(body, here, small, there, near, sentence));
    CHECK((near.Lower <= -10 && -10 <= near.Upper));
    CHECK(near.Upper - near.Lower < 10);
    CHECK(near.bPenetrating);
    CHECK_NEAR(near.PointOnMesh.Y, 90, 1);
    CHECK_NEAR(near.PointOnBody.Y, 100, 3);

    // A face of a square metre 0.1 m deep, and four strips that rise to the surface: 0.12 m^3 times 1000 N/m^3.
    FProxelContact contact;
    WENT(proxel.Penalty(body, here, small, there, 1000, 0, 0, contact, sentence));
    CHECK_NEAR(contact.ForceOnMesh.Y, 120 * 100, 120 * 100 * 0.1);
    CHECK_NEAR(contact.ForceOnBody.Y, -contact.ForceOnMesh.Y, 1e-2);
    CHECK_NEAR(contact.ForceOnMesh.X, 0, 300);
    CHECK_NEAR(contact.Depth, 10, 1);

    the_corners_that_touch(proxel, large, body, small);
    a_soft_side(proxel, body, small);

    double distance = 0, volume = 0;
    there.Location = FVector(0, 0, 300);
    WENT(proxel.Distance(large, here, small, there, distance, sentence));
    CHECK_NEAR(distance, 150, 1e-4);
    there.Location = FVector(120, 0, 0);
    WENT(proxel.IntersectionVolume(large, here, small, there, volume, sentence));
    CHECK_NEAR(volume, 30 * 100 * 100, 3000);

    // But for the pose, which is in single precision: 1.2 m is off by 5e-6 cm there.
    FVector centre;
    WENT(proxel.ExactIntersection(large, here, small, there, volume, centre, sentence));
    CHECK_NEAR(volume, 30 * 100 * 100, 0.1);
    CHECK_NEAR(centre.X, 85, 1e-5);
    CHECK_NEAR(centre.Y, 0, 1e-6);

    WENT(proxel.UpdateMesh(small, narrow, sentence));
    WENT(proxel.RemoveMesh(small, sentence));
    CHECK(!proxel.RemoveMesh(small, sentence));
    CHECK(std::string(*sentence).find("destroyed") != std::string::npos);
    WENT(proxel.RemoveBody(body, sentence));
}

}  // namespace

TEST_CASE("unreal subsystem") {
    start_Proxel();
    FSubsystemCollectionBase collection;
    UProxelSubsystem proxel;
    FString sentence;
    FProxelHandle none;
    CHECK(!proxel.RemoveMesh(none, sentence));
    CHECK(!sentence.IsEmpty());
    proxel.Initialize(collection);
    a_contact_in_centimetres(proxel);
    proxel.Deinitialize();
    CHECK(!proxel.RemoveMesh(none, sentence));
}
