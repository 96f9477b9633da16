// Fuses one program, the model or a body of an If or Loop, into calls on the edges of a graph.
#pragma once

#include "fuse/emit/emit.h"
#include "fuse/emit/graph_writer.h"

namespace hone::fuse {

class ScopeFuser {
 public:
  ScopeFuser(GraphWriter& writer, const ir::Program& program);

  // Where the program's inputs and outputs lie, in order.
  void bind_inputs(const std::vector<int>& edges);
  void bind_outputs(const std::vector<int>& edges);

  Status run(std::vector<ir::Call>& calls);

 private:
  void demand_views();
  void find_needed();
  bool is_needed(const Draft& draft) const;
  int edge_of(ir::ValueId value);
  void write(const Draft& draft, std::vector<ir::Call>& calls);
  void write(Emitted emitted, const std::string& label, std::vector<ir::Call>& calls);
  Status write_op(int op, std::vector<ir::Call>& calls);
  void write_view(ir::ValueId result, std::vector<ir::Call>& calls);
  void write_concat(int op, std::vector<ir::Call>& calls);
  Status write_library(int number, std::vector<ir::Call>& calls);
  Status write_if(int op, std::vector<ir::Call>& calls);
  Status write_loop(int op, std::vector<ir::Call>& calls);
  int result_edge(ir::ValueId output, const ir::TensorType& type);

  GraphWriter& writer_;
  Scope scope_;
  std::map<ir::ValueId, int> edges_;
  std::set<ir::ValueId> needed_;              // in memory
  std::vector<Draft> drafts_;                 // per cluster
  std::map<ir::ValueId, Draft> view_drafts_;  // per materialised view
};

}  // namespace hone::fuse
