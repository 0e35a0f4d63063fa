// Local structs, and structs that are passed by value, of which a loop changes some members: those are on the
// tape, no others, and none that nobody needs; the rest are values. Members at indices that are not known, in
// arrays of structs, in branches and in segments. Bit-fields, members of enumerated types, copies by
// constructors. A template of a kernel over what it does at each index.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct many {
    real a, w[2], b;
    int tag;
    real c, u[3];
};
CHECK_CELLS(many, CHECK_CELL(many, a), CHECK_CELL(many, w[0]), CHECK_CELL(many, w[1]), CHECK_CELL(many, b),
            CHECK_CELL(many, c), CHECK_CELL(many, u[0]), CHECK_CELL(many, u[1]), CHECK_CELL(many, u[2]))

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

// Members by constant indices among others that are not; one that a branch changes, and one that a later loop
// does.
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

// Handed over to the second half of a split gradient: u, which the loop reads only, and what each segment
// starts from.
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

enum class act : unsigned char { keep, twice, square };
enum place { OUTSIDE, INSIDE };
struct rule {
    unsigned low : 3;
    int high : 4;
    act what;
    place at;
    real w;
};
struct doubling {
    real v;
    __device__ explicit doubling(real x) : v(x) {}
    __device__ doubling(const doubling &o) : v(2 * o.v + 0.125) {}
};
static __device__ doubling pick(const doubling *of, int k) { return of[k]; }

BOTH("y wrt x")
__global__ void by_rules(real *y, const real *x, const rule *given, int n, int turns, act last) {
    int i = HERE;
    if (i >= n) return;
    rule r[3] = {{1, -2, act::twice, INSIDE, x[i]}, {}};
    doubling d[2] = {doubling(x[i]), doubling(0.3)}, e[2] = {d[i % 2], pick(d, (i + 1) % 2)};
    r[i % 3].what = act::square, r[2].high = i, r[1].w = 0.5;
    real v = x[i];
    for (int k = 0; k < turns; k++) {
        rule &s = r[(k + i) % 3];
        if (s.what == act::square) v = 0.5 * v * v;
        else if (s.what == given[k % 2].what && s.at == given[k % 2].at)
            v = 0.9 * v + s.w * (int)s.low + 0.1 * s.high;
        else v = sin(v) + 0.01 * s.high;
        s.low += k, s.high--, s.at = s.at == INSIDE ? OUTSIDE : INSIDE;
        s.what = k % 3 == 2 ? last : k % 2 ? act::twice : act::keep;
    }
    for (doubling q : e) v += 0.1 * v * q.v;
    y[i] = v * e[0].v * (1 + (int)r[i % 3].low);
}

template <class F> GW_GRADIENT("f.y wrt f.x, f.scale") __global__ void forall(int n, F f) {
    int i = HERE;
    if (i < n) f(i);
}
struct squares {
    real *y;
    const real *x;
    real scale;
    __device__ void operator()(int i) const { y[i] = scale * x[i] * x[i]; }
};
template <int BY> struct shifted {
    real *y;
    const real *x;
    real scale;
    int n;
    __device__ void operator()(int i) const { y[i] = scale * x[i] * x[(i + BY) % n]; }
};

// Members that are not public: its own, a base class's, in a private struct and a private array, static ones.
class weighed {
  protected:
    real weight[2];

  public:
    __host__ __device__ weighed(real a, real b) : weight{a, b} {}
};
class hidden : private weighed {
    struct part {
        real slope, at;
    };
    real scale;
    part parts[2];
    __device__ real bent(real v) const { return parts[0].slope * sin(v) + parts[1].at * v * v; }
    __device__ void turn(int k, real by) {
        part kept = parts[k % 2];
        kept.slope *= by;
        kept.at += kept.slope * weight[k % 2];
        parts[k % 2] = kept;
        scale *= 0.9 + 0.1 * by;
    }

  public:
    __host__ __device__ hidden(real of) : weighed(of, 2 * of), scale(0.7), parts{{0.5, 0.3}, {0.2, 0.4}} {}
    __device__ real operator()(real v) const { return scale * bent(v) + weight[1] * v; }
    __device__ void grow(real by) { scale *= by, weight[1] += by * by; }
    __device__ void advance(int turns, real by) {
        for (int k = 0; k < turns; k++) turn(k, by);
    }
};
struct shown { // a hidden, to tell where its numbers are
    real weight[2], scale, slope, at, second[2];
};
static_assert(sizeof(shown) == sizeof(hidden), "");
CHECK_CELLS(hidden, CHECK_CELL(shown, weight[0]), CHECK_CELL(shown, weight[1]), CHECK_CELL(shown, scale),
            CHECK_CELL(shown, slope), CHECK_CELL(shown, at), CHECK_CELL(shown, second[0]),
            CHECK_CELL(shown, second[1]))
BOTH("y wrt s, x")
__global__ void closed(real *y, hidden s, const real *x, int n, int turns) {
    const int i = HERE;
    if (i >= n) return;
    s.advance(turns, x[i]);
    y[i] = s(x[i]);
}
BOTH("y wrt s, x")
__global__ void closed_list(real *y, const hidden *s, const real *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    real sum = 1;
    for (int k = 0; k < 3; k++) sum += 0.1 * s[k](x[i]) * s[(i + k) % 3](sum);
    y[i] = sum;
}
#ifndef GW_TEST_SPLIT // whose second half would have a workspace of its own
BOTH("y wrt s, x")
GW_ACCUMULATE(s, slots)
__global__ void closed_rows(real *y, const hidden *s, const real *x, const int *at, int n) {
    const int i = HERE;
    if (i < n) y[i] = s[at[i]](x[i]);
}
#endif
BOTH("s wrt s, x")
__global__ void closed_in_place(hidden *s, const real *x, int n) {
    const int i = HERE;
    if (i < n) s[i].grow(x[i]);
}

#include "members.grad.cuh"

static const many value = {0.7, {0.9, 1.1}, 0.8, 3, 0.6, {0.5, 0.4, 0.9}};
CHECK_KERNEL(unneeded, 2, 16, out(20), active(value), in(20), 20, 7)
CHECK_KERNEL(needed, 2, 16, out(20), active(value), in(20), 20, 7)
CHECK_KERNEL(in_branches, 2, 16, out(20), active(value), in(20), 20, 7)
CHECK_KERNEL(rows, 2, 16, out(20), in(20), in(3), 20, 11)
CHECK_KERNEL(by_rules, 2, 16, out(20), in(20),
             given(std::vector<rule>{{0, 0, act::twice, INSIDE, 0}, {0, 0, act::keep, OUTSIDE, 0}}), 20, 7,
             act::square)
CHECK_KERNEL(in_segments, 2, 16, out(20), active(value), in(20), 20, 9)

static const hidden kept(0.6);
CHECK_KERNEL(closed, 2, 16, out(20), active(kept), in(20), 20, 5)
CHECK_KERNEL(closed_list, 2, 16, out(20), in(3), in(20), 20)
#ifndef GW_TEST_SPLIT
CHECK_KERNEL(closed_rows, 2, 16, out(20), in(3), in(20),
             list({2, 1, 0, 1, 2, 2, 1, 0, 0, 1, 2, 0, 1, 1, 1, 0, 2, 2, 1, 0}), 20)
#endif
CHECK_KERNEL(closed_in_place, 2, 16, inout(20), in(20), 20)

// Bytes of the workspace for each thread and turn.
TEST(tape_of_members) {
    const size_t turns = 100, threads = 32;
    // v
    EXPECT(unneeded_workspace_bytes(1, 32, nullptr, value, nullptr, 20, 100) == threads * turns * sizeof(real));
    // v and w
    EXPECT(needed_workspace_bytes(1, 32, nullptr, value, nullptr, 20, 100) ==
           threads * turns * 3 * sizeof(real));
}

// What a functor leads to has a shadow that the caller makes: a functor of the same type that leads to the
// adjoints.
TEST(functors) {
    const int n = 40;
    const std::vector<real> zeros(n), ones(n, 1);
    std::vector<real> cells(n), wanted(n);
    for (int i = 0; i < n; i++) cells[i] = 0.5 + 0.01 * i;
    check::array<real> y{zeros}, x{cells}, d_y{ones}, d_x{zeros};
    const squares one{y, x, 1.5};
    check::array<squares> d_one{squares{d_y, d_x, 0}};
    forall<<<2, 32>>>(n, one);
    EXPECT_STATUS(forall_grad_launch(2, 32, 0, 0, n, one, d_one.data(), nullptr, 0), GW_OK);
    real sum = 0, worst = 0;
    std::vector<real> got = d_x.get();
    for (int i = 0; i < n; i++) sum += cells[i] * cells[i];
    for (int i = 0; i < n; i++) worst = std::max(worst, std::fabs(got[i] - 2 * 1.5 * cells[i]));
    EXPECT_NEAR(d_one.get()[0].scale, sum, 1e-10);
    const shifted<3> two{y, x, 1.5, n};
    d_y.set(ones), d_x.set(zeros);
    check::array<shifted<3>> d_two{shifted<3>{d_y, d_x, 0, n}};
    forall<<<2, 32>>>(n, two);
    EXPECT_STATUS(forall_grad_launch(2, 32, 0, 0, n, two, d_two.data(), nullptr, 0), GW_OK);
    got = d_x.get();
    for (int i = 0; i < n; i++)
        worst = std::max(worst, std::fabs(got[i] - 1.5 * (cells[(i + 3) % n] + cells[(i + n - 3) % n])));
    EXPECT(worst < 1e-12);
}
TEST_MAIN
