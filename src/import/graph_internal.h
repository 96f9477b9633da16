// The state of one import: the Programs under construction, the names in scope, and what was refused.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>

#include "import/import.h"
#include "import/known_internal.h"
#include "import/refusals_internal.h"
#include "import/tensor_internal.h"
#include "ir/program/program.h"

namespace hone::import {

inline constexpr int kOldestOpset = 1, kNewestOpset = 27;

struct Sequence;

// What a name of the model stands for. Sequences and optionals live in import alone: a sequence is the list of its
// elements, an optional that holds something is what it holds.
struct Term {
  ir::ValueId id = ir::kAbsent;  // in the Program of its scope; absent as long as only the elements are known
  std::optional<Known> known;
  bool refused = false;  // its node was refused, and so will be what uses it, silently
  std::string reason;    // refused only if it is used: an output that its operator's mapping leaves out
  std::shared_ptr<const Sequence> sequence = nullptr;
  bool nothing = false;  // an empty optional

  bool is_tensor() const { return !refused && !sequence && !nothing; }
};

// The term of a value: small integer constants are known as well.
Term term_of(const ir::Program& program, ir::ValueId id);

struct Sequence {
  std::vector<Term> elements;
};

Term value_term(ir::ValueId id);
Term known_term(Known known);
Term refused_term(std::string reason = {});
Term sequence_term(std::vector<Term> elements);

// A Program under construction. That of an If's body takes what it uses of the outer one as inputs.
struct Frame {
  ir::Program program;
  Frame* outer = nullptr;
  std::vector<ir::ValueId> captured;            // values of the outer frame, in the order of program.inputs
  std::map<ir::ValueId, ir::ValueId> own_copy;  // outer value → the value that stands for it here
  std::set<std::string> used_names;
};

// The names of one graph. A graph inlined into another has a scope of its own in the same frame.
struct Scope {
  Frame* frame = nullptr;
  Scope* outer = nullptr;
  std::map<std::string, Term> names;
};

// An op to be added to a frame.
struct Emission {
  ir::Op op;                          // without outputs
  std::vector<ir::TensorType> types;  // one per result; what the op's meaning infers replaces them
  std::string stem;                   // of the results' names
};

class Node;
struct Entry;

class Importer {
 public:
  Importer(std::shared_ptr<const onnx::ModelProto> model, int opset, std::filesystem::path folder,
           ImportOptions options);

  Result<ir::Program> run();
  Result<Imported> run_or_ask();

  // The rest serves the mappings.
  int opset() const { return opset_; }
  Refusals& refusals() { return refusals_; }
  Result<Tensor> read(const onnx::TensorProto& tensor) { return read_tensor(tensor, sources_, files_); }

  // Finds a name from a scope outwards and brings it into the scope's frame; null if it is not defined.
  Term* find(Scope& scope, const std::string& name);
  // The value of a term; a known one becomes a constant, or ops that count to its sizes.
  ir::ValueId value_of(Frame& frame, Term& term);
  ir::ValueId count_to(Frame& frame, const ir::Index& size);  // a size as data, i64[1]
  ir::TensorType type_of(const Frame& frame, const Term& term) const;
  ir::ValueId add_constant(Frame& frame, const std::string& stem, ir::TensorType type, ir::ConstantData data);
  Result<std::vector<ir::ValueId>> emit(Frame& frame, Emission emission);
  std::string unique_name(Frame& frame, const std::string& wanted);
  // A size that data decide. Where sizes broadcast it may turn out to be 1, which sizes of inputs are taken not to be.
  ir::Index computed_size(const std::string& stem);
  bool mentions_computed(const ir::Index& size) const;

  // All initializers and nodes of a graph, in a scope that is open.
  void import_graph(Scope& scope, const onnx::GraphProto& graph, int depth);
  // The terms of a graph's outputs; those not defined are refused in the name of the node.
  std::vector<Term> output_terms(Scope& scope, const onnx::GraphProto& graph, const std::string& node);

  // A size that must equal another: shows it, or makes it so by replacing a symbol everywhere. Inside an If only symbols
  // are made equal to symbols, for the other branch may want another number.
  bool equate(const ir::Index& a, const ir::Index& b);
  // Whether a size is 1. Where that is not known, the symbols of the inputs whose values would tell are added to `asked`.
  std::optional<bool> is_one(const ir::Index& size, std::set<std::string>& asked) const;
  // Of sizes that broadcast, one that is 1 need not be equal to the other. Where that is not known, it is taken not to be.
  bool must_equal(const ir::Index& size, const ir::Index& to);
  bool must_equal_each_other(const ir::Index& a, const ir::Index& b);

  // A scope stays open while its graph is read, so that a replaced symbol is replaced in it too.
  class Open {
   public:
    Open(Importer& importer, Scope& scope) : importer_(importer) { importer.open_.push_back(&scope); }
    ~Open() { importer_.open_.pop_back(); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    Importer& importer_;
  };

 private:
  void import_constants(Scope& scope, const onnx::GraphProto& graph);
  void import_node(Scope& scope, const onnx::NodeProto& node, int depth);
  bool work_out(Scope& scope, const onnx::NodeProto& node, const std::vector<Term*>& terms);
  Result<std::vector<Term>> map_node(Node& node, const Entry& entry);
  std::optional<std::vector<Term>> map_or_refuse(Scope& scope, const onnx::NodeProto& node, int depth);
  bool decided_by_inputs(const Frame& frame, const std::set<ir::ValueId>& unknown);
  void define(Scope& scope, const onnx::NodeProto& node, std::vector<Term> terms);
  void define_refused(Scope& scope, const onnx::NodeProto& node);
  Result<std::vector<Term>> call_function(Scope& scope, const onnx::NodeProto& node,
                                          const onnx::FunctionProto& function, int depth);
  Term brought_into(Frame& frame, const Frame& home, Term term);
  bool fold(Frame& frame, const ir::Op& op);
  ir::ValueId adopt(Frame& frame, const Frame& home, ir::ValueId id);

  Status check_ports() const;
  Status add_inputs(Scope& scope);
  Status add_given(Scope& scope, const std::string& name, const ir::TensorType& type);
  Result<ir::Program> face() const;
  Status check_sizes() const;
  Status add_outputs(Scope& scope);
  Result<ir::Index> input_dim(const std::string& input, int k, const onnx::TensorShapeProto_Dimension& dim);
  ir::Index symbol_for(const std::string& wanted);
  bool equate_by_multiple(const ir::Index& a, const ir::Index& b);
  void replace_symbol(const std::string& symbol, const ir::Index& by);

  struct Declared {
    OpenSize place;
    ir::Index now;  // after all replacements
  };
  // What constants point into.
  struct Sources {
    std::shared_ptr<const onnx::ModelProto> model;
    std::deque<onnx::GraphProto> functions;  // as they were called, with their attributes filled in
  };

  std::shared_ptr<const onnx::ModelProto> model_;
  std::shared_ptr<Sources> sources_;
  std::vector<const onnx::FunctionProto*> calls_;  // that are being inlined, outermost first
  int64_t inlined_nodes_ = 0;
  int opset_;
  ExternalFiles files_;
  ImportOptions options_;
  Refusals refusals_;
  std::vector<Scope*> open_;
  std::map<std::string, std::string> params_;  // dim_param → symbol
  std::vector<std::string> symbols_;           // in the order of their appearance
  bool has_replaced_ = false;                  // a symbol turned out to be another size
  std::set<std::string> computed_;             // symbols of sizes that data decide
  std::map<std::string, int> symbols_named_;   // how many symbols were wanted by that name; contains every symbol
  std::map<std::string, Declared> declared_;   // symbol of an input's dimension → what became of it
  std::set<std::string> deciding_;             // inputs whose values would answer a refusal
  std::set<std::string> deciding_sizes_;       // symbols whose values would
  size_t walks_ = 0;                           // that looked for them
  std::set<std::string> broadcast_sizes_;      // symbols of inputs' sizes that are taken to be other than 1
  Frame frame_;                                // of the model's own graph
  int fresh_ = 0;
};

}  // namespace hone::import
