// Built with --deterministic: additions to the records of GW_PACK that have no rows are exact, and their bits
// the same in any order and shape.
#include "../support/check.cuh"

GW_GRADIENT("y wrt x, w")
GW_PACK(x, w) __global__
    void csr(float *y, const float *x, const float *w, const int *first, const int *at, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++)
            sum += x[at[j]] * w[at[j]];
        y[i] = sum;
    }
}

#include "exact_pack.grad.cuh"

enum { ROWS = 200, EACH = 7, CELLS = 11 };

static float seed(int i) { return 1.0f / ((float)(i % 61) - 30.5f); }

static std::vector<float> gradient(check::trial &trial, unsigned blocks, unsigned threads) {
    std::vector<int> starts, columns;
    std::vector<float> seeds, xs, ws;
    for (int i = 0; i <= ROWS; i++)
        starts.push_back(EACH * i);
    for (int j = 0; j < ROWS * EACH; j++)
        columns.push_back(j * 13 % CELLS);
    for (int i = 0; i < ROWS; i++)
        seeds.push_back(seed(i));
    for (int c = 0; c < CELLS; c++)
        xs.push_back(1 + (float)c / 3), ws.push_back(2 - (float)c / 7);
    check::array<float> y(std::vector<float>(ROWS, 0.0f)), x(xs), w(ws), d_y(seeds),
        d_x(std::vector<float>(CELLS, 0.25f)), d_w(std::vector<float>(CELLS, 0.0f));
    check::array<int> first(starts), at(columns);
    const size_t cells = csr_grad_pack_bytes(CELLS) / sizeof(float);
    check::device_bytes pack(csr_grad_pack_bytes(CELLS)),
        space(csr_workspace_bytes(blocks, threads, y, x, w, first, at, ROWS, cells));
    pack.fill(0x5a), space.fill(0x77);
    EXPECT_STATUS(csr_grad_launch(blocks, threads, 0, 0, y, x, w, first, at, ROWS, d_y, d_x, d_w,
                                  (float *)pack.data(), CELLS, cells, space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<float> all = d_x.get();
    for (float v : d_w.get())
        all.push_back(v);
    return all;
}

TEST(one_sum) {
    const std::vector<float> want = gradient(trial, 4, 64);
    double sum_x = 0.25 * CELLS, sum_w = 0, got_x = 0, got_w = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = EACH * i; j < EACH * (i + 1); j++)
            sum_x += seed(i) * (2 - j * 13 % CELLS / 7.0), sum_w += seed(i) * (1 + j * 13 % CELLS / 3.0);
    for (int c = 0; c < CELLS; c++) got_x += want[(size_t)c], got_w += want[(size_t)(CELLS + c)];
    EXPECT_NEAR(got_x, sum_x, 1e-4);
    EXPECT_NEAR(got_w, sum_w, 1e-4);
    for (int order = 1; order < 20; order++) {
        check::permute(order);
        EXPECT(gradient(trial, 4, 64) == want && gradient(trial, 3, 7) == want);
    }
    check::permute(0);
}
TEST_MAIN
