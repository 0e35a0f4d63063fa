// Lists of which a warp goes over what can concern one of its lanes (candidates.c), and loops in which that
// cannot be told before. Lists are longer than a warp; blocks have warps that are not full. Below a kernel
// stands what is in its text (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Squares, products with what lanes share, of any sign; few lanes are near.
BOTH("y wrt w, size")
__global__ void near(real *y, const real *w, const real *at, const real *narrow, const real *size, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < n - i % 3; j++) {
        real d = at[j] - i, e = size[j] * exp(-0.5 * (narrow[j] * d * d));
        if (e < 0.02) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//= gw_lane()
//= while (candidates != 0)

// From the end of the list, which each lane has for itself; conversions, minima, both signs of a comparison.
BOTH("y wrt w")
__global__ void downward(real *y, const real *w, const float *at, const real *lean, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = n - 1 - i % 3; j >= 2; j--) {
        float d = (float)i - at[j];
        real e = fmin(0.9, exp((real)d * lean[j]));
        if (e > 0.3 && !(e <= 0.31)) sum += w[j] * e;
    }
    y[i] = sum;
}
//= gw_lane()

// Products of two numbers that both are the lanes' own.
BOTH("y wrt w")
__global__ void plane(real *y, const real *w, const real *at, int n) {
    int i = HERE, row = i / 8, column = i % 8;
    real sum = 0;
    for (int j = 0; j < n - i % 3; j++) {
        real dx = at[2 * j] - column, dy = at[2 * j + 1] - row, e = exp(dx * dy * 0.3);
        if (e < 0.5 || e > 0.9) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//= gw_lane()

// Infinite numbers, and what is none: minima give a number of them, which adds.
BOTH("y wrt w")
__global__ void no_number(real *y, const real *w, const real *at, const real *narrow, const real *size, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < n - i % 3; j++) {
        real d = at[j] - i, e = fmin(0.75, size[j] * exp(-(narrow[j] * d * d)));
        if (e < 0.1) continue;
        sum += w[j] * w[j] * e;
    }
    y[i] = sum;
}
//= gw_lane()

// How far a thread went in a batch is its own also where its first half left it on the tape.
BOTH("y wrt shade")
__global__ void taped_end(real *y, const real *shade, const real *at, int n) {
    __shared__ real s_at[32], s_shade[32]; // as many as threads
    int i = HERE, t = threadIdx.x, count = 0, last = 0;
    real p = i / 25.0, T = 1, sum = 0;
    bool done = false;
    for (int base = 0; base < n; base += 32) {
        if (__syncthreads_count(done) == 32) break;
        if (base + t < n) {
            s_at[t] = at[base + t];
            s_shade[t] = shade[base + t];
        }
        __syncthreads();
        for (int j = 0; !done && j < min(32, n - base); j++) {
            count++;
            real d = p - s_at[j], alpha = fmin(0.9, exp(-2 * d * d));
            if (alpha < 0.3) continue;
            real next = T * (1 - alpha);
            if (next < 0.05) {
                done = true;
                continue;
            }
            sum += s_shade[j] * alpha * T;
            T = next;
            last = count;
        }
    }
    y[i] = n < 0 ? last : sum; // nvcc warns of what is only set
}

// A thread that does the work of two asks for both.
JOINED_COARSE("y wrt w", 2)
__global__ void of_two(real *y, const real *w, const real *at, const real *narrow, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < n - i % 3; j++) {
        real d = at[j] - i, e = exp(-(narrow[j] * d * d));
        if (e < 0.1) continue;
        sum += w[j] * w[j] * e;
    }
    y[i] = sum;
}
//= gw_lane()

// A sum of products that a compiler may contract is another number here and there.
BOTH("y wrt w")
__global__ void contracted(real *y, const real *w, const real *at, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < n - i % 3; j++) {
        real dx = at[j] - i, dy = at[j] - i / 2, e = exp(-0.5 * (dx * dx + dy * dy));
        if (e < 0.02) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//! gw_lane()

// Numbers that each lane has from memory, of which some are none; the root of a number that all are above.
BOTH("y wrt w")
__global__ void own_place(real *y, const real *w, const real *at, const real *place, int n) {
    int i = HERE;
    real sum = 0, p = place[i];
    for (int j = 0; j < n - i % 3; j++) {
        real d = at[j] - p, e = fmin(0.75, exp(-0.05 * d * d) - 0.1);
        if (e < 0.02) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//= gw_lane()

BOTH("y wrt w")
__global__ void rooted(real *y, const real *w, const float *at, const float *place, int n) {
    int i = HERE;
    real sum = 0;
    float p = place[i];
    for (int j = 0; j < n - i % 3; j++) {
        float e = fminf(4, expf(1.1f - sqrtf(p - at[j])));
        if (e <= 0.2f) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//= gw_lane()

// What an iteration looks at comes from the one before.
BOTH("y wrt w")
__global__ void carried(real *y, const real *w, const real *at, int n) {
    int i = HERE;
    real sum = 0, reach = 1;
    for (int j = 0; j < n - i % 3; j++) {
        reach = 0.9 * reach + at[j];
        real d = reach - i, e = exp(-0.5 * d * d);
        if (e < 0.02) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//! gw_lane()

// Lanes read entries of their own.
BOTH("y wrt w")
__global__ void own_entry(real *y, const real *w, const real *at, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < n - i % 3; j++) {
        real d = at[i + j] - i, e = exp(-0.5 * d * d);
        if (e < 0.02) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//! gw_lane()

// Shorter than a warp's look.
BOTH("y wrt w")
__global__ void few(real *y, const real *w, const real *at) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < 40; j++) {
        if (j > 30 + i % 9) continue;
        real d = at[j] - i, e = exp(-0.5 * d * d);
        if (e < 0.02) continue;
        sum += w[j] * e * w[j];
    }
    y[i] = sum;
}
//! gw_lane()

#include "candidates.grad.cuh"

static const real huge = 1e300 * 1e10, none = huge - huge;

static std::vector<real> spread(size_t n, real from, real step) {
    std::vector<real> all(n);
    for (size_t i = 0; i < n; i++) all[i] = from + step * (real)((i * 37) % n);
    return all;
}
static std::vector<float> spread_floats(size_t n, real from, real step) {
    const std::vector<real> all = spread(n, from, step);
    return std::vector<float>(all.begin(), all.end());
}
static std::vector<real> with(std::vector<real> all, std::initializer_list<real> some, size_t at = 3) {
    for (real x : some) all[at] = x, at += 11;
    return all;
}
static const std::vector<real> places = spread(90, -20, 1.5),
                               narrow = with(spread(90, 0.01, 0.004), {-0.001, 0, 3}),
                               sizes = spread(90, 0.1, 0.02);
static const std::vector<real> leans = spread(75, -0.4, 0.011), in_plane = spread(140, -4, 0.2);
static const std::vector<float> singles = spread_floats(75, -10, 1.1);
static const std::vector<real> odd_places = with(places, {none, huge, -huge, 1e200}),
                               odd_narrow = with(narrow, {huge, huge, 0, -huge, huge, none, huge}, 4),
                               own_places = with(spread(128, -20, 1.1), {none, 20, huge, -none}),
                               odd_sizes = with(sizes, {1, 0, 1, 1, huge, none, 0, -huge});

CHECK_KERNEL(near, 2, 50, out(100), in(90), given(places), given(narrow), in_given(sizes), 90)
CHECK_KERNEL(near, 1, 32, out(32), in(90), given(places), given(narrow), in_given(sizes), 33)
CHECK_KERNEL(downward, 2, 96, out(192), in(75), given(singles), given(leans), 75)
CHECK_KERNEL(plane, 2, 64, out(128), in(70), given(in_plane), 70)
CHECK_KERNEL(no_number, 2, 64, out(128), in(90), given(odd_places), given(odd_narrow), given(odd_sizes), 90)
CHECK_KERNEL(of_two, 2, 100, out(200), in(90), given(places), given(narrow), 90)
CHECK_KERNEL(contracted, 2, 40, out(80), in(70), given(places), 70)
CHECK_KERNEL(own_place, 2, 40, out(80), in(70), given(places), given(own_places), 70)
CHECK_KERNEL(own_place, 2, 64, out(128), in(70), given(places), given(own_places), 70)
CHECK_KERNEL(rooted, 2, 64, out(128), in(70), given(singles), given(spread_floats(128, 40, 0.7)), 70)
CHECK_KERNEL(carried, 2, 40, out(80), in(70), given(places), 70)
CHECK_KERNEL(own_entry, 1, 20, out(20), in(70), given(places), 70)
CHECK_KERNEL(taped_end, 3, 32, out(96), in(90), given(spread(90, 0, 0.04)), 90)
CHECK_KERNEL(few, 2, 40, out(80), in(40), given(places))
TEST_MAIN
