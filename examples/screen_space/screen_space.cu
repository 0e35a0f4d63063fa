/*
 * screen_space.cu - a texture seen through glass balls, filtered by exact footprints: how far the texture's
 * coordinates move from one pixel to the next is a derivative of the function that follows the ray. Beside it,
 * what a rasteriser has: differences in quads of 2 x 2 pixels, of which some see a ball and others do not.
 *
 * Options: --width N, --height N; --out DIR for screen_exact.png, screen_quads.png, screen_reference.png.
 */
#include <gradwright/gradwright.h>

#include <cmath>

/* ---- what a pixel sees ---- */
template <class real> struct vec3 { real x, y, z; };
template <class real> __host__ __device__ inline real dot(vec3<real> a, vec3<real> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
/* a + k b */
template <class real> __host__ __device__ inline vec3<real> along(vec3<real> a, real k, vec3<real> b) {
    return {a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

struct scene {
    float width, height; // of the picture, in pixels
    float angle;         // half of the field of view, its tangent
    float tilt;          // how far the camera looks down
    float eye;           // its height above the plane
    int balls;           // in rows of five
    float radius, index; // of refraction
};

enum { SKY, PLANE, GLASS };

template <class real> __host__ __device__ inline vec3<real> ball(int k) {
    const int row = k / 5, column = k % 5;
    return {real(column - 2 + (row & 1) * 0.5f), real(0.4f + 0.15f * column), real(2.5f + row)};
}

/* Into the first ball on the way and out of it: by symmetry what comes in comes out. False: there is none, or
 * it is only grazed. */
template <class real> __host__ __device__ inline bool refract(vec3<real> &p, vec3<real> &d, const scene &s) {
    vec3<real> c = {0, 0, 0};
    real first = 1e6f;
    for (int k = 0; k < s.balls; k++) {
        const vec3<real> middle = ball<real>(k), to = along(p, real(-1), middle);
        const real b = dot(to, d), away = b * b - dot(to, to) + real(s.radius) * s.radius;
        if (away <= 0 || b >= 0) continue;
        const real way = -b - sqrt(away);
        if (way < first) first = way, c = middle;
    }
    if (first == real(1e6f)) return false;
    p = along(along(p, real(-1), c), first, d); // of the ball's middle
    const real in = 1 / real(s.index), cosine = -dot(p, d) / s.radius, k = 1 - in * in * (1 - cosine * cosine);
    const real normal = (in * cosine - sqrt(k)) / s.radius;
    vec3<real> inside = along(vec3<real>{in * d.x, in * d.y, in * d.z}, normal, p);
    const real chord = -2 * dot(p, inside);
    p = along(p, chord, inside);
    const real back = dot(p, inside) / s.radius, q = 1 - real(s.index) * s.index * (1 - back * back);
    if (q <= 0) return false;
    const real turn = (sqrt(q) - s.index * back) / s.radius;
    d = along(vec3<real>{s.index * inside.x, s.index * inside.y, s.index * inside.z}, turn, p);
    p = along(p, real(1), c);
    return true;
}

/* The end, on the plane, of the ray through (x, y) of the picture, and the way that it takes; SKY: there is
 * none. */
template <class real>
GW_SCREEN_DERIVATIVES("u, v wrt x, y")
__host__ __device__ inline int look(real *u, real *v, real x, real y, scene s) {
    const real scale = 2 * s.angle / s.height;
    vec3<real> p = {0, real(s.eye), 0}, d = {(x - s.width / 2) * scale, (s.height / 2 - y) * scale - s.tilt, 1};
    const real length = 1 / sqrt(dot(d, d));
    d = {d.x * length, d.y * length, d.z * length};
    const int way = refract(p, d, s) ? GLASS : PLANE;
    if (d.y >= -real(1e-3)) return SKY;
    *u = p.x - p.y / d.y * d.x;
    *v = p.z - p.y / d.y * d.z;
    return way;
}

#include "screen_space.grad.cuh"

#include "../support/measure.cuh"
#include "../support/pictures.h"

/* ---- the texture ---- */
enum { size = 256, levels = 9, most_probes = 16 };
static const float sky = 0.35f;

/* All levels in a row, each the mean of four texels of the one before. */
struct pyramid {
    const float *texels;
    int first[levels];
};

__host__ __device__ inline float texel(const pyramid &t, int level, int x, int y) {
    const int side = size >> level;
    return t.texels[t.first[level] + (y & (side - 1)) * side + (x & (side - 1))];
}

/* Between four texels; a texture is a unit square, over and over. */
__host__ __device__ inline float bilinear(const pyramid &t, int level, float u, float v) {
    const int side = size >> level;
    const float x = (u - floorf(u)) * side - 0.5f, y = (v - floorf(v)) * side - 0.5f;
    const int i = (int)floorf(x), j = (int)floorf(y);
    const float a = x - i, b = y - j;
    return (texel(t, level, i, j) * (1 - a) + texel(t, level, i + 1, j) * a) * (1 - b) +
           (texel(t, level, i, j + 1) * (1 - a) + texel(t, level, i + 1, j + 1) * a) * b;
}

/* The mean over the pixel's footprint, an ellipse that the derivatives span: the level is chosen by its small
 * axis, and probes stand along the large one. */
__host__ __device__ inline float filtered(const pyramid &t, float u, float v, float2 dx, float2 dy) {
    const float a = dx.x * dx.x + dy.x * dy.x, b = dx.x * dx.y + dy.x * dy.y, c = dx.y * dx.y + dy.y * dy.y;
    const float middle = (a + c) / 2, apart = sqrtf((a - c) * (a - c) / 4 + b * b);
    const float large = sqrtf(middle + apart), small = sqrtf(fmaxf(middle - apart, 0.0f));
    float2 axis = {a - c > 0 ? apart + (a - c) / 2 : fabsf(b), 0};
    axis.y = a - c > 0 ? b : copysignf(apart - (a - c) / 2, b);
    const float norm = sqrtf(axis.x * axis.x + axis.y * axis.y);
    const float texels = size * fmaxf(small, large / most_probes);
    const float level = fminf(fmaxf(log2f(fmaxf(texels, 1.0f)), 0.0f), levels - 1.001f);
    const int coarse = (int)level;
    int probes = (int)ceilf(size * large / fmaxf(texels, 1.0f));
    probes = probes < 1 ? 1 : probes > most_probes ? (int)most_probes : probes;
    float sum = 0;
    for (int i = 0; i < probes; i++) {
        const float at = norm > 0 ? ((i + 0.5f) / probes - 0.5f) * large / norm : 0.0f;
        const float pu = u + at * axis.x, pv = v + at * axis.y;
        const float fine = bilinear(t, coarse, pu, pv);
        sum += fine + (level - coarse) * (bilinear(t, coarse + 1, pu, pv) - fine);
    }
    return sum / probes;
}

/* ---- pictures ---- */
#define PIXEL                                                                                                  \
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x),                                                \
              y = (int)(blockIdx.y * blockDim.y + threadIdx.y);                                                \
    if (x >= s.width || y >= s.height) return;                                                                 \
    const int i = y * (int)s.width + x

__global__ void by_derivatives(float *out, scene s, pyramid t) {
    PIXEL;
    float u, v;
    float2 dx, dy;
    const int way =
        look_screen(&u, &v, x + 0.5f, y + 0.5f, s, &dx.x, &dy.x, &dx.y, &dy.y, 1.0f, 0.0f, 0.0f, 1.0f);
    out[i] = way == SKY ? sky : filtered(t, u, v, dx, dy);
}

/* As the hardware does: of a quad each row and column has one difference. What sees the sky has coordinates 0.
 */
__global__ void by_quads(float *out, int *straddles, scene s, pyramid t) {
    PIXEL;
    float u[2][2] = {{0, 0}, {0, 0}}, v[2][2] = {{0, 0}, {0, 0}};
    int way[2][2];
    const int left = x & ~1, top = y & ~1, column = x & 1, row = y & 1;
    for (int k = 0; k < 4; k++)
        way[k / 2][k % 2] =
            look(&u[k / 2][k % 2], &v[k / 2][k % 2], left + k % 2 + 0.5f, top + k / 2 + 0.5f, s);
    const float2 dx = {u[row][1] - u[row][0], v[row][1] - v[row][0]},
                 dy = {u[1][column] - u[0][column], v[1][column] - v[0][column]};
    const int here = way[row][column];
    straddles[i] = 0;
    for (int k = 0; k < 4; k++)
        straddles[i] |= way[k / 2][k % 2] != here;
    out[i] = here == SKY ? sky : filtered(t, u[row][column], v[row][column], dx, dy);
}

/* The mean of what many rays through the pixel see, and whether they end in several ways. */
__global__ void by_many_rays(float *out, int *mixed, scene s, pyramid t, int side) {
    PIXEL;
    float sum = 0;
    int ways = 0;
    for (int k = 0; k < side * side; k++) {
        float u, v;
        const int way = look(&u, &v, x + (k % side + 0.5f) / side, y + (k / side + 0.5f) / side, s);
        ways |= 1 << way;
        sum += way == SKY ? sky : bilinear(t, 0, u, v);
    }
    out[i] = sum / (side * side);
    mixed[i] = (ways & (ways - 1)) != 0;
}

/* Tiles, each with waves of a length of its own. */
static std::vector<float> make_texels(pyramid &t) {
    std::vector<float> all;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const int tile = x / 64 + 3 * (y / 64), length = 8 << (tile % 3);
            const float phase = (float)(tile % 2 ? x : y) * 6.2831853f / (float)length;
            all.push_back(0.2f + 0.15f * (float)(tile % 4) + 0.2f * std::sin(phase));
        }
    t.first[0] = 0;
    for (int level = 1; level < levels; level++) {
        const int from = t.first[level - 1], side = size >> level, before = 2 * side;
        t.first[level] = (int)all.size();
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const size_t at = (size_t)(from + 2 * y * before + 2 * x);
                all.push_back((all[at] + all[at + 1] + all[at + before] + all[at + before + 1]) / 4);
            }
    }
    return all;
}

/* ---- checks ---- */
/* The derivatives against central differences of the coordinates, in double, at points off all edges. */
static bool check_derivatives(const scene &s) {
    std::vector<double> got, want;
    numbers random(3);
    const double h = 1e-5;
    while (got.size() < 4 * 500) {
        const double x = random.next(0, s.width), y = random.next(0, s.height);
        double u, v, u_dx, u_dy, v_dx, v_dy, ahead[2], behind[2];
        const int way = look_screen(&u, &v, x, y, s, &u_dx, &u_dy, &v_dx, &v_dy, 1.0, 0.0, 0.0, 1.0);
        bool inside = way != SKY;
        for (int side = 0; side < 2; side++) {
            const double dx = side ? 0 : h, dy = side ? h : 0;
            inside = inside && look(&ahead[0], &ahead[1], x + dx, y + dy, s) == way &&
                     look(&behind[0], &behind[1], x - dx, y - dy, s) == way;
            for (int k = 0; inside && k < 2; k++)
                want.push_back((ahead[k] - behind[k]) / (2 * h));
        }
        want.resize(std::min(want.size(), got.size() + (inside ? 4 : 0)));
        for (double d : {u_dx, v_dx, u_dy, v_dy})
            if (inside) got.push_back(d);
    }
    return check("derivatives beside differences", relative_error(got, want), 1e-5);
}

/* The root of the mean square over the pixels. */
static double off(const std::vector<float> &picture, const std::vector<float> &truth,
                  const std::vector<char> &of) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < picture.size(); i++)
        if (of[i]) sum += std::pow(picture[i] - truth[i], 2), count++;
    return std::sqrt(sum / count);
}

/* Beside what many rays see, quads are further off. */
static bool check_pictures(const char *where, const std::vector<float> &exact, const std::vector<float> &quads,
                           const std::vector<float> &truth, const std::vector<char> &of, double share) {
    const double by_derivatives = off(exact, truth, of), by_differences = off(quads, truth, of);
    std::printf("%s, off the mean of many rays: %.4f by derivatives, %.4f by quads\n", where, by_derivatives,
                by_differences);
    return check(where, by_derivatives / by_differences, share);
}

int main(int argc, char **argv) {
    const int width = (int)option(argc, argv, "--width", on_cpu_device ? 128 : 960),
              height = (int)option(argc, argv, "--height", on_cpu_device ? 80 : 600);
    const scene s = {(float)width, (float)height, 0.5f, 0.22f, 1.1f, 15, 0.35f, 1.2f};
    const std::string folder = text_option(argc, argv, "--out");
    pyramid t;
    const device_array<float> texels(make_texels(t));
    t.texels = texels;
    device_array<float> out((size_t)width * height);
    device_array<int> straddles(out.size()), mixed(out.size());
    const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    by_derivatives<<<grid, block>>>(out, s, t);
    must(cudaDeviceSynchronize());
    const std::vector<float> exact = out.get();
    by_quads<<<grid, block>>>(out, straddles, s, t);
    must(cudaDeviceSynchronize());
    const std::vector<float> quads = out.get();
    by_many_rays<<<grid, block>>>(out, mixed, s, t, on_cpu_device ? 16 : 64);
    must(cudaDeviceSynchronize());
    const std::vector<float> truth = out.get();
    const std::vector<int> over_edge = straddles.get(), has_edge = mixed.get();
    std::vector<char> whole(truth.size()), beside_edge(truth.size());
    for (size_t i = 0; i < truth.size(); i++)
        whole[i] = !has_edge[i], beside_edge[i] = whole[i] && over_edge[i];

    bool holds = check_derivatives(s);
    holds = check_pictures("all pixels without an edge", exact, quads, truth, whole, 0.9) && holds;
    holds = check_pictures("those in quads over an edge", exact, quads, truth, beside_edge, 0.5) && holds;
    const struct {
        const char *name;
        const std::vector<float> &picture;
    } pictures[] = {{"exact", exact}, {"quads", quads}, {"reference", truth}};
    for (const auto &p : pictures)
        if (!folder.empty() &&
            !write_png(folder + "/screen_" + p.name + ".png", p.picture, width, height, 0, 1))
            holds = false, std::fprintf(stderr, "%s cannot be written into '%s'\n", p.name, folder.c_str());
    return holds ? 0 : 1;
}
