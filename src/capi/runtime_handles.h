// What stands behind the opaque handles of hone.h, and the wall that keeps C++ exceptions inside.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "hone/hone.h"
#include "runtime/session.h"

struct hone_status {
  hone_code code;
  std::string message;
};

struct hone_options {
  int threads = 0;
  std::string isa;
  std::string cache_dir;
};

namespace hone::capi {

// libhone uses these from libhone_runtime.
#define HONE_CAPI_SHARED [[gnu::visibility("default")]]

HONE_CAPI_SHARED hone_status* new_status(hone_code code, const std::string& message);
HONE_CAPI_SHARED hone_session* new_session(std::shared_ptr<runtime::Runner> runner);

// Runs a body that returns Status; whatever goes wrong becomes a hone_status.
template <typename Body>
hone_status* guarded(Body body) {
  try {
    Status status = body();
    return status.ok() ? nullptr : new_status(HONE_INVALID, status.problem().message);
  } catch (const std::bad_alloc&) {
    return new_status(HONE_INVALID, "out of memory");
  } catch (const std::exception& thrown) {
    return new_status(HONE_INTERNAL, thrown.what());
  }
}

inline const hone_options& or_default(const hone_options* options) {
  static const hone_options none;
  return options == nullptr ? none : *options;
}

}  // namespace hone::capi
