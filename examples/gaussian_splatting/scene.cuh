/*
 * scene.cuh - a random scene, and what blend reads of it: projected splats, and the entries of the tiles sorted
 * by depth.
 */
#ifndef GAUSSIAN_SPLATTING_SCENE_CUH
#define GAUSSIAN_SPLATTING_SCENE_CUH

#include "../support/measure.cuh"
#include "splatting.cuh"

/* ---- a scene: splats of about two pixels, everywhere in view ---- */
static std::vector<gaussian> make_scene(int n, camera cam) {
    numbers random(7);
    std::vector<gaussian> all;
    for (int i = 0; i < n; i++) {
        gaussian g;
        float z = random.next(2, 10), px = random.next(-8, cam.width + 8) - cam.width * 0.5f,
              py = random.next(-8, cam.height + 8) - cam.height * 0.5f;
        g.position = {px * z / cam.focal, py * z / cam.focal, z};
        float size[3], q[4], length = 0;
        for (float &s : size)
            s = 1.6f * std::exp(random.next(-0.7, 0.7)) * z / cam.focal;
        for (float &v : q)
            v = random.next(-1, 1), length += v * v;
        length = 1 / std::sqrt(length + 1e-12f);
        g.scale = {size[0], size[1], size[2]};
        g.rotation = {q[0] * length, q[1] * length, q[2] * length, q[3] * length};
        g.opacity = random.next(0.03, 0.6);
        all.push_back(g);
    }
    return all;
}

/* ---- what blend reads: projected splats, and the entries of the tiles by depth ---- */
struct view {
    camera cam;
    int tiles_x, tiles_y, splats, entries = 0;
    device_array<float2> mean;
    device_array<float4> conic;
    device_array<float> color;
    device_array<int2> ranges;
    std::vector<int> sorted;

    view(int n, camera c) : view(n, c, make_scene(n, c)) {}
    view(int n, camera c, const std::vector<gaussian> &all)
        : cam(c), tiles_x((c.width + tile - 1) / tile), tiles_y((c.height + tile - 1) / tile), splats(n),
          mean((size_t)n), conic((size_t)n), color(numbers(9).array(3 * (size_t)n, 0, 1)),
          ranges((size_t)(tiles_x * tiles_y)) {
        const unsigned blocks = (unsigned)((n + 255) / 256);
        device_array<gaussian> scene(all);
        device_array<float> depth((size_t)n), radius((size_t)n);
        device_array<int> touched((size_t)n), first((size_t)n);
        project<<<blocks, 256>>>(mean, conic, depth, radius, touched, scene, cam, n);
        must(cudaDeviceSynchronize());
        entries = place_entries(first, touched, n, nullptr);
        device_array<unsigned long long> keys((size_t)entries);
        device_array<int> ids((size_t)entries);
        list_splats(ids, ranges, keys, entries, first, mean, conic, depth, radius, grid(), n, nullptr);
        must(cudaDeviceSynchronize());
        sorted = ids.get();
    }
    dim3 grid() const { return dim3((unsigned)tiles_x, (unsigned)tiles_y); }
    size_t pixels() const { return (size_t)cam.width * (size_t)cam.height; }
};

#endif
