/*
 * fit.cu - splats fitted to a picture. Projection, lists, blending and the loss are one function of the host
 * with a gradient with respect to the scene itself: positions, scales, rotations, opacities, and colours. The
 * lists of the tiles, a scan and a sort of as many entries as there are then, are made in it; they have no
 * derivative.
 *
 * Options: --splats N, --width N, --height N, --rounds N; --out DIR for the loss over the rounds, fit_loss.svg.
 */
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include "splatting.cuh"

GW_GRADIENT("loss wrt out")
__global__ void compare(float *loss, const float *out, const float *target, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(loss, fabsf(out[i] - target[i]) / n);
}

/* What is to be fitted; its adjoint is another one. */
struct splats {
    const gaussian *scene;
    const float *color;
    int n;
};

GW_GRADIENT("loss wrt s")
cudaError_t picture_loss(float *loss, float *out, splats s, const float *target, float3 background, camera cam,
                         cudaStream_t stream) {
    const int n = s.n;
    const size_t pixels = (size_t)cam.width * cam.height;
    const dim3 tiles((cam.width + tile - 1) / tile, (cam.height + tile - 1) / tile), block(tile, tile);
    float2 *mean;
    float4 *conic;
    float *depth, *radius, *final_T;
    int *touched, *first, *ids, *last;
    int2 *ranges;
    unsigned long long *keys;
    cudaMalloc(&mean, n * sizeof *mean);
    cudaMalloc(&conic, n * sizeof *conic);
    cudaMalloc(&depth, n * sizeof *depth);
    cudaMalloc(&radius, n * sizeof *radius);
    cudaMalloc(&touched, n * sizeof *touched);
    cudaMalloc(&first, n * sizeof *first);
    cudaMalloc(&ranges, tiles.x * tiles.y * sizeof *ranges);
    cudaMalloc(&final_T, pixels * sizeof *final_T);
    cudaMalloc(&last, pixels * sizeof *last);
    project<<<(n + 255) / 256, 256, 0, stream>>>(mean, conic, depth, radius, touched, s.scene, cam, n);
    const int entries = place_entries(first, touched, n, stream);
    cudaMalloc(&keys, entries * sizeof *keys);
    cudaMalloc(&ids, entries * sizeof *ids);
    list_splats(ids, ranges, keys, entries, first, mean, conic, depth, radius, tiles, n, stream);
    blend<<<tiles, block, 0, stream>>>(out, final_T, last, mean, conic, s.color, ids, ranges, background,
                                       cam.width, cam.height);
    cudaMemsetAsync(loss, 0, sizeof *loss, stream);
    compare<<<(unsigned)((3 * pixels + 255) / 256), 256, 0, stream>>>(loss, out, target, (int)(3 * pixels));
    cudaFree(mean);
    cudaFree(conic);
    cudaFree(depth);
    cudaFree(radius);
    cudaFree(touched);
    cudaFree(first);
    cudaFree(ranges);
    cudaFree(final_T);
    cudaFree(last);
    cudaFree(keys);
    cudaFree(ids);
    return cudaGetLastError();
}

#include "fit.grad.cuh"

#include "../support/descent.h"
#include "../support/pictures.h"
#include "reference.h"
#include "scene.cuh"

/* ---- numbers of a scene ---- */
enum { per_splat = sizeof(gaussian) / sizeof(float) };

static std::vector<float> numbers_of(const std::vector<gaussian> &scene) {
    const float *at = (const float *)scene.data();
    return std::vector<float>(at, at + per_splat * scene.size());
}
static std::vector<gaussian> scene_of(const std::vector<float> &from) {
    const gaussian *at = (const gaussian *)from.data();
    return std::vector<gaussian>(at, at + from.size() / per_splat);
}

struct model {
    std::vector<float> scene, color; // per_splat and 3 a splat
};

struct fitting {
    camera cam;
    const float3 background = {0.3f, 0.2f, 0.6f};
    gw_pool *pool = nullptr;
    device_array<float> loss, d_loss, out, target, color, d_color, scene, d_scene;
    int count;

    fitting(int n, camera c)
        : cam(c), loss(1), d_loss(1), out(values()), target(values()), color(3 * (size_t)n),
          d_color(3 * (size_t)n), scene(per_splat * (size_t)n), d_scene(per_splat * (size_t)n), count(n) {
        must(gw_pool_make(&pool));
    }
    ~fitting() { gw_pool_free(pool); }
    splats parameters() { return {(const gaussian *)(float *)scene, color, count}; }
    size_t values() const { return 3 * (size_t)cam.width * (size_t)cam.height; }

    /* Summed up in double, from the picture: the loss itself is rounded by every atomic addition. */
    double value(const model &m) {
        scene.set(m.scene), color.set(m.color);
        must(picture_loss(loss, out, parameters(), target, background, cam, nullptr));
        must(cudaDeviceSynchronize());
        const std::vector<float> got = out.get(), want = target.get();
        double sum = 0;
        for (size_t i = 0; i < values(); i++)
            sum += std::fabs((double)got[i] - want[i]);
        return sum / (double)values();
    }
    double gradient(const model &m, model &d) {
        scene.set(m.scene), color.set(m.color), d_loss.set(std::vector<float>{1});
        must(cudaMemset(d_scene, 0, d_scene.size() * sizeof(float)));
        must(cudaMemset(d_color, 0, d_color.size() * sizeof(float)));
        must(picture_loss_grad_in(pool, loss, out, parameters(), target, background, cam, nullptr, d_loss,
                                  splats{(gaussian *)(float *)d_scene, d_color, 0}));
        must(cudaDeviceSynchronize());
        d.scene = d_scene.get(), d.color = d_color.get();
        return loss.get()[0];
    }
};

/* ---- against differences along directions ---- */
/* The target is brighter than any picture then, so that no difference steps over a kink of the loss. The edge
 * at which a splat is cut off, 1/255 of opacity, moves with the scene: no derivative sees that. */
static bool check_gradient(fitting &f, const model &m) {
    model d;
    const std::vector<float> target = f.target.get();
    f.target.set(std::vector<float>(f.values(), 2.0f));
    f.gradient(m, d);
    bool holds = true;
    for (int of_color = 0; of_color < 2; of_color++) {
        const std::vector<float> &at = of_color ? m.color : m.scene;
        const std::vector<float> along = numbers((uint64_t)of_color + 3).array(at.size(), 0.5, 1);
        double got = 0, ends[2];
        for (size_t i = 0; i < at.size(); i++)
            got += (double)(of_color ? d.color : d.scene)[i] * along[i];
        const float step = of_color ? 4e-3f : 1e-3f;
        for (int side = 0; side < 2; side++) {
            model moved = m;
            for (size_t i = 0; i < at.size(); i++)
                (of_color ? moved.color : moved.scene)[i] += (side ? -step : step) * along[i];
            ends[side] = f.value(moved);
        }
        const double want = (ends[0] - ends[1]) / (2 * (double)step);
        holds = check(of_color ? "derivative by the colours" : "derivative by the scene",
                      std::fabs(got - want) / std::fabs(want), of_color ? 1e-2 : 1e-1) &&
                holds;
    }
    f.target.set(target);
    return holds;
}

/* |got - want| / |want| */
static double distance(const std::vector<double> &got, const std::vector<double> &want) {
    double apart = 0, length = 0;
    for (size_t i = 0; i < want.size(); i++)
        apart += (got[i] - want[i]) * (got[i] - want[i]), length += want[i] * want[i];
    return std::sqrt(apart / length);
}
template <class T> static std::vector<double> flat(const std::vector<T> &values) {
    const float *at = (const float *)values.data();
    return std::vector<double>(at, at + values.size() * sizeof(T) / sizeof(float));
}

/* ---- the kernels' own gradients, launched by hand: the same numbers ---- */
static bool check_parts(fitting &f, const model &m, const view &v, const device_array<int> &ids) {
    model d;
    f.gradient(m, d);
    const size_t n = (size_t)f.count, pixels = f.values() / 3;
    const dim3 tiles(tile, tile), blocks((unsigned)(f.values() + 255) / 256);
    const gaussian *scene = (const gaussian *)(float *)f.scene;
    device_array<float> final_T(pixels), d_out(f.values()), d_color(3 * n), loss(1), depth(n), radius(n),
        d_loss(std::vector<float>{1}), d_scene(f.scene.size());
    device_array<float2> mean(n), d_mean(n);
    device_array<float4> conic(n), d_conic(n);
    device_array<int> last(pixels), touched(n);
    device_array<char> space(blend_workspace_bytes(v.grid(), tiles, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                   nullptr, nullptr, nullptr, f.background, f.cam.width,
                                                   f.cam.height));
    must(compare_grad_launch(blocks, 256, 0, 0, loss, f.out, f.target, (int)f.values(), d_loss, d_out, nullptr,
                             0));
    must(blend_grad_launch(v.grid(), tiles, 0, 0, f.out, final_T, last, v.mean, v.conic, f.color, ids, v.ranges,
                           f.background, f.cam.width, f.cam.height, d_out, d_mean, d_conic, d_color, space,
                           space.size()));
    must(project_grad_launch((f.count + 255) / 256, 256, 0, 0, mean, conic, depth, radius, touched, scene,
                             f.cam, f.count, d_mean, d_conic, (gaussian *)(float *)d_scene, nullptr, 0));
    must(cudaDeviceSynchronize());
    // atomics of a GPU add in any order
    const double apart = on_cpu_device ? 1e-6 : 1e-3;
    const bool same = check("scene's adjoints beside the kernels' own gradients",
                            relative_error(flat(d.scene), flat(d_scene.get())), apart);
    return check("colours' adjoints beside the kernels' own gradients",
                 relative_error(flat(d.color), flat(d_color.get())), apart) &&
           same;
}

/* ---- blending's gradient from the formulas, the projection's by differences, all in double ---- */
static bool check_in_double(fitting &f, const model &m, const view &v, const device_array<int> &ids) {
    model d;
    f.gradient(m, d);
    const std::vector<float> got = f.out.get(), want = f.target.get();
    std::vector<float> seed;
    for (size_t i = 0; i < f.values(); i++)
        seed.push_back((got[i] < want[i] ? -1.0f : 1.0f) / (float)f.values());
    const reference r = blend_reference(v.mean.get(), v.conic.get(), m.color, ids.get(), v.ranges.get(),
                                        f.background, f.cam.width, f.cam.height, seed);
    std::vector<double> d_scene(m.scene.size());
    for (size_t k = 0; k < m.scene.size(); k++) {
        const size_t splat = k / per_splat, number = k % per_splat;
        const float *at = &m.scene[k - number];
        std::vector<double> more(at, at + per_splat), less = more;
        const double h = 1e-5;
        more[number] += h, less[number] -= h;
        const projected up = project_reference(more.data(), f.cam),
                        down = project_reference(less.data(), f.cam);
        for (size_t i = 0; i < 6; i++)
            d_scene[k] += (i < 2 ? r.d_mean[2 * splat + i] : r.d_conic[4 * splat + i - 2]) *
                          (up.mean_conic[i] - down.mean_conic[i]) / (2 * h);
    }
    const bool holds = check("scene's adjoints beside double", distance(flat(d.scene), d_scene), 1e-4);
    return check("colours' adjoints beside double", distance(flat(d.color), r.d_color), 1e-4) && holds;
}

int main(int argc, char **argv) {
    const camera cam = {on_cpu_device ? 60.0f : 500.0f,
                        (int)option(argc, argv, "--width", on_cpu_device ? 64 : 640),
                        (int)option(argc, argv, "--height", on_cpu_device ? 40 : 400)};
    const int splats = (int)option(argc, argv, "--splats", on_cpu_device ? 150 : 20000),
              rounds = (int)option(argc, argv, "--rounds", on_cpu_device ? 20 : 200);
    const std::string folder = text_option(argc, argv, "--out");
    fitting f(splats, cam);
    const model truth = {numbers_of(make_scene(splats, cam)), numbers(9).array(3 * (size_t)splats, 0, 1)};
    f.value(truth);
    f.target.set(f.out);
    model now = {truth.scene, std::vector<float>(truth.color.size(), 0.5f)};
    numbers random(21);
    for (size_t i = 0; i < now.scene.size(); i++)
        if (i % per_splat < 2) now.scene[i] += random.next(-0.05, 0.05); // x and y
    bool holds = true;
    std::vector<double> losses;
    std::vector<float> mean(now.color.size()), square(now.color.size());
    {
        const view v(splats, cam, scene_of(now.scene));
        const device_array<int> ids(v.sorted);
        holds = check_gradient(f, now);
        holds = check_parts(f, now, v, ids) && holds;
        holds = check_in_double(f, now, v, ids) && holds;
    }
    const progress line(rounds);
    for (int round = 0; round < rounds; round++) {
        model d;
        losses.push_back(f.gradient(now, d));
        for (size_t i = 0; i < now.color.size(); i++) { // Adam
            mean[i] = 0.9f * mean[i] + 0.1f * d.color[i],
            square[i] = 0.99f * square[i] + 0.01f * d.color[i] * d.color[i];
            now.color[i] -= 0.03f * mean[i] / (std::sqrt(square[i]) + 1e-12f);
        }
        for (size_t i = 0; i < now.scene.size(); i++) // positions: steps of one size
            if (i % per_splat < 2 && d.scene[i] != 0) now.scene[i] -= d.scene[i] > 0 ? 0.002f : -0.002f;
        line.tell(round, "loss %.4f", losses.back());
    }
    std::printf("loss %.4f -> %.4f; %.1f MiB held\n", losses.front(), losses.back(),
                (double)gw_pool_held(f.pool) / (1 << 20));
    holds = check("loss beside the first one", losses.back() / losses.front(), 0.6) && holds;
    if (!folder.empty()) write_curve(folder + "/fit_loss.svg", "loss over rounds", losses);
    return holds ? 0 : 1;
}
