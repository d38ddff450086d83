// All vertices of a deforming mesh within a thickness of the field of another; new positions are handed over in the time. The thickness is a
// part of the longest extent.
#include "contestant.hpp"
#include "field.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh solid = read_mesh(arguments.text("other")), mesh = fitted(read_mesh(arguments.text("mesh")), solid);
        Context context(on_threads(arguments));
        PrxBody body = prx_body_default(), soft = prx_body_default();
        body.field = bake_field(context, solid);
        soft.mesh = create_body(context, mesh, mesh.points);
        PrxSoftContactsDef def = prx_soft_contacts_def_default();
        def.distance = std::stof(arguments.text("thickness")) * solid.longest();
        std::vector<PrxSoftContact> contacts(mesh.points.size());
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto points = deformed(mesh, Pose{}, turn, 0.02);
            uint64_t found = 0;
            auto sample = contest::shortest_of(2, [&] {
                update(context, soft.mesh, points);
                must(prx_body_soft_contacts(context, &soft, &body, 1, &def, contacts.data(), contacts.size(), &found), context);
            });
            sample.answer = {double(found)};
            return sample;
        });
    });
}
