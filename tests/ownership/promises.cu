// Promises about lists, kept and broken: `promises kept` compares the gradients with what they are, `promises
// LIST` breaks the promise about one list, which a checked build must find.
#include <gradwright/gradwright.h>

GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
__global__ void through_list(double *e, const double *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) e[i] = x[2 * list[i]] * x[2 * list[i] + 1];
}

GW_GRADIENT("e wrt x") GW_SORTED(row)
__global__ void sum_rows(double *e, const double *x, const int *row, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int j = row[i]; j < row[i + 1]; j++) sum += x[j] * x[j];
    e[i] = sum;
}

GW_GRADIENT("e wrt x") GW_DISJOINT_RANGES(range)
__global__ void sum_ranges(double *e, const double *x, const int2 *range) {
    int t = threadIdx.x;
    double sum = 0;
    for (int j = range[blockIdx.x].x + t; j < range[blockIdx.x].y; j += blockDim.x) sum += x[j] * x[j];
    e[blockIdx.x * blockDim.x + t] = sum;
}

GW_GRADIENT("e wrt x") GW_ACCUMULATE(x, slots) GW_SORTED(list)
__global__ void through_sorted(double *e, const double *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3) e[i] = x[list[i]] * x[list[i]];
}

// Rows of threads at places of a list.
GW_GRADIENT("e wrt x") GW_ACCUMULATE(x, slots) GW_SORTED(row)
__global__ void through_places(double *e, const double *x, const int *list, const int *row, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int j = row[i]; j < row[i + 1]; j++) sum += x[list[j]];
    e[i] = sum;
}

// Each block has a bin of its own: atomics of block scope.
GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
__global__ void bins(double *e, const double *x, const int *list) {
    int bin = threadIdx.x % 7;
    e[blockIdx.x * blockDim.x + threadIdx.x] = x[8 * list[blockIdx.x] + bin];
}

// Their adjoints are in as many records as the caller says.
GW_GRADIENT("y wrt mean, color") GW_PACK(mean, color)
__global__ void in_records(float *y, const float2 *mean, const float *color, const int *list) {
    int q = list[blockIdx.x * blockDim.x + threadIdx.x];
    y[blockIdx.x * blockDim.x + threadIdx.x] = mean[q].x * color[3 * q + 2];
}

#include "promises.grad.cuh"

#include <cmath>
#include <cstdio>
#include <cstring>

enum { THREADS = 64, CELLS = 256 };

static double *e, *x, *d_e, *d_x;
static int *list, *row;
static int2 *range;

static void start() {
    for (int i = 0; i < CELLS; i++) {
        x[i] = 0.5 + 0.01 * i;
        d_x[i] = 0;
        d_e[i] = 1;
    }
}

static int wrong(const char *name, double (*expected)(int cell)) {
    int count = cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < CELLS; i++) count += !(std::fabs(d_x[i] - expected(i)) <= 1e-12);
    if (count) std::printf("%s: %d cells are wrong\n", name, count);
    return count;
}

static double of_product(int i) { return i < 2 * THREADS ? x[i ^ 1] : 0; }
static double of_squares(int i) { return i < 3 * THREADS ? 2 * x[i] : 0; }
static double of_sorted(int i) { return i < THREADS / 8 ? (i * 8 % 3 == 1 ? 12 : 10) * x[i] : 0; }
static double of_places(int i) { return i < 8 ? 24 : 0; }
static double of_bins(int i) { return i >= 32 || i % 8 == 7 ? 0 : i % 8 < 2 ? 3 : 2; }
static double of_ranges(int i) { return i < 120 ? 2 * x[i] : 0; }

/* y[i] = mean[i % 8].x * color[3 * (i % 8) + 2], 8 threads to each element. */
static int run_records() {
    float *y = (float *)e, *color = (float *)x, *d_y = (float *)d_e, *d_color = (float *)d_x, *all;
    if (cudaMallocManaged(&all, 256 * sizeof *all) != cudaSuccess) return 2;
    float2 *mean = (float2 *)all + 16, *d_mean = mean + 32;
    float *pack = (float *)(d_mean + 16);
    for (int i = 0; i < 8; i++) mean[i] = make_float2(0.5f * (float)i, 1), d_mean[i] = make_float2(0, 0);
    for (int i = 0; i < 24; i++) color[i] = (float)i, d_color[i] = 0;
    for (int i = 0; i < THREADS; i++) d_y[i] = 1;
    if (in_records_grad_launch(2, THREADS / 2, 0, nullptr, y, mean, color, list, d_y, d_mean, d_color, pack, 8,
                               nullptr, 0) != GW_OK)
        return 2;
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    int bad = 0;
    for (int i = 0; i < 8; i++)
        bad += d_mean[i].x != 8 * (float)(3 * i + 2) || d_mean[i].y != 0 || d_color[3 * i + 2] != 4 * (float)i;
    if (bad) std::printf("in_records: %d cells are wrong\n", bad);
    return bad;
}

int main(int count, char **words) {
    const char *broken = count > 1 && std::strcmp(words[1], "kept") != 0 ? words[1] : "";
    bool made = cudaMallocManaged(&e, CELLS * sizeof *e) == cudaSuccess &&
                cudaMallocManaged(&x, CELLS * sizeof *x) == cudaSuccess &&
                cudaMallocManaged(&d_e, CELLS * sizeof *d_e) == cudaSuccess &&
                cudaMallocManaged(&d_x, CELLS * sizeof *d_x) == cudaSuccess &&
                cudaMallocManaged(&list, CELLS * sizeof *list) == cudaSuccess &&
                cudaMallocManaged(&row, CELLS * sizeof *row) == cudaSuccess &&
                cudaMallocManaged(&range, 4 * sizeof *range) == cudaSuccess;
    if (!made) return 2;
    int bad = 0;
    start();
    for (int i = 0; i < THREADS; i++) list[i] = (i * 29 + 7) % THREADS;
    if (std::strcmp(broken, "list") == 0) list[40] = list[3];
    through_list_grad<<<2, THREADS / 2>>>(e, x, list, THREADS, d_e, d_x);
    bad += wrong("through_list", of_product);
    start();
    for (int i = 0; i <= THREADS; i++) list[i] = 3 * i;
    if (std::strcmp(broken, "row") == 0) list[20] = 40;
    sum_rows_grad<<<2, THREADS / 2>>>(e, x, list, THREADS, d_e, d_x);
    bad += wrong("sum_rows", of_squares);
    start();
    for (int i = 0; i < THREADS; i++) list[i] = i / 8;
    if (std::strcmp(broken, "key") == 0) list[31] = 7;
    if (std::strcmp(broken, "far_key") == 0) list[5] = 6;
    if (std::strcmp(broken, "last_key") == 0) list[62] = 5;
    const size_t bytes = through_sorted_workspace_bytes(2, THREADS / 2, e, x, list, THREADS);
    void *space;
    if (cudaMalloc(&space, bytes) != cudaSuccess) return 2;
    if (through_sorted_grad_launch(2, THREADS / 2, 0, nullptr, e, x, list, THREADS, d_e, d_x, space, bytes) !=
        GW_OK)
        return 2;
    bad += wrong("through_sorted", of_sorted);
    start();
    for (int i = 0; i < 3 * THREADS; i++) list[i] = i % 8;
    for (int i = 0; i <= THREADS; i++) row[i] = 3 * i;
    if (std::strcmp(broken, "place") == 0) row[20] = 64;
    const size_t positions = std::strcmp(broken, "places") == 0 ? 3 * THREADS - 1 : 3 * THREADS,
                 room = through_places_workspace_bytes(2, THREADS / 2, e, x, list, row, THREADS, positions);
    void *rows;
    if (cudaMalloc(&rows, room) != cudaSuccess) return 2;
    if (through_places_grad_launch(2, THREADS / 2, 0, nullptr, e, x, list, row, THREADS, d_e, d_x, positions,
                                   rows, room) != GW_OK)
        return 2;
    bad += wrong("through_places", of_places);
    start();
    for (int i = 0; i < 4; i++) range[i] = make_int2(30 * i, 30 * i + 30);
    if (std::strcmp(broken, "range") == 0) range[2].x = 55;
    if (std::strcmp(broken, "end") == 0) range[3].y = 80;
    sum_ranges_grad<<<4, 16>>>(e, x, range, d_e, d_x);
    bad += wrong("sum_ranges", of_ranges);
    start();
    for (int i = 0; i < 4; i++) list[i] = 3 - i;
    if (std::strcmp(broken, "bin") == 0) list[3] = 2;
    bins_grad<<<4, 16>>>(e, x, list, d_e, d_x);
    bad += wrong("bins", of_bins);
    start();
    for (int i = 0; i < THREADS; i++) list[i] = i % 8;
    if (std::strcmp(broken, "record") == 0) list[50] = 8;
    if (std::strcmp(broken, "negative_record") == 0) list[50] = -1;
    bad += run_records();
    return bad != 0;
}
