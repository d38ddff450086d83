// Creating a context in a fresh process: until it is there (until=created) or until its first answer (until=answered).
// cache=blob gives it the pipeline cache of an earlier process.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "contestant.hpp"
#include "context.hpp"

namespace {

const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

double create(bool answer, const std::string& blob_path) {
    std::vector<char> blob;
    if (!blob_path.empty()) {
        std::ifstream file(blob_path, std::ios::binary);
        blob.assign(std::istreambuf_iterator<char>(file), {});
        if (blob.empty()) throw std::runtime_error("the pipeline cache is empty");
    }
    return contest::seconds_of([&] {
        PrxContextDef def = prx_context_def_default();
        def.pipeline_cache = blob.data();
        def.pipeline_cache_size = blob.size();
        Context context(def);
        if (!answer) return;
        PrxBounds bounds;
        must(prx_mesh_bounds(context, create_points(context, corners, 3), nullptr, &bounds), context);
    });
}

// Runs in a process of its own, because the contestant must stay cold.
double store_cache(const std::string& path) {
    Context context;
    PrxBounds bounds;
    must(prx_mesh_bounds(context, create_points(context, corners, 3), nullptr, &bounds), context);
    uint64_t size = 0;
    prx_context_pipeline_cache(context, nullptr, 0, &size);
    std::vector<char> blob(size);
    must(prx_context_pipeline_cache(context, blob.data(), blob.size(), &size), context);
    std::ofstream(path, std::ios::binary).write(blob.data(), static_cast<std::streamsize>(size));
    return 0;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        bool answer = arguments.text("until") == "answered";
        std::string blob;
        if (arguments.text("cache") == "blob") {
            blob = (std::filesystem::temp_directory_path() / ("proxel-pipeline-cache-" + std::to_string(getpid()))).string();
            contest::in_fresh_process([&] { return store_cache(blob); });
        }
        contest::compete(std::string("proxel ") + prx_version_string(), [&](const contest::Turn&) {
            return contest::Sample{contest::in_fresh_process([&] { return create(answer, blob); })};
        });
        if (!blob.empty()) std::remove(blob.c_str());
    });
}
