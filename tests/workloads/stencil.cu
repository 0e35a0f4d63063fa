// Heat conduction by five and by seven points; grids that cover the cells, and such as do not.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/stencil.cuh"
#include "stencil.grad.cuh"

CHECK_KERNEL(conduct_5, dim3(3, 3), dim3(4, 2), out(9 * 6), in(9 * 6), 0.2, 9, 6)
CHECK_CASE(conduct_5_uncovered, conduct_5, conduct_5, 1e-8, dim3(2, 2), dim3(4, 2), out(9 * 6), in(9 * 6), 0.2,
           9, 6)
CHECK_KERNEL(conduct_7, dim3(2, 3, 3), dim3(4, 2, 2), out(7 * 5 * 6), in(7 * 5 * 6), 0.4, 0.1, 7, 5, 6)
CHECK_CASE(conduct_7_uncovered, conduct_7, conduct_7, 1e-8, dim3(1, 2, 4), dim3(4, 2, 1), out(7 * 5 * 6),
           in(7 * 5 * 6), 0.4, 0.1, 7, 5, 6)
TEST_MAIN
