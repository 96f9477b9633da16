#include "capi/runtime_session.h"

#include "capi/runtime_dtype.h"
#include "runtime/artefact.h"
#include "runtime/formula.h"

namespace hone::capi {

OwnedPort::OwnedPort(const runtime::PortSpec& spec) {
  for (size_t i = 0; i < spec.shape.size(); ++i) {
    shape.push_back(runtime::constant_value(spec.shape[i]).value_or(-1));
    shape_text.push_back(spec.shape_text[i].c_str());
  }
  port = {spec.name.c_str(), dtype_named(spec.dtype), static_cast<int32_t>(shape.size()), shape.data(),
          shape_text.data()};
}

hone_session* new_session(std::shared_ptr<runtime::Runner> runner) {
  auto handle = std::make_unique<hone_session>();
  handle->runner = std::move(runner);
  const runtime::Executable& executable = handle->runner->face();
  // Reserved, because each port points into itself.
  handle->inputs.reserve(executable.inputs.size());
  handle->outputs.reserve(executable.outputs.size());
  for (const runtime::PortSpec& spec : executable.inputs) handle->inputs.emplace_back(spec);
  for (const runtime::PortSpec& spec : executable.outputs) handle->outputs.emplace_back(spec);
  return handle.release();
}

namespace {

const hone_port* port_at(const std::vector<OwnedPort>& ports, size_t number) {
  return number < ports.size() ? &ports[number].port : nullptr;
}

}  // namespace

}  // namespace hone::capi

using hone::Done;
using hone::Status;
using hone::capi::guarded;
using hone::capi::or_default;

extern "C" {

hone_status* hone_session_load(const char* path, const hone_options* options, hone_session** session) {
  return guarded([&]() -> Status {
    HONE_TRY(auto loaded, hone::runtime::load_artefact(path, or_default(options).threads));
    *session = hone::capi::new_session(std::move(loaded));
    return Done{};
  });
}

void hone_session_free(hone_session* session) {
  delete session;
}

const char* hone_session_model_name(const hone_session* session) {
  return session->runner->face().name.c_str();
}
const char* hone_session_isa(const hone_session* session) {
  return session->runner->face().isa.c_str();
}
int32_t hone_session_threads(const hone_session* session) {
  return session->runner->threads();
}
size_t hone_session_input_count(const hone_session* session) {
  return session->inputs.size();
}
size_t hone_session_output_count(const hone_session* session) {
  return session->outputs.size();
}
const hone_port* hone_session_input(const hone_session* session, size_t number) {
  return hone::capi::port_at(session->inputs, number);
}
const hone_port* hone_session_output(const hone_session* session, size_t number) {
  return hone::capi::port_at(session->outputs, number);
}
}
