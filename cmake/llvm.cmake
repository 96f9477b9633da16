# hone_llvm: the shared libLLVM 19, and LLD's ELF linker as static libraries (Debian ships no shared ones).

find_program(HONE_LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND "${HONE_LLVM_CONFIG}" --cmakedir OUTPUT_VARIABLE HONE_LLVM_CMAKE_DIR
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(LLVM 19.1 REQUIRED CONFIG PATHS "${HONE_LLVM_CMAKE_DIR}" NO_DEFAULT_PATH)
find_package(LLD REQUIRED CONFIG PATHS "${HONE_LLVM_CMAKE_DIR}/../lld" NO_DEFAULT_PATH)

add_library(hone_llvm INTERFACE)
target_include_directories(hone_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
target_link_libraries(hone_llvm INTERFACE lldELF lldCommon LLVM)
