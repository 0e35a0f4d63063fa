// The D3Q19 lattice Boltzmann step, gathering and sending: shifted cells of 19 directions, static loops over
// tables.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/lattice_boltzmann.cuh"
#include "lattice_boltzmann.grad.cuh"

// 5 x 4 x 4 cells: two layers of cells that neighbour each other between the boundaries.
CHECK_KERNEL(pull_step, dim3(2, 4, 4), 4, out(19 * 80), in(19 * 80), 1.2, 5, 4, 4)
CHECK_KERNEL(push_step, dim3(2, 4, 4), 4, out(19 * 80), in(19 * 80), 1.2, 5, 4, 4)
TEST_MAIN
