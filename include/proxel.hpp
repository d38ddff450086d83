// Proxel for C++17: move-only owners over proxel.h, header-only.
//
// Every call that can fail gives a Result. Look at it:
//     auto context = proxel::Context::open();
//     if (!context) return complain(context.message());
// or take what is in it, in one line:
//     proxel::Context context = proxel::Context::open().value();
// value() throws proxel::Error when there is nothing to take. Without exceptions (-fno-exceptions, or
// PROXEL_NO_EXCEPTIONS defined) it prints the message and aborts instead, so there check first. The same source
// compiles both ways.
//
// Owners hold a handle and nothing else; the handle is there for any call of proxel.h. Moved-from owners are empty, and
// calls on them fail with PRX_STATUS_INVALID_HANDLE. An owner may outlive its context: the id behind it is stale then.
//
// Threads: as in proxel.h; moving or destroying an owner is for one thread at a time.
//
// Each topic has a header of its own under proxel/, which can be included alone; this one includes them all.
#ifndef PROXEL_HPP
#define PROXEL_HPP

#include <proxel/result.hpp>
#include <proxel/arrays.hpp>
#include <proxel/mesh.hpp>
#include <proxel/field.hpp>
#include <proxel/contact.hpp>
#include <proxel/volume.hpp>
#include <proxel/scene.hpp>
#include <proxel/tracker.hpp>
#include <proxel/comparators.hpp>
#include <proxel/batch.hpp>
#include <proxel/pair_contacts.hpp>
#include <proxel/context.hpp>
#include <proxel/half_space.hpp>
#include <proxel/debug_draw.hpp>

namespace proxel {
inline namespace PROXEL_MODE {

/// Whether the library that was loaded fits this header.
inline bool fits_header() { return prx_abi_version() == PRX_ABI_VERSION; }

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_HPP
