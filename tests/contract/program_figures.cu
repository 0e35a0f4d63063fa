// What the gradient of a program says of its memory: bytes at the peak, computed by hand for a heat equation;
// the table of its calls; errors with the call's line and the buffer's name.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstring>
#include <string>
#include <utility>

__global__ void step(double *v, const double *u, double k, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) v[i] = u[i] + k * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
}
__global__ void energy(double *loss, const double *u, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(loss, u[i] * u[i]);
}

GW_GRADIENT("loss wrt u0, k")
void heat(double *loss, const double *u0, double k, int n, int steps, cudaStream_t stream) {
    double *u, *v;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemcpyAsync(u, u0, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(v, u0, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < steps; t++) {
        step<<<(n + 63) / 64, 64, 0, stream>>>(v, u, k, n);
        std::swap(u, v);
    }
    energy<<<(n + 63) / 64, 64, 0, stream>>>(loss, u, n);
    cudaFree(u);
    cudaFree(v);
}
#include "program_figures.grad.cuh"

namespace {

enum { CELLS = 512, BYTES = CELLS * sizeof(double), STEPS = 6 };

std::string printed(const gw_pool *pool) {
    char text[4096];
    FILE *file = tmpfile();
    gw_pool_print(pool, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* How often a call was made, and what was taken for it. */
bool has_row(const std::string &table, const char *call, int times, size_t own, size_t saved, size_t adjoints,
             size_t work, int waits) {
    char row[200];
    snprintf(row, sizeof row, "\n%8d %12zu %12zu %12zu %12zu %6d  %s at program_figures.cu:", times, own, saved,
             adjoints, work, waits, call);
    return table.find(row) != std::string::npos;
}

TEST(heat) {
    check::generator random = {1};
    std::vector<double> start;
    for (int i = 0; i < CELLS; i++)
        start.push_back(random.uniform(0, 1));
    check::array<double> loss({0.0}), u0(start), d_loss({1.0}), d_u0(start);
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 2; run++) {
        double d_k = 0;
        EXPECT_STATUS(heat_grad_in(pool, loss, u0, 0.1, CELLS, STEPS, nullptr, d_loss, d_u0, &d_k), GW_OK);
        EXPECT_DEVICE_OK();
        gw_program_figures f;
        gw_pool_figures(pool, &f);
        /* each step overwrites what one before it has read, but the first; of those the first is a copy of
         * u0, which is there still; k's adjoint lies in 256 bytes */
        EXPECT(f.own == 2 * BYTES && f.saved == (STEPS - 2) * BYTES && f.shadows == 2 * BYTES && f.work == 256);
        EXPECT(f.peak == f.own + f.saved + f.shadows + f.work && f.peak == gw_pool_peak(pool));
        EXPECT(f.saves == STEPS - 2 && f.saved_bytes == (STEPS - 2) * BYTES);
        EXPECT(f.calls == STEPS + 7 && f.waits == STEPS);
        const std::string table = printed(pool);
        EXPECT(has_row(table, "an allocation", 1, BYTES, 0, 0, 0, 0));
        EXPECT(has_row(table, "step", STEPS, 0, (STEPS - 2) * BYTES, BYTES, 256, STEPS));
        EXPECT(has_row(table, "energy", 1, 0, 0, BYTES, 0, 0));
        EXPECT(table.find("a copy") == std::string::npos); /* nothing is taken for it */
    }
    gw_pool_free(pool);
}

TEST(errors) {
    check::array<double> loss({0.0}), u0(std::vector<double>((size_t)CELLS, 1.0)), d_loss({1.0}),
        d_u0(std::vector<double>((size_t)CELLS, 0.0));
    gw_pool *pool = nullptr;
    double d_k = 0;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    gw_pool_limit(pool, BYTES + 1);
    EXPECT_STATUS(heat_grad_in(pool, loss, u0, 0.1, CELLS, STEPS, nullptr, d_loss, d_u0, &d_k),
                  GW_ERROR_MEMORY);
    EXPECT(strstr(gw_last_error(), "(an allocation at program_figures.cu:24)"));
    gw_pool_limit(pool, 6 * BYTES); /* the way back has no room: the caller's adjoints are named */
    EXPECT_STATUS(heat_grad_in(pool, loss, u0, 0.1, CELLS, STEPS, nullptr, d_loss, d_u0, &d_k),
                  GW_ERROR_MEMORY);
    EXPECT(strstr(gw_last_error(), "(energy at program_figures.cu:31)"));
    gw_pool_limit(pool, 7 * BYTES);
    EXPECT_STATUS(heat_grad_in(pool, loss, u0, 0.1, CELLS, STEPS, nullptr, d_loss, d_u0, &d_k),
                  GW_ERROR_MEMORY);
    EXPECT(strstr(gw_last_error(), "(step at program_figures.cu:28); not as they were: the adjoints of loss"));
    gw_pool_free(pool);
}

} // namespace
TEST_MAIN
