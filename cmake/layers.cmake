# Reads src/layers.toml. Whether a folder exists is asked here only, so that one configure run has one answer.
#
# HONE_FOLDERS            the folders that exist, lowest layer first
# HONE_RUNTIME_FOLDERS    the folders that make up libhone_runtime
# HONE_LAYER_<name>       the folder's layer

set(layers_file "${PROJECT_SOURCE_DIR}/src/layers.toml")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${layers_file}" "${PROJECT_SOURCE_DIR}/src")

file(STRINGS "${layers_file}" lines REGEX "^([a-z]+ = [0-9]+|folders = )")
foreach(line IN LISTS lines)
  if(line MATCHES "^folders = (.*)$")
    string(REGEX MATCHALL "[a-z]+" HONE_RUNTIME_FOLDERS "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^([a-z]+) = ([0-9]+)$" AND EXISTS "${PROJECT_SOURCE_DIR}/src/${CMAKE_MATCH_1}")
    list(APPEND HONE_FOLDERS ${CMAKE_MATCH_1})
    set(HONE_LAYER_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endif()
endforeach()
