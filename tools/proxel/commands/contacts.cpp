// `proxel contacts`: where two bodies touch, as a solver wants it: points, normals, separations, patches, and keys that persist.
#include "commands/all.hpp"
#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "picture/contact_marks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cli {
namespace {

std::string hexadecimal(std::uint64_t key) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(key));
    return text;
}

// A contact of an earlier answer, as far as the next one needs it: its key, and where on which surface it is.
struct Earlier {
    std::uint64_t key = 0;
    bool on_b = false;
    std::uint32_t triangle = 0;
    std::array<float, 3> barycentric{};
};

std::vector<Earlier> read_earlier(const std::string& path) {
    std::vector<Earlier> out;
    try {
        const Json answer = Json::parse(read_file_bytes(path));
        for (const Json& contact : answer.at("contacts")) {
            const std::string key = contact.at("key").get<std::string>();
            char* end = nullptr;
            Earlier earlier;
            earlier.key = std::strtoull(key.c_str(), &end, 16);
            if (key.empty() || *end != '\0') throw Failure(path + ": the key '" + key + "' is no hexadecimal number.");
            earlier.on_b = contact.at("on").get<std::string>() == "b";
            earlier.triangle = contact.at("triangle").get<std::uint32_t>();
            earlier.barycentric = contact.at("barycentric").get<std::array<float, 3>>();
            out.push_back(earlier);
        }
    } catch (const Json::exception& error) {
        throw Failure(path + ": not an answer of proxel contacts --json: " + error.what());
    }
    return out;
}

class Contacts final : public Query {
    Solid a_, b_;
    bool one_sided_ = false;
    std::string earlier_file_;
    std::vector<Earlier> earlier_;
    PrxContactsDef def_ = prx_contacts_def_default();
    PrxBody bodies_[2] = {prx_body_default(), prx_body_default()};
    std::vector<PrxContact> previous_;
    PrxBatch* batch_ = nullptr; // goes with the context
    PrxManifold manifold_{};
    Listed<PrxContact> contacts_;
    Listed<std::uint32_t> ended_;

    void takes(CLI::App& app) override {
        takes_body(app, a_, "A", "a closed mesh, or a field from bake", "--pose-a");
        takes_body(app, b_, "B", "another; with --one-sided any mesh", "--pose-b");
        takes_deform(app, {&b_}, "B's");
        usage::number(app, "--distance", def_.distance, "D", "report separations up to D, in mesh units", {0});
        usage::number(app, "--points", def_.points, "N", "keep N contacts per patch, 0 for all", {0, 32});
        usage::number(app, "--field-resolution", a_.cells, "N", "cells along the longest side of the field of each mesh", {1, 65535});
        usage::text(app, "--previous", earlier_file_, "LAST.json", "the answer of the last step, whose contacts go on");
        usage::flag(app, "--one-sided", one_sided_, "bake no field of B: only its surface in A's field");
        usage::notes(app,
                     "The answer: point_a and point_b are in the world, normal points from A to B, separation is negative where they\n"
                     "penetrate and exactly between lower and upper; triangle and barycentric are of the mesh named by on. Contacts of\n"
                     "one patch are connected and agree in their normals; raw counts those before reduction. key names a contact from\n"
                     "step to step, previous is its place in LAST.json or -1, and ended are the places there that nothing continues.",
                     "proxel contacts a.ply b.ply --pose-b 0,2,0,0,0,0,1 --distance 0.02 --picture contacts.png");
    }

    void read() override {
        b_.cells = a_.cells;
        b_.bakes = !one_sided_;
        if (!earlier_file_.empty()) earlier_ = read_earlier(earlier_file_);
    }

    void prepare() override {
        const Solid* solids[2] = {&a_, &b_};
        for (std::size_t i = 0; i < 2; ++i) {
            bodies_[i].mesh = solids[i]->id;
            bodies_[i].field = solids[i]->field();
            std::copy(std::begin(solids[i]->where.position), std::end(solids[i]->where.position), bodies_[i].position);
            std::copy(std::begin(solids[i]->where.rotation), std::end(solids[i]->where.rotation), bodies_[i].rotation);
        }
        for (const Earlier& earlier : earlier_) previous_.push_back(previous(earlier));
        check(prx_batch_create(context(), &batch_));
    }

    // The point is where it was on its own mesh, wherever the body has gone since.
    PrxContact previous(const Earlier& earlier) const {
        const Mesh& mesh = (earlier.on_b ? b_ : a_).mesh;
        if (earlier.triangle >= mesh.triangles.size())
            throw Failure(earlier_file_ + ": there is no triangle " + std::to_string(earlier.triangle) + " in " + (earlier.on_b ? b_ : a_).path + ".");
        Vec3 at;
        for (std::size_t k = 0; k < 3; ++k) at += earlier.barycentric[k] * mesh.positions[mesh.triangles[earlier.triangle][k]];
        PrxContact out{};
        out.key = earlier.key;
        out.on = earlier.on_b ? 1 : 0;
        float(&own)[3] = earlier.on_b ? out.point_b : out.point_a;
        own[0] = at.x, own[1] = at.y, own[2] = at.z;
        return out;
    }

    void ask() override {
        check(prx_batch_reset(batch_));
        PrxTicket ticket{};
        check(prx_batch_contacts(batch_, &bodies_[0], &bodies_[1], &def_, previous_.data(), static_cast<std::uint32_t>(previous_.size()), &ticket));
        check(prx_batch_submit(batch_, nullptr));
        check(prx_batch_wait(batch_, UINT64_MAX));
        check(prx_batch_contacts_manifold(batch_, ticket, &manifold_));
        check(contacts_.fill([&](auto... room) { return prx_batch_contacts_result(batch_, ticket, room...); }));
        check(ended_.fill([&](auto... room) { return prx_batch_contacts_ended(batch_, ticket, room...); }));
    }

    void tell(Answer& out) override {
        std::vector<Json> contacts;
        for (const PrxContact& c : contacts_) {
            Json one = Json::object();
            one["point_a"] = json_of(c.world_a);
            one["point_b"] = json_of(c.world_b);
            one["normal"] = json_of(c.normal);
            one["separation"] = json_of(c.separation);
            one["lower"] = json_of(c.lower);
            one["upper"] = json_of(c.upper);
            one["triangle"] = c.triangle;
            one["on"] = c.on == 0 ? "a" : "b";
            one["patch"] = static_cast<std::int32_t>(c.patch); // -1 for none
            one["key"] = hexadecimal(c.key);
            one["previous"] = c.previous;
            one["area"] = json_of(c.area);
            one["barycentric"] = json_of(c.barycentric);
            contacts.push_back(std::move(one));
        }
        out.add_list("contacts", contacts, contacts.empty() ? "" : "(the deepest has a separation of " + brief(deepest()) + ")");
        out.add("patches", manifold_.patches);
        out.add("raw", manifold_.raw, manifold_.left_out == 0 ? "" : "(" + std::to_string(manifold_.left_out) + " of patches beyond the limit)");
        out.add_list("ended", std::vector<std::uint32_t>(ended_.begin(), ended_.end()));
    }

    float deepest() const {
        const auto deeper = [](const PrxContact& a, const PrxContact& b) { return a.separation < b.separation; };
        return std::min_element(contacts_.begin(), contacts_.end(), deeper)->separation;
    }

    Image draw() override {
        View view = view_of({&a_, &b_}, 0.35f);
        ContactMarks marks;
        const auto world = [](const double(&p)[3]) { return Vec3{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])}; };
        for (const PrxContact& c : contacts_) {
            marks.points_a.push_back(world(c.world_a));
            marks.points_b.push_back(world(c.world_b));
            marks.normals.push_back(point(c.normal));
            marks.patches.push_back(c.patch);
        }
        mark_contacts(view, marks);
        view.caption = contacts_.count() == 0 ? "they do not touch"
                                              : std::to_string(contacts_.count()) + " of " + std::to_string(manifold_.raw) +
                                                    " contacts, arrows along the normals; the deepest separation is " + brief(deepest());
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> contacts_command() { return std::make_unique<Contacts>(); }

} // namespace cli
