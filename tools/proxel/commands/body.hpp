// What a query takes from a file: a mesh, or a solid with a distance field, somewhere in the world.
#pragma once

#include "session.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/progress.hpp"

#include <string>

namespace cli {

// A mesh file.
struct Body {
    std::string path;
    Pose pose;
    Mesh mesh; // empty if the file is a field
    bool in_doubles = false; // where the file has doubles: the command decides on them
    PrxMesh id{};
    PrxPose where = prx_pose_identity();

    Body() = default;
    Body(std::string file, const Pose& place) : path(std::move(file)), pose(place) {}
    virtual ~Body() = default;
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    virtual void read(); // before a device is opened, so that a bad file costs nothing
    virtual void hand_over(const Session& session);

    std::string name() const;

    // Hands all positions over anew, as an engine does with a mesh that deforms.
    void update(const Session& session) const;
};

// A mesh file that may be left out.
struct OptionalBody : Body {
    bool is_given() const { return !path.empty(); }
    void read() override {
        if (is_given()) Body::read();
    }
    void hand_over(const Session& session) override {
        if (is_given()) Body::hand_over(session);
    }
};

// A field that goes when the next one comes.
class Baked {
public:
    Baked() = default;
    ~Baked() { drop(); }
    Baked(const Baked&) = delete;
    Baked& operator=(const Baked&) = delete;

    PrxField field() const { return field_; }

    void load(const Session& session, const std::string& path);

    // Bakes anew and waits, while a bar shows how far it is; a Ctrl-C stops it.
    void bake(const Session& session, PrxMesh mesh, const PrxFieldDef& def, Progress& progress, const Interrupt& interrupt);

private:
    void drop();

    const Session* session_ = nullptr; // must outlive this
    PrxField field_{};
};

// A field's file, or a closed mesh that is baked on the way.
struct Solid : Body {
    std::uint32_t cells = 128; // along the longest side, when a mesh is baked
    bool bakes = true;         // without it a mesh gets no field, and need not be closed
    Baked baked;

    void read() override;
    void hand_over(const Session& session) override;

    PrxField field() const { return baked.field(); }
};

// True for the endings of field files.
bool is_field_file(const std::string& path);

inline Vec3 point(const float (&p)[3]) { return {p[0], p[1], p[2]}; }
inline Vec3 point(const double (&p)[3]) { return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])}; }

} // namespace cli
