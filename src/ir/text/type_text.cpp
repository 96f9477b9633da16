#include "ir/text/type_text.h"

#include "ir/text/scalar_text.h"

namespace hone::ir::text {

Result<TensorType> parse_type(Lexer& lexer) {
  TensorType type;
  HONE_TRY(type.dtype, parse_dtype(lexer));
  HONE_TRY(type.shape, parse_indices(lexer, {}));
  return type;
}

std::string type_text(const TensorType& type) {
  return name_of(type.dtype) + indices_text(type.shape);
}

}  // namespace hone::ir::text
