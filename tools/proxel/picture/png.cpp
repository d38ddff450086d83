#include "picture/png.hpp"

#include "failure.hpp"
#include "mesh/file_bytes.hpp"

#include <png.h>

#include <filesystem>

namespace cli {

std::string encode_png(const Image& image) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width());
    header.height = static_cast<png_uint_32>(image.height());
    header.format = PNG_FORMAT_RGB; // sRGB, as the image is
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
    std::string out(size, '\0');
    if (png_image_write_to_memory(&header, out.data(), &size, 0, image.rgb().data(), 0, nullptr) == 0)
        throw Failure(std::string("the picture cannot be packed: ") + header.message + ".");
    out.resize(size);
    return out;
}

void write_png(const std::string& path, const Image& image) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (!ending.empty() && ending != ".png" && ending != ".PNG")
        throw Failure(path + ": pictures are written as PNG; choose a name that ends in .png.");
    write_file_bytes(path, encode_png(image));
}

} // namespace cli
