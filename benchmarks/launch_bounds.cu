/*
 * launch_bounds.cu - times the gradient of forces of hexahedra, as hydrodynamics codes compute them, by the
 * second number of the primal's
 * __launch_bounds__, which gradients carry as far as it leaves each thread 255 registers
 * (docs/internals/kernels.md): none, no second one, and 1, 2, 4 and 8 blocks of 64 threads. Registers and
 * stack: nvcc -Xptxas -v.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef double real;
enum { threads = 64, corners = 8, modes = 4 };

__device__ const real gamma_of[modes][corners] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                                  {1, -1, -1, 1, -1, 1, 1, -1},
                                                  {1, -1, 1, -1, 1, -1, 1, -1},
                                                  {-1, 1, -1, 1, 1, -1, 1, -1}};

/* Forces that resist hourglass modes: of each corner's velocity and place, by what is left when its linear part
 * is taken off. */
__device__ inline void resist(real *force, const real *place, const real *speed, real stiffness, int count,
                              int at) {
    real x[corners], v[corners], mode[modes], hourglass[corners][modes];
    real volume = 0;
    for (int c = 0; c < corners; c++) {
        x[c] = place[c * count + at];
        v[c] = speed[c * count + at];
    }
    for (int c = 0; c < corners; c++) volume += x[c] * x[(c + 3) % corners] - 0.5 * x[c] * x[(c + 5) % corners];
    for (int m = 0; m < modes; m++) {
        mode[m] = 0;
        for (int c = 0; c < corners; c++) mode[m] += x[c] * gamma_of[m][c];
        for (int c = 0; c < corners; c++)
            hourglass[c][m] = gamma_of[m][c] - mode[m] * x[c] / (1 + volume * volume);
    }
    for (int m = 0; m < modes; m++) {
        mode[m] = 0;
        for (int c = 0; c < corners; c++) mode[m] += hourglass[c][m] * v[c];
    }
    for (int c = 0; c < corners; c++) {
        real sum = 0;
        for (int m = 0; m < modes; m++) sum += hourglass[c][m] * mode[m];
        force[c * count + at] = -stiffness * cbrt(1 + volume * volume) * sum;
    }
}

#define FORCE(NAME, BOUNDS)                                                                                    \
    GW_GRADIENT("force wrt place, speed")                                                                      \
    GW_DERIVATIVE("force wrt place, speed")                                                                    \
    __global__ void BOUNDS NAME(real *force, const real *place, const real *speed, real stiffness,             \
                                int count) {                                                                   \
        const int at = blockIdx.x * threads + threadIdx.x;                                                     \
        if (at < count) resist(force, place, speed, stiffness, count, at);                                     \
    }
FORCE(unbound, )
FORCE(bound, __launch_bounds__(threads))
FORCE(bound_1, __launch_bounds__(threads, 1))
FORCE(bound_2, __launch_bounds__(threads, 2))
FORCE(bound_4, __launch_bounds__(threads, 4))
FORCE(bound_8, __launch_bounds__(threads, 8))

#include "launch_bounds.grad.cuh"

#include "support/workload.cuh"

template <class K> static bool measure(int repeats, const K &kernel) {
    const int count = on_cpu_device ? 300 : 1 << 20;
    const size_t cells = (size_t)corners * count;
    const dim3 grid((unsigned)((count + threads - 1) / threads)), block(threads);
    active_array<real> force(std::vector<real>(cells), 1, true, false),
        place(random_reals(2, cells, 0.5, 1.5), 3, false, true),
        speed(random_reals(4, cells, -1, 1), 5, false, true);
    const timed_run run = {kernel.name, (double)grid.x * threads, repeats, 1e-8, grid, block};
    return measure_kernel(run, kernel, force, place, speed, 0.7, count);
}
#define MEASURE(NAME) measure(repeats, KERNEL(NAME))

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    bool holds = MEASURE(unbound);
    holds &= MEASURE(bound);
    holds &= MEASURE(bound_1);
    holds &= MEASURE(bound_2);
    holds &= MEASURE(bound_4);
    holds &= MEASURE(bound_8);
    return holds ? 0 : 1;
}
