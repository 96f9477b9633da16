// Transposes turned in registers, at sizes around a vector's and with elements of every width.
#include "base/rng.h"
#include "e2e/compare.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::DType;
using Sizes = std::vector<int64_t>;

eval::Tensor numbered(DType type, const Sizes& shape) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>(i % 251));
  return eval::filled(type, shape, values);
}

TEST(Transpose, EverySizeAndElement) {
  constexpr uint64_t kSeed = 5;
  Rng rng(kSeed);
  const Sizes sizes = {1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 31, 33, 57};
  const ir::Index m = ir::Index::symbol("m"), n = ir::Index::symbol("n");
  for (const std::string& isa : instruction_sets())
    for (DType type : {DType::F32, DType::F64, DType::I64, DType::I16, DType::U8, DType::Bool})
      for (const Sizes& order : {Sizes{0, 2, 1}, Sizes{2, 1, 0}}) {
        fuse::ProgramBuilder b("transpose");
        ir::Program program = b.finish({b.transpose(b.input("x", {m, 3, n}, type), order)});
        std::vector<std::vector<eval::Tensor>> sets;
        for (int64_t rows : sizes) {
          const int64_t columns = sizes[static_cast<size_t>(rng.below(static_cast<int64_t>(sizes.size())))];
          sets.push_back({numbered(type, {rows, 3, columns})});
          sets.push_back({numbered(type, {columns, 3, rows})});
        }
        SCOPED_TRACE(fmt::format("{}, order {}{}{}", ir::name_of(type), order[0], order[1], order[2]));
        pipeline::Options options;
        options.isa = isa;
        expect_agreement(program, options, sets);
        if (HasFailure()) return;
      }
}

}  // namespace
}  // namespace hone::e2e
