#include "lower/transpose.h"

#include <algorithm>
#include <bit>
#include <numeric>

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

// Pieces at even multiples of `distance` from a, from b those that lie `distance` before or behind them: a pair of pieces swapped.
std::vector<int> swapped(int lanes, int distance, bool upper) {
  std::vector<int> taken;
  for (int lane = 0; lane < lanes; ++lane) {
    const bool from_b = (lane & distance) != 0;
    if (upper)
      taken.push_back(from_b ? lanes + lane : lane + distance);
    else
      taken.push_back(from_b ? lanes + lane - distance : lane);
  }
  return taken;
}

Expr mixed(Emitter& emitter, const Expr& a, const Expr& b, std::vector<int> taken) {
  return emitter.let("turned", shuffle(a, b, std::move(taken)));
}

size_t at(int i) {
  return static_cast<size_t>(i);
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

Expr joined(Emitter& emitter, std::vector<Expr> parts) {
  while (parts.size() > 1) {
    std::vector<int> all(at(2 * parts[0]->type.lanes));
    std::iota(all.begin(), all.end(), 0);
    std::vector<Expr> pairs;
    for (size_t k = 0; k + 1 < parts.size(); k += 2)
      pairs.push_back(emitter.let("joined", shuffle(parts[k], parts[k + 1], all)));
    parts = std::move(pairs);
  }
  return parts[0];
}

std::vector<Expr> transposed(Emitter& emitter, std::vector<Expr> rows) {
  const int lanes = rows[0]->type.lanes;
  HONE_CHECK(std::has_single_bit(static_cast<unsigned>(lanes)) && rows.size() == static_cast<size_t>(lanes),
             "{} vectors of {} lanes are no square", rows.size(), lanes);
  const int piece = std::min(lanes, lanes_of_piece(rows[0]->type.element));
  // Squares of one piece each, then pieces change places.
  for (auto first = rows.begin(); first != rows.end(); first += piece) {
    std::vector<Expr> square = turned_in_pieces(emitter, {first, first + piece});
    std::move(square.begin(), square.end(), first);
  }
  for (int distance = piece; distance < lanes; distance *= 2)
    for (int i = 0; i < lanes; ++i) {
      if ((i & distance) != 0) continue;
      const Expr a = rows[at(i)], b = rows[at(i + distance)];
      rows[at(i)] = mixed(emitter, a, b, swapped(lanes, distance, false));
      rows[at(i + distance)] = mixed(emitter, a, b, swapped(lanes, distance, true));
    }
  return rows;
}

}  // namespace hone::lower
