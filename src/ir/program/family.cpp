#include "ir/program/family.h"

#include <limits>

#include "ir/program/meaning_parts.h"

namespace hone::ir {
namespace {

bool appended_elementwise(OpKind kind) {
  return kind >= OpKind::Tan && kind <= OpKind::BitCast;
}

Family indexed_family(OpKind kind) {
  if (kind <= OpKind::Cast || appended_elementwise(kind)) return Family::Elementwise;
  if (kind <= OpKind::ReduceL2) return Family::Reduction;
  if (kind <= OpKind::Conv || kind == OpKind::ConvTranspose) return Family::Contraction;
  if (kind <= OpKind::AveragePool || kind == OpKind::LpPool || kind == OpKind::MaxPoolIndices || kind == OpKind::Col2Im)
    return Family::Window;
  return Family::Movement;
}

}  // namespace

// ops.def lists families together; only what was appended later is named.
Family family_of(OpKind kind) {
  switch (meaning_kind(kind)) {
    case MeaningKind::Indexed:
      return indexed_family(kind);
    case MeaningKind::View:
      return Family::View;
    case MeaningKind::Composite:
      return Family::Composite;
    case MeaningKind::Scan:
      return Family::Scan;
    case MeaningKind::Control:
      return Family::Control;
    case MeaningKind::Trim:
      return Family::Trim;
    case MeaningKind::Library:
      return Family::Library;
  }
  HONE_CHECK(false, "{} has no family", name_of(kind));
}

namespace {

Indexed meaning_in_own_type(const Program& program, const Op& op) {
  switch (family_of(op.kind)) {
    case Family::Elementwise:
      return elementwise_meaning(program, op);
    case Family::Reduction:
      return reduction_meaning(program, op);
    case Family::Contraction:
      return contraction_meaning(program, op);
    case Family::Window:
      return window_meaning(program, op);
    case Family::Movement:
      return movement_meaning(program, op);
    case Family::View:
    case Family::Composite:
    case Family::Scan:
    case Family::Library:
    case Family::Control:
    case Family::Trim:
      break;
  }
  HONE_CHECK(false, "{} has no indexed meaning", name_of(op.kind));
}

}  // namespace

Indexed indexed_meaning(const Program& program, const Op& op) {
  HONE_CHECK(meaning_kind(op.kind) == MeaningKind::Indexed, "{} is not an indexed operator", name_of(op.kind));
  return formed_wide(meaning_in_own_type(program, op));
}

const char* name_of(Combine combine) {
  switch (combine) {
    case Combine::None:
      return "none";
    case Combine::Sum:
      return "sum";
    case Combine::Prod:
      return "prod";
    case Combine::Max:
      return "max";
    case Combine::Min:
      return "min";
    case Combine::MaxNumber:
      return "max_number";
  }
  HONE_CHECK(false, "unknown combine");
}

double identity_of(Combine combine) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (combine) {
    case Combine::None:
      break;
    case Combine::Sum:
      return 0;
    case Combine::Prod:
      return 1;
    case Combine::Max:
    case Combine::MaxNumber:
      return -kInfinity;
    case Combine::Min:
      return kInfinity;
  }
  HONE_CHECK(false, "combine none has no identity");
}

}  // namespace hone::ir
