// Versions, status, options and element types.
#include <cstring>

#include "base/printable.h"
#include "capi/runtime_dtype.h"
#include "capi/runtime_handles.h"

namespace hone::capi {

hone_status* new_status(hone_code code, const std::string& message) {
  constexpr size_t kMostBytes = 16000;
  return new hone_status{code, printable(message, kMostBytes, true)};
}

namespace {

constexpr const char* dtype_names[] = {
    nullptr, "f32",  "f64",      "f16",        "bf16",   "i8",         "i16",    "i32",    "i64", "u8", "u16", "u32",
    "u64",   "bool", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0", "f4e2m1", "i4",  "u4", "i2",  "u2"};

}  // namespace

const char* name_of(hone_dtype dtype) {
  auto number = static_cast<size_t>(dtype);
  return number < std::size(dtype_names) ? dtype_names[number] : nullptr;
}

hone_dtype dtype_named(std::string_view name) {
  for (size_t i = 1; i < std::size(dtype_names); ++i)
    if (name == dtype_names[i]) return static_cast<hone_dtype>(i);
  HONE_CHECK(false, "element type {}", name);
  return HONE_F32;
}

}  // namespace hone::capi

extern "C" {

uint32_t hone_abi_version(void) {
  return HONE_ABI_VERSION;
}
const char* hone_version(void) {
  return "0.1.0";
}

hone_code hone_status_code(const hone_status* status) {
  return status == nullptr ? HONE_OK : status->code;
}
const char* hone_status_message(const hone_status* status) {
  return status == nullptr ? "" : status->message.c_str();
}
void hone_status_free(hone_status* status) {
  delete status;
}

hone_options* hone_options_create(void) {
  return new hone_options;
}
void hone_options_free(hone_options* options) {
  delete options;
}
void hone_options_set_threads(hone_options* options, int32_t threads) {
  options->threads = threads;
}
void hone_options_set_isa(hone_options* options, const char* isa) {
  options->isa = isa == nullptr ? "" : isa;
}
void hone_options_set_cache_dir(hone_options* options, const char* folder) {
  options->cache_dir = folder == nullptr ? "" : folder;
}

const char* hone_dtype_name(hone_dtype dtype) {
  return hone::capi::name_of(dtype);
}
size_t hone_dtype_size(hone_dtype dtype) {
  const char* name = hone::capi::name_of(dtype);
  return name == nullptr ? 0 : static_cast<size_t>(hone::runtime::element_size_of(name));
}

void hone_text_free(char* text) {
  delete[] text;
}
}
