#include <fstream>

#include "pipeline/compile.h"
#include "runtime/seal.h"

namespace hone::pipeline {
namespace {

// A C identifier from the library's name.
std::string identifier_of(const std::filesystem::path& library) {
  std::string name = library.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "model_" + name;
  return name;
}

void describe(std::string& text, const char* kind, const std::vector<runtime::PortSpec>& ports) {
  for (size_t i = 0; i < ports.size(); ++i) {
    std::string shape;
    for (const std::string& extent : ports[i].shape_text) shape += (shape.empty() ? "" : ", ") + extent;
    text += fmt::format(" *   {} {}: {} {}[{}]\n", kind, i, ports[i].name, ports[i].dtype, shape);
  }
}

std::string header_of(const runtime::Executable& executable, const std::filesystem::path& library) {
  std::string name = identifier_of(library), upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      fmt::format("/* {}, compiled by Hone {} for {}.\n", executable.name, executable.build, executable.isa);
  describe(text, "input", executable.inputs);
  describe(text, "output", executable.outputs);
  text += " * Load it with hone_session_load(HONE_" + upper +
          "_LIBRARY, …) of hone/hone.h, linked to libhone_runtime. */\n";
  text += fmt::format("#ifndef HONE_MODEL_{0}_H\n#define HONE_MODEL_{0}_H\n\n", upper);
  text += fmt::format("#define HONE_{}_LIBRARY \"{}\"\n", upper, library.filename().string());
  text += fmt::format("#define HONE_{}_INPUTS {}\n#define HONE_{}_OUTPUTS {}\n\n#endif\n", upper,
                      executable.inputs.size(), upper, executable.outputs.size());
  return text;
}

}  // namespace

Status write_artefact(const CompiledModel& model, const std::filesystem::path& library) {
  std::vector<std::byte> description = runtime::serialize(model.executable);
  codegen::SharedObject parts;
  parts.objects.assign(model.objects.begin(), model.objects.end());
  parts.blobs.push_back({"hone_executable", description, 64});
  parts.blobs.push_back({"hone_weights", {model.weights->data(), model.weights->size()}, 4096});
  parts.exports = model.executable.functions;
  parts.soname = library.filename().string();
  parts.finish = runtime::seal_file;
  HONE_PASS(codegen::link_shared_object(parts, library.string()));
  std::filesystem::path header = library;
  header.replace_extension(".h");
  std::ofstream out(header);
  out << header_of(model.executable, library);
  if (!out.flush()) return error("cannot write {}", header.string());
  return Done{};
}

}  // namespace hone::pipeline
