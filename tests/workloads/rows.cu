// Blocks that meet to sum up a row: shorter than the block, longer, and of its size.
#include "../support/check.cuh"

typedef double real;
enum { threads = 8 };
#include "../../benchmarks/workloads/rows.cuh"
#include "rows.grad.cuh"

CHECK_KERNEL(layer_norm, 3, 8, out(3 * 21), in(3 * 21), in(21), in(21), 21)
CHECK_CASE(layer_norm_short, layer_norm, layer_norm, 1e-8, 2, 8, out(2 * 5), in(2 * 5), in(5), in(5), 5)
CHECK_KERNEL(softmax, 3, 8, out(3 * 19), in(3 * 19, -3, 3), 19)
CHECK_KERNEL(sum_of_squares, 3, 8, out(3), in(61), 61)
CHECK_KERNEL(scan, 3, 8, out(21), in(21), 21)
TEST_MAIN
