// Batches of small linear systems, one for each thread: Cholesky's factors in registers, tridiagonal
// elimination in local arrays.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/systems.cuh"
#include "systems.grad.cuh"

static std::vector<double> symmetric(int systems) {
    std::vector<double> all;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int t = 0; t < systems; t++) all.push_back((i == j ? 3 : 0) + 0.1 * ((i * 5 + j * 3 + t) % 7));
    return all;
}

CHECK_KERNEL(cholesky_solve, 2, 4, out(4 * 6), out(6), in_given(symmetric(6)), in(4 * 6), 6)
CHECK_KERNEL(tridiagonal_solve, 2, 4, out(60), in(60, 0.1, 0.5), in(60, 2, 3), in(60, 0.1, 0.5), in(60), 10, 6)

// All loops of the factors are written out, triangles too: no tape.
TEST(what_takes_no_workspace) {
    EXPECT(cholesky_solve_workspace_bytes(2, 4, nullptr, nullptr, nullptr, nullptr, 6) == 0);
}
TEST_MAIN
