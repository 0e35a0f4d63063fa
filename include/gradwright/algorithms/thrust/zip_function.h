#pragma once
#include <gradwright/algorithms/each/functors.cuh>

namespace thrust {
template <class F> using zip_function = gw_zip_function<F>;
template <class F> gw_zip_function<F> make_zip_function(F f) { return gw_zip_function<F>{f}; }
} // namespace thrust
