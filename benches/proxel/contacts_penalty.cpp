// The penalty force between two bodies in twelve steps: what contacts are compared with. mode=deforming: B is handed over anew;
// mode=rigid: both ways, as contacts have it.
#include "../contact_steps.hpp"
#include "field.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "deforming";
        Context context(on_threads(arguments));
        const PrxField field = bake_field(context, mesh);
        const PrxMesh still = create_body(context, mesh, mesh.points), moving = create_body(context, mesh, mesh.points);
        const PrxPose origin = prx_pose_identity();
        const PrxPenaltyDef def = prx_penalty_def_default();
        PrxBatch* batch = nullptr;
        must(prx_batch_create(context, &batch), context);
        compete_in_contacts(context.about(), mesh, deforms, [&](const ContactStep& step) {
            if (deforms) update(context, moving, step.points);
            const PrxPose pose = placed(step.pose);
            PrxTicket tickets[2];
            must(prx_batch_reset(batch), context);
            must(prx_batch_penalty(batch, field, &origin, moving, &pose, &def, &tickets[0]), context);
            if (!deforms) must(prx_batch_penalty(batch, field, &pose, still, &origin, &def, &tickets[1]), context);
            must(prx_batch_submit(batch, nullptr), context);
            must(prx_batch_wait(batch, UINT64_MAX), context);
            double deepest = 0;
            for (int i = 0; i < (deforms ? 1 : 2); ++i) {
                PrxPenalty answer;
                must(prx_batch_penalty_result(batch, tickets[i], &answer), context);
                deepest = std::max<double>(deepest, answer.depth);
            }
            return deepest;
        });
        must(prx_batch_destroy(batch), context);
    });
}
