// What derivatives in several directions at once do to memory, and what they ask of it: against closed forms.
#include "../support/expect.cuh"

#include <cstring>
#include <string>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_DERIVATIVES(4, "y wrt x, k")
__global__ void scale(float *y, const float *x, float k, int n) {
    int i = HERE;
    if (i < n && i != 1) y[i] = x[i] * k;
}

GW_DERIVATIVES(2, "y wrt x")
__global__ void pairs(double *y, const double *x) { y[HERE] = x[HERE] * x[HERE]; }

GW_DERIVATIVES(3, "y wrt x")
__global__ void threes(float *y, const float *x) { y[HERE] = x[HERE] * x[HERE]; }

GW_DERIVATIVES(2, "sum wrt x")
__global__ void added(float *sum, const float *x) { atomicAdd(sum, x[HERE] * x[HERE]); }

// Dynamic shared memory: the array, and behind it a block of tangents for each of its cells.
GW_DERIVATIVES(4, "y wrt x")
__global__ void turned(float *y, const float *x) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

#include "directions.grad.cuh"

using check::array;
typedef std::vector<float> numbers;
typedef float four[4], three[3], pair[2];

TEST(each_direction_has_its_tangents) {
    array<float> y{9, 9, 9}, x{1, 2, 3}, t_k{0, 1, 0, 2}, t_x{1, 0, 0, 1, 0, 0, 5, 5, 0, 0, 1, 1},
        t_y{7, 7, 7, 7, 8, 8, 8, 8, 7, 7, 7, 7};
    EXPECT(scale_jvps_launch(1, 3, 0, 0, y, x, 10, 3, (four *)t_y.data(), (four *)t_x.data(), t_k) == GW_OK);
    EXPECT(y.get() == (numbers{10, 9, 30}));
    EXPECT(t_y.get() == (numbers{10, 1, 0, 12, 8, 8, 8, 8, 0, 3, 10, 16})); // what is not written stays
    EXPECT(x.get() == (numbers{1, 2, 3}));
}

TEST(it_is_a_kernel_too) {
    array<double> y{0, 0}, x{2, 3}, t_x{1, 0, 10, 1}, t_y{7, 7, 7, 7};
    pairs_jvps<<<2, 1>>>(y, x, (double (*)[2])t_y.data(), (double (*)[2])t_x.data());
    EXPECT(t_y.get() == (std::vector<double>{4, 0, 60, 6}));
}

TEST(blocks_of_vectors_are_aligned) {
    array<float> y{0}, x{2}, t_k{0, 0, 0, 0}, t_x{1, 2, 3, 4, 5, 6, 7, 8}, t_y{0, 0, 0, 0};
    four *const beside = (four *)(t_x.data() + 1);
    EXPECT(scale_jvps_launch(1, 1, 0, 0, y, x, 1, 1, (four *)t_y.data(), beside, t_k) == GW_ERROR_ARGUMENT);
    EXPECT(std::string(gw_last_error()) == "scale_jvps_launch: 't_x' is not aligned to 16 bytes");
    EXPECT(t_y.get() == (numbers{0, 0, 0, 0}) && y.get() == (numbers{0}));
    EXPECT(scale_jvps_launch(1, 1, 0, 0, y, x, 1, 1, (four *)t_y.data(), nullptr, t_k) == GW_ERROR_ARGUMENT);
}

TEST(blocks_that_are_no_vector_lie_anywhere) {
    array<float> y{0}, x{2}, t_x{0, 1, 2, 3}, t_y{0, 0, 0, 0};
    EXPECT(threes_jvps_launch(1, 1, 0, 0, y, x, (three *)(t_y.data() + 1), (three *)(t_x.data() + 1)) == GW_OK);
    EXPECT(t_y.get() == (numbers{0, 4, 8, 12}));
}

TEST(threads_add_to_one_block) {
    array<float> sum{1}, x{1, 2, 3}, t_sum{100, 0}, t_x{1, 1, 1, 0, 1, 2};
    EXPECT(added_jvps_launch(1, 3, 0, 0, sum, x, (pair *)t_sum.data(), (pair *)t_x.data()) == GW_OK);
    EXPECT(sum.get() == (numbers{15}) && t_sum.get() == (numbers{112, 14}));
}

TEST(a_launch_asks_for_the_primals_shared_memory) {
    array<float> y{0, 0, 0}, x{1, 2, 3}, t_y(numbers(12)), t_x{1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3};
    EXPECT(turned_jvps_launch(1, 3, 3 * sizeof(float), 0, y, x, (four *)t_y.data(), (four *)t_x.data()) ==
           GW_OK);
    EXPECT(y.get() == (numbers{9, 4, 1}));
    EXPECT(t_y.get() == (numbers{0, 0, 6, 18, 0, 4, 0, 8, 2, 0, 0, 2}));
    EXPECT(turned_jvps_shared_bytes(dim3(3), 3 * sizeof(float)) == 5 * 16);
    turned_jvps<<<1, 3, turned_jvps_shared_bytes(dim3(3), 3 * sizeof(float))>>>(y, x, (four *)t_y.data(),
                                                                              (four *)t_x.data());
    EXPECT(t_y.get() == (numbers{0, 0, 6, 18, 0, 4, 0, 8, 2, 0, 0, 2}));
}

TEST_MAIN
