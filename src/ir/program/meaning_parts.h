// The pieces that meanings are made of: axis names and the indices of common accesses. Private to this folder.
// Result axes are d0, d1, …; reduce axes are r0, r1, ….
#pragma once

#include "ir/program/infer/infer.h"

namespace hone::ir {

Index result_axis(size_t number);
std::vector<Axis> result_axes(const Shape& shape);
std::vector<Index> identity_index(size_t rank);

// Where a broadcast operand is read at the point (d0, d1, …) of the result. A size that may or may not be 1 is read at
// the smaller of the axis and its last index.
std::vector<Index> broadcast_index(const Shape& operand, const Shape& result);

// Takes the next name for a reduce axis and lists it, unless its extent is the constant 1: then it is the index 0.
Index add_reduce(Indexed& meaning, const Index& extent);

// True if the access is shown to stay within the operand at every point of the meaning's axes.
bool surely_inside(const Indexed& meaning, const std::vector<Index>& index, const Shape& operand);

// Sums and products of half-width floats are formed in f32 and rounded once.
Indexed formed_wide(Indexed meaning);

// Brings a reduction without axes to combine None, as Indexed promises.
Indexed settled(Indexed meaning);

}  // namespace hone::ir
