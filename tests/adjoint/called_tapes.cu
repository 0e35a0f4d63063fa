// Functions of the device that are called, not inlined, and push on their caller's tape: what they need is
// bounded for the arguments of each call. Where it is not, they are inlined, and the tape is measured.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Large enough that ten copies of a function are too many.
#define MIX(v, p)   v = 0.97 * v + 0.02 * p - 0.01 * v * p + 0.001 * (v - p) * (v + p);
#define MIX4(v, p)  MIX(v, p) MIX(v, p) MIX(v, p) MIX(v, p)
#define MIX20(v, p) MIX4(v, p) MIX4(v, p) MIX4(v, p) MIX4(v, p) MIX4(v, p)
#define TEN_OF(call)                                                                                           \
    (call(0) + call(1) * call(2) + call(3) + call(4) + call(5) + call(6) + call(7) + call(8) + call(9))

__device__ real settled(real v, real p, int steps) {
    MIX20(v, p)
    for (int k = 0; k < steps; k++)
        v = v * v * 0.3 + sin(v * p) * 0.4 + 0.1 * k;
    return v;
}

// As many steps in all threads; of the last call, none.
BOTH("y wrt x, p")
__global__ void same_steps(real *y, const real *x, real p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
#define CALL(k) settled(x[i], p + 0.1 * k, k == 9 ? 0 : steps + k)
    y[i] = TEN_OF(CALL);
#undef CALL
}

// Another number in each thread, and of a type that may not wrap around.
BOTH("y wrt x")
__global__ void own_steps(real *y, const real *x, int n, unsigned char more) {
    int i = HERE;
    if (i >= n) return;
#define CALL(k) settled(x[i], 0.1 * k, i % 7 + k - more)
    y[i] = TEN_OF(CALL);
#undef CALL
}

// What the caller has on its tape lies below: records of its own loops, of four and of eight bytes.
BOTH("y wrt x")
__global__ void above_own_records(real *y, const real *x, int n, int rounds) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int last = i;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < r; j++)
            v = v * v * 0.2 + 0.4 * x[(last + j) % n];
        last = (last * 3 + (v > 0.4)) % n;
#define CALL(k) settled(v, 0.1 * k, r + k)
        v = 0.3 * v + 0.05 * TEN_OF(CALL);
#undef CALL
    }
    y[i] = v;
}

// A function with a tape calls another one, in its loop and behind it, and keeps some values in an array.
__device__ real twice(real v, real p, int steps) {
    real few[3] = {v, p, v * p};
    MIX20(v, p)
    for (int k = 0; k < 3; k++)
        v = v * v * 0.2 + few[k] * 0.4;
    for (int k = 0; k < steps; k++)
        v = 0.5 * sin(v) + 0.2 * settled(v, p, k % 3) + 0.1 * settled(p, v, steps - k);
    return settled(v, v * p, 2 * steps);
}
BOTH("y wrt x")
__global__ void nested(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
#define CALL(k) (settled(x[i], x[(i + 1) % n], k) + twice(x[i], 0.1 * k, steps - k / 4))
    y[i] = TEN_OF(CALL);
#undef CALL
}

// Records of four bytes, of integers that the loop goes on with; an exit; a loop in segments.
__device__ real with_exit(real v, real p, int steps) {
    int at = steps * 7;
    MIX20(v, p)
    for (int k = 0; k < steps; k++) {
        if (at % 11 == 10) break;
        v = v * v * 0.3 + p * (at % 5) * 0.1;
        at = (at * 3 + k) % 101;
    }
    return v;
}
__device__ real in_segments(real v, real p, int steps) {
    MIX20(v, p)
    GW_CHECKPOINT(4)
    for (int k = 0; k < steps; k++)
        v = v * v * 0.1 + sin(v * p) * 0.4 + 0.5 * v;
    return v;
}
BOTH("y wrt x, z")
__global__ void of_types(real *y, const real *x, const real *z, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
#define CALL(k) (with_exit(z[i], 0.1 * k, steps + k) + in_segments(x[i], 0.1 * k, steps + k + 3))
    y[i] = TEN_OF(CALL);
#undef CALL
}

// One call, of constant trips that no local array holds the values of.
__device__ real long_loop(real v, real p) {
    MIX20(v, p)
    for (int k = 0; k < 300; k++)
        v = 0.4 * v * v + 0.5 * sin(v * p) + 0.1;
    return v;
}
BOTH("y wrt x")
__global__ void constant_trips(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = long_loop(x[i], x[(i + 1) % n]);
}
// The same for functions of both sides, which are inlined.
__host__ __device__ real on_both_sides(real v, real p) {
    MIX20(v, p)
    for (int k = 0; k < 300; k++)
        v = 0.4 * v * v + 0.5 * sin(v * p) + 0.1;
    return v;
}
BOTH("y wrt x")
__global__ void both_sides(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = on_both_sides(x[i], x[(i + 1) % n]);
}

// Nobody knows how many steps: inlined, and measured.
BOTH("y wrt x")
__global__ void steps_in_memory(real *y, const real *x, const int *steps, int n) {
    int i = HERE;
    if (i >= n) return;
#define CALL(k) settled(x[i], 0.1 * k, steps[(i + k) % n])
    y[i] = TEN_OF(CALL);
#undef CALL
}

// A loop of the caller is measured, and what it calls is inlined then.
BOTH("y wrt x")
__global__ void beside_measured(real *y, const real *x, const int *steps, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps[i]; k++)
        v = v * v * 0.3 + 0.2;
#define CALL(k) settled(v, 0.1 * k, k)
    y[i] = TEN_OF(CALL);
#undef CALL
}

// What waits for the other threads of the block is inlined.
__device__ real with_barriers(real v, real p, int steps) {
    __shared__ real room[32];
    MIX20(v, p)
    for (int k = 0; k < steps; k++) {
        room[threadIdx.x] = v;
        __syncthreads();
        v = 0.4 * v * room[(threadIdx.x + 1) % 32] + 0.3 * p;
        __syncthreads();
    }
    return v;
}
BOTH("y wrt x")
__global__ void barriers_inside(real *y, const real *x, int steps) {
    y[HERE] = with_barriers(x[HERE], 0.3, steps);
}

// The gradient of a function by itself has no tape to hand over, and inlines what it calls.
GW_GRADIENT("wrt x")
__device__ real by_itself(real x) {
#define CALL(k) settled(x, 0.1 * k, 3)
    return TEN_OF(CALL);
#undef CALL
}

// A template; and adjoints that threads share, in rows behind the tape.
template <int MORE, typename T>
BOTH("y wrt x")
__global__ void of_template(T *y, const T *x, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
#define CALL(k) settled(x[at[(i + k) % n]], 0.5, k + MORE)
    y[i] = TEN_OF(CALL);
#undef CALL
}
template __global__ void of_template<3, real>(real *, const real *, const int *, int);

#include "called_tapes.grad.cuh"

#define STEPS list({3, 0, 5, 1, 2, 4, 9, 1, 1, 2, 3, 0, 7})
CHECK_KERNEL(same_steps, 2, 16, out(30), in(30), active(0.4), 30, 5)
CHECK_KERNEL(own_steps, 2, 16, out(30), in(30), 30, 2)
CHECK_KERNEL(above_own_records, 2, 8, out(13), in(13), 13, 3)
CHECK_KERNEL(nested, 2, 8, out(13), in(13), 13, 4)
CHECK_KERNEL(of_types, 2, 8, out(13), in(13), in(13), 13, 6)
CHECK_KERNEL(constant_trips, 2, 8, out(13), in(13), 13)
CHECK_KERNEL(both_sides, 2, 8, out(13), in(13), 13)
CHECK_MEASURED(steps_in_memory, steps_in_memory, 2, 8, 0, out(13), in(13), STEPS, 13)
CHECK_MEASURED(beside_measured, beside_measured, 2, 8, 0, out(13), in(13), STEPS, 13)
CHECK_KERNEL(barriers_inside, 2, 32, out(64), in(64), 4)
CHECK_INSTANCE(of_template_3, of_template, (3, real), 2, 8, out(13), in(5),
               list({3, 0, 4, 1, 2, 4, 1, 1, 1, 2, 3, 0, 2}), 13)
TEST_MAIN
