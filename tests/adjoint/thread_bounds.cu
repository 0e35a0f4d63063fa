// Loops whose limit each thread computes anew in every test: the host needs its greatest value only.
#include "../support/check.cuh"
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void left_in_the_middle(double *y, const double *x, int n) {
    int i = HERE, j = 0;
    if (i >= n) return;
    double v = x[i];
    for (;;) {
        if (j++ >= i % 4) break;
        v = v * v * x[j];
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void at_least_once(double *y, const double *x, int n) {
    int i = HERE, j = 0;
    if (i >= n) return;
    double v = x[i];
    do {
        j++;
        v = v * v * x[j];
    } while (j < i % 4);
    y[i] = v;
}

// The limit is another one in each iteration.
BOTH("y wrt x")
__global__ void moving_limit(double *y, const double *x, int n) {
    int i = HERE, j = 5;
    if (i >= n) return;
    double v = x[i];
    do {
        v = v * v * x[j];
        j -= 2;
    } while (j > (i + (v > 0.5)) % 3);
    y[i] = v;
}

// The inner loop starts where a loop that may be left has come to.
BOTH("y wrt x")
__global__ void start_of_a_loop_that_is_left(double *y, const double *x, int n) {
    int i = HERE;
    if (i >= n) return;
    double v = x[i], w = 1;
    for (int a = 0; a < 4; a++) {
        for (int b = a; b < 6; b += 2, w += x[b]) {
            if (b == 3) {
                w *= x[b];
                continue;
            }
            v += w * x[a] * v * 0.1;
        }
        if (v > 4) break;
    }
    y[i] = v;
}

// What a loop counted bounds the next one, which is left as well.
BOTH("y wrt x")
__global__ void counted_by_another(double *y, const double *x, int n) {
    int i = HERE, k = 7;
    if (i >= n) return;
    double v = x[i];
    for (; k > i % 4; k -= 2) {
        if (v > 1.5) break;
        v += v * x[k] * 0.3;
    }
    for (int j = 0; j < k; j++) v = v * x[j] * 0.9 + v * v * 0.1;
    y[i] = v;
}

// The reverse sweep begins one below what the loop's count is at least; as an unsigned number that would be no
// bound at all.
BOTH("y wrt x")
__global__ void unsigned_count_within(double *y, const double *x, unsigned count, int n) {
    int i = HERE;
    if (i >= n) return;
    double v = x[i];
    for (int j = 0; (unsigned)j <= count; j++) {
        for (int k = 1; k < j + 1; ++k) {
            v = v / (1.1 + v * v);
            if (v > 3) {
                y[i] = v;
                return;
            }
        }
        if (v < 0.2) break;
    }
    y[i] = v;
}

// The least of a number in memory and a constant may be the least int, below which the reverse sweep begins by
// one: no signed number is there.
BOTH("y wrt x")
__global__ void least_of_memory(double *y, const double *x, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    double v = x[i];
    for (int k = 0; k < min(length[i], 6); k++)
        for (int m = 0; m <= k + i % 3; m++) v = v * v * 0.6 + x[k] * 0.3;
    y[i] = v;
}

// The start is a sum of unsigned numbers that wraps around where there are fewer cells than threads; as an int
// it is negative then, and no end of that type.
BOTH("y wrt x")
__global__ void unsigned_start(double *y, const double *x, int n) {
    const int t = threadIdx.x;
    double v = 0.3;
    for (int i = n + threadIdx.x - blockDim.x; i >= 0; i -= blockDim.x) v = sin(v + x[i]) * x[i];
    for (int i = n - 1u - (threadIdx.x + blockIdx.x * blockDim.x); i >= 0; i -= 5) v = cos(v * x[i]);
    y[t] = v;
}

// Differences of unsigned numbers that would wrap around, where a branch has asked whether they do.
BOTH("y wrt x")
__global__ void as_many_as_left(double *y, const double *x, unsigned n) {
    const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
    if (t >= n) return;
    double v = 0.3;
    for (unsigned k = 0; k < n - t; k++) v = sin(v + x[t + k]) * x[k];
    y[t] = v;
}
BOTH("y wrt x") // the difference of signed numbers becomes an unsigned limit
__global__ void as_many_as_left_of_int(double *y, const double *x, int n) {
    const int t = threadIdx.x;
    double v = 0.3;
    if (t < n) {
        for (unsigned k = 0; k < (unsigned)(n - t); k++) v = v * cos(v) + x[k];
        y[t] = v;
    }
}
BOTH("y wrt x")
__global__ void but_the_last(double *y, const double *x, unsigned n) {
    double v = x[0];
    if (n >= blockDim.x)
        for (unsigned k = threadIdx.x; k < n - blockDim.x; k += 3) v = cos(v * x[k]);
    y[threadIdx.x] = v;
}
// One that wraps and is back in the end, and one that is a negative int.
BOTH("y wrt x")
__global__ void and_back(double *y, const double *x, int n) {
    const int trips = (n - threadIdx.x + blockDim.x - 1) / blockDim.x, count = n - blockDim.x;
    double v = x[0];
    for (int k = 0; k < trips; k++) v = sin(v * x[k]);
    for (int k = 0; k < count; k++) v = cos(v * x[k]);
    y[threadIdx.x] = v;
}

#include "thread_bounds.grad.cuh"

CHECK_KERNEL(left_in_the_middle, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(at_least_once, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(moving_limit, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(start_of_a_loop_that_is_left, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(counted_by_another, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(unsigned_count_within, 1, 16, out(12), in(12), 4u, 12)
CHECK_KERNEL(least_of_memory, 1, 16, out(12), in(12), list({0, 1, 2, 3, 4, 5, 6, 7, 100, -3, 2, 1}), 12)
CHECK_KERNEL(unsigned_start, 1, 16, out(16), in(12), 12)
CHECK_KERNEL(as_many_as_left, 1, 16, out(12), in(24), 12u)
CHECK_KERNEL(as_many_as_left_of_int, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(but_the_last, 1, 16, out(16), in(24), 22u)
CHECK_CASE(not_even_the_first, but_the_last, but_the_last, 1e-8, 1, 16, out(16), in(24), 12u)
CHECK_KERNEL(and_back, 1, 16, out(16), in(24), 19)
CHECK_CASE(fewer_than_threads, and_back, and_back, 1e-8, 1, 16, out(16), in(24), 5)

TEST(no_workspace) {
    // at most 6 and 8 values: in a local array
    EXPECT(least_of_memory_workspace_bytes(1, 16, nullptr, nullptr, nullptr, 12) == 0);
}

TEST(as_many_trips_as_there_are) {
    size_t before = 0;
    for (int n : {1, 15, 16, 17, 40}) { // two values a trip, of whole warps
        const size_t bytes = unsigned_start_workspace_bytes(1, 16, nullptr, nullptr, n);
        EXPECT(bytes >= before && bytes <= 2 * 8 * 32 * ((n + 15) / 16 + (n + 4) / 5u + 2));
        before = bytes;
    }
    for (unsigned n : {0u, 1u, 15u, 16u, 17u, 40u}) { // of 32 threads at least
        const unsigned over = n < 16 ? 0 : n - 16;
        EXPECT(as_many_as_left_workspace_bytes(1, 16, nullptr, nullptr, n) <= 8 * 32 * (n + 1));
        EXPECT(as_many_as_left_of_int_workspace_bytes(1, 16, nullptr, nullptr, (int)n) <= 8 * 32 * (n + 1));
        EXPECT(but_the_last_workspace_bytes(1, 16, nullptr, nullptr, n) <= 8 * 32 * (over / 3 + 2));
        const size_t bytes = and_back_workspace_bytes(1, 16, nullptr, nullptr, (int)n);
        EXPECT(bytes <= 8 * 32 * ((n + 31) / 16 + over + 1));
    }
}
TEST_MAIN
