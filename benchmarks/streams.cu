/*
 * streams.cu - times the gradients of workloads/streams.cuh beside backward passes written by hand, which store
 * to what is new and leave the seeds alone; these with --keep-seed move the same bytes. Those of images do so,
 * too, where the generated gradient adds.
 *
 * Options: --repeats N
 */
typedef float real;
#include "workloads/streams.cuh"

#include "streams.grad.cuh"

#include "support/workload.cuh"

enum { threads = 256 };
static dim3 blocks_for(size_t n) { return dim3((unsigned)((n + threads - 1) / threads)); }

/* ---- by hand ---- */
__global__ void gelu_by_hand(float *d_x, const float *x, const float *d_y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float v = x[i], square = 0.044715f * v * v, t = tanhf(0.7978845608f * (v + square * v));
    const float slope = 0.5f * v * (1 - t * t) * 0.7978845608f * (1 + 3 * square);
    d_x[i] = (0.5f * (1 + t) + slope) * d_y[i];
}

__global__ void heads_by_hand(float *d_all, const float *d_q, const float *d_k, const float *d_v, int batches,
                              int tokens, int heads, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batches * heads * tokens * width) return;
    const int part = i % width, token = i / width % tokens, above = i / (width * tokens);
    const int head = above % heads, batch = above / heads;
    float *to = d_all + ((size_t)(batch * tokens + token) * 3 * heads + head) * width + part;
    to[0] = d_q[i];
    to[heads * width] = d_k[i];
    to[2 * heads * width] = d_v[i];
}

__global__ void embedding_by_hand(float *d_table, float *d_places, const float *d_y, const int *ids, int texts,
                                  int length, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= texts * length * width) return;
    const int token = i / width, part = i % width, place = token % length;
    atomicAdd(&d_table[ids[token] * width + part], d_y[i]);
    atomicAdd(&d_places[place * width + part], d_y[i]);
}

__global__ void relative_error_by_hand(float *d_image, float *d_target, const float *image, const float *target,
                                       const float *d_y, int stride, int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float seed = d_y[row * width + column] / 3;
    for (int c = 0; c < 3; c++) {
        const int at = row * stride + 3 * column + c;
        const float a = image[at], b = target[at], inverse = 1 / (a * a + b * b + 0.1f);
        const float slope = 2 * (a - b) * inverse * inverse * seed;
        d_image[at] = slope * (b * (a + b) + 0.1f);
        d_target[at] = -slope * (a * (a + b) + 0.1f);
    }
}

__device__ static float dot(pixel a, pixel b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ static pixel cross(pixel a, pixel b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ static pixel sum(pixel a, float u, pixel b, float v) {
    return {a.x * u + b.x * v, a.y * u + b.y * v, a.z * u + b.z * v};
}
__device__ static void store(float *to, pixel p) { to[0] = p.x, to[1] = p.y, to[2] = p.z; }
/* The adjoint of v where v times `inverse` has d. */
__device__ static pixel of_direction(pixel v, float inverse, pixel d) {
    return sum(d, inverse, v, -inverse * inverse * inverse * dot(v, d));
}

__global__ void bent_normal_by_hand(float *d_normal, float *d_tangent, float *d_bump, const float *normal,
                                    const float *tangent, const float *bump, const float *d_bent, int stride,
                                    int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const int at = row * stride + 3 * column;
    const pixel v = pixel_at(normal, at), u = pixel_at(tangent, at), p = pixel_at(bump, at);
    const float of_v = rsqrtf(dot(v, v) + 1e-6f), of_u = rsqrtf(dot(u, u) + 1e-6f);
    const pixel n = sum(v, of_v, v, 0), t = sum(u, of_u, u, 0), b = cross(t, n);
    const pixel m = sum(sum(t, p.x, b, p.y), 1, n, p.z);
    const pixel d = of_direction(m, rsqrtf(dot(m, m) + 1e-6f), pixel_at(d_bent, at));
    store(d_bump + at, {dot(t, d), dot(b, d), dot(n, d)});
    store(d_tangent + at, of_direction(u, of_u, sum(d, p.x, cross(n, d), p.y)));
    store(d_normal + at, of_direction(v, of_v, sum(d, p.z, cross(d, t), p.y)));
}

/* ---- each of them ---- */
/* The kernel with another gradient. */
#define ANEW(kernel, gradient)                                                                                 \
    functions_of(                                                                                              \
        #kernel, [](dim3 g, dim3 b, auto... a) { kernel<<<g, b>>>(a...); },                                    \
        [](auto... a) -> decltype(gradient##_launch(a...)) { return gradient##_launch(a...); },                \
        [](auto... a) -> decltype(gradient##_workspace_bytes(a...)) {                                          \
            return gradient##_workspace_bytes(a...);                                                           \
        },                                                                                                     \
        [](auto... a) -> decltype(gradient##_measure_launch(a...)) { return gradient##_measure_launch(a...); },\
        [](auto... a) { return gradient##_workspace_bytes_measured(a...); },                                   \
        [](auto... a) -> decltype(kernel##_jvp_launch(a...)) { return kernel##_jvp_launch(a...); })

static bool measure_images(int repeats) {
    const int width = on_cpu_device ? 9 : 2048, height = on_cpu_device ? 7 : 2048, stride = 3 * width;
    const size_t n = (size_t)height * (size_t)stride, pixels = (size_t)height * (size_t)width;
    const dim3 block(32, 8), grid((unsigned)(width + 31) / 32, (unsigned)(height + 7) / 8);
    active_array<real> y(std::vector<real>(pixels), 1, true, false),
        image(random_reals(2, n, 0, 1), 3, false, true), target(random_reals(4, n, 0, 1), 5, false, true);
    const timed_run run = {"relative_error", (double)pixels, repeats, 1e-2, grid, block};
    if (!measure_kernel(run, KERNEL(relative_error), y, image, target, stride, width, height)) return false;
    y.refill(), image.refill(), target.refill();
    must(relative_error_grad_launch(grid, block, 0, 0, y.value, image.value, target.value, stride, width,
                                    height, y.d(), image.d(), target.d(), nullptr, 0));
    y.refill();
    bool holds = time_by_hand("relative_error", repeats, 1e-5, image, [&] {
        relative_error_by_hand<<<grid, block>>>(image.d(), target.d(), image.value, target.value, y.d(), stride,
                                                width, height);
    });
    y.direction.set(std::vector<real>(pixels)); /* seeds that are kept are no adjoints of an input */
    y.refill(), image.refill(), target.refill();
    const timed_run anew = {"relative_error_new", (double)pixels, repeats, 1e-2, grid, block};
    holds = measure_kernel(anew, ANEW(relative_error, relative_error_new), y, image, target, stride, width,
                           height) && holds;
    active_array<real> bent(std::vector<real>(n), 6, true, false),
        bump(random_reals(7, n, -1, 1), 8, false, true);
    const timed_run bending = {"bent_normal", (double)pixels, repeats, 1e-2, grid, block};
    image.refill(), target.refill();
    if (!measure_kernel(bending, KERNEL(bent_normal), bent, image, target, bump, stride, width, height))
        return false;
    bent.refill(), image.refill(), target.refill(), bump.refill();
    must(bent_normal_grad_launch(grid, block, 0, 0, bent.value, image.value, target.value, bump.value, stride,
                                 width, height, bent.d(), image.d(), target.d(), bump.d(), nullptr, 0));
    bent.refill();
    holds = time_by_hand("bent_normal", repeats, 1e-3, image, [&] {
                bent_normal_by_hand<<<grid, block>>>(image.d(), target.d(), bump.d(), image.value, target.value,
                                                     bump.value, bent.d(), stride, width, height);
            }) && holds;
    bent.direction.set(std::vector<real>(n));
    bent.refill(), image.refill(), target.refill(), bump.refill();
    const timed_run bent_anew = {"bent_normal_new", (double)pixels, repeats, 1e-2, grid, block};
    return measure_kernel(bent_anew, ANEW(bent_normal, bent_normal_new), bent, image, target, bump, stride,
                          width, height) && holds;
}

static bool measure_gelu(int repeats) {
    const int n = on_cpu_device ? 1000 : 8 * 1024 * 1536;
    active_array<real> y(std::vector<real>((size_t)n), 1, true, false),
        x(random_reals(2, (size_t)n, -3, 3), 3, false, true);
    const timed_run run = {"gelu", (double)n, repeats, 1e-2, blocks_for((size_t)n), dim3(threads)};
    if (!measure_arguments(run, KERNEL(gelu), argument<active_array<real>>(y), argument<active_array<real>>(x),
                           argument<int>(n)))
        return false;
    y.refill();
    must(gelu_grad_launch(run.grid, run.block, 0, 0, y.value, x.value, n, y.d(), x.d(), nullptr, 0));
    y.refill();
    return time_by_hand("gelu", repeats, 1e-5, x,
                        [&] { gelu_by_hand<<<run.grid, run.block>>>(x.d(), x.value, y.d(), n); });
}

static bool measure_permute(int repeats) {
    const int batches = on_cpu_device ? 2 : 16, tokens = on_cpu_device ? 5 : 1024,
              heads = on_cpu_device ? 3 : 12, width = on_cpu_device ? 4 : 64;
    const size_t n = (size_t)batches * (size_t)tokens * (size_t)heads * (size_t)width;
    active_array<real> q(std::vector<real>(n), 1, true, false), k(std::vector<real>(n), 2, true, false),
        v(std::vector<real>(n), 3, true, false), all(random_reals(4, 3 * n, -1, 1), 5, false, true);
    typedef argument<active_array<real>> active;
    const timed_run run = {"permute", (double)n, repeats, 1e-2, blocks_for(n), dim3(threads)};
    if (!measure_arguments(run, KERNEL(by_heads), active(q), active(k), active(v), active(all),
                           argument<int>(batches), argument<int>(tokens), argument<int>(heads),
                           argument<int>(width)))
        return false;
    const auto refill = [&] { q.refill(), k.refill(), v.refill(); };
    refill();
    must(by_heads_grad_launch(run.grid, run.block, 0, 0, q.value, k.value, v.value, all.value, batches, tokens,
                              heads, width, q.d(), k.d(), v.d(), all.d(), nullptr, 0));
    refill();
    return time_by_hand("permute", repeats, 1e-6, all, [&] {
        heads_by_hand<<<run.grid, run.block>>>(all.d(), q.d(), k.d(), v.d(), batches, tokens, heads, width);
    });
}

static bool measure_embedding(int repeats) {
    const int texts = on_cpu_device ? 3 : 16, length = on_cpu_device ? 7 : 1024,
              width = on_cpu_device ? 8 : 768, words = on_cpu_device ? 11 : 50257;
    const size_t n = (size_t)texts * (size_t)length * (size_t)width;
    std::vector<int> drawn;
    numbers random(9);
    for (int i = 0; i < texts * length; i++) /* the first words most often, about 1 / rank */
        drawn.push_back(std::min(words - 1, (int)std::pow((double)words, (double)random.next(0, 1)) - 1));
    const device_array<int> ids(drawn);
    active_array<real> y(std::vector<real>(n), 1, true, false),
        table(random_reals(2, (size_t)words * (size_t)width, -1, 1), 3, false, true),
        places(random_reals(4, (size_t)length * (size_t)width, -1, 1), 5, false, true);
    typedef argument<active_array<real>> active;
    const timed_run run = {"embedding_rows", (double)n, repeats, 1e-2, blocks_for(n), dim3(threads)};
    if (!measure_arguments(run, KERNEL(embedding), active(y), active(table), active(places),
                           argument<device_array<int>>(ids), argument<int>(texts), argument<int>(length),
                           argument<int>(width), argument<int>(words)))
        return false;
    y.refill();
    must(embedding_grad_launch(run.grid, run.block, 0, 0, y.value, table.value, places.value, ids, texts,
                               length, width, words, y.d(), table.d(), places.d(), nullptr, 0));
    y.refill();
    return time_by_hand("embedding_rows", repeats, 1e-4, table, [&] {
        must(cudaMemsetAsync(table.d(), 0, table.count() * sizeof(float)));
        must(cudaMemsetAsync(places.d(), 0, places.count() * sizeof(float)));
        embedding_by_hand<<<run.grid, run.block>>>(table.d(), places.d(), y.d(), ids, texts, length, width);
    });
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 21);
    bool holds = measure_gelu(repeats);
    holds = measure_permute(repeats) && holds;
    holds = measure_images(repeats) && holds;
    return measure_embedding(repeats) && holds ? 0 : 1;
}
