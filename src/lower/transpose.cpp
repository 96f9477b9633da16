#include "lower/transpose.h"

#include <algorithm>
#include <bit>

namespace hone::lower {
namespace {

using namespace ir::loop;

// Instructions that mix two vectors lane by lane do so within pieces of this size.
constexpr size_t kPieceBytes = 16;

// Lanes of the lower or upper halves of all pieces of a and b in turn: an unpack instruction.
std::vector<int> interleaved(int lanes, int piece, bool upper) {
  std::vector<int> taken;
  for (int lane = 0; lane < lanes; ++lane) {
    const int within = lane % piece, source = lane - within + within / 2 + (upper ? piece / 2 : 0);
    taken.push_back(within % 2 == 0 ? source : lanes + source);
  }
  return taken;
}

// Every other piece of a, then of b, from the first or from the second: one instruction, unlike pieces that change places.
std::vector<int> every_other(int lanes, int piece, bool second) {
  std::vector<int> taken;
  for (int lane = 0; lane < lanes; ++lane) {
    const int within = lane % piece;
    taken.push_back(2 * (lane - within) + within + (second ? piece : 0));
  }
  return taken;
}

Expr mixed(Emitter& emitter, const Expr& a, const Expr& b, std::vector<int> taken) {
  return emitter.let("turned", shuffle(a, b, std::move(taken)));
}

size_t at(int i) {
  return static_cast<size_t>(i);
}

// As many vectors as each has pieces: vector k of the result holds piece k of each.
std::vector<Expr> with_pieces_turned(Emitter& emitter, std::vector<Expr> vectors, int piece) {
  const int lanes = vectors[0]->type.lanes, half = static_cast<int>(vectors.size()) / 2;
  for (int stage = 1; stage < 2 * half; stage *= 2) {
    std::vector<Expr> next(vectors.size());
    for (int k = 0; k < half; ++k) {
      const Expr &a = vectors[at(2 * k)], &b = vectors[at(2 * k + 1)];
      next[at(k)] = mixed(emitter, a, b, every_other(lanes, piece, false));
      next[at(k + half)] = mixed(emitter, a, b, every_other(lanes, piece, true));
    }
    vectors = std::move(next);
  }
  return vectors;
}

}  // namespace

int lanes_of_piece(ir::DType type) {
  return static_cast<int>(kPieceBytes / ir::size_of(type));
}

std::vector<Expr> turned_in_pieces(Emitter& emitter, std::vector<Expr> rows) {
  const int lanes = rows[0]->type.lanes, piece = static_cast<int>(rows.size());
  for (int stage = 1; stage < piece; stage *= 2) {
    std::vector<Expr> next(rows.size());
    for (int i = 0; i < piece / 2; ++i) {
      const Expr &a = rows[at(i)], &b = rows[at(i + piece / 2)];
      next[at(2 * i)] = mixed(emitter, a, b, interleaved(lanes, piece, false));
      next[at(2 * i + 1)] = mixed(emitter, a, b, interleaved(lanes, piece, true));
    }
    rows = std::move(next);
  }
  return rows;
}

std::vector<Expr> transposed(Emitter& emitter, std::vector<Expr> rows) {
  const int lanes = rows[0]->type.lanes;
  HONE_CHECK(std::has_single_bit(static_cast<unsigned>(lanes)) && rows.size() == static_cast<size_t>(lanes),
             "{} vectors of {} lanes are no square", rows.size(), lanes);
  const int piece = std::min(lanes, lanes_of_piece(rows[0]->type.element)), squares = lanes / piece;
  std::vector<std::vector<Expr>> turned;
  for (int k = 0; k < squares; ++k)
    turned.push_back(turned_in_pieces(emitter, {rows.begin() + k * piece, rows.begin() + (k + 1) * piece}));
  // Vector i of every square holds lane i of each piece: those of a result lie one in each.
  for (int i = 0; i < piece; ++i) {
    std::vector<Expr> vectors;
    for (const std::vector<Expr>& square : turned) vectors.push_back(square[at(i)]);
    vectors = with_pieces_turned(emitter, std::move(vectors), piece);
    for (int k = 0; k < squares; ++k) rows[at(k * piece + i)] = vectors[at(k)];
  }
  return rows;
}

}  // namespace hone::lower
