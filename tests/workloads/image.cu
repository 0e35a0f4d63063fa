// Bilinear sampling at given places, beyond the border too, and a convolution with its halo in global memory.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/image.cuh"
#include "image.grad.cuh"

CHECK_CELLS(place, CHECK_CELL(place, x), CHECK_CELL(place, y))

CHECK_KERNEL(sample_bilinear, dim3(2, 2), dim3(4, 2), out(2 * 3 * 5), in(2 * 4 * 6), in(3 * 5, -1.2, 5.7), 2, 4,
             6, 3, 5)
CHECK_KERNEL(convolve, dim3(2, 3), dim3(4, 2), out(7 * 5), in(11 * 9), in(25), 7, 5)
TEST_MAIN
