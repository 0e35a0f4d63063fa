// Built with --deterministic: texels to which loops of which nobody knows how often they run add are exact
// sums, of the halves of a template, too.
#include "../support/check.cuh"

#include <gradwright/texture.cuh>

#define STRIDE (int)(gridDim.x * blockDim.x)

GW_GRADIENT("y wrt image")
__global__ void fetch(float *y, cudaTextureObject_t image, const int *first, const int *at, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += STRIDE) {
        float sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++)
            sum += tex1Dfetch<float>(image, at[j]);
        y[i] = sum;
    }
}

// Four channels of four corners.
template <int N>
GW_SPLIT_GRADIENT("y wrt image")
__global__ void filter(float *y, cudaTextureObject_t image, const int *first, const int *at, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += STRIDE) {
        float sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++) {
            const float4 v = tex2D<float4>(image, (float)at[j] * 0.37f, (float)(at[j] % 3) * 0.71f);
            sum += v.x + N * v.y + v.z * v.w;
        }
        y[i] = sum;
    }
}
template __global__ void filter<3>(float *, cudaTextureObject_t, const int *, const int *, int);

#include "exact_texels.grad.cuh"

enum { ROWS = 90, EACH = 7, WIDTH = 8, HEIGHT = 4, CELLS = 4 * WIDTH * HEIGHT };

struct lists {
    check::array<int> first, at;
};
static lists made(int below) {
    std::vector<int> first, at;
    for (int i = 0; i <= ROWS; i++)
        first.push_back(EACH * i);
    for (int j = 0; j < ROWS * EACH; j++)
        at.push_back(j * 13 % below);
    return {check::array<int>(first), check::array<int>(at)};
}
// 2^25, 1 and its negatives: what comes first decides how a sum of floats is rounded.
static float seed(int i) { return (i % 2 ? 1.0f : 33554432.0f) * (float)(i % 3 - 1) + (float)(i % 5) / 8; }

static std::vector<float> seeds() {
    std::vector<float> all;
    for (int i = 0; i < ROWS; i++)
        all.push_back(seed(i));
    return all;
}

struct picture {
    check::array<float> memory;
    cudaTextureObject_t object;
    explicit picture(bool plane) : memory(std::vector<float>(CELLS, 0.5f)) {
        cudaResourceDesc resource = {};
        resource.resType = plane ? cudaResourceTypePitch2D : cudaResourceTypeLinear;
        if (plane) {
            resource.res.pitch2D.devPtr = (float *)memory;
            resource.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
            resource.res.pitch2D.width = WIDTH;
            resource.res.pitch2D.height = HEIGHT;
            resource.res.pitch2D.pitchInBytes = WIDTH * sizeof(float4);
        } else {
            resource.res.linear.devPtr = (float *)memory;
            resource.res.linear.desc = cudaCreateChannelDesc<float>();
            resource.res.linear.sizeInBytes = CELLS * sizeof(float);
        }
        cudaTextureDesc how = {};
        if (plane) how.filterMode = cudaFilterModeLinear;
        for (auto &mode : how.addressMode)
            mode = cudaAddressModeClamp;
        check::cuda_ok(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    }
    picture(const picture &) = delete;
    ~picture() { cudaDestroyTextureObject(object); }
};

TEST(elements) {
    enum { BELOW = 11 };
    std::vector<double> sums(CELLS, 0.25); // doubles hold these without rounding
    const picture image(false);
    const lists of = made(BELOW);
    for (int j = 0; j < ROWS * EACH; j++)
        sums[(size_t)(j * 13 % BELOW)] += (double)seed(j / EACH);
    check::array<float> y(std::vector<float>(ROWS, 0.0f));
    for (const dim3 threads : {dim3(64), dim3(7)})
        for (int order = 0; order < 20; order++) {
            check::permute(order);
            check::array<float> d_y(seeds()), cells(std::vector<float>(CELLS, 0.25f));
            gw_texture_shadow d_image;
            EXPECT(gw_texture_shadow_of(&d_image, image.object, cells) == GW_OK);
            check::device_bytes space(
                fetch_workspace_bytes(3, threads, y, image.object, of.first, of.at, ROWS, CELLS));
            EXPECT_STATUS(fetch_grad_launch(3, threads, 0, 0, y, image.object, of.first, of.at, ROWS, d_y,
                                            d_image, CELLS, space.data(), space.size()),
                          GW_OK);
            EXPECT_DEVICE_OK();
            for (size_t i = 0; i < CELLS; i++)
                EXPECT(cells.get()[i] == (float)sums[i]);
        }
    check::permute(0);
}

static std::vector<float> filtered(check::trial &trial, const picture &image, dim3 grid, dim3 block) {
    const lists of = made(29);
    check::array<float> y(std::vector<float>(ROWS, 0.0f)), d_y(seeds()), cells(std::vector<float>(CELLS, 0.0f));
    gw_texture_shadow d_image;
    EXPECT(gw_texture_shadow_of(&d_image, image.object, cells) == GW_OK);
    check::device_bytes tape(filter_tape_bytes<3>(grid, block, y, image.object, of.first, of.at, ROWS)),
        space(filter_bwd_workspace_bytes<3>(grid, block, y, image.object, of.first, of.at, ROWS, CELLS));
    EXPECT_STATUS(filter_fwd_launch<3>(grid, block, 0, 0, y, image.object, of.first, of.at, ROWS, tape.data(),
                                       tape.size()),
                  GW_OK);
    EXPECT_STATUS(filter_bwd_launch<3>(grid, block, 0, 0, y, image.object, of.first, of.at, ROWS, d_y, d_image,
                                       CELLS, tape.data(), tape.size(), space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    return cells.get();
}

// The weights of a fetch are 1 together.
TEST(corners) {
    const picture image(true);
    const std::vector<float> want = filtered(trial, image, 3, 64);
    double fetched = 0, got[4] = {};
    for (int i = 0; i < ROWS; i++)
        fetched += EACH * (double)seed(i);
    for (size_t i = 0; i < CELLS; i++)
        got[i % 4] += (double)want[i];
    const double slopes[4] = {1, 3, 0.5, 0.5};
    for (int i = 0; i < 4; i++)
        EXPECT(check::near(got[i], slopes[i] * fetched, 1e-6, 1e8));
    for (int order = 0; order < 20; order++) {
        check::permute(order);
        EXPECT(filtered(trial, image, 3, 64) == want && filtered(trial, image, 5, 9) == want);
    }
    check::permute(0);
}
TEST_MAIN
