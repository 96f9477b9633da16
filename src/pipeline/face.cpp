#include "pipeline/face.h"

#include <set>

#include "pipeline/index_formula.h"

namespace hone::pipeline {
namespace {

std::vector<runtime::PortSpec> ports_of(const ir::Program& face, const std::vector<ir::ValueId>& values,
                                        const SizeFormulas& formulas, bool inputs) {
  std::vector<runtime::PortSpec> ports;
  for (ir::ValueId id : values) {
    const ir::Value& value = face.values[static_cast<size_t>(id)];
    runtime::PortSpec port;
    port.name = value.name;
    port.dtype = ir::name_of(value.type.dtype);
    for (const ir::Index& extent : value.type.shape) {
      port.shape.push_back(formulas.of(extent));
      port.shape_text.push_back(extent.text());
      if (inputs) port.binds.push_back(-1);
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

}  // namespace

runtime::Executable face_of(const ir::Program& program) {
  runtime::Executable executable;
  executable.name = program.name;
  executable.build = HONE_VERSION;
  std::set<std::string> symbols;
  for (const ir::Value& value : program.values)
    for (const ir::Index& extent : value.type.shape)
      for (const std::string& symbol : extent.symbols())
        if (symbols.insert(symbol).second) executable.symbols.push_back(symbol);
  SizeFormulas formulas(executable.symbols);
  executable.inputs = ports_of(program, program.inputs, formulas, true);
  executable.outputs = ports_of(program, program.outputs, formulas, false);
  return executable;
}

}  // namespace hone::pipeline
