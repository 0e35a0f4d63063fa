// Sums of products that a nest's conditions are made of: one fused operation each, the same in both runs of an
// iteration; others are left to the compiler.
#include <gradwright/gradwright.h>
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// A thread leaves both loops for good, and notes how far it came.
#define NEST(power, weight)                                                \
    int i = HERE, count = 0, last = 0;                                     \
    bool done = false;                                                     \
    float T = 1, sum = 0;                                                  \
    for (int base = from[i]; base < from[i + 1]; base += 3) {              \
        if (done) break;                                                   \
        for (int j = 0; j < min(3, from[i + 1] - base) && !done; ++j) {    \
            ++count;                                                       \
            const float a = x[base + j], b = x[i];                         \
            const float alpha = fminf(0.99f, expf(power));                 \
            if (alpha < 1 / 255.0f) continue;                              \
            if (T * (1 - alpha) >= 1e-4f) {                                \
                sum += (weight) * T;                                       \
                T *= 1 - alpha;                                            \
                last = count;                                              \
            } else {                                                       \
                done = true;                                               \
            }                                                              \
        }                                                                  \
    }                                                                      \
    out[i] = sum + T + 0.125f * last

GW_GRADIENT("out wrt x")
__global__ void behind(float *out, const float *x, const int *from) {
    NEST(b - 2 * a, alpha);
}
//= fminf(0.99f, expf(fmaf(-2.0f, x[base_2 + j], x[i])))
//= exp_value = expf(fmaf(-2.0f, x[index], x[i]))

GW_GRADIENT("out wrt x")
__global__ void in_front(float *out, const float *x, const int *from) {
    NEST(b * a + 3, alpha);
}
//= fminf(0.99f, expf(fmaf(x[i], x[base_2 + j], 3.0f)))
//= exp_value = expf(fmaf(b, a, 3.0f))

// Less a number.
GW_GRADIENT("out wrt x")
__global__ void less(float *out, const float *x, const int *from) {
    NEST(b * a - a, alpha);
}
//= fminf(0.99f, expf(fmaf(x[i], a, -a)))
//= exp_value = expf(fmaf(b, a, -a))

// Both are products: the one in front stays apart, instances of a coarsened thread may have it in common.
GW_GRADIENT("out wrt x")
__global__ void both(float *out, const float *x, const int *from) {
    NEST(a * a + a * b, alpha);
}
//= fminf(0.99f, expf(fmaf(a, x[i], a * a)))
//= exp_value = expf(fmaf(a, b, a * a))

// A product that is taken away, twice.
GW_GRADIENT("out wrt x")
__global__ void taken_away(float *out, const float *x, const int *from) {
    NEST(a - -(a * b) - b * b, alpha);
}
//= fminf(0.99f, expf(fmaf(-b, b, fmaf(a, b, a))))
//= exp_value = expf(fmaf(-b, b, fmaf(a, b, a)))

// No product, none that a condition is made of, and a loop without one in it.
GW_GRADIENT("out wrt x")
__global__ void no_product(float *out, const float *x, const int *from) {
    NEST(a + b, alpha * a + b * b);
}
//! fma

GW_GRADIENT("out wrt x")
__global__ void no_nest(float *out, const float *x, const int *from) {
    float sum = 0, b = x[HERE];
    for (int k = from[0]; k < from[1]; k++) {
        float power = x[k] * b - b;
        if (power > 0) sum += expf(power);
    }
    out[HERE] = sum;
}
//! fma
