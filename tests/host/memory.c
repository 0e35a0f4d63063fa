/* memcpy, memmove and memset in C, with assignments of their results, and of what malloc gave. */
#include "difference.h"

#include <gradwright/gradwright.h>

struct particle {
    double at[3];
    float mass;
    int id;
};

GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
double scattered(const double *x, int n) {
    struct particle first = {{x[0], x[1], x[2]}, (float)x[3], 1}, other;
    double *t = calloc((size_t)n, sizeof *t), *u = malloc(sizeof(double) * (size_t)n * 2);
    memset(u, 0, 2 * (size_t)n * sizeof *u);
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    memcpy(u + n / 2, t, sizeof(double) * (size_t)n);
    memmove(u, u + 1, ((size_t)n + 1) * sizeof(double));
    memcpy(&other, &first, sizeof other);
    memcpy(other.at, t + 1, sizeof other.at);
    double sum = first.at[0] * other.at[2] + other.mass;
    for (int i = 0; i < 2 * n; i++) sum += u[i] * u[i] * (i + 1);
    free(u);
    free(t);
    return sum;
}

#include "memory.grad.h"

enum { N = 6 };
static double loss(const double *x) { return scattered(x, N); }

int main(void) {
    const double x[N] = {0.5, 1.25, -0.75, 1.5, 0.875, 1.125}, t_x[N] = {1, -0.5, 2, 0.25, -1, 3};
    double d_x[N] = {0}, tangent = 0, along = 0;
    EXPECT(scattered_grad(x, N, d_x) == GW_OK);
    check_within("scattered", loss, x, N, d_x, 1e-4, 1e-2);
    EXPECT(scattered_jvp(x, N, t_x, &tangent) == loss(x));
    for (int i = 0; i < N; i++) along += d_x[i] * t_x[i];
    EXPECT(fabs(tangent - along) < 1e-12 * (1 + fabs(along)));
    return difference_failures != 0;
}
