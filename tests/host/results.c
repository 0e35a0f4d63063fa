/* C functions that return structs, in headers' and source's types: the seed is a struct of the returned type,
 * by value, and a forward derivative returns the struct and stores its tangent. */
#include "difference.h"

#include <gradwright/gradwright.h>

struct sums {
    double total, squares;
    float last[2];
    int count;
};
typedef struct {
    struct sums of;
    double mean;
} summary;

static struct sums add(struct sums s, double x) {
    s.total += x;
    s.squares += x * x;
    s.last[s.count++ % 2] = (float)x;
    return s;
}

GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
summary summarize(const double *x, int n) {
    summary r = {{0, 0, {0, 0}, 0}, 1};
    for (int i = 0; i < n; i++) r.of = add(r.of, x[i] * r.mean);
    r.mean = r.of.total / (1 + r.of.squares);
    return r;
}

/* Arrays of run-time size, and values that go on a tape. */
GW_GRADIENT("wrt x")
struct sums smoothed(const double *x, int n) {
    double t[n];
    for (int i = 0; i < n; i++) t[i] = x[i];
    for (int k = 0; k < n; k++)
        for (int i = 1; i < n; i++) t[i] = 0.5 * t[i - 1] * t[i] + 0.25;
    struct sums r = {0, 0, {0, 0}, 0};
    if (n < 2) return r;
    for (int i = 0; i < n; i++) r = add(r, t[i]);
    return r;
}

#include "results.grad.h"

enum { N = 5 };

static double loss_of_summary(const double *x) {
    const summary s = summarize(x, N);
    return s.of.total + 2 * s.of.squares + 3 * s.mean;
}
static double loss_of_smoothed(const double *x) {
    const struct sums s = smoothed(x, N);
    return 0.5 * s.total - s.squares;
}

int main(void) {
    const double x[N] = {0.5, 1.25, -0.75, 1.5, 0.875};
    double d_x[N] = {0}, along = 0;
    const summary seed = {{1, 2, {0, 0}, 0}, 3};
    summarize_grad(x, N, seed, d_x);
    check("summarize", loss_of_summary, x, N, d_x);
    const double t_x[N] = {1, -0.5, 2, 0.25, -1};
    summary tangent = {{0, 0, {0, 0}, 0}, 0};
    const summary value = summarize_jvp(x, N, t_x, &tangent), wanted = summarize(x, N);
    for (int i = 0; i < N; i++) along += d_x[i] * t_x[i];
    EXPECT(value.mean == wanted.mean && value.of.count == N && value.of.last[1] == wanted.of.last[1]);
    EXPECT(fabs(tangent.of.total + 2 * tangent.of.squares + 3 * tangent.mean - along) < 1e-13);
    EXPECT(tangent.of.last[0] == -1.0f && tangent.of.last[1] == 0.25f);

    const summary of_last = {{0, 0, {8, 16}, 0}, 0};
    double d_last[N] = {0};
    summarize_grad(x, N, of_last, d_last);
    EXPECT(d_last[2] == 0 && d_last[3] == 16 && d_last[4] == 8);

    const struct sums seed_of_sums = {0.5, -1, {0, 0}, 0};
    memset(d_x, 0, sizeof d_x);
    EXPECT(smoothed_grad(x, N, seed_of_sums, d_x) == GW_OK);
    check("smoothed", loss_of_smoothed, x, N, d_x);
    return difference_failures != 0;
}
