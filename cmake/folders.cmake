# One object library hone_<name> per folder src/<name>, in the order of src/layers.toml.

# hone_part(target folder sources...): compiles sources that belong to a folder; without any it is header-only.
function(hone_part target folder)
  if(ARGN)
    add_library(${target} OBJECT ${ARGN})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${target} ${scope} hone_flags ${HONE_OUTSIDE_base} ${HONE_OUTSIDE_${folder}})
  if(folder IN_LIST HONE_RUNTIME_FOLDERS AND ARGN)
    # libhone is built on the runtime's C++, so its symbols stay visible; one process then has one thread pool.
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET default)
  endif()
  list(LENGTH ARGN count)
  if(count GREATER 2)
    hone_precompile(${target} ${HONE_PRECOMPILED_${folder}})
  endif()
endfunction()

function(hone_folder name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp" "${PROJECT_SOURCE_DIR}/src/${name}/*.c")
  if(name STREQUAL capi)
    set(runtime_sources ${sources})
    list(FILTER runtime_sources INCLUDE REGEX "/runtime_[^/]*$")
    list(FILTER sources EXCLUDE REGEX "/runtime_[^/]*$")
    hone_part(hone_capi_runtime capi ${runtime_sources})
  endif()
  hone_part(hone_${name} ${name} ${sources})
endfunction()

foreach(name IN LISTS HONE_FOLDERS)
  hone_folder(${name})
endforeach()
