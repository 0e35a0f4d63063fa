// An activation, a permute and rows of a table, with adjoints that are new; images.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/streams.cuh"
#include "streams.grad.cuh"

CHECK_KERNEL(gelu, 2, 32, out(50), fresh(in(50, -3, 3)), 50)
CHECK_KERNEL(by_heads, 4, 32, out(120), out(120), out(120), fresh(in(360)), 2, 5, 3, 4)
CHECK_KERNEL(embedding, 3, 32, out(72), fresh(in(72)), fresh(in(36)), list({5, 0, 2, 2, 0, 3}), 2, 3, 12, 6)
CHECK_KERNEL(relative_error, dim3(2, 2), dim3(4, 2), out(20), in(80), in(80), 20, 5, 4)
CHECK_CASE(relative_error_overlaps, relative_error, relative_error, 1e-8, dim3(2, 2), dim3(4, 2), out(20),
           in(80), in(80), 9, 5, 4)
CHECK_KERNEL(bent_normal, dim3(2, 2), dim3(4, 2), out(80), in(80), in(80), in(80), 20, 5, 4)
TEST_MAIN
