#include "hone/version.h"

namespace hone::tools {

const char* version() {
  return HONE_VERSION;
}

}  // namespace hone::tools
