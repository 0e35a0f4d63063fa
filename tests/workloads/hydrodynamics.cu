// Equation of state and energy update of a hydrodynamics proxy: region lists, repeated updates, cut-offs and
// bounds.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/hydrodynamics.cuh"
#include "hydrodynamics.grad.cuh"

static const material common = {1e-7, 1e-7, 1e-7, -1e15, 0, 1e-9, 1e9, 1};
// Bounds and cut-offs that some of the elements meet.
static const material tight = {0.12, 0.9, 0.8, 0.3, 0.05, 0.85, 1.3, 1.4};

static std::vector<double> region() { return {3, 17, 0, 9, 4, 12, 15, 1, 7, 19, 11, 6}; }

#define CASE(name, ...) CHECK_CASE(name, equation_of_state, equation_of_state, 1e-8, 2, 8, __VA_ARGS__)
CASE(expanding_and_compressed, inout(20), inout(20), inout(20), out(20), in(20), in(20), in(20, -0.5, 0.4),
     in(20, 0.7, 1.5), list(region()), 12, 1, common)
CASE(repeated, inout(20), inout(20), inout(20), out(20), in(20), in(20), in(20, -0.5, -0.1), in(20, 0.7, 1.5),
     list(region()), 12, 3, common)
CASE(cut_off_and_bounded, inout(20), inout(20), inout(20), out(20), in(20), in(20), in(20, -0.5, 0.4),
     in(20, 0.7, 1.5), list(region()), 12, 2, tight)
TEST_MAIN
