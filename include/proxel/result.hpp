// What a call gives: a value, or a failure with its status and message.
#ifndef PROXEL_RESULT_HPP
#define PROXEL_RESULT_HPP

#include <proxel.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(PROXEL_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define PROXEL_NO_EXCEPTIONS
#endif
#ifndef PROXEL_NO_EXCEPTIONS
#include <stdexcept>
#endif

// One inline namespace per mode, so that translation units of both can be linked into one program.
#ifdef PROXEL_NO_EXCEPTIONS
#define PROXEL_MODE without_exceptions
#else
#define PROXEL_MODE with_exceptions
#endif

namespace proxel {
inline namespace PROXEL_MODE {

/// What went wrong: the status and the error message.
struct Failure {
    PrxStatus status;
    std::string message;
};

/// The failure of the C call that just returned `status` on this thread.
inline Failure failure(PrxStatus status) { return {status, prx_last_error(nullptr)}; }

#ifndef PROXEL_NO_EXCEPTIONS
/// A failure, thrown by Result::value.
class Error : public std::runtime_error {
public:
    explicit Error(const Failure& failure)
        : std::runtime_error(std::string(prx_status_name(failure.status)) + ": " + failure.message),
          status_(failure.status) {}
    PrxStatus status() const noexcept { return status_; }

private:
    PrxStatus status_;
};
#endif

/// Throws the failure; without exceptions, prints it and aborts.
[[noreturn]] inline void raise(const Failure& failure) {
#ifndef PROXEL_NO_EXCEPTIONS
    throw Error(failure);
#else
    std::fprintf(stderr, "%s: %s\n", prx_status_name(failure.status), failure.message.c_str());
    std::abort();
#endif
}

/// What a call gives: a value, or a failure.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Failure failure) : failure_(std::move(failure)) {}

    bool ok() const noexcept { return value_.has_value(); }
    explicit operator bool() const noexcept { return ok(); }
    PrxStatus status() const noexcept { return failure_.status; }
    /// The error message; empty on success.
    const std::string& message() const noexcept { return failure_.message; }

    /// The value; raises the failure when there is none.
    T& value() & {
        if (!value_) raise(failure_);
        return *value_;
    }
    /// By value, so that `for (auto& x : call().value())` has something to walk over.
    T value() && { return std::move(value()); }

private:
    std::optional<T> value_;
    Failure failure_{PRX_STATUS_OK, {}};
};

/// What a call gives that has no answer but that it worked.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Failure failure) : failure_(std::move(failure)) {}

    bool ok() const noexcept { return failure_.status == PRX_STATUS_OK; }
    explicit operator bool() const noexcept { return ok(); }
    PrxStatus status() const noexcept { return failure_.status; }
    /// The error message; empty on success.
    const std::string& message() const noexcept { return failure_.message; }

    /// Nothing; raises the failure if there is one.
    void value() const {
        if (!ok()) raise(failure_);
    }

private:
    Failure failure_{PRX_STATUS_OK, {}};
};

/// The result of a C call without an answer.
inline Result<void> done(PrxStatus status) {
    if (status != PRX_STATUS_OK) return failure(status);
    return {};
}

/// The result of a C call that wrote `value`.
template <typename T>
Result<std::decay_t<T>> done(PrxStatus status, T&& value) {
    if (status != PRX_STATUS_OK) return failure(status);
    return std::forward<T>(value);
}

/// Asks a C call how much there is, then for all of it: `call(out, capacity, &count)`. It asks again while there is more
/// than before, as another thread may be adding. `first` is how much the first try has room for.
template <typename T, typename Call>
Result<std::vector<T>> all(Call call, std::size_t first = 0) {
    std::vector<T> items(first);
    for (;;) {
        std::uint64_t count = 0;
        PrxStatus status = call(items.data(), std::uint64_t{items.size()}, &count);
        if (status == PRX_STATUS_OK || status == PRX_STATUS_BUFFER_TOO_SMALL)
            items.resize(static_cast<std::size_t>(count));
        if (status != PRX_STATUS_BUFFER_TOO_SMALL) return done(status, std::move(items));
    }
}

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_RESULT_HPP
