/*
 * textures.cu - times 512 x 512 rays of up to 64 samples each through a volume of 128^3 texels of four
 * channels, and a picture of 2048 x 2048 texels sampled at as many smoothly displaced places.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
#include "workloads/textures.cuh"

#include "textures.grad.cuh"

#include "support/workload.cuh"
#include "workloads/textures_data.h"

/* An input by its object; what is seeded, moved and compared are its texels. */
struct active_texture {
    texture_of_four texture;
    active_array<real> texels;

    active_texture(int width, int height, int depth, const std::vector<real> &values, uint64_t random)
        : texture(width, height, depth, values), texels(values, random, false, true) {}
};
template <> struct argument<active_texture> {
    active_texture &of;
    argument(active_texture &texture) : of(texture) {}
    cudaTextureObject_t value() const { return of.texture.object; }
    std::tuple<gw_texture_shadow> adjoint() const { return {of.texture.shadow(of.texels.d())}; }
    std::tuple<gw_texture_shadow> tangent() const { return {of.texture.shadow(of.texels.t())}; }
    std::tuple<> cells() const { return {}; }
    std::tuple<active_array<real> &> active() const { return {of.texels}; }
};

static bool measure_rays(int repeats) {
    const int size = on_cpu_device ? 12 : 128, across = on_cpu_device ? 10 : 512, n = across * across,
              steps = on_cpu_device ? 8 : 64;
    const dim3 grid((unsigned)(n + 127) / 128), block(128);
    const float step = 2.0f * (float)size / 128;
    std::vector<ray> from;
    for (int i = 0; i < n; i++) {
        const float u = (float)(i % across) / (float)across, v = (float)(i / across) / (float)across;
        from.push_back({u * (float)size, v * (float)size, 0.3f, 0.2f * (0.5f - u), 0.2f * (0.5f - v), 0.97f});
    }
    std::vector<real> texels = random_reals(1, 4 * (size_t)size * (size_t)size * (size_t)size, 0, 1);
    for (size_t k = 3; k < texels.size(); k += 4)
        texels[k] *= 0.06f; /* half of the light comes through */
    active_array<float4> colour(std::vector<float4>((size_t)n), 2, true, false);
    active_array<real> left(std::vector<real>((size_t)n), 3, true, false);
    active_array<ray> rays(from, 4, false, true);
    active_texture volume(size, size, size, texels, 5);
    const timed_run run = {"march", (double)n, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(march), colour, left, rays, volume, step, steps, n);
}

static bool measure_picture(int repeats) {
    const int size = on_cpu_device ? 40 : 2048;
    const size_t cells = (size_t)size * (size_t)size;
    const dim3 block(32, 8), grid((unsigned)(size + 31) / 32, (unsigned)(size + 7) / 8);
    std::vector<float2> where(cells);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            where[(size_t)y * (size_t)size + (size_t)x] =
                make_float2((float)(x + 3.3 * std::sin(0.011 * y)), (float)(y + 2.7 * std::cos(0.013 * x)));
    active_array<float4> out(std::vector<float4>(cells), 1, true, false);
    active_array<float2> places(where, 2, false, true);
    active_texture picture(size, size, 0, random_reals(3, 4 * cells, 0, 1), 4);
    const timed_run run = {"warp_picture", (double)cells, repeats, 1e-3, grid, block};
    return measure_kernel(run, KERNEL(warp_picture), out, places, picture, size, size);
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    const bool holds = measure_rays(repeats);
    return measure_picture(repeats) && holds ? 0 : 1;
}
