// Reads random files: mesh files by the tool's readers, fields by the library's.
//
//   fuzz_files [SECONDS [SEED]]      files, each from a seed of its own, until the time is over
//   fuzz_files --file SEED           that one file again, with its damaged copies
//
// A file that follows its format must be read to exactly what was written. A damaged copy is read to something valid or refused with a
// message. Nothing may crash, take more memory than its size allows, or not return.
#include <proxel.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <new>
#include <random>
#include <thread>

#include "../patience.hpp"
#include "damage.hpp"
#include "failure.hpp"
#include "field_files.hpp"
#include "mesh_files.hpp"

// --- how much memory a reader asks for ------------------------------------------------------------------------------------

namespace {

/// By this thread: a driver has threads of its own.
thread_local std::size_t asked_for = 0;

void* take(std::size_t size) {
    asked_for += size;
    void* place = std::malloc(size != 0 ? size : 1);
    if (place == nullptr) throw std::bad_alloc();
    return place;
}

}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size != 0 ? size : 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size != 0 ? size : 1); }
void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t) noexcept { std::free(place); }

namespace fuzz {
namespace {

constexpr int copies_of_a_file = 8;

/// All that a reader may ask for, in sum: JSON takes the most.
std::size_t most_memory(std::size_t bytes) { return (std::size_t{1} << 20) + 400 * bytes; }

struct Tally {
    std::uint64_t files = 0, damaged = 0, refused = 0;
};

class Files {
public:
    std::uint64_t findings = 0;
    std::map<std::string, Tally> tallies;
    std::atomic<std::uint64_t> seed{0};

    Files() : folder_(std::filesystem::temp_directory_path() / ("proxel-files-" + std::to_string(std::random_device{}()))) {
        std::filesystem::create_directory(folder_);
        PrxContextDef def = prx_context_def_default();
        const char* name = std::getenv("PROXEL_TEST_DEVICE");
        def.device_name = name != nullptr ? name : "";
        context_ = proxel::Context::open(def).value();
    }
    Files(const Files&) = delete;
    ~Files() { std::filesystem::remove_all(folder_); }

    static std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

    void read_one(std::uint64_t number) {
        seed = number;
        Random random(number);
        if (random.chance(0.9)) read_mesh(random);
        else read_field(random);
    }

private:
    void find(const std::string& what, const std::string& bytes) {
        ++findings;
        const std::string path = "fuzz_files-" + std::to_string(seed) + ".bin";
        std::ofstream(path, std::ios::binary) << bytes;
        std::cerr << "FOUND: " << what << ": fuzz_files --file " << seed << " (" << path << ")\n";
    }

    // --- meshes -----------------------------------------------------------------------------------------------------------

    static bool same(const cli::Mesh& a, const cli::Mesh& b) {
        auto equal = [](const cli::Vec3& p, const cli::Vec3& q) { return std::memcmp(&p, &q, sizeof p) == 0; };
        return a.triangles == b.triangles && std::equal(a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end(), equal);
    }
    static bool is_valid(const cli::Mesh& mesh) {
        for (const cli::Vec3& p : mesh.positions)
            if (!cli::is_finite(p)) return false;
        for (const cli::Triangle& t : mesh.triangles)
            for (std::uint32_t i : t)
                if (i >= mesh.positions.size()) return false;
        return !mesh.triangles.empty();
    }
    static bool is_message(const std::string& text) { return text.size() > 20 && text.size() < 400 && text[0] == 'm' && text.back() == '.'; }

    void read_mesh(Random& random) {
        const MeshFile file = MeshWriter(random).write();
        Tally& tally = tallies[file.format];
        ++tally.files;
        try {
            if (!same(file.parse(file.bytes, "m"), file.mesh)) find(std::string(file.format) + " read to another mesh", file.bytes);
        } catch (const cli::Failure& failure) {
            find(std::string(file.format) + " refused: " + failure.what(), file.bytes);
        }
        for (int i = 0; i < copies_of_a_file; ++i) {
            const std::string bytes = damaged(file.bytes, random);
            // Exactly as large as the file, so that a sanitizer sees a read of one byte too many.
            const std::vector<char> exact(bytes.begin(), bytes.end());
            ++tally.damaged;
            asked_for = 0;
            try {
                if (!is_valid(file.parse({exact.data(), exact.size()}, "m"))) find(std::string(file.format) + " read to what is no mesh", bytes);
            } catch (const cli::Failure& failure) {
                ++tally.refused;
                if (!is_message(failure.what())) find(std::string(file.format) + " refused with no message: " + failure.what(), bytes);
            } catch (const std::exception& thrown) {
                find(std::string(file.format) + " threw " + thrown.what(), bytes);
            }
            if (asked_for > most_memory(bytes.size())) find(std::string(file.format) + " asked for " + std::to_string(asked_for) + " bytes", bytes);
        }
    }

    // --- fields -----------------------------------------------------------------------------------------------------------

    proxel::Result<proxel::Field> read(const std::string& bytes, bool nrrd) {
        if (!nrrd) {
            const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
            return context_.read_field(exact);
        }
        const std::string path = (folder_ / "field.nrrd").string();
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return context_.load_field(path);
    }

    void read_field(Random& random) {
        const FieldFile file = FieldWriter(random).write();
        Tally& tally = tallies[file.nrrd ? "NRRD" : ".prxf"];
        ++tally.files;
        auto field = read(file.bytes, file.nrrd);
        if (!field) find("a good field refused: " + field.message(), file.bytes);
        else if (const std::string what = difference(field.value(), file); !what.empty()) find(what, file.bytes);
        for (int i = 0; i < copies_of_a_file; ++i) {
            std::string bytes = damaged(file.bytes, random);
            if (!file.nrrd && random.chance(0.8)) FieldWriter::sign(bytes);
            ++tally.damaged;
            auto copy = read(bytes, file.nrrd);
            if (copy) {
                if (!is_valid(copy.value().info().value())) find("a field was read to what is none", bytes);
                continue;
            }
            ++tally.refused;
            if (copy.status() == PRX_STATUS_INTERNAL || copy.status() == PRX_STATUS_VULKAN || copy.message().size() < 10)
                find("a damaged field: " + std::string(prx_status_name(copy.status())) + " " + copy.message(), bytes);
        }
    }

    static std::string difference(const proxel::Field& field, const FieldFile& file) {
        const PrxGrid grid = field.info().value().grid;
        if (std::memcmp(grid.origin, file.origin, sizeof file.origin) != 0 || grid.cell_size != file.cell_size || std::memcmp(grid.nodes, file.nodes, sizeof file.nodes) != 0)
            return "a field has another grid";
        const std::vector<std::uint8_t> written = field.write().value();
        const std::string text(written.begin(), written.end());
        if (file.nrrd) return text.compare(FieldWriter::header_bytes, file.samples.size(), file.samples) == 0 ? "" : "a field has other samples";
        return text == file.bytes ? "" : "a field is written as another file";
    }
    static bool is_valid(const PrxFieldInfo& info) {
        bool valid = info.grid.cell_size > 0 && std::isfinite(info.grid.cell_size) && info.error >= 0 && std::isfinite(info.error) && std::isfinite(info.lipschitz);
        for (int i = 0; i < 3; ++i) valid = valid && std::isfinite(info.grid.origin[i]) && info.grid.nodes[i] >= 2;
        return valid;
    }

    std::filesystem::path folder_;
    proxel::Context context_;
};

/// Ends the program when a file does not end.
void watch(const Files& files, const std::atomic<bool>& over) {
    Patience patience;
    Patience::Watched file;
    while (!over) {
        patience.wait_a_turn();
        if (patience.ends(file, static_cast<std::int64_t>(files.seed))) {
            std::cerr << "a reader does not return: fuzz_files --file " << files.seed << "\n";
            std::abort();
        }
    }
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
    using namespace fuzz;
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool once = !words.empty() && words[0] == "--file";
    const std::int64_t seconds = once || words.empty() ? 10 : std::stoll(words[0]);
    const std::uint64_t first = words.size() > 1 ? std::stoull(words[1]) : 1;
    Files files;
    std::atomic<bool> over{false};
    std::thread watcher([&] { watch(files, over); });
    const std::int64_t end = Files::now() + 1000000000 * seconds;
    std::uint64_t number = first;
    do files.read_one(number++);
    while (!once && Files::now() < end && files.findings < 20);
    over = true;
    watcher.join();
    std::uint64_t read = 0;
    for (const auto& [format, tally] : files.tallies) {
        std::cout << format << ": " << tally.files << " files, " << tally.damaged << " damaged copies, " << tally.refused << " of them refused\n";
        read += tally.files + tally.damaged;
    }
    std::cout << read << " files from seed " << first << ", " << files.findings << " findings\n";
    return files.findings == 0 ? 0 : 1;
}
