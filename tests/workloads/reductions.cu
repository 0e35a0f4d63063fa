// Reductions by shuffles, and a histogram by atomics in shared memory and in the caller's.
#include "../support/check.cuh"

typedef double real;
enum { threads = 64, bins = 20 };
#include "../../benchmarks/workloads/reductions.cuh"

#include "reductions.grad.cuh"

CHECK_KERNEL(block_reduction, 2, 64, out(2), in(300), in(300), 300)
CHECK_CASE(block_reduction_short, block_reduction, block_reduction, 1e-8, 3, 64, out(3), in(40), in(40), 40)
CHECK_KERNEL(soft_histogram, 2, 64, out(20), in(70, 0.02, 1), in(70), 70)
TEST_MAIN
