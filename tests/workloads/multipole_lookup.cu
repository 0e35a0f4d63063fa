// Cross sections by poles: complex arithmetic, the Faddeeva function on both sides of its switch, random
// gathers.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/multipole_lookup.cuh"
#include "multipole_lookup.grad.cuh"

CHECK_CELLS(pole, CHECK_CELL(pole, position.re), CHECK_CELL(pole, position.im), CHECK_CELL(pole, total.re),
            CHECK_CELL(pole, total.im), CHECK_CELL(pole, absorption.re), CHECK_CELL(pole, absorption.im),
            CHECK_CELL(pole, fission.re), CHECK_CELL(pole, fission.im))

#include "../../benchmarks/workloads/multipole_data.h"

static const multipole_data near_poles(3, 6, 2, 3, 0.5), far_poles(3, 6, 2, 3, 20);

#define CASE(name, data)                                                                                     \
    CHECK_CASE(name, multipole_lookup, multipole_lookup, 1e-8, 1, 16, out(4 * 12), in_given(data.poles),     \
               given(data.windows), given(data.window_count), given(data.radius), given(data.nuclide_count), \
               given(data.nuclide), given(data.concentration), data.sizes, 12)
CASE(poles_at_hand, near_poles)
CASE(poles_far_away, far_poles)
TEST_MAIN
