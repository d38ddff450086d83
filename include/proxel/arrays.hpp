// Views of the caller's arrays: items, positions and indices, not copied.
#ifndef PROXEL_ARRAYS_HPP
#define PROXEL_ARRAYS_HPP

#include <proxel/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace proxel {
inline namespace PROXEL_MODE {

/// Some items of the caller's, not copied: a vector, a std::array, a C array, an initializer list, or pointer and count.
template <typename T>
struct View {
    const T* data = nullptr;
    std::size_t count = 0;

    View() = default;
    View(const T* first, std::size_t items) : data(first), count(items) {}
    View(std::initializer_list<T> items) : data(items.begin()), count(items.size()) {}
    template <typename C, typename = std::enable_if_t<std::is_convertible_v<decltype(std::data(std::declval<C&>())), const T*>>>
    View(const C& items) : data(std::data(items)), count(std::size(items)) {}
};

/// Cuts a count to the C API's 32 bits; one that does not fit becomes the largest, which no device takes.
inline std::uint32_t count32(std::size_t count) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    return count > most ? most : static_cast<std::uint32_t>(count);
}

/// What a vertex type begins with three of: the numbers of an array or of an `x`, floats where nothing tells; a number begins with none.
template <typename V, typename = void>
struct NumberOf {
    using type = std::conditional_t<std::is_arithmetic_v<V>, void, float>;
};
template <typename T, std::size_t N>
struct NumberOf<T[N]> {
    using type = std::remove_cv_t<T>;
};
template <typename T, std::size_t N>
struct NumberOf<std::array<T, N>> {
    using type = T;
};
template <typename V>
struct NumberOf<V, std::void_t<decltype(std::declval<V&>().x)>> {
    using type = std::decay_t<decltype(std::declval<V&>().x)>;
};

/// Whether a vertex type can begin with three floats: not an array or a struct with an `x` of other numbers.
template <typename V>
using BeginsWithFloats = std::is_same<typename NumberOf<V>::type, float>;

/// The failure of an array whose length is not a multiple of three, or none.
inline std::optional<Failure> not_in_threes(std::size_t items, const char* what) {
    if (items % 3 == 0) return std::nullopt;
    return Failure{PRX_STATUS_INVALID_ARGUMENT, std::to_string(items) + " " + what};
}

/// Positions: an array of floats, three per vertex, or of vertices that begin with three floats.
struct Positions {
    const void* data = nullptr;
    std::uint32_t count = 0;
    std::uint64_t stride = 12;
    std::size_t floats = 0;  ///< Length of an array of plain numbers, which must be a multiple of three.

    Positions() = default;
    Positions(const void* first, std::uint32_t vertices, std::uint64_t bytes_apart = 12)
        : data(first), count(vertices), stride(bytes_apart) {}
    template <typename C, typename V = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>>
    Positions(const C& vertices) : data(std::data(vertices)) {
        if constexpr (std::is_same_v<V, float>) {
            floats = std::size(vertices);
            count = count32(floats / 3);
        } else {
            static_assert(sizeof(V) >= 12 && std::is_trivially_copyable_v<V> && BeginsWithFloats<V>::value,
                          "a vertex begins with three floats");
            count = count32(std::size(vertices));
            stride = sizeof(V);
        }
    }
    /// Why this cannot be positions, if it cannot.
    std::optional<Failure> refused() const {
        return not_in_threes(floats, "floats are not whole positions: there are three per vertex");
    }
};

/// Positions of a mesh: as Positions, or the same of doubles.
struct MeshPositions : Positions {
    PrxPositionFormat format = PRX_POSITION_FORMAT_F32;

    MeshPositions() = default;
    MeshPositions(const Positions& floats_of_it) : Positions(floats_of_it) {}
    template <typename C, typename V = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>>
    MeshPositions(const C& vertices) {
        using Number = std::conditional_t<std::is_arithmetic_v<V>, V, typename NumberOf<V>::type>;
        if constexpr (std::is_same_v<Number, double>) {
            constexpr std::size_t each = std::is_arithmetic_v<V> ? 3 : 1;
            static_assert(sizeof(V) * each >= 24 && std::is_trivially_copyable_v<V>, "a vertex begins with three doubles");
            format = PRX_POSITION_FORMAT_F64;
            data = std::data(vertices);
            floats = std::is_arithmetic_v<V> ? std::size(vertices) : 0;
            count = count32(std::size(vertices) / each);
            stride = sizeof(V) * each;
        } else {
            Positions::operator=(Positions(vertices));
        }
    }
};

/// Indices: an array of 16- or 32-bit numbers, three per triangle, or of triangles of three such numbers.
struct Indices {
    const void* data = nullptr;
    std::uint32_t triangles = 0;
    PrxIndexType type = PRX_INDEX_TYPE_U32;
    std::size_t numbers = 0;  ///< Length of an array of numbers, which must be a multiple of three.

    Indices() = default;
    Indices(const void* first, std::uint32_t triangle_count, PrxIndexType index_type)
        : data(first), triangles(triangle_count), type(index_type) {}
    template <typename C, typename I = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>>
    Indices(const C& indices) : data(std::data(indices)) {
        constexpr bool narrow = std::is_same_v<I, std::uint16_t> || std::is_same_v<I, std::array<std::uint16_t, 3>>;
        constexpr bool wide = std::is_same_v<I, std::uint32_t> || std::is_same_v<I, std::array<std::uint32_t, 3>>;
        static_assert(narrow || wide, "indices are uint16_t or uint32_t, single or in arrays of three");
        numbers = std::is_integral_v<I> ? std::size(indices) : 0;
        triangles = count32(std::is_integral_v<I> ? numbers / 3 : std::size(indices));
        type = narrow ? PRX_INDEX_TYPE_U16 : PRX_INDEX_TYPE_U32;
    }
    /// Why this cannot be indices, if it cannot.
    std::optional<Failure> refused() const {
        return not_in_threes(numbers, "indices are not whole triangles: there are three per triangle");
    }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_ARRAYS_HPP
