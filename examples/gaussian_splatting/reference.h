/*
 * reference.h - blending and its gradient on the host, in double, pixel by pixel with everything kept: what the
 * kernels are compared with. Written from the formulas, with a recurrence for each colour. And projection, of
 * which differences are taken.
 */
#include <cmath>
#include <cstddef>
#include <vector>

struct reference {
    std::vector<double> out, d_mean, d_conic, d_color; // gradients of sum(seed * out)
    // pairs of a pixel and a splat; of a warp (two rows of a tile) and a splat
    double contributing = 0, warps = 0;
};

inline reference blend_reference(const std::vector<float2> &mean, const std::vector<float4> &conic,
                                 const std::vector<float> &color, const std::vector<int> &ids,
                                 const std::vector<int2> &ranges, float3 background, int width, int height,
                                 const std::vector<float> &seed) {
    struct step {
        int id;
        double alpha, T, dx, dy, gauss;
        bool capped;
    };
    const double behind[3] = {background.x, background.y, background.z};
    reference r;
    r.out.resize(3 * (size_t)width * (size_t)height);
    r.d_mean.resize(2 * mean.size()), r.d_conic.resize(4 * conic.size()), r.d_color.resize(color.size());
    const int tiles_x = (width + 15) / 16;
    std::vector<step> steps;
    std::vector<bool> seen(8 * ids.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int2 range = ranges[(size_t)(y / 16 * tiles_x + x / 16)];
            const size_t pixel = 3 * ((size_t)y * (size_t)width + (size_t)x);
            double T = 1, sum[3] = {0, 0, 0};
            steps.clear();
            for (int k = range.x; k < range.y; k++) {
                const int id = ids[(size_t)k];
                const float4 q = conic[(size_t)id];
                const double dx = (double)mean[(size_t)id].x - x, dy = (double)mean[(size_t)id].y - y;
                const double power = -0.5 * (q.x * dx * dx + q.z * dy * dy) - q.y * dx * dy,
                             gauss = std::exp(power);
                if (power > 0) continue;
                const double alpha = std::fmin(0.99, q.w * gauss);
                if (alpha < 1 / 255.0) continue;
                if (T * (1 - alpha) < 1e-4) break;
                const size_t warp = 8 * (size_t)k + (size_t)(y % 16 / 2);
                r.warps += !seen[warp];
                seen[warp] = true;
                steps.push_back({id, alpha, T, dx, dy, gauss, q.w * gauss > 0.99});
                for (int c = 0; c < 3; c++) sum[c] += color[3 * (size_t)id + (size_t)c] * alpha * T;
                T *= 1 - alpha;
            }
            r.contributing += (double)steps.size();
            double after[3]; // what lies behind a splat, seen from there
            for (int c = 0; c < 3; c++) {
                r.out[pixel + (size_t)c] = sum[c] + T * behind[c];
                after[c] = behind[c];
            }
            for (size_t s = steps.size(); s-- > 0;) {
                const step &at = steps[s];
                const float4 q = conic[(size_t)at.id];
                double d_alpha = 0;
                for (size_t c = 0; c < 3; c++) {
                    const double here = color[3 * (size_t)at.id + c], g = seed[pixel + c];
                    r.d_color[3 * (size_t)at.id + c] += g * at.alpha * at.T;
                    d_alpha += g * at.T * (here - after[c]);
                    after[c] = at.alpha * here + (1 - at.alpha) * after[c];
                }
                if (at.capped) continue;
                const double d_power = d_alpha * at.alpha;
                r.d_mean[2 * (size_t)at.id] += d_power * (-q.x * at.dx - q.y * at.dy);
                r.d_mean[2 * (size_t)at.id + 1] += d_power * (-q.z * at.dy - q.y * at.dx);
                r.d_conic[4 * (size_t)at.id] += d_power * -0.5 * at.dx * at.dx;
                r.d_conic[4 * (size_t)at.id + 1] += d_power * -at.dx * at.dy;
                r.d_conic[4 * (size_t)at.id + 2] += d_power * -0.5 * at.dy * at.dy;
                r.d_conic[4 * (size_t)at.id + 3] += d_alpha * at.gauss;
            }
        }
    return r;
}

/* ---- projection: centre, then conic and opacity ---- */
struct projected {
    double mean_conic[6];
};

/* Takes a splat's numbers as they lie in its struct. */
inline projected project_reference(const double *g, camera cam) {
    const size_t scale = offsetof(gaussian, scale) / sizeof(float),
                 turn = offsetof(gaussian, rotation) / sizeof(float),
                 opacity = offsetof(gaussian, opacity) / sizeof(float);
    const double x = g[turn], y = g[turn + 1], z = g[turn + 2], w = g[turn + 3], f = cam.focal / g[2];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double a = 0.3, b = 0, c = 0.3;
    for (size_t k = 0; k < 3; k++) {
        const double u = f * (r[0][k] - r[2][k] * g[0] / g[2]) * g[scale + k],
                     v = f * (r[1][k] - r[2][k] * g[1] / g[2]) * g[scale + k];
        a += u * u, b += u * v, c += v * v;
    }
    const double det = a * c - b * b;
    return {{f * g[0] + 0.5 * cam.width, f * g[1] + 0.5 * cam.height, c / det, -b / det, a / det, g[opacity]}};
}
