# One object library hone_<name> per folder src/<name> that exists, taken in the order of src/layers.toml.
#
# HONE_FOLDERS            the folders that exist, lowest layer first
# HONE_RUNTIME_FOLDERS    those of them that make up libhone_runtime
# HONE_LAYER_<name>       the folder's layer

set(layers_file "${PROJECT_SOURCE_DIR}/src/layers.toml")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${layers_file}" "${PROJECT_SOURCE_DIR}/src")

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

file(STRINGS "${layers_file}" lines REGEX "^([a-z]+ = [0-9]+|folders = )")
foreach(line IN LISTS lines)
  if(line MATCHES "^folders = (.*)$")
    string(REGEX MATCHALL "[a-z]+" HONE_RUNTIME_FOLDERS "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^([a-z]+) = ([0-9]+)$")
    # A condition of its own: the variables of a condition are read before it matches.
    if(EXISTS "${PROJECT_SOURCE_DIR}/src/${CMAKE_MATCH_1}")
      list(APPEND HONE_FOLDERS ${CMAKE_MATCH_1})
      set(HONE_LAYER_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endif()
endforeach()
foreach(name IN LISTS HONE_FOLDERS)
  hone_folder(${name})
endforeach()
