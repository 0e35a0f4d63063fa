// Programs loss(x, c) over n numbers, of none, of one, and over several levels of parts: gradients in float and
// double against central differences of the program in double. Included behind the gradient.
#include <cmath>
#include <vector>

/* The step of differences: no two keys may change places. */
#ifndef STEP
#define STEP 1e-7
#endif

namespace {

template <class T> using program = void (*)(T *, const T *, T, int);
const int MOST = 3000;

/* None is 0, and no two are equal, whatever their signs. */
std::vector<double> distinct(int n) {
    std::vector<double> x;
    for (int i = 0; i < n; i++)
        x.push_back(((i * 37) % MOST - 0.470123 * MOST) / (MOST * std::sqrt(n + 1.0)));
    return x;
}

double value(program<double> primal, const std::vector<double> &x, double c) {
    check::shared_array<double> loss({0});
    check::array<double> in(x);
    primal(loss, in, c, (int)x.size());
    cudaDeviceSynchronize();
    return loss.get()[0];
}

template <class T, class G>
void against_differences(program<double> primal, const G &gradient, int n, check::trial &trial) {
    const std::vector<double> x = distinct(n);
    gw_pool *pool = nullptr;
    size_t held = 0;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 3; run++) {
        check::shared_array<T> loss({0}), seed({1});
        check::array<T> in(std::vector<T>(x.begin(), x.end())), d_x(std::vector<T>(n, 0));
        T d_c = 0;
        EXPECT_STATUS(gradient(pool, (T *)loss, (const T *)in, (T)1.5, n, (T *)seed, (T *)d_x, &d_c), GW_OK);
        EXPECT_DEVICE_OK();
        if (run == 1) held = gw_pool_held(pool);
        if (run < 2) continue;
        EXPECT(gw_pool_held(pool) == held);
        const double h = STEP, tolerance = sizeof(T) == 4 ? 2e-3 : 1e-5;
        std::vector<T> got = d_x.get();
        double scale = 1;
        for (T g : got)
            scale = std::fmax(scale, std::fabs((double)g));
        for (int i = 0; i < n; i += n < 9 ? 1 : 131) {
            std::vector<double> more = x, less = x;
            more[i] += h, less[i] -= h;
            const double want = (value(primal, more, 1.5) - value(primal, less, 1.5)) / (2 * h);
            EXPECT(check::near(got[i], want, tolerance, scale));
        }
        const double want = (value(primal, x, 1.5 + h) - value(primal, x, 1.5 - h)) / (2 * h);
        EXPECT(check::near(d_c, want, tolerance, std::fmax(1, std::fabs(want))));
    }
    gw_pool_free(pool);
}

#define CASES(name)                                                                                            \
    TEST(name) {                                                                                               \
        for (int n : {0, 1, 2, 33, MOST}) {                                                                    \
            against_differences<float>(                                                                        \
                name##_double, [](auto... a) { return name##_float_grad_in(a...); }, n, trial);                \
            against_differences<double>(                                                                       \
                name##_double, [](auto... a) { return name##_double_grad_in(a...); }, n, trial);               \
        }                                                                                                      \
    }

} // namespace
