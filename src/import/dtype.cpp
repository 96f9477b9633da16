#include "import/tensor_internal.h"

namespace hone::import {

using ir::DType;

Result<DType> dtype_of(int onnx_type) {
  switch (onnx_type) {
    case onnx::TensorProto::FLOAT:
      return DType::F32;
    case onnx::TensorProto::DOUBLE:
      return DType::F64;
    case onnx::TensorProto::FLOAT16:
      return DType::F16;
    case onnx::TensorProto::BFLOAT16:
      return DType::BF16;
    case onnx::TensorProto::INT8:
      return DType::I8;
    case onnx::TensorProto::INT16:
      return DType::I16;
    case onnx::TensorProto::INT32:
      return DType::I32;
    case onnx::TensorProto::INT64:
      return DType::I64;
    case onnx::TensorProto::UINT8:
      return DType::U8;
    case onnx::TensorProto::UINT16:
      return DType::U16;
    case onnx::TensorProto::UINT32:
      return DType::U32;
    case onnx::TensorProto::UINT64:
      return DType::U64;
    case onnx::TensorProto::BOOL:
      return DType::Bool;
    case onnx::TensorProto::FLOAT8E4M3FN:
      return DType::F8E4M3FN;
    case onnx::TensorProto::FLOAT8E4M3FNUZ:
      return DType::F8E4M3FNUZ;
    case onnx::TensorProto::FLOAT8E5M2:
      return DType::F8E5M2;
    case onnx::TensorProto::FLOAT8E5M2FNUZ:
      return DType::F8E5M2FNUZ;
    case onnx::TensorProto::FLOAT8E8M0:
      return DType::F8E8M0;
    case onnx::TensorProto::FLOAT4E2M1:
      return DType::F4E2M1;
    case onnx::TensorProto::INT4:
      return DType::I4;
    case onnx::TensorProto::UINT4:
      return DType::U4;
    case onnx::TensorProto::INT2:
      return DType::I2;
    case onnx::TensorProto::UINT2:
      return DType::U2;
  }
  std::string name = onnx::TensorProto_DataType_IsValid(onnx_type)
                         ? onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(onnx_type))
                         : fmt::format("{}", onnx_type);
  return error("has the element type {}; floats of 4 to 64 bits, integers of 2 to 64 bits and bool would work", name);
}

}  // namespace hone::import
