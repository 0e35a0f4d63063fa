/*
 * elements.cu - times kernels over the elements of a hexahedral mesh of 90^3 elements: kinematics, the limiter,
 * and forces by a thread an element and by eight lanes an element.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef double real;
#include "workloads/elements.cuh"

#include "elements.grad.cuh"

#include "support/workload.cuh"

struct mesh {
    int edge, count;
    std::vector<int> corner, near;
    std::vector<node> place;
};

static mesh cube(int edge) {
    static const int dx[] = {0, 1, 1, 0, 0, 1, 1, 0}, dy[] = {0, 0, 1, 1, 0, 0, 1, 1};
    mesh m{edge, edge * edge * edge, {}, {}, {}};
    numbers random(5);
    const int nodes = edge + 1, step[] = {1, edge, edge * edge};
    m.corner.resize(8 * (size_t)m.count);
    m.near.resize(6 * (size_t)m.count);
    for (int i = 0; i < m.count; i++) {
        const int at[] = {i % edge, i / edge % edge, i / (edge * edge)};
        for (int k = 0; k < 8; k++)
            m.corner[(size_t)k * m.count + i] =
                ((at[2] + k / 4) * nodes + at[1] + dy[k]) * nodes + at[0] + dx[k];
        for (int axis = 0; axis < 3; axis++) {
            m.near[2 * (size_t)axis * m.count + i] = at[axis] ? i - step[axis] : -1;
            m.near[(2 * (size_t)axis + 1) * m.count + i] = at[axis] + 1 < edge ? i + step[axis] : -1;
        }
    }
    for (int i = 0; i < nodes * nodes * nodes; i++)
        m.place.push_back({i % nodes + (real)random.next(-0.2, 0.2),
                           i / nodes % nodes + (real)random.next(-0.2, 0.2),
                           i / (nodes * nodes) + (real)random.next(-0.2, 0.2)});
    return m;
}

static std::vector<node> vectors(uint64_t seed, size_t count, double low, double high) {
    const std::vector<real> all = random_reals(seed, 3 * count, low, high);
    std::vector<node> list(count);
    for (size_t i = 0; i < count; i++)
        list[i] = {all[3 * i], all[3 * i + 1], all[3 * i + 2]};
    return list;
}

static bool kinematics_of(const mesh &m, int repeats) {
    const size_t n = (size_t)m.count;
    const dim3 grid((unsigned)((n + 63) / 64)), block(64);
    active_array<real> volume(std::vector<real>(n), 1, true, false),
        change(std::vector<real>(n), 2, true, false), length(std::vector<real>(n), 3, true, false);
    active_array<node> strain(std::vector<node>(n), 4, true, false), place(m.place, 5, false, true),
        speed(vectors(6, m.place.size(), -0.5, 0.5), 7, false, true);
    device_array<int> corner(m.corner);
    device_array<real> before(random_reals(8, n, 0.9, 1.1));
    const timed_run run = {"kinematics", (double)grid.x * block.x, repeats, 1e-9, grid, block};
    return measure_kernel(run, KERNEL(kinematics), volume, change, length, strain, summed(place), summed(speed),
                          corner, before, m.count, 0.1);
}

static bool limiter_of(const mesh &m, int repeats) {
    const size_t n = (size_t)m.count;
    const dim3 grid((unsigned)((n + 127) / 128)), block(128);
    active_array<real> linear(std::vector<real>(n), 1, true, false),
        quadratic(std::vector<real>(n), 2, true, false);
    active_array<node> slope(vectors(3, n, -1.5, 1), 4, false, true);
    device_array<real> change(random_reals(5, n, -1, 0.3));
    device_array<int> near(m.near);
    std::vector<int> all(n);
    for (size_t i = 0; i < n; i++)
        all[i] = (int)i;
    device_array<int> list(all);
    const timed_run run = {"limiter", (double)grid.x * block.x, repeats, 1e-9, grid, block};
    return measure_kernel(run, KERNEL(limiter), linear, quadratic, summed(slope), change, near, list, m.count,
                          m.count);
}

static bool forces_of(const mesh &m, bool by_warps, int repeats) {
    const size_t n = (size_t)m.count;
    const unsigned threads = 64, elements = by_warps ? threads / 8 : threads;
    const dim3 grid((unsigned)((n + elements - 1) / elements)), block(threads);
    active_array<node> force(std::vector<node>(8 * n), 1, true, false), place(m.place, 2, false, true),
        speed(vectors(3, m.place.size(), -0.5, 0.5), 4, false, true);
    active_array<real> pressure(random_reals(5, n, 0.5, 1.5), 6, false, true),
        damping(random_reals(7, n, 0.5, 1.5), 8, false, true);
    device_array<int> corner(m.corner);
    device_array<int> ring(
        std::vector<int>{0x547321, 0x654032, 0x765103, 0x476210, 0x301567, 0x012674, 0x123745, 0x230456});
    const timed_run run = {
        by_warps ? "forces_by_warps" : "corner_forces", (double)grid.x * block.x, repeats, 1e-9, grid, block};
    return by_warps ? measure_kernel(run, KERNEL(forces_by_warps), force, summed(place), summed(speed),
                                     pressure, damping, corner, ring, m.count)
                    : measure_kernel(run, KERNEL(corner_forces), force, summed(place), summed(speed), pressure,
                                     damping, corner, m.count);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const mesh m = cube(on_cpu_device ? 4 : 90);
    bool holds = kinematics_of(m, repeats);
    holds = limiter_of(m, repeats) && holds;
    holds = forces_of(m, false, repeats) && holds;
    return forces_of(m, true, repeats) && holds ? 0 : 1;
}
