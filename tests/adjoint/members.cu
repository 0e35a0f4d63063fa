// Local structs, and structs that are passed by value, of which a loop changes some members: those are on the tape, no others, and none that nobody
// needs; the rest are values. Members at indices that are not known, in arrays of structs, in branches and in segments.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct many {
    real a, w[2], b;
    int tag;
    real c, u[3];
};
CHECK_CELLS(many, CHECK_CELL(many, a), CHECK_CELL(many, w[0]), CHECK_CELL(many, w[1]), CHECK_CELL(many, b), CHECK_CELL(many, c), CHECK_CELL(many, u[0]),
            CHECK_CELL(many, u[1]), CHECK_CELL(many, u[2]))

// Nobody needs w in the reverse sweep.
BOTH("y wrt s, x")
__global__ void unneeded(real *y, many s, const real *x, int n, int turns) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < turns; k++) {
        for (int m = 0; m < 2; m++) s.w[(m + n + k) % 2] *= 0.9;
        v *= sin(s.a * k) + s.c;
    }
    y[i] = v * s.b + s.w[i % 2];
}

// w is needed, u is changed and not needed, a, b and c are values.
BOTH("y wrt s, x")
__global__ void needed(real *y, many s, const real *x, int n, int turns) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < turns; k++) {
        s.w[(k + n) % 2] *= 0.9 * s.w[k % 2] * s.a;
        s.u[(k + i) % 3] = 0.5 * s.u[k % 3] + s.c;
        v += sin(s.w[(k + i) % 2] * s.c) * v;
    }
    y[i] = v * s.b + s.u[i % 3];
}

// Members by constant indices among others that are not; one that a branch changes, and one that a later loop does.
BOTH("y wrt s, x")
__global__ void in_branches(real *y, many s, const real *x, int n, int turns) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < turns; k++) {
        if ((i + k) % 3 == 0) {
            s.u[1] = sin(s.u[0] * v);
            s.w[k % 2] += v * s.u[1] * s.w[i % 2];
        } else {
            v += s.w[(k + 1) % 2] * s.u[2] * v * 0.1;
        }
        s.u[0] += 0.1 * s.w[1] * s.u[1];
    }
    for (int k = 0; k < turns; k++) v = 0.8 * v + 0.1 * s.u[k % 3] * v + s.b * s.w[i % 2];
    for (int k = 0; k < 3; k++) s.u[(k + i) % 3] *= s.u[k] * s.w[0];
    y[i] = v * s.u[(i + 1) % 3] * s.c;
}

// Arrays of structs with arrays in them.
struct row {
    real x[2], scale;
    int at;
};
BOTH("y wrt x, p")
__global__ void rows(real *y, const real *x, const real *p, int n, int turns) {
    int i = HERE;
    if (i >= n) return;
    row r[3];
    for (int k = 0; k < 3; k++) r[k] = {{x[i] + k, p[k]}, 1 + 0.1 * p[k], (k + i) % 2};
    real v = 0;
    for (int k = 0; k < turns; k++) {
        row &one = r[(k + i) % 3];
        one.x[one.at] = sin(one.x[1 - one.at] * r[k % 3].scale);
        if (k % 4 == 3) one.at = 1 - one.at;
        v += one.x[0] * one.x[1] * r[i % 3].scale;
    }
    y[i] = v;
}

// Handed over to the second half of a split gradient: u, which the loop reads only, and what each segment starts from.
BOTH("y wrt s, x")
__global__ void in_segments(real *y, many s, const real *x, int n, int turns) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    s.u[i % 3] *= 2;
    GW_CHECKPOINT(4) for (int k = 0; k < turns; k++) {
        s.w[(k + i) % 2] = 0.5 * s.w[k % 2] + 0.1 * sin(v * s.u[k % 3]);
        v = 0.9 * v + s.a * s.w[(k + 1) % 2] * s.u[(k + i) % 3];
    }
    GW_CHECKPOINT_BINOMIAL(3) for (int k = 0; k < turns; k++) {
        s.u[(k + i) % 3] = 0.5 * s.u[k % 3] + 0.1 * sin(v * s.w[k % 2]);
        v = 0.9 * v + s.b * s.u[(k + 1) % 3] * s.w[(k + i) % 2];
    }
    y[i] = v * s.c;
}

#include "members.grad.cuh"

static const many value = {0.7, {0.9, 1.1}, 0.8, 3, 0.6, {0.5, 0.4, 0.9}};
CHECK_KERNEL(unneeded, 2, 16, out(20), active(value), in(20), 20, 7)
CHECK_KERNEL(needed, 2, 16, out(20), active(value), in(20), 20, 7)
CHECK_KERNEL(in_branches, 2, 16, out(20), active(value), in(20), 20, 7)
CHECK_KERNEL(rows, 2, 16, out(20), in(20), in(3), 20, 11)
CHECK_KERNEL(in_segments, 2, 16, out(20), active(value), in(20), 20, 9)

// Bytes of the workspace for each thread and turn.
TEST(tape_of_members) {
    const size_t turns = 100, threads = 32;
    EXPECT(unneeded_workspace_bytes(1, 32, nullptr, value, nullptr, 20, 100) == threads * turns * sizeof(real));   // v
    EXPECT(needed_workspace_bytes(1, 32, nullptr, value, nullptr, 20, 100) == threads * turns * 3 * sizeof(real)); // v and w
}
TEST_MAIN
