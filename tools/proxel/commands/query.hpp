// A command of the tool. One that asks the library derives from Query, which has the options that all share and does what is
// the same for all: read, open the device, hand over, ask, measure, draw, answer.
#pragma once

#include "answer.hpp"
#include "commands/body.hpp"
#include "picture/sheet.hpp"
#include "session.hpp"
#include "terminal/usage.hpp"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

class Command {
public:
    virtual ~Command() = default;
    virtual void declare(CLI::App& app) = 0; // what it takes; the values are its members
    virtual void run() = 0;

protected:
    void declare_output(CLI::App& app); // --picture and --json
    void reply(const Answer& answer) const;

    std::string picture_; // a file's name; empty for none

private:
    bool json_ = false;
};

class Query : public Command {
public:
    void declare(CLI::App& app) final;
    void run() final;

protected:
    // To be written for each query.
    virtual void takes(CLI::App& app) = 0; // operands and options of its own, and notes
    virtual void read() {}                 // what is no body, before a device is opened
    virtual void prepare() {}              // after all bodies are handed over
    virtual void ask() = 0;                // this is what is timed
    virtual void tell(Answer& out) = 0;    // every key but ms
    virtual Image draw() = 0;

    virtual bool warms_up() const { return true; } // whether a first call, which makes kernels and hierarchies, is left out of the time

    // Operands: read before a device is opened, handed over after. `pose_option` may be empty.
    void takes_body(CLI::App& app, Body& body, const std::string& name, const std::string& meaning, const std::string& pose_option = "");
    void takes_optional_body(CLI::App& app, OptionalBody& body, const std::string& name, const std::string& meaning,
                             const std::string& pose_option = "");
    void takes_solid(CLI::App& app, Solid& solid, const std::string& name, const std::string& pose_option);
    void takes_two_meshes(CLI::App& app, Body& a, Body& b, const std::string& kind = "mesh");
    void takes_solid_and_mesh(CLI::App& app, Solid& a, Body& b);
    // --deform: these are handed over anew before each repeat.
    void takes_deform(CLI::App& app, std::vector<const Body*> bodies, const std::string& whose);

    // These instead, once the arguments are known.
    void deforms(std::vector<const Body*> bodies) { deforming_ = std::move(bodies); }

    const Session& session() const { return *session_; }
    PrxContext* context() const { return session_->context(); }
    void check(PrxStatus status) const { session_->check(status); }

private:
    std::optional<Session> session_;
    std::vector<Body*> bodies_;
    std::vector<const Body*> deforming_;
    std::string device_ = "auto";
    std::uint32_t repeats_ = 1;
    bool deform_ = false;
};

// An answer of unknown length: asked for again with more room when there is too little.
template <class T> class Listed {
public:
    // `call` gets a pointer, the room there and where to put the count, as the library's functions want them.
    template <class Call> PrxStatus fill(Call call) {
        const PrxStatus status = call(room_.data(), room_.size(), &count_);
        if (status != PRX_STATUS_BUFFER_TOO_SMALL) return status;
        room_.resize(static_cast<std::size_t>(count_));
        return call(room_.data(), room_.size(), &count_);
    }

    std::uint64_t count() const { return count_; }
    const T* begin() const { return room_.data(); }
    const T* end() const { return room_.data() + count_; }

    // Two numbers of each.
    template <class Pick> std::vector<std::array<std::uint32_t, 2>> pairs(Pick pick) const {
        std::vector<std::array<std::uint32_t, 2>> out;
        for (const T& item : *this) out.push_back(pick(item));
        return out;
    }

private:
    std::vector<T> room_ = std::vector<T>(4096);
    std::uint64_t count_ = 0;
};

// The bodies that have a mesh, the first one blue and the second amber, with a title and a legend.
View view_of(std::initializer_list<const Body*> bodies, float opacity);

// Two points and the segment between them, in red and with a name in the legend.
void mark_nearest(View& view, Vec3 on_a, Vec3 on_b, const std::string& name);

inline const std::string mesh_files = "a PLY, OBJ, STL, OFF or glTF file";

using usage::brief;

} // namespace cli
