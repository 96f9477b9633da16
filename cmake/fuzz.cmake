# Every test/fuzz/<name>_fuzz.cpp becomes the program <name>_fuzz, which libFuzzer drives. They link the folders that they
# need and no more, so that building them takes minutes: instrumented code compiles slowly, and the code generator is not
# asked.

# Folders of src, and files of src/pipeline, whose other files would ask for all of the compiler.
set(HONE_FUZZ_RUNTIME base abi target library runtime)
set(HONE_FUZZ_import_FOLDERS base abi target library field layout ir eval import canon)
set(HONE_FUZZ_text_FOLDERS base abi target layout ir cost)
set(HONE_FUZZ_text_FILES read_graph.cpp)
set(HONE_FUZZ_cache_FOLDERS ${HONE_FUZZ_RUNTIME})
set(HONE_FUZZ_cache_FILES cache/cache_entry.cpp)
set(HONE_FUZZ_artefact_FOLDERS ${HONE_FUZZ_RUNTIME})

# libstdc++ sorts stably by a function that it deprecates; read from a precompiled header, Clang takes the use for ours.
foreach(folder IN ITEMS library runtime cost)
  target_compile_options(hone_${folder} PRIVATE -Wno-deprecated-declarations)
endforeach()

# Many small files that instantiate the same templates: compiled a dozen at a time. Those stay alone whose private names
# another file has too.
set_target_properties(hone_import hone_canon PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
set(alone canon/recognise_layer_norm.cpp canon/recognise_rms_norm.cpp canon/fold_channel_affine.cpp canon/fold_constants.cpp
  import/tensor.cpp import/survey.cpp import/refusals.cpp
  import/node.cpp import/known_movement.cpp import/map/contraction/einsum.cpp import/map/control/map_loop.cpp)
list(TRANSFORM alone PREPEND "${PROJECT_SOURCE_DIR}/src/")
set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

foreach(name IN ITEMS import text cache artefact)
  set(folders ${HONE_FUZZ_${name}_FOLDERS})
  set(files ${HONE_FUZZ_${name}_FILES})
  list(TRANSFORM folders PREPEND hone_)
  list(TRANSFORM files PREPEND "${PROJECT_SOURCE_DIR}/src/pipeline/")
  add_executable(${name}_fuzz "${PROJECT_SOURCE_DIR}/test/fuzz/${name}_fuzz.cpp" ${files})
  target_include_directories(${name}_fuzz PRIVATE "${PROJECT_SOURCE_DIR}/test")
  target_link_libraries(${name}_fuzz PRIVATE ${folders} hone_flags)
  target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
endforeach()
