// Reads an ONNX model (opset 1 to 27 with its functions, and few operators of other domains) into a Program, or refuses it
// with every reason at once.
//
// Sizes: a named dimension of the model becomes a symbol of that name (made an identifier), an unnamed one becomes
// `<input>_d<k>`. Shape arithmetic is worked out while reading, so no operator of the Program computes a shape. Where two
// sizes must be equal and cannot be shown to be, import makes one of the other: a symbol becomes the other size, or a
// multiple (`32*h_by32`) where sizes agree only then; sizes of inputs that broadcast are taken to be equal too, and
// `Decided` names them, for one of them may be 1 in a call; one that data decide may be 1 in any. Failing that it inserts a Reshape whose element counts are equal only if the sizes are:
// whoever binds the symbols checks those counts.
//
// Values: some inputs are no data but decide what is computed (the axes of a reduction, the target of a Reshape). So does
// whether a size is 1 where a Squeeze has no axes. A model that asks for such values and sizes is refused unless they are
// given; `import_or_ask` tells which would have to be.
//
// Constants point into the parsed model or the mapped file of external data and keep it alive; nothing is copied
// but elements narrower than a byte, which get one each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <variant>

#include "base/result.h"
#include "eval/tensor.h"
#include "ir/program/program.h"

namespace hone::import {

struct ImportOptions {
  std::map<std::string, int64_t> sizes;  // symbol → the size it is fixed to
  std::set<std::string> not_one;         // symbols that stay open, of sizes other than 1
  // Input → the value that it always has. It stays an input, so that callers need not know; its data are not read.
  std::map<std::string, eval::Tensor> values;
};

// A symbol, and a dimension of an input that tells its value.
struct OpenSize {
  std::string symbol, input;
  size_t axis = 0;
};

// A program, and the sizes of inputs that it takes to be other than 1 because they broadcast: for a call in which some of
// them are 1 and do not fit it, a program with those sizes given may.
struct Decided {
  ir::Program program;
  std::vector<OpenSize> broadcast;
};

// The inputs on whose values, and the sizes on which the structure of a model depends and that are not given: one at least.
// With those given there may be further ones. Of a size it has to be known whether it is 1; one that is asked for again
// though it is not, has to be a number.
struct Undecided {
  ir::Program face;  // the inputs and the declared outputs of the model, and nothing between them
  std::vector<std::string> inputs;
  std::vector<OpenSize> sizes;
};

using Imported = std::variant<Decided, Undecided>;

// model_folder is where external data is looked for; without one a model that has any is refused.
Result<ir::Program> import_model(std::span<const std::byte> bytes, const std::filesystem::path& model_folder = {},
                                 const ImportOptions& options = {});
// An error if the model is refused for other reasons too.
Result<Imported> import_or_ask(std::span<const std::byte> bytes, const std::filesystem::path& model_folder,
                               const ImportOptions& options = {});

// The same of a file, with external data in its folder.
Result<ir::Program> import_model(const std::filesystem::path& file, const ImportOptions& options = {});
Result<Imported> import_or_ask(const std::filesystem::path& file, const ImportOptions& options = {});

std::filesystem::path folder_of(const std::filesystem::path& model);

}  // namespace hone::import
