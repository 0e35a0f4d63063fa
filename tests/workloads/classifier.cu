// Rows of a classifier in one pass, by a block and by a warp each: two kinds of rows have their greatest twice.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/classifier.cuh"
#include "classifier.grad.cuh"

static std::vector<double> tied(int count) {
    std::vector<double> x((size_t)count);
    for (int k = 0; k < count; k++) x[(size_t)k] = k % 5 == 0 ? 1.5 : 0.1 * (k * 7 % 13);
    return x;
}
CHECK_KERNEL(cross_entropy, 3, 64, out(3), fresh(in(3 * 150, -3, 3)), list({5, 149, 64}), 3, 150)
CHECK_CASE(cross_entropy_tied, cross_entropy, cross_entropy, 1e-8, 3, 64, out(3),
           fresh(in_given(tied(3 * 150))), list({5, 149, 64}), 3, 150)
CHECK_KERNEL(softmax_online, 2, 64, out(3 * 70), fresh(in(3 * 70, -3, 3)), 3, 70)
CHECK_CASE(softmax_online_tied, softmax_online, softmax_online, 1e-8, 2, 64, out(3 * 70),
           fresh(in_given(tied(3 * 70))), 3, 70)
TEST_MAIN
