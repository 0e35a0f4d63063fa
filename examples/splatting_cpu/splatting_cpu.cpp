// standard: c++20
/*
 * splatting_cpu.cpp - Gaussian splatting's blend on the host's cores: std::for_each over tiles.
 *
 * The same pixels and the same gradients as those of gaussian_splatting's kernel, compared with the same
 * formulas (reference.h there). The gradient runs over the tiles by the same policy.
 *
 *     gwcc -std=c++20 -O3 splatting_cpu.cpp -o splatting_cpu -ltbb && ./splatting_cpu
 */
#include <gradwright/gradwright.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <ranges>
#include <vector>

enum { TILE = 16 };

/* As CUDA has them. */
struct float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct float4 {
    float x, y, z, w;
};
struct int2 {
    int x, y;
};

/* ids[k] for k from ranges[t].x to ranges[t].y are the splats of tile t, from front to back; the w of a conic
 * is an opacity. */
GW_GRADIENT("out wrt mean, conic, color")
void blend(float *out, const float2 *mean, const float4 *conic, const float *color, const int *ids,
           const int2 *ranges, float3 background, int width, int height) {
    const int across = (width + TILE - 1) / TILE, tiles = across * ((height + TILE - 1) / TILE);
    const auto all = std::views::iota(0, tiles);
    std::for_each(std::execution::par, all.begin(), all.end(), [=](int t) {
        for (int p = 0; p < TILE * TILE; p++) {
            const int x = t % across * TILE + p % TILE, y = t / across * TILE + p / TILE;
            if (x >= width || y >= height) continue;
            float T = 1, red = 0, green = 0, blue = 0;
            for (int k = ranges[t].x; k < ranges[t].y; k++) {
                const int id = ids[k];
                const float4 q = conic[id];
                const float dx = mean[id].x - (float)x, dy = mean[id].y - (float)y;
                const float power = -0.5f * (q.x * dx * dx + q.z * dy * dy) - q.y * dx * dy;
                if (power > 0) continue;
                const float alpha = std::fmin(0.99f, q.w * std::exp(power));
                if (alpha < 1 / 255.0f) continue;
                const float next = T * (1 - alpha);
                if (next < 1e-4f) break;
                red += color[3 * id] * alpha * T;
                green += color[3 * id + 1] * alpha * T;
                blue += color[3 * id + 2] * alpha * T;
                T = next;
            }
            const int pixel = y * width + x;
            out[3 * pixel] = red + T * background.x;
            out[3 * pixel + 1] = green + T * background.y;
            out[3 * pixel + 2] = blue + T * background.z;
        }
    });
}

#include "splatting_cpu.grad.hpp"

/* What the reference's projection, which is not looked at here, is written in. */
struct gaussian {
    float3 position, scale;
    float4 rotation;
    float opacity;
};
struct camera {
    float focal;
    int width, height;
};
#include "../gaussian_splatting/reference.h"

static unsigned state = 7;

static float number(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return (float)(low + (high - low) * (state >> 8) / 16777216.0);
}

/* A picture, and its gradient for the adjoint `seed` of all pixels. */
struct scene {
    int width, height;
    std::vector<float2> mean;
    std::vector<float4> conic;
    std::vector<float> color, out, seed;
    std::vector<int> ids;
    std::vector<int2> ranges;
    float3 background{0.1f, 0.2f, 0.3f};
    std::vector<float2> d_mean;
    std::vector<float4> d_conic;
    std::vector<float> d_color;

    scene(int w, int h, int count) : width(w), height(h), out(3 * (size_t)w * (size_t)h) {
        for (int i = 0; i < count; i++) {
            const float size = number(1, 3), narrow = 1 / (size * size);
            mean.push_back({number(-4, w + 4), number(-4, h + 4)});
            conic.push_back({narrow, number(-0.3, 0.3) * narrow, 1.5f * narrow, number(0.05, 0.9)});
            for (int c = 0; c < 3; c++)
                color.push_back(number(0, 1));
        }
        for (size_t i = 0; i < out.size(); i++)
            seed.push_back(number(-1, 1));
        for (int y = 0; y < h; y += TILE)
            for (int x = 0; x < w; x += TILE) {
                const int first = (int)ids.size();
                for (int i = 0; i < count; i++)
                    if (std::abs(mean[(size_t)i].x - ((float)x + 7.5f)) < 20 &&
                        std::abs(mean[(size_t)i].y - ((float)y + 7.5f)) < 20)
                        ids.push_back(i);
                ranges.push_back({first, (int)ids.size()});
            }
    }
    void draw() {
        blend(out.data(), mean.data(), conic.data(), color.data(), ids.data(), ranges.data(), background, width,
              height);
    }
    bool differentiate() {
        std::vector<float> d_out = seed;
        d_mean.assign(mean.size(), {}), d_conic.assign(conic.size(), {}), d_color.assign(color.size(), 0);
        return blend_grad(out.data(), mean.data(), conic.data(), color.data(), ids.data(), ranges.data(),
                          background, width, height, d_out.data(), d_mean.data(), d_conic.data(),
                          d_color.data()) == GW_OK;
    }
};

/* The largest difference, of the largest number. */
static bool is_like(const char *name, const float *is, const std::vector<double> &wanted) {
    double apart = 0, largest = 0;
    for (size_t i = 0; i < wanted.size(); i++) {
        apart = std::fmax(apart, std::abs(is[i] - wanted[i]));
        largest = std::fmax(largest, std::abs(wanted[i]));
    }
    std::printf("%-8s differs by %.1e of %.3g\n", name, apart, largest);
    return apart < 1e-3 * largest;
}

static bool check() {
    scene s(70, 50, 300);
    s.draw();
    const std::vector<float> drawn = s.out;
    if (!s.differentiate()) return false;
    const reference r =
        blend_reference(s.mean, s.conic, s.color, s.ids, s.ranges, s.background, s.width, s.height, s.seed);
    bool good = is_like("out", drawn.data(), r.out);
    good &= is_like("d_mean", &s.d_mean[0].x, r.d_mean);
    good &= is_like("d_conic", &s.d_conic[0].x, r.d_conic);
    return is_like("d_color", s.d_color.data(), r.d_color) && good;
}

static double milliseconds() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int main(int argc, char **argv) {
    if (!check()) return 1;
    const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    scene s(320, 240, count);
    const double start = milliseconds();
    s.draw();
    const double drawn = milliseconds();
    if (!s.differentiate()) return 1;
    std::printf("%d splats, %zu entries: blend %.1f ms, its gradient %.1f ms\n", count, s.ids.size(),
                drawn - start, milliseconds() - drawn);
    return 0;
}
