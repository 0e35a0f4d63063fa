/*
 * blend_data.h - random splats, and lists of them for the tiles: each tile has every splat but some that it
 * leaves out by chance, in an order of its own. Needs real, tile, batch and the vectors of blend.cuh.
 */
#include <cstdint>
#include <vector>

struct blend_data {
    std::vector<real2> mean;
    std::vector<real4> conic; /* with the opacity in w */
    std::vector<int> ids, none;
    std::vector<int2> ranges;
    real3 background = {(real)0.3, (real)0.2, (real)0.6};
    int rounds = 0;

    blend_data(int width, int height, int splats, double least, double most, uint64_t random)
        : none((size_t)(width * height), 0), state(88172645463325252u + random) {
        for (int i = 0; i < splats; i++) {
            double a = 0.05 + 0.4 * next(), c = 0.05 + 0.4 * next(), b = (next() - 0.5) * 0.1;
            mean.push_back({(real)(width * next()), (real)(height * next())});
            conic.push_back({(real)a, (real)b, (real)c, (real)(least + (most - least) * next())});
        }
        int tiles = ((width + tile - 1) / tile) * ((height + tile - 1) / tile);
        for (int t = 0; t < tiles; t++) {
            int begin = (int)ids.size(), step = 1 + 2 * (t % 4);
            for (int i = 0; i < splats; i++)
                if (next() < 0.9) ids.push_back((i * step + t) % splats);
            ranges.push_back({begin, (int)ids.size()});
            int batches = ((int)ids.size() - begin + batch - 1) / batch;
            if (batches > rounds) rounds = batches;
        }
    }

private:
    uint64_t state;
    double next() {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return (double)(state >> 11) / 9007199254740992.0;
    }
};
