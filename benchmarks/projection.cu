/*
 * projection.cu - times the projection of 1 M splats, with colours of spherical harmonics of all degrees.
 *
 * Options: --repeats N, --splats N, --degree N
 */
#include <gradwright/gradwright.h>

typedef float real;
#include "workloads/projection.cuh"

#include "projection.grad.cuh"

#include "support/workload.cuh"

static std::vector<vector3> places(size_t count) {
    const std::vector<real> at = random_reals(1, 3 * count, -1, 1);
    std::vector<vector3> all(count);
    for (size_t i = 0; i < count; i++) all[i] = {2 * at[3 * i], 2 * at[3 * i + 1], 3 + 3 * at[3 * i + 2]};
    return all;
}

static std::vector<quaternion> turns(size_t count) {
    std::vector<quaternion> all(count);
    const std::vector<real> of = random_reals(2, 4 * count, 0.2f, 0.7f);
    for (size_t i = 0; i < count; i++) all[i] = {of[4 * i], of[4 * i + 1], of[4 * i + 2], of[4 * i + 3]};
    return all;
}

static std::vector<vector3> vectors(uint64_t random, size_t count, double low, double high) {
    const std::vector<real> of = random_reals(random, 3 * count, low, high);
    std::vector<vector3> all(count);
    for (size_t i = 0; i < count; i++) all[i] = {of[3 * i], of[3 * i + 1], of[3 * i + 2]};
    return all;
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20),
              n = (int)option(argc, argv, "--splats", on_cpu_device ? 200 : 1000000),
              degree = (int)option(argc, argv, "--degree", 3);
    const size_t count = (size_t)n;
    const view camera = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 0}, 900, 900, 1.4f, 0.8f, 1920, 1080};
    const dim3 grid((unsigned)((n + 255) / 256)), block(256);
    active_array<point2> center(std::vector<point2>(count), 1, true, false);
    active_array<real> depth(std::vector<real>(count), 2, true, false),
        covariance(std::vector<real>(6 * count), 3, true, false),
        opacity(random_reals(4, count, 0.1, 0.9), 5, false, true);
    active_array<vector3> color(std::vector<vector3>(count), 6, true, false),
        place(places(count), 7, false, true), spread(vectors(8, count, 0.02, 0.2), 9, false, true),
        harmonics(vectors(10, HARMONICS * count, -0.3, 0.3), 11, false, true);
    active_array<quaternion> turned(turns(count), 12, false, true);
    active_array<ellipse> shape(std::vector<ellipse>(count), 13, true, false);
    device_array<int> reach(std::vector<int>(count, 0));
    device_array<uint8_t> cut(std::vector<uint8_t>(3 * count, 0));
    const timed_run run = {"project", (double)n, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(project), center, depth, covariance, color, shape, reach,
                          reinterpret_cast<bool *>(static_cast<uint8_t *>(cut)), place, spread, turned, opacity,
                          harmonics, static_cast<const real *>(nullptr), degree, camera, n)
               ? 0
               : 1;
}
