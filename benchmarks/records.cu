/*
 * records.cu - times gradients whose threads each add to a record drawn out of many: 12 floats (48 bytes), 6
 * doubles (48) and 12 doubles (96), in tables of 4 million records and of so many as lie in the L2. By what is
 * chosen (the rung bulk), and by what scripts/gpu forces.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

struct floats12 {
    float a, b, c, d, e, f, g, h, i, j, k, l;
};
struct doubles6 {
    double a, b, c, d, e, f;
};
struct doubles12 {
    double a, b, c, d, e, f, g, h, i, j, k, l;
};
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x")
__global__ void of_floats12(float *y, const floats12 *x, const int *record, int n) {
    const int i = HERE;
    if (i >= n) return;
    const floats12 r = x[record[i]];
    y[i] = r.a * r.b + r.c * r.d + r.e * r.f + r.g * r.h + r.i * r.j + r.k * r.l;
}

GW_GRADIENT("y wrt x")
__global__ void of_doubles6(double *y, const doubles6 *x, const int *record, int n) {
    const int i = HERE;
    if (i >= n) return;
    const doubles6 r = x[record[i]];
    y[i] = r.a * r.b + r.c * r.d + r.e * r.f;
}

GW_GRADIENT("y wrt x")
__global__ void of_doubles12(double *y, const doubles12 *x, const int *record, int n) {
    const int i = HERE;
    if (i >= n) return;
    const doubles12 r = x[record[i]];
    y[i] = r.a * r.b + r.c * r.d + r.e * r.f + r.g * r.h + r.i * r.j + r.k * r.l;
}

#include "records.grad.cuh"

#include "../examples/support/measure.cuh"

/* d_y is 1 and x is 1, so each addition adds 1 to each number of its record: the table counts exactly. */
template <class T, class R, class P, class G>
static bool measure(const char *name, int records, int n, int repeats, const P &primal, const G &gradient) {
    const size_t numbers_of = sizeof(R) / sizeof(T);
    std::vector<int> drawn((size_t)n);
    std::vector<T> count((size_t)records * numbers_of, 0);
    unsigned int state = 1;
    for (int &record : drawn) {
        state = state * 1664525u + 1013904223u;
        record = (int)((state >> 8) % (unsigned int)records);
        for (size_t k = 0; k < numbers_of; k++) count[(size_t)record * numbers_of + k] += 1;
    }
    device_array<int> record(drawn);
    device_array<T> y((size_t)n), d_y((size_t)n), x(std::vector<T>(count.size(), 1)), d_x(count.size());
    const std::vector<T> ones((size_t)n, 1);
    const dim3 grid((unsigned)((n + 255) / 256)), block(256);
    auto clear = [&] {
        d_y.set(ones);
        must(cudaMemset(d_x, 0, count.size() * sizeof(T)));
    };
    T *const to = y, *const seed = d_y;
    R *const from = reinterpret_cast<R *>(static_cast<T *>(x));
    R *const sum = reinterpret_cast<R *>(static_cast<T *>(d_x));
    int *const list = record;
    const double before = median_ms(repeats, [] {}, [&] { primal(grid, block, to, from, list, n); });
    const double after =
        median_ms(repeats, clear, [&] { must(gradient(grid, block, to, from, list, n, seed, sum)); });
    print_times(name, n, before, after, 0);
    return d_x.get() == count;
}

#define LAUNCH(kernel) \
    [](dim3 grid, dim3 block, auto... of) { kernel<<<grid, block>>>(of...); },     \
        [](dim3 grid, dim3 block, auto... of) { \
            return kernel##_grad_launch(grid, block, 0, 0, of..., nullptr, 0); \
        }

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const int n = on_cpu_device ? 1000 : 4000000, many = on_cpu_device ? 500 : 4000000;
    const int few = on_cpu_device ? 100 : 200000;
    bool holds = measure<float, floats12>("floats12", many, n, repeats, LAUNCH(of_floats12));
    holds &= measure<float, floats12>("floats12_in_l2", few, n, repeats, LAUNCH(of_floats12));
    holds &= measure<double, doubles6>("doubles6", many, n, repeats, LAUNCH(of_doubles6));
    holds &= measure<double, doubles6>("doubles6_in_l2", few, n, repeats, LAUNCH(of_doubles6));
    holds &= measure<double, doubles12>("doubles12", many, n, repeats, LAUNCH(of_doubles12));
    holds &= measure<double, doubles12>("doubles12_in_l2", few, n, repeats, LAUNCH(of_doubles12));
    std::printf(holds ? "every number is right\n" : "WRONG numbers\n");
    return holds ? 0 : 1;
}
