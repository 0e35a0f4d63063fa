// Rays through a volume and a picture sampled elsewhere, by texture objects: adjoints of texels and coordinates
// against quotients, and forward mode by the dot product. Coordinates lie at quarters of texels, and are moved
// by sixteenths along one axis, inside of one cell of the filter: no weight is rounded there.
#include "../support/expect.cuh"

#include "../../benchmarks/workloads/textures.cuh"
#include "textures.grad.cuh"

#include "../../benchmarks/workloads/textures_data.h"

#include <functional>

namespace {

enum { RAYS = 20, STEPS = 5, SIZE = 6, WIDTH = 7, HEIGHT = 5 };

std::vector<float> numbers(size_t count, uint64_t seed, double low, double high) {
    check::generator random = {seed};
    std::vector<float> made(count);
    for (float &x : made)
        x = (float)random.uniform(low, high);
    return made;
}

/* At `parts` quarters behind where the filter has its corners, or one of several times as many. */
std::vector<float> places(size_t count, uint64_t seed, double low, double high, int parts, int times) {
    check::generator random = {seed};
    std::vector<float> made;
    for (size_t i = 0; i < count; i++) {
        const double whole = std::floor(random.uniform(low, high));
        made.push_back((float)(whole + 0.5 + parts * std::floor(random.uniform(0, times) + 1) / 4.0));
    }
    return made;
}

double dot(const std::vector<float> &a, const std::vector<float> &b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* A kernel of coordinates and a texture, all in floats: `run` fills what is seeded, `reverse` and `tangent` are
 * its derivatives' launches. A step of 0: points have no quotients. */
struct sampler {
    check::trial &trial;
    texture_of_four &texture;
    std::vector<float> texels, points, seed;
    float step;
    std::function<gw_status(float *, const float *)> run;
    std::function<gw_status(const float *, float *, float *, gw_texture_shadow)> reverse;
    std::function<gw_status(const float *, float *, const float *, gw_texture_shadow)> tangent;

    double loss(const std::vector<float> &at) const {
        check::array<float> out(std::vector<float>(seed.size())), from(at);
        require(run(out, from));
        return dot(seed, out.get());
    }
    void require(gw_status status) const {
        if (status != GW_OK || !check::device_ok()) trial.fail(__FILE__, __LINE__, "a launch failed");
    }
    void same(const char *what, size_t at, double got, double want, double tolerance) const {
        if (!check::near(got, want, tolerance, 1))
            trial.fail(__FILE__, __LINE__,
                       std::string(what) + " " + std::to_string(at) + ": " + check::text(got) + " instead of " +
                           check::text(want));
    }
    void differ_points(const std::vector<float> &d_points) const {
        for (size_t i = 0; i < points.size(); i++) {
            std::vector<float> moved = points;
            moved[i] = points[i] + step;
            const double above = loss(moved);
            moved[i] = points[i] - step;
            same("coordinate", i, (double)d_points[i], (above - loss(moved)) / (2 * (double)step), 1e-3);
        }
    }
    void differ_texels(const std::vector<float> &d_texels) const {
        const float apart = 1.0f / 256;
        for (size_t i = 0; i < texels.size(); i++) {
            std::vector<float> moved = texels;
            moved[i] = texels[i] + apart;
            texture.put(moved);
            const double above = loss(points);
            moved[i] = texels[i] - apart;
            texture.put(moved);
            same("texel", i, (double)d_texels[i], (above - loss(points)) / (2 * (double)apart), 2e-3);
        }
        texture.put(texels);
    }
    void all() const {
        const std::vector<float> old = numbers(texels.size(), 5, -1, 1),
                                 along = numbers(points.size(), 3, -1, 1),
                                 along_texels = numbers(texels.size(), 4, -1, 1);
        check::array<float> from(points), d_out(seed), d_from(std::vector<float>(points.size())), cells(old);
        require(reverse(from, d_out, d_from, texture.shadow(cells)));
        std::vector<float> d_points = d_from.get(), d_texels = cells.get();
        for (size_t i = 0; i < old.size(); i++)
            d_texels[i] -= old[i];
        const check::array<float> t_from(along), t_cells(along_texels), t_out(std::vector<float>(seed.size()));
        require(tangent(from, t_out, t_from, texture.shadow(t_cells)));
        const double back = dot(d_points, along) + dot(d_texels, along_texels);
        same("dot product", 0, dot(seed, t_out.get()), back, 2e-4);
        trial.report("dot", back);
        if (trial.quick) return;
        if (step != 0) differ_points(d_points);
        differ_texels(d_texels);
    }
};

/* colour and left lie one behind the other. */
float4 *colour(float *out) { return (float4 *)out; }
float *left(float *out) { return out + 4 * RAYS; }

void march_through(check::trial &trial, float density, float step) {
    std::vector<float> texels = numbers(4 * SIZE * SIZE * SIZE, 1, 0.2, 1), rays;
    for (size_t k = 3; k < texels.size(); k += 4)
        texels[k] *= density;
    check::generator random = {8};
    for (const float x : places(6 * RAYS, 2, -1, 2, 1, 1)) { /* a quarter or three, halves on and on */
        const float half = (float)std::floor(random.uniform(0, 2)) / 2;
        rays.push_back(rays.size() % 6 < 3 ? x + half : 0.5f + half);
    }
    texture_of_four volume(SIZE, SIZE, SIZE, texels);
    const dim3 grid(2), block(12);
    const cudaTextureObject_t object = volume.object;
    sampler{trial,
            volume,
            texels,
            rays,
            numbers(5 * RAYS, 7, -1, 1),
            step,
            [=](float *out, const float *r) {
                march<<<grid, block>>>(colour(out), left(out), (const ray *)r, object, 1, STEPS, RAYS);
                return GW_OK;
            },
            [=](const float *r, float *d_out, float *d_r, gw_texture_shadow d) {
                check::array<float> out(std::vector<float>(5 * RAYS));
                const check::device_bytes space(march_workspace_bytes(grid, block, colour(out), left(out),
                                                                      (const ray *)r, object, 1, STEPS, RAYS));
                return march_grad_launch(grid, block, 0, nullptr, colour(out), left(out), (const ray *)r,
                                         object, 1, STEPS, RAYS, colour(d_out), left(d_out), (ray *)d_r, d,
                                         space.data(), space.size());
            },
            [=](const float *r, float *t_out, const float *t_r, gw_texture_shadow t) {
                check::array<float> out(std::vector<float>(5 * RAYS));
                return march_jvp_launch(grid, block, 0, nullptr, colour(out), left(out), (const ray *)r, object,
                                        1, STEPS, RAYS, colour(t_out), left(t_out), (const ray *)t_r, t);
            }}
        .all();
}
TEST(thin) { march_through(trial, 0.1f, 1.0f / 16); }
/* Alpha is at most 0.99, and rays end. */
TEST(opaque_soon) { march_through(trial, 1.4f, 0); }

TEST(warp_picture) {
    const std::vector<float> texels = numbers(4 * WIDTH * HEIGHT, 1, -1, 1);
    texture_of_four picture(WIDTH, HEIGHT, 0, texels);
    const dim3 grid(2, 2), block(4, 2);
    const int width = 6, height = 3;
    const cudaTextureObject_t object = picture.object;
    sampler{trial,
            picture,
            texels,
            places(2 * 18, 2, -2, 7, 1, 3),
            numbers(4 * 18, 7, -1, 1),
            1.0f / 16,
            [=](float *out, const float *at) {
                warp_picture<<<grid, block>>>((float4 *)out, (const float2 *)at, object, width, height);
                return GW_OK;
            },
            [=](const float *at, float *d_out, float *d_at, gw_texture_shadow d) {
                check::array<float> out(std::vector<float>(4 * 18));
                const check::device_bytes space(warp_picture_workspace_bytes(
                    grid, block, (float4 *)out.data(), (const float2 *)at, object, width, height));
                return warp_picture_grad_launch(grid, block, 0, nullptr, (float4 *)out.data(),
                                                (const float2 *)at, object, width, height, (float4 *)d_out,
                                                (float2 *)d_at, d, space.data(), space.size());
            },
            [=](const float *at, float *t_out, const float *t_at, gw_texture_shadow t) {
                check::array<float> out(std::vector<float>(4 * 18));
                return warp_picture_jvp_launch(grid, block, 0, nullptr, (float4 *)out.data(),
                                               (const float2 *)at, object, width, height, (float4 *)t_out,
                                               (const float2 *)t_at, t);
            }}
        .all();
}

} // namespace
TEST_MAIN
