// The part of hone.h that compiles.
#include <cstring>
#include <fstream>

#include "capi/runtime_handles.h"
#include "pipeline/compile.h"

namespace hone::capi {

namespace {

pipeline::Options pipeline_options(const hone_options* given) {
  const hone_options& options = or_default(given);
  pipeline::Options result;
  result.threads = options.threads;
  result.isa = options.isa;
  return result;
}

bool is_shared_library(const char* path) {
  char start[4] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof(start));
  return std::memcmp(start, "\177ELF", sizeof(start)) == 0;
}

Status start(Result<pipeline::CompiledModel> compiled, const pipeline::Options& options, hone_session** session) {
  if (!compiled.ok()) return compiled.problem();
  HONE_TRY(std::shared_ptr<runtime::Session> loaded, pipeline::load(std::move(compiled).value(), options));
  *session = new_session(std::move(loaded));
  return Done{};
}

}  // namespace

}  // namespace hone::capi

using hone::Status;
using hone::capi::guarded;
using hone::capi::pipeline_options;

extern "C" {

hone_status* hone_session_open(const char* path, const hone_options* options, hone_session** session) {
  if (hone::capi::is_shared_library(path)) return hone_session_load(path, options, session);
  return guarded([&]() -> Status {
    hone::pipeline::Options chosen = pipeline_options(options);
    return hone::capi::start(hone::pipeline::compile_file(path, chosen), chosen, session);
  });
}

hone_status* hone_session_open_bytes(const void* model, size_t bytes, const hone_options* options,
                                     hone_session** session) {
  return guarded([&]() -> Status {
    hone::pipeline::Options chosen = pipeline_options(options);
    std::span<const std::byte> content(static_cast<const std::byte*>(model), bytes);
    return hone::capi::start(hone::pipeline::compile_bytes(content, chosen), chosen, session);
  });
}

hone_status* hone_compile(const char* model_path, const hone_options* options, const char* library_path) {
  return guarded([&]() -> Status {
    HONE_TRY(hone::pipeline::CompiledModel compiled,
             hone::pipeline::compile_file(model_path, pipeline_options(options)));
    return hone::pipeline::write_artefact(compiled, library_path);
  });
}
}
