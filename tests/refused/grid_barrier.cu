#include <gradwright/gradwright.h>

#include <cooperative_groups.h>

GW_GRADIENT("y wrt x")
__global__ void in_two_steps(float *y, const float *x) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const unsigned long long i = grid.thread_rank();
    y[i] = x[i] * x[i];
#ifndef OBEYED
    grid.sync();
#endif
    y[i] += x[i];
}

GW_GRADIENT("y wrt x")
__global__ void at_once(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x];
#ifndef OBEYED
    cooperative_groups::this_grid().sync();
#endif
}
// obeys: unsupported
// says: grid_barrier.cu:11:5: error: a barrier over the grid cannot be differentiated yet [unsupported]
// says:     grid.sync();
// says:     ^
// says:   way out: cut the kernel in two at the barrier: the second launch waits for the first, and each half has a gradient
// says: grid_barrier.cu:20:5: error: a barrier over the grid cannot be differentiated yet [unsupported]
// says:     cooperative_groups::this_grid().sync();
// says:     ^
// says:   way out: cut the kernel in two at the barrier: the second launch waits for the first, and each half has a gradient
