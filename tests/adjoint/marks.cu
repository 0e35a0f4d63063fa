// GW_STORE and GW_RECOMPUTE in kernels: the same gradients as without, bit for bit, and the tape has what is
// asked for.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define NONE(x) ((void)0)

// Run again: of a loop's iteration the carried v is on the tape, and what is marked, in branches too.
#define LOOP(NAME, MARK)                                                            \
    BOTH("y wrt x, p")                                                              \
    __global__ void loop_##NAME(real *y, const real *x, const real *p, int n) {     \
        int i = HERE;                                                               \
        if (i >= 20) return;                                                        \
        real v = x[i];                                                              \
        for (int k = 0; k < n; k++) {                                               \
            real e = exp(-v) * p[k];                                                \
            MARK(e);                                                                \
            if (e > 0.4) {                                                          \
                real s = sin(e * v);                                                \
                MARK(s);                                                            \
                v += 0.1 * s * s;                                                   \
            } else {                                                                \
                v -= 0.1 * e * v;                                                   \
            }                                                                       \
        }                                                                           \
        y[i] = v * v;                                                               \
    }
LOOP(plain, NONE)
LOOP(stored, GW_STORE)
LOOP(again, GW_RECOMPUTE)

// A branch hands a marked value over; no tape. The inner loop's value is stored while its outer iteration is
// reversed.
#define NEST(NAME, MARK)                                                            \
    BOTH("y wrt x")                                                                 \
    __global__ void nest_##NAME(real *y, const real *x, int n, int m) {             \
        int i = HERE;                                                               \
        real v = x[i];                                                              \
        if (v > 0.2) {                                                              \
            real e = exp(v);                                                        \
            MARK(e);                                                                \
            v = e * e * 0.1;                                                        \
        }                                                                           \
        for (int k = 0; k < n; k++) {                                               \
            real outer = cos(v);                                                    \
            MARK(outer);                                                            \
            for (int j = 0; j < m; j++) {                                           \
                real inner = tanh(v + j);                                           \
                MARK(inner);                                                        \
                v = 0.9 * v + inner * inner * 0.1;                                  \
            }                                                                       \
            v = v * outer + 0.2 * outer * outer;                                    \
        }                                                                           \
        y[i] = v;                                                                   \
    }
NEST(plain, NONE)
NEST(stored, GW_STORE)
NEST(again, GW_RECOMPUTE)

// Around a barrier: what another thread left in shared memory.
#define SHARED(NAME, MARK)                                                          \
    BOTH("y wrt x")                                                                 \
    __global__ void shared_##NAME(real *y, const real *x, int n) {                  \
        __shared__ real s[8];                                                       \
        int t = threadIdx.x;                                                        \
        real v = x[t];                                                              \
        for (int k = 0; k < n; k++) {                                               \
            s[t] = v;                                                               \
            __syncthreads();                                                        \
            real next = s[(t + 1) % 8], c = sin(next);                              \
            MARK(c);                                                                \
            v = v * c * (1 + 0.1 * c);                                              \
            __syncthreads();                                                        \
        }                                                                           \
        y[t] = v;                                                                   \
    }
SHARED(plain, NONE)
SHARED(stored, GW_STORE)
SHARED(again, GW_RECOMPUTE)

#include "marks.grad.cuh"

#define CHECK_LOOP(NAME) CHECK_KERNEL(loop_##NAME, 2, 16, out(20), in(20), in(6), 6)
CHECK_LOOP(plain)
CHECK_LOOP(stored)
CHECK_LOOP(again)
#define CHECK_NEST(NAME) CHECK_KERNEL(nest_##NAME, 1, 16, out(16), in(16), 5, 4)
CHECK_NEST(plain)
CHECK_NEST(stored)
CHECK_NEST(again)
#define CHECK_SHARED_ROUNDS(NAME) CHECK_KERNEL(shared_##NAME, 1, 8, out(8), in(8), 5)
CHECK_SHARED_ROUNDS(plain)
CHECK_SHARED_ROUNDS(stored)
CHECK_SHARED_ROUNDS(again)
TEST_MAIN
