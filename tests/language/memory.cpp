// memcpy, memmove, memset and bzero, std::copy, std::fill and their _n, of numbers and structs.
#include "language.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <strings.h>
#include <vector>

#define ROOM (n + 2)

CASE(sizes_of_macros) {
    double *p = new double[ROOM], s = 0;
    for (int i = 0; i < ROOM; i++) p[i] = x[i] * x[i];
    for (int i = 0; i < ROOM; i++) s += p[i] * p[ROOM - 1 - i];
    delete[] p;
    return s;
}

CASE(copied) {
    double t[12], u[4];
    std::memcpy(t, x, sizeof t);
    memcpy(u, x + n, 4 * sizeof(double));
    for (int i = 0; i < 12; i++) t[i] *= t[i];
    memcpy(t + 2, u, sizeof(double) * 3);
    return t[0] * t[1] + t[2] * t[4] * t[11] + t[5] * u[3];
}

CASE(copied_in_loops) {
    double last[6] = {0, 0, 0, 0, 0, 0}, now[6], sum = 0;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 6; i++) now[i] = last[i] * x[k] + x[i] * x[i + k];
        if (k != 2) memcpy(last, now, sizeof last);
        else __builtin_memcpy(last + 1, now, (size_t)(n - 1) * sizeof *now);
        sum += last[k];
    }
    return sum + last[0] * last[5];
}

struct cell {
    double value;
    float weight;
    int tag;
};
CASE(of_structs) {
    cell a[20], b[20];
    std::memset(a, 0, sizeof a);
    for (int i = 0; i < 6; i++) a[3 * i] = {x[i] * x[i + 1], (float)x[i], i};
    std::memcpy(b, a, sizeof(cell) * 20);
    memset(&a[2], 0, 2 * sizeof(cell));
    cell one;
    memcpy(&one, &b[3], sizeof one);
    double sum = one.value;
    for (int i = 0; i < 20; i++) sum += a[i].value * (b[19 - i].value + 1) + b[i].weight * b[i].tag;
    return sum;
}

CASE(cleared) {
    double t[40];
    for (int i = 0; i < 40; i++) t[i] = x[i % 12] * x[(i * n) % 12];
    memset(t + 3, 0, (size_t)n * 7 * sizeof(double));
    double sum = 0;
    for (int i = 0; i < 40; i++) sum += t[i] * (i + 1);
    memset(t, 0, sizeof t);
    return sum + t[0];
}

CASE(moved) {
    double t[12];
    memcpy(t, x, sizeof t);
    memmove(t + 1, t, 11 * sizeof(double));
    memmove(t, t + 2, (size_t)(n + 1) * sizeof *t);
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += t[i] * t[i] * (i + 1);
    return sum;
}

CASE(matrices) {
    double m[3][4], u[3][4];
    memcpy(m, x, sizeof m);
    memcpy(u[1], m[2], sizeof u[1]);
    memcpy(&u[0], m[n % 3], sizeof(double) * 4);
    memset(u[2], 0, sizeof u[2]);
    u[2][n % 4] = x[n];
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) sum += u[i][k] * m[2 - i][k] * (i + 2 * k);
    return sum;
}

CASE(ranges) {
    double t[12], u[30];
    float low[4];
    double *end = std::copy(x, x + 5 + n, t);
    std::fill(end, t + 12, x[0] * x[1]);
    std::copy_n(t + 1, 4, low);
    std::fill_n(u, 30, 0.5);
    double *back = std::copy_n(t, 12, u + n);
    *back = x[3];
    std::copy(u + 1, u + 6, u);
    std::vector<double> v(x, x + 6), w(6);
    std::copy(v.begin() + 1, v.end(), w.begin());
    std::fill(v.begin(), v.begin() + n, x[2] * 2);
    double sum = v[0] * w[1] + w[4] * low[2];
    for (int i = 0; i < 30; i++) sum += u[i] * u[i] * (i % 5);
    return sum;
}

CASE(one_of_two) {
    double a[20], b[20];
    memset(a, 0, sizeof a);
    for (int i = 0; i < 20; i++) b[i] = x[i % 12];
    double *to = n % 2 ? a : b;
    memcpy(to + 1, x, 8 * sizeof(double));
    if (n > 2) memset(to, 0, 2 * sizeof(double));
    return a[3] * b[4] + b[1] * b[2] + a[1];
}

// Structs of the function's own with pointers in them, each of which is known.
struct with_rows {
    const double *rows[3];
    double w;
    int n;
};
CASE(of_pointers) {
    with_rows a, b;
    memset(&a, 0, sizeof a);
    a.rows[0] = x, a.rows[2] = x + 1, a.w = x[3] * x[3], a.n = n;
    memcpy(&b, &a, sizeof(with_rows));
    bzero(&a, sizeof a);
    double s = 0, t[6];
    bzero(t, sizeof t);
    for (int i = 0; i < b.n && !b.rows[1]; i++) s += b.rows[0][i] * b.rows[2][i] * b.w;
    return s + t[n % 6] + (a.rows[0] ? 1 : a.w);
}

// As expression libraries allocate: a function returns `void *`, another one casts it.
static void *raw(std::size_t bytes) {
    void *p;
    p = std::malloc(bytes);
    if (!p && bytes) throw std::bad_alloc();
    return p;
}
static void release(void *p) { std::free(p); }
template <class T> T *elements(std::size_t n) {
    if (!n) return nullptr;
    T *p = reinterpret_cast<T *>(raw(n * sizeof(T)));
    return p;
}
template <class D> struct sized {
    const D &derived() const { return *static_cast<const D *>(this); }
    long rows() const { return derived().size(); }
};
struct stored : sized<stored> {
    double *at = nullptr;
    long count = 0;
    explicit stored(long n) { resize(n); }
    ~stored() { release(at); }
    long size() const { return count; }
    void resize(long n) {
        if (n != count) {
            release(at);
            at = n > 0 ? elements<double>(n) : nullptr;
        }
        count = n;
    }
};
CASE(untyped) {
    stored a(n + 1), b(3);
    float *f = static_cast<float *>(raw(2 * sizeof *f));
    for (int i = 0; i < a.rows(); i++) a.at[i] = x[i] * x[i];
    for (int i = 0; i < b.rows(); i++) b.at[i] = a.at[i % a.rows()] * x[i + 1];
    f[1] = 2;
    const double s = b.at[0] * b.at[2] * f[1] + a.at[n];
    release(f);
    return s;
}

#include "memory.grad.hpp"

int main() {
    CHECK(sizes_of_macros);
    CHECK(copied);
    CHECK(copied_in_loops);
    CHECK(of_structs);
    CHECK(cleared);
    CHECK(moved);
    CHECK(matrices);
    CHECK(ranges);
    CHECK(one_of_two);
    CHECK(of_pointers);
    CHECK(untyped);
    return language_report();
}
