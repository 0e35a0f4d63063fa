// Fetches from textures: every shape, filter, address mode and unit of coordinates. Texels against differences,
// which are exact, a fetch being linear in them; coordinates against quotients inside of one cell of the
// filter, exact too where the weights and their products, which the hardware rounds to 1/256, are such numbers;
// forward mode by the dot product.
#include "../support/expect.cuh"

#include <gradwright/texture.cuh>

#include <functional>

#define HERE     (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define REQUESTS GW_GRADIENT("y wrt p, image") GW_DERIVATIVE("y wrt p, image")
#define FETCH(name, T, ...)                                                                                    \
    REQUESTS __global__ void name(T *y, const float4 *p, cudaTextureObject_t image, int n) {                   \
        const int i = HERE;                                                                                    \
        if (i >= n) return;                                                                                    \
        const float4 at = p[i];                                                                                \
        y[i] = __VA_ARGS__;                                                                                    \
    }
FETCH(line, float, tex1D<float>(image, at.x))
FETCH(plane, float, tex2D<float>(image, at.x, at.y))
FETCH(box, float, tex3D<float>(image, at.x, at.y, at.z))
FETCH(lines, float, tex1DLayered<float>(image, at.x, i % 5 - 1))
FETCH(planes, float, tex2DLayered<float>(image, at.x, at.y, i % 5 - 1))
FETCH(line2, float2, tex1D<float2>(image, at.x))
FETCH(plane4, float4, tex2D<float4>(image, at.x, at.y))
FETCH(box4, float4, tex3D<float4>(image, at.x, at.y, at.z))
FETCH(planes2, float2, tex2DLayered<float2>(image, at.x, at.y, i % 5 - 1))
FETCH(plane1, float1, tex2D<float1>(image, at.x, at.y))
// One channel of several; the channels' uses apart; coordinates that are computed, and twice the same.
FETCH(first, float, tex2D<float>(image, at.x, at.y) * at.z)
FETCH(some, float, tex2D<float4>(image, at.x, at.y).w + at.w * tex2D<float4>(image, at.x, at.y).y)
// A function that fetches, in a branch and a loop.
__device__ static float2 along(cudaTextureObject_t image, float x, float y, int k) {
    const float4 texel = tex2D<float4>(image, x + 0.25f * k, y - 0.25f * k);
    return make_float2(texel.x * texel.y, texel.w);
}
REQUESTS GW_SPLIT_GRADIENT("y wrt p, image") __global__
    void march(float *y, const float4 *p, cudaTextureObject_t image, int n) {
    const int i = HERE;
    if (i >= n) return;
    float sum = 0, left = 1;
    for (int k = 0; k < 3 + i % 4; k++) {
        const float2 here = along(image, p[i].x, p[i].y, k);
        if ((i + k) % 3) sum += left * here.x;
        left *= 1 - 0.125f * here.y;
    }
    y[i] = sum + left;
}
// The object is asked for; a second texture takes no part.
REQUESTS __global__ void two(float *y, const float4 *p, cudaTextureObject_t image, int n,
                             cudaTextureObject_t other) {
    const int i = HERE;
    if (i >= n) return;
    float value = image ? tex2D<float>(image, p[i].x, p[i].y) : 1;
    if (other) value *= tex2D<float>(other, i, 1);
    y[i] = value;
}
GW_GRADIENT("y wrt image")
GW_DERIVATIVE("y wrt image") __global__ void elements(float2 *y, cudaTextureObject_t image, int n) {
    const int i = HERE;
    if (i < n) y[i] = tex1Dfetch<float2>(image, i / 2 - 1);
}
#ifndef IN_ORDER
// A device function of its own, with a parameter that is a number beside.
GW_GRADIENT("wrt x, image") __device__ float at_row(float x, cudaTextureObject_t image) {
    return x * tex2D<float>(image, x, 1.5f);
}
#endif
#include "textures.grad.cuh"

#ifndef IN_ORDER
__global__ void at_row_pulled(float x, cudaTextureObject_t image, float *d_x, gw_texture_shadow d_image) {
    at_row_pullback(x, image, 2, d_x, d_image);
}
#endif

namespace {

enum { WIDTH = 8, HEIGHT = 4, SLICES = 4, LAYERS = 3, POINTS = 96 };
enum shape { LINE, PLANE, BOX, OF_LINES, OF_PLANES };

/* An array of floats, its texture, and its shadow's cells. */
struct picture {
    int width = WIDTH, height, slices, channels;
    bool linear;
    cudaArray_t array = nullptr;
    cudaTextureObject_t object = 0;
    std::vector<float> texels;

    picture(shape s, int of, cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized)
        : height(s == LINE || s == OF_LINES ? 1 : HEIGHT), slices(s == BOX                          ? SLICES
                                                                  : s == OF_LINES || s == OF_PLANES ? LAYERS
                                                                                                    : 1),
          channels(of), linear(filter == cudaFilterModeLinear) {
        const bool layered = s == OF_LINES || s == OF_PLANES;
        const int bits[4] = {32, of > 1 ? 32 : 0, of > 2 ? 32 : 0, of > 2 ? 32 : 0};
        const cudaChannelFormatDesc format =
            cudaCreateChannelDesc(bits[0], bits[1], bits[2], bits[3], cudaChannelFormatKindFloat);
        const cudaExtent extent =
            make_cudaExtent(WIDTH, height > 1 ? HEIGHT : 0, slices > 1 ? (size_t)slices : 0);
        check::cuda_ok(cudaMalloc3DArray(&array, &format, extent, layered ? cudaArrayLayered : 0));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc how = {};
        for (int i = 0; i < 3; i++)
            how.addressMode[i] = mode;
        for (int i = 0; i < 4; i++)
            how.borderColor[i] = 0.25f + (float)i;
        how.filterMode = filter;
        how.normalizedCoords = normalized;
        check::cuda_ok(cudaCreateTextureObject(&object, &resource, &how, nullptr));
        check::generator random = {7};
        for (int i = 0; i < width * height * slices * channels; i++)
            texels.push_back((float)random.uniform(-1, 1));
        put(texels);
    }
    picture(const picture &) = delete;
    ~picture() {
        check::cuda_ok(cudaDestroyTextureObject(object));
        check::cuda_ok(cudaFreeArray(array));
    }
    void put(std::vector<float> values) const {
        cudaMemcpy3DParms copy = {};
        const size_t row = (size_t)(width * channels) * sizeof(float);
        copy.srcPtr = make_cudaPitchedPtr(values.data(), row, (size_t)width, (size_t)height);
        copy.dstArray = array;
        copy.extent = make_cudaExtent((size_t)width, (size_t)height, (size_t)slices);
        copy.kind = cudaMemcpyHostToDevice;
        check::cuda_ok(cudaMemcpy3D(&copy));
    }
};

std::vector<float> numbers(size_t count, uint64_t seed) {
    check::generator random = {seed};
    std::vector<float> made(count);
    for (float &x : made)
        x = (float)random.uniform(-1, 1);
    return made;
}

double dot(const std::vector<float> &a, const std::vector<float> &b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

template <class T> std::vector<float> flat(const check::array<T> &from) {
    const std::vector<T> values = from.get();
    std::vector<float> made(values.size() * sizeof(T) / sizeof(float));
    std::memcpy(made.data(), values.data(), made.size() * sizeof(float));
    return made;
}
template <class T> void fill(check::array<T> &to, const std::vector<float> &from) {
    std::vector<T> values(from.size() * sizeof(float) / sizeof(T));
    std::memcpy(values.data(), from.data(), from.size() * sizeof(float));
    to.set(values);
}

/* With a linear filter even points are at quarters of texels: a step of 1/16 along one axis leads from there to
 * where no weight is rounded. The others are anywhere, for the weights of texels. */
bool has_quotient(bool linear, size_t point) { return !linear || point % 2 == 0; }

/* A kernel and its derivatives, at points p of a picture. */
template <class T> struct sampling {
    std::function<void(T *, const float4 *)> primal;
    std::function<gw_status(T *, const float4 *, T *, float4 *, gw_texture_shadow)> gradient;
    std::function<gw_status(T *, const float4 *, T *, const float4 *, gw_texture_shadow)> tangent;
};

template <class T> struct probe {
    check::trial &t;
    const picture &image;
    sampling<T> f;
    std::vector<float> p, seed;
    check::array<T> y, d_y;
    check::array<float4> x;
    double sum = 0; /* of dot products */
    double near_points = 2e-4, near_texels = 2e-5, texel_step = 1;
    bool centered = false; /* a quotient of texels goes to both sides: the kernel is not linear in them */

    probe(check::trial &running, const picture &of, sampling<T> functions, std::vector<float> points)
        : t(running), image(of), f(functions), p(points), seed(numbers(POINTS * sizeof(T) / 4, 11)),
          y(std::vector<T>(POINTS)), d_y(std::vector<T>(POINTS)), x(std::vector<float4>(POINTS)) {
        fill(x, p);
    }
    std::vector<float> value() {
        f.primal(y, x);
        runs(check::device_ok());
        return flat(y);
    }
    void runs(bool good) {
        if (!good) t.fail(__FILE__, __LINE__, "a launch failed");
    }
    void same(const char *what, int at, double got, double want, double tolerance) {
        if (!check::near(got, want, tolerance, 1))
            t.fail(__FILE__, __LINE__,
                   std::string(what) + " " + std::to_string(at) + ": " + check::text(got) + " instead of " +
                       check::text(want));
    }
    gw_texture_shadow shadow(float *cells) {
        gw_texture_shadow made;
        if (gw_texture_shadow_of(&made, image.object, cells) != GW_OK)
            t.fail(__FILE__, __LINE__, gw_last_error());
        if (gw_texture_shadow_bytes(made) != image.texels.size() * sizeof(float))
            t.fail(__FILE__, __LINE__, "the shadow has another size");
        return made;
    }

    /* Adjoints of points and texels, which are added to what is there. */
    void gradients(std::vector<float> *d_p, std::vector<float> *d_texels, bool without_cells) {
        const std::vector<float> old = numbers(image.texels.size(), 5);
        check::array<float> cells(old);
        check::array<float4> d_x{std::vector<float4>(POINTS)};
        fill(d_y, seed);
        runs(f.gradient(y, x, d_y, d_x, shadow(without_cells ? nullptr : cells.data())) == GW_OK);
        runs(check::device_ok());
        *d_p = flat(d_x);
        *d_texels = cells.get();
        for (size_t i = 0; i < old.size(); i++)
            (*d_texels)[i] -= old[i];
    }

    void differ_texels(const std::vector<float> &d_texels) {
        for (size_t i = 0; i < d_texels.size(); i++) {
            double loss[2];
            for (int side = 0; side < 2; side++) {
                std::vector<float> moved = image.texels;
                moved[i] += (float)(side ? texel_step : centered ? -texel_step : 0);
                image.put(moved);
                loss[side] = dot(seed, value());
            }
            same("texel", (int)i, (double)d_texels[i], (loss[1] - loss[0]) / (centered ? 2 : 1) / texel_step,
                 near_texels);
        }
        image.put(image.texels);
    }
    /* `step` is what a quotient goes to each side: in units of p. */
    void differ_points(const std::vector<float> &d_p, const float *step, int axes) {
        const size_t n = sizeof(T) / sizeof(float);
        for (int axis = 0; axis < axes; axis++) {
            std::vector<float> values[2];
            for (int side = 0; side < 2; side++) {
                std::vector<float> moved = p;
                for (size_t i = 0; i < POINTS; i++)
                    moved[4 * i + (size_t)axis] += (side ? 1 : -1) * step[axis];
                fill(x, moved);
                values[side] = value();
            }
            for (size_t i = 0; i < POINTS; i++) {
                double slope = 0;
                for (size_t k = 0; k < n; k++)
                    slope += (double)seed[n * i + k] * (double)(values[1][n * i + k] - values[0][n * i + k]);
                if (!has_quotient(image.linear, i)) continue;
                same("point", (int)(4 * i) + axis, (double)d_p[4 * i + (size_t)axis],
                     slope / (2 * (double)step[axis]), near_points);
            }
        }
        fill(x, p);
    }
    void forward(const std::vector<float> &d_p, const std::vector<float> &d_texels) {
        const std::vector<float> along_p = numbers(p.size(), 3), along_texels = numbers(image.texels.size(), 4);
        check::array<float> cells(along_texels);
        check::array<float4> t_x{std::vector<float4>(POINTS)};
        fill(t_x, along_p);
        runs(f.tangent(y, x, d_y, t_x, shadow(cells.data())) == GW_OK);
        runs(check::device_ok());
        const double back = dot(d_p, along_p) + dot(d_texels, along_texels);
        same("dot product", 0, dot(seed, flat(d_y)), back, 2e-4);
        sum += back;
    }
    void all(const float *step, int axes) {
        std::vector<float> d_p, d_texels, d_p_alone, none;
        gradients(&d_p, &d_texels, false);
        gradients(&d_p_alone, &none, true);
        if (d_p_alone != d_p) t.fail(__FILE__, __LINE__, "without cells, points have other adjoints");
        for (float x : none)
            if (x != 0) t.fail(__FILE__, __LINE__, "cells that were not passed have changed");
        forward(d_p, d_texels);
        if (t.quick) return;
        differ_texels(d_texels);
        differ_points(d_p, step, axes);
    }
};

/* Points in and around the picture, each some 32/256 or more from where the filter has its corners. */
std::vector<float> points_of(const picture &image, bool linear, bool normalized, float range, float *step) {
    const int size[3] = {image.width, image.height, image.slices};
    check::generator random = {linear ? 1u : 2u};
    std::vector<float> p;
    for (size_t i = 0; i < 4 * POINTS; i++) {
        const size_t axis = i % 4;
        const double cells = axis < 3 ? size[axis] : 1;
        const double whole = std::floor(random.uniform(-range * cells, (1 + range) * cells));
        double part = std::floor(random.uniform(32, linear ? 224 : 104));
        if (linear && has_quotient(linear, i / 4)) part = 64 * std::floor(part / 75 + 1);
        p.push_back((float)((whole + 0.5 + part / 256) / (normalized ? cells : 1)));
        if (axis < 3) step[axis] = (float)(1.0 / 16 / (normalized ? cells : 1));
    }
    return p;
}

#define FUNCTIONS(T, name, ...)                                                                                \
    sampling<T> {                                                                                              \
        [&](T *y, const float4 *p) {                                                                           \
            name<<<3, 32>>>(y, p, image.object, POINTS __VA_OPT__(, ) __VA_ARGS__);                            \
        },                                                                                                     \
            [&](T *y, const float4 *p, T *d_y, float4 *d_p, gw_texture_shadow d) {                             \
                const check::device_bytes space(                                                               \
                    name##_workspace_bytes(3, 32, y, p, image.object, POINTS __VA_OPT__(, ) __VA_ARGS__));     \
                return name##_grad_launch(3, 32, 0, nullptr, y, p, image.object,                               \
                                          POINTS __VA_OPT__(, ) __VA_ARGS__, d_y, d_p, d, space.data(),        \
                                          space.size());                                                       \
            },                                                                                                 \
            [&](T *y, const float4 *p, T *t_y, const float4 *t_p, gw_texture_shadow t) {                       \
                return name##_jvp_launch(3, 32, 0, nullptr, y, p, image.object,                                \
                                         POINTS __VA_OPT__(, ) __VA_ARGS__, t_y, t_p, t);                      \
            }                                                                                                  \
    }

/* Every filter, address mode and unit of coordinates. */
#define IN_ALL_WAYS(name, T, s, channels, axes)                                                                \
    TEST(name) {                                                                                               \
        double sum = 0;                                                                                        \
        for (int way = 0; way < 16; way++) {                                                                   \
            const bool linear = way & 1, normalized = way & 2;                                                 \
            const picture image(s, channels, (cudaTextureAddressMode)(way >> 2),                               \
                                linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized);              \
            float step[3];                                                                                     \
            const auto p = points_of(image, linear, normalized, 1.5f, step);                                   \
            probe<T> of(trial, image, FUNCTIONS(T, name), p);                                                  \
            of.all(step, axes);                                                                                \
            sum += of.sum;                                                                                     \
        }                                                                                                      \
        trial.report("dot", sum);                                                                              \
    }
IN_ALL_WAYS(line, float, LINE, 1, 1)
IN_ALL_WAYS(plane, float, PLANE, 1, 2)
IN_ALL_WAYS(box, float, BOX, 1, 3)
IN_ALL_WAYS(lines, float, OF_LINES, 1, 1)
IN_ALL_WAYS(planes, float, OF_PLANES, 1, 2)
IN_ALL_WAYS(line2, float2, LINE, 2, 1)
IN_ALL_WAYS(plane4, float4, PLANE, 4, 2)
IN_ALL_WAYS(box4, float4, BOX, 4, 3)
IN_ALL_WAYS(planes2, float2, OF_PLANES, 2, 2)
IN_ALL_WAYS(plane1, float1, PLANE, 1, 2)
IN_ALL_WAYS(first, float, PLANE, 4, 3)
IN_ALL_WAYS(some, float, PLANE, 4, 2)

/* In the middle of quarters, whatever the loop adds: a step of 1/32 leads to where no weight is rounded. */
std::vector<float> marched_points(float *step) {
    check::generator random = {9};
    std::vector<float> p;
    for (int i = 0; i < 4 * POINTS; i++)
        p.push_back((float)(std::floor(random.uniform(-4, 40)) / 4 + 1.0 / 8));
    for (int i = 0; i < 3; i++)
        step[i] = 1.0f / 32;
    return p;
}

gw_status march_in_halves(const picture &image, float *y, const float4 *p, float *d_y, float4 *d_p,
                          gw_texture_shadow d) {
    const size_t bytes = march_tape_bytes(3, 32, y, p, image.object, POINTS);
    const check::device_bytes tape(bytes);
    const gw_status status =
        march_fwd_launch(3, 32, 0, nullptr, y, p, image.object, POINTS, tape.data(), bytes);
    if (status != GW_OK) return status;
#ifdef IN_ORDER /* rows are in a workspace of the second half's own */
    const check::device_bytes rows(march_bwd_workspace_bytes(3, 32, y, p, image.object, POINTS));
    return march_bwd_launch(3, 32, 0, nullptr, y, p, image.object, POINTS, d_y, d_p, d, tape.data(), bytes,
                            rows.data(), rows.size());
#else
    return march_bwd_launch(3, 32, 0, nullptr, y, p, image.object, POINTS, d_y, d_p, d, tape.data(), bytes);
#endif
}

TEST(march) {
    for (int halves = 0; halves < 2; halves++) {
        const picture image(PLANE, 4, cudaAddressModeClamp, cudaFilterModeLinear, false);
        sampling<float> f = FUNCTIONS(float, march);
        if (halves)
            f.gradient = [&](float *y, const float4 *p, float *d_y, float4 *d_p, gw_texture_shadow d) {
                return march_in_halves(image, y, p, d_y, d_p, d);
            };
        float step[3];
        const auto p = marched_points(step);
        probe<float> of(trial, image, f, p);
        of.centered = true, of.texel_step = 1.0 / 128;
        of.near_points = 2e-3, of.near_texels = 1e-3;
        of.all(step, 2);
        trial.report("dot", of.sum);
    }
}

TEST(two) {
    const picture image(PLANE, 1, cudaAddressModeBorder, cudaFilterModeLinear, false);
    const picture other(PLANE, 1, cudaAddressModeClamp, cudaFilterModePoint, false);
    float step[3];
    const auto p = points_of(image, true, false, 0.5f, step);
    probe<float> of(trial, image, FUNCTIONS(float, two, other.object), p);
    of.all(step, 2);
    trial.report("dot", of.sum);
}

/* Linear memory: its shadow may be an array's adjoint. Outside, a fetch gives 0. */
TEST(elements) {
    enum { COUNT = 10, LAUNCHED = 32 };
    const std::vector<float> texels = numbers(2 * COUNT, 1), seed = numbers(2 * LAUNCHED, 2);
    const check::array<float> memory(texels), cells(std::vector<float>(2 * COUNT, 1.0f)), tangents(texels);
    check::array<float2> y{std::vector<float2>(LAUNCHED)}, d_y{std::vector<float2>(LAUNCHED)};
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float2>();
    resource.res.linear.sizeInBytes = texels.size() * sizeof(float);
    const cudaTextureDesc how = {};
    cudaTextureObject_t image = 0;
    EXPECT(check::cuda_ok(cudaCreateTextureObject(&image, &resource, &how, nullptr)));
    gw_texture_shadow d_image, t_image;
    EXPECT(gw_texture_shadow_of(&d_image, image, cells) == GW_OK);
    EXPECT(gw_texture_shadow_of(&t_image, image, tangents) == GW_OK);
    EXPECT(gw_texture_shadow_bytes(d_image) == texels.size() * sizeof(float));
    fill(d_y, seed);
    const check::device_bytes space(elements_workspace_bytes(1, LAUNCHED, y, image, LAUNCHED));
    EXPECT(elements_grad_launch(1, LAUNCHED, 0, nullptr, y, image, LAUNCHED, d_y, d_image, space.data(),
                                space.size()) == GW_OK);
    EXPECT(check::device_ok());
    const std::vector<float> made = cells.get();
    for (int k = 0; k < 2 * COUNT; k++) {
        const int first = 2 * (k / 2 + 1); /* elements i with i / 2 - 1 == k / 2 */
        const float want = 1 + seed[(size_t)(2 * first + k % 2)] + seed[(size_t)(2 * first + 2 + k % 2)];
        EXPECT(check::near((double)made[(size_t)k], (double)want, 1e-5, 1));
    }
    EXPECT(elements_jvp_launch(1, LAUNCHED, 0, nullptr, y, image, LAUNCHED, d_y, t_image) == GW_OK);
    EXPECT(check::device_ok());
    EXPECT(flat(y) == flat(d_y)); /* the tangents are the texels, and a fetch is linear */
    EXPECT(check::cuda_ok(cudaDestroyTextureObject(image)));
}

/* Bytes that are read as numbers from 0 to 1: the shadow is of what they are read as. Pitched memory. */
TEST(bytes) {
    unsigned char *pixels = nullptr, from[HEIGHT][WIDTH][4];
    size_t pitch = 0;
    EXPECT(check::cuda_ok(cudaMallocPitch(&pixels, &pitch, sizeof from[0], HEIGHT)));
    check::generator random = {3};
    for (auto &row : from)
        for (auto &pixel : row)
            for (unsigned char &b : pixel)
                b = (unsigned char)(random.next() % 256);
    check::cuda_ok(
        cudaMemcpy2D(pixels, pitch, from, sizeof from[0], sizeof from[0], HEIGHT, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pixels;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    for (auto &mode : how.addressMode)
        mode = cudaAddressModeClamp;
    cudaTextureObject_t object = 0;
    EXPECT(check::cuda_ok(cudaCreateTextureObject(&object, &resource, &how, nullptr)));
    /* The same texels as floats: both textures have the same derivatives. */
    picture image(PLANE, 4, cudaAddressModeClamp, cudaFilterModeLinear, false);
    for (size_t i = 0; i < image.texels.size(); i++)
        image.texels[i] = (float)(&from[0][0][0])[i] / 255;
    image.put(image.texels);
    const cudaTextureObject_t floats = image.object;
    float step[3];
    const auto p = points_of(image, true, false, 0.5f, step);
    std::vector<float> d_p[2], d_texels[2], none;
    for (int of_bytes = 0; of_bytes < 2; of_bytes++) {
        image.object = of_bytes ? object : floats;
        probe<float4>(trial, image, FUNCTIONS(float4, plane4), p)
            .gradients(&d_p[of_bytes], &d_texels[of_bytes], false);
    }
    image.object = floats;
    for (size_t i = 0; i < d_p[0].size(); i++)
        EXPECT(check::near((double)d_p[1][i], (double)d_p[0][i], 1e-4, 1));
    for (size_t i = 0; i < d_texels[0].size(); i++)
        EXPECT(check::near((double)d_texels[1][i], (double)d_texels[0][i], 1e-5, 1));
    EXPECT(check::cuda_ok(cudaDestroyTextureObject(object)));
    check::cuda_ok(cudaFree(pixels));
}

#ifndef IN_ORDER
TEST(function) {
    const picture image(PLANE, 1, cudaAddressModeClamp, cudaFilterModeLinear, false);
    const check::array<float> d_x({1.0f}), cells(std::vector<float>(image.texels.size()));
    gw_texture_shadow d_image;
    EXPECT(gw_texture_shadow_of(&d_image, image.object, cells) == GW_OK);
    const float x = 2.75f; /* a quarter from the center of texel 2 */
    at_row_pulled<<<1, 1>>>(x, image.object, d_x, d_image);
    EXPECT(check::device_ok());
    const float *row = &image.texels[WIDTH];
    EXPECT_NEAR(d_x.get()[0], 1 + 2 * (row[2] + (row[3] - row[2]) / 4 + x * (row[3] - row[2])), 1e-5);
    for (size_t i = 0; i < image.texels.size(); i++) {
        const double want = i == WIDTH + 2 ? 2 * 2.75 * 0.75 : i == WIDTH + 3 ? 2 * 2.75 * 0.25 : 0;
        EXPECT(check::near((double)cells.get()[i], want, 1e-5));
    }
}
#endif

/* The weights are the hardware's, in steps of 1/256: a shadow gets what the fetch took. */
TEST(weights) {
    const picture image(LINE, 1, cudaAddressModeClamp, cudaFilterModeLinear, false);
    const float at[4] = {2.5f + 1.0f / 1024, 2.5f + 3.0f / 1024, 2.5f + 100.4f / 256, 2.5f + 255.9f / 256};
    const float second[4] = {0, 1.0f / 256, 100.0f / 256, 1};
    for (int i = 0; i < 4; i++) {
        std::vector<float> p(4 * POINTS, at[i]), d_p, d_texels;
        probe<float> of(trial, image, FUNCTIONS(float, line), p);
        of.seed.assign(POINTS, 0.0f);
        of.seed[0] = 1;
        of.gradients(&d_p, &d_texels, true);
        EXPECT_NEAR(d_p[0], image.texels[3] - image.texels[2],
                    1e-6); /* of the interpolation, not of its steps */
        check::array<float> cells{std::vector<float>(WIDTH)};
        check::array<float4> d_x{std::vector<float4>(POINTS)};
        fill(of.d_y, of.seed);
        EXPECT(of.f.gradient(of.y, of.x, of.d_y, d_x, of.shadow(cells)) == GW_OK);
        EXPECT(check::device_ok());
        EXPECT(cells.get()[2] == 1 - second[i] && cells.get()[3] == second[i]);
    }
}

/* What a fetch from a shadow's cells gives is what the device fetches from such texels, anywhere, in bits but
 * for the order of the sum: weights are rounded as the hardware does. In the border cells are 0, so not there.
 */
__global__ void fetch_both(float2 *values, cudaTextureObject_t image, gw_texture_shadow cells, int shape,
                           const float4 *points, int n) {
    const int i = HERE;
    if (i >= n) return;
    const float4 at = points[i];
    if (shape == LINE) values[i] = {tex1D<float>(image, at.x), gw_texture_read_1d(cells, 0, at.x)};
    if (shape == PLANE) values[i] = {tex2D<float>(image, at.x, at.y), gw_texture_read_2d(cells, 0, at.x, at.y)};
    if (shape == BOX)
        values[i] = {tex3D<float>(image, at.x, at.y, at.z), gw_texture_read_3d(cells, 0, at.x, at.y, at.z)};
    if (shape == OF_LINES)
        values[i] = {tex1DLayered<float>(image, at.x, i % 6 - 2),
                     gw_texture_read_1d_layered(cells, 0, at.x, i % 6 - 2)};
    if (shape == OF_PLANES)
        values[i] = {tex2DLayered<float>(image, at.x, at.y, i % 6 - 2),
                     gw_texture_read_2d_layered(cells, 0, at.x, at.y, i % 6 - 2)};
}

TEST(fetches) {
    enum { COUNT = 4096 };
    for (int way = 0; way < 5 * 12; way++) {
        const bool linear = way & 1, normalized = way & 2;
        const shape s = (shape)(way % 5);
        const picture image(s, 1, (cudaTextureAddressMode)(way / 20),
                            linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized);
        const check::array<float> cells(image.texels);
        gw_texture_shadow shadow;
        EXPECT(gw_texture_shadow_of(&shadow, image.object, cells) == GW_OK);
        check::generator random = {(uint64_t)way};
        std::vector<float4> points(COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            float4 &p = points[i];
            p = make_float4((float)random.uniform(-12, 20), (float)random.uniform(-6, 10),
                            (float)random.uniform(-6, 10), 0);
            if (i % 2) /* where products of weights are halves more often */
                p = make_float4(std::floor(p.x * 32) / 32, std::floor(p.y * 32) / 32, std::floor(p.z * 32) / 32,
                                0);
            if (normalized) p.x /= WIDTH, p.y /= HEIGHT, p.z /= SLICES;
        }
        const check::array<float4> at(points);
        const check::array<float2> values{std::vector<float2>(COUNT)};
        fetch_both<<<COUNT / 128, 128>>>(values, image.object, shadow, s, at, COUNT);
        EXPECT(check::device_ok());
        const std::vector<float2> both = values.get();
        size_t apart = 0;
        for (const float2 &v : both)
            apart += !check::near((double)v.x, (double)v.y, 1e-6, 1);
        EXPECT(apart == 0);
    }
}

/* What has no shadow. */
TEST(refused) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t levels;
    EXPECT(check::cuda_ok(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(8, 8, 0), 3)));
    cudaArray_t faces;
    EXPECT(check::cuda_ok(cudaMalloc3DArray(&faces, &format, make_cudaExtent(4, 4, 6), cudaArrayCubemap)));
    cudaResourceDesc resource[2] = {};
    resource[0].resType = cudaResourceTypeMipmappedArray;
    resource[0].res.mipmap.mipmap = levels;
    resource[1].resType = cudaResourceTypeArray;
    resource[1].res.array.array = faces;
    cudaTextureDesc how = {};
    how.normalizedCoords = true;
    for (const cudaResourceDesc &of : resource) {
        cudaTextureObject_t object = 0;
        gw_texture_shadow d = {};
        EXPECT(check::cuda_ok(cudaCreateTextureObject(&object, &of, &how, nullptr)));
        EXPECT(gw_texture_shadow_of(&d, object, nullptr) == GW_ERROR_ARGUMENT);
        EXPECT(check::cuda_ok(cudaDestroyTextureObject(object)));
    }
    check::cuda_ok(cudaFreeMipmappedArray(levels));
    check::cuda_ok(cudaFreeArray(faces));
}

} // namespace
TEST_MAIN
