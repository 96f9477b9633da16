#include "pipeline/cache/cache_key.h"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>

#include "base/digest.h"

namespace hone::pipeline {
namespace {

// Takes the constants out of a program, bodies included, and digests them in order.
Digest take_constants(ir::Program& program, Digest digest) {
  for (ir::Value& value : program.values) {
    if (!value.constant) continue;
    digest = digest_of(std::span(value.constant->data, value.constant->bytes), digest_of(value.name, digest));
    value.constant.reset();
  }
  for (ir::Op& op : program.ops)
    for (ir::Program& body : op.bodies) digest = take_constants(body, digest);
  return digest;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The library or program that holds this code: another build may compile otherwise.
const Digest& digest_of_this_build() {
  static const Digest digest = [] {
    Dl_info info{};
    bool found = dladdr(reinterpret_cast<const void*>(&cache_key), &info) != 0 && info.dli_fname != nullptr;
    std::string content = found ? content_of(info.dli_fname) : "";
    if (content.empty()) content = content_of("/proc/self/exe");
    return digest_of(content);
  }();
  return digest;
}

}  // namespace

std::string cache_key(const ir::Program& program, const target::Target& target) {
  ir::Program bare = program;
  Digest digest = take_constants(bare, digest_of_this_build());
  digest = digest_of(ir::text_of(bare), digest);
  digest = digest_of(target::text_of(target), digest);
  return text_of(digest);
}

}  // namespace hone::pipeline
