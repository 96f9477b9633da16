// hone_session and hone_tensors: a runtime::Runner and its outputs in the words of hone.h.
#pragma once

#include <span>
#include <vector>

#include "capi/runtime_handles.h"

namespace hone::capi {

// A hone_port with the memory that it points into.
struct OwnedPort {
  explicit OwnedPort(const runtime::PortSpec& spec);
  std::vector<int64_t> shape;
  std::vector<const char*> shape_text;
  hone_port port;
};

}  // namespace hone::capi

struct hone_session {
  std::shared_ptr<hone::runtime::Runner> runner;
  std::vector<hone::capi::OwnedPort> inputs, outputs;
};

struct hone_tensors {
  std::vector<hone::runtime::OutputTensor> owned;
  std::vector<hone_tensor> views;
};
