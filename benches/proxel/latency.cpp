// Submit to result of a batch with nothing in it.
#include "contestant.hpp"
#include "context.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments&) {
        Context context;
        PrxBatch* batch;
        must(prx_batch_create(context, &batch), context);
        contest::compete(context.about(), [&](const contest::Turn&) {
            return contest::median_of(500, [&] {
                must(prx_batch_submit(batch, nullptr), context);
                must(prx_batch_wait(batch, UINT64_MAX), context);
            });
        });
        must(prx_batch_destroy(batch), context);
    });
}
