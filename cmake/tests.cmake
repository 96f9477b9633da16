# Every folder test/<name> with a *_test.cpp becomes the executable <name>_test, with the ctest label <name>.
#
# Where src/<name> exists, its test links that folder and the layers below only: it can be built while work above is
# unfinished, and it cannot reach upwards. Other test folders (e2e, fuzz, ...) link everything.

find_package(GTest REQUIRED)

# Folders that a test needs beside its own and those below: HONE_TEST_ALSO_<name>.
set(HONE_TEST_ALSO_eval codegen)   # compiled code and the interpreter of Loop IR must agree
set(HONE_TEST_ALSO_lower codegen)  # what was lowered is run

# Sources of one test that another one needs: HONE_TEST_SHARES_<name>.
set(HONE_TEST_SHARES_e2e "${PROJECT_SOURCE_DIR}/test/fuse/random_program.cpp")

# hone_test_parts(name out): what the test of a folder links.
function(hone_test_parts name out)
  if(name STREQUAL tools)
    set(${out} ${HONE_TOOL_PARTS} PARENT_SCOPE)
    return()
  endif()
  if(NOT name IN_LIST HONE_FOLDERS OR name STREQUAL capi)
    set(${out} hone_all PARENT_SCOPE)
    return()
  endif()
  set(folders ${name} ${HONE_TEST_ALSO_${name}})
  set(parts "")
  list(JOIN HONE_RUNTIME_FOLDERS "|" runtime_pattern)
  foreach(other IN LISTS HONE_FOLDERS)
    if(HONE_LAYER_${other} LESS HONE_LAYER_${name})
      list(APPEND folders ${other})
    endif()
  endforeach()
  if(name IN_LIST HONE_RUNTIME_FOLDERS)
    list(FILTER folders INCLUDE REGEX "^(${runtime_pattern})$")
  # A process that runs kernels must hold one runtime: the shared one, which generated libraries link too.
  elseif(runtime IN_LIST folders)
    list(REMOVE_ITEM folders ${HONE_RUNTIME_FOLDERS})
    set(parts libhone_runtime)
  endif()
  list(TRANSFORM folders PREPEND hone_)
  set(${out} ${folders} ${parts} PARENT_SCOPE)
endfunction()

file(GLOB test_dirs CONFIGURE_DEPENDS LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/test/*")
foreach(dir IN LISTS test_dirs)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${dir}/*.cpp")
  if(NOT sources MATCHES "_test\\.cpp")
    continue()
  endif()
  get_filename_component(name "${dir}" NAME)
  hone_test_parts(${name} parts)
  add_executable(${name}_test ${sources} ${HONE_TEST_SHARES_${name}})
  target_include_directories(${name}_test PRIVATE "${PROJECT_SOURCE_DIR}/test")
  target_compile_definitions(${name}_test PRIVATE HONE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_test PRIVATE ${parts} hone_flags GTest::gtest GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  hone_precompile(${name}_test <gtest/gtest.h>)
  add_test(NAME ${name} COMMAND ${name}_test WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
  # Without a cache: plans are those of the built-in figures, whatever machine was calibrated.
  set_tests_properties(${name} PROPERTIES
    LABELS ${name} ENVIRONMENT "HONE_SOURCE_DIR=${PROJECT_SOURCE_DIR};HONE_CACHE_DIR=")
endforeach()
