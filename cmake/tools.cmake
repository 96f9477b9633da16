# Every folder tools/<name> becomes the command <name>. Tools may look inside the compiler. All but main.cpp is the object
# library <name>_parts, so that test/tools reaches it.

set_property(SOURCE "${PROJECT_SOURCE_DIR}/tools/hone/version.cpp" APPEND PROPERTY COMPILE_DEFINITIONS
  "HONE_VERSION=\"${PROJECT_VERSION}\"")

file(GLOB tool_dirs CONFIGURE_DEPENDS LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/tools/*")
foreach(dir IN LISTS tool_dirs)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${dir}/*.cpp")
  if(NOT sources)
    continue()
  endif()
  get_filename_component(name "${dir}" NAME)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(${name}_parts OBJECT ${sources})
  target_include_directories(${name}_parts PUBLIC "${PROJECT_SOURCE_DIR}/tools")
  target_link_libraries(${name}_parts PUBLIC hone_all hone_flags ${HONE_OUTSIDE_tools})
  list(APPEND HONE_TOOL_PARTS ${name}_parts)
  add_executable(${name} "${dir}/main.cpp")
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  target_link_libraries(${name} PRIVATE ${name}_parts)
  if(NOT SKBUILD)
    install(TARGETS ${name})
  endif()
endforeach()
