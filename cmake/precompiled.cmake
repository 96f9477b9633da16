# Headers that nearly every file reads, compiled once per target: a third of the time of a build from nothing.

set(HONE_PRECOMPILED
  <algorithm> <functional> <map> <memory> <optional> <set> <span> <string> <variant> <vector> <fmt/format.h>)

# hone_precompile(target more-headers...)
function(hone_precompile target)
  target_precompile_headers(${target} PRIVATE ${HONE_PRECOMPILED} ${ARGN})
endfunction()
