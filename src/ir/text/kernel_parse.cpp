#include "ir/text/kernel_text.h"
#include "ir/text/statement_parse.h"
#include "ir/text/type_text.h"

namespace hone::ir::text {
namespace {

class KernelParser {
 public:
  explicit KernelParser(Lexer& lexer) : lexer_(lexer), statements_(lexer, kernel_) {}

  Result<Kernel> parse() {
    HONE_PASS(lexer_.expect("kernel"));
    HONE_TRY(kernel_.name, lexer_.name("the name of the kernel"));
    HONE_PASS(buffers());
    HONE_PASS(lexer_.expect("{"));
    while (lexer_.at("axis") || lexer_.at("tile")) HONE_PASS(lexer_.at("axis") ? axes() : tile());
    HONE_TRY(kernel_.body, nodes());
    return std::move(kernel_);
  }

 private:
  Status unused_name(const std::string& name, const Token& token) const {
    if (kernel_.place_of(name) >= 0 || statements_.is_axis(name))
      return lexer_.problem_at(token, fmt::format("'{}' names two things of this kernel", name));
    return Done{};
  }

  Status buffers() {
    HONE_PASS(lexer_.expect("("));
    if (lexer_.take_if(")")) return Done{};
    do {
      Buffer buffer;
      if (!lexer_.at("in") && !lexer_.at("out")) return lexer_.unexpected("a buffer, such as in x: f32[M, N]");
      buffer.output = lexer_.take().text == "out";
      Token token = lexer_.peek();
      HONE_TRY(buffer.name, lexer_.name("the name of a buffer"));
      HONE_PASS(unused_name(buffer.name, token));
      HONE_PASS(lexer_.expect(":"));
      HONE_TRY(TensorType type, parse_type(lexer_));
      buffer.dtype = type.dtype;
      buffer.shape = std::move(type.shape);
      kernel_.buffers.push_back(std::move(buffer));
    } while (lexer_.take_if(","));
    if (!lexer_.take_if(")")) return lexer_.unexpected("',' or ')'");
    return Done{};
  }

  Status axes() {
    lexer_.take();
    do {
      Axis axis;
      Token token = lexer_.peek();
      HONE_TRY(axis.name, lexer_.name("the name of an axis"));
      HONE_PASS(unused_name(axis.name, token));
      HONE_PASS(lexer_.expect("<"));
      HONE_TRY(axis.extent, parse_index(lexer_, {}));
      kernel_.axes.push_back(std::move(axis));
    } while (lexer_.take_if(","));
    return Done{};
  }

  Status tile() {
    lexer_.take();
    do {
      Tile tile;
      Token token = lexer_.peek();
      HONE_TRY(tile.name, lexer_.name("the name of a tile"));
      HONE_PASS(unused_name(tile.name, token));
      HONE_PASS(lexer_.expect(":"));
      HONE_TRY(tile.dtype, parse_dtype(lexer_));
      HONE_PASS(lexer_.expect("["));
      if (!lexer_.at("]")) do {
          HONE_TRY(std::string axis, axis_name());
          tile.axes.push_back(std::move(axis));
        } while (lexer_.take_if(","));
      HONE_PASS(lexer_.expect("]"));
      if (lexer_.take_if("ring")) {
        Ring ring;
        HONE_TRY(ring.axis, axis_name());
        HONE_TRY(ring.rows, parse_index(lexer_, axis_scope()));
        tile.ring = std::move(ring);
      }
      kernel_.tiles.push_back(std::move(tile));
    } while (lexer_.take_if(","));
    return Done{};
  }

  IndexScope axis_scope() const {
    return {[this](const std::string& name) { return statements_.is_axis(name); }, nullptr};
  }

  Result<std::string> axis_name() {
    Token token = lexer_.peek();
    HONE_TRY(std::string name, lexer_.name("the name of an axis"));
    if (!statements_.is_axis(name))
      return lexer_.problem_at(token,
                               fmt::format("'{}' is no axis; declare it with: axis {} < …", name, name_text(name)));
    return name;
  }

  Result<std::vector<Node>> nodes() {
    std::vector<Node> list;
    while (!lexer_.take_if("}")) {
      if (lexer_.at("grid") || lexer_.at("loop")) {
        HONE_TRY(Nest inside, nest());
        list.emplace_back(std::make_shared<const Nest>(std::move(inside)));
      } else if (lexer_.at("group")) {
        HONE_TRY(Group inside, group());
        list.emplace_back(std::move(inside));
      } else {
        return lexer_.unexpected("grid, loop, group or '}'");
      }
    }
    return list;
  }

  Result<Nest> nest() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    Nest nest;
    nest.grid = lexer_.take().text == "grid";
    HONE_TRY(nest.axis, axis_name());
    if (lexer_.take_if("step")) {
      HONE_TRY(nest.step, parse_index(lexer_, axis_scope()));
    }
    if (lexer_.take_if("until")) {
      HONE_TRY(nest.until, parse_index(lexer_, axis_scope()));
    }
    if (lexer_.take_if("state")) {
      HONE_TRY(nest.states, states());
    }
    if (!lexer_.take_if("{")) return lexer_.unexpected("step, until, state or '{'");
    HONE_TRY(nest.body, nodes());
    return nest;
  }

  Result<std::vector<State>> states() {
    std::vector<State> list;
    do {
      State state;
      Token token = lexer_.peek();
      HONE_TRY(state.tile, lexer_.name("the name of a tile"));
      int place = kernel_.place_of(state.tile) - static_cast<int>(kernel_.buffers.size());
      if (place < 0 || place >= static_cast<int>(kernel_.tiles.size()))
        return lexer_.problem_at(token, fmt::format("'{}' is no tile; a state is one, declared with: tile {}: f32[…]",
                                                    state.tile, name_text(state.tile)));
      HONE_PASS(lexer_.expect("="));
      HONE_TRY(state.init, statements_.initial_value(kernel_.tiles[static_cast<size_t>(place)].dtype));
      list.push_back(std::move(state));
    } while (lexer_.take_if(","));
    return list;
  }

  Result<std::vector<GroupAxis>> group_axes() {
    std::vector<GroupAxis> list;
    HONE_PASS(lexer_.expect("("));
    if (lexer_.take_if(")")) return list;
    do {
      GroupAxis axis;
      HONE_TRY(axis.axis, axis_name());
      if (lexer_.take_if("in")) {
        HONE_PASS(lexer_.expect("["));
        HONE_TRY(Index lo, parse_index(lexer_, axis_scope()));
        HONE_PASS(lexer_.expect(","));
        HONE_TRY(Index hi, parse_index(lexer_, axis_scope()));
        HONE_PASS(lexer_.expect(")"));
        axis.range = {std::move(lo), std::move(hi)};
      }
      if (lexer_.take_if("carry")) {
        HONE_TRY(axis.carry, axis_name());
      }
      list.push_back(std::move(axis));
    } while (lexer_.take_if(","));
    if (!lexer_.take_if(")")) return lexer_.unexpected("',' or ')'");
    return list;
  }

  Result<Group> group() {
    lexer_.take();
    statements_.open_group();
    Group group;
    HONE_TRY(group.parallel, group_axes());
    if (lexer_.take_if("over")) {
      HONE_TRY(group.over, group_axes());
    }
    HONE_PASS(lexer_.expect("{"));
    std::vector<Stmt>* list = &group.inner;
    while (!lexer_.take_if("}")) {
      if (list == &group.inner && lexer_.take_if("then")) {
        list = &group.outer;
        continue;
      }
      HONE_TRY(Stmt statement, statements_.statement());
      list->push_back(std::move(statement));
    }
    return group;
  }

  Lexer& lexer_;
  Kernel kernel_;
  StatementParser statements_;
};

}  // namespace

Result<Kernel> parse_kernel(Lexer& lexer) {
  return KernelParser(lexer).parse();
}

}  // namespace hone::ir::text

namespace hone::ir {

Result<Kernel> parse_kernel(std::string_view source) {
  HONE_TRY(text::Lexer lexer, text::Lexer::open(std::string(source)));
  HONE_TRY(Kernel kernel, text::parse_kernel(lexer));
  HONE_PASS(lexer.expect_end());
  return kernel;
}

}  // namespace hone::ir
