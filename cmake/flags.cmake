# How our own code is compiled. Outside code (generated protobuf) does not link hone_flags.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g -D_GLIBCXX_ASSERTIONS")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

find_program(HONE_CCACHE ccache)
if(HONE_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${HONE_CCACHE}")
  # Without these ccache leaves files with a precompiled header alone.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${HONE_CCACHE}")
endif()

if(HONE_SANITIZE)
  add_compile_options(-fsanitize=${HONE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HONE_SANITIZE})
endif()

add_library(hone_flags INTERFACE)
target_include_directories(hone_flags INTERFACE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
target_compile_options(hone_flags INTERFACE
  -Wall -Wextra -Wshadow -Wswitch $<$<COMPILE_LANGUAGE:CXX>:-Wconversion> -Wno-sign-conversion
  $<$<BOOL:${HONE_WERROR}>:-Werror>
  # The runtime's folders are exported from their shared library; calls inside it must still be inlined.
  -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 takes plain std::string concatenation for overlapping memory (GCC bug 105329).
  target_compile_options(hone_flags INTERFACE -Wno-restrict $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
