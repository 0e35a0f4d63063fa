// Texture objects that a program makes: over memory with a pitch, over arrays that it copies to, over lines of
// numbers; overwritten and made again in loops, with and without marks. Against central differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstring>
#include <functional>

enum { W = 5, H = 3, N = 8, PITCH = 128, CELLS = PITCH * H };

__global__ void look(float *y, cudaTextureObject_t t, const float *at, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = tex2D<float>(t, at[i], 1.25f) * tex2D<float>(t, at[i] + 1, 0.5f * (float)i);
}
__global__ void blur(float *v, cudaTextureObject_t t, int w, int h) {
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    const float u = ((float)x + 0.75f) / (float)w, s = ((float)y + 0.25f) / (float)h;
    if (x < w && y < h) v[y * w + x] = tex2D<float>(t, u, s) * (1.25f - 0.25f * tex2D<float>(t, s, u));
}
__global__ void square_all(float *y, const float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = x[i] * x[i];
}
__global__ void chain(float *v, cudaTextureObject_t t, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) v[i] = tex1Dfetch<float>(t, i) * tex1Dfetch<float>(t, (i + 1) % n);
}
__global__ void pairs(float *y, cudaTextureObject_t t, int w) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const float2 p = tex2D<float2>(t, (float)i + 0.25f, 0.75f);
    if (i < w) y[i] = p.x * p.y;
}

// As of an image in pitched memory, in a function of its own.
static cudaTextureObject_t plane(const float *image, int w, int h, size_t pitch) {
    cudaTextureObject_t made;
    cudaResourceDesc what;
    memset(&what, 0, sizeof(cudaResourceDesc));
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D.devPtr = (void *)image;
    what.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    what.res.pitch2D.width = w;
    what.res.pitch2D.height = h;
    what.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how;
    memset(&how, 0, sizeof(cudaTextureDesc));
    how.addressMode[0] = cudaAddressModeClamp;
    how.addressMode[1] = cudaAddressModeMirror;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    if (cudaCreateTextureObject(&made, &what, &how, NULL) != cudaSuccess) exit(1);
    return made;
}
// The image is overwritten between the launches.
GW_GRADIENT("y wrt x, at") GW_DERIVATIVE("y wrt x, at")
void pitched(float *y, float *x, const float *at) {
    cudaTextureObject_t t = plane(x, W, H, PITCH * sizeof(float));
    float *u;
    cudaMalloc(&u, N * sizeof(float));
    look<<<1, 32>>>(u, t, at, N);
    square_all<<<(CELLS + 63) / 64, 64>>>(x, x, CELLS);
    look<<<1, 32>>>(y, t, at, N);
    square_all<<<1, 32>>>(u, u, N);
    cudaMemcpy2DAsync(y + N, sizeof(float), u, sizeof(float), sizeof(float), N, cudaMemcpyDeviceToDevice);
    cudaDestroyTextureObject(t);
    cudaFree(u);
}
// Steps over an array of the host's, as image filters are written.
GW_GRADIENT("y wrt x")
void filtered(float *y, const float *x, int steps) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray *image;
    float *v;
    cudaMalloc((void **)&v, W * H * sizeof(float));
    cudaMallocArray(&image, &format, W, H);
    cudaMemcpy2DToArray(image, 0, 0, x, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = image;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    cudaTextureObject_t t = 0;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    for (int k = 0; k < steps; k++) {
        blur<<<1, dim3(8, 8)>>>(v, t, W, H);
        cudaMemcpy2DToArray(image, 0, 0, v, W * sizeof(float), W * sizeof(float), H, cudaMemcpyDeviceToDevice);
    }
    cudaMemcpy2DFromArray(y, W * sizeof(float), image, 0, 0, W * sizeof(float), H, cudaMemcpyDeviceToHost);
    cudaDestroyTextureObject(t);
    cudaFreeArray(image);
    cudaFree(v);
}
// Two lines that change places, and a texture in each step.
static void step(float *v, float *u, int n) {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = u;
    what.res.linear.desc = cudaCreateChannelDesc<float>();
    what.res.linear.sizeInBytes = n * sizeof(float);
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    chain<<<1, 32>>>(v, t, n);
    cudaDestroyTextureObject(t);
}
// What was fetched is overwritten, and its memory freed.
GW_GRADIENT("y wrt x")
void forgotten(float *y, const float *x) {
    float *u, *v;
    cudaMalloc(&u, N * sizeof(float));
    cudaMalloc(&v, N * sizeof(float));
    cudaMemcpy(u, x, N * sizeof(float), cudaMemcpyDeviceToDevice);
    step(v, u, N);
    cudaMemset(u, 0, N * sizeof(float));
    square_all<<<1, 32>>>(y, v, N);
    square_all<<<1, 32>>>(v, v, N);
    cudaFree(v);
    cudaFree(u);
}
GW_GRADIENT("y wrt x")
void lines(float *y, const float *x, int steps) {
    float *u, *v;
    cudaMalloc(&u, N * sizeof(float));
    cudaMalloc(&v, N * sizeof(float));
    cudaMemcpy(u, x, N * sizeof(float), cudaMemcpyDeviceToDevice);
    GW_CHECKPOINT(2) for (int k = 0; k < steps; k++) {
        step(v, u, N);
        float *other = u;
        u = v, v = other;
    }
    cudaMemcpy(y, u, N * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(u);
    cudaFree(v);
}
// Channels; and a texture of the caller's, which has no adjoint.
GW_GRADIENT("y wrt x")
void channels(float *y, const float *x, cudaTextureObject_t given, bool own) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t image;
    cudaMallocArray(&image, &format, W, 2);
    cudaMemcpy2DToArray(image, 0, 1, x, W * sizeof(float2), W * sizeof(float2), 1, cudaMemcpyDeviceToDevice);
    cudaMemcpy2DToArray(image, sizeof(float2), 0, x, W * sizeof(float2), (W - 1) * sizeof(float2), 1,
                        cudaMemcpyDeviceToDevice);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = image;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    pairs<<<1, 32>>>(y, own ? t : given, W);
    pairs<<<1, 32>>>(y + W, t, W);
    cudaFreeArray(image);
}
GW_GRADIENT("y wrt x")
void twice(float *y, float *x) {
    cudaTextureObject_t t = plane(x, W, H, PITCH * sizeof(float));
    look<<<1, 32>>>(y, t, x, N);
}
#include "program_textures.grad.cuh"

namespace {

typedef std::vector<float> floats;
typedef std::function<gw_status(float *y, float *x, float *d_y, float *d_x, bool back)> program;

floats numbers(uint64_t seed, size_t count) {
    floats made;
    for (double n : check::uniform_numbers(seed, (int)count, 0.5, 1.5))
        made.push_back((float)n);
    return made;
}

const floats seed = numbers(3, 64);

double loss(check::trial &trial, const program &run, const floats &at, size_t count, floats *d) {
    check::array<float, true> y(floats(count, 0.0f)), x(at), d_y(floats(seed.begin(), seed.begin() + count)),
        d_x(floats(at.size(), 0.0f));
    EXPECT_STATUS(run(y, x, d_y, d_x, d != nullptr), GW_OK);
    EXPECT_DEVICE_OK();
    if (d) *d = d_x.get();
    if (d) EXPECT(x.get() == at);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += seed[i] * (double)y.get()[i];
    return sum;
}

void against_differences(check::trial &trial, const program &run, const floats &at, size_t count, float h,
                         size_t every) {
    floats d;
    loss(trial, run, at, count, &d);
    for (size_t i = 0; i < at.size(); i += every) {
        floats more = at, less = at;
        more[i] += h, less[i] -= h;
        const double up = loss(trial, run, more, count, nullptr), down = loss(trial, run, less, count, nullptr);
        EXPECT(check::near((double)d[i], (up - down) / ((double)more[i] - less[i]), 2e-3, 1));
    }
}

// The places of fetches, between two texels, are at multiples of 1/256 of one, with h too.
const floats places = {0.75f, 1.6875f, 2.0625f, 3.25f, 1.125f, 0.9375f, 3.8125f, 2.75f};

TEST(of_texels) {
    check::array<float> at(places);
    const auto run = [&](float *y, float *x, float *d_y, float *d_x, bool back) {
        check::array<float> d_at(floats(N, 0.0f));
        if (back) return pitched_grad(y, x, at, d_y, d_x, d_at);
        return pitched(y, x, at), GW_OK;
    };
    floats image = numbers(1, CELLS);
    against_differences(trial, run, image, 2 * N, 1.0f / 64, 17);
}

TEST(of_coordinates) {
    const floats image = numbers(1, CELLS);
    const auto run = [&](float *y, float *at, float *d_y, float *d_at, bool back) {
        check::array<float> x(image), d_x(floats(CELLS, 0.0f));
        if (back) return pitched_grad(y, x, at, d_y, d_x, d_at);
        return pitched(y, x, at), GW_OK;
    };
    against_differences(trial, run, places, 2 * N, 1.0f / 32, 1);
}

TEST(in_steps) {
    for (int steps : {0, 1, 3})
        against_differences(
            trial,
            [=](float *y, float *x, float *d_y, float *d_x, bool back) {
                if (back) return filtered_grad(y, x, steps, d_y, d_x);
                return filtered(y, x, steps), GW_OK;
            },
            numbers(2, W * H), W * H, 1.0f / 64, 1);
}

TEST(of_what_is_freed) {
    against_differences(
        trial,
        [=](float *y, float *x, float *d_y, float *d_x, bool back) {
            if (back) return forgotten_grad(y, x, d_y, d_x);
            return forgotten(y, x), GW_OK;
        },
        numbers(2, N), N, 1.0f / 256, 1);
}

TEST(in_marked_steps) {
    for (int steps : {1, 4})
        against_differences(
            trial,
            [=](float *y, float *x, float *d_y, float *d_x, bool back) {
                if (back) return lines_grad(y, x, steps, d_y, d_x);
                return lines(y, x, steps), GW_OK;
            },
            numbers(2, N), N, 1.0f / 256, 1);
}

TEST(of_channels) {
    check::array<float> other(numbers(4, CELLS));
    const cudaTextureObject_t given = plane(other, W, H, PITCH * sizeof(float));
    for (bool own : {true, false})
        against_differences(
            trial,
            [=](float *y, float *x, float *d_y, float *d_x, bool back) {
                if (back) return channels_grad(y, x, own ? given : given, own, d_y, d_x);
                return channels(y, x, given, own), GW_OK;
            },
            numbers(5, 2 * W), 2 * W, 1.0f / 64, 1);
    cudaDestroyTextureObject(given);
}

// A pool makes the objects once.
TEST(in_a_pool) {
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    floats first, image = numbers(6, N);
    for (int turn = 0; turn < 3; turn++) {
        check::array<float> y(floats(N, 0.0f)), x(image), d_y(floats(N, 1.0f)), d_x(floats(N, 0.0f));
        EXPECT_STATUS(lines_grad_in(pool, y, x, 3, d_y, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        if (!turn) first = d_x.get();
        EXPECT(d_x.get() == first);
    }
    gw_pool_free(pool);
}

TEST(along_tangents) {
    const floats image = numbers(1, CELLS), along = numbers(7, CELLS);
    const float h = 1.0f / 64;
    floats up = image, down = image;
    for (size_t i = 0; i < CELLS; i++)
        up[i] += h * along[i], down[i] -= h * along[i];
    check::array<float> x(image), t_x(along), at(places), t_at(floats(N, 0.0f)), y(floats(2 * N, 0.0f)),
        t_y(floats(2 * N, 0.0f)), a(up), b(down), y_a(floats(2 * N, 0.0f)), y_b(floats(2 * N, 0.0f));
    EXPECT_STATUS(pitched_jvp(y, x, at, t_y, t_x, t_at), GW_OK);
    pitched(y_a, a, at);
    pitched(y_b, b, at);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 2 * N; i++)
        EXPECT(check::near((double)t_y.get()[i], (double)(y_a.get()[i] - y_b.get()[i]) / (2 * h), 5e-3, 1));
}

TEST(one_memory_twice) {
    check::array<float> y(floats(N, 0.0f)), x(numbers(1, CELLS)), d_y(floats(N, 1.0f)),
        d_x(floats(CELLS, 0.0f));
    EXPECT_STATUS(twice_grad(y, x, d_y, d_x), GW_ERROR_ARGUMENT);
    EXPECT(strstr(gw_last_error(), "a texture and another argument") != nullptr);
}

} // namespace
TEST_MAIN
