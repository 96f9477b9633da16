# The Python package: python/src/*.cpp become the extension hone._native, python/hone/ is laid beside it.
# build/<preset>/python is then ready for PYTHONPATH.

file(GLOB_RECURSE extension_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.cpp")
if(NOT extension_sources)
  return()
endif()

if(NOT SKBUILD AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  set(Python_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python")
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind REQUIRED CONFIG PATHS "${nanobind_dir}" NO_DEFAULT_PATH)

set(package_dir "${PROJECT_BINARY_DIR}/python/hone")
# The bindings see the public C header only.
nanobind_add_module(hone_native NB_STATIC ${extension_sources})
target_include_directories(hone_native PRIVATE "${PROJECT_SOURCE_DIR}/include")
target_link_libraries(hone_native PRIVATE libhone)
set_target_properties(hone_native PROPERTIES
  OUTPUT_NAME _native LIBRARY_OUTPUT_DIRECTORY "${package_dir}" INSTALL_RPATH "$ORIGIN")

file(GLOB_RECURSE modules CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/hone"
  "${PROJECT_SOURCE_DIR}/python/hone/*.py" "${PROJECT_SOURCE_DIR}/python/hone/*.pyi"
  "${PROJECT_SOURCE_DIR}/python/hone/py.typed")
set(copies "")
foreach(module IN LISTS modules)
  add_custom_command(OUTPUT "${package_dir}/${module}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/python/hone/${module}" "${package_dir}/${module}"
    DEPENDS "${PROJECT_SOURCE_DIR}/python/hone/${module}" VERBATIM)
  list(APPEND copies "${package_dir}/${module}")
endforeach()
add_custom_target(hone_python ALL DEPENDS ${copies})

if(SKBUILD)
  install(TARGETS hone_native libhone libhone_runtime DESTINATION hone)
endif()
