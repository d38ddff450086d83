#include "mesh/file_bytes.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace cli {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File opened(const std::filesystem::path& path, const char* mode) {
#ifdef _WIN32
    // A narrow name would be in the code page of the machine.
    return {_wfopen(path.c_str(), std::wstring(mode, mode + std::strlen(mode)).c_str()), &std::fclose};
#else
    return {std::fopen(path.c_str(), mode), &std::fclose};
#endif
}

constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 30;
constexpr std::uintmax_t most_streamed_bytes = std::uintmax_t{1} << 30; // of what has no size, such as a pipe
constexpr std::size_t block = std::size_t{1} << 16;

} // namespace

std::string read_file_bytes(const std::string& path) {
    const std::filesystem::path place = std::filesystem::u8path(path);
    std::error_code error;
    const auto status = std::filesystem::status(place, error);
    if (!std::filesystem::exists(status)) throw Failure(path + ": there is no such file; check the path.");
    if (std::filesystem::is_directory(status)) throw Failure(path + ": this is a folder; give a file.");

    const File file = opened(place, "rb");
    if (!file) throw Failure(path + ": cannot open it (" + std::strerror(errno) + "); check its permissions.");
    const bool regular = std::filesystem::is_regular_file(status);
    const std::uintmax_t size = regular ? std::filesystem::file_size(place, error) : 0;
    if (error) throw Failure(path + ": cannot tell its size (" + error.message() + "); check the disk.");
    const std::uintmax_t most = regular ? most_bytes : most_streamed_bytes;

    // A pipe or a device has no size, and a file may grow meanwhile: read until it ends or is too large.
    std::string bytes;
    std::size_t used = 0;
    for (std::size_t room = static_cast<std::size_t>(std::min(size, most)) + 1; used <= most; room = std::max(used, block)) {
        bytes.resize(used + room);
        const std::size_t got = std::fread(bytes.data() + used, 1, room, file.get());
        used += got;
        if (got < room) break;
    }
    if (std::ferror(file.get()) != 0) throw Failure(path + ": reading stopped half way; check the disk.");
    if (used > most) throw Failure(path + ": larger than the " + std::to_string(most >> 30) + " GiB that are read; give a smaller file.");
    bytes.resize(used);
    return bytes;
}

void write_file_bytes(const std::string& path, const std::string& bytes) {
    const std::filesystem::path place = std::filesystem::u8path(path);
    File file = opened(place, "wb");
    if (!file) throw Failure(path + ": cannot write it (" + std::strerror(errno) + "); choose another path.");
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    const bool closed = std::fclose(file.release()) == 0;
    if (written && closed) return;
    const std::string why = std::strerror(errno);
    // A device is not ours to remove.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(place, ignored)) std::filesystem::remove(place, ignored);
    throw Failure(path + ": writing stopped half way (" + why + "); free some space or choose another path.");
}

} // namespace cli
