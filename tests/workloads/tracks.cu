// Tracks of particles: Runge-Kutta steps through a field of nodes, material and hits by list; a Kalman filter
// of small matrices.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/tracks.cuh"
#include "tracks.grad.cuh"

CHECK_CELLS(track, CHECK_CELL(track, x), CHECK_CELL(track, y), CHECK_CELL(track, z), CHECK_CELL(track, tx),
            CHECK_CELL(track, ty), CHECK_CELL(track, qop))
CHECK_CELLS(vector3, CHECK_CELL(vector3, x), CHECK_CELL(vector3, y), CHECK_CELL(vector3, z))
CHECK_CELLS(hit, CHECK_CELL(hit, u), CHECK_CELL(hit, v))

// Tracks have both charges; every third one has no hit in a plane.
static std::vector<track> starts(int n) {
    std::vector<track> all;
    for (int i = 0; i < n; i++)
        all.push_back({0.4 + 0.013 * i, 0.5 - 0.011 * i, 0.01 + 0.001 * i, 0.1 - 0.02 * i, 0.03 * i - 0.1,
                       (i % 2 ? -1 : 1) * (0.3 + 0.07 * i)});
    return all;
}
static std::vector<int> hits_of(int n, int planes) {
    std::vector<int> all;
    for (int i = 0; i < n * planes; i++) all.push_back(i % (3 * planes) == 1 ? -1 : i * 7 % 11);
    return all;
}

CHECK_FLOAT(extrapolate, extrapolate, 1e-7, 2, 8, out(10), out(10), in_given(starts(10)), in(4 * 4 * 5),
            list({0.3, 0.62, 0.95}), in(3, 0.02, 0.08), in(11), given(hits_of(10, 3)),
            field_box{4, 4, 5, -0.5, -0.4, -0.1, 3.1}, 3, 2, 10)
// A track without hits, and one with more than are filtered.
CHECK_FLOAT(kalman_filter, kalman_filter, 1e-7, 2, 4, out(6 * 4), out(6), in(6 * 4), in(15), in(15, 0.1, 0.4),
            in(3, 0.1, 0.4), given(std::vector<int>{0, 3, 5, 5, 8, 14, 15}), 5, 6)
TEST_MAIN
