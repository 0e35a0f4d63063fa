// Third derivatives: f_third is f_hvp's forward derivative. Against closed forms, and differences of f_hvp.
#include "../support/expect.cuh"

#include <cmath>

// x0^3 x1 + k x1^2: all derivatives by hand below
GW_THIRD("wrt x, k")
double cubic(const double *x, double k) { return x[0] * x[0] * x[0] * x[1] + k * x[1] * x[1]; }

// a tape, a branch, a loop, a called function
__host__ __device__ inline double bent(double x, double y) { return x > 0 ? exp(x * y) : sin(x) * y; }
GW_THIRD("wrt x") GW_HVP("wrt x") double chained(const double *x, int n) {
    double at = 0.3;
    for (int i = 0; i < n; i++)
        at = at * x[i] + bent(at - 0.5, x[i]);
    return at * at;
}

// an output, which the function reads too
GW_THIRD("y wrt x, y") GW_HVP("y wrt x, y") void stepped(double *y, const double *x, int n) {
    for (int i = 1; i < n; i++)
        y[i] = y[i - 1] * x[i] + sin(y[i] * x[i - 1]);
}

// neighbours' cells, and one of all threads: shared memory, atomics
GW_THIRD("sum wrt x") GW_HVP("sum wrt x") __global__ void meeting(double *sum, const double *x, int n) {
    __shared__ double tile[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? sin(x[i]) : 0;
    __syncthreads();
    if (i < n)
        atomicAdd(sum, tile[threadIdx.x] * tile[threadIdx.x] * tile[blockDim.x - 1 - threadIdx.x] * x[i]);
}

#include "third.grad.cuh"

using check::array;
typedef std::vector<double> numbers;

static numbers some(size_t n, int seed) {
    numbers v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = 0.4 + 0.3 * std::sin(2.3 * (double)i + seed);
    return v;
}
static numbers moved(const numbers &v, double by, const numbers &s) {
    numbers out(v);
    for (size_t i = 0; i < v.size(); i++)
        out[i] += by * s[i];
    return out;
}

TEST(a_cubic_has_the_derivatives_that_it_has_by_hand) {
    const double x[2] = {2, 3}, t_x[2] = {1, 4}, s_x[2] = {5, -2}, s_t_x[2] = {0, 0};
    double d_x[2] = {0, 0}, t_d_x[2] = {0, 0}, s_d_x[2] = {0, 0}, s_t_d_x[2] = {1, 1}, d_k = 0, t_d_k = 0,
           s_d_k = 0, s_t_d_k = 0;
    cubic_third(x, 7, t_x, 3, s_x, 2, s_t_x, 0, d_x, &d_k, t_d_x, &t_d_k, s_d_x, &s_d_k, s_t_d_x, &s_t_d_k);
    EXPECT(d_x[0] == 3 * 4 * 3 && d_x[1] == 8 + 2 * 7 * 3 && d_k == 9);
    // the Hessian: 6 x0 x1, 3 x0^2, 2 k; by k and x1 2 x1
    EXPECT(t_d_x[0] == 36 * 1 + 12 * 4 && t_d_x[1] == 12 * 1 + 14 * 4 + 6 * 3 && t_d_k == 6 * 4);
    EXPECT(s_d_x[0] == 36 * 5 - 12 * 2 && s_d_x[1] == 12 * 5 - 14 * 2 + 6 * 2 && s_d_k == -6 * 2);
    // third: by 000 6 x1, by 001 6 x0, by k11 2; added to what was there
    EXPECT(s_t_d_x[0] == 1 + 18 * 1 * 5 + 12 * (1 * -2 + 4 * 5));
    EXPECT(s_t_d_x[1] == 1 + 12 * 1 * 5 + 2 * (3 * -2 + 2 * 4) && s_t_d_k == 2 * 4 * -2);
}

/* What a run of the Hessian times a vector gives, gradient and product in a row. */
static numbers chained_both(const numbers &x, const numbers &t) {
    numbers d(x.size()), t_d(x.size());
    if (chained_hvp(x.data(), (int)x.size(), t.data(), d.data(), t_d.data()) != GW_OK) return {};
    d.insert(d.end(), t_d.begin(), t_d.end());
    return d;
}

static bool near(const numbers &got, const numbers &want, double tolerance) {
    bool good = got.size() == want.size();
    for (size_t i = 0; good && i < got.size(); i++)
        good = std::fabs(got[i] - want[i]) <= tolerance * (1 + std::fabs(want[i]));
    return good;
}
static numbers slope(const numbers &ahead, const numbers &behind, double h) {
    numbers out;
    for (size_t i = 0; i < ahead.size(); i++)
        out.push_back((ahead[i] - behind[i]) / (2 * h));
    return out;
}

TEST(of_loops_tapes_and_calls_it_is_the_slope_of_the_hessian_times_a_vector) {
    enum { n = 7 };
    const numbers x = some(n, 1), t = some(n, 2), s = some(n, 3), s_t = some(n, 4);
    const double h = 1e-5;
    numbers d(n), t_d(n), s_d(n), s_t_d(n);
    EXPECT(chained_third(x.data(), n, t.data(), s.data(), s_t.data(), d.data(), t_d.data(), s_d.data(),
                         s_t_d.data()) == GW_OK);
    const numbers both = chained_both(x, t), along = slope(chained_both(moved(x, h, s), moved(t, h, s_t)),
                                                           chained_both(moved(x, -h, s), moved(t, -h, s_t)), h);
    d.insert(d.end(), t_d.begin(), t_d.end());
    s_d.insert(s_d.end(), s_t_d.begin(), s_t_d.end());
    EXPECT(near(d, both, 1e-12));
    EXPECT(near(s_d, along, 1e-7));
}

/* The adjoints of x and of y on entry, and their tangents. */
static numbers stepped_both(numbers y, const numbers &x, numbers t_y, const numbers &t_x, numbers d_y,
                            numbers t_d_y) {
    numbers d_x(x.size()), t_d_x(x.size());
    if (stepped_hvp(y.data(), x.data(), (int)x.size(), t_y.data(), t_x.data(), d_y.data(), d_x.data(),
                    t_d_y.data(), t_d_x.data()) != GW_OK)
        return {};
    for (const numbers *more : {&d_y, &t_d_x, &t_d_y})
        d_x.insert(d_x.end(), more->begin(), more->end());
    return d_x;
}

TEST(of_outputs_seeds_have_directions_as_inputs_have) {
    enum { n = 5 };
    const numbers x = some(n, 1), y = some(n, 2), t_x = some(n, 3), t_y = some(n, 4), s_x = some(n, 5),
                  s_y = some(n, 6), s_t_x = some(n, 7), s_t_y = some(n, 8), d_y = some(n, 9),
                  t_d_y = some(n, 10), s_d_y = some(n, 11), s_t_d_y = some(n, 12);
    const double h = 1e-5;
    numbers got[4] = {numbers(n), numbers(n), numbers(n), numbers(n)}, seed[4] = {d_y, t_d_y, s_d_y, s_t_d_y},
            held = y, held_t = t_y, held_s = s_y, held_s_t = s_t_y;
    EXPECT(stepped_third(held.data(), x.data(), n, held_t.data(), t_x.data(), held_s.data(), s_x.data(),
                         held_s_t.data(), s_t_x.data(), seed[0].data(), got[0].data(), seed[1].data(),
                         got[1].data(), seed[2].data(), got[2].data(), seed[3].data(), got[3].data()) == GW_OK);
    numbers first = got[0], second = got[2];
    for (const numbers *more : {&seed[0], &got[1], &seed[1]})
        first.insert(first.end(), more->begin(), more->end());
    for (const numbers *more : {&seed[2], &got[3], &seed[3]})
        second.insert(second.end(), more->begin(), more->end());
    EXPECT(near(first, stepped_both(y, x, t_y, t_x, d_y, t_d_y), 1e-12));
    const numbers ahead = stepped_both(moved(y, h, s_y), moved(x, h, s_x), moved(t_y, h, s_t_y),
                                       moved(t_x, h, s_t_x), moved(d_y, h, s_d_y), moved(t_d_y, h, s_t_d_y));
    const numbers behind =
        stepped_both(moved(y, -h, s_y), moved(x, -h, s_x), moved(t_y, -h, s_t_y), moved(t_x, -h, s_t_x),
                     moved(d_y, -h, s_d_y), moved(t_d_y, -h, s_t_d_y));
    EXPECT(near(second, slope(ahead, behind, h), 1e-7));
}

static numbers meeting_both(const numbers &x, const numbers &t_x) {
    const int n = (int)x.size();
    array<double> sum{0}, on_x(x), on_t(t_x), t_sum{0}, d_sum{1}, t_d_sum{0}, d_x(numbers(x.size())),
        t_d_x(numbers(x.size()));
    array<unsigned char> space(std::vector<unsigned char>(
        meeting_hvp_workspace_bytes(dim3(2), dim3(32), sum, on_x, n, t_sum, on_t) + 1));
    if (meeting_hvp_launch(2, 32, 0, 0, sum, on_x, n, t_sum, on_t, d_sum, d_x, t_d_sum, t_d_x, space,
                           space.get().size()))
        return {};
    cudaDeviceSynchronize();
    numbers all = d_x.get(), more = t_d_x.get();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(kernels_have_third_derivatives) {
    enum { n = 50 };
    const numbers x = some(n, 1), t = some(n, 2), s = some(n, 3), zero(n);
    const double h = 1e-5;
    array<double> sum{0}, on_x(x), t_sum{0}, on_t(t), s_sum{0}, on_s(s), s_t_sum{0}, on_s_t(zero), d_sum{1},
        d_x(zero), t_d_sum{0}, t_d_x(zero), s_d_sum{0}, s_d_x(zero), s_t_d_sum{0}, s_t_d_x(zero);
    array<unsigned char> space(
        std::vector<unsigned char>(meeting_third_workspace_bytes(dim3(2), dim3(32), sum, on_x, n, t_sum, on_t,
                                                                 s_sum, on_s, s_t_sum, on_s_t) +
                                   1));
    EXPECT(meeting_third_launch(2, 32, 0, 0, sum, on_x, n, t_sum, on_t, s_sum, on_s, s_t_sum, on_s_t, d_sum,
                                d_x, t_d_sum, t_d_x, s_d_sum, s_d_x, s_t_d_sum, s_t_d_x, space,
                                space.get().size()) == GW_OK);
    cudaDeviceSynchronize();
    numbers first = d_x.get(), second = s_d_x.get(), more = t_d_x.get();
    first.insert(first.end(), more.begin(), more.end());
    more = s_t_d_x.get();
    second.insert(second.end(), more.begin(), more.end());
    EXPECT(near(first, meeting_both(x, t), 1e-12));
    EXPECT(near(second, slope(meeting_both(moved(x, h, s), t), meeting_both(moved(x, -h, s), t), h), 1e-7));
}

TEST_MAIN
