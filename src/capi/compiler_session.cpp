// The part of hone.h that compiles.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "capi/runtime_handles.h"
#include "pipeline/open.h"

namespace hone::capi {

namespace {

pipeline::Options pipeline_options(const hone_options* given) {
  const hone_options& options = or_default(given);
  pipeline::Options result;
  result.threads = options.threads;
  result.isa = options.isa;
  result.cache_dir = options.cache_dir;
  return result;
}

bool is_shared_library(const char* path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;  // opening a pipe would wait for a writer
  char start[4] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof(start));
  return std::memcmp(start, "\177ELF", sizeof(start)) == 0;
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
    HONE_TRY(std::shared_ptr<hone::runtime::Runner> runner, hone::pipeline::open_file(path, pipeline_options(options)));
    *session = hone::capi::new_session(std::move(runner));
    return hone::Done{};
  });
}

hone_status* hone_session_open_bytes(const void* model, size_t bytes, const hone_options* options,
                                     hone_session** session) {
  return guarded([&]() -> Status {
    std::span<const std::byte> content(static_cast<const std::byte*>(model), bytes);
    HONE_TRY(std::shared_ptr<hone::runtime::Runner> runner,
             hone::pipeline::open_bytes(content, pipeline_options(options)));
    *session = hone::capi::new_session(std::move(runner));
    return hone::Done{};
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
