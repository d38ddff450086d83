#include "mesh/file_bytes.hpp"

#include "failure.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace cli {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

} // namespace

std::string read_file_bytes(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw Failure(path + ": there is no such file; check the path.");
    if (!std::filesystem::is_regular_file(status)) throw Failure(path + ": not a regular file; give a file on disk.");

    const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) throw Failure(path + ": cannot open it (" + std::strerror(errno) + "); check its permissions.");
    const auto size = std::filesystem::file_size(path, error);
    if (error) throw Failure(path + ": cannot tell its size (" + error.message() + "); check the disk.");

    std::string bytes(size, '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    if (std::ferror(file.get()) != 0) throw Failure(path + ": reading stopped half way; check the disk.");
    return bytes;
}

void write_file_bytes(const std::string& path, const std::string& bytes) {
    File file(std::fopen(path.c_str(), "wb"), &std::fclose);
    if (!file) throw Failure(path + ": cannot write it (" + std::strerror(errno) + "); choose another path.");
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    const bool closed = std::fclose(file.release()) == 0;
    if (written && closed) return;
    const std::string why = std::strerror(errno);
    std::remove(path.c_str());
    throw Failure(path + ": writing stopped half way (" + why + "); free some space or choose another path.");
}

} // namespace cli
