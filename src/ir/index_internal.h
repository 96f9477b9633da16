// What the files of Index share; private to index*.cpp.
#pragma once

#include "ir/index.h"

namespace hone::ir {

AtomPtr make_atom(IndexAtom::Kind kind, std::string name, int slot, std::vector<Index> args);
Index of_atom(AtomPtr atom);
IndexTerm times(const IndexTerm& a, const IndexTerm& b);

int64_t floor_div_numbers(int64_t a, int64_t b);  // 0 by 0
int64_t mod_numbers(int64_t a, int64_t b);

// Quotients, remainders, minima and maxima in normal form, given what is known of the axes.
Index divide(const Index& a, const Index& b, const Ranges& ranges);
Index remainder(const Index& a, const Index& b, const Ranges& ranges);
Index extreme(IndexAtom::Kind kind, const Index& a, const Index& b, const Ranges& ranges);

}  // namespace hone::ir
