// Templates with parameters whose types have pointers among their arguments: what their adjoints are.
#include "../support/expect.cuh"

template <class T, class P> struct box {
    T scale;
    P at;
};

template <class T> GW_GRADIENT("out wrt b.scale") __global__ void by_scale(T *out, box<T, const T *> b, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = b.scale * b.at[i];
}
template <class T> GW_GRADIENT("out wrt b.at") __global__ void by_cells(T *out, box<T, const T *> b, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = b.scale * b.at[i];
}
template <class T> GW_GRADIENT("out wrt b") __global__ void by_boxes(T *out, const box<T, T *> *b, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = b[i].scale * b[i].scale;
}
template __global__ void by_scale<double>(double *, box<double, const double *>, int);
template __global__ void by_cells<double>(double *, box<double, const double *>, int);
template __global__ void by_boxes<double>(double *, const box<double, double *> *, int);
#include "template_pointers.grad.cuh"

namespace {

using given = box<double, const double *>;
using held = box<double, double *>;

TEST(by_scale) {
    check::array<double> out(std::vector<double>(3)), at({2.0, 3.0, 5.0}), d_out({1.0, 10.0, 100.0});
    check::array<given> d(std::vector<given>{{0.5, nullptr}});
    EXPECT_STATUS(by_scale_grad_launch<double>(1, 32, 0, nullptr, out, given{4, at}, 3, d_out, d, nullptr, 0),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d.get()[0].scale, 0.5 + 2 + 30 + 500, 1e-12);
}

TEST(by_cells) {
    check::array<double> out(std::vector<double>(3)), at({2.0, 3.0, 5.0}), d_out({1.0, 10.0, 100.0}),
        d_at(std::vector<double>(3));
    EXPECT_STATUS(by_cells_grad_launch<double>(1, 32, 0, nullptr, out, given{4, at}, 3, d_out, given{0, d_at},
                                               nullptr, 0),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_at.get() == std::vector<double>({4, 40, 400}));
}

TEST(by_boxes) {
    check::array<double> out(std::vector<double>(2)), d_out({1.0, 10.0});
    check::array<held> in(std::vector<held>{{3, nullptr}, {5, nullptr}}), d(std::vector<held>(2));
    EXPECT_STATUS(by_boxes_grad_launch<double>(1, 32, 0, nullptr, out, in, 2, d_out, d, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d.get()[0].scale == 6 && d.get()[1].scale == 100);
}

} // namespace
TEST_MAIN
