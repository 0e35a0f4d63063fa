// Loops that find a least or greatest number: the reverse sweep visits the iteration that won
// (rewriters/formula/winner.c), and what is not of that kind is reversed as any other loop.
#include "../support/check.cuh"

#define THREAD int i = blockIdx.x * blockDim.x + threadIdx.x

BOTH("y wrt x")
__global__ void row_max(double *y, const double *x, int rows, int columns) {
    THREAD;
    if (i >= rows) return;
    double best = -INFINITY;
    for (int k = 0; k < columns; k++) best = fmax(best, x[i * columns + k]);
    y[i] = best;
}

// Its bound is known to the thread only: no tape could be had.
BOTH("y wrt x")
__global__ void pool(double *y, int *at, const double *x, int height, int width, int out_height, int out_width,
                     int side, int step) {
    THREAD;
    if (i >= out_height * out_width) return;
    int top = i / out_width * step, left = i % out_width * step, bottom = min(top + side, height),
        right = min(left + side, width);
    double best = -INFINITY;
    int found = top * width + left;
    for (int v = top; v < bottom; ++v)
        for (int u = left; u < right; ++u)
            if (x[v * width + u] > best) {
                found = v * width + u;
                best = x[found];
            }
    y[i] = best;
    at[i] = found;
}

// Numbers that change together, behind a condition, and a start that an input gives.
BOTH("depth, shade wrt plane, colour, far")
__global__ void nearest_hit(double *depth, double *shade, const double *plane, const double *colour,
                            const double *far, int n, int planes) {
    THREAD;
    if (i >= n) return;
    double near = far[i], weight = 0.25;
    int hit = -1;
    for (int k = 0; k < planes; k++) {
        double slope = plane[2 * k] + i * 0.1;
        if (slope < 0.8) continue;
        double t = plane[2 * k + 1] / slope;
        if (t < near) {
            near = t;
            weight = slope * t;
            hit = k;
        }
    }
    depth[i] = near;
    shade[i] = hit < 0 ? weight : weight * colour[hit];
}

// A value that a loop makes; down, in steps, an unsigned index; a loop that is left.
BOTH("y wrt x, z")
__global__ void farthest(double *y, const double *x, const double *z, int n, unsigned int points,
                         int dimensions) {
    THREAD;
    if (i >= n) return;
    double first = 0, last = 100, strided = -1;
    for (unsigned int k = 0; k < points; k++) {
        double sum = 0;
        for (int d = 0; d < dimensions; d++)
            sum += (x[i * dimensions + d] - z[k * dimensions + d]) *
                   (x[i * dimensions + d] - z[k * dimensions + d]);
        if (!(sum <= first)) first = sum;
    }
    for (int k = points - 1; k >= 0; k -= 2) {
        last = fmin(x[i] * z[k], last);
        if (z[k] > 1.4) break;
    }
    for (int k = i % 2; k < (int)points * dimensions; k += 2)
        strided = z[k] * x[i] > strided ? z[k] * x[i] : strided;
    y[i] = first * last + strided;
}

// An integer that the loop carries tells where the winner is.
BOTH("y wrt x")
__global__ void longest(double *y, const double *x, const int *length, int n, int parts) {
    THREAD;
    if (i >= n) return;
    double best = 0;
    int at = i;
    for (int k = 0; k < parts; k++) {
        double v = x[at] * x[at + 1];
        if (v > best) best = v;
        at += length[k];
    }
    y[i] = best;
}

// Tiles in shared memory: the winner of a tile is found while it is there.
BOTH("y wrt a, b")
__global__ void tiled(double *y, const double *a, const double *b, int n, int m) {
    __shared__ double tile[8];
    THREAD;
    double best = 1e20, own = i < n ? a[i] : 0;
    for (int base = 0; base < m; base += 8) {
        if (base + (int)threadIdx.x < m) tile[threadIdx.x] = b[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < min(8, m - base); k++) best = fmin(best, (tile[k] - own) * (tile[k] - own));
        __syncthreads();
    }
    if (i < n) y[i] = best;
}

// Not of that kind: the second least is what the least was; a value that goes on from iteration to iteration; a
// cell that the loop changes; a local array.
BOTH("y wrt x, z")
__global__ void others(double *y, const double *x, double *z, int n, int m) {
    THREAD;
    if (i >= n) return;
    double least = 10, second = 10, grown = 0.5, changed = 0, kept[4], top = 0;
    for (int k = 0; k < m; k++) {
        double v = x[k] * x[i];
        if (v < least) {
            second = least;
            least = v;
        } else if (v < second) {
            second = v;
        }
    }
    for (int k = 0; k < m; k++)
        if (grown < x[k]) grown = grown * x[k] + 0.1;
    for (int k = 0; k < 4; k++) {
        kept[k] = x[k] * x[i];
        z[4 * i + k] *= x[k];
        if (z[4 * i + k] > changed) changed = z[4 * i + k];
    }
    for (int k = 0; k < 4; k++) top = fmax(top, kept[k]);
    y[i] = least * second + grown + changed * top;
}

#include "winners.grad.cuh"

CHECK_KERNEL(row_max, 2, 4, out(7), in(7 * 9), 7, 9)
CHECK_KERNEL(pool, 2, 8, out(9), fixed(9), in(5 * 6), 5, 6, 3, 3, 3, 2)
CHECK_KERNEL(nearest_hit, 2, 4, out(7), out(7), in(2 * 6), in(6), in(7, 0.4, 1.2), 7, 6)
CHECK_KERNEL(farthest, 2, 4, out(7), in(7 * 3), in(5 * 3), 7, 5, 3)
CHECK_KERNEL(longest, 2, 4, out(7), in(24), list({2, 1, 3, 4, 2}), 7, 5)
CHECK_KERNEL(tiled, 2, 8, out(13), in(13, 0, 2), in(19, 0, 2), 13, 19)
CHECK_KERNEL(others, 2, 4, out(7), in(9), inout(28), 7, 9)

#ifndef GW_TEST_WITHOUT
static check::registration no_tape("no_tape", [](check::trial &t) {
    if (row_max_workspace_bytes(2, 4, NULL, NULL, 7, 9) ||
        nearest_hit_workspace_bytes(2, 4, NULL, NULL, NULL, NULL, NULL, 7, 6))
        t.fail(__FILE__, __LINE__, "a tape for a loop that notes its winner");
});
#endif
TEST_MAIN
