// Templates of vectors and matrices with anonymous unions, on the host.
#include "language.h"

#include "../adjoint/vector_templates.h"

using lin::dmat3;
using lin::dvec2;
using lin::dvec3;

static dvec3 read(const double *x) { return dvec3(x[0], x[1], x[2]); }

CASE(rotated) {
    dvec3 axis = read(x), w = normalize(axis), u = normalize(cross(w, dvec3(dvec2(1, 0.5), x[3]))),
          v = cross(w, u);
    dmat3 frame(u, v, w), turn(2.0);
    turn[0][1] = x[4], turn[1][0] = -x[4];
    turn[2] += dvec3(x[5]);
    dvec3 p = transpose(frame) * (turn * (frame * read(x + 6)));
    p *= dot(p, axis);
    p.g += p.s * axis.b;
    return length((frame * turn)[1] + p - 2.0 * read(x + 9) * axis[n % 3]);
}

MIXED(conversions) {
    lin::vec<3, float> f(y[0], y[1], y[2]);
    f *= y[3];
    dvec3 d(f), sum = -d;
    sum += d * x[0];
    for (int i = 0; i < dvec3::length(); i++) sum += dvec3(d[i] * x[i]);
    return dot(sum, d) + f.r;
}

#include "vectors.grad.hpp"

int main() {
    CHECK(rotated);
    CHECK_MIXED(conversions);
    return language_report();
}
