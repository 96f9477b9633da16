#include "hone/edit.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "hone/json_file.h"
#include "hone/process.h"

namespace hone::tools {
namespace {

// request.json tells what to do; answer.json is the answer.
constexpr const char* kScript = R"(
import json, sys
import onnx
folder = sys.argv[1]
request = json.load(open(f"{folder}/request.json"))
model = onnx.load(request["model"])
graph = model.graph
constants = {tensor.name for tensor in graph.initializer}

def captured(node):
    names = list(node.input)
    for attribute in node.attribute:
        for inner in [attribute.g, *attribute.graphs]:
            own = {v.name for v in inner.input} | {t.name for t in inner.initializer} | {o for n in inner.node for o in n.output}
            names += [name for n in inner.node for name in captured(n) if name not in own]
            names += [v.name for v in inner.output if v.name not in own]
    return [name for name in names if name]

def needed(outputs, nodes):
    wanted, kept = set(outputs), []
    for node in reversed(nodes):
        if wanted & set(node.output):
            kept.append(node)
            wanted |= set(captured(node))
    return list(reversed(kept)), wanted

def save(nodes, wanted, outputs, added=()):
    inputs = [v for v in graph.input if v.name in wanted] + list(added)
    initializers = [t for t in graph.initializer if t.name in wanted]
    cut = onnx.helper.make_graph(nodes, graph.name, inputs, outputs, initializers)
    result = onnx.helper.make_model(cut, opset_imports=model.opset_import, functions=model.functions)
    result.ir_version = model.ir_version
    onnx.save(result, request["to"])

command, answer = request["command"], {}
if command == "layers":
    answer["layers"] = [[name, node.op_type, node.name] for node in graph.node for name in node.output if name]
    answer["nodes"] = len(graph.node)
elif command == "inputs":
    answer["inputs"] = [v.name for v in graph.input if v.name not in constants]
elif command == "outputs":
    nodes, wanted = needed(request["tensors"], graph.node)
    save(nodes, wanted, [onnx.ValueInfoProto(name=name) for name in request["tensors"]])
elif command in ("frontier", "from"):
    # Nodes that hold a constant stay with those that read it.
    earlier, later = graph.node[: request["first"]], graph.node[request["first"]:]
    made = {name for node in earlier if node.op_type != "Constant" for name in node.output if name}
    read = dict.fromkeys(name for node in later for name in captured(node))
    answer["tensors"] = [name for name in read if name in made]
    if command == "from":
        if "values" in request:
            types = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "bool": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13, "bf16": 16}
            added = [onnx.helper.make_tensor_value_info(v["name"], types[v["type"]], v["shape"]) for v in request["values"]]
        else:
            inferred = {v.name: v for v in onnx.shape_inference.infer_shapes(model).graph.value_info}
            added = [inferred[name] for name in answer["tensors"]]
        outputs = [v for v in graph.output if any(v.name in node.output for node in later)]
        nodes, wanted = needed([v.name for v in outputs], [node for node in earlier if node.op_type == "Constant"] + list(later))
        save(nodes, wanted, outputs, added)
json.dump(answer, open(f"{folder}/answer.json", "w"))
)";

Result<nlohmann::json> ask(nlohmann::json request) {
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make());
  HONE_PASS(write_json((folder.path() / "request.json").string(), request));
  std::string python = python_path();
  HONE_TRY(Finished finished, run_process({python, "-c", kScript, folder.path().string()}));
  std::ifstream file(folder.path() / "answer.json");
  auto answer = nlohmann::json::parse(file, nullptr, false);
  if (finished.exit_code != 0 || answer.is_discarded())
    return error("the model cannot be cut ({}):\n{}\nHONE_PYTHON may name an interpreter with onnx", python,
                 finished.output);
  return answer;
}

}  // namespace

Result<std::vector<Layer>> layers_of(const std::filesystem::path& model) {
  HONE_TRY(nlohmann::json answer, ask({{"command", "layers"}, {"model", model.string()}}));
  std::vector<Layer> layers;
  for (const auto& layer : answer["layers"]) layers.push_back({layer[0], layer[1], layer[2]});
  return layers;
}

Result<std::vector<std::string>> inputs_of(const std::filesystem::path& model) {
  HONE_TRY(nlohmann::json answer, ask({{"command", "inputs"}, {"model", model.string()}}));
  return answer["inputs"].get<std::vector<std::string>>();
}

Result<size_t> node_count(const std::filesystem::path& model) {
  HONE_TRY(nlohmann::json answer, ask({{"command", "layers"}, {"model", model.string()}}));
  return answer["nodes"].get<size_t>();
}

Status write_with_outputs(const std::filesystem::path& model, const std::vector<std::string>& tensors,
                          const std::filesystem::path& to) {
  HONE_PASS(ask({{"command", "outputs"}, {"model", model.string()}, {"tensors", tensors}, {"to", to.string()}}));
  return Done{};
}

Result<std::vector<std::string>> frontier(const std::filesystem::path& model, size_t first) {
  HONE_TRY(nlohmann::json answer, ask({{"command", "frontier"}, {"model", model.string()}, {"first", first}}));
  return answer["tensors"].get<std::vector<std::string>>();
}

Status write_from_node(const std::filesystem::path& model, size_t first, const std::vector<std::string>& names,
                       const std::vector<eval::Tensor>& values, const std::filesystem::path& to) {
  nlohmann::json types = nlohmann::json::array();
  for (size_t k = 0; k < names.size(); ++k)
    types.push_back({{"name", names[k]}, {"type", ir::name_of(values[k].dtype)}, {"shape", values[k].shape}});
  HONE_PASS(
      ask({{"command", "from"}, {"model", model.string()}, {"first", first}, {"values", types}, {"to", to.string()}}));
  return Done{};
}

Status write_from_node(const std::filesystem::path& model, size_t first, const std::filesystem::path& to) {
  HONE_PASS(ask({{"command", "from"}, {"model", model.string()}, {"first", first}, {"to", to.string()}}));
  return Done{};
}

}  // namespace hone::tools
