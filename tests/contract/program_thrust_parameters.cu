// Vectors of Thrust's as parameters of programs: device, host and universal ones, of numbers, structs and
// integers. Against central differences; sizes that differ, and vectors that the program leaves with other
// elements, are errors that name them.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstring>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

__global__ void bend(double *y, const double *x, double by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += by * x[i] * y[i];
}
__global__ void turn(float2 *y, const float2 *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i].x = x[i].x * x[i].y, y[i].y = x[i].y * x[i].y;
}

// By algorithms, by a kernel in place, by elements; the output has its size already.
GW_GRADIENT("y wrt x, by")
void on_device(thrust::device_vector<double> &y, const thrust::device_vector<double> &x,
               const thrust::device_vector<int> &list, double by) {
    y.resize(x.size());
    thrust::gather(list.begin(), list.end(), x.begin(), y.begin());
    thrust::transform(y.begin(), y.end(), x.begin(), y.begin(), thrust::multiplies<double>());
    bend<<<1, 32>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()), by, (int)y.size());
    y[0] = y[0] * by;
}

// An input that is overwritten is put back, and its adjoint goes in and out.
GW_GRADIENT("u wrt u")
void in_place(thrust::device_vector<double> &u, int steps) {
    thrust::device_vector<double> v(u);
    for (int t = 0; t < steps; t++) {
        thrust::transform(u.begin(), u.end(), v.begin(), v.begin(), thrust::multiplies<double>());
        u = v;
    }
}

GW_GRADIENT("y wrt x")
void on_host(thrust::host_vector<double> &y, const thrust::host_vector<double> &x) {
    thrust::device_vector<double> u = x;
    thrust::transform(u.begin(), u.end(), u.begin(), thrust::square<double>());
    y = u;
    y[1] = y[1] * x[0];
}

GW_GRADIENT("y wrt x")
void anywhere(thrust::universal_vector<double> &y, const thrust::universal_vector<double> &x) {
    thrust::transform(x.begin(), x.end(), y.begin(), thrust::square<double>());
}

GW_GRADIENT("y wrt x")
void of_pairs(thrust::device_vector<float2> &y, const thrust::device_vector<float2> &x) {
    turn<<<1, 32>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()), (int)x.size());
}

GW_GRADIENT("y wrt x")
void resized(thrust::device_vector<double> &y, const thrust::device_vector<double> &x, int n) {
    thrust::transform(x.begin(), x.end(), y.begin(), thrust::square<double>());
    y.resize(n);
}

namespace inner {
// A template, and a vector that is handed on.
template <class T> T total(const thrust::device_vector<T> &x) {
    return thrust::reduce(x.begin(), x.end(), T(0), thrust::plus<T>());
}
template <class T>
GW_GRADIENT("loss wrt x")
void squared(thrust::device_vector<T> &loss, const thrust::device_vector<T> &x) {
    const T sum = total(x);
    loss[0] = sum * sum;
}
template void squared(thrust::device_vector<float> &, const thrust::device_vector<float> &);
} // namespace inner
#include "program_thrust_parameters.grad.cuh"

namespace {

enum { N = 4 };
const std::vector<double> start = {0.5, 1.25, -0.75, 2};
const std::vector<int> places = {2, 0, 3, 3};

template <class V, class T> V made(const std::vector<T> &from) {
    return V(from.data(), from.data() + from.size());
}

template <class V> std::vector<double> read(const V &v) {
    std::vector<double> out(v.size());
    for (size_t i = 0; i < v.size(); i++)
        out[i] = (double)v[i];
    return out;
}

/* Seeds 1, 2, 3, 4. */
std::vector<double> seeds() { return {1, 2, 3, 4}; }

/* d_x of sum (i + 1) y_i(x), by differences. */
template <class F> void expect_gradient(check::trial &trial, const std::vector<double> &got, F outputs) {
    const double h = 1e-5;
    for (size_t i = 0; i < N; i++) {
        double ends[2];
        for (int side = 0; side < 2; side++) {
            std::vector<double> x = start;
            x[i] += side ? -h : h;
            const std::vector<double> y = outputs(x);
            ends[side] = 0;
            for (size_t k = 0; k < y.size(); k++)
                ends[side] += (double)(k + 1) * y[k];
        }
        const double want = (ends[0] - ends[1]) / (2 * h);
        EXPECT_NEAR(got[i], want, 1e-7 * (1 + std::fabs(want)));
    }
}

typedef thrust::device_vector<double> numbers;

TEST(on_device) {
    numbers y(N), x = made<numbers>(start), d_y = made<numbers>(seeds()), d_x(N);
    const thrust::device_vector<int> list = made<thrust::device_vector<int>>(places);
    double d_by = 0;
    EXPECT_STATUS(on_device_grad(y, x, list, 0.75, d_y, d_x, &d_by), GW_OK);
    EXPECT_DEVICE_OK();
    const auto outputs = [&](const std::vector<double> &at, double by) {
        numbers u = made<numbers>(at), v(N);
        on_device(v, u, list, by);
        return read(v);
    };
    expect_gradient(trial, read(d_x), [&](const std::vector<double> &at) { return outputs(at, 0.75); });
    EXPECT(read(d_y) == std::vector<double>(N, 0.0) && read(x) == start && read(y) == outputs(start, 0.75));
    double want = 0;
    const double h = 1e-5;
    for (size_t i = 0; i < N; i++)
        want += (double)(i + 1) * (outputs(start, 0.75 + h)[i] - outputs(start, 0.75 - h)[i]) / (2 * h);
    EXPECT_NEAR(d_by, want, 1e-7 * (1 + std::fabs(want)));
}

TEST(in_place) {
    numbers u = made<numbers>(start), d_u = made<numbers>(seeds());
    EXPECT_STATUS(in_place_grad(u, 2, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    expect_gradient(trial, read(d_u), [](const std::vector<double> &at) {
        numbers v = made<numbers>(at);
        in_place(v, 2);
        return read(v);
    });
}

TEST(on_host) {
    typedef thrust::host_vector<double> vector;
    vector y(N), x = made<vector>(start), d_y = made<vector>(seeds()), d_x(N);
    EXPECT_STATUS(on_host_grad(y, x, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    expect_gradient(trial, read(d_x), [](const std::vector<double> &at) {
        vector u = made<vector>(at), v(N);
        on_host(v, u);
        return read(v);
    });
    EXPECT(read(x) == start);
}

TEST(anywhere) {
    typedef thrust::universal_vector<double> vector;
    vector y(N), x = made<vector>(start), d_y = made<vector>(seeds()), d_x(N);
    EXPECT_STATUS(anywhere_grad(y, x, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++)
        EXPECT_NEAR((double)d_x[i], 2 * start[i] * (double)(i + 1), 1e-12);
}

TEST(of_pairs) {
    typedef thrust::device_vector<float2> vector;
    const vector x(2, make_float2(3, 2));
    vector y(2), d_y(2, make_float2(1, 10)), d_x(2, make_float2(0, 0));
    EXPECT_STATUS(of_pairs_grad(y, x, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    const float2 first = d_x[1]; /* (x y, y y): y; x + 10 * 2 y */
    EXPECT(first.x == 2 && first.y == 43);
}

TEST(templates) {
    typedef thrust::device_vector<float> vector;
    const vector x(3, 2.0f);
    vector loss(1), d_loss(1, 1.0f), d_x(3);
    EXPECT_STATUS(inner::squared_grad(loss, x, d_loss, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT((float)loss[0] == 36 && (float)d_x[2] == 12);
}

/* Adjoints of the caller are as they were. */
void expect_error(check::trial &trial, gw_status status, const char *words, const numbers &d_x) {
    EXPECT(status == GW_ERROR_ARGUMENT && strstr(gw_last_error(), words) != nullptr);
    EXPECT(read(d_x) == std::vector<double>(d_x.size(), 0.0));
}

TEST(sizes) {
    const thrust::device_vector<int> list = made<thrust::device_vector<int>>(places);
    numbers x = made<numbers>(start), d_y = made<numbers>(seeds()), y(N), d_x(N), small(N - 1);
    double d_by = 0;
    expect_error(trial, on_device_grad(y, x, list, 1, d_y, small, &d_by), "d_x has 3 elements, and x has 4",
                 small);
    expect_error(trial, on_device_grad(y, x, list, 1, small, d_x, &d_by), "d_y has 3 elements, and y has 4",
                 d_x);
    expect_error(trial, on_device_grad(small, x, list, 1, small, d_x, &d_by),
                 "y is the caller's, and the program frees it", d_x); /* it grows */
    expect_error(trial, resized_grad(y, x, N - 1, d_y, d_x), "leaves y with another number of elements", d_x);
    EXPECT(read(d_y) == seeds() && d_by == 0);
    EXPECT_STATUS(resized_grad(y, x, N, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR((double)d_x[1], 5.0, 1e-12);
    numbers none, other;
    EXPECT_STATUS(resized_grad(none, other, 0, none, other), GW_OK);
}

TEST(pools) {
    numbers y(N), x = made<numbers>(start), d_y(N), d_x(N);
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 2; run++) {
        d_y = made<numbers>(seeds()), d_x = numbers(N);
        EXPECT_STATUS(resized_grad_in(pool, y, x, N, d_y, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT_NEAR((double)d_x[1], 5.0, 1e-12);
    }
    gw_pool_free(pool);
}

} // namespace
TEST_MAIN
