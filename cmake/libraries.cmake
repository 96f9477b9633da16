# libhone_runtime, libhone on top of it, and hone_all: the same as libhone with its internals in reach.

set(runtime_parts "")
set(compiler_parts "")
foreach(name IN LISTS HONE_FOLDERS)
  if(name IN_LIST HONE_RUNTIME_FOLDERS)
    list(APPEND runtime_parts hone_${name})
  else()
    list(APPEND compiler_parts hone_${name})
  endif()
endforeach()
if(TARGET hone_capi_runtime)
  list(APPEND runtime_parts hone_capi_runtime)
endif()

# A library needs one source of its own, or CMake cannot tell its language while folders are still missing.
set(empty "${PROJECT_BINARY_DIR}/empty.cpp")
file(CONFIGURE OUTPUT "${empty}" CONTENT "")

add_library(libhone_runtime SHARED "${empty}")
target_include_directories(libhone_runtime PUBLIC "${PROJECT_SOURCE_DIR}/include")
target_link_libraries(libhone_runtime PRIVATE ${runtime_parts} hone_flags)
target_link_options(libhone_runtime PRIVATE -Wl,-Bsymbolic-functions)

add_library(libhone SHARED "${empty}")
target_link_libraries(libhone PRIVATE ${compiler_parts} PUBLIC libhone_runtime)
# The message classes and LLD are linked in; another copy of them in the same process must not meet ours.
target_link_options(libhone PRIVATE -Wl,--exclude-libs,ALL)

add_library(hone_all STATIC "${empty}")
target_link_libraries(hone_all PUBLIC ${compiler_parts} libhone_runtime)

if(NOT HONE_SANITIZE)
  target_link_options(libhone_runtime PRIVATE -Wl,-z,defs)
  target_link_options(libhone PRIVATE -Wl,-z,defs)
endif()

set_target_properties(libhone libhone_runtime PROPERTIES PREFIX "" INSTALL_RPATH "$ORIGIN")
if(NOT SKBUILD)
  include(GNUInstallDirs)
  install(TARGETS libhone libhone_runtime)
  if(EXISTS "${PROJECT_SOURCE_DIR}/include/hone")
    install(DIRECTORY include/hone TYPE INCLUDE)
  endif()
endif()
