// Dragons fall onto a floor that deforms (Morvan, Reimers and Samset 2008, section 5.4): boxes for the broad phase, one batch of
// penalty queries a frame, semi-implicit integration.
#pragma once

#include "body.hpp"
#include "floor.hpp"
#include "picture/view.hpp"

#include <proxel.hpp>

#include <array>
#include <vector>

namespace dragons {

// Where the time of a frame goes. `device` is from the submission until the answers are there; all else is the host's.
enum class Stage { floor, broad_phase, record, device, integrate };
constexpr std::array<const char*, 5> stage_names{"floor", "broad phase", "record", "device", "integrate"};
using Times = std::array<double, stage_names.size()>; // in seconds

struct SceneDef {
    int bodies = 15;
    std::size_t floor_triangles = 32'768;
    std::uint32_t field_resolution = 96;
    float time_step = 1.0f / 240.0f;
    float drop_height = 1.9f; // of the lowest centres
    float gravity = 9.81f;
    float stiffness = 60'000.0f; // force per depth, area and mass
    float damping = 600.0f;      // force per velocity, area and mass
    float friction = 0.3f;
    std::uint32_t sampling = 256; // samples along a field's longest side
};

class Scene {
public:
    // The mesh is closed; it is moved to its centre of mass and made 2 across.
    Scene(const proxel::Context& context, cli::Mesh mesh, const SceneDef& def);

    // One frame; what each stage took is added to `times`.
    void advance(Times& times);

    float time() const { return time_; }
    const std::vector<Body>& bodies() const { return bodies_; }
    std::size_t pairs() const { return pairs_; }        // that the boxes left in the last frame
    std::size_t contacts() const { return contacts_; }  // of those, how many touched
    double depth() const { return depth_; }             // of the deepest sample in the last frame
    double energy() const;
    double lowest_above_floor() const; // of the centres of mass
    std::size_t triangles() const { return mesh_.triangles.size() * bodies_.size() + floor_.mesh().triangles.size(); }
    cli::View view() const;

private:
    struct Contact {
        std::size_t field_body;
        std::size_t mesh_body; // or `ground`
        proxel::Ticket<PrxPenalty> ticket;
    };
    static constexpr std::size_t ground = SIZE_MAX;

    void place_bodies();
    std::vector<Contact> touching_boxes();
    void record(std::vector<Contact>& contacts);
    void gather(const std::vector<Contact>& contacts);

    SceneDef def_;
    cli::Mesh mesh_;
    Mass mass_;
    Floor floor_;
    std::vector<Body> bodies_;
    std::vector<PrxPose> poses_;
    proxel::Mesh body_mesh_, floor_mesh_;
    proxel::Field field_;
    proxel::Scene boxes_;
    std::vector<PrxObject> objects_; // the bodies', then the floor's
    proxel::Batch batch_;
    float time_ = 0;
    std::size_t pairs_ = 0, contacts_ = 0;
    double depth_ = 0;
};

} // namespace dragons
