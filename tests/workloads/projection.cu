// Splats projected to the screen: harmonics of each degree, splats behind the camera, given covariances.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/projection.cuh"
#include "projection.grad.cuh"

CHECK_CELLS(vector3, CHECK_CELL(vector3, x), CHECK_CELL(vector3, y), CHECK_CELL(vector3, z))
CHECK_CELLS(quaternion, CHECK_CELL(quaternion, w), CHECK_CELL(quaternion, x), CHECK_CELL(quaternion, y),
            CHECK_CELL(quaternion, z))
CHECK_CELLS(point2, CHECK_CELL(point2, x), CHECK_CELL(point2, y))
CHECK_CELLS(ellipse, CHECK_CELL(ellipse, xx), CHECK_CELL(ellipse, xy), CHECK_CELL(ellipse, yy),
            CHECK_CELL(ellipse, opacity))

enum { N = 9 };
// Every fourth one is behind the camera.
static std::vector<vector3> places() {
    std::vector<vector3> all;
    for (int i = 0; i < N; i++)
        all.push_back({0.3 * i - 1.1, 0.7 - 0.2 * i, i % 4 == 2 ? -2.5 : 1.5 + 0.4 * i});
    return all;
}
static view camera() {
    return {{0.96, 0.1, -0.26, -0.08, 0.99, 0.09, 0.27, -0.07, 0.96}, {0.1, -0.2, 0.6}, {0.2, 0.3, -0.5},
            40, 42, 0.4, 0.45, 64, 48};
}
static std::vector<double> covariances() {
    std::vector<double> all;
    for (int i = 0; i < N; i++)
        for (double c : {1.0, 0.1, -0.2, 0.7 + 0.1 * i, 0.15, 1.3}) all.push_back(c);
    return all;
}
#define CASE_OF(name, degree, spread, turned, covariance)                                                      \
    CHECK_CASE(name, project, project, 1e-8, 2, 5, out(N), out(N), out(6 * N), out(N), out(N), fixed(N),       \
               fixed(3 * N), in_given(places()), spread, turned, in(N), in(16 * N, -0.7, 0.7), covariance,     \
               degree, camera(), N)
#define CASE_MADE(name, degree)                                                                                \
    CASE_OF(name, degree, in(N, 0.2, 0.9), in(N, -0.6, 0.9), (const double *)nullptr)
CASE_MADE(flat, 0)
CASE_MADE(linear, 1)
CASE_MADE(square, 2)
CASE_MADE(all_degrees, 3)
// No gradient of scale and rotation then.
CASE_OF(shapes_given, 3, inout(N), inout(N), given(covariances()))
TEST_MAIN
