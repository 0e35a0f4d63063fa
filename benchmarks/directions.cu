/*
 * directions.cu - times forward mode in one direction and in four at once (GW_DERIVATIVES) against the kernel:
 * options by Black and Scholes (special functions), orbits of Lorenz's system by Runge and Kutta and forces
 * between bodies in tiles of shared memory (arithmetic), and a map (memory, of which four directions move 5
 * times as much).
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
enum { threads = 128, directions = 4, state = 3 };
#define BOTH(request) GW_DERIVATIVE(request) GW_DERIVATIVES(4, request)

BOTH("price wrt spot, strike, rate")
__global__ void options(real *price, const real *spot, const real *strike, real rate, int n) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i >= n) return;
    const real deviation = 0.2f, years = 1 + i % 3, root = deviation * sqrtf(years);
    const real d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * deviation * deviation) * years) / root;
    price[i] = spot[i] * normcdff(d1) - strike[i] * expf(-rate * years) * normcdff(d1 - root);
}

__device__ inline void slope(real *d, const real *u, real sigma, real rho, real beta) {
    d[0] = sigma * (u[1] - u[0]);
    d[1] = u[0] * (rho - u[2]) - u[1];
    d[2] = u[0] * u[1] - beta * u[2];
}

BOTH("end wrt start, rho")
__global__ void orbits(real *end, const real *start, real rho, int steps, int n) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i >= n) return;
    const real h = 1e-3f, sigma = 10, beta = 8.0f / 3;
    real u[state], k1[state], k2[state], k3[state], k4[state], w[state];
    for (int c = 0; c < state; c++)
        u[c] = start[c * n + i];
    for (int step = 0; step < steps; step++) {
        slope(k1, u, sigma, rho, beta);
        for (int c = 0; c < state; c++)
            w[c] = u[c] + 0.5f * h * k1[c];
        slope(k2, w, sigma, rho, beta);
        for (int c = 0; c < state; c++)
            w[c] = u[c] + 0.5f * h * k2[c];
        slope(k3, w, sigma, rho, beta);
        for (int c = 0; c < state; c++)
            w[c] = u[c] + h * k3[c];
        slope(k4, w, sigma, rho, beta);
        for (int c = 0; c < state; c++)
            u[c] += h / 6 * (k1[c] + 2 * (k2[c] + k3[c]) + k4[c]);
    }
    for (int c = 0; c < state; c++)
        end[c * n + i] = u[c];
}

/* n is a multiple of the block. */
BOTH("force wrt x, y, z")
__global__ void forces(real *force, const real *x, const real *y, const real *z, int n) {
    __shared__ real tile[threads][state];
    const int i = blockIdx.x * threads + threadIdx.x;
    const real own_x = x[i], own_y = y[i], own_z = z[i];
    real sum_x = 0, sum_y = 0, sum_z = 0;
    for (int first = 0; first < n; first += threads) {
        __syncthreads();
        tile[threadIdx.x][0] = x[first + threadIdx.x];
        tile[threadIdx.x][1] = y[first + threadIdx.x];
        tile[threadIdx.x][2] = z[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < threads; j++) {
            const real dx = tile[j][0] - own_x, dy = tile[j][1] - own_y, dz = tile[j][2] - own_z;
            const real near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), weight = near * near * near;
            sum_x += dx * weight, sum_y += dy * weight, sum_z += dz * weight;
        }
    }
    force[i] = sum_x, force[n + i] = sum_y, force[2 * n + i] = sum_z;
}

BOTH("out wrt in")
__global__ void map(real *out, const real *in, int n) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i] + in[i];
}

#include "directions.grad.cuh"

#include "support/workload.cuh"

typedef real block_of_tangents[directions];

/* An array, its tangents in one direction, and in four: the first is the one. */
struct moved {
    device_array<real> value, one;
    device_array<real> all;
    explicit moved(const std::vector<real> &values, uint64_t seed = 0)
        : value(values), one(values.size()), all(values.size() * directions) {
        if (!seed) return;
        const std::vector<real> along = random_reals(seed, values.size() * directions, -1, 1);
        std::vector<real> first(values.size());
        for (size_t i = 0; i < first.size(); i++)
            first[i] = along[i * directions];
        one.set(first), all.set(along);
    }
    block_of_tangents *blocks() const { return reinterpret_cast<block_of_tangents *>((real *)all); }
};

template <class P, class F, class S>
static bool compare(const char *name, int repeats, const moved &out, P primal, F one, S several) {
    const auto nothing = [] {};
    const double plain = median_ms(repeats, nothing, primal), single = median_ms(repeats, nothing, one),
                 all = median_ms(repeats, nothing, several);
    std::printf("directions %s: primal %.4f ms, one %.4f ms (%.2f), %d at once %.4f ms (%.2f)\n", name, plain,
                single, single / plain, directions, all, all / plain);
    const std::vector<real> want = out.one.get(), got = out.all.get();
    double worst = 0, size = 0;
    for (size_t i = 0; i < want.size(); i++) {
        worst = std::max(worst, std::fabs((double)got[i * directions] - want[i]));
        size = std::max(size, std::fabs((double)want[i]));
    }
    return check("the first of several directions against one", worst / size, 1e-4);
}

static dim3 blocks_of(int n) { return dim3((unsigned)((n + threads - 1) / threads)); }

static bool measure_options(int n, int repeats) {
    const moved price(std::vector<real>((size_t)n)), spot(random_reals(1, (size_t)n, 80, 120), 2),
        strike(random_reals(3, (size_t)n, 80, 120), 4), rate({0.05f}, 5);
    const real rate_along = rate.one.get()[0];
    return compare(
        "options", repeats, price,
        [&] { options<<<blocks_of(n), threads>>>(price.value, spot.value, strike.value, 0.05f, n); },
        [&] {
            must(options_jvp_launch(blocks_of(n), threads, 0, 0, price.value, spot.value, strike.value, 0.05f,
                                    n, price.one, spot.one, strike.one, rate_along));
        },
        [&] {
            must(options_jvps_launch(blocks_of(n), threads, 0, 0, price.value, spot.value, strike.value, 0.05f,
                                     n, price.blocks(), spot.blocks(), strike.blocks(), rate.all));
        });
}

static bool measure_orbits(int n, int steps, int repeats) {
    const moved end(std::vector<real>((size_t)(state * n))),
        start(random_reals(11, (size_t)(state * n), 0.5, 1.5), 12), rho({28}, 13);
    const real rho_along = rho.one.get()[0];
    return compare(
        "orbits", repeats, end,
        [&] { orbits<<<blocks_of(n), threads>>>(end.value, start.value, 28, steps, n); },
        [&] {
            must(orbits_jvp_launch(blocks_of(n), threads, 0, 0, end.value, start.value, 28, steps, n, end.one,
                                   start.one, rho_along));
        },
        [&] {
            must(orbits_jvps_launch(blocks_of(n), threads, 0, 0, end.value, start.value, 28, steps, n,
                                    end.blocks(), start.blocks(), rho.all));
        });
}

static bool measure_forces(int n, int repeats) {
    const size_t count = (size_t)n;
    const moved force(std::vector<real>(3 * count)), x(random_reals(21, count, -1, 1), 22),
        y(random_reals(23, count, -1, 1), 24), z(random_reals(25, count, -1, 1), 26);
    return compare(
        "forces", repeats, force,
        [&] { forces<<<blocks_of(n), threads>>>(force.value, x.value, y.value, z.value, n); },
        [&] {
            must(forces_jvp_launch(blocks_of(n), threads, 0, 0, force.value, x.value, y.value, z.value, n,
                                   force.one, x.one, y.one, z.one));
        },
        [&] {
            must(forces_jvps_launch(blocks_of(n), threads, 0, 0, force.value, x.value, y.value, z.value, n,
                                    force.blocks(), x.blocks(), y.blocks(), z.blocks()));
        });
}

static bool measure_map(int n, int repeats) {
    const moved out(std::vector<real>((size_t)n)), in(random_reals(31, (size_t)n, -1, 1), 32);
    return compare(
        "map", repeats, out, [&] { map<<<blocks_of(n), threads>>>(out.value, in.value, n); },
        [&] { must(map_jvp_launch(blocks_of(n), threads, 0, 0, out.value, in.value, n, out.one, in.one)); },
        [&] {
            must(map_jvps_launch(blocks_of(n), threads, 0, 0, out.value, in.value, n, out.blocks(),
                                 in.blocks()));
        });
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 15);
    bool holds = measure_options(on_cpu_device ? 1000 : 1 << 24, repeats);
    holds = measure_orbits(on_cpu_device ? 300 : 1 << 20, on_cpu_device ? 20 : 400, repeats) && holds;
    holds = measure_forces(on_cpu_device ? 256 : 1 << 15, repeats) && holds;
    return measure_map(on_cpu_device ? 1000 : 1 << 26, repeats) && holds ? 0 : 1;
}
