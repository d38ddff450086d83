// Contacts of two bodies in twelve steps. mode=deforming: B's surface, handed over anew, in A's field. mode=rigid: both fields.
#include "../contact_steps.hpp"
#include "field.hpp"

namespace {

PrxBody body_at(PrxMesh mesh, PrxField field, const Pose& pose) {
    PrxBody body = prx_body_default();
    body.mesh = mesh;
    body.field = field;
    for (int i = 0; i < 3; ++i) body.position[i] = pose.translation[i];
    for (int i = 0; i < 4; ++i) body.rotation[i] = static_cast<float>(pose.rotation[i]);
    return body;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "deforming";
        Context context(on_threads(arguments));
        const PrxField field = bake_field(context, mesh);
        const PrxMesh still = create_body(context, mesh, mesh.points), moving = create_body(context, mesh, mesh.points);
        const PrxContactsDef def = prx_contacts_def_default();
        std::vector<PrxContact> found(def.points * def.patches), last;
        compete_in_contacts(context.about(), mesh, deforms, [&](const ContactStep& step) {
            if (deforms) update(context, moving, step.points);
            const PrxBody a = body_at(still, field, Pose{}), b = body_at(moving, deforms ? PrxField{} : field, step.pose);
            uint64_t kept = 0;
            must(prx_body_contacts(context, &a, &b, &def, last.data(), static_cast<uint32_t>(last.size()), nullptr, found.data(), found.size(), &kept), context);
            last.assign(found.begin(), found.begin() + static_cast<long>(kept));
            double deepest = 0;
            for (const PrxContact& contact : last) deepest = std::max(deepest, -double(contact.separation));
            return deepest;
        });
    });
}
