// Tiles in shared memory, of sizes that no tile divides.
#include "../support/check.cuh"

typedef double real;
enum { tile = 4 };
#include "../../benchmarks/workloads/tiles.cuh"
#include "tiles.grad.cuh"

CHECK_CELLS(body, CHECK_CELL(body, x), CHECK_CELL(body, y), CHECK_CELL(body, z), CHECK_CELL(body, mass))
CHECK_CELLS(push, CHECK_CELL(push, x), CHECK_CELL(push, y), CHECK_CELL(push, z))

CHECK_KERNEL(multiply, dim3(2, 2), dim3(4, 4), out(42), in(66), in(77), 6, 7, 11)
CHECK_KERNEL(convolve_tile, dim3(2, 3), dim3(4, 4), out(9 * 7), in(9 * 7), in(25), 9, 7)
CHECK_KERNEL(n_body, 2, 16, out(27), in(27, -2, 2), 27, 0.1)
TEST_MAIN
