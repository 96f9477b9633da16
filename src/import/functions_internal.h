// Functions of the model: their nodes take the place of the node that calls them.
#pragma once

#include "onnx.pb.h"

namespace hone::import {

// The function that the node calls; null if it calls none.
const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node);

// The function's nodes as the call has them: attributes that refer to the call's are filled in, and inputs that the call
// does not give are left out.
onnx::GraphProto instantiate(const onnx::FunctionProto& function, const onnx::NodeProto& call);

}  // namespace hone::import
