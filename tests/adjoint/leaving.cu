// Loops that lanes leave one by one: warps ask which of 32 iterations concern them (leaving.c), or may not.
// What the loops find, and how often, is no number that is differentiated: their forward sweep is all that is
// left of them. Below a kernel stands what is in its text (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
enum { LONG = 96 };

// All threads of the block stage a list of that length.
#define STAGED(at, narrow)                                                                                     \
    __shared__ real s_at[LONG], s_narrow[LONG];                                                                \
    for (int k = threadIdx.x; k < LONG; k += blockDim.x)                                                       \
        s_at[k] = at[k], s_narrow[k] = narrow[k];                                                              \
    __syncthreads();                                                                                           \
    int i = HERE
#define REACHES(j, p, bound) (exp(-(s_narrow[j] * (s_at[j] - (p)) * (s_at[j] - (p)))) >= (bound))

// ---- taken ----

// Left at the third one that is met; how many were passed over is counted by the lane, up and down.
BOTH("y wrt w")
__global__ void third(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0, left = 50;
    unsigned count = 3;
    bool done = i % 7 == 6;
    for (int j = 0; !done && j < LONG; j++) {
        count++;
        left--;
        if (REACHES(j, i, 0.4)) {
            best = best + j;
            done = ++met == 3;
        }
    }
    y[i] = w[best % LONG] * w[count % LONG] * (1 + met) + w[(unsigned)left % 64] * w[i % 5];
}
//= while (left > 0)
//= ran = j + 1

// A bound that all have, and an index that begins above zero and has no sign; NaN and infinite numbers.
BOTH("y wrt w")
__global__ void odd_numbers(real *y, const real *w, const real *at, const real *narrow, unsigned n) {
    STAGED(at, narrow);
    int met = 0;
    unsigned best = 0;
    bool go_on = true;
    for (unsigned j = 2; j < min(n, (unsigned)LONG) && go_on; j++) {
        real d = s_at[j] - i, e = fmin(0.75, exp(-(s_narrow[j] * d * d)));
        if (e < 0.1) continue;
        best = j;
        if (++met == 4) go_on = false;
    }
    y[i] = w[best] * w[best] * (met + 1);
}
//= while (left > 0)

// Several batches; how many iterations there were is only handed on, and what is asked with is in other arms.
BOTH("y wrt w")
__global__ void batches(real *y, const real *w, const real *at, const real *narrow, int n) {
    __shared__ real s_at[64], s_narrow[64];
    int i = HERE, t = threadIdx.x, count = 0, last = 0, met = 0;
    bool done = false;
    for (int base = 0; base < n; base += 64) {
        if (__syncthreads_count(done) == (int)blockDim.x) break;
        for (int k = t; k < 64 && base + k < n; k += blockDim.x) {
            s_at[k] = at[base + k];
            s_narrow[k] = narrow[base + k];
        }
        __syncthreads();
        for (int j = 0; !done && j < min(64, n - base); j++) {
            count++;
            real d = s_at[j] - i, power = -(s_narrow[j] * d * d);
            if (power > 0) continue;
            real e = fmin(0.9, exp(power));
            if (e < 0.2) continue;
            if (met == 5) {
                done = true;
                continue;
            }
            met++;
            last = count;
        }
    }
    y[i] = w[last] * w[met] * w[last];
}
//= while (left > 0)
//! ran =

// Some lanes forget that they have left, so that the next batch asks how many iterations they ran.
BOTH("y wrt w")
__global__ void resumes(real *y, const real *w, const real *at, const real *narrow, int n) {
    __shared__ real s_at[64], s_narrow[64];
    int i = HERE, count = 0, last = 0, met = 0;
    bool done = false;
    for (int base = 0; base < n; base += 64) {
        for (int k = threadIdx.x; k < 64; k += blockDim.x) {
            s_at[k] = at[(base + k) % n];
            s_narrow[k] = narrow[(base + k) % n];
        }
        __syncthreads();
        bool before = done;
        for (int j = 0; !done && j < min(64, n - base); j++) {
            count++;
            real d = s_at[j] - i, e = exp(-(s_narrow[j] * d * d));
            if (e < 0.4) continue;
            met++;
            last = count;
            done = met % 3 == 0;
        }
        if (i % 2) done = before;
        __syncthreads();
    }
    y[i] = w[last] * w[met] * w[last];
}
//= while (left > 0)
//= ran = j + 1

// The loop that colours pixels, whose derivative is its own reverse: numbers of several kinds are carried.
BOTH("y wrt shade, size")
__global__ void painted(real *y, const real *shade, const real *size, const real *at, int n) {
    __shared__ real s_at[64], s_size[64];
    __shared__ int s_id[64];
    int i = HERE, t = threadIdx.x, count = 0, last = 0;
    real p = i / 2.0, T = 1, sum = 0;
    bool done = i == 3;
    for (int base = 0; base < n; base += 64) {
        if (__syncthreads_and(done)) break;
        if (base + t < n) {
            s_id[t] = base + t;
            s_at[t] = at[base + t];
            s_size[t] = size[base + t];
        }
        __syncthreads();
        int most = min(64, n - base);
        for (int j = 0; !done && j < most; j++) {
            count++;
            real d = p - s_at[j], alpha = fmin(0.9, s_size[j] * exp(-2 * d * d));
            if (alpha < 0.03) continue;
            real next = T * (1 - alpha);
            if (next < 0.05) {
                done = true;
                continue;
            }
            sum += shade[s_id[j]] * alpha * T;
            T = next;
            last = count;
        }
    }
    y[i] = sum + 0.25 * T * T + 0.125 * last;
}
//= while (left > 0)
//! ran =

// ---- left as they are ----

// The list ends where all lanes have left; behind that there is none, and nothing says so.
BOTH("y wrt w")
__global__ void closed(real *y, const real *w, const real *at, int most) {
    int i = HERE, met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < min(most, 1000); j++) {
        real d = at[j] - i, e = exp(-0.1 * d * d);
        if (e < 0.2) continue;
        best = j;
        if (++met == 3) done = true;
    }
    y[i] = w[best] * w[best] * met;
}
//! left > 0

// The array is shorter than the loop might be; the lanes' own list ends it.
BOTH("y wrt w")
__global__ void shorter(real *y, const real *w, const real *at, const real *narrow, int n) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < min(n, 2 * LONG); j++) {
        if (REACHES(j, i, 0.4) || j == LONG - 1) {
            best = j;
            done = ++met == 2 || j == LONG - 1;
        }
    }
    y[i] = w[best] * w[best] * met;
}
//! left > 0

// Something else changes in each iteration: a number, a counter by two, one under a condition of its own.
BOTH("y wrt w")
__global__ void fading(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0;
    real fades = 1;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        fades *= 0.99;
        if (REACHES(j, i, 0.4)) done = ++met == 3;
    }
    y[i] = w[met] * w[(int)(fades * 90)];
}
//! left > 0

BOTH("y wrt w")
__global__ void by_two(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, count = 0, some = 0;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        count += 2;
        if (s_at[j] > 0) some++;
        if (REACHES(j, i, 0.4)) done = ++met == 3;
    }
    y[i] = w[met] * w[count / 2] * w[some];
}
//! left > 0

// What is passed over is counted, too.
BOTH("y wrt w")
__global__ void missed(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, misses = 0;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        if (REACHES(j, i, 0.4))
            done = ++met == 3;
        else
            misses++;
    }
    y[i] = w[met] * w[misses];
}
//! left > 0

// A counter decides who goes on.
BOTH("y wrt w")
__global__ void asked_for(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, count = i % 9;
    bool done = false;
    for (int j = 0; !done && count < 60 && j < LONG; j++) {
        count++;
        if (REACHES(j, i, 0.4)) done = ++met == 3;
    }
    y[i] = w[met] * w[count];
}
//! left > 0

// What an iteration looks at is carried, and changes where it is met.
BOTH("y wrt w")
__global__ void moving(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    real p = i;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        if (REACHES(j, p, 0.4)) {
            p = 0.5 * (p + s_at[j] + 1);
            best = j;
            done = ++met == 4;
        }
    }
    y[i] = w[met] * w[best] * p;
}
//! left > 0

// A vote among those that are still there; the lanes' own bounds; an index of their own; cells of their own.
BOTH("y wrt w")
__global__ void voted(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        if (REACHES(j, i, 0.4)) {
            best = j;
            if (__popc(__activemask()) >= 0) done = ++met == 3;
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

BOTH("y wrt w")
__global__ void own_bound(real *y, const real *w, const real *at, const real *narrow, int n) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    int most = min(LONG, n - i % 3);
    bool done = false;
    for (int j = 0; !done && j < most; j++) {
        if (REACHES(j, i, 0.4)) {
            best = j;
            done = ++met == 3;
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

BOTH("y wrt w")
__global__ void own_begin(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    for (int j = i % 3; !done && j < LONG; j++) {
        if (REACHES(j, i, 0.4)) {
            best = j;
            done = ++met == 3;
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

BOTH("y wrt w")
__global__ void own_cell(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        if (REACHES((j + i) % LONG, i, 0.4)) {
            best = j;
            done = ++met == 3;
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

// Some lanes do not come there.
BOTH("y wrt w")
__global__ void elsewhere(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    if (i % 3 != 1) {
        for (int j = 0; !done && j < LONG; j++) {
            if (REACHES(j, i, 0.4)) {
                best = j;
                done = ++met == 3;
            }
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

// Cells that nobody comes to have no quotient.
BOTH("y wrt w")
__global__ void divided(real *y, const real *w, const int *at, const int *by) {
    __shared__ int s_at[LONG], s_by[LONG];
    for (int k = threadIdx.x; k < LONG; k += blockDim.x)
        s_at[k] = at[k], s_by[k] = by[k];
    __syncthreads();
    int i = HERE, met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        int q = s_at[j] / s_by[j];
        real d = q - (real)i, e = exp(-0.1 * d * d);
        if (e >= 0.4 || j == 80) {
            best = j;
            done = ++met == 3 || j == 80;
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

// Written while the loop runs: in the first half, as the primal does.
BOTH("y wrt w")
__global__ void written(real *y, int *seen, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < LONG; j++) {
        if (REACHES(j, i, 0.4)) {
            seen[i] = best;
            best = j;
            done = ++met == 3;
        }
    }
    y[i] = w[met] * w[best];
}

// Shorter than two looks.
BOTH("y wrt w")
__global__ void short_loop(real *y, const real *w, const real *at, const real *narrow) {
    STAGED(at, narrow);
    int met = 0, best = 0;
    bool done = false;
    for (int j = 0; !done && j < 60; j++) {
        if (REACHES(j, i, 0.4)) {
            best = j;
            done = ++met == 3;
        }
    }
    y[i] = w[met] * w[best];
}
//! left > 0

#include "leaving.grad.cuh"

static const real huge = 1e300 * 1e10, none = huge - huge;

static std::vector<real> spread(size_t n, real from, real step) {
    std::vector<real> all(n);
    for (size_t i = 0; i < n; i++)
        all[i] = from + step * (real)((i * 37) % n);
    return all;
}
static std::vector<real> with(std::vector<real> all, std::initializer_list<real> some, size_t at = 3) {
    for (real x : some)
        all[at] = x, at += 11;
    return all;
}
static const std::vector<real> places = spread(LONG, -20, 1.5), narrow = spread(LONG, 0.01, 0.004),
                               odd_places = with(places, {none, huge, -huge, 1e200}),
                               odd_narrow = with(narrow, {huge, huge, 0, -huge, huge, none, huge, -0.01}, 4),
                               many = spread(150, -20, 0.9), many_narrow = spread(150, 0.05, 0.01),
                               closing = spread(50, 0, 1.4), over = spread(150, 0, 0.2);
static std::vector<int> ints(size_t n, int from, int step, size_t none_from) {
    std::vector<int> all(n);
    for (size_t i = 0; i < n; i++)
        all[i] = i < none_from ? from + step * (int)((i * 37) % n) : 0;
    return all;
}
static const std::vector<int> whole = ints(LONG, -20, 3, LONG), divisors = ints(LONG, 1, 1, 81);

CHECK_KERNEL(third, 2, 50, out(100), in(256), given(places), given(narrow))
CHECK_KERNEL(third, 1, 32, out(32), in(256), given(places), given(narrow))
CHECK_KERNEL(odd_numbers, 2, 64, out(128), in(LONG), given(odd_places), given(odd_narrow), 90u)
CHECK_KERNEL(odd_numbers, 1, 40, out(40), in(LONG), given(odd_places), given(odd_narrow), 1u)
CHECK_KERNEL(batches, 2, 40, out(80), in(151), given(many), given(many_narrow), 150)
CHECK_KERNEL(batches, 1, 64, out(64), in(151), given(many), given(many_narrow), 65)
CHECK_KERNEL(resumes, 2, 40, out(80), in(151), given(many), given(many_narrow), 150)
CHECK_KERNEL(painted, 2, 64, out(128), in(150), in(150), given(over), 150)
CHECK_KERNEL(closed, 1, 40, out(40), in(50), given(closing), 1000)
CHECK_KERNEL(shorter, 2, 40, out(80), in(LONG), given(places), given(narrow), 1000)
CHECK_KERNEL(fading, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(by_two, 2, 40, out(80), in(2 * LONG), given(places), given(narrow))
CHECK_KERNEL(missed, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(asked_for, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(moving, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(voted, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(own_bound, 2, 40, out(80), in(LONG), given(places), given(narrow), LONG)
CHECK_KERNEL(own_begin, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(own_cell, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(elsewhere, 2, 40, out(80), in(LONG), given(places), given(narrow))
CHECK_KERNEL(divided, 2, 40, out(80), in(LONG), given(whole), given(divisors))
CHECK_KERNEL(written, 2, 40, out(80), given(whole), in(LONG), given(places), given(narrow))
CHECK_KERNEL(short_loop, 2, 40, out(80), in(LONG), given(places), given(narrow))
TEST_MAIN
