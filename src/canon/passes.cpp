#include "canon/canon.h"

namespace hone::canon {

std::span<const Pass> passes() {
  static constexpr Pass kPasses[] = {
      {"eliminate_dead", eliminate_dead},
      {"eliminate_identities", eliminate_identities},
      {"fold_constants", fold_constants},
      {"eliminate_common_subexpressions", eliminate_common_subexpressions},
      {"eliminate_neutral_operands", eliminate_neutral_operands},
      {"merge_views", merge_views},
      {"recognise_gelu", recognise_gelu},
      {"recognise_layer_norm", recognise_layer_norm},
      {"recognise_rms_norm", recognise_rms_norm},
      {"fold_batch_norm", fold_batch_norm},
      {"fold_channel_affine", fold_channel_affine},
      {"eliminate_identities_again", eliminate_identities},
      {"eliminate_dead_again", eliminate_dead},
  };
  return kPasses;
}

}  // namespace hone::canon
