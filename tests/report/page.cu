// A page of its own: markup in the text (<script>alert("x & y")</script>, it's naïve), every way in which an access is
// made safe, a tape, a function that is called, and more lines than are worth showing.
#include <gradwright/gradwright.h>

/*
 * Nothing below needs
 * these lines, so
 * the page folds
 * them away: they
 * stand between the
 * include and the
 * first function
 * and are, all in
 * all, some twelve
 * lines of nothing.
 */

__device__ float bend(const float *knots, int at, float x) {
    return x < 0.5f && at > 0 ? knots[at] * x : knots[at] + x;
}

GW_GRADIENT("out wrt in, knots, scale")
__global__ void page(float *out, const float *in, const float *knots, const int *list, float scale, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float local[4], sum = 0;
    for (int c = 0; c < 4; ++c) local[c] = in[i] * scale;
    for (int c = 0; c < k % 4; ++c) sum += local[c] * local[c];
    for (int j = 0; j < k; ++j) sum = sum * sum + bend(knots, list[i], sum) * in[i]; // the state of this loop is on the tape
    // 'a' < "b" && &c > '\"'
    out[i] = sum * in[i] * in[i + 1]; /* one very long line, for a page that must not be wider than a phone: aaaaaaaaaaaaaaaaaaaa */
}

GW_GRADIENT("wrt x, y")
double energy(double x, const double *y, int n) {
    double e = x;
    for (int i = 0; i < n; ++i) e += x * y[i] * y[i];
    return e;
}

struct couple {
    double a, b;
};

GW_GRADIENT("wrt p")
double members(const couple *p, int i) { return p[i + 1].a * p->b; }
