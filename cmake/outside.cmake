# Outside libraries, and the one table that says which folder uses which.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

# Names the outside libraries of a folder; they are looked for only when the folder exists.
set(HONE_OUTSIDE_base fmt::fmt spdlog::spdlog)
set(HONE_OUTSIDE_runtime Threads::Threads ${CMAKE_DL_LIBS})
set(HONE_OUTSIDE_import hone_onnx_proto)
set(HONE_PRECOMPILED_import <onnx.pb.h>)
set(HONE_OUTSIDE_codegen hone_llvm)
set(HONE_OUTSIDE_tunedb SQLite::SQLite3)
set(HONE_OUTSIDE_tools CLI11::CLI11 nlohmann_json::nlohmann_json)

if(import IN_LIST HONE_FOLDERS)
  include(onnx_proto)
endif()
if(codegen IN_LIST HONE_FOLDERS)
  include(llvm)
endif()
if(tunedb IN_LIST HONE_FOLDERS)
  find_package(SQLite3 REQUIRED)
endif()
