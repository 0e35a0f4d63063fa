// The least time step of all elements by volatile shared memory, in whose last rounds a warp runs in step.
#include "../support/check.cuh"

typedef double real;
enum { threads = 128 };
#include "../../benchmarks/workloads/time_step.cuh"

#include "time_step.grad.cuh"

static std::vector<double> some_elements(int n) {
    std::vector<double> list;
    for (int i = 0; i < n; i++)
        list.push_back(i * 7 % n);
    return list;
}

CHECK_KERNEL(time_steps, 3, threads, out(3), out(3), list(some_elements(400)), in(400, 0.5, 2),
             in(400, -1.5, 1), in(400, 0.5, 2), active(6.0), active(0.1), 400)
CHECK_KERNEL(time_step, 2, threads, out(2), in(100, 0.1, 2), in(100, 0.1, 2), 100)
TEST_MAIN
