// Rows that a warp each normalises.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/norms.cuh"
#include "norms.grad.cuh"

CHECK_KERNEL(layer_norm_rows, 2, 64, out(3 * 37), fixed(3), fixed(3), in(3 * 37), in(37), in(37), 3, 37)
CHECK_KERNEL(rms_norm_rows, 2, 64, out(3 * 37), in(3 * 37), in(37), 3, 37)
CHECK_KERNEL(unit_rows, 2, 64, out(3 * 37), in(3 * 37), 3, 37)
CHECK_KERNEL(softmax_rows, 2, 64, out(3 * 37), in(3 * 37, -3, 3), 3, 37)
TEST_MAIN
