# hone_onnx_proto: the message classes of ONNX, generated from the .proto inside the pinned onnx wheel.
# Sources include "onnx.pb.h".

find_package(Protobuf REQUIRED)

if(NOT HONE_ONNX_PROTO)
  file(GLOB found
    "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/onnx/onnx-ml.proto"
    "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/onnx/onnx.proto")
  if(NOT found)
    # A wheel build has no .venv; there the interpreter that drives it has the package.
    find_package(Python 3.11 COMPONENTS Interpreter)
    execute_process(COMMAND "${Python_EXECUTABLE}" -c
      "import importlib.util as u; print(u.find_spec('onnx').submodule_search_locations[0] + '/onnx-ml.proto')"
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT found)
    message(FATAL_ERROR "onnx-ml.proto was not found: run ./dev setup, or give -DHONE_ONNX_PROTO=<file>")
  endif()
  list(GET found 0 found)
  set(HONE_ONNX_PROTO "${found}" CACHE FILEPATH "The .proto file of the onnx package" FORCE)
endif()

# Copied first, so that the header is called onnx.pb.h whichever variant of the file was found.
set(proto_dir "${PROJECT_BINARY_DIR}/onnx_proto")
add_custom_command(
  OUTPUT "${proto_dir}/onnx.pb.cc" "${proto_dir}/onnx.pb.h"
  COMMAND "${CMAKE_COMMAND}" -E copy "${HONE_ONNX_PROTO}" "${proto_dir}/onnx.proto"
  COMMAND protobuf::protoc "--proto_path=${proto_dir}" "--cpp_out=${proto_dir}" "${proto_dir}/onnx.proto"
  DEPENDS "${HONE_ONNX_PROTO}"
  COMMENT "Generating onnx.pb.h" VERBATIM)

add_library(hone_onnx_proto STATIC "${proto_dir}/onnx.pb.cc" "${proto_dir}/onnx.pb.h")
target_compile_options(hone_onnx_proto PRIVATE -w)
target_include_directories(hone_onnx_proto SYSTEM PUBLIC "${proto_dir}")
target_link_libraries(hone_onnx_proto PUBLIC protobuf::libprotobuf)
