// Every operator of C on active values, and integer operators that steer them.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt a, b")
__global__ void arithmetic(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i < n) y[i] = (a[i] + b[i]) * (a[i] - 2 * b[i]) / (a[i] * a[i] + 1) - -b[i] + +a[i];
}

BOTH("y wrt a, b")
__global__ void compound(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = a[i];
    v += b[i] * a[i];
    v *= v;
    v -= a[i] / b[i];
    v /= b[i] + v * v;
    y[i] = v;
}

// The right side of a compound assignment reads the variable that is assigned.
BOTH("y wrt a")
__global__ void self_assign(real *y, const real *a, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = a[i];
    v *= v + 1;
    v = v = v * a[i];
    real w = v;
    w -= w * v;
    y[i] = w;
}

BOTH("y wrt a, b")
__global__ void ternary(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i >= n) return;
    real larger = a[i] > b[i] ? a[i] * a[i] : b[i] * a[i];
    y[i] = i % 2 ? larger : larger < 1 ? 3 * larger : larger * larger;
}

// The ternary's unselected side would divide by zero.
BOTH("y wrt a")
__global__ void guarded_ternary(real *y, const real *a, int n) {
    int i = HERE;
    if (i < n) y[i] = i == 3 ? a[i] : a[i] / (i - 3);
}

BOTH("y wrt a, b")
__global__ void logical(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i >= n) return;
    bool both = a[i] > 0.8 && b[i] > 0.8;
    bool either = a[i] > 1.3 || !(b[i] < 1.2);
    real v = a[i] * b[i];
    if (both) v *= a[i];
    if (either && i < n - 2) v += b[i] * b[i];
    if (!both || either) v = v * v;
    y[i] = v;
}

// The right side of && is guarded by the left one: a[i + 1] does not exist for the last i.
BOTH("y wrt a")
__global__ void short_circuit(real *y, const real *a, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = a[i];
    if (i + 1 < n && a[i + 1] > 1) v = v * v * a[i + 1];
    if (i == 0 || a[i - 1] < 1) v += 2 * a[i];
    y[i] = v;
}

BOTH("y wrt a")
__global__ void integer_operators(real *y, const real *a, int n) {
    int i = HERE;
    if (i >= n) return;
    int j = (i * 7 + 3) % n;
    unsigned k = (unsigned)i;
    k ^= 5u;
    k &= 15u;
    k |= 1u;
    k <<= 1;
    k >>= 2;
    int m = ~j & 7;
    y[i] = a[j] * (real)(k + 1) + a[i] * a[i] * m + (i << 2) / 3 * a[j];
}

BOTH("y wrt a")
__global__ void increments(real *y, const real *a, int n) {
    int i = HERE;
    if (2 * i + 1 >= n) return;
    int j = 2 * i;
    real v = a[j++];
    v = v * a[j--];
    v += a[++j] * v;
    --j;
    v++;
    y[i] = v-- * a[j];
    y[i] += v * v;
}

BOTH("y wrt a, b")
__global__ void comma(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i >= n) return;
    real u, v;
    u = a[i], v = b[i] * u;
    y[i] = (u *= v, u + v * v);
}

BOTH("y wrt a, b")
__global__ void comparisons(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = a[i] * b[i];
    if (a[i] < b[i]) v *= 2 * a[i];
    if (a[i] >= b[i]) v *= 3 * b[i];
    if (i == 4) v *= v;
    if (i != 5) v += a[i];
    if (i <= 6) v = v / b[i];
    if (i > 7) v -= b[i] * b[i];
    y[i] = v * (a[i] > 1);
}

BOTH("y wrt a")
__global__ void unused_result(real *y, const real *a, int n) {
    int i = HERE;
    if (i >= n) return;
    real dead = exp(a[i]) * a[i];
    dead += 1;
    (void)dead;
    y[i] = a[i] * a[i] * a[i];
}

// Sums of one variable with itself, many uses of one value.
BOTH("y wrt a")
__global__ void fan_out(real *y, const real *a, int n) {
    int i = HERE;
    if (i >= n) return;
    real u = a[i] * a[i], v = u + u, w = v * u - u / v;
    y[i] = (w + w * v) * (u + w);
}

BOTH("y wrt a")
__global__ void constants(real *y, const real *a, int n) {
    int i = HERE;
    if (i >= n) return;
    const real half = 0.5, pi = 3.14159265358979323846;
    real v = half * a[i] * pi / 2.0f + 1e-3 * a[i] * a[i];
    y[i] = v * 1.0 + 0.0 - 'a' * a[i] + 0x10 * v;
}

#include "operators.grad.cuh"

CHECK_KERNEL(arithmetic, 2, 16, out(20), in(20), in(20), 20)
CHECK_KERNEL(compound, 2, 16, out(20), in(20), in(20), 20)
CHECK_KERNEL(self_assign, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(ternary, 2, 16, out(20), in(20), in(20), 20)
CHECK_KERNEL(guarded_ternary, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(logical, 2, 16, out(20), in(20), in(20), 20)
CHECK_KERNEL(short_circuit, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(integer_operators, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(increments, 1, 16, out(16), in(20), 20)
CHECK_KERNEL(comma, 2, 16, out(20), in(20), in(20), 20)
CHECK_KERNEL(comparisons, 2, 16, out(20), in(20), in(20), 20)
CHECK_KERNEL(unused_result, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(fan_out, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(constants, 2, 16, out(20), in(20), 20)
TEST_MAIN
